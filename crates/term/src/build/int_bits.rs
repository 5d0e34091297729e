//! Bitwise functions on integers that stand for machine integers.
//!
//! An integer type is a width and a sign, and its values are the integers of
//! its range. With a constant on one side, `&` is a sum of remainders: the
//! bits from `lo` up to `hi` of `x` are `x mod 2^hi - x mod 2^lo`, negative
//! numbers in two's complement included. `|` and `^` follow from `&`:
//! `x | c` is `x + c - (x & c)`. Shifts by a constant are products and
//! quotients. Only where this does not work, or would take many remainders,
//! the way leads through bit-vectors.

use crate::{Int, Node, Op, Rat, Term, TermStore};

/// A mask with more runs of ones than this goes through bit-vectors.
const RUNS: usize = 3;

/// The type of machine integers that an integer term stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct IntType {
    /// The number of bits.
    pub width: u32,
    /// Whether negative numbers belong to it.
    pub signed: bool,
}

impl TermStore {
    /// Any integer brought into the range of a type, as a conversion does it.
    pub fn int_wrap(&mut self, a: Term, of: IntType) -> Term {
        let modulus = self.int(Int::power_of_two(of.width));
        if !of.signed {
            return self.modulo(a, modulus);
        }
        let half = self.int(Int::power_of_two(of.width - 1));
        let moved = self.add(a, half);
        let rest = self.modulo(moved, modulus);
        self.sub(rest, half)
    }

    /// `~a`, in the range of the type.
    pub fn int_not(&mut self, a: Term, of: IntType) -> Term {
        let top = match of.signed {
            true => self.int(-1),
            false => self.int(&Int::power_of_two(of.width) - &Int::ONE),
        };
        self.sub(top, a)
    }

    /// `a & b` for terms in the range of the type.
    pub fn int_and(&mut self, a: Term, b: Term, of: IntType) -> Term {
        if a == b {
            return a;
        }
        if let (Some(p), Some(q)) = (self.bit(a), self.bit(b)) {
            let both = self.and([p, q]);
            return self.bit_of(both);
        }
        let (a, b) = if self.int_value(a).is_some() { (b, a) } else { (a, b) };
        let masked = self.int_value(b).cloned().and_then(|mask| self.mask(a, &mask, of));
        masked.unwrap_or_else(|| self.through_bits(Op::BvAnd, a, b, of))
    }

    /// `a | b` for terms in the range of the type.
    pub fn int_or(&mut self, a: Term, b: Term, of: IntType) -> Term {
        if a == b {
            return a;
        }
        if let (Some(p), Some(q)) = (self.bit(a), self.bit(b)) {
            let either = self.or([p, q]);
            return self.bit_of(either);
        }
        self.by_and(Op::BvOr, a, b, of, 1)
    }

    /// `a ^ b` for terms in the range of the type.
    pub fn int_xor(&mut self, a: Term, b: Term, of: IntType) -> Term {
        if let (Some(p), Some(q)) = (self.bit(a), self.bit(b)) {
            let same = self.iff(p, q);
            let differ = self.not(same);
            return self.bit_of(differ);
        }
        self.by_and(Op::BvXor, a, b, of, 2)
    }

    /// `a << by` for `a` in the range of the type and `0 <= by < width`; bits
    /// that leave the type are lost.
    pub fn int_shl(&mut self, a: Term, by: Term, of: IntType) -> Term {
        match self.distance(by, of) {
            Some(by) => {
                let product = self.scale(&Rat::from(Int::power_of_two(by)), a);
                self.int_wrap(product, of)
            }
            None => self.through_bits(Op::BvShl, a, by, of),
        }
    }

    /// `a >> by` for `a` in the range of the type and `0 <= by < width`; the
    /// sign of a signed type comes in.
    pub fn int_shr(&mut self, a: Term, by: Term, of: IntType) -> Term {
        match self.distance(by, of) {
            Some(by) => {
                let power = self.int(Int::power_of_two(by));
                self.div(a, power)
            }
            None if of.signed => self.through_bits(Op::BvAshr, a, by, of),
            None => self.through_bits(Op::BvLshr, a, by, of),
        }
    }

    fn distance(&self, by: Term, of: IntType) -> Option<u32> {
        let by = u32::try_from(self.int_value(by)?.to_i64()?).ok()?;
        (by < of.width).then_some(by)
    }

    /// The condition under which a term is 1, if it is 0 otherwise.
    fn bit(&mut self, term: Term) -> Option<Term> {
        let bit = |s: &TermStore, t: Term| match s.int_value(t)?.to_i64()? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        };
        if let Some(constant) = bit(self, term) {
            return Some(self.bool(constant));
        }
        let Node::Ite(c, yes, no) = *self.node(term) else { return None };
        match (bit(self, yes)?, bit(self, no)?) {
            (true, false) => Some(c),
            (false, true) => Some(self.not(c)),
            _ => None,
        }
    }

    fn bit_of(&mut self, condition: Term) -> Term {
        let (one, zero) = (self.int(1), self.int(0));
        self.ite(condition, one, zero)
    }

    /// `a + b - times * (a & b)`, if the conjunction is a sum of remainders.
    fn by_and(&mut self, op: Op, a: Term, b: Term, of: IntType, times: i64) -> Term {
        let (a, b) = if self.int_value(a).is_some() { (b, a) } else { (a, b) };
        let both = self.int_value(b).cloned().and_then(|mask| self.mask(a, &mask, of));
        match both {
            Some(both) => {
                let (sum, both) = (self.add(a, b), self.scale(&Rat::from(times), both));
                self.sub(sum, both)
            }
            None => self.through_bits(op, a, b, of),
        }
    }

    /// `a & mask`; `None` if that takes too many remainders.
    fn mask(&mut self, a: Term, mask: &Int, of: IntType) -> Option<Term> {
        // A negative mask keeps all but the bits of its complement.
        if mask.signum() < 0 {
            let complement = &-mask - &Int::ONE;
            let lost = self.mask(a, &complement, of)?;
            return Some(self.sub(a, lost));
        }
        if mask.is_zero() {
            return Some(self.int(0));
        }
        let bits = mask.to_u128()?;
        let mut runs = Vec::new();
        let mut from = 0;
        while from < 128 && bits >> from != 0 {
            from += (bits >> from).trailing_zeros();
            let length = (bits >> from).trailing_ones();
            runs.push((from, from + length));
            from += length;
        }
        if runs.len() > RUNS {
            return None;
        }
        let mut result = self.int(0);
        for (low, high) in runs {
            let [above, below] = [high, low].map(|bit| match of.signed || bit < of.width {
                true => {
                    let power = self.int(Int::power_of_two(bit));
                    self.modulo(a, power)
                }
                false => a,
            });
            let run = self.sub(above, below);
            result = self.add(result, run);
        }
        Some(result)
    }

    fn through_bits(&mut self, op: Op, a: Term, b: Term, of: IntType) -> Term {
        let (a, b) = (self.int_to_bv(a, of.width), self.int_to_bv(b, of.width));
        let bits = self.apply(op, &[a, b]);
        match of.signed {
            true => self.bv_to_signed_int(bits),
            false => self.bv_to_int(bits),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Code, Scratch, Sort, Value};

    #[test]
    fn integers_and_bits_agree() {
        let s = &mut TermStore::new();
        let (x, y) = (s.var("x", Sort::Int), s.var("y", Sort::Int));
        let masks = [0, 1, 2, 7, 8, 12, 0x55, 0x7e, 0x7f, -1, -2, -8, -9, -128, 0x80, 0xf0, 0xff];
        for signed in [false, true] {
            let of = IntType { width: 8, signed };
            let range = if signed { -128..128 } else { 0..256 };
            for mask in masks.into_iter().filter(|m| range.contains(m)) {
                let m = s.int(mask);
                let by = s.int(mask & 7);
                let functions = [s.int_and(x, m, of), s.int_or(m, x, of), s.int_xor(x, m, of)];
                let shifts = [s.int_shl(x, by, of), s.int_shr(x, by, of), s.int_not(x, of)];
                let free = [s.int_and(x, y, of), s.int_or(x, y, of), s.int_xor(y, x, of)];
                let terms = [functions, shifts, free].concat();
                let code = Code::compile(s, &terms, |t| Some(usize::from(t == y)));
                let scratch = &mut Scratch::default();
                for n in range.clone() {
                    code.run(&[Value::int(n), Value::int(mask)], scratch);
                    let wrapped = |n: i64| if signed { i64::from(n as i8) } else { n & 255 };
                    let k = mask & 7;
                    let expected = [
                        n & mask,
                        n | mask,
                        n ^ mask,
                        wrapped(n << k),
                        wrapped(n >> k),
                        wrapped(!n),
                        n & mask,
                        n | mask,
                        n ^ mask,
                    ];
                    for (i, expected) in expected.into_iter().enumerate() {
                        let found = code.output(i, scratch);
                        assert_eq!(*found, Value::int(expected), "{} at {n}", s.infix(terms[i]));
                    }
                }
            }
        }
    }

    #[test]
    fn wraps_meet() {
        let s = &mut TermStore::new();
        let (x, y) = (s.var("x", Sort::Int), s.var("y", Sort::Int));
        let scope = |name: &str| if name == "x" { Some(x) } else { Some(y) };
        let mut check = |left: &str, right: &str| {
            let [l, r] = [left, right].map(|text| s.read_smtlib_term(text, &scope).expect(text));
            assert_eq!(l, r, "{} and {}", s.infix(l), s.infix(r));
        };
        check("(mod (+ (mod (+ x 1) 256) 1) 256)", "(mod (+ x 2) 256)");
        check("(mod (+ x (* 512 y) (- 1)) 256)", "(mod (+ x 255) 256)");
        check("(mod (mod x 16) 256)", "(mod x 16)");
        check("(mod (- (mod (* 3 x) 512) y) 256)", "(mod (- (* 3 x) y) 256)");
        check("(div (+ x (* 8 y) 17) 4)", "(+ (* 2 y) 4 (div (+ x 1) 4))");
        check("(div (mod x 16) 32)", "0");
        check("(< (mod x 16) 0)", "false");
        check("(< (mod x 16) 16)", "true");
        check("(= (ite (< x y) 1 0) 0)", "(>= x y)");
        check("(mod (ite (< x y) 300 (- 1)) 256)", "(ite (< x y) 44 255)");
    }
}
