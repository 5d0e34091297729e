//! Symbolic states inside a block, and how they join.
//!
//! A state says, for each variable written since the block began, its value
//! over the variables at the beginning; and the path, a list of conditions that
//! all hold. Where two paths meet, what they have in common stays, and values
//! that differ become conditionals on what tells the paths apart.

use parallax_term::{Term, TermStore};
use std::collections::BTreeMap;

/// What stands for no noted place.
const NO_PLACE: i64 = -1;

/// A symbolic state.
#[derive(Clone, Debug, Default)]
pub(crate) struct State {
    /// New values by the position of the variable.
    pub(crate) values: BTreeMap<usize, Term>,
    /// Conditions, oldest first.
    pub(crate) path: Vec<Term>,
    /// The number of the noted place that was passed last, if one was.
    pub(crate) noted: Option<Term>,
}

impl State {
    /// Adds a condition; `false` if the state is now known to be impossible.
    pub(crate) fn assume(&mut self, store: &mut TermStore, condition: Term) -> bool {
        let negated = store.not(condition);
        if store.is_false(condition) || self.path.contains(&negated) {
            return false;
        }
        if !store.is_true(condition) && !self.path.contains(&condition) {
            self.path.push(condition);
        }
        true
    }

    /// The union of two states that exclude each other.
    pub(crate) fn join(self, store: &mut TermStore, other: State, symbols: &[Term]) -> State {
        let common = self.path.iter().zip(&other.path).take_while(|(a, b)| a == b).count();
        let here = store.and(self.path[common..].iter().copied());
        let there = store.and(other.path[common..].iter().copied());
        let mut values = self.values;
        for (&slot, &theirs) in &other.values {
            let mine = values.get(&slot).copied().unwrap_or(symbols[slot]);
            values.insert(slot, store.ite(here, mine, theirs));
        }
        for (&slot, value) in &mut values {
            if !other.values.contains_key(&slot) {
                *value = store.ite(here, *value, symbols[slot]);
            }
        }
        let mut path = self.path;
        path.truncate(common);
        let either = store.or([here, there]);
        let opposite = store.not(here);
        if opposite != there && !store.is_true(either) {
            path.push(either);
        }
        values.retain(|&slot, value| *value != symbols[slot]);
        let noted = match (self.noted, other.noted) {
            (None, None) => None,
            (mine, theirs) => {
                let none = store.int(NO_PLACE);
                Some(store.ite(here, mine.unwrap_or(none), theirs.unwrap_or(none)))
            }
        };
        State { values, path, noted }
    }
}
