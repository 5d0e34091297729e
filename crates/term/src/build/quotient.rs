//! Normal forms of quotients and remainders by constants, and comparisons of
//! terms that have few values.
//!
//! Machine arithmetic over integers is arithmetic modulo powers of two. So
//! multiples of the modulus are left out, a remainder inside a remainder goes
//! if the outer modulus divides the inner one, and what surely lies in the
//! range is no remainder: `((x + 1) mod 256 + 1) mod 256` is `(x + 2) mod 256`.

use crate::{Int, Linear, Node, Op, Rat, Relation, Sort, Term, TermStore, Value};

impl TermStore {
    /// Euclidean quotient, 0 when `b` is 0.
    pub fn div(&mut self, a: Term, b: Term) -> Term {
        self.quotient(a, b, true)
    }

    /// Euclidean remainder, 0 when `b` is 0.
    pub fn modulo(&mut self, a: Term, b: Term) -> Term {
        self.quotient(a, b, false)
    }

    fn quotient(&mut self, a: Term, b: Term, wants_quotient: bool) -> Term {
        let node = if wants_quotient { Node::Div(a, b) } else { Node::Mod(a, b) };
        let Some(divisor) = self.int_value(b).cloned() else {
            return self.intern(node, Sort::Int);
        };
        if divisor.is_zero() {
            return self.int(0);
        }
        if divisor.is_one() {
            return if wants_quotient { a } else { self.int(0) };
        }
        let part = |n: &Int| {
            let parts = n.div_rem_euclid(&divisor);
            parts.map_or(Int::ZERO, |(q, r)| if wants_quotient { q } else { r })
        };
        if let Some(n) = self.int_value(a) {
            let n = part(n);
            return self.int(n);
        }
        if let Node::Ite(c, yes, no) = *self.node(a)
            && let (Some(yes), Some(no)) = (self.int_value(yes), self.int_value(no))
        {
            let (yes, no) = (part(yes), part(no));
            let (yes, no) = (self.int(yes), self.int(no));
            return self.ite(c, yes, no);
        }
        if divisor.signum() < 0 {
            return self.intern(node, Sort::Int);
        }
        match wants_quotient {
            true => self.positive_quotient(a, b, &divisor),
            false => self.positive_remainder(a, b, &divisor),
        }
    }

    fn positive_quotient(&mut self, a: Term, b: Term, divisor: &Int) -> Term {
        // Multiples of the divisor are divided by themselves.
        let linear = self.linear(a);
        let (mut whole, mut rest) = (Linear::constant(Rat::ZERO), Linear::constant(Rat::ZERO));
        for (term, c) in linear.monomials() {
            let monomial = Linear::term(*term);
            match c.to_int().and_then(|c| c.div_rem_euclid(divisor)) {
                Some((q, r)) if r.is_zero() => whole = whole.plus(&Rat::from(q), &monomial),
                _ => rest = rest.plus(c, &monomial),
            }
        }
        let constant = linear.constant_part().to_int().and_then(|k| k.div_rem_euclid(divisor));
        let (q, r) = constant.unwrap_or((Int::ZERO, Int::ZERO));
        let whole = whole.shifted(&Rat::from(q));
        let rest = self.sum(rest.shifted(&Rat::from(r)), Sort::Int);
        let small =
            self.range(rest).is_some_and(|(low, high)| low.signum() >= 0 && high < *divisor);
        let rest = match self.int_value(rest).cloned() {
            Some(n) => self.int(n.div_floor(divisor)),
            None if small => self.int(0),
            None => self.intern(Node::Div(rest, b), Sort::Int),
        };
        let total = self.linear(rest).plus(&Rat::ONE, &whole);
        self.sum(total, Sort::Int)
    }

    fn positive_remainder(&mut self, a: Term, b: Term, divisor: &Int) -> Term {
        let mut linear = self.linear(a);
        // Taking an inner remainder away may leave multiples again.
        loop {
            let simpler = self.without_multiples(&linear, divisor);
            if simpler == linear {
                break;
            }
            linear = simpler;
        }
        let rest = self.sum(linear, Sort::Int);
        if rest != a && !matches!(self.node(rest), Node::Sum(_) | Node::Mod(..)) {
            return self.modulo(rest, b);
        }
        match self.range(rest) {
            Some((low, high)) if low.signum() >= 0 && high < *divisor => rest,
            _ => self.intern(Node::Mod(rest, b), Sort::Int),
        }
    }

    /// The same modulo the divisor.
    fn without_multiples(&self, linear: &Linear, divisor: &Int) -> Linear {
        let divides = |n: &Int| n.div_rem_euclid(divisor).is_some_and(|(_, r)| r.is_zero());
        let mut rest = Linear::constant(linear.constant_part().clone());
        for (term, c) in linear.monomials() {
            if c.to_int().is_some_and(divides) {
                continue;
            }
            let inner = match *self.node(*term) {
                Node::Mod(x, m) if self.int_value(m).is_some_and(divides) => self.linear(x),
                _ => Linear::term(*term),
            };
            rest = rest.plus(c, &inner);
        }
        let constant = rest.constant_part().to_int().and_then(|k| k.div_rem_euclid(divisor));
        let constant = constant.map_or(Int::ZERO, |(_, r)| r);
        rest.shifted(&-rest.constant_part()).shifted(&Rat::from(constant))
    }

    /// Bounds that a term has by its shape: a remainder or the number of some
    /// bits, and a sum of a constant and such a term.
    fn range(&self, term: Term) -> Option<(Int, Int)> {
        let of = |term: Term| match *self.node(term) {
            Node::Mod(_, m) => {
                let m = self.int_value(m).filter(|m| !m.is_zero())?;
                Some((Int::ZERO, &m.abs() - &Int::ONE))
            }
            Node::Apply(Op::BvToInt, x) => {
                let limit = Int::power_of_two(self.sort(x[0]).width());
                Some((Int::ZERO, &limit - &Int::ONE))
            }
            _ => None,
        };
        let linear = self.linear(term);
        let [(inner, c)] = linear.monomials() else { return None };
        let (low, high) = of(*inner)?;
        let (c, k) = (c.to_int()?, linear.constant_part().to_int()?);
        let ends = [&(c * &low) + k, &(c * &high) + k];
        let [a, b] = ends;
        Some(if a <= b { (a, b) } else { (b, a) })
    }

    /// `linear REL 0` with the one unknown `term`, if the values that `term`
    /// can have decide it or make it the condition of a choice.
    pub(crate) fn relate_known(
        &mut self,
        relation: Relation,
        linear: &Linear,
        term: Term,
        sort: Sort,
    ) -> Option<Term> {
        if let Node::Ite(c, yes, no) = *self.node(term) {
            let at = |s: &TermStore, branch: Term| {
                let value = s.value(branch).and_then(Value::to_rat)?;
                let (_, factor) = &linear.monomials()[0];
                Some(linear.constant_part() + &(factor * &value))
            };
            let (yes, no) = (at(self, yes)?, at(self, no)?);
            let [yes, no] = [yes, no].map(|k| self.relate(relation, Linear::constant(k), sort));
            return Some(self.ite(c, yes, no));
        }
        if sort != Sort::Int || self.range(term).is_none() {
            return None;
        }
        let total = self.sum(linear.clone(), sort);
        let (low, high) = self.range(total)?;
        let truth = match relation {
            Relation::Le if high.signum() <= 0 => true,
            Relation::Le if low.signum() > 0 => false,
            Relation::Lt if high.signum() < 0 => true,
            Relation::Lt if low.signum() >= 0 => false,
            Relation::Eq if high.signum() < 0 || low.signum() > 0 => false,
            _ => return None,
        };
        Some(self.bool(truth))
    }
}
