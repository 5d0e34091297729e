//! The edges of a program as formulas, prepared once.

use parallax_evidence::Labelled;
use parallax_ir::bounds;
use parallax_term::{Substitution, Term, TermStore};
use std::collections::BTreeSet;
use std::sync::Arc;

/// An edge.
pub(crate) struct EdgeInfo {
    pub(crate) source: usize,
    pub(crate) target: usize,
    pub(crate) action: Option<Arc<str>>,
    /// Guard, bounds of the inputs and constraint.
    pub(crate) condition: Term,
    /// Variables and their new values.
    pub(crate) updates: Vec<(Term, Term)>,
    /// The inputs.
    pub(crate) inputs: Vec<Term>,
    /// The variables of the condition.
    pub(crate) reads: BTreeSet<Term>,
}

/// All edges of the process.
pub(crate) fn edges(labelled: &Labelled<'_>, store: &mut TermStore) -> Vec<EdgeInfo> {
    let program = labelled.program;
    let process = program.processes.iter().flat_map(|p| p.edges.iter());
    process
        .zip(labelled.actions)
        .map(|(edge, action)| {
            let within = bounds(store, &edge.inputs);
            let condition = store.and([edge.guard, within, edge.constraint]);
            let variable = |u: &parallax_ir::Update| (program.variables[u.variable].term, u.value);
            EdgeInfo {
                source: edge.source.index(),
                target: edge.target.index(),
                action: action.clone(),
                condition,
                updates: edge.updates.iter().map(variable).collect(),
                inputs: edge.inputs.iter().map(|input| input.term).collect(),
                reads: store.vars(condition).into_iter().collect(),
            }
        })
        .collect()
}

impl EdgeInfo {
    /// What must hold before so that a formula holds after.
    pub(crate) fn before(&self, store: &mut TermStore, formula: Term) -> Term {
        Substitution::new(self.updates.iter().copied()).apply(store, formula)
    }

    /// Whether it may change the truth of a formula over these variables.
    pub(crate) fn touches(&self, variables: &BTreeSet<Term>) -> bool {
        self.updates.iter().any(|(variable, _)| variables.contains(variable))
    }
}
