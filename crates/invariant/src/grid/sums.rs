//! Values as sums: integer multiples of variables, of unknowns, and a constant.
//!
//! The value of a word is its number from zero up. What wraps is a multiple of
//! `2^w` apart, by a number of turns that is an unknown; a remainder is a multiple
//! of the modulus apart. A conditional whose alternatives differ by a constant is
//! one of them and that constant times an unknown, the same for all values that
//! depend on the condition. All else is an unknown itself.

use parallax_term::{Int, Node, Op, Sort, Term, TermStore, Value};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// What a sum has multiples of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Part {
    /// The value of a variable, or of something that is not looked into.
    Term(Term),
    /// How often a value goes around, or how often a modulus fits.
    Turns(Term),
    /// Whether a condition holds: one or zero.
    Case(Term),
}

/// A sum.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Sum {
    pub(super) parts: BTreeMap<Part, Int>,
    pub(super) constant: Int,
}

impl Sum {
    fn constant(constant: Int) -> Sum {
        Sum { parts: BTreeMap::new(), constant }
    }

    fn of(part: Part) -> Sum {
        Sum { parts: BTreeMap::from([(part, Int::ONE)]), constant: Int::ZERO }
    }

    fn plus(mut self, factor: &Int, other: &Sum) -> Sum {
        self.constant = &self.constant + &(factor * &other.constant);
        for (part, value) in &other.parts {
            let entry = self.parts.entry(*part).or_insert(Int::ZERO);
            *entry = &*entry + &(factor * value);
        }
        self.parts.retain(|_, factor| !factor.is_zero());
        self
    }

    fn scaled(&self, factor: &Int) -> Sum {
        Sum::constant(Int::ZERO).plus(factor, self)
    }
}

/// Sums of terms, each found once.
pub(super) struct Sums<'s> {
    store: &'s TermStore,
    known: FxHashMap<Term, Sum>,
    /// Conditions between values that differ by more than a constant.
    pub(super) hard: BTreeSet<Term>,
}

impl<'s> Sums<'s> {
    pub(super) fn new(store: &'s TermStore) -> Sums<'s> {
        Sums { store, known: FxHashMap::default(), hard: BTreeSet::new() }
    }

    /// A number or a word as a sum.
    pub(super) fn sum(&mut self, root: Term) -> Sum {
        // Children first: nothing recurses on the depth of a term.
        for term in self.store.subterms(&[root]) {
            if matches!(self.store.sort(term), Sort::Int | Sort::Bv(_))
                && !self.known.contains_key(&term)
            {
                let sum = self.of_node(term).unwrap_or_else(|| Sum::of(Part::Term(term)));
                self.known.insert(term, sum);
            }
        }
        self.child(root)
    }

    fn child(&self, term: Term) -> Sum {
        self.known.get(&term).cloned().unwrap_or_else(|| Sum::of(Part::Term(term)))
    }

    fn value(&self, term: Term) -> Option<Int> {
        match self.store.value(term)? {
            Value::Int(value) => Some(value.clone()),
            Value::Bv(word) => Some(word.to_int()),
            _ => None,
        }
    }

    /// The sum of a term whose children are known; nothing for an unknown.
    fn of_node(&mut self, term: Term) -> Option<Sum> {
        if let Some(value) = self.value(term) {
            return Some(Sum::constant(value));
        }
        match self.store.node(term) {
            Node::Sum(linear) => {
                let mut sum = Sum::constant(linear.constant_part().to_int()?.clone());
                for (term, factor) in linear.monomials() {
                    sum = sum.plus(factor.to_int()?, &self.child(*term));
                }
                Some(sum)
            }
            &Node::Mod(of, by) => {
                let by = self.value(by).filter(|by| !by.is_zero())?;
                Some(self.child(of).plus(&by, &Sum::of(Part::Turns(term))))
            }
            &Node::Ite(condition, yes, no) => {
                let (yes, no) = (self.child(yes), self.child(no));
                let apart = yes.plus(&Int::from(-1), &no);
                if !apart.parts.is_empty() {
                    self.hard.insert(condition);
                    return None;
                }
                Some(no.plus(&apart.constant, &Sum::of(Part::Case(condition))))
            }
            Node::Apply(op, args) => {
                let args: Vec<Term> = args.iter().copied().collect();
                self.of_operation(term, *op, &args)
            }
            _ => None,
        }
    }

    fn of_operation(&self, term: Term, op: Op, args: &[Term]) -> Option<Sum> {
        let width = |term: Term| match self.store.sort(term) {
            Sort::Bv(width) => Some(width),
            _ => None,
        };
        let turning = |sum: Sum, width: u32| {
            Some(sum.plus(&Int::power_of_two(width), &Sum::of(Part::Turns(term))))
        };
        match (op, args) {
            (Op::BvAdd, &[a, b]) => {
                turning(self.child(a).plus(&Int::ONE, &self.child(b)), width(term)?)
            }
            (Op::BvNeg, &[a]) => turning(self.child(a).scaled(&Int::from(-1)), width(term)?),
            (Op::BvNot, &[a]) => {
                let all = &Int::power_of_two(width(term)?) - &Int::ONE;
                Some(Sum::constant(all).plus(&Int::from(-1), &self.child(a)))
            }
            (Op::BvMul, &[a, b]) => {
                let (factor, of) = match (self.value(a), self.value(b)) {
                    (Some(factor), _) => (factor, b),
                    (_, Some(factor)) => (factor, a),
                    _ => return None,
                };
                turning(self.child(of).scaled(&factor), width(term)?)
            }
            (Op::BvShl, &[a, by]) => {
                let by = u32::try_from(self.value(by)?.to_i64()?).ok()?;
                let width = width(term)?;
                (by < width).then_some(())?;
                turning(self.child(a).scaled(&Int::power_of_two(by)), width)
            }
            (Op::BvConcat, &[a, b]) => {
                let factor = Int::power_of_two(width(b)?);
                Some(self.child(a).scaled(&factor).plus(&Int::ONE, &self.child(b)))
            }
            (Op::BvExtract(high, 0), &[a]) => turning(self.child(a), high + 1),
            (Op::BvZeroExtend(_) | Op::BvToInt, &[a]) => Some(self.child(a)),
            (Op::BvSignExtend(_), &[a]) => {
                let apart = &Int::power_of_two(width(term)?) - &Int::power_of_two(width(a)?);
                Some(self.child(a).plus(&apart, &Sum::of(Part::Turns(term))))
            }
            (Op::IntToBv(width), &[a]) => turning(self.child(a), width),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_wraps_is_a_sum_and_turns() {
        let s = &mut TermStore::new();
        let (a, twelve) = (s.var("a", Sort::Bv(32)), s.bv(32, 12));
        let next = s.bv_add(a, twelve);
        let sum = Sums::new(s).sum(next);
        assert_eq!(sum.constant, Int::from(12));
        assert_eq!(sum.parts[&Part::Term(a)], Int::ONE);
        assert_eq!(sum.parts[&Part::Turns(next)], Int::power_of_two(32));
    }

    #[test]
    fn conditionals_that_differ_by_a_constant_are_sums() {
        let s = &mut TermStore::new();
        let (c, x, y) = (s.var("c", Sort::Bool), s.var("x", Sort::Int), s.var("y", Sort::Int));
        let five = s.int(5);
        let more = s.add(x, five);
        let (soft, hard) = (s.ite(c, more, x), s.ite(c, y, x));
        let mut sums = Sums::new(s);
        assert_eq!(sums.sum(soft).parts[&Part::Case(c)], Int::from(5));
        assert!(sums.hard.is_empty());
        assert_eq!(sums.sum(hard), Sum::of(Part::Term(hard)));
        assert!(sums.hard.contains(&c));
    }
}
