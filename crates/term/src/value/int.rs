//! Integers of any size, fast while they fit a machine word.
//!
//! Models compute over mathematical integers, yet nearly every value a search
//! meets is small. [`Int`] keeps an `i64` in place and moves to a big integer
//! on overflow. Invariant: `Big` is used only for values outside `i64`, so
//! derived equality and hashing are those of the numbers.

use dashu_int::ops::{BitTest, DivRemEuclid, Gcd};
use dashu_int::{IBig, UBig};
use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, Mul, Neg, Sub};
use std::str::FromStr;

/// A mathematical integer.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Int(Repr);

#[derive(Clone, PartialEq, Eq, Hash)]
enum Repr {
    Small(i64),
    Big(Box<IBig>),
}
use Repr::{Big, Small};

impl Int {
    /// Zero.
    pub const ZERO: Int = Int(Small(0));
    /// One.
    pub const ONE: Int = Int(Small(1));

    fn from_big(value: IBig) -> Int {
        match i64::try_from(&value) {
            Ok(small) => Int(Small(small)),
            Err(_) => Int(Big(Box::new(value))),
        }
    }

    fn to_big(&self) -> IBig {
        match &self.0 {
            Small(v) => IBig::from(*v),
            Big(v) => (**v).clone(),
        }
    }

    /// The value as a machine word, if it fits.
    pub fn to_i64(&self) -> Option<i64> {
        match self.0 {
            Small(v) => Some(v),
            Big(_) => None,
        }
    }

    /// A number from the widest unsigned word.
    pub fn from_u128(value: u128) -> Int {
        i64::try_from(value).map_or_else(|_| Int::from_big(IBig::from(value)), Int::from)
    }

    /// A number from the widest signed word.
    pub fn from_i128(value: i128) -> Int {
        i64::try_from(value).map_or_else(|_| Int::from_big(IBig::from(value)), Int::from)
    }

    /// `2^exponent`
    pub fn power_of_two(exponent: u32) -> Int {
        Int::from_big(IBig::ONE << exponent as usize)
    }

    /// The value as the widest unsigned word, if it fits.
    pub fn to_u128(&self) -> Option<u128> {
        match &self.0 {
            Small(v) => u128::try_from(*v).ok(),
            Big(v) => u128::try_from(&**v).ok(),
        }
    }

    /// A number that is not negative.
    pub(crate) fn from_ubig(value: UBig) -> Int {
        Int::from_big(value.into())
    }

    /// The absolute value, for arithmetic on it.
    pub(crate) fn to_ubig(&self) -> UBig {
        UBig::try_from(self.abs().to_big()).unwrap_or(UBig::ZERO)
    }

    /// The lowest 128 bits in two's complement.
    pub(crate) fn low_bits(&self) -> u128 {
        match &self.0 {
            Small(v) => i128::from(*v) as u128,
            Big(v) => {
                let modulus = IBig::ONE << 128;
                let rest = (**v).clone().div_rem_euclid(modulus).1;
                u128::try_from(&rest).unwrap_or_default()
            }
        }
    }

    /// How many bits the absolute value takes; at most 64 for a machine word.
    pub fn bits(&self) -> usize {
        match &self.0 {
            Small(_) => 64,
            Big(v) => v.bit_len(),
        }
    }

    /// -1, 0 or 1.
    pub fn signum(&self) -> i32 {
        match &self.0 {
            Small(v) => v.signum() as i32,
            Big(v) => {
                if **v < IBig::ZERO {
                    -1
                } else {
                    1
                }
            }
        }
    }

    /// Whether the number is zero.
    pub fn is_zero(&self) -> bool {
        self.0 == Small(0)
    }

    /// Whether the number is one.
    pub fn is_one(&self) -> bool {
        self.0 == Small(1)
    }

    /// The absolute value.
    #[must_use]
    pub fn abs(&self) -> Int {
        if self.signum() < 0 { -self } else { self.clone() }
    }

    /// Euclidean quotient and remainder as in SMT-LIB: the remainder is never
    /// negative. `None` for a zero divisor.
    pub fn div_rem_euclid(&self, divisor: &Int) -> Option<(Int, Int)> {
        if divisor.is_zero() {
            return None;
        }
        if let (Small(a), Small(b)) = (&self.0, &divisor.0)
            && let (Some(q), Some(r)) = (a.checked_div_euclid(*b), a.checked_rem_euclid(*b))
        {
            return Some((Int(Small(q)), Int(Small(r))));
        }
        let (q, r) = self.to_big().div_rem_euclid(divisor.to_big());
        Some((Int::from_big(q), Int::from_big(r.into())))
    }

    /// Quotient rounded towards minus infinity; the divisor must be positive.
    #[must_use]
    pub fn div_floor(&self, divisor: &Int) -> Int {
        debug_assert!(divisor.signum() > 0);
        // For a positive divisor the Euclidean quotient is the floor.
        self.div_rem_euclid(divisor).map_or(Int::ZERO, |(q, _)| q)
    }

    /// Greatest common divisor, never negative; `gcd(0, 0)` is 0.
    #[must_use]
    pub fn gcd(&self, other: &Int) -> Int {
        if self.is_zero() {
            return other.abs();
        }
        if other.is_zero() {
            return self.abs();
        }
        if let (Small(a), Small(b)) = (&self.0, &other.0) {
            let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
            while b != 0 {
                (a, b) = (b, a % b);
            }
            return i64::try_from(a).map_or_else(|_| Int::from_big(IBig::from(a)), Int::from);
        }
        Int::from_big(self.to_big().gcd(other.to_big()).into())
    }
}

impl From<i64> for Int {
    fn from(value: i64) -> Int {
        Int(Small(value))
    }
}

impl FromStr for Int {
    type Err = String;

    /// Decimal digits with an optional sign.
    fn from_str(text: &str) -> Result<Int, String> {
        if let Ok(small) = text.parse::<i64>() {
            return Ok(Int(Small(small)));
        }
        let digits = text.strip_prefix('-').unwrap_or(text);
        if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return Err(format!("`{text}` is not an integer"));
        }
        IBig::from_str(text).map(Int::from_big).map_err(|e| e.to_string())
    }
}

impl fmt::Display for Int {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Small(v) => fmt::Display::fmt(v, f),
            Big(v) => fmt::Display::fmt(v, f),
        }
    }
}

impl fmt::Debug for Int {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl PartialOrd for Int {
    fn partial_cmp(&self, other: &Int) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Int {
    fn cmp(&self, other: &Int) -> Ordering {
        match (&self.0, &other.0) {
            (Small(a), Small(b)) => a.cmp(b),
            (Big(a), Big(b)) => a.cmp(b),
            // A big number lies outside i64, so its sign decides.
            (Small(_), Big(_)) => 0.cmp(&other.signum()),
            (Big(_), Small(_)) => self.signum().cmp(&0),
        }
    }
}

impl Neg for &Int {
    type Output = Int;
    fn neg(self) -> Int {
        match &self.0 {
            Small(v) => v.checked_neg().map_or_else(|| Int::from_big(-IBig::from(*v)), Int::from),
            Big(v) => Int::from_big(-(**v).clone()),
        }
    }
}

macro_rules! operator {
    ($trait:ident, $method:ident, $checked:ident) => {
        impl $trait for &Int {
            type Output = Int;
            fn $method(self, other: &Int) -> Int {
                if let (Small(a), Small(b)) = (&self.0, &other.0)
                    && let Some(value) = a.$checked(*b)
                {
                    return Int(Small(value));
                }
                Int::from_big(self.to_big().$method(other.to_big()))
            }
        }
    };
}
operator!(Add, add, checked_add);
operator!(Sub, sub, checked_sub);
operator!(Mul, mul, checked_mul);

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn near_the_edge() -> impl Strategy<Value = i128> {
        let word = i128::from(i64::MAX);
        prop_oneof![
            -100i128..100,
            word - 50..word + 50,
            -word - 50..-word + 50,
            any::<i64>().prop_map(i128::from)
        ]
    }

    fn int(value: i128) -> Int {
        value.to_string().parse().expect("decimal digits")
    }

    proptest! {
        #[test]
        fn agrees_with_wide_machine_arithmetic(a in near_the_edge(), b in near_the_edge()) {
            prop_assert_eq!(&int(a) + &int(b), int(a + b));
            prop_assert_eq!(&int(a) - &int(b), int(a - b));
            prop_assert_eq!(-&int(a), int(-a));
            prop_assert_eq!(int(a).cmp(&int(b)), a.cmp(&b));
            if let Some(product) = a.checked_mul(b) {
                prop_assert_eq!(&int(a) * &int(b), int(product));
            }
            if b != 0 {
                let expected = (int(a.div_euclid(b)), int(a.rem_euclid(b)));
                prop_assert_eq!(int(a).div_rem_euclid(&int(b)), Some(expected));
            }
        }
    }

    #[test]
    fn ten_thousand_digits_survive_a_round_trip() {
        let text = "7".repeat(10_000);
        let n: Int = text.parse().expect("digits");
        assert_eq!(n.to_string(), text);
        assert!("12x".parse::<Int>().is_err() && "-".parse::<Int>().is_err());
    }
}
