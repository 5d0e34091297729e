//! Functions on machine data: bit-vectors and arrays.
//!
//! A term over them is one node, [`crate::Node::Apply`], with the function as
//! data. So whoever walks terms has one case for all of them, and each
//! function is described in one place: here its sort and its meaning, in
//! `build_*` its normal form, in `smtlib_ops` its name.

use crate::{ArrayValue, Bv, Int, Scalar, Sort, Term, Value};
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

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
            | Op::ConstArray(_) => 1,
            Op::Store => 3,
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
            _ => None,
        }
    }

    /// Whether the order of two arguments does not matter.
    pub(crate) fn commutes(self) -> bool {
        matches!(self, Op::BvAnd | Op::BvOr | Op::BvXor | Op::BvAdd | Op::BvMul)
    }

    /// A function from bit-vectors to bit-vectors; `b` is any of them if
    /// there is one argument only. `None` for all other functions.
    pub(crate) fn on_bits(self, a: Bv, b: Bv) -> Option<Bv> {
        Some(match self {
            Op::BvNot => a.not(),
            Op::BvNeg => a.neg(),
            Op::BvAnd => a.and(b),
            Op::BvOr => a.or(b),
            Op::BvXor => a.xor(b),
            Op::BvAdd => a.add(b),
            Op::BvMul => a.mul(b),
            Op::BvUdiv => a.udiv(b),
            Op::BvUrem => a.urem(b),
            Op::BvSdiv => a.sdiv(b),
            Op::BvSrem => a.srem(b),
            Op::BvShl => a.shl(b),
            Op::BvLshr => a.lshr(b),
            Op::BvAshr => a.ashr(b),
            Op::BvConcat => a.concat(b),
            Op::BvExtract(high, low) => a.extract(high, low),
            Op::BvZeroExtend(by) => a.zero_extend(by),
            Op::BvSignExtend(by) => a.sign_extend(by),
            _ => return None,
        })
    }

    /// The value of the function. The arguments fit.
    pub fn eval(self, arguments: &[&Value]) -> Value {
        let bits =
            |i: usize| arguments.get(i).and_then(|v| v.as_bv()).unwrap_or_else(|| Bv::new(1, 0));
        if let Some(bv) = self.on_bits(bits(0), bits(1)) {
            return Value::Bv(bv);
        }
        match (self, arguments) {
            (Op::BvUlt, _) => Value::Bool(bits(0).ult(bits(1))),
            (Op::BvSlt, _) => Value::Bool(bits(0).slt(bits(1))),
            (Op::BvToInt, _) => Value::Int(bits(0).to_int()),
            (Op::IntToBv(width), [value]) => {
                Value::Bv(Bv::from_int(width, value.as_int().unwrap_or(&Int::ZERO)))
            }
            (Op::Select, [Value::Array(array), index]) => array.get(index).clone(),
            (Op::Store, [Value::Array(array), index, value]) => {
                let mut array = Arc::clone(array);
                Arc::make_mut(&mut array).set((*index).clone(), (*value).clone());
                Value::Array(array)
            }
            (Op::ConstArray(index), [value]) => {
                ArrayValue::constant(index, (*value).clone()).into()
            }
            _ => {
                debug_assert!(false, "{self:?} on {arguments:?}");
                Value::Bool(false)
            }
        }
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
