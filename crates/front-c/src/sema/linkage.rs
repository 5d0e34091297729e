//! Names with linkage: one entity behind many declarations.
//!
//! Within a translation unit declarations must agree, as GCC demands. Across
//! units only the name counts, as for a linker; the definition's type wins.

use super::scope::Symbol;
use super::{Checked, Checker, Reported, Ty};
use crate::ast::{DeclSpecifiers, Name, StorageClass};
use crate::typed::{Function, Storage, Variable};
use parallax_base::{Diagnostic, Id, Span};
use parallax_cfa::{ArrayLength, FunctionType, Type};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::sync::Arc;

/// An object or function with linkage.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Entity {
    Variable(Id<Variable>),
    Function(Id<Function>),
}

/// All names with linkage.
#[derive(Debug, Default)]
pub(super) struct Linkage {
    /// Known to all units.
    externals: FxHashMap<Arc<str>, Entity>,
    /// Known to this unit.
    internals: FxHashMap<Arc<str>, Entity>,
    /// What this unit says about the types, and where it said so last.
    pub(super) seen: FxHashMap<Arc<str>, (Id<Type>, Span)>,
    /// Variables with an initializer or a body that counts as a definition.
    initialized: FxHashSet<Id<Variable>>,
    /// Functions whose only body so far is an inline one.
    inline: FxHashSet<Id<Function>>,
    /// Functions that were only called so far.
    implicit: FxHashSet<Id<Function>>,
    /// Objects defined without a value in this unit.
    tentative: Vec<Id<Variable>>,
    /// Names of this unit with another name for the linker.
    pub(super) renamed: FxHashMap<Arc<str>, Arc<str>>,
    /// Symbols that this unit calls weak.
    pub(super) weak_names: FxHashSet<Arc<str>>,
    /// Symbols that some unit calls weak.
    pub(super) weak_everywhere: BTreeSet<Arc<str>>,
    /// Objects and functions whose definition is a weak one.
    weak: FxHashSet<Entity>,
    /// What the units before say about the types of objects.
    pub(super) agreed: FxHashMap<Arc<str>, (Id<Type>, Span)>,
}

impl Linkage {
    /// Forgets what only the last unit knew.
    pub(super) fn next_unit(&mut self) {
        self.internals.clear();
        self.seen.clear();
        self.tentative.clear();
        self.renamed.clear();
        self.weak_names.clear();
    }

    /// Whether another definition may take the place of the present one.
    pub(super) fn has_weak_definition(&self, entity: Entity) -> bool {
        self.weak.contains(&entity)
    }

    /// What a name known to all units stands for in this one.
    pub(super) fn external(&self, name: &str) -> Option<Entity> {
        self.externals.get(name).filter(|_| !self.internals.contains_key(name)).copied()
    }

    fn find(&self, name: &str, is_static: bool) -> Option<Entity> {
        let known = self.internals.get(name);
        known.or_else(|| self.externals.get(name).filter(|_| !is_static)).copied()
    }

    fn insert(&mut self, name: Arc<str>, entity: Entity, is_static: bool) {
        match is_static {
            true => self.internals.insert(name, entity),
            false => self.externals.insert(name, entity),
        };
    }
}

impl Checker<'_> {
    /// The type of a name after one more declaration in this unit.
    fn merge(&mut self, name: &Name, ty: Id<Type>, lenient: bool) -> Checked<Id<Type>> {
        let merged = match self.linkage.seen.get(&name.text).copied() {
            Some((old, _)) if self.compatible(old, ty) => self.composite(ty, old),
            Some((old, first)) if !lenient => {
                let (a, b) = (self.display_id(ty), self.display_id(old));
                let message = format!("conflicting types for `{}`", name.text);
                let error = Diagnostic::error("C1412", name.span, message);
                let error = error.label(format!("this says `{a}`"));
                return Err(self.error(error.also(first, format!("this said `{b}`"))));
            }
            _ => ty,
        };
        self.linkage.seen.insert(Arc::clone(&name.text), (merged, name.span));
        Ok(merged)
    }

    fn other_kind(&mut self, name: &Name) -> Reported {
        let message = format!("`{}` is declared as a different kind of thing", name.text);
        self.error(Diagnostic::error("C1413", name.span, message))
    }

    /// Declares a function; it is defined elsewhere, or in a moment.
    pub(super) fn declare_function(
        &mut self,
        name: &Name,
        ty: Id<Type>,
        is_static: bool,
        noreturn: bool,
    ) -> Checked<Id<Function>> {
        if let Some((Symbol::Variable(..) | Symbol::Typedef(_) | Symbol::Constant(..), _)) =
            self.scopes.symbols.get_here(&name.text)
        {
            return Err(self.other_kind(name));
        }
        let link = self.link_name(name);
        let known = self.linkage.find(&link.text, is_static);
        let function = match known {
            Some(Entity::Function(function)) => function,
            Some(Entity::Variable(_)) => return Err(self.other_kind(name)),
            None => {
                let function = self.out.functions.push(Function {
                    name: Arc::clone(&link.text),
                    ty,
                    parameters: Vec::new(),
                    body: None,
                    noreturn,
                    span: name.span,
                });
                let entity = Entity::Function(function);
                self.linkage.insert(Arc::clone(&link.text), entity, is_static);
                if link.text != name.text {
                    self.out.declared.insert(function, Arc::clone(&name.text));
                }
                function
            }
        };
        // System headers give one symbol a second name with another type. Calls
        // by that name are compared with what the symbol expects.
        let seen = self.linkage.seen.get(&link.text).copied();
        let is_second =
            link.text != name.text && seen.is_some_and(|(first, _)| !self.compatible(first, ty));
        let is_renamed = self.out.declared.contains_key(&function);
        let lenient = self.linkage.implicit.remove(&function) || is_renamed;
        let ty = if is_second { ty } else { self.merge(&link, ty, lenient)? };
        let entry = &mut self.out.functions[function];
        entry.noreturn |= noreturn;
        if entry.body.is_none() && !is_second {
            entry.ty = ty;
        }
        self.scopes.symbols.insert(
            Arc::clone(&name.text),
            name.span,
            Symbol::Function(function, ty),
        );
        Ok(function)
    }

    /// Declares a function that is only known by a call or as a builtin.
    pub(super) fn declare_implicitly(
        &mut self,
        name: &Arc<str>,
        ty: Id<Type>,
        span: Span,
    ) -> Id<Function> {
        let known = self.linkage.find(name, false);
        let function = match known {
            Some(Entity::Function(function)) => function,
            _ => {
                let function = self.out.functions.push(Function {
                    name: Arc::clone(name),
                    ty,
                    parameters: Vec::new(),
                    body: None,
                    noreturn: false,
                    span,
                });
                self.linkage.insert(Arc::clone(name), Entity::Function(function), false);
                self.linkage.implicit.insert(function);
                function
            }
        };
        let ty = self.linkage.seen.get(name).map_or(ty, |(ty, _)| *ty);
        let symbol = Symbol::Function(function, ty);
        self.scopes.symbols.insert_outermost(Arc::clone(name), span, symbol);
        function
    }

    /// Notes that a function is about to get a body; an error if it has one
    /// that is neither merely inline nor weak. Returns the function that gets it:
    /// one that nobody calls if the present body stays.
    pub(super) fn define_function(
        &mut self,
        function: Id<Function>,
        name: &Name,
        inline: bool,
    ) -> Checked<Id<Function>> {
        let was_inline = self.linkage.inline.remove(&function);
        let (entity, is_weak) = (Entity::Function(function), self.is_weak(name));
        let is_defined = self.out.functions[function].body.is_some() && !was_inline && !inline;
        if is_defined && is_weak {
            let ty = self.out.functions[function].ty;
            return Ok(self.replaced_function(name, ty));
        }
        let replaces = self.linkage.weak.remove(&entity);
        if is_weak {
            self.linkage.weak.insert(entity);
        }
        if is_defined && !replaces {
            let message = format!("`{}` is defined twice", name.text);
            let error = Diagnostic::error("C1414", name.span, message);
            let first = self.out.functions[function].span;
            return Err(self.error(error.also(first, "first defined here")));
        }
        if inline {
            self.linkage.inline.insert(function);
        }
        Ok(function)
    }

    /// Declares an object at file level, or one declared `extern` in a block. Says
    /// whether its value counts: not if it is weak and there is one.
    pub(super) fn declare_object(
        &mut self,
        name: &Name,
        ty: Ty,
        specifiers: &DeclSpecifiers,
        initialized: bool,
        align: Option<u64>,
    ) -> Checked<(Id<Variable>, bool)> {
        let is_static = specifiers.storage == Some(StorageClass::Static);
        let is_extern = specifiers.storage == Some(StorageClass::Extern) && !initialized;
        if let Some((Symbol::Function(..) | Symbol::Typedef(_) | Symbol::Constant(..), _)) =
            self.scopes.symbols.get_here(&name.text)
        {
            return Err(self.other_kind(name));
        }
        let link = self.link_name(name);
        let variable = match self.linkage.find(&link.text, is_static) {
            Some(Entity::Variable(variable)) => variable,
            Some(Entity::Function(_)) => return Err(self.other_kind(name)),
            None => {
                let variable = self.out.variables.push(Variable {
                    name: Arc::clone(&name.text),
                    ty: ty.id,
                    volatile: ty.qualifiers.is_volatile,
                    atomic: ty.qualifiers.is_atomic,
                    is_const: Checker::is_const_object(ty),
                    storage: Storage::External,
                    owner: None,
                    is_literal: false,
                    units: None,
                    align: None,
                    init: None,
                    span: name.span,
                });
                let entity = Entity::Variable(variable);
                self.linkage.insert(Arc::clone(&link.text), entity, is_static);
                variable
            }
        };
        let merged = self.merge(&link, ty.id, false)?;
        let (entity, is_weak) = (Entity::Variable(variable), self.is_weak(name));
        let is_first = !initialized || self.linkage.initialized.insert(variable);
        let counts = is_first || !is_weak;
        let replaces = initialized && counts && self.linkage.weak.remove(&entity);
        if initialized && is_weak && counts {
            self.linkage.weak.insert(entity);
        }
        if counts && !is_first && !replaces {
            let message = format!("`{}` is defined twice", name.text);
            let error = Diagnostic::error("C1414", name.span, message);
            let first = self.out.variables[variable].span;
            return Err(self.error(error.also(first, "first defined here")));
        }
        let is_initialized = self.linkage.initialized.contains(&variable);
        let entry = &mut self.out.variables[variable];
        entry.align = entry.align.max(align);
        if specifiers.thread_local {
            entry.storage = Storage::Thread;
        } else if !is_extern && entry.storage == Storage::External {
            entry.storage = Storage::Static;
        }
        if counts && (!is_extern || entry.storage == Storage::External) {
            if initialized || !is_initialized {
                (entry.ty, entry.volatile) = (merged, ty.qualifiers.is_volatile);
                entry.is_const = Checker::is_const_object(ty);
            }
            if initialized {
                entry.span = name.span;
            }
        }
        if !is_extern && !initialized {
            if is_weak && !is_initialized {
                self.linkage.weak.insert(entity);
            }
            self.linkage.tentative.push(variable);
        }
        let symbol = Symbol::Variable(variable, Ty { id: merged, ..ty });
        self.scopes.symbols.insert(Arc::clone(&name.text), name.span, symbol);
        Ok((variable, counts))
    }

    /// The type of an object whose initializer said its length.
    pub(super) fn complete_object(&mut self, name: &Name, variable: Id<Variable>, ty: Ty) {
        self.out.variables[variable].ty = ty.id;
        let link = self.link_name(name);
        if let Some(seen) = self.linkage.seen.get_mut(&link.text) {
            seen.0 = ty.id;
        }
        let symbol = Symbol::Variable(variable, ty);
        self.scopes.symbols.insert(Arc::clone(&name.text), name.span, symbol);
    }

    /// Objects without a value are complete at the end of their unit: an array
    /// of unknown length has one element.
    pub(super) fn finish_unit(&mut self) {
        for variable in std::mem::take(&mut self.linkage.tentative) {
            let entry = &self.out.variables[variable];
            let (ty, span) = (entry.ty, entry.span);
            if self.is_complete(ty) {
                continue;
            }
            if let Type::Array { of, length: ArrayLength::Unknown } = *self.ty(ty)
                && self.is_complete(of)
            {
                let length = ArrayLength::Fixed(1);
                let ty = self.out.types.intern(Type::Array { of, length });
                self.out.variables[variable].ty = ty;
                continue;
            }
            let found = self.display_id(ty);
            let message = format!(
                "`{}` has the incomplete type `{found}`",
                self.out.variables[variable].name
            );
            self.error(Diagnostic::error("C1415", span, message));
        }
        let weak = self.linkage.weak_names.iter().cloned();
        self.linkage.weak_everywhere.extend(weak);
        self.compare_units();
    }

    /// The type of a function if this unit has given it a prototype.
    pub(super) fn prototype_of(&self, name: &Name) -> Option<FunctionType> {
        let (ty, _) = self.linkage.seen.get(&self.link_name(name).text)?;
        match self.ty(*ty) {
            Type::Function(function) if function.prototyped => Some(function.clone()),
            _ => None,
        }
    }

    /// What can be said only when all units are read.
    pub(super) fn finish(&mut self) {
        self.finish_weak();
        self.note_constructors();
        if self.unit_number > 1 && !self.errors.has_errors() {
            self.unify_units();
        }
    }
}
