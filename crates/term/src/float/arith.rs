//! Floating-point arithmetic, exact up to one rounding at the end.
//!
//! IEEE 754-2019 in any binary format and direction of rounding. `float` and
//! `double` with rounding to the nearest are computed by the machine, whose
//! basic operations are those of the standard.

use crate::float::round::{Exact, RoundingMode};
use crate::{Float, FloatClass, FloatFormat, Int};
use dashu_int::ops::{BitTest, SquareRoot};
use dashu_int::{IBig, UBig};

/// Both numbers as native ones, and the native result.
macro_rules! native {
    ($mode:expr, $a:expr, $b:expr, $op:tt) => {
        if $mode == RoundingMode::NearestEven {
            if let (Some(a), Some(b)) = ($a.to_f64(), $b.to_f64()) {
                return Float::from_f64(a $op b);
            }
            if let (Some(a), Some(b)) = ($a.to_f32(), $b.to_f32()) {
                return Float::from_f32(a $op b);
            }
        }
    };
}

impl Float {
    fn exact(self) -> Exact {
        let (m, e) = self.parts();
        Exact { negative: self.is_negative(), m: UBig::from(m), e, sticky: false }
    }

    fn is(self, class: FloatClass) -> bool {
        self.class() == class
    }

    fn sum_is_zero(self, mode: RoundingMode) -> Float {
        Float::zero(self.format(), mode == RoundingMode::Negative)
    }

    pub(crate) fn neg(self) -> Float {
        Float::from_bits(self.format(), self.bits() ^ 1 << (self.format().width() - 1))
    }

    pub(crate) fn abs(self) -> Float {
        if self.is_negative() { self.neg() } else { self }
    }

    pub(crate) fn add(self, other: Float, mode: RoundingMode) -> Float {
        native!(mode, self, other, +);
        self.exact_add(other, mode)
    }

    fn exact_add(self, other: Float, mode: RoundingMode) -> Float {
        let format = self.format();
        let infinite = [self, other].map(|x| x.is(FloatClass::Infinite));
        match infinite {
            _ if self.is_nan() || other.is_nan() => return Float::nan(format),
            [true, true] if self != other => return Float::nan(format),
            [true, _] => return self,
            [_, true] => return other,
            _ => {}
        }
        if self.is(FloatClass::Zero) && other.is(FloatClass::Zero) {
            return if self == other { self } else { self.sum_is_zero(mode) };
        }
        total(&self.exact(), &other.exact(), |e| e.round(format, mode))
            .unwrap_or_else(|| self.sum_is_zero(mode))
    }

    pub(crate) fn mul(self, other: Float, mode: RoundingMode) -> Float {
        native!(mode, self, other, *);
        self.exact_mul(other, mode)
    }

    fn exact_mul(self, other: Float, mode: RoundingMode) -> Float {
        let format = self.format();
        let negative = self.is_negative() != other.is_negative();
        let has = |class| self.is(class) || other.is(class);
        match () {
            () if has(FloatClass::Nan) => Float::nan(format),
            () if has(FloatClass::Infinite) && has(FloatClass::Zero) => Float::nan(format),
            () if has(FloatClass::Infinite) => Float::infinity(format, negative),
            () if has(FloatClass::Zero) => Float::zero(format, negative),
            () => product(&self.exact(), &other.exact()).round(format, mode),
        }
    }

    pub(crate) fn div(self, other: Float, mode: RoundingMode) -> Float {
        native!(mode, self, other, /);
        self.exact_div(other, mode)
    }

    fn exact_div(self, other: Float, mode: RoundingMode) -> Float {
        let format = self.format();
        let negative = self.is_negative() != other.is_negative();
        match (self.class(), other.class()) {
            (FloatClass::Nan, _) | (_, FloatClass::Nan) => return Float::nan(format),
            (a, b) if a == b && matches!(a, FloatClass::Zero | FloatClass::Infinite) => {
                return Float::nan(format);
            }
            (FloatClass::Zero, _) | (_, FloatClass::Infinite) => {
                return Float::zero(format, negative);
            }
            (_, FloatClass::Zero) | (FloatClass::Infinite, _) => {
                return Float::infinity(format, negative);
            }
            _ => {}
        }
        let (a, b) = (self.exact(), other.exact());
        let by = format.significand_bits() as usize + 3 + b.m.bit_len();
        let num = a.m << by;
        let (m, rest) = (&num / &b.m, &num % &b.m);
        let (e, sticky) = (a.e - b.e - by as i64, rest != UBig::ZERO);
        Exact { negative, m, e, sticky }.round(format, mode)
    }

    /// `self * other + more`, rounded once.
    pub(crate) fn fma(self, other: Float, more: Float, mode: RoundingMode) -> Float {
        let format = self.format();
        let has = |class| self.is(class) || other.is(class);
        let negative = self.is_negative() != other.is_negative();
        if has(FloatClass::Nan) || more.is_nan() {
            return Float::nan(format);
        }
        if has(FloatClass::Infinite) || !more.is_finite() {
            if has(FloatClass::Infinite) && has(FloatClass::Zero) {
                return Float::nan(format);
            }
            let large = Float::infinity(format, negative);
            return match has(FloatClass::Infinite) {
                true if !more.is_finite() && more != large => Float::nan(format),
                true => large,
                false => more,
            };
        }
        let left = product(&self.exact(), &other.exact());
        if left.m == UBig::ZERO && more.is(FloatClass::Zero) {
            let zero = Float::zero(format, negative);
            return if zero == more { zero } else { zero.sum_is_zero(mode) };
        }
        total(&left, &more.exact(), |e| e.round(format, mode))
            .unwrap_or_else(|| self.sum_is_zero(mode))
    }

    pub(crate) fn sqrt(self, mode: RoundingMode) -> Float {
        let format = self.format();
        match self.class() {
            FloatClass::Nan | FloatClass::Zero => return self,
            _ if self.is_negative() => return Float::nan(format),
            FloatClass::Infinite => return self,
            _ => {}
        }
        let x = self.exact();
        // Enough bits for the root, and an even exponent.
        let mut by = 2 * format.significand_bits() as i64 + 6;
        by += (x.e - by).rem_euclid(2);
        let square = x.m << by as usize;
        let m = square.sqrt();
        let sticky = &m * &m != square;
        Exact { negative: false, m, e: (x.e - by) / 2, sticky }.round(format, mode)
    }

    /// `self - n * other` where `n` is the integer nearest to `self / other`.
    pub(crate) fn rem(self, other: Float) -> Float {
        let format = self.format();
        match (self.class(), other.class()) {
            (FloatClass::Nan | FloatClass::Infinite, _) => return Float::nan(format),
            (_, FloatClass::Nan | FloatClass::Zero) => return Float::nan(format),
            (FloatClass::Zero, _) | (_, FloatClass::Infinite) => return self,
            _ => {}
        }
        let (a, b) = (self.exact(), other.exact());
        let e = a.e.min(b.e);
        let (x, y) = (a.m << (a.e - e) as usize, b.m << (b.e - e) as usize);
        let (n, rest) = (&x / &y, &x % &y);
        let twice = &rest << 1;
        let beyond = twice > y || twice == y && n.bit(0);
        let (m, flipped) = if beyond { (y - rest, true) } else { (rest, false) };
        let negative = self.is_negative() != flipped;
        match m == UBig::ZERO {
            true => Float::zero(format, self.is_negative()),
            false => {
                Exact { negative, m, e, sticky: false }.round(format, RoundingMode::NearestEven)
            }
        }
    }

    /// The integer next to it, as a floating-point number.
    pub(crate) fn round_to_integral(self, mode: RoundingMode) -> Float {
        if !self.is_finite() || self.is(FloatClass::Zero) {
            return self;
        }
        let x = self.exact();
        if x.e >= 0 {
            return self;
        }
        let m = x.to_integer(mode);
        Exact { m, e: 0, ..x }.round(self.format(), mode)
    }

    /// A number that is ordered like the value; the zeros are one.
    fn key(self) -> i128 {
        let size = (self.bits() & !(1 << (self.format().width() - 1))) as i128;
        if self.is_negative() { -size } else { size }
    }

    pub(crate) fn lt(self, other: Float) -> bool {
        !self.is_nan() && !other.is_nan() && self.key() < other.key()
    }

    pub(crate) fn le(self, other: Float) -> bool {
        !self.is_nan() && !other.is_nan() && self.key() <= other.key()
    }

    pub(crate) fn ieee_eq(self, other: Float) -> bool {
        !self.is_nan() && !other.is_nan() && self.key() == other.key()
    }

    /// The number in another format.
    pub fn convert(self, format: FloatFormat, mode: RoundingMode) -> Float {
        match self.class() {
            _ if format == self.format() => self,
            FloatClass::Nan => Float::nan(format),
            FloatClass::Infinite => Float::infinity(format, self.is_negative()),
            FloatClass::Zero => Float::zero(format, self.is_negative()),
            _ => self.exact().round(format, mode),
        }
    }

    /// The integer next to it; `None` if there is none.
    pub fn to_int(self, mode: RoundingMode) -> Option<Int> {
        if !self.is_finite() {
            return None;
        }
        let size = Int::from_ubig(self.exact().to_integer(mode));
        Some(if self.is_negative() { -&size } else { size })
    }
}

fn product(a: &Exact, b: &Exact) -> Exact {
    Exact { negative: a.negative != b.negative, m: &a.m * &b.m, e: a.e + b.e, sticky: false }
}

/// Adds and rounds; `None` if the sum is zero.
fn total(a: &Exact, b: &Exact, round: impl Fn(Exact) -> Float) -> Option<Float> {
    let e = a.e.min(b.e);
    let signed = |x: &Exact| {
        let m = IBig::from(&x.m << (x.e - e) as usize);
        if x.negative { -m } else { m }
    };
    let sum = signed(a) + signed(b);
    let negative = sum < IBig::ZERO;
    let m = UBig::try_from(if negative { -sum } else { sum }).unwrap_or(UBig::ZERO);
    (m != UBig::ZERO).then(|| round(Exact { negative, m, e, sticky: false }))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEAREST: RoundingMode = RoundingMode::NearestEven;

    /// Numbers at which something happens, and their negations.
    fn doubles() -> Vec<f64> {
        let sizes = [
            0.0,
            f64::from_bits(1),
            f64::from_bits(2),
            f64::MIN_POSITIVE,
            f64::from_bits(f64::MIN_POSITIVE.to_bits() - 1),
            1e-200,
            0.1,
            0.5,
            1.0,
            1.0 + f64::EPSILON,
            1.5,
            2.5,
            3.0,
            1e16,
            9007199254740993.0,
            1.7e19,
            1e200,
            f64::MAX,
            f64::INFINITY,
            f64::NAN,
        ];
        sizes.iter().flat_map(|x| [*x, -*x]).collect()
    }

    #[test]
    fn the_machine_agrees() {
        let float = Float::from_f64;
        let single = |x: f64| x as f32;
        for x in doubles() {
            let (a, s) = (float(x), Float::from_f32(single(x)));
            assert_eq!(a.sqrt(NEAREST), float(x.sqrt()), "sqrt {x}");
            assert_eq!(s.sqrt(NEAREST), Float::from_f32(single(x).sqrt()), "sqrt {x}");
            assert_eq!(a.convert(FloatFormat::SINGLE, NEAREST), s, "{x}");
            assert_eq!(s.convert(FloatFormat::DOUBLE, NEAREST), float(f64::from(single(x))));
            let rounded = [
                (RoundingMode::Zero, x.trunc()),
                (RoundingMode::Negative, x.floor()),
                (RoundingMode::Positive, x.ceil()),
                (RoundingMode::NearestAway, x.round()),
                (NEAREST, x.round_ties_even()),
            ];
            for (mode, expected) in rounded {
                assert_eq!(a.round_to_integral(mode), float(expected), "{mode:?} {x}");
            }
            if x.abs() < 1e30 {
                let expected = Int::from_i128(x as i128);
                assert_eq!(a.to_int(RoundingMode::Zero), Some(expected), "{x}");
            }
            for y in doubles() {
                let (b, t) = (float(y), Float::from_f32(single(y)));
                assert_eq!(a.exact_add(b, NEAREST), float(x + y), "{x} + {y}");
                assert_eq!(a.exact_mul(b, NEAREST), float(x * y), "{x} * {y}");
                assert_eq!(a.exact_div(b, NEAREST), float(x / y), "{x} / {y}");
                assert_eq!((a.lt(b), a.le(b), a.ieee_eq(b)), (x < y, x <= y, x == y), "{x} {y}");
                let (x, y) = (single(x), single(y));
                assert_eq!(s.exact_add(t, NEAREST), Float::from_f32(x + y), "{x} + {y}");
                assert_eq!(s.exact_mul(t, NEAREST), Float::from_f32(x * y), "{x} * {y}");
                assert_eq!(s.exact_div(t, NEAREST), Float::from_f32(x / y), "{x} / {y}");
                for z in [0.0, -0.0, 1.0, f32::MAX, f32::NEG_INFINITY] {
                    let fused = s.fma(t, Float::from_f32(z), NEAREST);
                    assert_eq!(fused, Float::from_f32(x.mul_add(y, z)), "{x} * {y} + {z}");
                }
            }
        }
    }

    #[test]
    fn constants_are_read_as_the_compiler_reads_them() {
        let check = |text: &str| {
            let (digits, e) = text.split_once('e').unwrap_or((text, "0"));
            let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
            let e: i64 = e.parse::<i64>().expect("an exponent") - fraction.len() as i64;
            let power: Int =
                format!("1{}", "0".repeat(e.unsigned_abs() as usize)).parse().expect("digits");
            let m: Int = format!("{whole}{fraction}").parse().expect("digits");
            let value = match e < 0 {
                true => crate::Rat::new(m, power).expect("not zero"),
                false => crate::Rat::from(&m * &power),
            };
            let double = Float::from_rat(FloatFormat::DOUBLE, NEAREST, &value);
            assert_eq!(double, Float::from_f64(text.parse().expect("a number")), "{text}");
            let single = Float::from_rat(FloatFormat::SINGLE, NEAREST, &value);
            assert_eq!(single, Float::from_f32(text.parse().expect("a number")), "{text}");
        };
        for text in ["0.1", "1e23", "4.9e-324", "2.4e-324", "1.7976931348623159e308", "16777217"] {
            check(text);
        }
        check("7.0064923216240853546186479164495e-46");
        check("3.4028235677973366e38");
    }
}
