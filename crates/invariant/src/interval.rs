//! Intervals of numbers, and their arithmetic.

use parallax_term::{Int, Rat};

/// All numbers between two ends; an end may be missing.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Interval {
    pub(crate) low: Option<Rat>,
    pub(crate) high: Option<Rat>,
}

impl Interval {
    pub(crate) fn point(value: &Rat) -> Interval {
        Interval { low: Some(value.clone()), high: Some(value.clone()) }
    }

    pub(crate) fn new(low: i64, high: i64) -> Interval {
        Interval { low: Some(Rat::from(low)), high: Some(Rat::from(high)) }
    }

    pub(crate) fn is_empty(&self) -> bool {
        matches!((&self.low, &self.high), (Some(low), Some(high)) if low > high)
    }

    pub(crate) fn contains(&self, value: &Rat) -> bool {
        self.low.as_ref().is_none_or(|low| low <= value)
            && self.high.as_ref().is_none_or(|high| value <= high)
    }

    /// Whether all its numbers are in another one.
    pub(crate) fn is_within(&self, other: &Interval) -> bool {
        let low = match (&self.low, &other.low) {
            (_, None) => true,
            (Some(a), Some(b)) => a >= b,
            (None, Some(_)) => false,
        };
        let high = match (&self.high, &other.high) {
            (_, None) => true,
            (Some(a), Some(b)) => a <= b,
            (None, Some(_)) => false,
        };
        low && high
    }

    pub(crate) fn join(&self, other: &Interval) -> Interval {
        let low = self.low.as_ref().zip(other.low.as_ref()).map(|(a, b)| a.min(b).clone());
        let high = self.high.as_ref().zip(other.high.as_ref()).map(|(a, b)| a.max(b).clone());
        Interval { low, high }
    }

    pub(crate) fn meet(&self, other: &Interval) -> Interval {
        let pick = |a: &Option<Rat>, b: &Option<Rat>, greater: bool| match (a, b) {
            (Some(a), Some(b)) => Some(if (a > b) == greater { a.clone() } else { b.clone() }),
            (Some(one), None) | (None, Some(one)) => Some(one.clone()),
            (None, None) => None,
        };
        Interval {
            low: pick(&self.low, &other.low, true),
            high: pick(&self.high, &other.high, false),
        }
    }

    /// Ends rounded inwards to integers.
    pub(crate) fn integral(&self) -> Interval {
        let up = |value: &Rat| -&Rat::from((-value).floor());
        Interval {
            low: self.low.as_ref().map(up),
            high: self.high.as_ref().map(|v| Rat::from(v.floor())),
        }
    }

    pub(crate) fn plus(&self, other: &Interval) -> Interval {
        let sum = |a: &Option<Rat>, b: &Option<Rat>| Some(a.as_ref()? + b.as_ref()?);
        Interval { low: sum(&self.low, &other.low), high: sum(&self.high, &other.high) }
    }

    pub(crate) fn scaled(&self, factor: &Rat) -> Interval {
        let times = |end: &Option<Rat>| end.as_ref().map(|value| value * factor);
        let (low, high) = (times(&self.low), times(&self.high));
        match factor.signum() {
            0 => Interval::new(0, 0),
            1 => Interval { low, high },
            _ => Interval { low: high, high: low },
        }
    }

    pub(crate) fn times(&self, other: &Interval) -> Interval {
        let (Some(a), Some(b)) = (self.low.as_ref(), self.high.as_ref()) else {
            return Interval::default();
        };
        let (Some(c), Some(d)) = (other.low.as_ref(), other.high.as_ref()) else {
            return Interval::default();
        };
        let ends = [a * c, a * d, b * c, b * d];
        Interval { low: ends.iter().min().cloned(), high: ends.iter().max().cloned() }
    }

    /// Euclidean quotients by a positive number.
    pub(crate) fn quotient(&self, by: &Int) -> Interval {
        let divide = |end: &Option<Rat>| {
            let value = end.as_ref()?.floor();
            Some(Rat::from(value.div_floor(by)))
        };
        Interval { low: divide(&self.low), high: divide(&self.high) }
    }

    /// Euclidean remainders by a positive number.
    pub(crate) fn remainder(&self, by: &Int) -> Interval {
        let all = Interval { low: Some(Rat::ZERO), high: Some(Rat::from(by - &Int::ONE)) };
        // All numbers with one quotient keep their order.
        let quotient = self.quotient(by);
        match (&quotient.low, &quotient.high) {
            (Some(low), Some(high)) if low == high => {
                let shift = -&(low * &Rat::from(by.clone()));
                self.plus(&Interval::point(&shift))
            }
            _ => all,
        }
    }
}
