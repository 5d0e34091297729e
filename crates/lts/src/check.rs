//! Safety: deadlocks and `ERROR`, with shortest traces.

use crate::determinize::silently;
use crate::system::{Action, Edge, Lts, StateId};
use std::collections::VecDeque;

/// A state that can do nothing and is neither `END` nor `ERROR`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Deadlock {
    /// The state.
    pub state: StateId,
    /// A shortest way to it.
    pub trace: Vec<Action>,
}

/// What is wrong with a system.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Safety {
    /// A shortest way to `ERROR`.
    pub error: Option<Vec<Action>>,
    /// The nearest deadlock.
    pub deadlock: Option<Deadlock>,
    /// How many states are deadlocks.
    pub deadlocks: usize,
}

impl Safety {
    /// Whether there is neither an error nor a deadlock.
    pub fn holds(&self) -> bool {
        self.error.is_none() && self.deadlock.is_none()
    }
}

/// Looks for errors and deadlocks among the reachable states.
pub fn check_safety(lts: &Lts) -> Safety {
    let tree = Tree::new(lts);
    let mut safety = Safety::default();
    for &state in &tree.order {
        if lts.error() == Some(state) {
            safety.error = Some(tree.trace(state));
        } else if lts.edges(state).is_empty() && lts.end() != Some(state) {
            safety.deadlocks += 1;
            if safety.deadlock.is_none() {
                safety.deadlock = Some(Deadlock { state, trace: tree.trace(state) });
            }
        }
    }
    safety
}

/// All states that can be reached, the nearest first.
pub fn reachable_states(lts: &Lts) -> Vec<StateId> {
    Tree::new(lts).order
}

/// A shortest path to a state, if it can be reached.
pub fn shortest_path(lts: &Lts, state: StateId) -> Option<Vec<Edge>> {
    Tree::new(lts).path_to(state)
}

/// Whether the system can do these visible actions in this order, with silent
/// steps anywhere between them.
pub fn trace_possible(lts: &Lts, labels: &[&str]) -> bool {
    let mut states = silently(lts, vec![lts.initial()]);
    for label in labels {
        let Some(action) = lts.find_action(label) else { return false };
        let step = |&state: &StateId| lts.edges_with(state, action).iter().map(|e| e.target);
        states = silently(lts, states.iter().flat_map(step).collect());
    }
    !states.is_empty()
}

/// The breadth-first tree of a system.
pub(crate) struct Tree {
    pub(crate) order: Vec<StateId>,
    parent: Vec<Option<(StateId, Action)>>,
}

impl Tree {
    pub(crate) fn new(lts: &Lts) -> Tree {
        let mut parent = vec![None; lts.state_count()];
        let mut seen = vec![false; lts.state_count()];
        let mut order = Vec::new();
        let mut queue = VecDeque::new();
        if let Some(slot) = seen.get_mut(lts.initial() as usize) {
            *slot = true;
            queue.push_back(lts.initial());
        }
        while let Some(state) = queue.pop_front() {
            order.push(state);
            for edge in lts.edges(state) {
                if !std::mem::replace(&mut seen[edge.target as usize], true) {
                    parent[edge.target as usize] = Some((state, edge.action));
                    queue.push_back(edge.target);
                }
            }
        }
        Tree { order, parent }
    }

    /// The way to a state, if it was reached.
    pub(crate) fn path_to(&self, state: StateId) -> Option<Vec<Edge>> {
        if self.order.first() != Some(&state) && self.parent.get(state as usize)?.is_none() {
            return None;
        }
        let (mut path, mut target) = (Vec::new(), state);
        while let Some((before, action)) = self.parent[target as usize] {
            path.push(Edge { action, target });
            target = before;
        }
        path.reverse();
        Some(path)
    }

    /// What is done on the way to a state.
    pub(crate) fn trace(&self, state: StateId) -> Vec<Action> {
        self.path_to(state).unwrap_or_default().iter().map(|edge| edge.action).collect()
    }
}
