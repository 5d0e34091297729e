//! Arithmetic on scalar values of any type, exact.
//!
//! One definition of what every operator of the program form computes, on
//! canonical bits (see [`crate::ScalarType`]). Folding uses it as it is; the
//! interpreter has faster paths for common widths that agree with it. What C
//! leaves undefined has the fixed value that the expressions document.

use crate::{Binary, BitFunction, ScalarType, Unary, softfloat};

/// The canonical bits of an integer or pointer modulo its width.
pub fn wrap(ty: ScalarType, value: u128) -> u128 {
    match ty {
        ScalarType::Bool => u128::from(value != 0),
        ScalarType::Int { bits, signed } => {
            let unused = 128 - bits;
            if signed {
                (((value << unused) as i128) >> unused) as u128
            } else {
                (value << unused) >> unused
            }
        }
        ScalarType::Pointer { bits } => (value << (128 - bits)) >> (128 - bits),
        ScalarType::Float(_) => value,
    }
}

/// Whether a value counts as true.
pub fn is_true(ty: ScalarType, value: u128) -> bool {
    match ty {
        ScalarType::Float(kind) => !softfloat::is_zero(kind, value),
        _ => value != 0,
    }
}

/// A conversion between scalar types.
pub fn convert(from: ScalarType, to: ScalarType, value: u128) -> u128 {
    match (from, to) {
        (_, ScalarType::Bool) => u128::from(is_true(from, value)),
        (ScalarType::Float(a), ScalarType::Float(b)) => softfloat::convert(a, b, value),
        (ScalarType::Float(kind), _) => {
            // Out of range is undefined; the nearest value, taken modulo the
            // width of at least `int`, is as good as any.
            let signed = to.is_signed();
            wrap(to, softfloat::to_int(kind, value, to.bits().max(32), signed).0)
        }
        (_, ScalarType::Float(kind)) => softfloat::from_int(kind, value, is_wide_unsigned(from)),
        _ => wrap(to, value),
    }
}

/// Whether a conversion from a float has a result that fits the integer type.
pub fn float_fits(from: ScalarType, to: ScalarType, value: u128) -> bool {
    match (from, to) {
        (ScalarType::Float(kind), ScalarType::Int { bits, signed }) => {
            softfloat::to_int(kind, value, bits, signed).1
        }
        _ => true,
    }
}

fn is_wide_unsigned(ty: ScalarType) -> bool {
    matches!(ty, ScalarType::Int { bits: 128, signed: false })
}

/// The type of the result of a unary operator on a value of type `ty`.
pub fn unary_result(op: Unary, ty: ScalarType) -> ScalarType {
    use crate::FloatFunction::{IsFinite, IsInf, IsNan, IsNormal, SignBit};
    match op {
        Unary::Not | Unary::Float(IsNan | IsInf | IsFinite | IsNormal | SignBit) => ScalarType::INT,
        Unary::Bits(BitFunction::ByteSwap) => ty,
        Unary::Bits(_) => ScalarType::INT,
        _ => ty,
    }
}

/// A unary operator on a value of type `ty`.
pub fn unary(op: Unary, ty: ScalarType, value: u128) -> u128 {
    match (op, ty) {
        (Unary::Not, _) => u128::from(!is_true(ty, value)),
        (Unary::Neg, ScalarType::Float(kind)) => softfloat::negate(kind, value),
        (Unary::Neg, _) => wrap(ty, value.wrapping_neg()),
        (Unary::BitNot, _) => wrap(ty, !value),
        (Unary::Float(function), ScalarType::Float(kind)) => {
            softfloat::function(function, kind, value)
        }
        (Unary::Float(_), _) => value,
        (Unary::Bits(function), _) => {
            let unused = 128 - ty.bits();
            let plain = (value << unused) >> unused;
            match function {
                BitFunction::PopCount => u128::from(plain.count_ones()),
                BitFunction::LeadingZeros => u128::from(plain.leading_zeros() - unused),
                BitFunction::TrailingZeros => u128::from(plain.trailing_zeros().min(ty.bits())),
                BitFunction::ByteSwap => wrap(ty, plain.swap_bytes() >> unused),
            }
        }
    }
}

/// A binary operator on two values of type `ty`; the amount of a shift is the
/// canonical value of its own type.
pub fn binary(op: Binary, ty: ScalarType, a: u128, b: u128) -> u128 {
    if let ScalarType::Float(kind) = ty {
        return softfloat::binary(op, kind, a, b);
    }
    let signed = ty.is_signed();
    let in_range = b < u128::from(ty.bits());
    match op {
        Binary::Add => wrap(ty, a.wrapping_add(b)),
        Binary::Sub => wrap(ty, a.wrapping_sub(b)),
        Binary::Mul => wrap(ty, a.wrapping_mul(b)),
        Binary::Div | Binary::Rem if b == 0 => 0,
        Binary::Div if signed => wrap(ty, (a as i128).wrapping_div(b as i128) as u128),
        Binary::Div => a / b,
        Binary::Rem if signed => (a as i128).wrapping_rem(b as i128) as u128,
        Binary::Rem => a % b,
        Binary::Shl if in_range => wrap(ty, a << b),
        Binary::Shl => 0,
        Binary::Shr if signed => ((a as i128) >> if in_range { b } else { 127 }) as u128,
        Binary::Shr if in_range => a >> b,
        Binary::Shr => 0,
        Binary::BitAnd => a & b,
        Binary::BitOr => a | b,
        Binary::BitXor => a ^ b,
        Binary::Eq => u128::from(a == b),
        Binary::Ne => u128::from(a != b),
        Binary::Lt => u128::from(less(signed, a, b)),
        Binary::Le => u128::from(!less(signed, b, a)),
        Binary::Gt => u128::from(less(signed, b, a)),
        Binary::Ge => u128::from(!less(signed, a, b)),
    }
}

fn less(signed: bool, a: u128, b: u128) -> bool {
    if signed { (a as i128) < (b as i128) } else { a < b }
}

/// Whether a signed operator has a mathematical result that fits its type. The
/// quotient by zero is another matter and fits.
pub fn fits(op: Binary, ty: ScalarType, a: u128, b: u128) -> bool {
    let ScalarType::Int { bits, signed: true } = ty else { return true };
    let (x, y) = (a as i128, b as i128);
    let exact = match op {
        Binary::Add => x.checked_add(y),
        Binary::Sub => x.checked_sub(y),
        Binary::Mul => x.checked_mul(y),
        Binary::Div | Binary::Rem if y == 0 => return true,
        Binary::Div => x.checked_div(y),
        // The remainder is a part of the quotient's computation.
        Binary::Rem => x.checked_div(y),
        // A negative number must not be shifted to the left (C11 6.5.7).
        Binary::Shl if x < 0 => return false,
        Binary::Shl if b < u128::from(bits) => {
            let shifted = x.wrapping_shl(b as u32);
            (shifted.wrapping_shr(b as u32) == x).then_some(shifted)
        }
        _ => return true,
    };
    exact.is_some_and(|value| wrap(ty, value as u128) == value as u128)
}

/// Whether the negation of a signed value fits its type.
pub fn negation_fits(ty: ScalarType, a: u128) -> bool {
    fits(Binary::Sub, ty, 0, a)
}
