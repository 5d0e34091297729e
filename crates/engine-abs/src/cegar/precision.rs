//! What is tracked where.
//!
//! Predicates and tracked variables belong to locations: a refinement adds them
//! where the path needed them, so the rest of the graph does not pay for them
//! (Henzinger, Jhala, Majumdar, Sutre: Lazy abstraction, POPL 2002). With the
//! scope of a function they are shared by all its locations.

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
    by_key: FxHashMap<Rc<[i64]>, Tracked>,
    /// Groups of locations that share what is tracked: per process, the group
    /// of each location.
    groups: Vec<Vec<i64>>,
    all: Vec<Term>,
    values: Vec<Id<Variable>>,
}

impl Precision {
    /// Nothing tracked yet. `groups` says, per process and location, which
    /// locations share what is tracked.
    pub(crate) fn new(groups: Vec<Vec<i64>>) -> Precision {
        Precision { groups, ..Precision::default() }
    }

    fn key(&self, location: &Location) -> Rc<[i64]> {
        let group = |(&at, groups): (&i64, &Vec<i64>)| groups[at as usize];
        location.iter().zip(&self.groups).map(group).collect()
    }

    /// Adds a predicate at a location; `false` if it was there.
    pub(crate) fn add(&mut self, location: &Location, predicate: Term) -> bool {
        let here = self.by_key.entry(self.key(location)).or_default();
        if here.predicates.contains(&predicate) {
            return false;
        }
        here.predicates.push(predicate);
        here.version += 1;
        if !self.all.contains(&predicate) {
            self.all.push(predicate);
        }
        true
    }

    /// Tracks a variable by value at a location; `false` if it was tracked.
    pub(crate) fn track(&mut self, location: &Location, variable: Id<Variable>) -> bool {
        let here = self.by_key.entry(self.key(location)).or_default();
        let Err(at) = here.values.binary_search(&variable) else { return false };
        here.values.insert(at, variable);
        here.version += 1;
        if !self.values.contains(&variable) {
            self.values.push(variable);
        }
        true
    }

    /// Gives up tracking a variable by value.
    pub(crate) fn forget(&mut self, variable: Id<Variable>) {
        self.values.retain(|&v| v != variable);
        let mut keys: Vec<Rc<[i64]>> = self.by_key.keys().cloned().collect();
        keys.sort_unstable();
        for key in keys {
            let Some(here) = self.by_key.get_mut(&key) else { continue };
            if here.values.contains(&variable) {
                here.values.retain(|&v| v != variable);
                here.version += 1;
            }
        }
    }

    /// What is tracked at a location.
    pub(crate) fn at(&self, location: &Location) -> Tracked {
        self.by_key.get(&self.key(location)).cloned().unwrap_or_default()
    }

    /// How much was ever tracked at a location.
    pub(crate) fn version(&self, location: &Location) -> u64 {
        self.by_key.get(&self.key(location)).map_or(0, |t| t.version)
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
