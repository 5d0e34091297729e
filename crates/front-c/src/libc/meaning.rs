//! What the functions of a program mean: their own text, the library, or
//! nothing that is known.

use super::declared::{Declaration, is_same};
use super::names::{Operation, is_thread_model, modelled_name, operation_of, plain_name};
use crate::typed::{Function, Program};
use parallax_base::{FileId, Id};
use parallax_cfa::Type;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What a function means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Meaning {
    /// Its text.
    Text,
    /// The text of a model.
    Model(Id<Function>),
    /// An operation of the program form.
    Operation,
    /// A function of the library without an effect on the program but for
    /// `errno`.
    Library(Declaration),
    /// Code that nobody knows.
    Unknown,
}

impl Meaning {
    /// Whether a call is lowered by [`super::operation`].
    pub(crate) fn is_operation(self) -> bool {
        match self {
            Meaning::Operation => true,
            Meaning::Library(declaration) => !declaration.takes_list(),
            Meaning::Text | Meaning::Model(_) | Meaning::Unknown => false,
        }
    }
}

/// The meanings of all functions.
pub(crate) struct Meanings {
    all: Vec<Meaning>,
    models: BTreeSet<FileId>,
    names: BTreeMap<Arc<str>, Id<Function>>,
}

impl Meanings {
    /// Looks at a program; the models are part of it.
    pub(crate) fn of(program: &Program, threads: bool) -> Meanings {
        let mut by_name = BTreeMap::new();
        let mut models = BTreeSet::new();
        for (id, function) in program.functions.iter_enumerated() {
            if let (Some(name), Some(_)) = (modelled_name(&function.name), function.body) {
                models.insert(function.span.file);
                if threads || !is_thread_model(name) {
                    by_name.insert(name, id);
                }
            }
        }
        // A name of the linker's that nobody knows is the one in the text.
        let all = program.functions.iter_enumerated().map(|(id, function)| {
            match meaning(program, &by_name, function, &function.name) {
                Meaning::Unknown => match program.declared.get(&id) {
                    Some(name) => meaning(program, &by_name, function, name),
                    None => Meaning::Unknown,
                },
                known => known,
            }
        });
        let all = all.collect();
        let names = by_name.into_iter().map(|(name, id)| (name.into(), id)).collect();
        Meanings { all, models, names }
    }

    /// The meaning of a function.
    pub(crate) fn get(&self, function: Id<Function>) -> Meaning {
        self.all[function.index()]
    }

    /// A function of the models, by its name without the prefix.
    pub(crate) fn model(&self, name: &str) -> Option<Id<Function>> {
        self.names.get(name).copied()
    }

    /// Whether a function is the library's: its text, or all that is known of it.
    pub(crate) fn is_library(&self, program: &Program, function: Id<Function>) -> bool {
        match self.get(function) {
            Meaning::Text => self.models.contains(&program.functions[function].span.file),
            Meaning::Model(_) | Meaning::Operation | Meaning::Library(_) => true,
            Meaning::Unknown => false,
        }
    }
}

fn meaning(
    program: &Program,
    models: &BTreeMap<&str, Id<Function>>,
    function: &Function,
    name: &str,
) -> Meaning {
    let operation = operation_of(name);
    if matches!(operation, Some(Operation::Error | Operation::Thread(_))) {
        return Meaning::Operation;
    }
    if function.body.is_some() {
        return Meaning::Text;
    }
    if let Some(declaration) = Declaration::asked(name) {
        return Meaning::Library(declaration);
    }
    let is_reserved = name.starts_with("__builtin_");
    let (plain, _) = plain_name(name);
    let types = &program.types;
    let declared = match types.get(function.ty) {
        Type::Function(ty) => ty,
        _ => return Meaning::Unknown,
    };
    let fits = |declaration: Declaration| is_reserved || declaration.fits(types, declared);
    if let Some(model) = models.get(plain) {
        let of = program.functions[*model].ty;
        let same = matches!(types.get(of), Type::Function(ty) if is_same(types, declared, ty));
        return if is_reserved || same { Meaning::Model(*model) } else { Meaning::Unknown };
    }
    if operation.is_some() {
        let known = Declaration::operation(plain).is_none_or(fits);
        return if known { Meaning::Operation } else { Meaning::Unknown };
    }
    match Declaration::harmless(plain) {
        Some(declaration) if fits(declaration) => Meaning::Library(declaration),
        _ => Meaning::Unknown,
    }
}
