//! The predicate set and where its first members come from.
//!
//! A predicate is an atom over at least one hidden variable. The first set
//! holds the atoms of all guards and of the target (Albarghouthi 2010, Fig.
//! 4.1 line 2), the conditions inside updates, which are guards in disguise,
//! the atoms that decide explicit variables, and the bounds of hidden ranges.

use crate::cube::Bits;
use crate::{Cube, Partition};
use parallax_ir::{Program, Transition};
use parallax_term::{Code, Scratch, Term, TermStore, Value};
use rustc_hash::FxHashMap;

/// An ordered, growing set of predicates.
#[derive(Clone, Debug, Default)]
pub struct Predicates {
    atoms: Vec<Term>,
    index: FxHashMap<Term, usize>,
}

impl Predicates {
    /// No predicate at all: where seed 003's search starts.
    pub fn empty() -> Predicates {
        Predicates::default()
    }

    /// The predicates of guards, target, conditions and bounds.
    pub fn initial(
        store: &mut TermStore,
        program: &Program,
        partition: &Partition,
        transitions: &[Transition],
        target: Term,
    ) -> Predicates {
        let mut found = Predicates::empty();
        for transition in transitions {
            found.add_atoms(store, partition, transition.guard);
            for update in &transition.updates {
                for condition in store.conditions(update.value) {
                    found.add_atoms(store, partition, condition);
                }
                let is_bool = store.sort(update.value) == parallax_term::Sort::Bool;
                if is_bool && !partition.is_hidden(update.variable.index()) {
                    found.add_atoms(store, partition, update.value);
                }
            }
        }
        found.add_atoms(store, partition, target);
        for variable in partition.hidden.iter().map(|&i| &program.variables.as_slice()[i]) {
            let bounds = variable.domain.constraint(store, variable.term);
            found.add_atoms(store, partition, bounds);
        }
        found
    }

    /// Adds the atoms of a formula; says which ones are new.
    ///
    /// Atoms over inputs or over explicit variables alone are no predicates.
    pub fn add_atoms(
        &mut self,
        store: &mut TermStore,
        partition: &Partition,
        formula: Term,
    ) -> Vec<Term> {
        let lifted = store.lift(formula);
        let mut new = Vec::new();
        for atom in store.atoms(lifted) {
            let slots: Option<Vec<_>> =
                store.vars(atom).into_iter().map(|v| partition.slot(v)).collect();
            let tracks = slots.is_some_and(|s| s.iter().any(|&slot| partition.is_hidden(slot)));
            if tracks && !self.index.contains_key(&atom) {
                self.index.insert(atom, self.atoms.len());
                self.atoms.push(atom);
                new.push(atom);
            }
        }
        new
    }

    /// The predicates in the order they were added.
    pub fn atoms(&self) -> &[Term] {
        &self.atoms
    }

    /// Position of a predicate.
    pub fn position(&self, atom: Term) -> Option<usize> {
        self.index.get(&atom).copied()
    }

    /// The number of predicates.
    pub fn len(&self) -> usize {
        self.atoms.len()
    }

    /// Whether there is no predicate.
    pub fn is_empty(&self) -> bool {
        self.atoms.is_empty()
    }
}

/// The abstraction function on concrete states, for one predicate set.
pub struct Matcher {
    explicit: Vec<usize>,
    code: Code,
    count: usize,
    scratch: Scratch,
}

impl Matcher {
    /// Compiles the predicates.
    pub fn new(store: &TermStore, partition: &Partition, predicates: &Predicates) -> Matcher {
        let code = Code::compile(store, predicates.atoms(), |t| partition.slot(t));
        let scratch = Scratch::default();
        Matcher { explicit: partition.explicit.clone(), code, count: predicates.len(), scratch }
    }

    /// The abstract state that a concrete state matches.
    pub fn cube(&mut self, state: &[Value]) -> Cube {
        self.code.run(state, &mut self.scratch);
        let bit = |i| *self.code.output(i, &self.scratch) == Value::Bool(true);
        Cube {
            explicit: self.explicit.iter().map(|&slot| state[slot].clone()).collect(),
            bits: Bits::new((0..self.count).map(bit)),
        }
    }
}
