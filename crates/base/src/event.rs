//! What searches tell while they work: engines, and everything else that takes time.

/// A step of a search, for progress displays, histories and tests.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// A round of abstraction begins.
    Iteration {
        /// Its number, from 1.
        number: u64,
        /// How many predicates it works with.
        predicates: u64,
    },
    /// How far the current round is.
    Progress {
        /// Concrete or symbolic states so far.
        states: u64,
        /// Abstract states so far.
        abstract_states: u64,
        /// Solver queries so far.
        queries: u64,
    },
    /// The search entered a phase of its work.
    Phase(&'static str),
    /// A predicate was added.
    Predicate {
        /// The predicate in infix notation.
        text: String,
        /// The step that asked for it.
        why: String,
    },
}

/// Somebody who listens, through the [budget](crate::Budget) of the work.
pub trait Observer: Send + Sync {
    /// Called for every event, from the thread of the search.
    fn notice(&self, event: Event);
}
