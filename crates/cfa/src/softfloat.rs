//! Floating-point arithmetic on encodings, in the four formats C has on x86.
//!
//! `float` and `double` use the machine, whose basic operations are IEEE exact;
//! the x87 and quadruple formats use `rustc_apfloat`. Rounding is to nearest,
//! ties to even. Square roots of the long formats are computed digit by digit
//! with a sticky bit, so they are correctly rounded as well.

use crate::{Binary, FloatFunction, FloatKind};
use rustc_apfloat::ieee::{Double, Quad, Single, X87DoubleExtended};
use rustc_apfloat::{Float, FloatConvert, Round};
use std::cmp::Ordering;

fn f32_of(bits: u128) -> f32 {
    f32::from_bits(bits as u32)
}

fn f64_of(bits: u128) -> f64 {
    f64::from_bits(bits as u64)
}

fn to32(value: f32) -> u128 {
    u128::from(value.to_bits())
}

fn to64(value: f64) -> u128 {
    u128::from(value.to_bits())
}

/// Runs an expression with `$f` bound to the software type of a kind.
macro_rules! with_format {
    ($kind:expr, $f:ident => $body:expr) => {
        match $kind {
            FloatKind::Float => {
                type $f = Single;
                $body
            }
            FloatKind::Double => {
                type $f = Double;
                $body
            }
            FloatKind::LongDouble => {
                type $f = X87DoubleExtended;
                $body
            }
            FloatKind::Float128 => {
                type $f = Quad;
                $body
            }
        }
    };
}

/// The bit that holds the sign.
fn sign_bit(kind: FloatKind) -> u128 {
    match kind {
        FloatKind::Float => 1 << 31,
        FloatKind::Double => 1 << 63,
        FloatKind::LongDouble => 1 << 79,
        FloatKind::Float128 => 1 << 127,
    }
}

/// Whether it is a zero of either sign.
pub(crate) fn is_zero(kind: FloatKind, bits: u128) -> bool {
    bits & !sign_bit(kind) == 0
}

/// The value with the other sign.
pub(crate) fn negate(kind: FloatKind, bits: u128) -> u128 {
    bits ^ sign_bit(kind)
}

/// From one format to another, rounded.
pub(crate) fn convert(from: FloatKind, to: FloatKind, bits: u128) -> u128 {
    match (from, to) {
        (FloatKind::Float, FloatKind::Double) => to64(f64::from(f32_of(bits))),
        (FloatKind::Double, FloatKind::Float) => to32(f64_of(bits) as f32),
        _ if from == to => bits,
        _ => with_format!(from, A => with_format!(to, B => {
            let mut lossy = false;
            let value: B = A::from_bits(bits).convert(&mut lossy).value;
            value.to_bits()
        })),
    }
}

/// Toward zero to an integer of some width; and whether it fits. What does not
/// fit gives the nearest value, not-a-number gives zero.
pub(crate) fn to_int(kind: FloatKind, bits: u128, width: u32, signed: bool) -> (u128, bool) {
    with_format!(kind, F => {
        let value = F::from_bits(bits);
        let mut exact = false;
        let width = width as usize;
        if signed {
            let out = value.to_i128_r(width, Round::TowardZero, &mut exact);
            (out.value as u128, !out.status.contains(rustc_apfloat::Status::INVALID_OP))
        } else {
            let out = value.to_u128_r(width, Round::TowardZero, &mut exact);
            (out.value, !out.status.contains(rustc_apfloat::Status::INVALID_OP))
        }
    })
}

/// From canonical bits of an integer, which are those of an `i128` unless
/// `wide_unsigned`.
pub(crate) fn from_int(kind: FloatKind, value: u128, wide_unsigned: bool) -> u128 {
    match kind {
        FloatKind::Float if wide_unsigned => to32(value as f32),
        FloatKind::Float => to32((value as i128) as f32),
        FloatKind::Double if wide_unsigned => to64(value as f64),
        FloatKind::Double => to64((value as i128) as f64),
        _ => with_format!(kind, F => {
            let out = if wide_unsigned { F::from_u128(value) } else { F::from_i128(value as i128) };
            out.value.to_bits()
        }),
    }
}

/// Arithmetic and comparisons.
pub(crate) fn binary(op: Binary, kind: FloatKind, a: u128, b: u128) -> u128 {
    if let Some(truth) = compare(op, kind, a, b) {
        return u128::from(truth);
    }
    match kind {
        FloatKind::Float => {
            let (x, y) = (f32_of(a), f32_of(b));
            to32(match op {
                Binary::Add => x + y,
                Binary::Sub => x - y,
                Binary::Mul => x * y,
                Binary::Div => x / y,
                _ => x % y,
            })
        }
        FloatKind::Double => {
            let (x, y) = (f64_of(a), f64_of(b));
            to64(match op {
                Binary::Add => x + y,
                Binary::Sub => x - y,
                Binary::Mul => x * y,
                Binary::Div => x / y,
                _ => x % y,
            })
        }
        _ => with_format!(kind, F => {
            let (x, y) = (F::from_bits(a), F::from_bits(b));
            let out = match op {
                Binary::Add => x + y,
                Binary::Sub => x - y,
                Binary::Mul => x * y,
                Binary::Div => x / y,
                _ => x.c_fmod(y),
            };
            // An invalid operation on x86 makes the negative default NaN.
            if out.value.is_nan() && !x.is_nan() && !y.is_nan() {
                (-F::qnan(None)).to_bits()
            } else {
                out.value.to_bits()
            }
        }),
    }
}

fn compare(op: Binary, kind: FloatKind, a: u128, b: u128) -> Option<bool> {
    let order = with_format!(kind, F => F::from_bits(a).partial_cmp(&F::from_bits(b)));
    Some(match op {
        Binary::Eq => order == Some(Ordering::Equal),
        Binary::Ne => order != Some(Ordering::Equal),
        Binary::Lt => order == Some(Ordering::Less),
        Binary::Le => matches!(order, Some(Ordering::Less | Ordering::Equal)),
        Binary::Gt => order == Some(Ordering::Greater),
        Binary::Ge => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
        _ => return None,
    })
}

/// A function of `math.h`.
pub(crate) fn function(function: FloatFunction, kind: FloatKind, bits: u128) -> u128 {
    use FloatFunction as F;
    let rounding = match function {
        F::Floor => Round::TowardNegative,
        F::Ceil => Round::TowardPositive,
        F::Trunc => Round::TowardZero,
        F::Round => Round::NearestTiesToAway,
        F::Rint => Round::NearestTiesToEven,
        F::Fabs => return bits & !sign_bit(kind),
        F::Sqrt => return square_root(kind, bits),
        F::SignBit => return u128::from(bits & sign_bit(kind) != 0),
        F::IsNan | F::IsInf | F::IsFinite | F::IsNormal => {
            return with_format!(kind, T => {
                let value = T::from_bits(bits);
                u128::from(match function {
                    F::IsNan => value.is_nan(),
                    F::IsInf => value.is_infinite(),
                    F::IsFinite => value.is_finite(),
                    _ => value.is_normal(),
                })
            });
        }
    };
    with_format!(kind, T => T::from_bits(bits).round_to_integral(rounding).value.to_bits())
}

fn square_root(kind: FloatKind, bits: u128) -> u128 {
    match kind {
        FloatKind::Float => to32(f32_of(bits).sqrt()),
        FloatKind::Double => to64(f64_of(bits).sqrt()),
        _ => with_format!(kind, F => {
            let value = F::from_bits(bits);
            if value.is_nan() || value.is_zero() || value.is_pos_infinity() {
                return bits;
            }
            if value.is_negative() {
                return (-F::qnan(None)).to_bits();
            }
            let precision = F::PRECISION as i32;
            let mut exponent = value.ilogb() - (precision - 1);
            let mut integer = value.scalbn(-exponent).to_u128(128).value;
            if exponent & 1 != 0 {
                integer <<= 1;
                exponent -= 1;
            }
            // value = integer * 2^exponent, the exponent even. The root gets
            // `extra` more binary places and a sticky bit.
            let extra = precision / 2 + 4;
            let (root, exact) = integer_root(integer, extra as u32);
            let with_sticky = (root << 1) | u128::from(!exact);
            F::from_u128(with_sticky).value.scalbn(exponent / 2 - extra - 1).to_bits()
        }),
    }
}

/// The integer part of `sqrt(n) * 2^places`, and whether that is exact.
fn integer_root(n: u128, places: u32) -> (u128, bool) {
    let (mut root, mut rest) = (0u128, 0u128);
    for pair in (0..64 + places).rev() {
        let digits = if pair >= places { (n >> (2 * (pair - places))) & 3 } else { 0 };
        rest = (rest << 2) | digits;
        let trial = (root << 2) | 1;
        root <<= 1;
        if trial <= rest {
            rest -= trial;
            root |= 1;
        }
    }
    (root, rest == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_roots_agree_with_double_where_exact() {
        for value in [4.0f64, 2.25, 1e10, 0.0625, 9007199254740992.0] {
            for kind in [FloatKind::LongDouble, FloatKind::Float128] {
                let long = convert(FloatKind::Double, kind, to64(value));
                let root = square_root(kind, long);
                assert_eq!(
                    f64_of(convert(kind, FloatKind::Double, root)),
                    value.sqrt(),
                    "{value} {kind:?}"
                );
            }
        }
    }

    #[test]
    fn conversions_to_integers_say_whether_they_fit() {
        let check = |value: f64, width, signed, expected: (i128, bool)| {
            let (bits, fits) = to_int(FloatKind::Double, to64(value), width, signed);
            assert_eq!((bits as i128, fits), expected, "{value} {width} {signed}");
        };
        check(2147483647.9, 32, true, (i128::from(i32::MAX), true));
        check(2147483648.0, 32, true, (i128::from(i32::MAX), false));
        check(-2147483648.5, 32, true, (i128::from(i32::MIN), true));
        check(-0.9, 32, false, (0, true));
        check(-1.0, 32, false, (0, false));
        check(f64::NAN, 64, true, (0, false));
    }
}
