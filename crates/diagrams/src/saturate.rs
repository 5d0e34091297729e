//! What can be reached, by saturation (Ciardo, Lüttgen, Siminiceanu 2001).
//!
//! A set of tuples of the lower components is *saturated* if no event that is
//! about them alone leads out of it. A diagram is made from the last level up:
//! on each level, the events that begin there are taken until they add nothing,
//! and what they put into place below is saturated before it is used. So sets
//! grow where events are, and not at the root.
//!
//! Invariant: images are additive, so a union of saturated sets is saturated.

use crate::space::{Arcs, Set, Space, kept};
use oxidd::BooleanVecSet;
use parallax_base::{Budget, Stop};
use parallax_lts::StateId;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// States of one component, each with a saturated set of what is below.
type Node = BTreeMap<StateId, Set>;

/// Work under way.
pub(crate) struct Saturation<'s, 'a> {
    space: &'s Space<'a>,
    /// The events that begin on each level, and the last level of each event.
    begins: Vec<Vec<usize>>,
    last: Vec<usize>,
    /// Where an event leads from a set on the levels from its own on.
    fired: FxHashMap<(usize, Set), Set>,
    budget: &'s Budget,
}

impl<'s, 'a> Saturation<'s, 'a> {
    pub(crate) fn new(space: &'s Space<'a>, budget: &'s Budget) -> Saturation<'s, 'a> {
        let (mut begins, mut last) = (vec![Vec::new(); space.order.len()], Vec::new());
        for (number, event) in space.events.iter().enumerate() {
            let levels = event.owners.iter().map(|&owner| space.level_of[owner]);
            if let Some(first) = levels.clone().min() {
                begins[first].push(number);
            }
            last.push(levels.max().unwrap_or(0));
        }
        Saturation { space, begins, last, fired: FxHashMap::default(), budget }
    }

    /// All that can be reached from a tuple.
    pub(crate) fn reachable(&mut self, tuple: &[StateId]) -> Result<Set, Stop> {
        let mut set = self.space.base();
        for level in (0..self.space.order.len()).rev() {
            let state = tuple[self.space.order[level]];
            set = self.saturated(level, Node::from([(state, set)]))?;
        }
        Ok(set)
    }

    /// The events of a level are taken until they add nothing.
    fn saturated(&mut self, level: usize, mut node: Node) -> Result<Set, Stop> {
        loop {
            let mut grows = false;
            for turn in 0..self.begins[level].len() {
                let event = self.begins[level][turn];
                let Some(moves) = self.space.moves_at(event, level) else { continue };
                let before: Arcs =
                    node.iter().map(|(state, below)| (*state, below.clone())).collect();
                for (state, below) in before {
                    let Some(targets) = moves.get(&state) else { continue };
                    let below = self.fire(event, level + 1, &below)?;
                    for &target in targets {
                        grows |= self.add(&mut node, target, &below)?;
                    }
                }
            }
            if !grows {
                return self.space.node(level, &node);
            }
        }
    }

    /// Where an event leads that has begun above, saturated.
    fn fire(&mut self, event: usize, level: usize, set: &Set) -> Result<Set, Stop> {
        if level > self.last[event] || self.space.is_empty(set) {
            return Ok(set.clone());
        }
        let key = (event, set.clone());
        if let Some(known) = self.fired.get(&key) {
            return Ok(known.clone());
        }
        self.budget.check()?;
        let moves = self.space.moves_at(event, level);
        let mut node = Node::new();
        for (state, below) in self.space.arcs(set, self.space.order[level]) {
            let stay = [state];
            let targets = match moves {
                Some(moves) => moves.get(&state).map_or(&[][..], Vec::as_slice),
                None => &stay,
            };
            if targets.is_empty() {
                continue;
            }
            let below = self.fire(event, level + 1, &below)?;
            for &target in targets {
                self.add(&mut node, target, &below)?;
            }
        }
        let found = self.saturated(level, node)?;
        self.fired.insert(key, found.clone());
        Ok(found)
    }

    /// Adds to what is below a state; whether that is more than there was.
    fn add(&self, node: &mut Node, state: StateId, below: &Set) -> Result<bool, Stop> {
        if self.space.is_empty(below) {
            return Ok(false);
        }
        let known = node.get(&state);
        let all = match known {
            Some(known) => kept(known.union(below))?,
            None => below.clone(),
        };
        let is_more = known != Some(&all);
        node.insert(state, all);
        Ok(is_more)
    }
}
