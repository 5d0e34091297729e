//! Simpler formulas, without a solver: bounds of one sum are compared.
//!
//! `x <= 3 || x <= 5` is `x <= 5`, and in `x <= 6 || x > 6 && y` the second
//! `x > 6` is known from the first. So each item of a conjunction is simplified
//! knowing the literals beside it, each item of a disjunction knowing that the
//! literals beside it are false. Negations are moved to the literals. Two bounds
//! that meet are an equation.

use crate::linear::{Constraint, formula};
use parallax_term::{Node, Rat, Relation, Term, TermStore};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Larger formulas are left as they are.
const NODES: usize = 400;
/// So are subformulas that are nested deeper.
const DEPTH: usize = 24;
/// So is what is left after so many comparisons: formulas share subformulas.
const FUEL: usize = 20_000;

/// An equivalent formula, in which bounds stay bounds.
pub(crate) fn tidy(store: &mut TermStore, formula: Term) -> Term {
    simplify(store, formula, false)
}

/// An equivalent formula with equations for bounds that meet.
pub(crate) fn finish(store: &mut TermStore, formula: Term) -> Term {
    simplify(store, formula, true)
}

fn simplify(store: &mut TermStore, formula: Term, equations: bool) -> Term {
    if store.subterms(&[formula]).len() > NODES {
        return formula;
    }
    let mut known = Known { fuel: FUEL, equations, ..Known::default() };
    known.simplify(store, formula, DEPTH)
}

/// Literals that are true.
#[derive(Default)]
struct Known {
    literals: Vec<(Term, Option<Rc<Constraint>>)>,
    /// Literals that were read as constraints before.
    read: FxHashMap<Term, Option<Rc<Constraint>>>,
    /// How many comparisons may still be made.
    fuel: usize,
    /// Whether bounds that meet become equations.
    equations: bool,
}

impl Known {
    fn read(&mut self, store: &TermStore, literal: Term) -> Option<Rc<Constraint>> {
        let read = || Constraint::read(store, literal).map(Rc::new);
        self.read.entry(literal).or_insert_with(read).clone()
    }

    fn learn(&mut self, store: &TermStore, literal: Term) {
        let read = self.read(store, literal);
        self.literals.push((literal, read));
    }

    /// Whether a literal is true because of the known ones.
    fn implies(&mut self, store: &TermStore, literal: Term) -> bool {
        self.fuel = self.fuel.saturating_sub(self.literals.len());
        let constraint = self.read(store, literal);
        self.literals.iter().any(|(known, bound)| {
            *known == literal
                || bound.as_ref().zip(constraint.as_ref()).is_some_and(|(a, b)| is_tighter(a, b))
        })
    }

    fn simplify(&mut self, store: &mut TermStore, formula: Term, depth: usize) -> Term {
        let (inner, positive) = store.literal(formula);
        let (mut items, is_and) = match store.node(inner) {
            Node::And(items) => (items.to_vec(), positive),
            Node::Or(items) => (items.to_vec(), !positive),
            _ => return self.literal(store, formula),
        };
        if depth == 0 || self.fuel == 0 {
            return formula;
        }
        if !positive {
            items.iter_mut().for_each(|item| *item = store.not(*item));
        }
        // Literals first: they are what the others know.
        let is_literal = |store: &TermStore, item: Term| {
            !matches!(store.node(store.literal(item).0), Node::And(_) | Node::Or(_))
        };
        let (mut done, rest): (Vec<Term>, Vec<Term>) =
            items.into_iter().partition(|item| is_literal(store, *item));
        let count = done.len();
        for at in (0..count).chain(count..count + rest.len()) {
            let item = if at < count { done[at] } else { rest[at - count] };
            let length = self.literals.len();
            for (other, &beside) in done.iter().enumerate() {
                if other != at && store.value(beside).is_none() && is_literal(store, beside) {
                    let beside = if is_and { beside } else { store.not(beside) };
                    self.learn(store, beside);
                }
            }
            let simple = self.simplify(store, item, depth - 1);
            self.literals.truncate(length);
            if at < count {
                done[at] = simple;
            } else {
                done.push(simple);
            }
        }
        if !self.equations {
            return if is_and { store.and(done) } else { store.or(done) };
        }
        if !is_and {
            done.iter_mut().for_each(|item| *item = store.not(*item));
        }
        self.equate(store, &mut done);
        if is_and {
            return store.and(done);
        }
        done.iter_mut().for_each(|item| *item = store.not(*item));
        store.or(done)
    }

    /// Makes one equation of two bounds that meet.
    fn equate(&mut self, store: &mut TermStore, items: &mut Vec<Term>) {
        let mut at = 0;
        while at < items.len() {
            let bound = self.read(store, items[at]);
            let meets = |known: &mut Known, store: &TermStore, other: Term| {
                let other = known.read(store, other)?;
                let sum = bound.as_deref()?.linear.plus(&Rat::ONE, &other.linear);
                let both_weak = [bound.as_deref()?, &other].map(|c| c.relation == Relation::Le);
                let is_zero = sum.as_constant().is_some_and(Rat::is_zero);
                (is_zero && both_weak == [true, true]).then_some(())
            };
            let partner = (at + 1..items.len()).find(|i| meets(self, store, items[*i]).is_some());
            if let (Some(partner), Some(bound)) = (partner, &bound) {
                items.remove(partner);
                items[at] = formula(store, &bound.linear, Relation::Eq);
            }
            at += 1;
        }
    }

    fn literal(&mut self, store: &mut TermStore, literal: Term) -> Term {
        if self.implies(store, literal) {
            return store.bool(true);
        }
        let negated = store.not(literal);
        if self.implies(store, negated) {
            return store.bool(false);
        }
        literal
    }
}

/// Whether the first of two bounds of the same sum implies the second.
fn is_tighter(a: &Constraint, b: &Constraint) -> bool {
    if a.linear.monomials() != b.linear.monomials() {
        return false;
    }
    let (left, right) = (a.linear.constant_part(), b.linear.constant_part());
    match (a.relation, b.relation) {
        (Relation::Eq, Relation::Eq) => left == right,
        (_, Relation::Eq) => false,
        (Relation::Eq | Relation::Le, Relation::Lt) => left > right,
        _ => left >= right,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use parallax_term::Sort;

    #[test]
    fn bounds_of_one_sum_are_compared() {
        let s = &mut TermStore::new();
        let (x, y) = (s.var("x", Sort::Int), s.var("y", Sort::Bool));
        let at_most: Vec<Term> = (0..8)
            .map(|k| {
                let k = s.int(k);
                s.le(x, k)
            })
            .collect();
        let (low, high) = (s.or([at_most[3], at_most[5]]), s.and([at_most[3], at_most[5]]));
        assert_eq!(tidy(s, low), at_most[5]);
        assert_eq!(tidy(s, high), at_most[3]);
        let above = s.not(at_most[6]);
        let inner = s.and([above, y]);
        let whole = s.or([at_most[6], inner]);
        let expected = s.or([at_most[6], y]);
        assert_eq!(tidy(s, whole), expected);
        let (least, zero) = (s.int(5), s.int(0));
        let at_least = s.ge(x, least);
        let (meet, apart) = (s.and([at_most[5], at_least]), s.or([at_most[4], above]));
        assert_eq!(tidy(s, meet), meet);
        assert_eq!(finish(s, meet), s.eq(x, least));
        assert_eq!(finish(s, apart), apart);
        let (below, over) = (s.lt(x, zero), s.gt(x, zero));
        let (other, equal) = (s.or([below, over]), s.eq(x, zero));
        assert_eq!(finish(s, other), s.not(equal));
        let none = s.and([above, at_most[2]]);
        assert!(store_is_false(s, none));
    }

    fn store_is_false(s: &mut TermStore, formula: Term) -> bool {
        let tidied = tidy(s, formula);
        s.is_false(tidied)
    }
}
