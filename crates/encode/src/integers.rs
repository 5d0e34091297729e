//! Machine integers over the mathematical integers.
//!
//! A value is the number it stands for, so comparisons and sums are linear. A
//! result that may leave the type's range is brought back: by one subtraction
//! or addition of the modulus where the result is at most one turn away, else
//! by a remainder. Bit operations on constants are quotients and remainders;
//! the others go through bit-vectors.

use crate::arithmetic::{Arithmetic, IntType, Word, power};
use parallax_cfa::Binary;
use parallax_ir::Domain;
use parallax_term::{Int, Sort, Term, TermStore};

/// The encoding over the integers.
pub(crate) struct Integers;

impl Integers {
    /// The number modulo the type's width, as a value of the type.
    fn wrap(&self, store: &mut TermStore, ty: IntType, term: Term, low: Int, high: Int) -> Word {
        if let Some(value) = store.int_value(term) {
            let value = reduce(ty, value);
            let term = store.int(value.clone());
            return Word { term, low: value.clone(), high: value };
        }
        let (min, max) = (ty.min(), ty.max());
        if low >= min && high <= max {
            return Word { term, low, high };
        }
        let modulus = power(ty.bits);
        let near = low >= &min - &modulus && high <= &max + &modulus;
        let turn = store.int(modulus.clone());
        let wrapped = if near {
            let mut result = term;
            if high > max {
                let limit = store.int(max.clone());
                let less = store.sub(term, turn);
                let above = store.gt(term, limit);
                result = store.ite(above, less, result);
            }
            if low < min {
                let limit = store.int(min.clone());
                let more = store.add(term, turn);
                let below = store.lt(term, limit);
                result = store.ite(below, more, result);
            }
            result
        } else {
            let base = store.int(min.clone());
            let shifted = store.sub(term, base);
            let rest = store.modulo(shifted, turn);
            store.add(rest, base)
        };
        Word { term: wrapped, low: min, high: max }
    }

    /// The mathematical result of `a op b` with its range.
    fn exact(&self, store: &mut TermStore, op: Binary, a: &Word, b: &Word) -> (Term, Int, Int) {
        match op {
            Binary::Add => (store.add(a.term, b.term), &a.low + &b.low, &a.high + &b.high),
            Binary::Sub => (store.sub(a.term, b.term), &a.low - &b.high, &a.high - &b.low),
            Binary::Mul => {
                let (low, high) = product_range(a, b);
                (store.mul(a.term, b.term), low, high)
            }
            Binary::Div => quotient(store, a, b),
            _ => remainder(store, a, b),
        }
    }

    fn bitwise(&self, store: &mut TermStore, op: Binary, ty: IntType, a: &Word, b: &Word) -> Word {
        if a.is_bit() && b.is_bit() {
            let (p, q) = (self.truth(store, ty, a), self.truth(store, ty, b));
            let c = match op {
                Binary::BitAnd => store.and([p, q]),
                Binary::BitOr => store.or([p, q]),
                _ => {
                    let same = store.iff(p, q);
                    store.not(same)
                }
            };
            return self.of_truth(store, ty, c);
        }
        let of = parallax_term::IntType { width: ty.bits, signed: ty.signed };
        let term = match op {
            Binary::BitAnd => store.int_and(a.term, b.term, of),
            Binary::BitOr => store.int_or(a.term, b.term, of),
            _ => store.int_xor(a.term, b.term, of),
        };
        // Bits that neither has stay away; `&` with a positive number is at
        // most that number.
        let mut word = self.whole(ty, term);
        if a.low >= Int::ZERO && b.low >= Int::ZERO {
            let greater = if a.high > b.high { &a.high } else { &b.high };
            word.low = Int::ZERO;
            word.high = &power(greater.bits() as u32) - &Int::from(1);
        }
        if op == Binary::BitAnd {
            for side in [a, b] {
                if side.low >= Int::ZERO {
                    word.low = Int::ZERO;
                    if side.high < word.high {
                        word.high = side.high.clone();
                    }
                }
            }
        }
        word
    }
}

/// The value of the type that equals `value` modulo its width.
fn reduce(ty: IntType, value: &Int) -> Int {
    let modulus = power(ty.bits);
    let min = ty.min();
    match (value - &min).div_rem_euclid(&modulus) {
        Some((_, rest)) => &rest + &min,
        None => value.clone(),
    }
}

fn product_range(a: &Word, b: &Word) -> (Int, Int) {
    let ends = [&a.low * &b.low, &a.low * &b.high, &a.high * &b.low, &a.high * &b.high];
    let low = ends.iter().min().cloned().unwrap_or(Int::ZERO);
    let high = ends.iter().max().cloned().unwrap_or(Int::ZERO);
    (low, high)
}

/// The quotient rounded towards zero. Where the dividend is not negative, this
/// is the Euclidean quotient; else it is that of the negated dividend, negated.
fn quotient(store: &mut TermStore, a: &Word, b: &Word) -> (Term, Int, Int) {
    let bound = if a.high.abs() > a.low.abs() { a.high.abs() } else { a.low.abs() };
    let plain = store.div(a.term, b.term);
    if a.low >= Int::ZERO {
        let low = if b.low >= Int::ZERO { Int::ZERO } else { -&bound };
        return (plain, low, bound);
    }
    let minus = store.neg(a.term);
    let mirrored = store.div(minus, b.term);
    let mirrored = store.neg(mirrored);
    let zero = store.int(0);
    let negative = store.lt(a.term, zero);
    (store.ite(negative, mirrored, plain), -&bound, bound)
}

/// The remainder with the sign of the dividend.
fn remainder(store: &mut TermStore, a: &Word, b: &Word) -> (Term, Int, Int) {
    let divisor = if b.high.abs() > b.low.abs() { b.high.abs() } else { b.low.abs() };
    let bound = if divisor.is_zero() { Int::ZERO } else { &divisor - &Int::from(1) };
    let plain = store.modulo(a.term, b.term);
    if a.low >= Int::ZERO {
        return (plain, Int::ZERO, bound);
    }
    let minus = store.neg(a.term);
    let mirrored = store.modulo(minus, b.term);
    let mirrored = store.neg(mirrored);
    let zero = store.int(0);
    let negative = store.lt(a.term, zero);
    (store.ite(negative, mirrored, plain), -&bound, bound)
}

impl Arithmetic for Integers {
    fn sort(&self, _ty: IntType) -> Sort {
        Sort::Int
    }

    fn domain(&self, ty: IntType) -> Domain {
        Domain::Range(ty.min(), ty.max())
    }

    fn constant(&self, store: &mut TermStore, ty: IntType, value: i128) -> Word {
        let value = reduce(ty, &Int::from_i128(value));
        let term = store.int(value.clone());
        Word { term, low: value.clone(), high: value }
    }

    fn truth(&self, store: &mut TermStore, _ty: IntType, a: &Word) -> Term {
        let zero = store.int(0);
        let same = store.eq(a.term, zero);
        store.not(same)
    }

    fn negate(&self, store: &mut TermStore, ty: IntType, a: &Word) -> Word {
        let term = store.neg(a.term);
        self.wrap(store, ty, term, -&a.high, -&a.low)
    }

    fn complement(&self, store: &mut TermStore, ty: IntType, a: &Word) -> Word {
        // ~a is -a - 1 in two's complement.
        let one = store.int(1);
        let minus = store.neg(a.term);
        let term = store.sub(minus, one);
        let shift = |end: &Int| &-end - &Int::from(1);
        let (low, high) = (shift(&a.high), shift(&a.low));
        self.wrap(store, ty, term, low, high)
    }

    fn binary(&self, store: &mut TermStore, op: Binary, ty: IntType, a: &Word, b: &Word) -> Word {
        if matches!(op, Binary::BitAnd | Binary::BitOr | Binary::BitXor) {
            return self.bitwise(store, op, ty, a, b);
        }
        let (term, low, high) = self.exact(store, op, a, b);
        self.wrap(store, ty, term, low, high)
    }

    fn shift(
        &self,
        store: &mut TermStore,
        op: Binary,
        ty: IntType,
        a: &Word,
        _amount: IntType,
        b: &Word,
    ) -> Word {
        let by = |store: &mut TermStore, k: u32| {
            let factor = store.int(power(k));
            if op == Binary::Shl {
                let term = store.mul(a.term, factor);
                self.wrap(store, ty, term, &a.low * &power(k), &a.high * &power(k))
            } else {
                // Rounds down, as an arithmetic shift does.
                let term = store.div(a.term, factor);
                let (low, high) = (a.low.div_floor(&power(k)), a.high.div_floor(&power(k)));
                Word { term, low, high }
            }
        };
        if let Some(k) = store.int_value(b.term).and_then(Int::to_i64) {
            return match u32::try_from(k) {
                Ok(k) if k < ty.bits => by(store, k),
                _ => self.constant(store, ty, 0),
            };
        }
        let mut result = self.constant(store, ty, 0);
        for k in (0..ty.bits).rev() {
            if Int::from(i64::from(k)) < b.low || Int::from(i64::from(k)) > b.high {
                continue;
            }
            let amount = store.int(i64::from(k));
            let here = store.eq(b.term, amount);
            let shifted = by(store, k);
            result = self.choose(store, here, &shifted, &result);
        }
        result
    }

    fn compare(&self, store: &mut TermStore, op: Binary, _ty: IntType, a: &Word, b: &Word) -> Term {
        if a.high < b.low || b.high < a.low {
            let below = a.high < b.low;
            return store.bool(match op {
                Binary::Eq => false,
                Binary::Ne => true,
                Binary::Lt | Binary::Le => below,
                _ => !below,
            });
        }
        match op {
            Binary::Eq => store.eq(a.term, b.term),
            Binary::Ne => {
                let same = store.eq(a.term, b.term);
                store.not(same)
            }
            Binary::Lt => store.lt(a.term, b.term),
            Binary::Le => store.le(a.term, b.term),
            Binary::Gt => store.gt(a.term, b.term),
            _ => store.ge(a.term, b.term),
        }
    }

    fn convert(&self, store: &mut TermStore, _from: IntType, to: IntType, a: &Word) -> Word {
        self.wrap(store, to, a.term, a.low.clone(), a.high.clone())
    }

    fn fits(&self, store: &mut TermStore, op: Binary, ty: IntType, a: &Word, b: &Word) -> Term {
        let (term, low, high) = self.exact(store, op, a, b);
        let (min, max) = (ty.min(), ty.max());
        let mut parts = Vec::new();
        if low < min {
            let limit = store.int(min);
            parts.push(store.ge(term, limit));
        }
        if high > max {
            let limit = store.int(max);
            parts.push(store.le(term, limit));
        }
        store.and(parts)
    }

    fn to_bits(&self, store: &mut TermStore, ty: IntType, a: &Word) -> Term {
        store.int_to_bv(a.term, ty.bits)
    }

    fn of_bits(&self, store: &mut TermStore, ty: IntType, bits: Term) -> Word {
        let term = if ty.signed { store.bv_to_signed_int(bits) } else { store.bv_to_int(bits) };
        self.whole(ty, term)
    }
}
