//! What engines tell while they work.

/// A step of an engine, for progress displays, histories and tests.
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
    /// The engine entered a phase of its work.
    Phase(&'static str),
    /// A predicate was added.
    Predicate {
        /// The predicate in infix notation.
        text: String,
        /// The step that asked for it.
        why: String,
    },
}

/// Somebody who listens.
pub trait Observer: Sync {
    /// Called for every event, from the engine's thread.
    fn notice(&self, event: Event);
}

/// Nobody listens.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {
    fn notice(&self, _: Event) {}
}
