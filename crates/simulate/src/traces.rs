//! Trace containment: every trace of the left is one of the right.
//!
//! The right-hand side is made deterministic on the fly, set by set. There may
//! be exponentially many sets; the answer says how many were built.

use parallax_base::{Budget, Stop};
use parallax_lts::{Action, Lts, StateId, TAU};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// The answer and what it cost.
#[derive(Clone, Debug)]
pub struct Contained {
    /// A shortest trace of the left that the right does not have, in the
    /// numbering of the left, silent steps included.
    pub counterexample: Option<Vec<(Action, StateId)>>,
    /// The pairs of a state of the left and a set of the right that were built.
    pub pairs: Vec<(StateId, u32)>,
    /// The different sets of states of the right.
    pub sets: Vec<Vec<StateId>>,
}

fn closed(lts: &Lts, states: impl IntoIterator<Item = StateId>) -> Vec<StateId> {
    let mut set: BTreeSet<StateId> = states.into_iter().collect();
    let mut open: Vec<StateId> = set.iter().copied().collect();
    while let Some(state) = open.pop() {
        for edge in lts.edges_with(state, TAU) {
            if set.insert(edge.target) {
                open.push(edge.target);
            }
        }
    }
    set.into_iter().collect()
}

/// Whether the traces of `left` are traces of `right`.
///
/// # Errors
/// When the budget ends.
pub fn trace_contained(left: &Lts, right: &Lts, budget: &Budget) -> Result<Contained, Stop> {
    let same: Vec<Option<Action>> =
        left.labels().iter().map(|label| right.find_action(label)).collect();
    let mut sets: Vec<Vec<StateId>> = vec![closed(right, [right.initial()])];
    let mut numbers: FxHashMap<Vec<StateId>, u32> = FxHashMap::default();
    numbers.insert(sets[0].clone(), 0);
    let mut steps: FxHashMap<(u32, Action), Option<u32>> = FxHashMap::default();
    let mut seen: FxHashMap<(StateId, u32), ()> = FxHashMap::default();
    // State, set, and the entry and action it came from.
    let mut queue: Vec<(StateId, u32, usize, Action)> = vec![(left.initial(), 0, 0, TAU)];
    seen.insert((left.initial(), 0), ());
    let mut next = 0;
    let mut counterexample = None;
    'search: while let Some(&(state, set, _, _)) = queue.get(next) {
        if next % 256 == 0 {
            budget.check()?;
        }
        for edge in left.edges(state) {
            let target = if edge.action == TAU {
                Some(set)
            } else {
                *steps.entry((set, edge.action)).or_insert_with(|| {
                    let action = same[edge.action as usize]?;
                    let from = sets[set as usize].iter();
                    let after = from.flat_map(|&q| right.edges_with(q, action));
                    let after = closed(right, after.map(|edge| edge.target).collect::<Vec<_>>());
                    if after.is_empty() {
                        return None;
                    }
                    let number = sets.len() as u32;
                    Some(*numbers.entry(after).or_insert_with_key(|key| {
                        sets.push(key.clone());
                        number
                    }))
                })
            };
            let Some(target) = target else {
                let mut trace = vec![(edge.action, edge.target)];
                let mut at = next;
                while at != 0 {
                    let (state, _, parent, action) = queue[at];
                    trace.push((action, state));
                    at = parent;
                }
                trace.reverse();
                counterexample = Some(trace);
                break 'search;
            };
            if seen.insert((edge.target, target), ()).is_none() {
                queue.push((edge.target, target, next, edge.action));
            }
        }
        next += 1;
    }
    let pairs = queue.into_iter().map(|(state, set, _, _)| (state, set)).collect();
    Ok(Contained { counterexample, pairs, sets })
}
