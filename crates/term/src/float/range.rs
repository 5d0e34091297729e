//! Which floating-point numbers fit an integer of a width.
//!
//! Our conversions are 0 for all others. SMT-LIB leaves that open, so printers
//! and solvers put a choice around them, and the constructor of choices takes
//! it off again.

use crate::{
    Bv, Float, FloatClass, FloatFormat, Int, Node, Op, Rat, RoundingMode, Term, TermStore,
};

/// The numbers whose conversion to an integer fits.
#[derive(Clone, Copy, Debug)]
pub struct FloatRange {
    /// The lower end.
    pub low: Float,
    /// Whether the lower end belongs to it.
    pub low_is_inside: bool,
    /// The upper end, which does not belong to it.
    pub high: Float,
    /// Whether it is about the number after it was rounded to an integer.
    pub of_rounded: bool,
}

impl FloatRange {
    /// The range for a format and a width.
    pub fn new(mode: RoundingMode, format: FloatFormat, signed: bool, width: u32) -> FloatRange {
        let exact = |n: &Int| {
            let float = Float::from_int(format, RoundingMode::NearestEven, n);
            (float.to_rat().as_ref() == Some(&Rat::from(n.clone()))).then_some(float)
        };
        let (least, limit) = match signed {
            true => (-&Int::power_of_two(width - 1), Int::power_of_two(width - 1)),
            false => (Int::ZERO, Int::power_of_two(width)),
        };
        let high = exact(&limit).unwrap_or_else(|| Float::infinity(format, false));
        let of_rounded = mode != RoundingMode::Zero;
        // Towards zero all numbers above `least - 1` fit.
        let below = exact(&(&least - &Int::ONE)).filter(|_| !of_rounded);
        let (low, low_is_inside) = match below.or_else(|| exact(&least)) {
            Some(low) => (low, below.is_none()),
            None => (Float::infinity(format, true), false),
        };
        FloatRange { low, low_is_inside, high, of_rounded }
    }
}

impl TermStore {
    /// "The integer next to `a` fits": where a conversion is not 0 for lack of
    /// room. Printers and solvers say it, because SMT-LIB leaves the rest open.
    pub fn float_fits(&mut self, mode: RoundingMode, a: Term, signed: bool, width: u32) -> Term {
        let range = FloatRange::new(mode, self.float_format(a), signed, width);
        let rounded = if range.of_rounded { self.float_round(mode, a) } else { a };
        let (low, high) = (self.float(range.low), self.float(range.high));
        let above = match range.low_is_inside {
            true => self.float_le(low, rounded),
            false => self.float_lt(low, rounded),
        };
        let below = self.float_lt(rounded, high);
        self.and([above, below])
    }

    /// A choice that says what a function does anyway: `if it fits then the
    /// conversion else 0`, `if it is no number then its bits else the bits`.
    pub(crate) fn idle_choice(&mut self, c: Term, a: Term, b: Term) -> Option<Term> {
        if let Node::Apply(op @ (Op::FloatToSigned(mode, w) | Op::FloatToUnsigned(mode, w)), x) =
            *self.node(a)
            && self.bv_value(b).is_some_and(Bv::is_zero)
        {
            let signed = matches!(op, Op::FloatToSigned(..));
            return (self.float_fits(mode, x[0], signed, w) == c).then_some(a);
        }
        if let Some([x]) = self.arguments(b, Op::FloatToBits)
            && let Some(bits) = self.bv_value(a)
            && bits.bits() == Float::nan(self.float_format(x)).bits()
        {
            return (self.float_is(FloatClass::Nan, x) == c).then_some(b);
        }
        None
    }
}
