//! Sorts: what kind of value a term has.

use std::fmt;

/// The greatest width of a bit-vector.
pub const MAX_WIDTH: u32 = 128;

/// The sort of a term.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Sort {
    /// Truth values.
    Bool,
    /// Mathematical integers.
    Int,
    /// Mathematical reals.
    Real,
    /// Bit-vectors of a width from 1 to [`MAX_WIDTH`].
    Bv(u32),
    /// IEEE 754 floating-point numbers of a format.
    Float(FloatFormat),
    /// Total maps from the first sort to the second.
    Array(Scalar, Scalar),
}

/// A sort that is no array.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Scalar {
    /// Truth values.
    Bool,
    /// Mathematical integers.
    Int,
    /// Mathematical reals.
    Real,
    /// Bit-vectors of a width.
    Bv(u32),
    /// Floating-point numbers of a format.
    Float(FloatFormat),
}

/// How many bits of a floating-point number are exponent and significand.
///
/// The significand counts the leading bit that is not stored, as in SMT-LIB.
/// So the extended format of x87, which stores that bit, takes 79 bits here.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FloatFormat {
    exponent: u8,
    significand: u8,
}

impl FloatFormat {
    /// `_Float16`
    pub const HALF: FloatFormat = FloatFormat { exponent: 5, significand: 11 };
    /// `float`
    pub const SINGLE: FloatFormat = FloatFormat { exponent: 8, significand: 24 };
    /// `double`
    pub const DOUBLE: FloatFormat = FloatFormat { exponent: 11, significand: 53 };
    /// `long double` on x86
    pub const EXTENDED: FloatFormat = FloatFormat { exponent: 15, significand: 64 };
    /// `_Float128`
    pub const QUAD: FloatFormat = FloatFormat { exponent: 15, significand: 113 };

    /// The format with these many bits of exponent and significand; `None` if
    /// there are too few or too many.
    pub fn new(exponent: u32, significand: u32) -> Option<FloatFormat> {
        let fits = (2..=20).contains(&exponent) && (2..=MAX_WIDTH).contains(&significand);
        if !fits || exponent + significand > MAX_WIDTH {
            return None;
        }
        Some(FloatFormat { exponent: exponent as u8, significand: significand as u8 })
    }

    /// The bits of the exponent.
    pub fn exponent_bits(self) -> u32 {
        u32::from(self.exponent)
    }

    /// The bits of the significand, the leading one included.
    pub fn significand_bits(self) -> u32 {
        u32::from(self.significand)
    }

    /// The bits of a number: sign, exponent, stored significand.
    pub fn width(self) -> u32 {
        self.exponent_bits() + self.significand_bits()
    }
}

impl fmt::Display for FloatFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "(_ FloatingPoint {} {})", self.exponent, self.significand)
    }
}

impl Sort {
    /// The sort of arrays over two scalar sorts; `None` for nested arrays.
    pub fn array(index: Sort, element: Sort) -> Option<Sort> {
        Some(Sort::Array(index.scalar()?, element.scalar()?))
    }

    /// The same sort as a scalar, if it is no array.
    pub fn scalar(self) -> Option<Scalar> {
        Some(match self {
            Sort::Bool => Scalar::Bool,
            Sort::Int => Scalar::Int,
            Sort::Real => Scalar::Real,
            Sort::Bv(width) => Scalar::Bv(width),
            Sort::Float(format) => Scalar::Float(format),
            Sort::Array(..) => return None,
        })
    }

    /// Whether the values are numbers of the mathematical kind, `Int` or `Real`.
    pub fn is_number(self) -> bool {
        matches!(self, Sort::Int | Sort::Real)
    }

    /// The width of a bit-vector sort, 0 for all others.
    pub(crate) fn width(self) -> u32 {
        match self {
            Sort::Bv(width) => width,
            _ => 0,
        }
    }
}

impl From<Scalar> for Sort {
    fn from(scalar: Scalar) -> Sort {
        match scalar {
            Scalar::Bool => Sort::Bool,
            Scalar::Int => Sort::Int,
            Scalar::Real => Sort::Real,
            Scalar::Bv(width) => Sort::Bv(width),
            Scalar::Float(format) => Sort::Float(format),
        }
    }
}

impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sort::Bool => f.write_str("Bool"),
            Sort::Int => f.write_str("Int"),
            Sort::Real => f.write_str("Real"),
            Sort::Bv(width) => write!(f, "(_ BitVec {width})"),
            Sort::Float(format) => fmt::Display::fmt(format, f),
            Sort::Array(index, element) => write!(f, "(Array {index} {element})"),
        }
    }
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&Sort::from(*self), f)
    }
}
