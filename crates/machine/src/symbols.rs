//! What the executor asks about symbolic values.

use crate::Trap;

/// A comparison of signed values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Compare {
    /// Equal.
    Eq,
    /// Below.
    Lt,
    /// At most.
    Le,
}

/// A value: a known word, or a symbolic term.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Word {
    /// A known word.
    Known(u64),
    /// The term with this number; numbers begin at 1.
    Term(u32),
}

/// Decides what happens with symbolic values.
pub trait Symbols {
    /// Whether there are symbolic values at all.
    const ON: bool;

    /// Whether a comparison holds on this path.
    fn compare(&mut self, op: Compare, a: Word, b: Word) -> Result<bool, Trap>;

    /// One value of a term, which it has on this path from now on.
    fn value(&mut self, term: u32) -> Result<u64, Trap>;

    /// The term plus a constant.
    fn add(&mut self, term: u32, constant: i64) -> u32;

    /// Whether the term is never below zero.
    fn is_natural(&self, term: u32) -> bool;
}

/// No symbolic values.
#[derive(Clone, Copy, Debug, Default)]
pub struct Concrete;

impl Symbols for Concrete {
    const ON: bool = false;

    fn compare(&mut self, _: Compare, _: Word, _: Word) -> Result<bool, Trap> {
        Err(Trap::Infeasible)
    }

    fn value(&mut self, _: u32) -> Result<u64, Trap> {
        Err(Trap::Infeasible)
    }

    fn add(&mut self, term: u32, _: i64) -> u32 {
        term
    }

    fn is_natural(&self, _: u32) -> bool {
        false
    }
}
