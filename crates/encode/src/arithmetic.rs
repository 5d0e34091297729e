//! Machine integers as terms: what the two encodings have in common.
//!
//! Both compute modulo the width of the type, so an overflow wraps; whether it
//! may happen is asked by [`Arithmetic::fits`]. A [`Word`] keeps the range of
//! its value where it is known. Over the integers, a result that provably stays
//! in range needs no wrap term.

use parallax_cfa::Binary;
use parallax_ir::Domain;
use parallax_term::{Int, Sort, Term, TermStore};

/// A machine integer type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct IntType {
    pub(crate) bits: u32,
    pub(crate) signed: bool,
}

impl IntType {
    /// Least value.
    pub(crate) fn min(self) -> Int {
        if self.signed { -&power(self.bits - 1) } else { Int::ZERO }
    }

    /// Greatest value.
    pub(crate) fn max(self) -> Int {
        let bits = if self.signed { self.bits - 1 } else { self.bits };
        &power(bits) - &Int::from(1)
    }
}

/// Two to the power of `bits`.
pub(crate) fn power(bits: u32) -> Int {
    Int::power_of_two(bits)
}

/// A machine integer: a term and the range its value is known to lie in.
#[derive(Clone, Debug)]
pub(crate) struct Word {
    pub(crate) term: Term,
    pub(crate) low: Int,
    pub(crate) high: Int,
}

impl Word {
    /// Whether the value is known to be zero or one.
    pub(crate) fn is_bit(&self) -> bool {
        self.low >= Int::ZERO && self.high <= Int::from(1)
    }
}

/// A way to write machine integers as terms.
pub(crate) trait Arithmetic {
    /// The sort of an integer type.
    fn sort(&self, ty: IntType) -> Sort;

    /// The values of a variable of an integer type.
    fn domain(&self, ty: IntType) -> Domain;

    /// A constant; `value` may be the bits of an unsigned value.
    fn constant(&self, store: &mut TermStore, ty: IntType, value: i128) -> Word;

    /// A term of the type's sort whose value may be any of the type's.
    fn whole(&self, ty: IntType, term: Term) -> Word {
        Word { term, low: ty.min(), high: ty.max() }
    }

    /// Whether the value is not zero.
    fn truth(&self, store: &mut TermStore, ty: IntType, a: &Word) -> Term;

    /// `-a`, modulo the width.
    fn negate(&self, store: &mut TermStore, ty: IntType, a: &Word) -> Word;

    /// `~a`.
    fn complement(&self, store: &mut TermStore, ty: IntType, a: &Word) -> Word;

    /// An arithmetic operator; no shift, no comparison.
    fn binary(&self, store: &mut TermStore, op: Binary, ty: IntType, a: &Word, b: &Word) -> Word;

    /// A shift of `a` by `b`, which has a type of its own.
    fn shift(
        &self,
        store: &mut TermStore,
        op: Binary,
        ty: IntType,
        a: &Word,
        amount: IntType,
        b: &Word,
    ) -> Word;

    /// A comparison.
    fn compare(&self, store: &mut TermStore, op: Binary, ty: IntType, a: &Word, b: &Word) -> Term;

    /// The value converted to another type, modulo its width.
    fn convert(&self, store: &mut TermStore, from: IntType, to: IntType, a: &Word) -> Word;

    /// Whether the mathematical result of `a op b` fits the type; for signed
    /// `+ - * / %` and, with `a` alone meant, `0 - b` for negation.
    fn fits(&self, store: &mut TermStore, op: Binary, ty: IntType, a: &Word, b: &Word) -> Term;

    /// The value as a bit-vector of the type's width.
    fn to_bits(&self, store: &mut TermStore, ty: IntType, a: &Word) -> Term;

    /// A bit-vector of the type's width as a value.
    fn of_bits(&self, store: &mut TermStore, ty: IntType, bits: Term) -> Word;

    /// `c ? a : b`.
    fn choose(&self, store: &mut TermStore, c: Term, a: &Word, b: &Word) -> Word {
        let term = store.ite(c, a.term, b.term);
        let low = if a.low < b.low { a.low.clone() } else { b.low.clone() };
        let high = if a.high > b.high { a.high.clone() } else { b.high.clone() };
        Word { term, low, high }
    }

    /// One if the condition holds, else zero.
    fn of_truth(&self, store: &mut TermStore, ty: IntType, c: Term) -> Word {
        let one = self.constant(store, ty, 1);
        let zero = self.constant(store, ty, 0);
        self.choose(store, c, &one, &zero)
    }
}
