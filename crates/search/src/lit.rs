//! Literals.

use std::ops::Not;

/// A propositional variable or its negation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Lit(u32);

impl Lit {
    /// The literal of a variable.
    #[inline]
    pub fn new(var: usize, is_positive: bool) -> Lit {
        Lit((var as u32) << 1 | u32::from(!is_positive))
    }

    /// The variable of the literal.
    #[inline]
    pub fn var(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Whether it is the variable itself.
    #[inline]
    pub fn is_positive(self) -> bool {
        self.0 & 1 == 0
    }

    /// Its place in a list with two items for each variable.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The literal at a place.
    #[inline]
    pub fn from_index(index: usize) -> Lit {
        Lit(index as u32)
    }
}

impl Not for Lit {
    type Output = Lit;
    #[inline]
    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}
