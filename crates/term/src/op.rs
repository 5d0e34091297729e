//! Functions on machine data: bit-vectors, floating-point numbers and arrays.
//!
//! A term over them is one node, [`crate::Node::Apply`], with the function as
//! data. So whoever walks terms has one case for all of them. Here are the
//! sorts of the functions; `eval/meaning.rs` has their meaning, `build` their normal
//! forms, `smtlib/ops.rs` their names.

use crate::{FloatClass, FloatFormat, RoundingMode, Scalar, Sort, Term};
use std::fmt;
use std::ops::Deref;

/// A function on machine data.
///
/// Some functions have no case of their own because they are built from
/// others: `a - b` is `a + -b`, `a <= b` is `!(b < a)`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Op {
    /// All bits flipped.
    BvNot,
    /// Negation modulo the width.
    BvNeg,
    /// Bits set in both.
    BvAnd,
    /// Bits set in one or both.
    BvOr,
    /// Bits set in one but not both.
    BvXor,
    /// Sum modulo the width.
    BvAdd,
    /// Product modulo the width.
    BvMul,
    /// Unsigned quotient.
    BvUdiv,
    /// Unsigned remainder.
    BvUrem,
    /// Signed quotient, rounded towards zero.
    BvSdiv,
    /// Signed remainder, with the sign of the dividend.
    BvSrem,
    /// Shift to the left.
    BvShl,
    /// Shift to the right, zeros come in.
    BvLshr,
    /// Shift to the right, copies of the sign come in.
    BvAshr,
    /// The first above the second.
    BvConcat,
    /// The bits from the first position down to the second.
    BvExtract(u32, u32),
    /// This many zeros more.
    BvZeroExtend(u32),
    /// This many copies of the sign more.
    BvSignExtend(u32),
    /// Unsigned less-than.
    BvUlt,
    /// Signed less-than.
    BvSlt,
    /// The unsigned number as an integer.
    BvToInt,
    /// An integer modulo the width.
    IntToBv(u32),
    /// The element of an array at an index.
    Select,
    /// An array with another element at an index.
    Store,
    /// The array over this index sort with one element everywhere.
    ConstArray(Scalar),
    /// The other sign.
    FloatNeg,
    /// Without the sign.
    FloatAbs,
    /// Sum.
    FloatAdd(RoundingMode),
    /// Product.
    FloatMul(RoundingMode),
    /// Quotient.
    FloatDiv(RoundingMode),
    /// `a * b + c` with one rounding.
    FloatFma(RoundingMode),
    /// Square root.
    FloatSqrt(RoundingMode),
    /// The remainder of IEEE 754: `a - b * n` for the integer `n` nearest to `a / b`.
    FloatRem,
    /// The integer next to it, as a floating-point number.
    FloatRound(RoundingMode),
    /// `a < b`; false if one is not a number.
    FloatLt,
    /// `a <= b`; false if one is not a number.
    FloatLe,
    /// `a == b` as in C: the zeros are equal, what is not a number equals nothing.
    FloatEq,
    /// Whether it is of a class.
    FloatIs(FloatClass),
    /// Whether it is a number with the sign set.
    FloatIsNegative,
    /// A number in another format.
    FloatToFloat(RoundingMode, FloatFormat),
    /// The number next to an integer in two's complement.
    SignedToFloat(RoundingMode, FloatFormat),
    /// The number next to an unsigned integer.
    UnsignedToFloat(RoundingMode, FloatFormat),
    /// The number with these bits.
    BitsToFloat(FloatFormat),
    /// The bits of a number; those of the one not-a-number for all of them.
    FloatToBits,
    /// The integer next to it in two's complement of this width; 0 where it
    /// does not fit.
    FloatToSigned(RoundingMode, u32),
    /// The unsigned integer next to it of this width; 0 where it does not fit.
    FloatToUnsigned(RoundingMode, u32),
}

impl Op {
    /// How many arguments the function has.
    pub fn arity(self) -> usize {
        match self {
            Op::BvNot
            | Op::BvNeg
            | Op::BvExtract(..)
            | Op::BvZeroExtend(_)
            | Op::BvSignExtend(_)
            | Op::BvToInt
            | Op::IntToBv(_)
            | Op::ConstArray(_)
            | Op::FloatNeg
            | Op::FloatAbs
            | Op::FloatSqrt(_)
            | Op::FloatRound(_)
            | Op::FloatIs(_)
            | Op::FloatIsNegative
            | Op::FloatToFloat(..)
            | Op::SignedToFloat(..)
            | Op::UnsignedToFloat(..)
            | Op::BitsToFloat(_)
            | Op::FloatToBits
            | Op::FloatToSigned(..)
            | Op::FloatToUnsigned(..) => 1,
            Op::Store | Op::FloatFma(_) => 3,
            _ => 2,
        }
    }

    /// The sort of the result for arguments of these sorts; `None` if they do
    /// not fit.
    pub fn sort(self, arguments: &[Sort]) -> Option<Sort> {
        let valid = |width: u32| (1..=crate::MAX_WIDTH).contains(&width).then_some(Sort::Bv(width));
        match (self, arguments) {
            (Op::BvNot | Op::BvNeg, [Sort::Bv(w)]) => valid(*w),
            (Op::BvUlt | Op::BvSlt, [Sort::Bv(a), Sort::Bv(b)]) => (a == b).then_some(Sort::Bool),
            (Op::BvConcat, [Sort::Bv(a), Sort::Bv(b)]) => valid(a.checked_add(*b)?),
            (Op::BvExtract(high, low), [Sort::Bv(w)]) => {
                (low <= high && high < *w).then(|| Sort::Bv(high - low + 1))
            }
            (Op::BvZeroExtend(by) | Op::BvSignExtend(by), [Sort::Bv(w)]) => {
                valid(w.checked_add(by)?)
            }
            (Op::BvToInt, [Sort::Bv(_)]) => Some(Sort::Int),
            (Op::IntToBv(width), [Sort::Int]) => valid(width),
            (Op::Select, [Sort::Array(index, element), at]) => {
                (Sort::from(*index) == *at).then_some(Sort::from(*element))
            }
            (Op::Store, [array @ Sort::Array(index, element), at, value]) => {
                let fits = Sort::from(*index) == *at && Sort::from(*element) == *value;
                fits.then_some(*array)
            }
            (Op::ConstArray(index), [element]) => Some(Sort::Array(index, element.scalar()?)),
            (
                Op::BvAnd
                | Op::BvOr
                | Op::BvXor
                | Op::BvAdd
                | Op::BvMul
                | Op::BvUdiv
                | Op::BvUrem
                | Op::BvSdiv
                | Op::BvSrem
                | Op::BvShl
                | Op::BvLshr
                | Op::BvAshr,
                [Sort::Bv(a), Sort::Bv(b)],
            ) => (a == b).then_some(Sort::Bv(*a)),
            _ => self.float_sort(arguments),
        }
    }

    fn float_sort(self, arguments: &[Sort]) -> Option<Sort> {
        match (self, arguments) {
            (
                Op::FloatNeg | Op::FloatAbs | Op::FloatSqrt(_) | Op::FloatRound(_),
                [Sort::Float(a)],
            ) => Some(Sort::Float(*a)),
            (
                Op::FloatAdd(_) | Op::FloatMul(_) | Op::FloatDiv(_) | Op::FloatRem,
                [Sort::Float(a), Sort::Float(b)],
            ) => (a == b).then_some(Sort::Float(*a)),
            (Op::FloatFma(_), [Sort::Float(a), Sort::Float(b), Sort::Float(c)]) => {
                (a == b && b == c).then_some(Sort::Float(*a))
            }
            (Op::FloatLt | Op::FloatLe | Op::FloatEq, [Sort::Float(a), Sort::Float(b)]) => {
                (a == b).then_some(Sort::Bool)
            }
            (Op::FloatIs(_) | Op::FloatIsNegative, [Sort::Float(_)]) => Some(Sort::Bool),
            (Op::FloatToFloat(_, format), [Sort::Float(_)])
            | (Op::SignedToFloat(_, format) | Op::UnsignedToFloat(_, format), [Sort::Bv(_)]) => {
                Some(Sort::Float(format))
            }
            (Op::BitsToFloat(format), [Sort::Bv(width)]) => {
                (*width == format.width()).then_some(Sort::Float(format))
            }
            (Op::FloatToBits, [Sort::Float(format)]) => Some(Sort::Bv(format.width())),
            (Op::FloatToSigned(_, width) | Op::FloatToUnsigned(_, width), [Sort::Float(_)]) => {
                (1..=crate::MAX_WIDTH).contains(&width).then_some(Sort::Bv(width))
            }
            _ => None,
        }
    }

    /// Whether the order of two arguments does not matter.
    pub(crate) fn commutes(self) -> bool {
        let bits = matches!(self, Op::BvAnd | Op::BvOr | Op::BvXor | Op::BvAdd | Op::BvMul);
        bits || matches!(self, Op::FloatAdd(_) | Op::FloatMul(_) | Op::FloatEq)
    }
}

/// The arguments of an [`Op`]: one, two or three terms.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Args {
    count: u8,
    terms: [Term; 3],
}

impl Args {
    pub(crate) fn new(terms: &[Term]) -> Args {
        let mut all = [Term(0); 3];
        all[..terms.len()].copy_from_slice(terms);
        Args { count: terms.len() as u8, terms: all }
    }
}

impl Deref for Args {
    type Target = [Term];

    fn deref(&self) -> &[Term] {
        &self.terms[..usize::from(self.count)]
    }
}

impl fmt::Debug for Args {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
