//! Floating-point numbers of any IEEE 754 binary format, bit by bit.
//!
//! There is one not-a-number, as in SMT-LIB: quiet, positive, no payload.
//! Equality of values is that of SMT-LIB's `=`: the number that is none equals
//! itself, and the two zeros differ. [`crate::float::arith`] computes.

mod arith;
mod range;
mod round;

pub use range::FloatRange;
pub use round::RoundingMode;

use crate::{FloatFormat, Int, MAX_WIDTH};
use std::fmt;

/// A floating-point number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Float {
    format: FloatFormat,
    bits: [u8; 16],
}

/// What kind of number it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FloatClass {
    /// Not a number.
    Nan,
    /// Positive or negative infinity.
    Infinite,
    /// Positive or negative zero.
    Zero,
    /// Smaller than every normal number.
    Subnormal,
    /// With a leading bit of one.
    Normal,
}

impl Float {
    /// The number with these bits: sign, exponent, significand without its
    /// leading bit. Every not-a-number becomes the one there is.
    pub fn from_bits(format: FloatFormat, bits: u128) -> Float {
        let bits = bits & (u128::MAX >> (MAX_WIDTH - format.width()));
        let float = Float { format, bits: bits.to_be_bytes() };
        if float.is_nan() { Float::nan(format) } else { float }
    }

    /// A `float`.
    pub fn from_f32(value: f32) -> Float {
        Float::from_bits(FloatFormat::SINGLE, value.to_bits().into())
    }

    /// A `double`.
    pub fn from_f64(value: f64) -> Float {
        Float::from_bits(FloatFormat::DOUBLE, value.to_bits().into())
    }

    /// The number as a native `double`, if that is its format.
    pub fn to_f64(self) -> Option<f64> {
        (self.format == FloatFormat::DOUBLE).then(|| f64::from_bits(self.bits() as u64))
    }

    /// The number as a native `float`, if that is its format.
    pub fn to_f32(self) -> Option<f32> {
        (self.format == FloatFormat::SINGLE).then(|| f32::from_bits(self.bits() as u32))
    }

    /// The one not-a-number.
    pub fn nan(format: FloatFormat) -> Float {
        let quiet = 1 << (format.significand_bits() - 2);
        Float::made(format, false, top(format), quiet)
    }

    /// Infinity.
    pub fn infinity(format: FloatFormat, negative: bool) -> Float {
        Float::made(format, negative, top(format), 0)
    }

    /// Zero.
    pub fn zero(format: FloatFormat, negative: bool) -> Float {
        Float::made(format, negative, 0, 0)
    }

    /// The finite number of the greatest size.
    pub fn largest(format: FloatFormat, negative: bool) -> Float {
        Float::made(format, negative, top(format) - 1, fraction_mask(format))
    }

    /// A number from its three parts as they are stored.
    pub(crate) fn made(
        format: FloatFormat,
        negative: bool,
        exponent: u32,
        fraction: u128,
    ) -> Float {
        let sign = u128::from(negative) << (format.width() - 1);
        let exponent = u128::from(exponent) << (format.significand_bits() - 1);
        Float { format, bits: (sign | exponent | fraction).to_be_bytes() }
    }

    /// The format.
    pub fn format(self) -> FloatFormat {
        self.format
    }

    /// The bits, as many as the format is wide.
    pub fn bits(self) -> u128 {
        u128::from_be_bytes(self.bits)
    }

    /// The exponent as it is stored.
    pub(crate) fn raw_exponent(self) -> u32 {
        (self.bits() >> (self.format.significand_bits() - 1)) as u32 & top(self.format)
    }

    /// The significand as it is stored.
    pub(crate) fn raw_fraction(self) -> u128 {
        self.bits() & fraction_mask(self.format)
    }

    /// What kind of number it is.
    pub fn class(self) -> FloatClass {
        match (self.raw_exponent(), self.raw_fraction()) {
            (0, 0) => FloatClass::Zero,
            (0, _) => FloatClass::Subnormal,
            (e, 0) if e == top(self.format) => FloatClass::Infinite,
            (e, _) if e == top(self.format) => FloatClass::Nan,
            _ => FloatClass::Normal,
        }
    }

    /// Whether it is not a number.
    pub fn is_nan(self) -> bool {
        self.class() == FloatClass::Nan
    }

    /// Whether it is finite, zero included.
    pub fn is_finite(self) -> bool {
        self.raw_exponent() != top(self.format)
    }

    /// Whether it is a number with the sign set; negative zero is one.
    pub fn is_negative(self) -> bool {
        !self.is_nan() && self.bits() >> (self.format.width() - 1) == 1
    }

    /// A finite number as `±m * 2^e`, without its sign.
    pub(crate) fn parts(self) -> (u128, i64) {
        let subnormal = self.raw_exponent() == 0;
        let leading = if subnormal { 0 } else { 1 << (self.format.significand_bits() - 1) };
        let exponent = i64::from(self.raw_exponent().max(1)) - bias(self.format);
        (self.raw_fraction() | leading, exponent - i64::from(self.format.significand_bits()) + 1)
    }

    /// The exact value of a finite number.
    pub fn to_rat(self) -> Option<crate::Rat> {
        if !self.is_finite() {
            return None;
        }
        let (m, e) = self.parts();
        let m = Int::from_u128(m);
        let m = if self.is_negative() { -&m } else { m };
        let power = Int::power_of_two(e.unsigned_abs() as u32);
        if e < 0 { crate::Rat::new(m, power) } else { Some(crate::Rat::from(&m * &power)) }
    }
}

/// The stored exponent of infinities.
pub(crate) fn top(format: FloatFormat) -> u32 {
    (1 << format.exponent_bits()) - 1
}

/// What is added to an exponent before it is stored.
pub(crate) fn bias(format: FloatFormat) -> i64 {
    (1 << (format.exponent_bits() - 1)) - 1
}

pub(crate) fn fraction_mask(format: FloatFormat) -> u128 {
    (1 << (format.significand_bits() - 1)) - 1
}

/// Decimal for the formats the machine has, else hexadecimal as in C.
impl fmt::Display for Float {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.is_negative() { "-" } else { "" };
        match self.class() {
            FloatClass::Nan => return f.write_str("NaN"),
            FloatClass::Infinite => return write!(f, "{sign}inf"),
            FloatClass::Zero => return write!(f, "{sign}0.0"),
            _ => {}
        }
        if let Some(value) = self.to_f32() {
            return write!(f, "{value:?}");
        }
        if let Some(value) = self.to_f64() {
            return write!(f, "{value:?}");
        }
        let (m, e) = self.parts();
        let zeros = m.trailing_zeros();
        write!(f, "{sign}0x{:x}p{}", m >> zeros, e + i64::from(zeros))
    }
}

impl fmt::Debug for Float {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
