//! The constructors of floating-point terms; `float_normal` has the laws.

use crate::{FloatClass, FloatFormat, Op, RoundingMode, Term, TermStore};

impl TermStore {
    /// `-a`
    pub fn float_neg(&mut self, a: Term) -> Term {
        self.apply(Op::FloatNeg, &[a])
    }

    /// `fabs(a)`
    pub fn float_abs(&mut self, a: Term) -> Term {
        self.apply(Op::FloatAbs, &[a])
    }

    /// `a + b`
    pub fn float_add(&mut self, mode: RoundingMode, a: Term, b: Term) -> Term {
        self.apply(Op::FloatAdd(mode), &[a, b])
    }

    /// `a - b`
    pub fn float_sub(&mut self, mode: RoundingMode, a: Term, b: Term) -> Term {
        let minus = self.float_neg(b);
        self.float_add(mode, a, minus)
    }

    /// `a * b`
    pub fn float_mul(&mut self, mode: RoundingMode, a: Term, b: Term) -> Term {
        self.apply(Op::FloatMul(mode), &[a, b])
    }

    /// `a / b`
    pub fn float_div(&mut self, mode: RoundingMode, a: Term, b: Term) -> Term {
        self.apply(Op::FloatDiv(mode), &[a, b])
    }

    /// `a * b + c` with one rounding.
    pub fn float_fma(&mut self, mode: RoundingMode, a: Term, b: Term, c: Term) -> Term {
        self.apply(Op::FloatFma(mode), &[a, b, c])
    }

    /// `sqrt(a)`
    pub fn float_sqrt(&mut self, mode: RoundingMode, a: Term) -> Term {
        self.apply(Op::FloatSqrt(mode), &[a])
    }

    /// `remainder(a, b)` of C.
    pub fn float_rem(&mut self, a: Term, b: Term) -> Term {
        self.apply(Op::FloatRem, &[a, b])
    }

    /// `fmod(a, b)` of C: the remainder with the sign of `a`.
    ///
    /// The remainder of the sizes, moved up by the divisor if it is negative.
    /// Both steps are exact.
    pub fn float_fmod(&mut self, a: Term, b: Term) -> Term {
        let (x, y) = (self.float_abs(a), self.float_abs(b));
        let rest = self.float_rem(x, y);
        let moved = self.float_add(RoundingMode::NearestEven, rest, y);
        let low = self.apply(Op::FloatIsNegative, &[rest]);
        let size = self.ite(low, moved, rest);
        let size = self.float_abs(size);
        let (minus, negative) = (self.float_neg(size), self.apply(Op::FloatIsNegative, &[a]));
        self.ite(negative, minus, size)
    }

    /// The integer next to `a`, as a floating-point number: `trunc`, `floor`,
    /// `ceil`, `rint` and `round` of C by the mode.
    pub fn float_round(&mut self, mode: RoundingMode, a: Term) -> Term {
        self.apply(Op::FloatRound(mode), &[a])
    }

    /// `fmin(a, b)`: the other one if one is not a number; `b` of two zeros.
    pub fn float_min(&mut self, a: Term, b: Term) -> Term {
        let first = self.float_lt(a, b);
        self.float_choice(first, a, b)
    }

    /// `fmax(a, b)`: the other one if one is not a number; `b` of two zeros.
    pub fn float_max(&mut self, a: Term, b: Term) -> Term {
        let first = self.float_lt(b, a);
        self.float_choice(first, a, b)
    }

    fn float_choice(&mut self, first: Term, a: Term, b: Term) -> Term {
        let no_number = self.float_is(FloatClass::Nan, b);
        let first = self.or([first, no_number]);
        self.ite(first, a, b)
    }

    /// `a < b`
    pub fn float_lt(&mut self, a: Term, b: Term) -> Term {
        self.apply(Op::FloatLt, &[a, b])
    }

    /// `a <= b`
    pub fn float_le(&mut self, a: Term, b: Term) -> Term {
        self.apply(Op::FloatLe, &[a, b])
    }

    /// `a == b` as in C; [`TermStore::eq`] is equality of values instead.
    pub fn float_eq(&mut self, a: Term, b: Term) -> Term {
        self.apply(Op::FloatEq, &[a, b])
    }

    /// Whether `a` is of a class.
    pub fn float_is(&mut self, class: FloatClass, a: Term) -> Term {
        self.apply(Op::FloatIs(class), &[a])
    }

    /// Whether `a` is a number with the sign set; `-0.0` is one.
    pub fn float_is_negative(&mut self, a: Term) -> Term {
        self.apply(Op::FloatIsNegative, &[a])
    }

    /// `a` in another format.
    pub fn float_to_float(&mut self, mode: RoundingMode, a: Term, format: FloatFormat) -> Term {
        self.apply(Op::FloatToFloat(mode, format), &[a])
    }

    /// The number next to the integer that the bits of `a` stand for.
    pub fn bv_to_float(
        &mut self,
        mode: RoundingMode,
        a: Term,
        signed: bool,
        format: FloatFormat,
    ) -> Term {
        match signed {
            true => self.apply(Op::SignedToFloat(mode, format), &[a]),
            false => self.apply(Op::UnsignedToFloat(mode, format), &[a]),
        }
    }

    /// The integer next to `a`, 0 where it does not fit.
    pub fn float_to_bv(&mut self, mode: RoundingMode, a: Term, signed: bool, width: u32) -> Term {
        match signed {
            true => self.apply(Op::FloatToSigned(mode, width), &[a]),
            false => self.apply(Op::FloatToUnsigned(mode, width), &[a]),
        }
    }

    /// The number with the bits of `a`.
    pub fn float_from_bits(&mut self, a: Term, format: FloatFormat) -> Term {
        self.apply(Op::BitsToFloat(format), &[a])
    }

    /// The bits of `a`; those of the one not-a-number for all of them.
    pub fn float_to_bits(&mut self, a: Term) -> Term {
        self.apply(Op::FloatToBits, &[a])
    }
}
