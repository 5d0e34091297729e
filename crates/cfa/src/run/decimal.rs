//! Floats as decimal text, as `printf` writes them: exact digits, rounded to
//! nearest, ties to even.

use crate::FloatKind;

/// A float taken apart: `mantissa * 2^exponent`, or not finite.
enum Parts {
    Finite(u128, i32),
    Infinite,
    Nan,
}

fn take_apart(kind: FloatKind, bits: u128) -> (bool, Parts) {
    let (exponent_bits, fraction_bits, explicit) = match kind {
        FloatKind::Float => (8, 23, false),
        FloatKind::Double => (11, 52, false),
        FloatKind::LongDouble => (15, 64, true),
        FloatKind::Float128 => (15, 112, false),
    };
    let negative = bits >> (exponent_bits + fraction_bits) & 1 != 0;
    let biased = (bits >> fraction_bits) as u32 & ((1 << exponent_bits) - 1);
    let fraction = bits & ((1 << fraction_bits) - 1);
    let bias = (1 << (exponent_bits - 1)) - 1;
    let places = fraction_bits - i32::from(explicit);
    if biased == (1 << exponent_bits) - 1 {
        let payload = if explicit { fraction << 1 & u128::from(u64::MAX) } else { fraction };
        return (negative, if payload == 0 { Parts::Infinite } else { Parts::Nan });
    }
    let hidden = if explicit || biased == 0 { 0 } else { 1 << fraction_bits };
    let exponent = biased.max(1) as i32 - bias - places;
    (negative, Parts::Finite(fraction | hidden, exponent))
}

/// A natural number in base 10^9, lowest limb first.
struct Natural(Vec<u32>);

impl Natural {
    const BASE: u64 = 1_000_000_000;

    fn new(mut value: u128) -> Natural {
        let mut limbs = Vec::new();
        while value > 0 {
            limbs.push((value % u128::from(Natural::BASE)) as u32);
            value /= u128::from(Natural::BASE);
        }
        Natural(limbs)
    }

    fn multiply(&mut self, factor: u32) {
        let mut carry = 0;
        for limb in &mut self.0 {
            carry += u64::from(*limb) * u64::from(factor);
            *limb = (carry % Natural::BASE) as u32;
            carry /= Natural::BASE;
        }
        if carry > 0 {
            self.0.push(carry as u32);
        }
    }

    /// Multiplies by a power, in chunks that fit a limb.
    fn multiply_power(&mut self, base: u32, mut power: u32, chunk: u32) {
        while power > 0 {
            let step = power.min(chunk);
            self.multiply(base.pow(step));
            power -= step;
        }
    }

    /// Decimal digits, highest first, without leading zeros.
    fn digits(&self) -> Vec<u8> {
        let mut digits = Vec::new();
        for (position, limb) in self.0.iter().rev().enumerate() {
            let text = if position == 0 { format!("{limb}") } else { format!("{limb:09}") };
            digits.extend(text.bytes().map(|b| b - b'0'));
        }
        digits
    }
}

/// Exact digits of a finite value, and how many are behind the point.
fn expand(mantissa: u128, exponent: i32) -> (Vec<u8>, usize) {
    if mantissa == 0 {
        return (Vec::new(), 0);
    }
    let spare = mantissa.trailing_zeros().min(exponent.min(0).unsigned_abs());
    let exponent = exponent + spare as i32;
    let mut number = Natural::new(mantissa >> spare);
    if exponent >= 0 {
        number.multiply_power(2, exponent as u32, 29);
        (number.digits(), 0)
    } else {
        let places = exponent.unsigned_abs();
        number.multiply_power(5, places, 13);
        (number.digits(), places as usize)
    }
}

/// Keeps `count` digits and rounds; whether a digit was added in front.
fn round(digits: &mut Vec<u8>, count: usize) -> bool {
    if count >= digits.len() {
        digits.resize(count, 0);
        return false;
    }
    let rest = digits.split_off(count);
    let up = match rest[0].cmp(&5) {
        std::cmp::Ordering::Less => false,
        std::cmp::Ordering::Greater => true,
        std::cmp::Ordering::Equal => {
            rest[1..].iter().any(|d| *d != 0) || digits.last().is_some_and(|d| d % 2 == 1)
        }
    };
    if !up {
        return false;
    }
    for digit in digits.iter_mut().rev() {
        if *digit < 9 {
            *digit += 1;
            return false;
        }
        *digit = 0;
    }
    digits.insert(0, 1);
    true
}

fn push_digits(text: &mut String, digits: &[u8]) {
    text.extend(digits.iter().map(|d| char::from(b'0' + d)));
}

/// As `%f`: digits with a point and `precision` digits behind it.
fn fixed(digits: &[u8], places: usize, precision: usize, point: bool) -> String {
    // Give the number at least one digit before the point.
    let mut all = vec![0; (places + 1).saturating_sub(digits.len())];
    all.extend_from_slice(digits);
    let mut whole = all.len() - places;
    if round(&mut all, whole + precision) {
        whole += 1;
    }
    let mut text = String::new();
    push_digits(&mut text, &all[..whole]);
    if precision > 0 || point {
        text.push('.');
        push_digits(&mut text, &all[whole..]);
    }
    text
}

/// As `%e`: the digits of the significand and the exponent.
fn significant(digits: &[u8], places: usize, count: usize) -> (Vec<u8>, i32) {
    let mut all = digits.to_vec();
    if all.is_empty() {
        return (vec![0; count], 0);
    }
    let mut exponent = all.len() as i32 - 1 - places as i32;
    if round(&mut all, count) {
        exponent += 1;
        all.truncate(count);
    }
    (all, exponent)
}

fn scientific(digits: &[u8], exponent: i32, point: bool) -> String {
    let mut text = String::new();
    push_digits(&mut text, &digits[..1]);
    if digits.len() > 1 || point {
        text.push('.');
        push_digits(&mut text, &digits[1..]);
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    text.push_str(&format!("e{sign}{:02}", exponent.abs()));
    text
}

/// The text of a float without its sign, and whether it is negative. The
/// conversion is one of `f`, `e`, `g`, `a`; `alternate` is the flag `#`.
pub(crate) fn format_float(
    kind: FloatKind,
    bits: u128,
    conversion: u8,
    precision: Option<usize>,
    alternate: bool,
) -> (bool, String) {
    let (negative, parts) = take_apart(kind, bits);
    let (mantissa, exponent) = match parts {
        Parts::Infinite => return (negative, "inf".into()),
        Parts::Nan => return (negative, "nan".into()),
        Parts::Finite(mantissa, exponent) => (mantissa, exponent),
    };
    if conversion == b'a' {
        return (negative, hexadecimal(kind, mantissa, exponent));
    }
    let (digits, places) = expand(mantissa, exponent);
    let precision = precision.unwrap_or(6);
    let text = match conversion {
        b'f' => fixed(&digits, places, precision, alternate),
        b'e' => {
            let (digits, exponent) = significant(&digits, places, precision + 1);
            scientific(&digits, exponent, alternate)
        }
        _ => {
            let precision = precision.max(1);
            let (rounded, exponent) = significant(&digits, places, precision);
            let text = if exponent < -4 || exponent >= precision as i32 {
                let mut kept = rounded;
                while !alternate && kept.len() > 1 && kept.last() == Some(&0) {
                    kept.pop();
                }
                return (negative, scientific(&kept, exponent, alternate));
            } else {
                fixed(&digits, places, (precision as i32 - 1 - exponent) as usize, alternate)
            };
            if alternate || !text.contains('.') {
                text
            } else {
                text.trim_end_matches('0').trim_end_matches('.').to_string()
            }
        }
    };
    (negative, text)
}

/// As `%a`, with as many digits as the value has.
fn hexadecimal(kind: FloatKind, mantissa: u128, exponent: i32) -> String {
    if mantissa == 0 {
        return "0x0p+0".into();
    }
    // The leading digit: one bit, or four for the x87 format.
    let lead = if kind == FloatKind::LongDouble { 4 } else { 1 };
    let width = 128 - mantissa.leading_zeros() as i32;
    let normalized = mantissa << mantissa.leading_zeros();
    let first = normalized >> (128 - lead);
    let mut rest = normalized << lead;
    let mut text = format!("0x{first:x}");
    if rest != 0 {
        text.push('.');
        while rest != 0 {
            text.push_str(&format!("{:x}", rest >> 124));
            rest <<= 4;
        }
    }
    let power = exponent + width - lead;
    text.push_str(&format!("p{}{}", if power < 0 { '-' } else { '+' }, power.abs()));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_as_the_c_library_writes_them() {
        let check = |value: f64, conversion, precision, expected: &str| {
            let (negative, text) = format_float(
                FloatKind::Double,
                u128::from(value.to_bits()),
                conversion,
                precision,
                false,
            );
            let sign = if negative { "-" } else { "" };
            assert_eq!(format!("{sign}{text}"), expected, "{value}");
        };
        check(0.5, b'f', Some(0), "0");
        check(1.5, b'f', Some(0), "2");
        check(2.5, b'f', Some(0), "2");
        check(-0.0, b'f', None, "-0.000000");
        check(0.1, b'f', Some(20), "0.10000000000000000555");
        check(99.9999999, b'f', None, "100.000000");
        check(1e22, b'f', Some(1), "10000000000000000000000.0");
        check(12345.678, b'e', Some(3), "1.235e+04");
        check(9.9999e-10, b'e', Some(2), "1.00e-09");
        check(0.0, b'e', None, "0.000000e+00");
        check(100000.0, b'g', None, "100000");
        check(1000000.0, b'g', None, "1e+06");
        check(0.0001, b'g', None, "0.0001");
        check(0.00001234, b'g', None, "1.234e-05");
        check(0.0, b'g', None, "0");
        check(3.0, b'g', Some(17), "3");
        check(1.0, b'a', None, "0x1p+0");
        check(-0.75, b'a', None, "-0x1.8p-1");
        check(5e-324, b'g', Some(5), "4.9407e-324");
        check(f64::INFINITY, b'g', None, "inf");
    }
}
