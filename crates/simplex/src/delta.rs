//! Numbers with an infinitesimal part: `x < 3` is `x <= 3 - delta`.
//!
//! `delta` stands for a positive number that is small enough; the order is
//! lexicographic.

use crate::num::Num;

/// `real + tiny * delta`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Delta {
    pub(crate) real: Num,
    pub(crate) tiny: Num,
}

impl Delta {
    pub(crate) const ZERO: Delta = Delta { real: Num::ZERO, tiny: Num::ZERO };

    pub(crate) fn is_zero(&self) -> bool {
        self.real.is_zero() && self.tiny.is_zero()
    }

    pub(crate) fn sub(&self, other: &Delta) -> Delta {
        Delta { real: self.real.sub(&other.real), tiny: self.tiny.sub(&other.tiny) }
    }

    pub(crate) fn add(&self, other: &Delta) -> Delta {
        Delta { real: self.real.add(&other.real), tiny: self.tiny.add(&other.tiny) }
    }

    pub(crate) fn mul(&self, factor: &Num) -> Delta {
        let tiny = if self.tiny.is_zero() { Num::ZERO } else { self.tiny.mul(factor) };
        Delta { real: self.real.mul(factor), tiny }
    }

    /// `self += factor * other`
    pub(crate) fn add_mul(&mut self, factor: &Num, other: &Delta) {
        self.real.add_mul(factor, &other.real);
        if !other.tiny.is_zero() {
            self.tiny.add_mul(factor, &other.tiny);
        }
    }
}
