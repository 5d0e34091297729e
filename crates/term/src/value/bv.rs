//! Bit-vectors: the values of machine integers.
//!
//! Every operation has the meaning SMT-LIB gives it, division by zero
//! included: the quotient has all bits set and the remainder is the dividend.
//! Bits are kept as big-endian bytes, which makes the value small, free of
//! alignment and ordered like the unsigned number it stands for.

use crate::{Int, MAX_WIDTH};
use std::fmt;

/// A bit-vector of a width from 1 to [`MAX_WIDTH`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bv {
    width: u8,
    bits: [u8; 16],
}

impl Bv {
    /// The lowest `width` bits of a number.
    pub fn new(width: u32, bits: u128) -> Bv {
        debug_assert!((1..=MAX_WIDTH).contains(&width), "no bit-vector is {width} bits wide");
        let width = width.clamp(1, MAX_WIDTH);
        Bv { width: width as u8, bits: (bits & mask(width)).to_be_bytes() }
    }

    /// An integer modulo `2^width`.
    pub fn from_int(width: u32, value: &Int) -> Bv {
        Bv::new(width, value.low_bits())
    }

    /// All bits set.
    pub fn ones(width: u32) -> Bv {
        Bv::new(width, u128::MAX)
    }

    /// The number of bits.
    pub fn width(self) -> u32 {
        u32::from(self.width)
    }

    /// The bits as an unsigned number.
    pub fn bits(self) -> u128 {
        u128::from_be_bytes(self.bits)
    }

    /// The bits as a number in two's complement.
    pub fn signed(self) -> i128 {
        let unused = MAX_WIDTH - self.width();
        ((self.bits() << unused) as i128) >> unused
    }

    /// The unsigned number.
    pub fn to_int(self) -> Int {
        Int::from_u128(self.bits())
    }

    /// The number in two's complement.
    pub fn to_signed_int(self) -> Int {
        Int::from_i128(self.signed())
    }

    /// Whether no bit is set.
    pub fn is_zero(self) -> bool {
        self.bits() == 0
    }

    /// Whether all bits are set.
    pub fn is_ones(self) -> bool {
        self.bits() == mask(self.width())
    }

    /// The exponent of a power of two.
    pub fn log2(self) -> Option<u32> {
        self.bits().is_power_of_two().then(|| self.bits().trailing_zeros())
    }

    fn same(self, bits: u128) -> Bv {
        Bv::new(self.width(), bits)
    }

    pub(crate) fn not(self) -> Bv {
        self.same(!self.bits())
    }

    pub(crate) fn neg(self) -> Bv {
        self.same(self.bits().wrapping_neg())
    }

    pub(crate) fn and(self, other: Bv) -> Bv {
        self.same(self.bits() & other.bits())
    }

    pub(crate) fn or(self, other: Bv) -> Bv {
        self.same(self.bits() | other.bits())
    }

    pub(crate) fn xor(self, other: Bv) -> Bv {
        self.same(self.bits() ^ other.bits())
    }

    pub(crate) fn add(self, other: Bv) -> Bv {
        self.same(self.bits().wrapping_add(other.bits()))
    }

    pub(crate) fn sub(self, other: Bv) -> Bv {
        self.same(self.bits().wrapping_sub(other.bits()))
    }

    pub(crate) fn mul(self, other: Bv) -> Bv {
        self.same(self.bits().wrapping_mul(other.bits()))
    }

    pub(crate) fn udiv(self, other: Bv) -> Bv {
        self.bits().checked_div(other.bits()).map_or(Bv::ones(self.width()), |q| self.same(q))
    }

    pub(crate) fn urem(self, other: Bv) -> Bv {
        self.bits().checked_rem(other.bits()).map_or(self, |r| self.same(r))
    }

    pub(crate) fn sdiv(self, other: Bv) -> Bv {
        match (self.signed(), other.signed()) {
            (a, 0) if a < 0 => self.same(1),
            (_, 0) => Bv::ones(self.width()),
            (a, b) => self.same(a.wrapping_div(b) as u128),
        }
    }

    pub(crate) fn srem(self, other: Bv) -> Bv {
        match (self.signed(), other.signed()) {
            (_, 0) => self,
            (a, b) => self.same(a.wrapping_rem(b) as u128),
        }
    }

    /// How far to shift, or `None` if nothing of the bits is left.
    fn distance(self, by: Bv) -> Option<u32> {
        u32::try_from(by.bits()).ok().filter(|by| *by < self.width())
    }

    pub(crate) fn shl(self, by: Bv) -> Bv {
        self.same(self.distance(by).map_or(0, |by| self.bits() << by))
    }

    pub(crate) fn lshr(self, by: Bv) -> Bv {
        self.same(self.distance(by).map_or(0, |by| self.bits() >> by))
    }

    pub(crate) fn ashr(self, by: Bv) -> Bv {
        let by = self.distance(by).unwrap_or(self.width() - 1);
        self.same((self.signed() >> by) as u128)
    }

    /// These bits above those of `low`.
    pub(crate) fn concat(self, low: Bv) -> Bv {
        let shifted = self.bits().checked_shl(low.width()).unwrap_or(0);
        Bv::new(self.width() + low.width(), shifted | low.bits())
    }

    /// The bits from `high` down to `low`.
    pub(crate) fn extract(self, high: u32, low: u32) -> Bv {
        Bv::new(high - low + 1, self.bits() >> low)
    }

    /// More zeros above.
    pub(crate) fn zero_extend(self, by: u32) -> Bv {
        Bv::new(self.width() + by, self.bits())
    }

    /// More copies of the highest bit above.
    pub(crate) fn sign_extend(self, by: u32) -> Bv {
        Bv::new(self.width() + by, self.signed() as u128)
    }

    pub(crate) fn ult(self, other: Bv) -> bool {
        self.bits() < other.bits()
    }

    pub(crate) fn slt(self, other: Bv) -> bool {
        self.signed() < other.signed()
    }
}

fn mask(width: u32) -> u128 {
    u128::MAX >> (MAX_WIDTH - width)
}

impl fmt::Display for Bv {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.bits())
    }
}

impl fmt::Debug for Bv {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}#{}", self.bits(), self.width)
    }
}
