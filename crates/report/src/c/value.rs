//! Scalars of C programs as people and compilers read them.

use parallax_cfa::{FloatKind, Scalar, ScalarType};

/// A value for people: `-7`, `4294967295`, `2.5`, `NULL`.
pub fn shown_scalar(value: Scalar) -> String {
    match value.ty {
        ScalarType::Pointer { .. } if value.bits == 0 => String::from("NULL"),
        ScalarType::Pointer { .. } => format!("{:#x}", value.bits),
        ScalarType::Float(FloatKind::Float) => format!("{:?}", f32::from_bits(value.bits as u32)),
        ScalarType::Float(FloatKind::Double) => format!("{:?}", f64::from_bits(value.bits as u64)),
        ScalarType::Float(_) => c_literal(value),
        ScalarType::Int { signed: false, .. } => value.bits.to_string(),
        ScalarType::Int { .. } | ScalarType::Bool => value.as_int().to_string(),
    }
}

/// A constant expression of C with exactly this value, for a compiler.
pub fn c_literal(value: Scalar) -> String {
    match value.ty {
        ScalarType::Bool => value.bits.to_string(),
        ScalarType::Pointer { .. } => format!("(void *){:#x}UL", value.bits),
        ScalarType::Float(kind) => float_literal(kind, value.bits),
        ScalarType::Int { bits, signed: false } => {
            if bits > 64 {
                return halves("unsigned __int128", value.bits);
            }
            format!("{}U{}", value.bits, if bits > 32 { "LL" } else { "" })
        }
        ScalarType::Int { bits, signed: true } => {
            let number = value.as_int();
            match () {
                () if bits > 64 => halves("__int128", value.bits),
                () if number == i128::from(i64::MIN) => "(-9223372036854775807LL - 1)".into(),
                () if bits > 32 => format!("{number}LL"),
                () if number == i128::from(i32::MIN) => "(-2147483647 - 1)".into(),
                () => number.to_string(),
            }
        }
    }
}

/// A number of 128 bits, which no literal can hold.
fn halves(ty: &str, bits: u128) -> String {
    let (high, low) = ((bits >> 64) as u64, bits as u64);
    format!("({ty})((unsigned __int128){high:#x}ULL << 64 | {low:#x}ULL)")
}

/// A float by its encoding, exactly: as a hexadecimal literal.
fn float_literal(kind: FloatKind, bits: u128) -> String {
    // Bits of the exponent, bits of the fraction, whether the first bit of the
    // significand is written, and the suffix of literals.
    let (exponent_bits, fraction_bits, explicit, suffix) = match kind {
        FloatKind::Float => (8, 23, false, "f"),
        FloatKind::Double => (11, 52, false, ""),
        FloatKind::LongDouble => (15, 63, true, "L"),
        FloatKind::Float128 => (15, 112, false, "Q"),
    };
    let shift = fraction_bits + u32::from(explicit);
    let is_negative = bits >> (shift + exponent_bits) & 1 == 1;
    let exponent = (bits >> shift & ((1 << exponent_bits) - 1)) as i64;
    let fraction = bits & ((1 << fraction_bits) - 1);
    let sign = if is_negative { "-" } else { "" };
    let call = |name: &str| match kind {
        FloatKind::Float => format!("{sign}__builtin_{name}f"),
        FloatKind::Double => format!("{sign}__builtin_{name}"),
        _ => format!("{sign}__builtin_{name}l"),
    };
    let bias = (1i64 << (exponent_bits - 1)) - 1;
    if exponent == (1 << exponent_bits) - 1 {
        return if fraction == 0 { call("inf") + "()" } else { call("nan") + "(\"\")" };
    }
    let one = if exponent == 0 { 0 } else { 1u128 << fraction_bits };
    let power = exponent.max(1) - bias - i64::from(fraction_bits);
    format!("{sign}{:#x}p{power}{suffix}", one | fraction)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_for_people_and_compilers() {
        let int = |bits, signed| ScalarType::Int { bits, signed };
        let check = |ty: ScalarType, bits: u128, text: &str, literal: &str| {
            let value = Scalar { ty, bits };
            assert_eq!((shown_scalar(value).as_str(), c_literal(value).as_str()), (text, literal));
        };
        check(int(32, true), 5, "5", "5");
        let least = i128::from(i32::MIN) as u128;
        check(int(32, true), least, "-2147483648", "(-2147483647 - 1)");
        check(int(32, false), 0xffff_ffff, "4294967295", "4294967295U");
        let least = i128::from(i64::MIN) as u128;
        check(int(64, true), least, "-9223372036854775808", "(-9223372036854775807LL - 1)");
        check(
            int(64, false),
            u128::from(u64::MAX),
            "18446744073709551615",
            "18446744073709551615ULL",
        );
        check(ScalarType::Bool, 1, "1", "1");
        check(ScalarType::Pointer { bits: 64 }, 0, "NULL", "(void *)0x0UL");
        let double = ScalarType::Float(FloatKind::Double);
        check(double, u128::from(2.5f64.to_bits()), "2.5", "0x14000000000000p-51");
        check(double, u128::from((-0.0f64).to_bits()), "-0.0", "-0x0p-1074");
        check(double, u128::from(f64::INFINITY.to_bits()), "inf", "__builtin_inf()");
        let float = ScalarType::Float(FloatKind::Float);
        check(float, u128::from(1.0f32.to_bits()), "1.0", "0x800000p-23f");
    }
}
