//! Targets that no state at all is in.
//!
//! `unreachable bad: false` is answered by looking at the target, not by a
//! search among states, of which there may be many. All states together are the
//! closed set then.

use crate::{Question, Resources};
use parallax_evidence::{Certificate, ClosedSet, Finding, Region};
use parallax_solver::Answer;
use std::time::Duration;

/// A target that takes longer to refute on its own is left to the search.
const PATIENCE: Duration = Duration::from_millis(250);

/// A proof, if no values of the variables make a target.
///
/// What is known of a variable is its domain; locations are variables too.
pub fn nowhere(question: Question<'_>, resources: Resources<'_>) -> Option<Finding> {
    let program = question.program;
    let target = question.property().target;
    let mut store = program.store.clone();
    let mut parts = Vec::new();
    if !store.is_false(target) {
        // That steps keep to one domain may depend on another.
        for variable in &program.variables {
            parts.push(variable.domain.constraint(&mut store, variable.term));
        }
        let mut solver = resources.solver.open().ok()?;
        parts.iter().for_each(|&part| solver.assert(&store, part));
        let budget = resources.budget.within(PATIENCE);
        let said = solver.check(&store, &[target], &budget).ok()?;
        if said != Answer::Unsat {
            return None;
        }
    }
    let formula = store.and(parts);
    let fragment = vec![Region { fixed: Vec::new(), formula }];
    let (points, prefix) = (Vec::new(), Vec::new());
    let set = ClosedSet { store, points, prefix, fragment, quotient: None };
    Some(Finding::Proved(Box::new(Certificate::Closed(set))))
}
