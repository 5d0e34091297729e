//! What is tracked where.
//!
//! Predicates and tracked variables belong to locations: a refinement adds them
//! where the path needed them, so the rest of the graph does not pay for them
//! (Henzinger, Jhala, Majumdar, Sutre: Lazy abstraction, POPL 2002). With the
//! scope of a function they are shared by all its locations.
//! A variable that is tracked by value is tracked everywhere: its value at one
//! location comes from its values at all others.

use super::place::Location;
use parallax_base::Id;
use parallax_ir::Variable;
use parallax_term::Term;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Where a new predicate is tracked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Scope {
    /// At the location that needed it.
    #[default]
    Location,
    /// At every location of the same function or process.
    Function,
}

/// What is tracked at one location.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tracked {
    /// Variables by value, in increasing order.
    pub(crate) values: Vec<Id<Variable>>,
    /// Predicates, in the order they were found.
    pub(crate) predicates: Vec<Term>,
    /// Grows with every change.
    pub(crate) version: u64,
}

/// What is tracked at each location.
#[derive(Clone, Debug, Default)]
pub(crate) struct Precision {
    by_key: FxHashMap<Rc<[i64]>, Vec<Term>>,
    /// Groups of locations that share what is tracked: per process, the group
    /// of each location.
    groups: Vec<Vec<i64>>,
    /// What is tracked everywhere.
    given: Vec<Term>,
    all: Vec<Term>,
    values: Vec<Id<Variable>>,
    /// How often `values` changed.
    changes: u64,
}

impl Precision {
    /// Nothing tracked yet. `groups` says, per process and location, which
    /// locations share what is tracked.
    pub(crate) fn new(groups: Vec<Vec<i64>>) -> Precision {
        Precision { groups, ..Precision::default() }
    }

    /// Tracks a predicate everywhere. Comes before anything else is tracked.
    pub(crate) fn give(&mut self, predicate: Term) {
        if !self.given.contains(&predicate) {
            self.given.push(predicate);
            self.all.push(predicate);
        }
    }

    fn key(&self, location: &Location) -> Rc<[i64]> {
        let group = |(&at, groups): (&i64, &Vec<i64>)| groups[at as usize];
        location.iter().zip(&self.groups).map(group).collect()
    }

    /// Adds a predicate at a location; `false` if it was there.
    pub(crate) fn add(&mut self, location: &Location, predicate: Term) -> bool {
        let given = self.given.clone();
        let here = self.by_key.entry(self.key(location)).or_insert(given);
        if here.contains(&predicate) {
            return false;
        }
        here.push(predicate);
        if !self.all.contains(&predicate) {
            self.all.push(predicate);
        }
        true
    }

    /// Tracks a variable by value; `false` if it was tracked.
    pub(crate) fn track(&mut self, variable: Id<Variable>) -> bool {
        let Err(at) = self.values.binary_search(&variable) else { return false };
        self.values.insert(at, variable);
        self.changes += 1;
        true
    }

    /// Gives up tracking a variable by value.
    pub(crate) fn forget(&mut self, variable: Id<Variable>) {
        self.values.retain(|&v| v != variable);
        self.changes += 1;
    }

    /// What is tracked at a location.
    pub(crate) fn at(&self, location: &Location) -> Tracked {
        let here = self.by_key.get(&self.key(location));
        let predicates = here.unwrap_or(&self.given).clone();
        let version = predicates.len() as u64 + self.changes;
        Tracked { values: self.values.clone(), predicates, version }
    }

    /// How much was ever tracked at a location.
    pub(crate) fn version(&self, location: &Location) -> u64 {
        let predicates = self.by_key.get(&self.key(location)).map_or(self.given.len(), Vec::len);
        predicates as u64 + self.changes
    }

    /// How many different predicates there are; a tracked variable counts as one.
    pub(crate) fn len(&self) -> usize {
        self.all.len() + self.values.len()
    }

    /// All predicates, in the order they were found.
    pub(crate) fn predicates(&self) -> &[Term] {
        &self.all
    }
}
