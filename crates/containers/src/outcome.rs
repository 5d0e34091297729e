//! What a search found, as plain data.

use crate::api::Call;
use parallax_base::Stop;
use parallax_machine::{Coverage, ShapeNode, Trap, TrapPlace};
use std::collections::BTreeMap;
use std::fmt;

/// A sequence that covered something new.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Test {
    /// The operations, after the constructor.
    pub calls: Vec<Call>,
}

/// What went wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Wrong {
    /// The operation did what it must not do.
    Trap(Trap, Option<TrapPlace>),
    /// The invariant does not hold afterwards.
    Invariant,
    /// The invariant itself goes wrong.
    InvariantTrap(Trap, Option<TrapPlace>),
    /// The model goes wrong.
    ModelTrap(Trap, Option<TrapPlace>),
    /// The model returns something else.
    Difference {
        /// What the model returns.
        model: i64,
        /// What the operation returned.
        found: i64,
    },
    /// Memory is not freed and nothing leads to it any more.
    Leak {
        /// How many objects.
        objects: u32,
        /// Whether that shows when the container has ended.
        ended: bool,
    },
}

impl Wrong {
    /// Whether two failures are of one kind, for minimizing.
    pub fn is_like(&self, other: &Wrong) -> bool {
        match (self, other) {
            (Wrong::Trap(a, _), Wrong::Trap(b, _)) => a == b,
            _ => std::mem::discriminant(self) == std::mem::discriminant(other),
        }
    }

    /// Where, if it has a place.
    pub fn place(&self) -> Option<TrapPlace> {
        match self {
            Wrong::Trap(_, place) | Wrong::InvariantTrap(_, place) | Wrong::ModelTrap(_, place) => {
                *place
            }
            Wrong::Invariant | Wrong::Difference { .. } | Wrong::Leak { .. } => None,
        }
    }
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Wrong::Trap(trap, _) => write!(f, "{trap}"),
            Wrong::Invariant => f.write_str("the invariant is broken"),
            Wrong::InvariantTrap(trap, _) => write!(f, "in the invariant: {trap}"),
            Wrong::ModelTrap(trap, _) => write!(f, "in the model: {trap}"),
            Wrong::Difference { model, found } => {
                write!(f, "the operation returns {found}, the model {model}")
            }
            Wrong::Leak { objects, ended: false } => {
                write!(f, "memory is lost: {objects} object(s) that nothing leads to")
            }
            Wrong::Leak { objects, ended: true } => {
                write!(f, "memory is not freed: {objects} object(s) when the container has ended")
            }
        }
    }
}

/// A shortest sequence that goes wrong, and how.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// The operations; the last one goes wrong. Empty: the constructor does.
    pub calls: Vec<Call>,
    /// How.
    pub wrong: Wrong,
}

/// A construct that is not covered, or a limit of the search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unsupported {
    /// What.
    pub what: String,
    /// Where.
    pub place: Option<TrapPlace>,
    /// The operations that lead there.
    pub calls: Vec<Call>,
}

/// A shape that was seen, with the data of the first state that had it.
#[derive(Clone, Debug)]
pub struct Shape {
    /// The sequence that makes it.
    pub calls: Vec<Call>,
    /// Its objects.
    pub nodes: Vec<ShapeNode>,
    /// The numbers of the roots: container first.
    pub roots: Vec<Option<u32>>,
}

/// What was reached with sequences of one length.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Level {
    /// The length.
    pub length: u32,
    /// States so far.
    pub states: usize,
    /// Operations so far.
    pub operations: u64,
    /// Blocks so far: probes if there are any.
    pub blocks: usize,
    /// Branches so far.
    pub branches: usize,
    /// Combinations so far.
    pub combinations: usize,
    /// Shapes so far.
    pub shapes: usize,
}

/// Figures of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Figures {
    /// Operations executed.
    pub operations: u64,
    /// States kept.
    pub states: usize,
    /// Operations that led to a state seen before.
    pub matched: u64,
    /// Paths of symbolic execution.
    pub paths: u64,
    /// Comparisons of a symbolic state with one that was seen.
    pub implications: u64,
    /// Symbolic paths whose values no concrete run confirmed.
    pub unconfirmed: u64,
    /// Bytes of keys and copies of states, at most.
    pub bytes: usize,
}

/// What a search found.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// The tests, in the order they were found.
    pub tests: Vec<Test>,
    /// What went wrong, if anything did; the search ends there.
    pub failure: Option<Failure>,
    /// What the tests cover.
    pub coverage: Coverage,
    /// Figures.
    pub figures: Figures,
    /// What was reached by length.
    pub levels: Vec<Level>,
    /// Different shapes, as many as asked for.
    pub shapes: Vec<Shape>,
    /// How many different shapes there are by number of objects.
    pub shape_counts: BTreeMap<usize, usize>,
    /// How many states were kept by number of objects.
    pub state_counts: BTreeMap<usize, usize>,
    /// Why the search ended early.
    pub stopped: Option<Stop>,
}
