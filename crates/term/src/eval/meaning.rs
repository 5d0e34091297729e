//! The meaning of functions on machine data: their values.
//!
//! Everything that computes with such functions ends here: constant folding,
//! the evaluator, and the tests that compare both with a solver.

use crate::{ArrayValue, Bv, Float, FloatFormat, Int, Op, Value};
use std::sync::Arc;

impl Op {
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
            _ => self.on_floats(arguments),
        }
    }

    /// The functions from or to floating-point numbers.
    fn on_floats(self, arguments: &[&Value]) -> Value {
        let none = Float::zero(FloatFormat::SINGLE, false);
        let float = |i: usize| arguments.get(i).and_then(|v| v.as_float()).unwrap_or(none);
        let bits = || arguments[0].as_bv().unwrap_or_else(|| Bv::new(1, 0));
        let (a, b) = (float(0), float(1));
        let integer = |mode, width, low: Int, high: Int| {
            let fits = |n: &Int| low <= *n && *n < high;
            let n = a.to_int(mode).filter(fits).unwrap_or(Int::ZERO);
            Value::Bv(Bv::from_int(width, &n))
        };
        Value::Float(match self {
            Op::FloatNeg => a.neg(),
            Op::FloatAbs => a.abs(),
            Op::FloatAdd(mode) => a.add(b, mode),
            Op::FloatMul(mode) => a.mul(b, mode),
            Op::FloatDiv(mode) => a.div(b, mode),
            Op::FloatFma(mode) => a.fma(b, float(2), mode),
            Op::FloatSqrt(mode) => a.sqrt(mode),
            Op::FloatRem => a.rem(b),
            Op::FloatRound(mode) => a.round_to_integral(mode),
            Op::FloatToFloat(mode, format) => a.convert(format, mode),
            Op::SignedToFloat(mode, format) => {
                Float::from_int(format, mode, &bits().to_signed_int())
            }
            Op::UnsignedToFloat(mode, format) => Float::from_int(format, mode, &bits().to_int()),
            Op::BitsToFloat(format) => Float::from_bits(format, bits().bits()),
            Op::FloatToBits => return Value::Bv(Bv::new(a.format().width(), a.bits())),
            Op::FloatToSigned(mode, width) => {
                let half = Int::power_of_two(width - 1);
                return integer(mode, width, -&half, half);
            }
            Op::FloatToUnsigned(mode, width) => {
                return integer(mode, width, Int::ZERO, Int::power_of_two(width));
            }
            Op::FloatLt => return Value::Bool(a.lt(b)),
            Op::FloatLe => return Value::Bool(a.le(b)),
            Op::FloatEq => return Value::Bool(a.ieee_eq(b)),
            Op::FloatIs(class) => return Value::Bool(a.class() == class),
            Op::FloatIsNegative => return Value::Bool(a.is_negative()),
            _ => {
                debug_assert!(false, "{self:?} on {arguments:?}");
                return Value::Bool(false);
            }
        })
    }
}
