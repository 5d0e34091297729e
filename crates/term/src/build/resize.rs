//! Normal forms of what changes the width of a bit-vector, and of the way to
//! integers and back.
//!
//! Parts of parts are one part, neighbors of one term join again, zeros above
//! are an extension. Comparisons of extended terms are comparisons of the
//! terms, so that promoted `char`s are compared as 8 bits.

use crate::{Bv, Int, Node, Op, Term, TermStore};

impl TermStore {
    /// `high` above `low`; the widths add up.
    pub fn bv_concat(&mut self, high: Term, low: Term) -> Term {
        self.apply(Op::BvConcat, &[high, low])
    }

    /// The bits of `a` from `high` down to `low`, counted from 0.
    pub fn bv_extract(&mut self, a: Term, high: u32, low: u32) -> Term {
        self.apply(Op::BvExtract(high, low), &[a])
    }

    /// `a` with `by` zeros above.
    pub fn bv_zero_extend(&mut self, a: Term, by: u32) -> Term {
        self.apply(Op::BvZeroExtend(by), &[a])
    }

    /// `a` with `by` copies of its highest bit above.
    pub fn bv_sign_extend(&mut self, a: Term, by: u32) -> Term {
        self.apply(Op::BvSignExtend(by), &[a])
    }

    /// `a` at another width, as a conversion of C does it: cut off, or
    /// extended as a signed or unsigned number.
    pub fn bv_resize(&mut self, a: Term, width: u32, signed: bool) -> Term {
        let before = self.sort(a).width();
        match width {
            _ if width <= before => self.bv_extract(a, width - 1, 0),
            _ if signed => self.bv_sign_extend(a, width - before),
            _ => self.bv_zero_extend(a, width - before),
        }
    }

    /// The unsigned number as an integer.
    pub fn bv_to_int(&mut self, a: Term) -> Term {
        self.apply(Op::BvToInt, &[a])
    }

    /// The number in two's complement as an integer.
    pub fn bv_to_signed_int(&mut self, a: Term) -> Term {
        let width = self.sort(a).width();
        let (zero, modulus) = (self.bv(width, 0), self.int(Int::power_of_two(width)));
        let (negative, size) = (self.bv_slt(a, zero), self.bv_to_int(a));
        let below = self.sub(size, modulus);
        self.ite(negative, below, size)
    }

    /// An integer modulo `2^width`.
    pub fn int_to_bv(&mut self, a: Term, width: u32) -> Term {
        self.apply(Op::IntToBv(width), &[a])
    }

    pub(crate) fn normal_concat(&mut self, high: Term, low: Term) -> Term {
        let low_width = self.sort(low).width();
        if self.bv_value(high).is_some_and(Bv::is_zero) {
            let by = self.sort(high).width();
            return self.bv_zero_extend(low, by);
        }
        if let (
            Node::Apply(Op::BvExtract(top, middle), x),
            Node::Apply(Op::BvExtract(below, bottom), y),
        ) = (self.node(high), self.node(low))
            && x == y
            && *middle == below + 1
        {
            let (x, top, bottom) = (x[0], *top, *bottom);
            return self.bv_extract(x, top, bottom);
        }
        // Neighbors meet across an association to the left.
        if let Some([first, second]) = self.arguments(high, Op::BvConcat) {
            let both = [second, low].map(|t| self.bv_value(t));
            let joined = match both {
                [Some(a), Some(b)] => Some(self.bv_constant(a.concat(b))),
                _ => match (self.node(second), self.node(low)) {
                    (
                        Node::Apply(Op::BvExtract(_, middle), x),
                        Node::Apply(Op::BvExtract(below, _), y),
                    ) if x == y && *middle == below + 1 => Some(self.normal_concat(second, low)),
                    _ => None,
                },
            };
            if let Some(joined) = joined {
                return self.bv_concat(first, joined);
            }
        }
        if let Node::Apply(Op::BvZeroExtend(by), x) = self.node(high) {
            let (inner, by) = (x[0], *by);
            if self.sort(inner).width() + low_width <= crate::MAX_WIDTH {
                let narrow = self.bv_concat(inner, low);
                return self.bv_zero_extend(narrow, by);
            }
        }
        self.plain(Op::BvConcat, &[high, low])
    }

    pub(crate) fn normal_extract(&mut self, a: Term, high: u32, low: u32) -> Term {
        if low == 0 && high + 1 == self.sort(a).width() {
            return a;
        }
        let Node::Apply(op, arguments) = *self.node(a) else {
            return self.plain(Op::BvExtract(high, low), &[a]);
        };
        let inner = self.sort(arguments[0]).width();
        match op {
            Op::BvExtract(_, bottom) => {
                return self.bv_extract(arguments[0], high + bottom, low + bottom);
            }
            Op::BvConcat => {
                let below = self.sort(arguments[1]).width();
                if high < below {
                    return self.bv_extract(arguments[1], high, low);
                }
                if low >= below {
                    return self.bv_extract(arguments[0], high - below, low - below);
                }
            }
            Op::BvZeroExtend(_) if low >= inner => return self.bv(high - low + 1, 0),
            Op::BvZeroExtend(_) | Op::BvSignExtend(_) if high < inner => {
                return self.bv_extract(arguments[0], high, low);
            }
            Op::BvZeroExtend(_) => {
                let part = self.bv_extract(arguments[0], inner - 1, low);
                return self.bv_zero_extend(part, high + 1 - inner);
            }
            Op::BvSignExtend(_) => {
                let from = low.min(inner - 1);
                let part = self.bv_extract(arguments[0], inner - 1, from);
                let by = high - low + 1 - (inner - from);
                return self.bv_sign_extend(part, by);
            }
            Op::BvNot | Op::BvAnd | Op::BvOr | Op::BvXor | Op::BvNeg | Op::BvAdd | Op::BvMul
                if arguments.iter().all(|t| self.is_extended(*t, high)) =>
            {
                let bitwise = matches!(op, Op::BvNot | Op::BvAnd | Op::BvOr | Op::BvXor);
                if bitwise || low == 0 {
                    let parts: Vec<Term> =
                        arguments.iter().map(|t| self.bv_extract(*t, high, low)).collect();
                    return self.apply(op, &parts);
                }
            }
            _ => {}
        }
        self.plain(Op::BvExtract(high, low), &[a])
    }

    /// Whether the bits up to `high` are easy to take out of a term.
    fn is_extended(&self, term: Term, high: u32) -> bool {
        match self.node(term) {
            Node::Value(_) => true,
            Node::Apply(Op::BvZeroExtend(_) | Op::BvSignExtend(_), x) => {
                high < self.sort(x[0]).width()
            }
            _ => false,
        }
    }

    pub(crate) fn normal_zero_extend(&mut self, a: Term, by: u32) -> Term {
        match *self.node(a) {
            _ if by == 0 => a,
            Node::Apply(Op::BvZeroExtend(more), x) => self.bv_zero_extend(x[0], by + more),
            _ => self.plain(Op::BvZeroExtend(by), &[a]),
        }
    }

    pub(crate) fn normal_sign_extend(&mut self, a: Term, by: u32) -> Term {
        match *self.node(a) {
            _ if by == 0 => a,
            Node::Apply(Op::BvSignExtend(more), x) => self.bv_sign_extend(x[0], by + more),
            Node::Apply(Op::BvZeroExtend(more), x) => self.bv_zero_extend(x[0], by + more),
            _ => self.plain(Op::BvSignExtend(by), &[a]),
        }
    }

    /// A comparison of extended terms at their own width.
    pub(crate) fn narrow_less(&mut self, op: Op, a: Term, b: Term) -> Option<Term> {
        let extension = |s: &TermStore, term: Term| match *s.node(term) {
            Node::Apply(found @ (Op::BvZeroExtend(_) | Op::BvSignExtend(_)), x) => {
                Some((found, x[0]))
            }
            _ => None,
        };
        // Extended by zeros, both kinds of order are the unsigned one.
        let order = |extension: Op| match extension {
            Op::BvZeroExtend(_) => Op::BvUlt,
            _ => op,
        };
        match (extension(self, a), extension(self, b)) {
            (Some((f, x)), Some((g, y))) if f == g => Some(self.apply(order(f), &[x, y])),
            (Some((f, x)), None) => {
                let bound = self.bv_value(b)?;
                let narrow = fitting(f, bound)?;
                let narrow = self.bv_constant(narrow);
                Some(self.apply(order(f), &[x, narrow]))
            }
            (None, Some((f, y))) => {
                let bound = self.bv_value(a)?;
                let narrow = fitting(f, bound)?;
                let narrow = self.bv_constant(narrow);
                Some(self.apply(order(f), &[narrow, y]))
            }
            _ => None,
        }
    }

    pub(crate) fn normal_to_int(&mut self, a: Term) -> Term {
        match *self.node(a) {
            Node::Apply(Op::IntToBv(width), x) => {
                let modulus = self.int(Int::power_of_two(width));
                self.modulo(x[0], modulus)
            }
            Node::Apply(Op::BvZeroExtend(_), x) => self.bv_to_int(x[0]),
            _ => self.plain(Op::BvToInt, &[a]),
        }
    }

    pub(crate) fn normal_int_to_bv(&mut self, a: Term, width: u32) -> Term {
        match *self.node(a) {
            Node::Apply(Op::BvToInt, x) => self.bv_resize(x[0], width, false),
            Node::Mod(x, modulus) if self.is_multiple(modulus, width) => self.int_to_bv(x, width),
            _ => self.plain(Op::IntToBv(width), &[a]),
        }
    }

    /// Whether a constant modulus keeps the lowest `width` bits.
    fn is_multiple(&self, modulus: Term, width: u32) -> bool {
        self.int_value(modulus).is_some_and(|m| {
            let rest = m.div_rem_euclid(&Int::power_of_two(width)).map(|(_, rest)| rest);
            !m.is_zero() && rest.is_some_and(|rest| rest.is_zero())
        })
    }
}

/// The bits before the extension that gives `wide`, if there are such.
fn fitting(extension: Op, wide: Bv) -> Option<Bv> {
    let (by, signed) = match extension {
        Op::BvZeroExtend(by) => (by, false),
        Op::BvSignExtend(by) => (by, true),
        _ => return None,
    };
    let low = wide.extract(wide.width() - by - 1, 0);
    let back = if signed { low.sign_extend(by) } else { low.zero_extend(by) };
    (back == wide).then_some(low)
}
