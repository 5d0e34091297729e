//! Formulas that say what holds at all times, as invariants.
//!
//! `[] p` is true of all runs iff `p` is true in all reachable states: every
//! reachable state is on a run, since one that has ended repeats its last state.
//! So what the search among all states cannot answer, because there are too
//! many, the engines for invariants can.

use crate::Task;
use parallax_base::Id;
use parallax_ir::{Property, PropertyKind};

/// The task whose one property is the invariant that a formula amounts to.
pub fn as_invariant(task: &Task, property: Id<Property>) -> Option<Task> {
    let asked = task.program.properties.get(property)?.clone();
    let temporal = asked.temporal.as_ref()?;
    let mut made = task.clone();
    let holds = temporal.always(&mut made.program.store)?;
    let target = made.program.store.not(holds);
    let kind = PropertyKind::Invariant;
    made.program.properties =
        [Property { kind, target, temporal: None, ..asked }].into_iter().collect();
    made.program.store.freeze();
    Some(made)
}
