//! Floating-point numbers as Z3 expressions.
//!
//! SMT-LIB leaves open what a number becomes that fits no integer, and which
//! bits something has that is not a number. Our terms say it, so it is said to
//! Z3 as a choice.

use crate::z3_machine::{bits, z3_sort};
use crate::z3_translate::{Ast, Translation};
use parallax_term::{Bv, FloatClass, FloatFormat, FloatRange, Op, RoundingMode, Sort, Term};
use z3::ast::{Ast as _, BV, Bool, Float};

fn z3_mode(mode: RoundingMode) -> z3::ast::RoundingMode {
    use z3::ast::RoundingMode as Mode;
    match mode {
        RoundingMode::NearestEven => Mode::round_nearest_ties_to_even(),
        RoundingMode::NearestAway => Mode::round_nearest_ties_to_away(),
        RoundingMode::Positive => Mode::round_towards_positive(),
        RoundingMode::Negative => Mode::round_towards_negative(),
        RoundingMode::Zero => Mode::round_towards_zero(),
    }
}

/// What the wrapper of Z3 has no function for.
#[derive(Clone, Copy)]
enum Raw {
    Bits,
    Signed(RoundingMode),
    Unsigned(RoundingMode),
}

#[expect(unsafe_code, reason = "the safe wrapper has no conversions from bits")]
fn from_bits(ast: &BV, format: FloatFormat, raw: Raw) -> Float {
    let context = ast.get_ctx();
    let sort = z3_sort(Sort::Float(format));
    let mode = match raw {
        Raw::Bits => RoundingMode::NearestEven,
        Raw::Signed(mode) | Raw::Unsigned(mode) => mode,
    };
    let mode = z3_mode(mode);
    let (cx, bits, to) = (context.get_z3_context(), ast.get_z3_ast(), sort.get_z3_sort());
    // SAFETY: all handles belong to the context of this thread and outlive the calls; the result
    // is wrapped at once, which takes a reference to it.
    unsafe {
        let result = match raw {
            Raw::Bits => z3_sys::Z3_mk_fpa_to_fp_bv(cx, bits, to),
            Raw::Signed(_) => z3_sys::Z3_mk_fpa_to_fp_signed(cx, mode.get_z3_ast(), bits, to),
            Raw::Unsigned(_) => z3_sys::Z3_mk_fpa_to_fp_unsigned(cx, mode.get_z3_ast(), bits, to),
        };
        match result {
            Some(result) => Float::wrap(context, result),
            None => unreachable!("Z3 converts bits of the right width"),
        }
    }
}

/// A floating-point constant.
pub(crate) fn constant(value: parallax_term::Float) -> Float {
    let format = value.format();
    match value.is_nan() {
        true => Float::nan(&z3_sort(Sort::Float(format))),
        false => {
            let bits = bits(Bv::new(format.width(), value.bits()));
            from_bits(&bits, format, Raw::Bits).simplify()
        }
    }
}

impl Translation {
    fn float(&self, term: Term) -> &Float {
        match self.ast(term) {
            Ast::Float(ast) => ast,
            _ => unreachable!("a floating-point number is expected"),
        }
    }

    /// A function from or to floating-point numbers; `from` is the sort of the
    /// first argument.
    pub(crate) fn apply_float(&self, op: Op, arguments: &[Term], from: Sort) -> Ast {
        let at = |i: usize| self.float(arguments[i]);
        let raw = |format, raw| from_bits(self.bv(arguments[0]), format, raw);
        Ast::Float(match op {
            Op::FloatNeg => at(0).unary_neg(),
            Op::FloatAbs => at(0).unary_abs(),
            Op::FloatAdd(mode) => at(0).add_with_rounding_mode(at(1), &z3_mode(mode)),
            Op::FloatMul(mode) => at(0).mul_with_rounding_mode(at(1), &z3_mode(mode)),
            Op::FloatDiv(mode) => at(0).div_with_rounding_mode(at(1), &z3_mode(mode)),
            Op::FloatFma(mode) => at(0).fma_with_rounding_mode(at(1), at(2), &z3_mode(mode)),
            Op::FloatSqrt(mode) => at(0).sqrt_with_rounding_mode(&z3_mode(mode)),
            Op::FloatRem => at(0).rem(at(1)),
            Op::FloatRound(mode) => at(0).round_to_integral_with_rounding_mode(&z3_mode(mode)),
            Op::FloatToFloat(mode, format) => {
                at(0).to_fp_with_rounding_mode(&z3_mode(mode), &z3_sort(Sort::Float(format)))
            }
            Op::SignedToFloat(mode, format) => raw(format, Raw::Signed(mode)),
            Op::UnsignedToFloat(mode, format) => raw(format, Raw::Unsigned(mode)),
            Op::BitsToFloat(format) => raw(format, Raw::Bits),
            Op::FloatToBits => return Ast::Bv(to_bits(at(0), from)),
            Op::FloatToSigned(mode, width) => {
                return Ast::Bv(to_bv(at(0), from, mode, true, width));
            }
            Op::FloatToUnsigned(mode, width) => {
                return Ast::Bv(to_bv(at(0), from, mode, false, width));
            }
            Op::FloatLt => return Ast::Bool(at(0).lt(at(1))),
            Op::FloatLe => return Ast::Bool(at(0).le(at(1))),
            Op::FloatEq => return Ast::Bool(at(0).eq_fpa(at(1))),
            Op::FloatIs(class) => return Ast::Bool(is(class, at(0))),
            Op::FloatIsNegative => return Ast::Bool(at(0).is_negative()),
            _ => unreachable!("{op:?} has nothing to do with floating-point numbers"),
        })
    }
}

fn is(class: FloatClass, float: &Float) -> Bool {
    match class {
        FloatClass::Nan => float.is_nan(),
        FloatClass::Infinite => float.is_infinite(),
        FloatClass::Zero => float.is_zero(),
        FloatClass::Subnormal => float.is_subnormal(),
        FloatClass::Normal => float.is_normal(),
    }
}

fn to_bits(float: &Float, from: Sort) -> BV {
    let Sort::Float(format) = from else { unreachable!("a floating-point number") };
    let none = bits(Bv::new(format.width(), parallax_term::Float::nan(format).bits()));
    float.is_nan().ite(&none, &float.to_ieee_bv())
}

fn to_bv(float: &Float, from: Sort, mode: RoundingMode, signed: bool, width: u32) -> BV {
    let Sort::Float(format) = from else { unreachable!("a floating-point number") };
    let range = FloatRange::new(mode, format, signed, width);
    let mode = z3_mode(mode);
    let rounded = match range.of_rounded {
        true => float.round_to_integral_with_rounding_mode(&mode),
        false => float.clone(),
    };
    let (low, high) = (constant(range.low), constant(range.high));
    let above = if range.low_is_inside { low.le(&rounded) } else { low.lt(&rounded) };
    let fits = Bool::and(&[above, rounded.lt(&high)]);
    let integer = match signed {
        true => float.to_sbv_with_rounding_mode(&mode, width),
        false => float.to_ubv_with_rounding_mode(&mode, width),
    };
    fits.ite(&integer, &bits(Bv::new(width, 0)))
}
