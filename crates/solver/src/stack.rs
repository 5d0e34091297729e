//! The formulas a solver was told, scope by scope.
//!
//! Every backend keeps them: to check models against, to start over in
//! another logic, and to write queries down.

use crate::{Answer, Model};
use parallax_term::{Term, TermStore, Value};

/// Asserted formulas in their scopes and the assumptions of the last check.
#[derive(Clone, Debug)]
pub(crate) struct Stack {
    formulas: Vec<Term>,
    scopes: Vec<usize>,
    pub(crate) assumptions: Vec<Term>,
}

impl Stack {
    pub(crate) fn new() -> Stack {
        Stack { formulas: Vec::new(), scopes: Vec::new(), assumptions: Vec::new() }
    }

    pub(crate) fn push(&mut self) {
        self.scopes.push(self.formulas.len());
    }

    /// Closes the innermost scope; false if there is none.
    pub(crate) fn pop(&mut self) -> bool {
        let scope = self.scopes.pop();
        self.formulas.truncate(scope.unwrap_or(usize::MAX));
        scope.is_some()
    }

    pub(crate) fn assert(&mut self, formula: Term) {
        self.formulas.push(formula);
    }

    /// The number of asserted formulas.
    pub(crate) fn len(&self) -> usize {
        self.formulas.len()
    }

    /// The asserted formulas, grouped by scope, outermost first.
    pub(crate) fn levels(&self) -> impl Iterator<Item = &[Term]> {
        let ends = self.scopes.iter().copied().chain([self.formulas.len()]);
        let starts = [0].into_iter().chain(self.scopes.iter().copied());
        starts.zip(ends).map(|(from, to)| &self.formulas[from..to])
    }

    /// What the last check was about: asserted formulas, then assumptions.
    pub(crate) fn query(&self) -> Vec<Term> {
        [self.formulas.as_slice(), &self.assumptions].concat()
    }

    /// The formulas of the last check that a model does not make true.
    pub(crate) fn refuted(&self, store: &TermStore, model: &Model) -> Option<Term> {
        let query = self.query();
        let values = model.eval_all(store, &query);
        let wrong = values.iter().position(|value| *value != Value::Bool(true));
        wrong.map(|index| query[index])
    }

    /// The symbols of the last check and the given ones.
    pub(crate) fn symbols(&self, store: &TermStore, more: &[Term]) -> Vec<Term> {
        let mut roots = self.query();
        roots.extend_from_slice(more);
        let mut all = store.subterms(&roots);
        all.retain(|term| store.name(*term).is_some());
        all
    }
}

/// What to answer when a model of the solver is none.
pub(crate) fn wrong_model(solver: &str, store: &TermStore, formula: Term) -> Answer {
    let message =
        format!("internal error: the model of {solver} does not satisfy {}", store.infix(formula));
    debug_assert!(false, "{message}");
    Answer::Unknown(message)
}
