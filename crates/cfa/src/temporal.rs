//! Formulas of linear temporal logic about a C program.
//!
//! Atoms are conditions of the program's own. What a run shows to the formula is a
//! letter at a time: before `main` does anything, and whenever something was
//! written that an atom may read. A run that has ended shows its last letter for
//! ever. Formulas have no `X`, so it does not matter how often a letter is shown.
//!
//! A run that ends at an assumption that does not hold is none that anybody asks
//! about; it shows one atom more, the *excluded* one.

use parallax_ltl::{Formula, Lasso, Node, Sub};
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A formula that is asked of a program. Equal if number and text are.
#[derive(Clone, Debug)]
pub struct Temporal {
    /// Its number among those that are asked.
    pub number: u32,
    /// What answers call it.
    pub name: Arc<str>,
    /// The text it was read from.
    pub text: Arc<str>,
    /// What it says.
    pub formula: Formula,
}

impl Temporal {
    /// The number of the excluded atom, one more than the last of the formula.
    pub fn excluded(&self) -> u32 {
        self.formula.atoms.len() as u32
    }

    /// The condition on states, if the formula says that one always holds.
    pub fn always(&self) -> Option<Sub> {
        let store = &self.formula.store;
        let Node::Release(first, second) = store.node(self.formula.root) else { return None };
        let is_state = |f: &Sub| {
            !matches!(store.node(*f), Node::Next(_) | Node::Until(..) | Node::Release(..))
        };
        (*store.node(*first) == Node::False && store.parts(*second).iter().all(is_state))
            .then_some(*second)
    }

    /// Whether what a run shows breaks the formula.
    pub fn is_broken(&self, word: &Lasso) -> bool {
        let is_excluded = |letter: &u64| letter >> self.excluded() & 1 == 1;
        !word.cycle.is_empty()
            && !word.stem.iter().chain(&word.cycle).any(is_excluded)
            && !word.satisfies(&self.formula)
    }
}

impl PartialEq for Temporal {
    fn eq(&self, other: &Temporal) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Temporal {}

impl PartialOrd for Temporal {
    fn partial_cmp(&self, other: &Temporal) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Temporal {
    fn cmp(&self, other: &Temporal) -> Ordering {
        (self.number, &self.text).cmp(&(other.number, &other.text))
    }
}

impl Hash for Temporal {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.number, &self.text).hash(state);
    }
}
