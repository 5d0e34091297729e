//! The abstract transition system an engine explored, for people to look at.
//!
//! This is a picture, not evidence: no verdict depends on it.

use parallax_base::Id;
use parallax_ir::Variable;
use parallax_term::{Term, TermStore, Value};

/// An abstract state: explicit values and the truth of each predicate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AbstractState {
    /// The variables kept by value.
    pub explicit: Vec<(Id<Variable>, Value)>,
    /// One truth value per predicate.
    pub bits: Vec<bool>,
    /// Whether an initial state matches it.
    pub initial: bool,
    /// Whether it belongs to the fragment a proof rests on.
    pub in_fragment: bool,
}

/// A step that was seen between two abstract states.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct AbstractEdge {
    /// Index of the state left.
    pub source: u32,
    /// Index of the transition.
    pub transition: u32,
    /// Index of the state entered.
    pub target: u32,
    /// Whether every concrete state of the source can take it into the
    /// target; `None` if that was never asked.
    pub exact: Option<bool>,
}

/// The abstract transition system of one round.
#[derive(Clone, Debug)]
pub struct AbstractSystem {
    /// The store the predicates belong to.
    pub store: TermStore,
    /// The predicates, in the order of the bits.
    pub predicates: Vec<Term>,
    /// The abstract states.
    pub states: Vec<AbstractState>,
    /// The steps, in increasing order.
    pub edges: Vec<AbstractEdge>,
}
