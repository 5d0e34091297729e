//! Floats by the solver's theory of IEEE 754 numbers.
//!
//! Everything rounds to the nearest even number, as C does unless told
//! otherwise; conversions to integers cut off.

use crate::arithmetic::{IntType, Word};
use crate::encoder::{Encoder, Gap};
use crate::state::State;
use crate::value::{Kind, Value};
use parallax_base::Id;
use parallax_cfa::{Binary, Expr, ExprKind, FloatFunction, Unary};
use parallax_term::RoundingMode::{self, NearestEven};
use parallax_term::{Float, FloatClass, FloatFormat, Term};

impl Encoder<'_> {
    fn float(value: &Value) -> Result<Term, Gap> {
        match value {
            Value::Float(term) => Ok(*term),
            _ => Err(Gap::new("a float that is none")),
        }
    }

    /// Whether a float is not zero; what is not a number is not.
    pub(crate) fn float_truth(&mut self, term: Term) -> Term {
        let zero = self.store.float_is(FloatClass::Zero, term);
        self.store.not(zero)
    }

    pub(crate) fn float_unary(&mut self, op: Unary, value: &Value) -> Result<Value, Gap> {
        let a = Encoder::float(value)?;
        let store = &mut self.store;
        Ok(match op {
            Unary::Neg => Value::Float(store.float_neg(a)),
            Unary::Float(function) => match function {
                FloatFunction::Fabs => Value::Float(store.float_abs(a)),
                FloatFunction::Sqrt => Value::Float(store.float_sqrt(NearestEven, a)),
                FloatFunction::Floor => Value::Float(store.float_round(RoundingMode::Negative, a)),
                FloatFunction::Ceil => Value::Float(store.float_round(RoundingMode::Positive, a)),
                FloatFunction::Trunc => Value::Float(store.float_round(RoundingMode::Zero, a)),
                FloatFunction::Round => {
                    Value::Float(store.float_round(RoundingMode::NearestAway, a))
                }
                FloatFunction::Rint => Value::Float(store.float_round(NearestEven, a)),
                FloatFunction::IsNan => Value::Truth(store.float_is(FloatClass::Nan, a)),
                FloatFunction::IsInf => Value::Truth(store.float_is(FloatClass::Infinite, a)),
                FloatFunction::IsNormal => Value::Truth(store.float_is(FloatClass::Normal, a)),
                FloatFunction::IsFinite => {
                    let nan = store.float_is(FloatClass::Nan, a);
                    let infinite = store.float_is(FloatClass::Infinite, a);
                    let either = store.or([nan, infinite]);
                    Value::Truth(store.not(either))
                }
                // The sign of what is not a number is not known here.
                FloatFunction::SignBit => {
                    let nan = store.float_is(FloatClass::Nan, a);
                    let negative = store.float_is_negative(a);
                    self.doubt(nan, "the sign of what is not a number");
                    Value::Truth(negative)
                }
            },
            _ => return Err(Gap::new("an integer function on a float")),
        })
    }

    pub(crate) fn float_binary(&mut self, op: Binary, x: &Value, y: &Value) -> Result<Value, Gap> {
        let (a, b) = (Encoder::float(x)?, Encoder::float(y)?);
        let store = &mut self.store;
        Ok(match op {
            Binary::Add => Value::Float(store.float_add(NearestEven, a, b)),
            Binary::Sub => Value::Float(store.float_sub(NearestEven, a, b)),
            Binary::Mul => Value::Float(store.float_mul(NearestEven, a, b)),
            Binary::Div => Value::Float(store.float_div(NearestEven, a, b)),
            Binary::Rem => Value::Float(store.float_fmod(a, b)),
            Binary::Eq => Value::Truth(store.float_eq(a, b)),
            Binary::Ne => {
                let same = store.float_eq(a, b);
                Value::Truth(store.not(same))
            }
            Binary::Lt => Value::Truth(store.float_lt(a, b)),
            Binary::Le => Value::Truth(store.float_le(a, b)),
            Binary::Gt => Value::Truth(store.float_lt(b, a)),
            Binary::Ge => Value::Truth(store.float_le(b, a)),
            _ => return Err(Gap::new("an integer operator on floats")),
        })
    }

    /// An integer as a float.
    pub(crate) fn float_of_word(&mut self, from: IntType, word: &Word, to: FloatFormat) -> Value {
        let bits = self.arithmetic.to_bits(&mut self.store, from, word);
        Value::Float(self.store.bv_to_float(NearestEven, bits, from.signed, to))
    }

    /// A float as an integer, cut off. A check before has made sure that it fits.
    pub(crate) fn word_of_float(&mut self, value: &Value, to: IntType) -> Result<Value, Gap> {
        let a = Encoder::float(value)?;
        let bits = self.store.float_to_bv(RoundingMode::Zero, a, to.signed, to.bits);
        Ok(Value::Word(self.arithmetic.of_bits(&mut self.store, to, bits)))
    }

    pub(crate) fn float_resize(&mut self, value: &Value, to: FloatFormat) -> Result<Value, Gap> {
        let a = Encoder::float(value)?;
        Ok(Value::Float(self.store.float_to_float(NearestEven, a, to)))
    }

    /// Whether a conversion from a float to an integer type fits.
    pub(crate) fn float_fits(&mut self, state: &mut State, e: Id<Expr>) -> Result<Term, Gap> {
        let program = self.program;
        let ExprKind::Convert(inner) = program.exprs[e].kind else {
            return Ok(self.store.bool(true));
        };
        let (Kind::Float(format), Kind::Int(to)) =
            (self.kind(program.exprs[inner].ty)?, self.kind(program.exprs[e].ty)?)
        else {
            return Ok(self.store.bool(true));
        };
        let value = self.eval(state, inner)?;
        let a = Encoder::float(&value)?;
        let whole = self.store.float_round(RoundingMode::Zero, a);
        let bits = if to.signed { to.bits - 1 } else { to.bits };
        let limit = power(format, bits, false);
        let least = if to.signed { power(format, bits, true) } else { Float::zero(format, false) };
        let (limit, least) = (self.store.float(limit), self.store.float(least));
        let below = self.store.float_lt(whole, limit);
        let above = self.store.float_le(least, whole);
        Ok(self.store.and([below, above]))
    }
}

/// Two to a power, or its negation. All formats of C hold it but the smallest.
fn power(format: FloatFormat, exponent: u32, negative: bool) -> Float {
    let bias = (1u128 << (format.exponent_bits() - 1)) - 1;
    let fraction = format.significand_bits() - 1;
    let sign = u128::from(negative) << (format.exponent_bits() + fraction);
    Float::from_bits(format, sign | (bias + u128::from(exponent)) << fraction)
}
