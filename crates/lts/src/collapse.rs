//! Joins states that no weak simulation tells apart, cheaply.
//!
//! Three steps: states on a silent cycle, strong bisimulation, and branching
//! bisimulation (R. J. van Glabbeek and W. P. Weijland, 1996) by signatures
//! (S. Blom and S. Orzan, 2003). States that are branching bisimilar are weakly
//! bisimilar, so each of them simulates what the other does. The last step has
//! a limit on its rounds: a partition in between is no bisimulation, and is
//! dropped.
//!
//! Invariant: the system of classes has no silent cycle.

use crate::minimize::strong_blocks;
use crate::progress::components_by;
use crate::system::{Action, Edge, Lts, StateId, TAU};
use parallax_base::{Budget, Stop};
use rustc_hash::FxHashMap;

/// So many rounds of branching bisimulation are tried.
const ROUNDS: usize = 256;

/// What a state does: actions and the classes they lead to.
type Signature = Vec<(Action, StateId)>;

/// A system of classes of states.
#[derive(Clone, Debug)]
pub struct Collapsed {
    /// The class of every state.
    pub class: Vec<StateId>,
    /// The system of the classes, without silent cycles; all classes are there,
    /// reachable or not.
    pub lts: Lts,
}

/// Joins weakly bisimilar states, as far as that is cheap.
///
/// # Errors
/// When the budget ends.
pub fn collapse(lts: &Lts, budget: &Budget) -> Result<Collapsed, Stop> {
    let mut all = Collapsed { class: lts.states().collect(), lts: lts.clone() };
    all.join_silent_cycles();
    let (blocks, count) = strong_blocks(&all.lts, budget)?;
    all.join(&blocks, count);
    if let Some((blocks, count)) = branching_blocks(&all.lts, budget)? {
        all.join(&blocks, count);
    }
    all.join_silent_cycles();
    Ok(all)
}

impl Collapsed {
    fn join_silent_cycles(&mut self) {
        let (component, count) = components_by(&self.lts, |edge| edge.action == TAU);
        self.join(&component, count);
    }

    /// Joins classes; silent steps inside one are left out.
    fn join(&mut self, block: &[StateId], count: usize) {
        let mut edges: Vec<Vec<Edge>> = vec![Vec::new(); count];
        for state in self.lts.states() {
            let from = block[state as usize];
            for edge in self.lts.edges(state) {
                let target = block[edge.target as usize];
                if edge.action != TAU || target != from {
                    edges[from as usize].push(Edge { action: edge.action, target });
                }
            }
        }
        let mut result = self.lts.like();
        for list in edges {
            let state = result.add_state();
            result.set_edges(state, list);
        }
        result.set_initial(block[self.lts.initial() as usize]);
        for class in &mut self.class {
            *class = block[*class as usize];
        }
        self.lts = result;
    }
}

/// The coarsest branching bisimulation of a system without silent cycles, if it
/// is found soon.
fn branching_blocks(lts: &Lts, budget: &Budget) -> Result<Option<(Vec<StateId>, usize)>, Stop> {
    // Components of single states, targets first.
    let (order, _) = components_by(lts, |edge| edge.action == TAU);
    let mut states: Vec<StateId> = lts.states().collect();
    states.sort_unstable_by_key(|&state| order[state as usize]);
    let mut class = vec![0; lts.state_count()];
    let mut count = 1;
    let mut signatures: Vec<Signature> = vec![Vec::new(); lts.state_count()];
    for _ in 0..ROUNDS {
        let mut numbers: FxHashMap<(StateId, &Signature), StateId> = FxHashMap::default();
        for &state in &states {
            if state % 1024 == 0 {
                budget.check()?;
            }
            let own = class[state as usize];
            let mut signature = Vec::new();
            for edge in lts.edges(state) {
                let target = class[edge.target as usize];
                if edge.action == TAU && target == own {
                    signature.extend_from_slice(&signatures[edge.target as usize]);
                } else {
                    signature.push((edge.action, target));
                }
            }
            signature.sort_unstable();
            signature.dedup();
            signatures[state as usize] = signature;
        }
        let mut next = vec![0; lts.state_count()];
        for state in lts.states() {
            let number = numbers.len() as StateId;
            let key = (class[state as usize], &signatures[state as usize]);
            next[state as usize] = *numbers.entry(key).or_insert(number);
        }
        let stable = numbers.len() == count;
        count = numbers.len();
        class = next;
        if stable {
            return Ok(Some((class, count)));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::weak::weakly_bisimilar;

    #[test]
    fn silent_detours_are_joined() {
        // A ring of `a` with silent steps in between, and a silent cycle.
        let mut lts = Lts::new("R");
        let a = lts.action("a");
        for _ in 0..3000 {
            lts.add_state();
        }
        for state in 0..3000 {
            let action = if state % 3 == 0 { a } else { TAU };
            lts.add_edge(state, action, (state + 1) % 3000);
        }
        lts.add_edge(2, TAU, 1);
        let small = collapse(&lts, &Budget::unlimited()).expect("no limit");
        assert_eq!(small.lts.state_count(), 1);
        assert_eq!(weakly_bisimilar(&lts, &small.lts, &Budget::unlimited()), Ok(true));
    }

    #[test]
    fn a_silent_choice_is_kept() {
        // a + tau.b is not b, nor a + b.
        let mut lts = Lts::new("C");
        let (a, b) = (lts.action("a"), lts.action("b"));
        for _ in 0..3 {
            lts.add_state();
        }
        lts.add_edge(0, a, 2);
        lts.add_edge(0, TAU, 1);
        lts.add_edge(1, b, 2);
        assert_eq!(collapse(&lts, &Budget::unlimited()).map(|c| c.lts.state_count()), Ok(3));
    }
}
