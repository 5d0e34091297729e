//! Where runs start.

use crate::Program;
use parallax_term::{Term, TermStore, Value};

/// The initial condition: values for some variables, a predicate for the rest.
///
/// A variable without a value may start with any value of its domain that the
/// predicate allows.
#[derive(Clone, Debug)]
pub struct Init {
    /// One entry per variable of the program, in order.
    pub fixed: Vec<Option<Value>>,
    /// What else is known, over all variables.
    pub predicate: Term,
}

impl Init {
    /// The initial state, if the values of all variables are given.
    ///
    /// The predicate is not looked at: it may still exclude the state.
    pub fn fixed_state(&self) -> Option<Vec<Value>> {
        self.fixed.iter().cloned().collect()
    }
}

impl Program {
    /// The set of initial states as one formula, domains included.
    pub fn initial_formula(&self, store: &mut TermStore) -> Term {
        let mut parts = vec![self.init.predicate];
        for (variable, value) in self.variables.iter().zip(&self.init.fixed) {
            parts.push(match value {
                Some(value) => {
                    let value = store.constant(value.clone());
                    store.eq(variable.term, value)
                }
                None => variable.domain.constraint(store, variable.term),
            });
        }
        store.and(parts)
    }
}
