//! The deterministic system with the same traces, by the subset construction.
//!
//! Used for `deterministic` processes and for trace containment. It may be
//! exponentially larger, which is what simulation avoids.

use crate::system::{Edge, Lts, StateId, TAU};
use parallax_base::{Budget, Stop};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// All states reached by silent steps, sorted.
pub(crate) fn silently(lts: &Lts, mut states: Vec<StateId>) -> Vec<StateId> {
    states.sort_unstable();
    states.dedup();
    let mut next = 0;
    let mut seen: std::collections::BTreeSet<StateId> = states.iter().copied().collect();
    while let Some(&state) = states.get(next) {
        next += 1;
        for edge in lts.edges_with(state, TAU) {
            if seen.insert(edge.target) {
                states.push(edge.target);
            }
        }
    }
    seen.into_iter().collect()
}

/// The deterministic system of the same traces. A set of states with `ERROR`
/// in it is `ERROR`.
///
/// # Errors
/// When the budget ends.
pub fn determinize(lts: &Lts, budget: &Budget) -> Result<Lts, Stop> {
    let mut result = lts.like();
    let mut sets: Vec<Vec<StateId>> = Vec::new();
    let mut numbers: FxHashMap<Vec<StateId>, StateId> = FxHashMap::default();
    let start = silently(lts, vec![lts.initial()]);
    let first = result.add_state();
    numbers.insert(start.clone(), first);
    sets.push(start);
    let mut at = 0;
    while at < sets.len() {
        budget.check()?;
        let set = sets[at].clone();
        let from = at as StateId;
        at += 1;
        if lts.error().is_some_and(|error| set.contains(&error)) {
            continue;
        }
        let mut targets: BTreeMap<u32, Vec<StateId>> = BTreeMap::new();
        for &state in &set {
            for edge in lts.edges(state).iter().filter(|edge| edge.action != TAU) {
                targets.entry(edge.action).or_default().push(edge.target);
            }
        }
        let mut edges = Vec::new();
        for (action, list) in targets {
            let mut next = silently(lts, list);
            if let Some(error) = lts.error()
                && next.contains(&error)
            {
                next = vec![error];
            }
            let target = *numbers.entry(next).or_insert_with_key(|key| {
                sets.push(key.clone());
                result.add_state()
            });
            if sets[target as usize].as_slice() == lts.error().as_slice() {
                result.set_error(Some(target));
            }
            if sets[target as usize].as_slice() == lts.end().as_slice() {
                result.set_end(Some(target));
            }
            edges.push(Edge { action, target });
        }
        result.set_edges(from, edges);
    }
    Ok(result)
}
