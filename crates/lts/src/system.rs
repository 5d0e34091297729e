//! The system itself: states, labelled edges, alphabet.
//!
//! Invariants: label 0 is the silent action and is not part of the alphabet;
//! labels are distinct; the edges of a state are sorted and distinct; every
//! target is a state; `ERROR` has no outgoing edges.

use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::sync::Arc;

/// Number of a state.
pub type StateId = u32;

/// Number of a label in one system; the same name may have another number in
/// another system.
pub type Action = u32;

/// The silent action, in every system.
pub const TAU: Action = 0;

/// One transition out of a state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Edge {
    /// What happens.
    pub action: Action,
    /// The state it leads to.
    pub target: StateId,
}

/// A labelled transition system.
#[derive(Clone, Debug)]
pub struct Lts {
    name: String,
    labels: Vec<Arc<str>>,
    numbers: FxHashMap<Arc<str>, Action>,
    edges: Vec<Vec<Edge>>,
    initial: StateId,
    error: Option<StateId>,
    end: Option<StateId>,
}

impl Lts {
    /// A system without states. The first state that is added is initial.
    pub fn new(name: impl Into<String>) -> Lts {
        let mut lts = Lts {
            name: name.into(),
            labels: Vec::new(),
            numbers: FxHashMap::default(),
            edges: Vec::new(),
            initial: 0,
            error: None,
            end: None,
        };
        lts.action("tau");
        lts
    }

    /// The name it is shown under.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Gives it another name.
    pub fn set_name(&mut self, name: impl Into<String>) {
        self.name = name.into();
    }

    /// The number of a label, which joins the alphabet if it is new.
    pub fn action(&mut self, label: &str) -> Action {
        if let Some(&known) = self.numbers.get(label) {
            return known;
        }
        let number = self.labels.len() as Action;
        let label: Arc<str> = label.into();
        self.labels.push(Arc::clone(&label));
        self.numbers.insert(label, number);
        number
    }

    /// The number of a label, if the alphabet has it.
    pub fn find_action(&self, label: &str) -> Option<Action> {
        self.numbers.get(label).copied()
    }

    /// The text of a label.
    pub fn label(&self, action: Action) -> &str {
        &self.labels[action as usize]
    }

    /// All labels by number; the first is the silent action.
    pub fn labels(&self) -> &[Arc<str>] {
        &self.labels
    }

    /// The visible labels.
    pub fn alphabet(&self) -> impl Iterator<Item = &Arc<str>> {
        self.labels.iter().skip(1)
    }

    /// Adds a state without edges.
    pub fn add_state(&mut self) -> StateId {
        self.edges.push(Vec::new());
        self.edges.len() as StateId - 1
    }

    /// Adds an edge; a second equal one changes nothing.
    pub fn add_edge(&mut self, from: StateId, action: Action, target: StateId) {
        debug_assert!((target as usize) < self.edges.len(), "the target is a state");
        debug_assert!((action as usize) < self.labels.len(), "the action is a label");
        let edges = &mut self.edges[from as usize];
        let edge = Edge { action, target };
        if let Err(place) = edges.binary_search(&edge) {
            edges.insert(place, edge);
        }
    }

    /// Replaces all edges of a state.
    pub fn set_edges(&mut self, from: StateId, mut edges: Vec<Edge>) {
        edges.sort_unstable();
        edges.dedup();
        self.edges[from as usize] = edges;
    }

    /// The edges of a state, sorted by action.
    pub fn edges(&self, state: StateId) -> &[Edge] {
        &self.edges[state as usize]
    }

    /// The edges of a state with one action.
    pub fn edges_with(&self, state: StateId, action: Action) -> &[Edge] {
        let edges = self.edges(state);
        let lo = edges.partition_point(|edge| edge.action < action);
        let hi = edges.partition_point(|edge| edge.action <= action);
        &edges[lo..hi]
    }

    /// How many states there are.
    pub fn state_count(&self) -> usize {
        self.edges.len()
    }

    /// All states.
    pub fn states(&self) -> impl Iterator<Item = StateId> + use<> {
        0..self.edges.len() as StateId
    }

    /// How many transitions there are.
    pub fn transition_count(&self) -> usize {
        self.edges.iter().map(Vec::len).sum()
    }

    /// The initial state.
    pub fn initial(&self) -> StateId {
        self.initial
    }

    /// Makes a state the initial one.
    pub fn set_initial(&mut self, state: StateId) {
        self.initial = state;
    }

    /// The error state.
    pub fn error(&self) -> Option<StateId> {
        self.error
    }

    /// Says which state is the error state.
    pub fn set_error(&mut self, state: Option<StateId>) {
        self.error = state;
    }

    /// The state of successful termination.
    pub fn end(&self) -> Option<StateId> {
        self.end
    }

    /// Says which state is that of successful termination.
    pub fn set_end(&mut self, state: Option<StateId>) {
        self.end = state;
    }

    /// What kind of state this is: 0 ordinary, 1 `END`, 2 `ERROR`.
    pub(crate) fn kind(&self, state: StateId) -> u8 {
        u8::from(self.end == Some(state)) + 2 * u8::from(self.error == Some(state))
    }

    /// An empty system with the same name and the same numbering of labels.
    #[must_use]
    pub fn like(&self) -> Lts {
        Lts {
            name: self.name.clone(),
            labels: self.labels.clone(),
            numbers: self.numbers.clone(),
            edges: Vec::new(),
            initial: 0,
            error: None,
            end: None,
        }
    }

    /// The system of classes: `class[s]` is the new number of `s`. Silent edges
    /// inside a class are left out if `quiet`.
    #[must_use]
    pub fn quotient(&self, class: &[StateId], classes: usize, quiet: bool) -> Lts {
        let mut result = self.like();
        let mut edges = vec![Vec::new(); classes];
        for state in self.states() {
            let from = class[state as usize];
            for edge in self.edges(state) {
                let target = class[edge.target as usize];
                if quiet && edge.action == TAU && target == from {
                    continue;
                }
                edges[from as usize].push(Edge { action: edge.action, target });
            }
        }
        for list in edges {
            let state = result.add_state();
            result.set_edges(state, list);
        }
        result.initial = class[self.initial as usize];
        result.error = self.error.map(|state| class[state as usize]);
        result.end = self.end.map(|state| class[state as usize]);
        result.reachable()
    }

    /// The reachable part, states numbered in breadth-first order.
    #[must_use]
    pub fn reachable(&self) -> Lts {
        let mut number: Vec<Option<StateId>> = vec![None; self.edges.len()];
        let mut order = Vec::new();
        let mut queue = VecDeque::from([self.initial]);
        if self.edges.is_empty() {
            return self.clone();
        }
        number[self.initial as usize] = Some(0);
        order.push(self.initial);
        while let Some(state) = queue.pop_front() {
            for edge in self.edges(state) {
                let slot = &mut number[edge.target as usize];
                if slot.is_none() {
                    *slot = Some(order.len() as StateId);
                    order.push(edge.target);
                    queue.push_back(edge.target);
                }
            }
        }
        let mut result = self.like();
        for &old in &order {
            let new = result.add_state();
            let renumbered = self.edges(old).iter().filter_map(|edge| {
                let target = number[edge.target as usize]?;
                Some(Edge { action: edge.action, target })
            });
            result.edges[new as usize] = renumbered.collect();
            result.edges[new as usize].sort_unstable();
        }
        result.error = self.error.and_then(|state| number[state as usize]);
        result.end = self.end.and_then(|state| number[state as usize]);
        result
    }

    /// For every state the edges into it, as pairs of action and source.
    pub fn predecessors(&self) -> Vec<Vec<(Action, StateId)>> {
        let mut before = vec![Vec::new(); self.edges.len()];
        for state in self.states() {
            for edge in self.edges(state) {
                before[edge.target as usize].push((edge.action, state));
            }
        }
        before
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_are_sorted_and_distinct_and_found_by_action() {
        let mut lts = Lts::new("P");
        let (b, a) = (lts.action("b"), lts.action("a"));
        let (s, t) = (lts.add_state(), lts.add_state());
        for (action, target) in [(a, s), (b, t), (b, t), (b, s)] {
            lts.add_edge(s, action, target);
        }
        assert_eq!(lts.transition_count(), 3);
        assert_eq!(lts.edges_with(s, b).len(), 2);
        assert_eq!(lts.edges_with(s, TAU), &[]);
        assert_eq!(lts.find_action("a"), Some(a));
    }

    #[test]
    fn what_cannot_be_reached_is_dropped() {
        let mut lts = Lts::new("P");
        let a = lts.action("a");
        let states: Vec<StateId> = (0..4).map(|_| lts.add_state()).collect();
        lts.set_initial(states[2]);
        lts.add_edge(states[2], a, states[0]);
        lts.add_edge(states[1], a, states[3]);
        lts.set_error(Some(states[3]));
        let small = lts.reachable();
        assert_eq!((small.state_count(), small.transition_count()), (2, 1));
        assert_eq!((small.initial(), small.error()), (0, None));
    }
}
