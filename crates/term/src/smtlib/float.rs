//! Floating-point functions read from SMT-LIB text, with their sorts checked.

use crate::smtlib::machine::checked;
use crate::smtlib::ops;
use crate::{Float, FloatClass, FloatFormat, Op, RoundingMode, Sort, Term, TermStore, Value};

/// A function with a name and indices in a direction of rounding.
pub(crate) fn rounding(
    s: &mut TermStore,
    (name, indices, mode): (&str, &[u32], RoundingMode),
    terms: &[Term],
) -> Result<Term, String> {
    if let Some(op) = ops::rounding(name, indices, mode) {
        return checked(s, op, name, terms);
    }
    match (name, indices, terms) {
        ("fp.sub", [], [a, b]) => {
            let minus = checked(s, Op::FloatNeg, name, &[*b])?;
            checked(s, Op::FloatAdd(mode), name, &[*a, minus])
        }
        ("to_fp" | "to_fp_unsigned", [e, m], [a]) => {
            let format = FloatFormat::new(*e, *m).ok_or("this format is not supported")?;
            convert(s, name, format, mode, *a)
        }
        _ => Err(format!("`{name}` does not take {} such arguments", terms.len())),
    }
}

fn convert(
    s: &mut TermStore,
    name: &str,
    format: FloatFormat,
    mode: RoundingMode,
    a: Term,
) -> Result<Term, String> {
    let op = match s.sort(a) {
        Sort::Float(_) => Op::FloatToFloat(mode, format),
        Sort::Bv(_) if name == "to_fp_unsigned" => Op::UnsignedToFloat(mode, format),
        Sort::Bv(_) => Op::SignedToFloat(mode, format),
        _ => {
            let value = s.value(a).and_then(Value::to_rat);
            let value = value.ok_or("only constants are converted from reals")?;
            return Ok(s.float(Float::from_rat(format, mode, &value)));
        }
    };
    checked(s, op, name, &[a])
}

/// The number with these bits: `((_ to_fp e m) bits)` without a direction.
pub(crate) fn from_bits(s: &mut TermStore, indices: &[u32], a: Term) -> Result<Term, String> {
    let format = match indices {
        [e, m] => FloatFormat::new(*e, *m),
        _ => None,
    };
    let format = format.ok_or("this format is not supported")?;
    checked(s, Op::BitsToFloat(format), "to_fp", &[a])
}

/// Functions that are built from others.
pub(crate) fn derived(s: &mut TermStore, name: &str, terms: &[Term]) -> Result<Term, String> {
    match (name, terms) {
        ("fp", [sign, exponent, fraction]) => {
            let [e, m] = [exponent, fraction].map(|t| s.sort(*t).width());
            let format = FloatFormat::new(e, m + 1).ok_or("this format is not supported")?;
            let high = checked(s, Op::BvConcat, name, &[*sign, *exponent])?;
            let bits = checked(s, Op::BvConcat, name, &[high, *fraction])?;
            checked(s, Op::BitsToFloat(format), name, &[bits])
        }
        ("fp.gt", [a, b]) => checked(s, Op::FloatLt, name, &[*b, *a]),
        ("fp.geq", [a, b]) => checked(s, Op::FloatLe, name, &[*b, *a]),
        ("fp.isPositive", [a]) => {
            let negative = checked(s, Op::FloatIsNegative, name, &[*a])?;
            let no_number = s.float_is(FloatClass::Nan, *a);
            let either = s.or([negative, no_number]);
            Ok(s.not(either))
        }
        ("fp.min" | "fp.max", [a, b]) => {
            checked(s, Op::FloatLt, name, &[*a, *b])?;
            Ok(if name == "fp.min" { s.float_min(*a, *b) } else { s.float_max(*a, *b) })
        }
        _ => Err(format!("`{name}` does not take {} such arguments", terms.len())),
    }
}
