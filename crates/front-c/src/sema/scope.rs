//! Names and what they stand for, by scope.
//!
//! Ordinary names and tags are separate namespaces; both nest with the blocks.
//! A closed scope can be opened again: the parameters of a function definition
//! are declared before its body is entered.

use super::Ty;
use crate::typed::{Function, Variable};
use parallax_base::{Id, Span};
use parallax_cfa::{Enumeration, Record, Type};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// What an ordinary name stands for.
#[derive(Clone, Debug)]
pub(super) enum Symbol {
    /// An object, with the type that is visible here.
    Variable(Id<Variable>, Ty),
    /// A function, with the type that is visible here.
    Function(Id<Function>, Id<Type>),
    /// A type.
    Typedef(Ty),
    /// A constant of an enumeration.
    Constant(i128, Id<Type>),
    /// A parameter of a declaration without a body: it has a type and no place.
    Parameter(Ty),
    /// Its declaration was wrong; uses are silent.
    Poisoned,
}

/// What a tag stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Tag {
    /// A structure or union.
    Record(Id<Record>),
    /// An enumeration, and whether its constants are known.
    Enum(Id<Enumeration>, bool),
}

/// One namespace.
#[derive(Debug)]
pub(super) struct Namespace<T> {
    known: FxHashMap<Arc<str>, Vec<(u32, Span, T)>>,
    scopes: Vec<Vec<Arc<str>>>,
}

/// The names of a closed scope.
pub(super) type Closed<T> = Vec<(Arc<str>, Span, T)>;

impl<T> Default for Namespace<T> {
    fn default() -> Namespace<T> {
        Namespace { known: FxHashMap::default(), scopes: vec![Vec::new()] }
    }
}

impl<T> Namespace<T> {
    fn depth(&self) -> u32 {
        self.scopes.len() as u32
    }

    /// The innermost meaning of a name.
    pub(super) fn get(&self, name: &str) -> Option<&T> {
        self.known.get(name)?.last().map(|(_, _, item)| item)
    }

    /// The meaning of a name that was declared in the innermost scope, and where.
    pub(super) fn get_here(&self, name: &str) -> Option<(&T, Span)> {
        let (depth, span, item) = self.known.get(name)?.last()?;
        (*depth == self.depth()).then_some((item, *span))
    }

    /// The meaning of a name at file level.
    pub(super) fn get_outermost(&self, name: &str) -> Option<&T> {
        let (depth, _, item) = self.known.get(name)?.first()?;
        (*depth == 1).then_some(item)
    }

    /// Declares a name in the innermost scope; an earlier one there is replaced.
    pub(super) fn insert(&mut self, name: Arc<str>, span: Span, item: T) {
        let depth = self.depth();
        let all = self.known.entry(Arc::clone(&name)).or_default();
        match all.last_mut() {
            Some(last) if last.0 == depth => (last.1, last.2) = (span, item),
            _ => {
                all.push((depth, span, item));
                if let Some(scope) = self.scopes.last_mut() {
                    scope.push(name);
                }
            }
        }
    }

    /// Sets the meaning of a name at file level, from wherever we are.
    pub(super) fn insert_outermost(&mut self, name: Arc<str>, span: Span, item: T) {
        let all = self.known.entry(Arc::clone(&name)).or_default();
        match all.first_mut() {
            Some(first) if first.0 == 1 => (first.1, first.2) = (span, item),
            _ => {
                all.insert(0, (1, span, item));
                self.scopes[0].push(name);
            }
        }
    }

    fn push(&mut self) {
        self.scopes.push(Vec::new());
    }

    fn pop(&mut self) -> Closed<T> {
        let names = self.scopes.pop().unwrap_or_default();
        let mut closed = Vec::with_capacity(names.len());
        for name in names {
            if let Some((_, span, item)) = self.known.get_mut(&name).and_then(Vec::pop) {
                closed.push((name, span, item));
            }
        }
        closed
    }

    /// The names of the innermost scope.
    pub(super) fn visible_here(&self) -> impl Iterator<Item = (&str, Span, &T)> {
        self.scopes.last().into_iter().flatten().filter_map(|name| {
            let (_, span, item) = self.known.get(name)?.last()?;
            Some((&**name, *span, item))
        })
    }

    /// All names that are visible, in no particular order of meaning but in a
    /// fixed one.
    pub(super) fn visible(&self) -> impl Iterator<Item = (&str, &T)> {
        self.scopes.iter().rev().flatten().filter_map(|name| Some((&**name, self.get(name)?)))
    }
}

/// Both namespaces.
#[derive(Debug, Default)]
pub(super) struct Scopes {
    /// Variables, functions, typedefs, constants.
    pub(super) symbols: Namespace<Symbol>,
    /// Structures, unions, enumerations.
    pub(super) tags: Namespace<Tag>,
}

impl Scopes {
    /// Opens a scope.
    pub(super) fn push(&mut self) {
        self.symbols.push();
        self.tags.push();
    }

    /// Closes the innermost scope.
    pub(super) fn pop(&mut self) -> (Closed<Symbol>, Closed<Tag>) {
        (self.symbols.pop(), self.tags.pop())
    }

    /// Opens a closed scope again.
    pub(super) fn reopen(&mut self, closed: (Closed<Symbol>, Closed<Tag>)) {
        self.push();
        closed.0.into_iter().for_each(|(name, span, item)| self.symbols.insert(name, span, item));
        closed.1.into_iter().for_each(|(name, span, item)| self.tags.insert(name, span, item));
    }

    /// Whether we are at file level.
    pub(super) fn is_file(&self) -> bool {
        self.symbols.depth() == 1
    }
}
