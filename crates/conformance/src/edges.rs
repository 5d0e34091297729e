//! The edges of a program as formulas, prepared once.

use parallax_domain::Step;
use parallax_evidence::Labelled;
use parallax_term::{Term, TermStore};
use std::collections::BTreeSet;
use std::sync::Arc;

/// An edge.
pub(crate) struct EdgeInfo {
    pub(crate) source: usize,
    pub(crate) target: usize,
    pub(crate) action: Option<Arc<str>>,
    pub(crate) step: Step,
    /// The variables of the condition.
    pub(crate) reads: BTreeSet<Term>,
}

/// All edges of the process.
pub(crate) fn edges(labelled: &Labelled<'_>, store: &mut TermStore) -> Vec<EdgeInfo> {
    let process = labelled.program.processes.iter().flat_map(|p| p.edges.iter());
    let info = |(edge, action): (&parallax_ir::Edge, &Option<Arc<str>>)| {
        let step = Step::of_edge(store, labelled.program, edge);
        EdgeInfo {
            source: edge.source.index(),
            target: edge.target.index(),
            action: action.clone(),
            reads: store.vars(step.condition).into_iter().collect(),
            step,
        }
    };
    process.zip(labelled.actions).map(info).collect()
}
