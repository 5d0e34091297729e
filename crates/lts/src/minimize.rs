//! Strong bisimulation by partition refinement.
//!
//! Blocks are split by signatures: the sorted set of (action, block) pairs of a
//! state. Only states with a successor that changed its block are looked at
//! again, and the largest part of a split block keeps its number, so a state is
//! looked at again O(log n) times for each of its edges.
//!
//! `ERROR` and `END` are never joined with other states.

use crate::system::{Action, Lts, StateId};
use parallax_base::{Budget, Stop};
use rustc_hash::FxHashMap;

type Signature = Vec<(Action, StateId)>;

/// The coarsest strong bisimulation: the block of every state, and how many
/// blocks there are.
///
/// # Errors
/// When the budget ends.
pub fn strong_blocks(lts: &Lts, budget: &Budget) -> Result<(Vec<StateId>, usize), Stop> {
    let count = lts.state_count();
    let mut class = vec![0; count];
    let mut members: Vec<Vec<StateId>> = Vec::new();
    for kind in 0..3 {
        let list: Vec<StateId> = lts.states().filter(|&s| lts.kind(s) == kind).collect();
        if !list.is_empty() {
            for &state in &list {
                class[state as usize] = members.len() as StateId;
            }
            members.push(list);
        }
    }
    let before = lts.predecessors();
    let mut dirty: Vec<StateId> = lts.states().collect();
    let mut is_dirty = vec![true; count];
    let mut ticks = 0u32;
    while !dirty.is_empty() {
        dirty.sort_unstable_by_key(|&state| (class[state as usize], state));
        for &state in &dirty {
            is_dirty[state as usize] = false;
        }
        let mut moved: Vec<StateId> = Vec::new();
        let mut rest = dirty.as_slice();
        // All splits of a round look at the classes as they were before it.
        let mut changes: Vec<(StateId, Vec<Vec<StateId>>)> = Vec::new();
        while let Some(&first) = rest.first() {
            ticks = ticks.wrapping_add(1);
            if ticks.is_multiple_of(256) {
                budget.check()?;
            }
            let block = class[first as usize];
            let length = rest.partition_point(|&s| class[s as usize] <= block);
            let (group, others) = rest.split_at(length);
            rest = others;
            if let Some(parts) = split(lts, &class, &members[block as usize], group) {
                changes.push((block, parts));
            }
        }
        for (block, mut parts) in changes {
            parts.sort_by_key(|part| std::cmp::Reverse(part.len()));
            let mut parts = parts.into_iter();
            members[block as usize] = parts.next().unwrap_or_default();
            for part in parts {
                let number = members.len() as StateId;
                for &state in &part {
                    class[state as usize] = number;
                    moved.push(state);
                }
                members.push(part);
            }
        }
        dirty.clear();
        for state in moved {
            for &(_, source) in &before[state as usize] {
                if !std::mem::replace(&mut is_dirty[source as usize], true) {
                    dirty.push(source);
                }
            }
        }
    }
    Ok((class, members.len()))
}

/// The parts of a block, if it falls apart. `group` are its states that may
/// have changed, sorted; all others still have one signature.
fn split(
    lts: &Lts,
    class: &[StateId],
    block: &[StateId],
    group: &[StateId],
) -> Option<Vec<Vec<StateId>>> {
    if block.len() == 1 {
        return None;
    }
    let signature = |state: StateId| -> Signature {
        let mut pairs: Signature =
            lts.edges(state).iter().map(|e| (e.action, class[e.target as usize])).collect();
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    };
    let mut numbers: FxHashMap<Signature, usize> = FxHashMap::default();
    let mut parts: Vec<Vec<StateId>> = Vec::new();
    let quiet: Vec<StateId> = if group.len() == block.len() {
        Vec::new()
    } else {
        block.iter().copied().filter(|state| group.binary_search(state).is_err()).collect()
    };
    if let Some(&one) = quiet.first() {
        numbers.insert(signature(one), 0);
        parts.push(quiet);
    }
    for &state in group {
        let next = parts.len();
        let part = *numbers.entry(signature(state)).or_insert(next);
        if part == next {
            parts.push(Vec::new());
        }
        parts[part].push(state);
    }
    (parts.len() > 1).then_some(parts)
}

/// The smallest system that is strongly bisimilar.
///
/// # Errors
/// When the budget ends.
pub fn minimize_strong(lts: &Lts, budget: &Budget) -> Result<Lts, Stop> {
    let (class, classes) = strong_blocks(lts, budget)?;
    Ok(lts.quotient(&class, classes, false))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_ring_of_one_action_is_one_state_and_a_chain_is_not() {
        let ring = |open: bool| {
            let mut lts = Lts::new("R");
            let a = lts.action("a");
            let states: Vec<StateId> = (0..2000).map(|_| lts.add_state()).collect();
            for pair in states.windows(2) {
                lts.add_edge(pair[0], a, pair[1]);
            }
            if !open {
                lts.add_edge(1999, a, 0);
            }
            minimize_strong(&lts, &Budget::unlimited()).map(|m| m.state_count())
        };
        assert_eq!(ring(false), Ok(1));
        assert_eq!(ring(true), Ok(2000));
    }
}
