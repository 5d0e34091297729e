//! The names of functions on machine data in SMT-LIB, and their constants.

use crate::smtlib::machine::DERIVED;
use crate::{ArrayValue, Bv, Float, FloatClass, FloatFormat, Op, RoundingMode, Sort, smtlib};
use std::fmt::Write;

/// Functions without indices whose SMT-LIB name means just one of ours.
const NAMES: &[(&str, Op)] = &[
    ("bvnot", Op::BvNot),
    ("bvneg", Op::BvNeg),
    ("bvand", Op::BvAnd),
    ("bvor", Op::BvOr),
    ("bvxor", Op::BvXor),
    ("bvadd", Op::BvAdd),
    ("bvmul", Op::BvMul),
    ("bvudiv", Op::BvUdiv),
    ("bvurem", Op::BvUrem),
    ("bvsdiv", Op::BvSdiv),
    ("bvsrem", Op::BvSrem),
    ("bvshl", Op::BvShl),
    ("bvlshr", Op::BvLshr),
    ("bvashr", Op::BvAshr),
    ("concat", Op::BvConcat),
    ("bvult", Op::BvUlt),
    ("bvslt", Op::BvSlt),
    ("bv2nat", Op::BvToInt),
    ("ubv_to_int", Op::BvToInt),
    ("select", Op::Select),
    ("store", Op::Store),
    ("fp.neg", Op::FloatNeg),
    ("fp.abs", Op::FloatAbs),
    ("fp.rem", Op::FloatRem),
    ("fp.lt", Op::FloatLt),
    ("fp.leq", Op::FloatLe),
    ("fp.eq", Op::FloatEq),
    ("fp.isNaN", Op::FloatIs(FloatClass::Nan)),
    ("fp.isInfinite", Op::FloatIs(FloatClass::Infinite)),
    ("fp.isZero", Op::FloatIs(FloatClass::Zero)),
    ("fp.isNormal", Op::FloatIs(FloatClass::Normal)),
    ("fp.isSubnormal", Op::FloatIs(FloatClass::Subnormal)),
    ("fp.isNegative", Op::FloatIsNegative),
    ("fp.to_ieee_bv", Op::FloatToBits),
];

/// The directions of rounding, short and long.
const MODES: &[(&str, &str, RoundingMode)] = &[
    ("RNE", "roundNearestTiesToEven", RoundingMode::NearestEven),
    ("RNA", "roundNearestTiesToAway", RoundingMode::NearestAway),
    ("RTP", "roundTowardPositive", RoundingMode::Positive),
    ("RTN", "roundTowardNegative", RoundingMode::Negative),
    ("RTZ", "roundTowardZero", RoundingMode::Zero),
];

/// The direction of rounding that a symbol names.
pub(crate) fn mode(name: &str) -> Option<RoundingMode> {
    let found = MODES.iter().find(|(short, long, _)| [*short, *long].contains(&name));
    found.map(|(_, _, mode)| *mode)
}

/// The name of a direction of rounding.
pub(crate) fn mode_name(mode: RoundingMode) -> &'static str {
    MODES.iter().find(|(.., known)| *known == mode).map_or("RNE", |(short, ..)| short)
}

/// The function that rounds, with a name and indices.
pub(crate) fn rounding(name: &str, indices: &[u32], mode: RoundingMode) -> Option<Op> {
    Some(match (name, indices) {
        ("fp.add", []) => Op::FloatAdd(mode),
        ("fp.mul", []) => Op::FloatMul(mode),
        ("fp.div", []) => Op::FloatDiv(mode),
        ("fp.fma", []) => Op::FloatFma(mode),
        ("fp.sqrt", []) => Op::FloatSqrt(mode),
        ("fp.roundToIntegral", []) => Op::FloatRound(mode),
        ("fp.to_sbv", [width]) => Op::FloatToSigned(mode, *width),
        ("fp.to_ubv", [width]) => Op::FloatToUnsigned(mode, *width),
        _ => return None,
    })
}

/// Whether a name belongs to a theory of machine data.
pub(crate) fn is_reserved(name: &str) -> bool {
    name.starts_with("fp.")
        || ["RNE", "RNA", "RTP", "RTN", "RTZ", "const", "extract", "to_fp"].contains(&name)
        || ["roundNearest", "roundToward"].iter().any(|mode| name.starts_with(mode))
        || DERIVED.contains(&name)
        || NAMES.iter().any(|(known, _)| *known == name)
}

/// The function with a name that has no indices.
pub(crate) fn named(name: &str) -> Option<Op> {
    NAMES.iter().find(|(known, _)| *known == name).map(|(_, op)| *op)
}

/// The function with a name and indices, as in `(_ extract 7 0)`.
pub(crate) fn indexed(name: &str, indices: &[u32]) -> Option<Op> {
    Some(match (name, indices) {
        ("extract", [high, low]) => Op::BvExtract(*high, *low),
        ("zero_extend", [by]) => Op::BvZeroExtend(*by),
        ("sign_extend", [by]) => Op::BvSignExtend(*by),
        ("int2bv" | "int_to_bv" | "nat2bv", [width]) => Op::IntToBv(*width),
        _ => return None,
    })
}

/// What stands in front of the arguments; `sort` is that of the result.
pub(crate) fn head(op: Op, sort: Sort) -> String {
    match op {
        Op::BvExtract(high, low) => format!("(_ extract {high} {low})"),
        Op::BvZeroExtend(by) => format!("(_ zero_extend {by})"),
        Op::BvSignExtend(by) => format!("(_ sign_extend {by})"),
        Op::IntToBv(width) => format!("(_ int2bv {width})"),
        Op::ConstArray(_) => format!("(as const {sort})"),
        Op::FloatAdd(mode) => format!("fp.add {}", mode_name(mode)),
        Op::FloatMul(mode) => format!("fp.mul {}", mode_name(mode)),
        Op::FloatDiv(mode) => format!("fp.div {}", mode_name(mode)),
        Op::FloatFma(mode) => format!("fp.fma {}", mode_name(mode)),
        Op::FloatSqrt(mode) => format!("fp.sqrt {}", mode_name(mode)),
        Op::FloatRound(mode) => format!("fp.roundToIntegral {}", mode_name(mode)),
        Op::FloatToSigned(mode, width) => format!("(_ fp.to_sbv {width}) {}", mode_name(mode)),
        Op::FloatToUnsigned(mode, width) => format!("(_ fp.to_ubv {width}) {}", mode_name(mode)),
        Op::BitsToFloat(format) => to_fp("to_fp", format),
        Op::FloatToFloat(mode, format) | Op::SignedToFloat(mode, format) => {
            format!("{} {}", to_fp("to_fp", format), mode_name(mode))
        }
        Op::UnsignedToFloat(mode, format) => {
            format!("{} {}", to_fp("to_fp_unsigned", format), mode_name(mode))
        }
        _ => {
            let known = NAMES.iter().find(|(_, known)| *known == op);
            known.map_or_else(|| format!("{op:?}"), |(name, _)| (*name).into())
        }
    }
}

fn to_fp(name: &str, format: FloatFormat) -> String {
    format!("(_ {name} {} {})", format.exponent_bits(), format.significand_bits())
}

/// A bit-vector constant.
pub(crate) fn bits(bits: Bv) -> String {
    let width = bits.width() as usize;
    match width % 4 {
        0 => format!("#x{:0digits$x}", bits.bits(), digits = width / 4),
        _ => format!("#b{:0width$b}", bits.bits()),
    }
}

/// The constant that a text like `#x2f` or `#b101` stands for.
pub(crate) fn read_bits(text: &str) -> Option<Bv> {
    let (digits, radix, each) = match text.as_bytes() {
        [b'#', b'x', ..] => (&text[2..], 16, 4),
        [b'#', b'b', ..] => (&text[2..], 2, 1),
        _ => return None,
    };
    let width = u32::try_from(digits.len()).ok()?.checked_mul(each)?;
    if !(1..=crate::MAX_WIDTH).contains(&width) || digits.starts_with('+') {
        return None;
    }
    Some(Bv::new(width, u128::from_str_radix(digits, radix).ok()?))
}

/// A floating-point constant.
pub(crate) fn float(float: Float) -> String {
    let format = float.format();
    let (e, s) = (format.exponent_bits(), format.significand_bits());
    match float.class() {
        FloatClass::Nan => format!("(_ NaN {e} {s})"),
        _ => {
            let part = |bits: u128, width: u32| Bv::new(width, bits);
            let sign = part(float.is_negative().into(), 1);
            let exponent = part(float.raw_exponent().into(), e);
            let fraction = part(float.raw_fraction(), s - 1);
            format!("(fp {} {} {})", bits(sign), bits(exponent), bits(fraction))
        }
    }
}

/// The bits of the one not-a-number.
pub(crate) fn nan_bits(sort: Sort) -> String {
    match sort {
        Sort::Float(format) => bits(Bv::new(format.width(), Float::nan(format).bits())),
        _ => String::new(),
    }
}

/// The special value `(_ name e s)` of a format.
pub(crate) fn special(name: &str, format: FloatFormat) -> Option<Float> {
    Some(match name {
        "NaN" => Float::nan(format),
        "+oo" => Float::infinity(format, false),
        "-oo" => Float::infinity(format, true),
        "+zero" => Float::zero(format, false),
        "-zero" => Float::zero(format, true),
        _ => return None,
    })
}

/// An array constant: writes onto an array with one element everywhere.
pub(crate) fn array(array: &ArrayValue) -> String {
    let mut text = "(store ".repeat(array.len());
    let _ = write!(text, "((as const {}) {})", array.sort(), smtlib::literal(array.default()));
    for (index, value) in array.entries() {
        let _ = write!(text, " {} {})", smtlib::literal(index), smtlib::literal(value));
    }
    text
}
