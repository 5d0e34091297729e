//! Weak simulation by its definition: start with all pairs and remove what does
//! not satisfy the condition until nothing changes.
//!
//! Slow and obvious. It shares no code with [`crate::simulates`], weak arrows
//! included, and is what that is compared with; [`is_simulation`] is the check
//! of a relation that somebody else found.

use parallax_lts::{Lts, StateId, TAU};
use std::collections::BTreeSet;

/// The states reached by silent steps from any of these.
fn quiet(lts: &Lts, states: BTreeSet<StateId>) -> BTreeSet<StateId> {
    let mut reached = states.clone();
    let mut open: Vec<StateId> = states.into_iter().collect();
    while let Some(state) = open.pop() {
        for edge in lts.edges(state) {
            if edge.action == TAU && reached.insert(edge.target) {
                open.push(edge.target);
            }
        }
    }
    reached
}

/// All `x` with `state =label=> x`; only silent steps, perhaps none, for the
/// silent label.
fn answers(lts: &Lts, state: StateId, label: Option<&str>) -> BTreeSet<StateId> {
    let before = quiet(lts, BTreeSet::from([state]));
    let Some(label) = label else { return before };
    let Some(action) = lts.find_action(label) else { return BTreeSet::new() };
    let mut middle = BTreeSet::new();
    for &state in &before {
        middle.extend(lts.edges(state).iter().filter(|e| e.action == action).map(|e| e.target));
    }
    quiet(lts, middle)
}

fn matched(
    left: &Lts,
    right: &Lts,
    pair: (StateId, StateId),
    holds: impl Fn(StateId, StateId) -> bool,
) -> bool {
    left.edges(pair.0).iter().all(|edge| {
        let label = (edge.action != TAU).then(|| left.label(edge.action));
        answers(right, pair.1, label).iter().any(|&answer| holds(edge.target, answer))
    })
}

/// The largest weak simulation, as a set of pairs.
pub fn largest_simulation(left: &Lts, right: &Lts) -> BTreeSet<(StateId, StateId)> {
    let mut relation: BTreeSet<(StateId, StateId)> =
        left.states().flat_map(|p| right.states().map(move |q| (p, q))).collect();
    loop {
        let bad: Vec<_> = relation
            .iter()
            .copied()
            .filter(|&pair| !matched(left, right, pair, |p, q| relation.contains(&(p, q))))
            .collect();
        if bad.is_empty() {
            return relation;
        }
        for pair in bad {
            relation.remove(&pair);
        }
    }
}

/// Whether a relation is a weak simulation that relates the initial states.
pub fn is_simulation(left: &Lts, right: &Lts, relation: &BTreeSet<(StateId, StateId)>) -> bool {
    relation.contains(&(left.initial(), right.initial()))
        && relation
            .iter()
            .all(|&pair| matched(left, right, pair, |p, q| relation.contains(&(p, q))))
}
