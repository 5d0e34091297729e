//! Conditions: what is known where they hold, or do not.

use crate::environment::{Environment, compare};
use crate::interval::Interval;
use parallax_term::{Linear, Node, Rat, Relation, Sort, Term, TermStore};

/// Conditions nested deeper than this are not looked into.
const DEPTH: u32 = 40;

/// Conditional values nested deeper than this are not taken apart.
const SPLITS: u32 = 6;

impl Environment {
    /// The environment where a condition holds, or does not; `None` if there
    /// is no such state.
    pub(crate) fn assume(self, store: &TermStore, term: Term, holds: bool) -> Option<Environment> {
        self.assume_below(store, term, holds, 0)
    }

    fn assume_below(
        mut self,
        store: &TermStore,
        term: Term,
        holds: bool,
        depth: u32,
    ) -> Option<Environment> {
        if self.truth(store, term) == Some(!holds) {
            return None;
        }
        if depth > DEPTH {
            return Some(self);
        }
        match store.node(term) {
            Node::Not(a) => self.assume_below(store, *a, !holds, depth + 1),
            Node::And(items) | Node::Or(items) => {
                let is_and = matches!(store.node(term), Node::And(_));
                if is_and == holds {
                    // What comes later may help what came first.
                    for _ in 0..if self.is_plain { 1 } else { 2 } {
                        for item in items {
                            self = self.assume_below(store, *item, holds, depth + 1)?;
                        }
                    }
                    return Some(self);
                }
                let cases = items
                    .iter()
                    .filter_map(|item| self.clone().assume_below(store, *item, holds, depth + 1));
                cases.reduce(|a, b| a.join(&b))
            }
            Node::Compare(relation, linear) => {
                self.compared(store, *relation, linear, holds, depth)
            }
            _ => Some(self),
        }
    }

    /// The environment where a comparison holds, or does not. A conditional
    /// value is looked at branch by branch.
    fn compared(
        mut self,
        store: &TermStore,
        relation: Relation,
        linear: &Linear,
        holds: bool,
        depth: u32,
    ) -> Option<Environment> {
        if let Some(value) = linear.as_constant() {
            let truth = compare(relation, &Interval::point(value));
            return (truth == Some(holds)).then_some(self);
        }
        let splits = if self.is_plain { 0 } else { SPLITS };
        let conditional =
            linear.monomials().iter().find_map(|(term, factor)| match *store.node(*term) {
                Node::Ite(c, a, b) => Some((*term, factor.clone(), c, [a, b])),
                _ => None,
            });
        if let Some((term, factor, condition, branches)) = conditional.filter(|_| depth < splits) {
            let rest = linear.plus(&-&factor, &Linear::term(term));
            let cases = branches.into_iter().zip([true, false]).filter_map(|(branch, taken)| {
                let here = self.clone().assume_below(store, condition, taken, depth + 1)?;
                let sum = rest.plus(&factor, &store.linear(branch));
                here.compared(store, relation, &sum, holds, depth + 1)
            });
            return cases.reduce(|a, b| a.join(&b));
        }
        self.restrict(store, relation, linear, holds);
        self.close().then_some(self)
    }

    /// Uses a comparison.
    fn restrict(&mut self, store: &TermStore, relation: Relation, linear: &Linear, holds: bool) {
        let Some((first, _)) = linear.monomials().first() else { return };
        let is_int = store.sort(*first) == Sort::Int;
        let minus = Rat::from(-1);
        // Sums that are at most zero.
        let mut below = Vec::new();
        match (relation, holds) {
            (Relation::Eq, true) => below.extend([linear.clone(), linear.scaled(&minus)]),
            (Relation::Le | Relation::Lt, true) => below.push(linear.clone()),
            (Relation::Le | Relation::Lt, false) => {
                let strict = if is_int { Rat::ONE } else { Rat::ZERO };
                below.push(linear.scaled(&minus).shifted(&strict));
            }
            (Relation::Eq, false) => self.exclude(linear, is_int),
        }
        for sum in below {
            let values: Vec<Interval> = sum
                .monomials()
                .iter()
                .map(|(t, factor)| self.eval(store, *t).scaled(factor))
                .collect();
            for (at, (term, factor)) in sum.monomials().iter().enumerate() {
                if !matches!(store.node(*term), Node::Var(..)) {
                    continue;
                }
                let mut rest = Interval::point(sum.constant_part());
                for (_, value) in values.iter().enumerate().filter(|(i, _)| *i != at) {
                    rest = rest.plus(value);
                }
                let most = Interval { low: None, high: rest.low.as_ref().map(|low| -low) };
                let inverse = factor.inverse().unwrap_or(Rat::ONE);
                let mut own = self.of(*term).meet(&most.scaled(&inverse));
                if store.sort(*term) == Sort::Int {
                    own = own.integral();
                }
                self.intervals.insert(*term, own);
            }
            if let Some(octagon) = &mut self.octagon {
                octagon.add(sum.monomials(), &-sum.constant_part());
            }
        }
    }

    /// A variable that is not equal to an end of its interval is inside.
    fn exclude(&mut self, linear: &Linear, is_int: bool) {
        let [(term, factor)] = linear.monomials() else { return };
        let inverse = factor.inverse().unwrap_or(Rat::ONE);
        let value = &-linear.constant_part() * &inverse;
        let Some(own) = self.intervals.get_mut(term).filter(|_| is_int) else { return };
        if own.low.as_ref() == Some(&value) {
            own.low = Some(&value + &Rat::ONE);
        } else if own.high.as_ref() == Some(&value) {
            own.high = Some(&value - &Rat::ONE);
        }
    }
}
