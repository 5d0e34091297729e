//! Literals, and values of them.

use std::ops::Not;

/// A propositional variable or its negation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Lit(u32);

impl Lit {
    pub(crate) fn new(var: usize, is_positive: bool) -> Lit {
        Lit((var as u32) << 1 | u32::from(!is_positive))
    }

    /// The variable of the literal.
    pub fn var(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Whether it is the variable itself.
    pub fn is_positive(self) -> bool {
        self.0 & 1 == 0
    }

    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }

    pub(crate) fn from_index(index: usize) -> Lit {
        Lit(index as u32)
    }
}

impl Not for Lit {
    type Output = Lit;
    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

/// Why a literal is true.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reason {
    /// It was chosen, or it is an assumption.
    Decision,
    /// All other literals of a clause are false.
    Clause(u32),
    /// The other literal of a clause of two is false; the step of the clause.
    Binary(Lit, u32),
    /// A bound implies it.
    Bound(u32),
    /// A lower and an upper bound imply it together.
    Bounds(u32, u32),
    /// The literals of an explanation, all false.
    Explained(u32, u32),
}
