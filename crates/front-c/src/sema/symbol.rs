//! Names as the linker sees them: weak symbols, assembler names, aliases, and
//! the types that several units give one object.
//!
//! A strong definition takes the place of a weak one, whichever comes first; of
//! several weak ones the first counts. A name with an assembler name is that
//! other symbol. What a program says and does not define, because it is weak or
//! an alias, is *opaque*: a run that mentions it leaves the model.

use super::linkage::Entity;
use super::{Checker, Ty};
use crate::ast::Name;
use crate::typed::{Function, Opaque, Storage, Variable};
use parallax_base::{Diagnostic, Id};
use parallax_cfa::Type;
use std::sync::Arc;

impl Checker<'_> {
    /// The name that the linker knows.
    pub(super) fn link_name(&self, name: &Name) -> Name {
        let text = self.linkage.renamed.get(&name.text).unwrap_or(&name.text);
        Name { text: Arc::clone(text), span: name.span }
    }

    /// `asm("label")` behind a declarator. It counts from there on; system headers
    /// declare a name first without it.
    pub(super) fn note_asm_name(&mut self, name: &Name, label: Option<&Arc<str>>) {
        let Some(label) = label.filter(|label| ***label != *name.text) else { return };
        self.linkage.renamed.insert(Arc::clone(&name.text), Arc::clone(label));
    }

    /// Notes that a unit calls a symbol weak.
    pub(super) fn note_weak(&mut self, name: &Name) {
        let link = self.link_name(name);
        self.linkage.weak_names.insert(link.text);
    }

    pub(super) fn is_weak(&self, name: &Name) -> bool {
        self.linkage.weak_names.contains(&self.link_name(name).text)
    }

    /// A function that stands for a definition which another one replaces.
    pub(super) fn replaced_function(&mut self, name: &Name, ty: Id<Type>) -> Id<Function> {
        self.out.functions.push(Function {
            name: Arc::clone(&name.text),
            ty,
            parameters: Vec::new(),
            body: None,
            noreturn: false,
            span: name.span,
        })
    }

    /// Says that a function is another one's name.
    pub(super) fn alias_function(&mut self, function: Id<Function>) {
        let why = Opaque { reason: "a function that is an alias".into(), is_alias: true };
        self.out.opaque_functions.insert(function, why);
    }

    /// Says that a variable is another one's name, or a register.
    pub(super) fn opaque_variable(&mut self, variable: Id<Variable>, reason: &str) {
        let why = Opaque { reason: reason.into(), is_alias: true };
        self.out.opaque_variables.insert(variable, why);
    }

    /// What other units say about the types of this one's objects.
    pub(super) fn compare_units(&mut self) {
        let seen = self.linkage.seen.iter().map(|(name, at)| (Arc::clone(name), *at));
        let mut seen: Vec<_> = seen.collect();
        seen.sort_by(|a, b| (a.1.1, &a.0).cmp(&(b.1.1, &b.0)));
        for (name, (ty, span)) in seen {
            let is_object = matches!(self.linkage.external(&name), Some(Entity::Variable(_)));
            if !is_object {
                continue;
            }
            match self.linkage.agreed.get(&name).copied() {
                Some((other, _)) if self.agree(other, ty) => {}
                Some((other, first)) => {
                    let (a, b) = (self.display_id(ty), self.display_id(other));
                    let message = format!("conflicting types for `{name}`");
                    let error = Diagnostic::error("C1412", span, message);
                    let error = error.label(format!("this says `{a}`"));
                    self.error(error.also(first, format!("another file says `{b}`")));
                }
                None => drop(self.linkage.agreed.insert(name, (ty, span))),
            }
        }
    }

    /// Whether two units mean the same by an object: pointers may differ in
    /// what they point to.
    fn agree(&self, a: Id<Type>, b: Id<Type>) -> bool {
        self.compatible(a, b) || (self.is_pointer(a) && self.is_pointer(b))
    }

    /// What is weak and has no definition in the whole program.
    pub(super) fn finish_weak(&mut self) {
        for name in std::mem::take(&mut self.linkage.weak_everywhere) {
            let why = |what: &str| Opaque {
                reason: format!("a weak {what} that the program does not define").into(),
                is_alias: false,
            };
            match self.linkage.external(&name) {
                Some(Entity::Function(f)) if self.out.functions[f].body.is_none() => {
                    self.out.opaque_functions.entry(f).or_insert_with(|| why("function"));
                }
                Some(Entity::Variable(v)) if self.out.variables[v].storage == Storage::External => {
                    self.out.opaque_variables.entry(v).or_insert_with(|| why("variable"));
                }
                Some(entity) if self.linkage.has_weak_definition(entity) => {
                    let text = format!("no other code defines the weak symbol `{name}`");
                    self.out.assumed.insert(text.into());
                }
                _ => {}
            }
        }
        let functions = &self.out.functions;
        self.out.opaque_functions.retain(|f, _| functions[*f].body.is_none());
    }

    /// Whether an object is constant in the sense of the standard.
    pub(super) fn is_const_object(ty: Ty) -> bool {
        ty.qualifiers.is_const && !ty.qualifiers.is_volatile
    }
}
