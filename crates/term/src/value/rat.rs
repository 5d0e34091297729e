//! Exact rationals over [`Int`].
//!
//! Invariant: the denominator is positive and shares no factor with the
//! numerator, so derived equality and hashing are those of the numbers.

use crate::Int;
use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, Mul, Neg, Sub};

/// A rational number in lowest terms.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Rat {
    num: Int,
    den: Int,
}

impl Rat {
    /// Zero.
    pub const ZERO: Rat = Rat { num: Int::ZERO, den: Int::ONE };
    /// One.
    pub const ONE: Rat = Rat { num: Int::ONE, den: Int::ONE };

    /// `num / den`; `None` if `den` is zero.
    pub fn new(num: Int, den: Int) -> Option<Rat> {
        if den.is_zero() { None } else { Some(Rat::reduced(num, den)) }
    }

    /// Lowest terms of `num / den` for a nonzero `den`.
    fn reduced(num: Int, den: Int) -> Rat {
        if den.is_one() {
            return Rat { num, den };
        }
        let gcd = num.gcd(&den);
        let gcd = if den.signum() < 0 { -&gcd } else { gcd };
        let part = |n: &Int| n.div_rem_euclid(&gcd).map_or(Int::ZERO, |(q, _)| q);
        Rat { num: part(&num), den: part(&den) }
    }

    /// The numerator of the reduced form.
    pub fn num(&self) -> &Int {
        &self.num
    }

    /// The positive denominator of the reduced form.
    pub fn den(&self) -> &Int {
        &self.den
    }

    /// The value as an integer, if it is one.
    pub fn to_int(&self) -> Option<&Int> {
        self.den.is_one().then_some(&self.num)
    }

    /// Whether the number is zero.
    pub fn is_zero(&self) -> bool {
        self.num.is_zero()
    }

    /// Whether the number is one.
    pub fn is_one(&self) -> bool {
        self.num.is_one() && self.den.is_one()
    }

    /// -1, 0 or 1.
    pub fn signum(&self) -> i32 {
        self.num.signum()
    }

    /// The multiplicative inverse; `None` for zero.
    pub fn inverse(&self) -> Option<Rat> {
        Rat::new(self.den.clone(), self.num.clone())
    }

    /// The largest integer not above the number.
    pub fn floor(&self) -> Int {
        self.num.div_floor(&self.den)
    }
}

impl From<Int> for Rat {
    fn from(value: Int) -> Rat {
        Rat { num: value, den: Int::ONE }
    }
}

impl From<i64> for Rat {
    fn from(value: i64) -> Rat {
        Rat::from(Int::from(value))
    }
}

impl fmt::Display for Rat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.den.is_one() {
            write!(f, "{}", self.num)
        } else {
            write!(f, "{}/{}", self.num, self.den)
        }
    }
}

impl fmt::Debug for Rat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl PartialOrd for Rat {
    fn partial_cmp(&self, other: &Rat) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Rat {
    fn cmp(&self, other: &Rat) -> Ordering {
        if self.den == other.den {
            return self.num.cmp(&other.num);
        }
        (&self.num * &other.den).cmp(&(&other.num * &self.den))
    }
}

impl Neg for &Rat {
    type Output = Rat;
    fn neg(self) -> Rat {
        Rat { num: -&self.num, den: self.den.clone() }
    }
}

impl Add for &Rat {
    type Output = Rat;
    fn add(self, other: &Rat) -> Rat {
        if self.den.is_one() && other.den.is_one() {
            return Rat::from(&self.num + &other.num);
        }
        let num = &(&self.num * &other.den) + &(&other.num * &self.den);
        Rat::reduced(num, &self.den * &other.den)
    }
}

impl Sub for &Rat {
    type Output = Rat;
    fn sub(self, other: &Rat) -> Rat {
        self + &-other
    }
}

impl Mul for &Rat {
    type Output = Rat;
    fn mul(self, other: &Rat) -> Rat {
        Rat::reduced(&self.num * &other.num, &self.den * &other.den)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rat(n: i64, d: i64) -> Rat {
        Rat::new(n.into(), d.into()).expect("nonzero denominator")
    }

    #[test]
    fn lowest_terms_with_positive_denominator() {
        assert_eq!(rat(2, -4), rat(-1, 2));
        assert_eq!(rat(0, -7), Rat::ZERO);
        assert_eq!(&rat(1, 3) + &rat(1, 6), rat(1, 2));
        assert_eq!(&rat(2, 3) * &rat(3, 2), Rat::ONE);
        assert!(rat(1, 3) < rat(1, 2) && rat(-1, 2) < rat(-1, 3));
        assert_eq!(rat(-1, 2).floor(), Int::from(-1));
        assert_eq!(Rat::new(Int::ONE, Int::ZERO), None);
    }
}
