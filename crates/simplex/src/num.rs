//! The numbers inside the tableau: exact rationals, fast while both parts fit
//! a machine word.
//!
//! Invariant: `Small` is in lowest terms with a positive denominator, and
//! `Big` holds only what `Small` cannot, so derived equality is that of the
//! numbers. Results that overflow are computed again by [`Rat`].

use parallax_term::Rat;
use std::cmp::Ordering;
use std::num::NonZero;

/// A rational number.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Num {
    /// Numerator and denominator that fit machine words.
    Small(i64, NonZero<u64>),
    /// All others.
    Big(Box<Rat>),
}
use Num::{Big, Small};

const UNIT: NonZero<u64> = NonZero::<u64>::MIN;

/// Greatest common divisor; 0 only for two zeros.
fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        if let (Ok(x), Ok(y)) = (u64::try_from(a), u64::try_from(b)) {
            let (mut x, mut y) = (x, y);
            while y != 0 {
                (x, y) = (y, x % y);
            }
            return x.into();
        }
        (a, b) = (b, a % b);
    }
    a
}

impl Num {
    /// Zero.
    pub const ZERO: Num = Small(0, UNIT);
    /// One.
    pub const ONE: Num = Small(1, UNIT);

    /// The same number.
    pub fn from_rat(value: &Rat) -> Num {
        match (value.num().to_i64(), value.den().to_i64().and_then(|d| u64::try_from(d).ok())) {
            (Some(num), Some(den)) => match NonZero::new(den) {
                Some(den) => Small(num, den),
                None => Num::ZERO,
            },
            _ => Big(Box::new(value.clone())),
        }
    }

    /// The same number.
    pub fn to_rat(&self) -> Rat {
        match self {
            Small(num, UNIT) => Rat::from(*num),
            Small(num, den) => {
                let den = parallax_term::Int::from_u128(den.get().into());
                Rat::new((*num).into(), den).unwrap_or(Rat::ZERO)
            }
            Big(value) => (**value).clone(),
        }
    }

    /// Lowest terms of a fraction with a positive denominator, if they fit.
    fn reduced(num: i128, den: i128) -> Option<Num> {
        let common = gcd(num.unsigned_abs(), den.unsigned_abs());
        let (num, den) = if common == 1 {
            (num, den)
        } else {
            let common = i128::try_from(common).ok()?;
            (num / common, den / common)
        };
        // Denominators stay below 2^63, so that they are numerators of inverses.
        let den = u64::try_from(i64::try_from(den).ok()?).ok()?;
        Some(Small(i64::try_from(num).ok()?, NonZero::new(den)?))
    }

    /// -1, 0 or 1.
    pub fn signum(&self) -> i32 {
        match self {
            Small(num, _) => num.signum() as i32,
            Big(value) => value.signum(),
        }
    }

    /// Whether the number is zero.
    pub fn is_zero(&self) -> bool {
        matches!(self, Small(0, _))
    }

    /// Whether the number is one.
    pub fn is_one(&self) -> bool {
        matches!(self, Small(1, UNIT))
    }

    /// `-self`
    #[must_use]
    pub fn neg(&self) -> Num {
        match self {
            Small(num, den) if *num != i64::MIN => Small(-num, *den),
            _ => Num::from_rat(&-&self.to_rat()),
        }
    }

    /// The absolute value.
    #[must_use]
    pub fn abs(&self) -> Num {
        if self.signum() < 0 { self.neg() } else { self.clone() }
    }

    /// `1 / self` for a number that is not zero.
    #[must_use]
    pub fn inverse(&self) -> Num {
        if let Small(num, den) = self
            && let (Ok(flipped), Some(size)) =
                (i64::try_from(den.get()), NonZero::new(num.unsigned_abs()))
            && *num != i64::MIN
        {
            return Small(if *num < 0 { -flipped } else { flipped }, size);
        }
        Num::from_rat(&self.to_rat().inverse().unwrap_or(Rat::ZERO))
    }

    /// `self + other`
    #[must_use]
    pub fn add(&self, other: &Num) -> Num {
        if let (Small(a, b), Small(c, d)) = (self, other) {
            if *b == UNIT && *d == UNIT {
                if let Some(sum) = a.checked_add(*c) {
                    return Small(sum, UNIT);
                }
            } else if let Some(sum) = small_sum(*a, *b, *c, *d) {
                return sum;
            }
        }
        Num::from_rat(&(&self.to_rat() + &other.to_rat()))
    }

    /// `self - other`
    #[must_use]
    pub fn sub(&self, other: &Num) -> Num {
        if let (Small(a, UNIT), Small(c, UNIT)) = (self, other)
            && let Some(difference) = a.checked_sub(*c)
        {
            return Small(difference, UNIT);
        }
        self.add(&other.neg())
    }

    /// `self * other`
    #[must_use]
    pub fn mul(&self, other: &Num) -> Num {
        if let (Small(a, b), Small(c, d)) = (self, other) {
            if *b == UNIT && *d == UNIT {
                if let Some(product) = a.checked_mul(*c) {
                    return Small(product, UNIT);
                }
            } else if let Some(product) = Num::reduced(
                i128::from(*a) * i128::from(*c),
                // Both are below 2^63.
                i128::from(b.get()) * i128::from(d.get()),
            ) {
                return product;
            }
        }
        Num::from_rat(&(&self.to_rat() * &other.to_rat()))
    }

    /// `self += factor * other`
    pub fn add_mul(&mut self, factor: &Num, other: &Num) {
        if let (Small(a, UNIT), Small(b, UNIT), Small(c, UNIT)) = (&mut *self, factor, other)
            && let Some(sum) = b.checked_mul(*c).and_then(|product| a.checked_add(product))
        {
            *a = sum;
            return;
        }
        *self = self.add(&factor.mul(other));
    }
}

/// `a/b + c/d` unless it overflows.
fn small_sum(a: i64, b: NonZero<u64>, c: i64, d: NonZero<u64>) -> Option<Num> {
    let [a, c] = [a, c].map(i128::from);
    let [b, d] = [b, d].map(|n| i128::from(n.get()));
    if b == d {
        return Num::reduced(a + c, b);
    }
    Num::reduced(a.checked_mul(d)?.checked_add(c.checked_mul(b)?)?, b.checked_mul(d)?)
}

impl PartialOrd for Num {
    fn partial_cmp(&self, other: &Num) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Num {
    fn cmp(&self, other: &Num) -> Ordering {
        match (self, other) {
            (Small(a, b), Small(c, d)) if b == d => a.cmp(c),
            (Small(a, b), Small(c, d)) => {
                let left = i128::from(*a) * i128::from(d.get());
                left.cmp(&(i128::from(*c) * i128::from(b.get())))
            }
            _ => self.to_rat().cmp(&other.to_rat()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn number() -> impl Strategy<Value = Rat> {
        let part = prop_oneof![
            -6i64..7,
            -6i64..7,
            any::<i64>(),
            Just(i64::MIN),
            Just(i64::MAX),
            Just(i64::MIN + 1),
        ];
        let fraction = (part.clone(), part)
            .prop_map(|(a, b)| Rat::new(a.into(), b.into()).unwrap_or(Rat::from(a)));
        prop_oneof![fraction.clone(), (fraction.clone(), fraction).prop_map(|(a, b)| &a * &b)]
    }

    proptest! {
        #[test]
        fn agrees_with_the_exact_rationals(a in number(), b in number(), c in number()) {
            let [x, y, z] = [&a, &b, &c].map(Num::from_rat);
            prop_assert_eq!(x.to_rat(), a.clone());
            prop_assert_eq!(x.add(&y), Num::from_rat(&(&a + &b)));
            prop_assert_eq!(x.sub(&y), Num::from_rat(&(&a - &b)));
            prop_assert_eq!(x.mul(&y), Num::from_rat(&(&a * &b)));
            prop_assert_eq!(x.neg(), Num::from_rat(&-&a));
            prop_assert_eq!(x.cmp(&y), a.cmp(&b));
            prop_assert_eq!(x.signum(), a.signum());
            prop_assert_eq!(x.abs().signum(), a.signum().abs());
            if let Some(inverse) = a.inverse() {
                prop_assert_eq!(x.inverse(), Num::from_rat(&inverse));
            }
            let mut sum = x.clone();
            sum.add_mul(&y, &z);
            prop_assert_eq!(sum, Num::from_rat(&(&a + &(&b * &c))));
        }
    }

    #[test]
    fn a_number_takes_two_words() {
        assert_eq!(size_of::<Num>(), 16);
    }
}
