//! Linear combinations: the normal form of arithmetic.
//!
//! A [`Linear`] is `c1*t1 + ... + cn*tn + k` with nonzero coefficients and
//! strictly increasing terms, none of which is itself a sum or a constant. So
//! two spellings of one expression are one value.

use crate::{Int, Rat, Term};

/// `c1*t1 + ... + cn*tn + constant`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Linear {
    monomials: Box<[(Term, Rat)]>,
    constant: Rat,
}

impl Linear {
    /// A constant.
    pub fn constant(value: Rat) -> Linear {
        Linear { monomials: Box::default(), constant: value }
    }

    /// One term with coefficient 1.
    pub fn term(term: Term) -> Linear {
        Linear { monomials: Box::new([(term, Rat::ONE)]), constant: Rat::ZERO }
    }

    /// The monomials in increasing order of their terms.
    pub fn monomials(&self) -> &[(Term, Rat)] {
        &self.monomials
    }

    /// The constant part.
    pub fn constant_part(&self) -> &Rat {
        &self.constant
    }

    /// The value, if there is no monomial.
    pub fn as_constant(&self) -> Option<&Rat> {
        self.monomials.is_empty().then_some(&self.constant)
    }

    /// The term, if this is just one term with coefficient 1.
    pub fn as_term(&self) -> Option<Term> {
        match &*self.monomials {
            [(term, c)] if c.is_one() && self.constant.is_zero() => Some(*term),
            _ => None,
        }
    }

    /// Whether the first coefficient is negative.
    pub(crate) fn leads_negative(&self) -> bool {
        self.monomials.first().is_some_and(|(_, c)| c.signum() < 0)
    }

    /// `self + factor * other`.
    #[must_use]
    pub fn plus(&self, factor: &Rat, other: &Linear) -> Linear {
        let mut sum = Vec::with_capacity(self.monomials.len() + other.monomials.len());
        let (mut left, mut right) =
            (self.monomials.iter().peekable(), other.monomials.iter().peekable());
        loop {
            match (left.peek(), right.peek()) {
                (Some((t, c)), Some((u, d))) if t == u => {
                    let coefficient = c + &(factor * d);
                    if !coefficient.is_zero() {
                        sum.push((*t, coefficient));
                    }
                    left.next();
                    right.next();
                }
                (Some((t, c)), Some((u, _))) if t < u => {
                    sum.push((*t, c.clone()));
                    left.next();
                }
                (Some((t, c)), None) => {
                    sum.push((*t, c.clone()));
                    left.next();
                }
                (_, Some((u, d))) => {
                    sum.push((*u, factor * d));
                    right.next();
                }
                (None, None) => break,
            }
        }
        sum.retain(|(_, c)| !c.is_zero());
        Linear { monomials: sum.into(), constant: &self.constant + &(factor * &other.constant) }
    }

    /// `factor * self`.
    #[must_use]
    pub fn scaled(&self, factor: &Rat) -> Linear {
        Linear::constant(Rat::ZERO).plus(factor, self)
    }

    /// `self + value`.
    #[must_use]
    pub fn shifted(&self, value: &Rat) -> Linear {
        Linear { monomials: self.monomials.clone(), constant: &self.constant + value }
    }

    /// The positive factor that turns the coefficients into coprime integers.
    pub(crate) fn primitive_factor(&self) -> Rat {
        let mut den = Int::ONE;
        for (_, c) in &self.monomials {
            let gcd = den.gcd(c.den());
            den = &den * &c.den().div_floor(&gcd);
        }
        let mut gcd = Int::ZERO;
        for (_, c) in &self.monomials {
            gcd = gcd.gcd(&(c.num() * &den.div_floor(c.den())));
        }
        Rat::new(den, gcd).unwrap_or(Rat::ONE)
    }
}
