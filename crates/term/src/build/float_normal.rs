//! Normal forms of floating-point terms.
//!
//! Only laws that hold for every number are used: infinities, zeros of both
//! signs and what is not a number included. A difference is a sum with a
//! negation, division by a power of two a multiplication, `a > b` is `b < a`.
//! The direction of rounding is forgotten where the result is exact.

use crate::{Float, FloatClass, FloatFormat, Int, Node, Op, RoundingMode, Sort, Term, TermStore};

impl TermStore {
    fn float_value(&self, term: Term) -> Option<Float> {
        self.value(term).and_then(|value| value.as_float())
    }

    pub(crate) fn float_format(&self, term: Term) -> FloatFormat {
        match self.sort(term) {
            Sort::Float(format) => format,
            _ => FloatFormat::SINGLE,
        }
    }

    pub(crate) fn normal_float_unary(&mut self, op: Op, a: Term) -> Term {
        let inner = match *self.node(a) {
            Node::Apply(op, x) => Some((op, x[0])),
            _ => None,
        };
        match (op, inner) {
            (Op::FloatNeg, Some((Op::FloatNeg, x))) => return x,
            (Op::FloatAbs, Some((Op::FloatNeg | Op::FloatAbs, x))) => return self.float_abs(x),
            (Op::FloatIs(_), Some((Op::FloatNeg | Op::FloatAbs, x))) => {
                return self.apply(op, &[x]);
            }
            (
                Op::FloatIs(FloatClass::Nan | FloatClass::Infinite | FloatClass::Zero),
                Some((Op::FloatToFloat(..), x)),
            ) if self.is_wider(self.float_format(a), x) => return self.apply(op, &[x]),
            (Op::FloatIs(FloatClass::Nan), Some((Op::SignedToFloat(..), _)))
            | (Op::FloatIs(FloatClass::Nan), Some((Op::UnsignedToFloat(..), _)))
            | (Op::FloatIsNegative, Some((Op::FloatAbs | Op::UnsignedToFloat(..), _))) => {
                return self.bool(false);
            }
            (Op::FloatRound(_), Some((Op::FloatRound(_), _))) => return a,
            (Op::FloatToFloat(mode, format), _) => {
                return self.normal_to_float(mode, a, format, inner);
            }
            (Op::SignedToFloat(mode, format) | Op::UnsignedToFloat(mode, format), _)
                if mode != RoundingMode::NearestEven
                    && self.sort(a).width() <= format.significand_bits() =>
            {
                let signed = matches!(op, Op::SignedToFloat(..));
                return self.bv_to_float(RoundingMode::NearestEven, a, signed, format);
            }
            (Op::BitsToFloat(_), Some((Op::FloatToBits, x))) => return x,
            (Op::FloatToSigned(_, width), Some((Op::SignedToFloat(..), x))) => {
                let before = self.sort(x).width();
                if before <= width && before <= self.float_format(a).significand_bits() {
                    return self.bv_resize(x, width, true);
                }
            }
            (Op::FloatToUnsigned(_, width), Some((Op::UnsignedToFloat(..), x))) => {
                let before = self.sort(x).width();
                if before <= width && before <= self.float_format(a).significand_bits() {
                    return self.bv_resize(x, width, false);
                }
            }
            _ => {}
        }
        self.plain(op, &[a])
    }

    /// Whether every number of the term's format is one of `format`.
    fn is_wider(&self, format: FloatFormat, term: Term) -> bool {
        let of = self.float_format(term);
        of.exponent_bits() <= format.exponent_bits()
            && of.significand_bits() <= format.significand_bits()
    }

    fn normal_to_float(
        &mut self,
        mode: RoundingMode,
        a: Term,
        format: FloatFormat,
        inner: Option<(Op, Term)>,
    ) -> Term {
        if format == self.float_format(a) {
            return a;
        }
        // What was made wider has lost nothing: go there directly.
        if let Some((Op::FloatToFloat(..), x)) = inner
            && self.is_wider(self.float_format(a), x)
        {
            return self.float_to_float(mode, x, format);
        }
        let exact = self.is_wider(format, a);
        let mode = if exact { RoundingMode::NearestEven } else { mode };
        self.plain(Op::FloatToFloat(mode, format), &[a])
    }

    pub(crate) fn normal_float_binary(&mut self, op: Op, a: Term, b: Term) -> Term {
        let format = self.float_format(a);
        let constant = self.float_value(b);
        let nan = |term: Option<Float>| term.is_some_and(Float::is_nan);
        if nan(constant) || nan(self.float_value(a)) {
            return match op {
                Op::FloatLt | Op::FloatLe | Op::FloatEq => self.bool(false),
                _ => self.float(Float::nan(format)),
            };
        }
        match (op, constant) {
            // In the direction of minus infinity 0.0 + -0.0 is -0.0.
            (Op::FloatAdd(mode), Some(c))
                if c == Float::zero(format, true) && mode != RoundingMode::Negative =>
            {
                return a;
            }
            (Op::FloatMul(_) | Op::FloatDiv(_), Some(c)) if c.abs() == one(format) => {
                return if c.is_negative() { self.float_neg(a) } else { a };
            }
            (Op::FloatDiv(mode), Some(c)) => {
                if let Some(inverse) = inverse(c) {
                    let inverse = self.float(inverse);
                    return self.float_mul(mode, a, inverse);
                }
            }
            (Op::FloatEq, Some(c)) if c.class() == FloatClass::Zero => {
                return self.float_is(FloatClass::Zero, a);
            }
            (Op::FloatEq, Some(_)) => return self.equal(a, b),
            _ => {}
        }
        if matches!(op, Op::FloatLt | Op::FloatLe | Op::FloatEq) {
            return self.normal_float_relation(op, a, b);
        }
        self.plain(op, &[a, b])
    }

    fn normal_float_relation(&mut self, op: Op, a: Term, b: Term) -> Term {
        if a == b {
            if op == Op::FloatLt {
                return self.bool(false);
            }
            let no_number = self.float_is(FloatClass::Nan, a);
            return self.not(no_number);
        }
        match (self.node(a), self.node(b)) {
            // Numbers that were made wider compare as they are.
            (Node::Apply(Op::FloatToFloat(..), x), Node::Apply(Op::FloatToFloat(..), y))
                if self.float_format(x[0]) == self.float_format(y[0])
                    && self.is_wider(self.float_format(a), x[0]) =>
            {
                let (x, y) = (x[0], y[0]);
                self.apply(op, &[x, y])
            }
            // -x < -y is y < x.
            (Node::Apply(Op::FloatNeg, x), Node::Apply(Op::FloatNeg, y)) => {
                let (x, y) = (x[0], y[0]);
                self.apply(op, &[y, x])
            }
            _ => self.plain(op, &[a, b]),
        }
    }
}

fn one(format: FloatFormat) -> Float {
    Float::from_int(format, RoundingMode::NearestEven, &Int::ONE)
}

/// The inverse of a power of two, if it is a normal number.
fn inverse(c: Float) -> Option<Float> {
    let power = c.class() == FloatClass::Normal && c.raw_fraction() == 0;
    let inverse = one(c.format()).div(c, RoundingMode::NearestEven);
    (power && inverse.class() == FloatClass::Normal).then_some(inverse)
}
