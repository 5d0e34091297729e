//! Formulas of linear temporal logic about the runs of a program.
//!
//! The word of a run has one letter per state: the set of atoms that hold
//! there. A run that ends (no step is possible) is extended by its last state
//! for ever, so every run has an infinite word. All runs count; no fairness is
//! assumed.

use crate::{Program, State};
use parallax_ltl::Formula;
use parallax_term::{Code, Scratch, Term, Value};
use std::sync::Arc;

/// A formula whose atoms are formulas over the variables of a program.
#[derive(Clone, Debug)]
pub struct Temporal {
    /// The formula.
    pub formula: Formula,
    /// What its atoms stand for, in the same order.
    pub atoms: Vec<Term>,
    /// The formula as it was written.
    pub text: Arc<str>,
}

/// Says which atoms of a formula hold in a state.
pub struct Letters {
    code: Code,
    count: usize,
    scratch: Scratch,
}

impl Letters {
    /// Compiles the atoms.
    pub fn new(program: &Program, temporal: &Temporal) -> Letters {
        let code = Code::compile(&program.store, &temporal.atoms, |t| program.slot(t));
        Letters { code, count: temporal.atoms.len(), scratch: Scratch::default() }
    }

    /// The letter of a state: bit `i` is set if atom `i` holds.
    pub fn of(&mut self, state: &State) -> u64 {
        self.code.run(state, &mut self.scratch);
        let holds = |i: &usize| *self.code.output(*i, &self.scratch) == Value::Bool(true);
        (0..self.count).filter(holds).fold(0, |letter, i| letter | 1 << i)
    }
}
