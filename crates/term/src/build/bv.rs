//! Normal forms of bit-vector arithmetic, bitwise functions and comparisons.
//!
//! A sum is `Add(Add(x, y), constant)`: constants move outward and meet. A
//! difference is a sum with a negation. `a <= b` is the negation of `b < a`,
//! so a predicate and its complement are one atom and its negation.

use crate::{Bv, Node, Op, Sort, Term, TermStore, Value};

macro_rules! functions {
    ($($(#[$doc:meta])* $name:ident($($argument:ident),*) $op:expr;)*) => {
        impl TermStore {
            $($(#[$doc])*
            pub fn $name(&mut self, $($argument: Term),*) -> Term {
                self.apply($op, &[$($argument),*])
            })*
        }
    };
}

functions! {
    /// `~a`
    bv_not(a) Op::BvNot;
    /// `-a`
    bv_neg(a) Op::BvNeg;
    /// `a & b`
    bv_and(a, b) Op::BvAnd;
    /// `a | b`
    bv_or(a, b) Op::BvOr;
    /// `a ^ b`
    bv_xor(a, b) Op::BvXor;
    /// `a + b`
    bv_add(a, b) Op::BvAdd;
    /// `a * b`
    bv_mul(a, b) Op::BvMul;
    /// Unsigned quotient; all bits set when `b` is 0.
    bv_udiv(a, b) Op::BvUdiv;
    /// Unsigned remainder; `a` when `b` is 0.
    bv_urem(a, b) Op::BvUrem;
    /// Signed quotient rounded towards zero; when `b` is 0, 1 for a negative
    /// `a` and else -1.
    bv_sdiv(a, b) Op::BvSdiv;
    /// Signed remainder with the sign of `a`; `a` when `b` is 0.
    bv_srem(a, b) Op::BvSrem;
    /// `a << b`; 0 when `b` is not below the width.
    bv_shl(a, b) Op::BvShl;
    /// `a >> b` with zeros coming in; 0 when `b` is not below the width.
    bv_lshr(a, b) Op::BvLshr;
    /// `a >> b` with copies of the sign coming in.
    bv_ashr(a, b) Op::BvAshr;
    /// Unsigned `a < b`.
    bv_ult(a, b) Op::BvUlt;
    /// Signed `a < b`.
    bv_slt(a, b) Op::BvSlt;
}

impl TermStore {
    /// `a - b`
    pub fn bv_sub(&mut self, a: Term, b: Term) -> Term {
        let minus = self.bv_neg(b);
        self.bv_add(a, minus)
    }

    /// Unsigned `a <= b`.
    pub fn bv_ule(&mut self, a: Term, b: Term) -> Term {
        let above = self.bv_ult(b, a);
        self.not(above)
    }

    /// Signed `a <= b`.
    pub fn bv_sle(&mut self, a: Term, b: Term) -> Term {
        let above = self.bv_slt(b, a);
        self.not(above)
    }

    pub(crate) fn bv_constant(&mut self, bits: Bv) -> Term {
        self.constant(Value::Bv(bits))
    }

    /// The arguments of a term, if it applies this function.
    pub(crate) fn arguments<const N: usize>(&self, term: Term, op: Op) -> Option<[Term; N]> {
        match self.node(term) {
            Node::Apply(found, arguments) if *found == op => (&**arguments).try_into().ok(),
            _ => None,
        }
    }

    /// The term as a sum of a term and a constant; no term for a constant.
    pub(crate) fn bv_offset(&self, term: Term) -> (Option<Term>, Bv) {
        let zero = Bv::new(self.sort(term).width().max(1), 0);
        if let Some(bits) = self.bv_value(term) {
            return (None, bits);
        }
        let sum = self.arguments(term, Op::BvAdd);
        match sum.and_then(|[base, by]| Some((base, self.bv_value(by)?))) {
            Some((base, by)) => (Some(base), by),
            None => (Some(term), zero),
        }
    }

    pub(crate) fn normal_bv_unary(&mut self, op: Op, a: Term) -> Term {
        if let Some([inner]) = self.arguments(a, op) {
            return inner;
        }
        let one = Bv::new(self.sort(a).width(), 1);
        let other = if op == Op::BvNot { Op::BvNeg } else { Op::BvNot };
        if let Some([inner]) = self.arguments(a, other) {
            // ~-x is x - 1, -~x is x + 1.
            let by = self.bv_constant(if op == Op::BvNot { one.neg() } else { one });
            return self.bv_add(inner, by);
        }
        if let (Op::BvNeg, (Some(base), by)) = (op, self.bv_offset(a))
            && !by.is_zero()
        {
            let (minus, by) = (self.bv_neg(base), self.bv_constant(by.neg()));
            return self.bv_add(minus, by);
        }
        self.plain(op, &[a])
    }

    /// Constants are folded and stand last where the order does not matter.
    pub(crate) fn normal_bv_binary(&mut self, op: Op, a: Term, b: Term) -> Term {
        let width = self.sort(a).width();
        let zero = Bv::new(width, 0);
        let constant = self.bv_value(b);
        match (op, constant) {
            (Op::BvAdd, _) => return self.normal_bv_add(a, b),
            (Op::BvAnd | Op::BvMul, Some(c)) if c.is_zero() => return b,
            (Op::BvAnd, Some(c)) if c.is_ones() => return a,
            (Op::BvOr, Some(c)) if c.is_ones() => return b,
            (Op::BvOr | Op::BvXor, Some(c)) if c.is_zero() => return a,
            (Op::BvXor, Some(c)) if c.is_ones() => return self.bv_not(a),
            (Op::BvMul, Some(c)) if c.is_ones() => return self.bv_neg(a),
            (Op::BvMul | Op::BvUdiv | Op::BvSdiv, Some(c)) if c.bits() == 1 && width > 1 => {
                return a;
            }
            (Op::BvMul | Op::BvUdiv, Some(c)) if c.bits() == 1 => return a,
            (Op::BvUrem | Op::BvSrem, Some(c)) if c.bits() == 1 => {
                return self.bv_constant(zero);
            }
            (Op::BvUdiv, Some(c)) if c.log2().is_some() => {
                let by = self.bv(width, c.log2().unwrap_or(0).into());
                return self.bv_lshr(a, by);
            }
            (Op::BvUrem, Some(c)) if c.log2().is_some() => {
                let low = self.bv(width, c.bits() - 1);
                return self.bv_and(a, low);
            }
            (Op::BvShl | Op::BvLshr | Op::BvAshr, Some(by)) => {
                return self.normal_shift(op, a, by);
            }
            _ => {}
        }
        if a == b {
            match op {
                Op::BvAnd | Op::BvOr => return a,
                Op::BvXor => return self.bv_constant(zero),
                _ => {}
            }
        }
        let opposite =
            self.arguments(a, Op::BvNot) == Some([b]) || self.arguments(b, Op::BvNot) == Some([a]);
        match op {
            Op::BvAnd if opposite => return self.bv_constant(zero),
            Op::BvOr | Op::BvXor if opposite => return self.bv_constant(Bv::ones(width)),
            _ => {}
        }
        if let (true, Some(c)) = (op.commutes(), constant) {
            // Two constants meet; a sign moves into the factor.
            if let Some([inner, d]) = self.arguments(a, op)
                && let Some(d) = self.bv_value(d)
                && let Some(both) = op.on_bits(c, d)
            {
                let both = self.bv_constant(both);
                return self.apply(op, &[inner, both]);
            }
            if let (Op::BvMul, Some([inner])) = (op, self.arguments(a, Op::BvNeg)) {
                let minus = self.bv_constant(c.neg());
                return self.bv_mul(inner, minus);
            }
        }
        self.plain(op, &[a, b])
    }

    fn normal_bv_add(&mut self, a: Term, b: Term) -> Term {
        let ((x, c), (y, d)) = (self.bv_offset(a), self.bv_offset(b));
        let by = c.add(d);
        let base = match (x, y) {
            (Some(x), Some(y)) => {
                let opposite = |s: &TermStore, x, y| s.arguments(x, Op::BvNeg) == Some([y]);
                match opposite(self, x, y) || opposite(self, y, x) {
                    true => None,
                    false => Some(self.plain(Op::BvAdd, &[x.min(y), x.max(y)])),
                }
            }
            (x, y) => x.or(y),
        };
        let constant = self.bv_constant(by);
        match base {
            None => constant,
            Some(base) if by.is_zero() => base,
            Some(base) => self.plain(Op::BvAdd, &[base, constant]),
        }
    }

    fn normal_shift(&mut self, op: Op, a: Term, by: Bv) -> Term {
        let width = self.sort(a).width();
        let by = by.bits();
        if by == 0 {
            return a;
        }
        let last = u128::from(width) - 1;
        if op != Op::BvAshr && by > last {
            return self.bv(width, 0);
        }
        let mut by = by.min(last);
        let mut inner = a;
        if let Some([deeper, before]) = self.arguments(a, op)
            && let Some(before) = self.bv_value(before)
        {
            by = by.saturating_add(before.bits());
            inner = deeper;
            if by > last && op != Op::BvAshr {
                return self.bv(width, 0);
            }
            by = by.min(last);
        }
        if by == 0 {
            return inner;
        }
        let by = self.bv(width, by);
        self.plain(op, &[inner, by])
    }

    pub(crate) fn normal_less(&mut self, op: Op, a: Term, b: Term) -> Term {
        if a == b {
            return self.bool(false);
        }
        let width = self.sort(a).width();
        let (least, greatest) = match op {
            Op::BvUlt => (0, u128::MAX),
            _ => (1 << (width - 1), (1 << (width - 1)) - 1),
        };
        let (least, greatest) = (Bv::new(width, least), Bv::new(width, greatest));
        let (low, high) = (self.bv_value(a), self.bv_value(b));
        if low == Some(greatest) || high == Some(least) {
            return self.bool(false);
        }
        let only = match (low, high) {
            (Some(c), _) if c == least => Some((b, least, false)),
            (_, Some(c)) if c == greatest => Some((a, greatest, false)),
            (Some(c), _) if c == greatest.sub(Bv::new(width, 1)) => Some((b, greatest, true)),
            (_, Some(c)) if c == least.add(Bv::new(width, 1)) => Some((a, least, true)),
            _ => None,
        };
        if let Some((term, value, wanted)) = only {
            let value = self.bv_constant(value);
            let same = self.equal(term, value);
            return if wanted { same } else { self.not(same) };
        }
        if let Some(narrow) = self.narrow_less(op, a, b) {
            return narrow;
        }
        self.intern(Node::Apply(op, crate::Args::new(&[a, b])), Sort::Bool)
    }

    /// `a = bits` for some terms in a simpler way: `Some(None)` if it is never
    /// true, `None` if there is no simpler way.
    #[expect(clippy::option_option, reason = "never true and not simpler are different answers")]
    pub(crate) fn solve_equal(&self, a: Term, bits: Bv) -> Option<Option<(Term, Bv)>> {
        let Node::Apply(op, arguments) = self.node(a) else { return None };
        let inner = self.sort(arguments[0]).width();
        Some(match op {
            Op::BvNot => Some((arguments[0], bits.not())),
            Op::BvNeg => Some((arguments[0], bits.neg())),
            Op::BvAdd => Some((arguments[0], bits.sub(self.bv_value(arguments[1])?))),
            Op::BvXor => Some((arguments[0], bits.xor(self.bv_value(arguments[1])?))),
            Op::BvZeroExtend(by) => {
                let low = bits.extract(inner - 1, 0);
                (low.zero_extend(*by) == bits).then_some((arguments[0], low))
            }
            Op::BvSignExtend(by) => {
                let low = bits.extract(inner - 1, 0);
                (low.sign_extend(*by) == bits).then_some((arguments[0], low))
            }
            _ => return None,
        })
    }

    /// The two sides of an equation without what both have in common.
    pub(crate) fn strip_equal(&mut self, a: Term, b: Term) -> Option<(Term, Term)> {
        if let (Node::Apply(f, x), Node::Apply(g, y)) = (self.node(a), self.node(b))
            && f == g
            && matches!(
                f,
                Op::BvNot | Op::BvNeg | Op::BvZeroExtend(_) | Op::BvSignExtend(_) | Op::FloatNeg
            )
            && self.sort(x[0]) == self.sort(y[0])
        {
            return Some((x[0], y[0]));
        }
        if !matches!(self.sort(a), Sort::Bv(_)) {
            return None;
        }
        let ((x, c), (y, d)) = (self.bv_offset(a), self.bv_offset(b));
        let (x, y) = (x?, y?);
        if c.is_zero() || d.is_zero() || x == y {
            return None;
        }
        // x + c = y + d is x + (c - d) = y.
        let by = self.bv_constant(c.sub(d));
        Some((self.bv_add(x, by), y))
    }
}
