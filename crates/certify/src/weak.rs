//! Weak arrows of a labelled transition system, by their definition.

use parallax_lts::{Action, Lts, StateId, TAU};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::rc::Rc;

/// States reached silently, or by one visible label with silence around it;
/// what was asked before is remembered.
pub(crate) struct Arrows<'a> {
    lts: &'a Lts,
    known: FxHashMap<(StateId, Action), Rc<[StateId]>>,
}

impl<'a> Arrows<'a> {
    pub(crate) fn new(lts: &'a Lts) -> Arrows<'a> {
        Arrows { lts, known: FxHashMap::default() }
    }

    /// Everything that silent steps lead to from some states, themselves
    /// included.
    pub(crate) fn silent(&self, from: BTreeSet<StateId>) -> BTreeSet<StateId> {
        let mut open: Vec<StateId> = from.iter().copied().collect();
        let mut found = from;
        while let Some(state) = open.pop() {
            for edge in self.lts.edges_with(state, TAU) {
                if found.insert(edge.target) {
                    open.push(edge.target);
                }
            }
        }
        found
    }

    /// All answers of a state to a label, or to a silent step. A label outside
    /// the alphabet has none.
    pub(crate) fn weak(&mut self, state: StateId, label: Option<&str>) -> Rc<[StateId]> {
        let action = match label {
            None => TAU,
            Some(label) => match self.lts.find_action(label).filter(|&action| action != TAU) {
                Some(action) => action,
                None => return Rc::from([]),
            },
        };
        if let Some(known) = self.known.get(&(state, action)) {
            return Rc::clone(known);
        }
        let before = self.silent(BTreeSet::from([state]));
        let answers = if action == TAU { before } else { self.after(&before, action) };
        let answers: Rc<[StateId]> = answers.into_iter().collect();
        self.known.insert((state, action), Rc::clone(&answers));
        answers
    }

    /// What a visible action and silent steps behind it lead to.
    pub(crate) fn after(&self, from: &BTreeSet<StateId>, action: Action) -> BTreeSet<StateId> {
        let edges = from.iter().flat_map(|&state| self.lts.edges_with(state, action));
        self.silent(edges.map(|edge| edge.target).collect())
    }
}
