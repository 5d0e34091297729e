//! Rounding: from an exact number to the floating-point number next to it.
//!
//! Every operation computes `±m * 2^e` exactly, or enough leading bits of it
//! and whether anything follows, and then rounds once, here. So there is one
//! place that knows overflow, underflow and the five directions of rounding.

use crate::float::{Float, bias, fraction_mask, top};
use crate::{FloatFormat, Int, Rat};
use dashu_int::UBig;
use dashu_int::ops::BitTest;

/// Where an inexact result goes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum RoundingMode {
    /// To the nearest number, halfway to the one with an even significand: the
    /// mode of C unless a program changes it.
    #[default]
    NearestEven,
    /// To the nearest number, halfway away from zero.
    NearestAway,
    /// Upward.
    Positive,
    /// Downward.
    Negative,
    /// Towards zero: what conversions to integers do in C.
    Zero,
}

impl RoundingMode {
    /// Whether `r` becomes `r + 1`, where `rest` compares what is cut off with
    /// one half.
    fn goes_up(self, negative: bool, odd: bool, rest: Rest) -> bool {
        match (self, rest) {
            (_, Rest::Nothing) | (RoundingMode::Zero, _) => false,
            (RoundingMode::Positive, _) => !negative,
            (RoundingMode::Negative, _) => negative,
            (_, Rest::Less) => false,
            (_, Rest::More) => true,
            (RoundingMode::NearestEven, Rest::Half) => odd,
            (RoundingMode::NearestAway, Rest::Half) => true,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Rest {
    Nothing,
    Less,
    Half,
    More,
}

/// A number of the form `±(m + s) * 2^e` with `0 <= s < 1`; `s` is not zero if
/// `sticky` is set, and then `m` has more bits than any result keeps.
pub(crate) struct Exact {
    pub(crate) negative: bool,
    pub(crate) m: UBig,
    pub(crate) e: i64,
    pub(crate) sticky: bool,
}

impl Exact {
    /// `(m + s) * 2^e` as a multiple of `2^to`, rounded.
    fn at(&self, to: i64, mode: RoundingMode) -> UBig {
        let Ok(by) = usize::try_from(to - self.e) else {
            return &self.m << self.e.abs_diff(to) as usize;
        };
        // Far below one unit only the fact that something is there matters.
        let by = by.min(self.m.bit_len() + 2);
        let kept = &self.m >> by;
        let mut cut = self.m.clone();
        cut.clear_high_bits(by);
        let rest = match by.checked_sub(1) {
            None if self.sticky => Rest::Less,
            None => Rest::Nothing,
            Some(half) => match (cut.bit_len() > half, cut == UBig::ONE << half, self.sticky) {
                (true, true, false) => Rest::Half,
                (true, ..) => Rest::More,
                _ if cut == UBig::ZERO && !self.sticky => Rest::Nothing,
                _ => Rest::Less,
            },
        };
        match mode.goes_up(self.negative, kept.bit(0), rest) {
            true => kept + UBig::ONE,
            false => kept,
        }
    }

    /// The number as an integer; positive, the sign is known.
    pub(crate) fn to_integer(&self, mode: RoundingMode) -> UBig {
        self.at(0, mode)
    }

    /// The number in a format.
    pub(crate) fn round(&self, format: FloatFormat, mode: RoundingMode) -> Float {
        let precision = i64::from(format.significand_bits());
        let lowest = 1 - bias(format) - (precision - 1);
        let mut unit = (self.e + self.m.bit_len() as i64 - precision).max(lowest);
        let mut m = self.at(unit, mode);
        if m.bit_len() as i64 > precision {
            m >>= 1;
            unit += 1;
        }
        let bits = u128::try_from(&m).unwrap_or(u128::MAX);
        if (m.bit_len() as i64) < precision {
            return Float::made(format, self.negative, 0, bits);
        }
        let exponent = unit + precision - 1 + bias(format);
        match u32::try_from(exponent).ok().filter(|e| *e < top(format)) {
            Some(exponent) => {
                Float::made(format, self.negative, exponent, bits & fraction_mask(format))
            }
            None => overflow(format, self.negative, mode),
        }
    }
}

/// What a number beyond the largest becomes.
fn overflow(format: FloatFormat, negative: bool, mode: RoundingMode) -> Float {
    let stays = match mode {
        RoundingMode::NearestEven | RoundingMode::NearestAway => false,
        RoundingMode::Zero => true,
        RoundingMode::Positive => negative,
        RoundingMode::Negative => !negative,
    };
    match stays {
        true => Float::largest(format, negative),
        false => Float::infinity(format, negative),
    }
}

impl Float {
    /// The number next to a rational, as for the constants of a program.
    pub fn from_rat(format: FloatFormat, mode: RoundingMode, value: &Rat) -> Float {
        let negative = value.signum() < 0;
        let (num, den) = (value.num().abs().to_ubig(), value.den().to_ubig());
        let wanted = format.significand_bits() as usize + 3 + den.bit_len();
        let by = wanted.saturating_sub(num.bit_len());
        let (num, e) = (num << by, -(by as i64));
        let (m, rest) = (&num / &den, &num % &den);
        Exact { negative, m, e, sticky: rest != UBig::ZERO }.round(format, mode)
    }

    /// The number next to an integer.
    pub fn from_int(format: FloatFormat, mode: RoundingMode, value: &Int) -> Float {
        let (negative, m) = (value.signum() < 0, value.abs().to_ubig());
        Exact { negative, m, e: 0, sticky: false }.round(format, mode)
    }
}
