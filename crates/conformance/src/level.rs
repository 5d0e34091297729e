//! The second abstraction: states of a transition system are joined.
//!
//! Two ways. *Exactly*: branching bisimilar states are one class (`collapse` in
//! `parallax_lts`). The system does whatever its classes do, and silent steps
//! inside a class, such as work on data between two actions, no longer
//! interleave with those of others. *By actions*, as in the paper: at first
//! classes with the same set of enabled actions are one. A path of the classes
//! that the system does not have is removed by splitting the class in which it
//! gets stuck: the states that are reached there from the others.

use crate::abstraction::Model;
use parallax_base::{Budget, Stop};
use parallax_lts::{Action, Collapsed, Edge, Lts, StateId, TAU, collapse};
use std::collections::{BTreeMap, BTreeSet};

/// A class and the states of it where a path ends.
pub(crate) type Stuck = (StateId, BTreeSet<StateId>);

/// A step of classes: from, action, to.
pub(crate) type Step = (StateId, Action, StateId);

/// Locations that had to be told apart, whatever the predicates. When new
/// predicates make the states new, these splits are kept.
#[derive(Default)]
pub(crate) struct Groups {
    group: BTreeMap<usize, u32>,
    count: u32,
}

impl Groups {
    fn of(&self, location: usize) -> u32 {
        self.group.get(&location).copied().unwrap_or(0)
    }

    /// Notes that states were taken out of a class, if that tells locations
    /// apart.
    pub(crate) fn note(
        &mut self,
        model: &Model,
        level: &Level,
        class: StateId,
        states: &BTreeSet<StateId>,
    ) {
        let place = |state: StateId| model.states[state as usize].0;
        let of_class = model.lts.states().filter(|&s| level.class[s as usize] == class);
        let (inside, outside): (Vec<StateId>, Vec<StateId>) =
            of_class.partition(|state| states.contains(state));
        let inside: BTreeSet<usize> = inside.into_iter().map(place).collect();
        let outside: BTreeSet<usize> = outside.into_iter().map(place).collect();
        if !inside.is_disjoint(&outside) {
            return;
        }
        let mut new: BTreeMap<u32, u32> = BTreeMap::new();
        for location in inside {
            let old = self.of(location);
            let group = *new.entry(old).or_insert_with(|| {
                self.count += 1;
                self.count
            });
            self.group.insert(location, group);
        }
    }
}

/// What a state that waits does for ever, where that must be told from the rest.
const WAITS: &str = "@waits";
/// What all others do.
const MOVES: &str = "@moves";

/// Classes of states.
#[derive(Clone)]
pub(crate) struct Level {
    pub(crate) class: Vec<StateId>,
    pub(crate) count: usize,
}

impl Level {
    /// Every state on its own.
    pub(crate) fn discrete(model: &Model) -> Level {
        Level { class: model.lts.states().collect(), count: model.lts.state_count() }
    }

    /// Branching bisimilar states. Those that wait are told from others if it is
    /// said which locations do.
    pub(crate) fn bisimilar(
        model: &Model,
        waits: Option<&[bool]>,
        budget: &Budget,
    ) -> Result<Level, Stop> {
        let mut lts = model.lts.clone();
        if let Some(waits) = waits {
            let (still, moving) = (lts.action(WAITS), lts.action(MOVES));
            for state in model.lts.states() {
                let mark = if model.waits(waits, state) { still } else { moving };
                lts.add_edge(state, mark, state);
            }
        }
        let Collapsed { class, lts } = collapse(&lts, budget)?;
        Ok(Level { class, count: lts.state_count() })
    }

    /// Equal sets of actions that the exact classes enable, the group of the
    /// location, and whether it waits if that matters. The state before the
    /// first stays on its own.
    pub(crate) fn by_actions(
        model: &Model,
        exact: &Level,
        waits: Option<&[bool]>,
        groups: &Groups,
    ) -> Level {
        let mut enabled: Vec<BTreeSet<Action>> = vec![BTreeSet::new(); exact.count];
        for state in model.lts.states() {
            let own = exact.class[state as usize];
            let leaving = model
                .lts
                .edges(state)
                .iter()
                .filter(|edge| edge.action != TAU || exact.class[edge.target as usize] != own);
            enabled[own as usize].extend(leaving.map(|edge| edge.action));
        }
        let mut numbers: BTreeMap<(bool, bool, u32, &BTreeSet<Action>), StateId> = BTreeMap::new();
        let mut class = Vec::new();
        for state in model.lts.states() {
            let enabled = &enabled[exact.class[state as usize] as usize];
            let waits = waits.is_some_and(|waits| model.waits(waits, state));
            let group = groups.of(model.states[state as usize].0);
            let key = (state == 0, waits, group, enabled);
            let next = numbers.len() as StateId;
            class.push(*numbers.entry(key).or_insert(next));
        }
        Level { class, count: numbers.len() }
    }

    /// The system of the classes. Silent steps inside a class are left out.
    pub(crate) fn quotient(&self, model: &Model) -> Lts {
        let mut result = model.lts.like();
        let mut edges = vec![Vec::new(); self.count];
        for state in model.lts.states() {
            let from = self.class[state as usize];
            for edge in model.lts.edges(state) {
                let target = self.class[edge.target as usize];
                if edge.action != TAU || target != from {
                    edges[from as usize].push(Edge { action: edge.action, target });
                }
            }
        }
        for list in edges {
            let state = result.add_state();
            result.set_edges(state, list);
        }
        result.set_initial(self.class[model.lts.initial() as usize]);
        result
    }

    /// A path of the system along a path of classes; silent steps inside a
    /// class are put in. `Err` with the class and the states of it that are
    /// reached and cannot go on.
    pub(crate) fn follow(
        &self,
        model: &Model,
        steps: &[Step],
    ) -> Result<Vec<(StateId, Edge)>, Stuck> {
        let lts = &model.lts;
        // For each layer: a state, and where it was reached from.
        type Layer = BTreeMap<StateId, Option<(bool, StateId, Edge)>>;
        let mut layers: Vec<Layer> = vec![BTreeMap::from([(lts.initial(), None)])];
        for &(from, action, to) in steps {
            let Some(layer) = layers.last_mut() else { break };
            let mut open: Vec<StateId> = layer.keys().copied().collect();
            while let Some(state) = open.pop() {
                for edge in lts.edges_with(state, TAU) {
                    let inside = self.class[edge.target as usize] == from;
                    if inside && !layer.contains_key(&edge.target) {
                        layer.insert(edge.target, Some((true, state, *edge)));
                        open.push(edge.target);
                    }
                }
            }
            let mut next = Layer::new();
            for &state in layer.keys() {
                for edge in lts.edges_with(state, action) {
                    if self.class[edge.target as usize] == to {
                        next.entry(edge.target).or_insert(Some((false, state, *edge)));
                    }
                }
            }
            if next.is_empty() {
                return Err((from, layer.keys().copied().collect()));
            }
            layers.push(next);
        }
        let mut path = Vec::new();
        let mut at = layers.len() - 1;
        let mut state = layers[at].keys().next().copied();
        while let Some(current) = state {
            match layers[at].get(&current) {
                Some(Some((inside, before, edge))) => {
                    path.push((*before, *edge));
                    if !inside {
                        at -= 1;
                    }
                    state = Some(*before);
                }
                _ => state = None,
            }
        }
        path.reverse();
        Ok(path)
    }

    /// Takes states out of a class, as a class of their own.
    pub(crate) fn split(&mut self, class: StateId, states: &BTreeSet<StateId>) {
        let new = self.count as StateId;
        for &state in states {
            if self.class[state as usize] == class {
                self.class[state as usize] = new;
            }
        }
        self.count += 1;
    }
}
