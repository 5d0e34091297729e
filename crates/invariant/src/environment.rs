//! What is known of the values of variables, one by one and in pairs, and how
//! terms are evaluated there.

use crate::interval::Interval;
use crate::octagon::Octagon;
use parallax_term::{Int, Linear, Node, Op, Rat, Relation, Sort, Term, TermStore};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// What is known of a term.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Known {
    Number(Interval),
    Truth(Option<bool>),
    Other,
}

/// What is known of the variables of a state.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Environment {
    pub(crate) intervals: BTreeMap<Term, Interval>,
    pub(crate) octagon: Option<Octagon>,
    /// Conditional values are joined, whatever their conditions say.
    pub(crate) is_plain: bool,
}

impl Environment {
    /// The interval of a symbol.
    pub(crate) fn of(&self, symbol: Term) -> Interval {
        self.intervals.get(&symbol).cloned().unwrap_or_default()
    }

    /// Makes what is known in pairs known one by one, and back; `false` if
    /// there is no such state.
    pub(crate) fn close(&mut self) -> bool {
        if let Some(octagon) = &mut self.octagon {
            for (&term, interval) in &self.intervals {
                if let Some(high) = &interval.high {
                    octagon.add(&[(term, Rat::ONE)], high);
                }
                if let Some(low) = &interval.low {
                    octagon.add(&[(term, Rat::from(-1))], &-low);
                }
            }
            if !octagon.close() {
                return false;
            }
            for (term, interval) in &mut self.intervals {
                *interval = interval.meet(&octagon.interval(*term));
            }
        }
        !self.intervals.values().any(Interval::is_empty)
    }

    /// The least environment above both.
    pub(crate) fn join(&self, other: &Environment) -> Environment {
        let intervals = self
            .intervals
            .iter()
            .filter_map(|(&term, a)| Some((term, a.join(other.intervals.get(&term)?))))
            .collect();
        let octagon = self.octagon.as_ref().zip(other.octagon.as_ref()).map(|(a, b)| a.join(b));
        Environment { intervals, octagon, is_plain: self.is_plain }
    }

    /// The values that a number may have.
    pub(crate) fn eval(&self, store: &TermStore, term: Term) -> Interval {
        match self.known(store, term) {
            Known::Number(interval) => interval,
            _ => Interval::default(),
        }
    }

    /// Whether a condition is certainly true, or certainly false.
    pub(crate) fn truth(&self, store: &TermStore, term: Term) -> Option<bool> {
        match self.known(store, term) {
            Known::Truth(truth) => truth,
            _ => None,
        }
    }

    fn known(&self, store: &TermStore, root: Term) -> Known {
        let mut done: FxHashMap<Term, Known> = FxHashMap::default();
        for term in store.subterms(&[root]) {
            let known = self.node(store, term, &done);
            done.insert(term, known);
        }
        done.remove(&root).unwrap_or(Known::Other)
    }

    fn node(&self, store: &TermStore, term: Term, done: &FxHashMap<Term, Known>) -> Known {
        let number = |t: &Term| match done.get(t) {
            Some(Known::Number(interval)) => interval.clone(),
            _ => Interval::default(),
        };
        let truth = |t: &Term| match done.get(t) {
            Some(Known::Truth(truth)) => *truth,
            _ => None,
        };
        let sum = |linear: &Linear| {
            let mut total = Interval::point(linear.constant_part());
            for (t, factor) in linear.monomials() {
                total = total.plus(&number(t).scaled(factor));
            }
            match &self.octagon {
                // What is known of the pair may be better.
                Some(octagon) if linear.monomials().len() == 2 => {
                    let shift = Interval::point(linear.constant_part());
                    total.meet(&pair(octagon, linear).plus(&shift))
                }
                _ => total,
            }
        };
        match store.node(term) {
            Node::Value(value) => match (value.as_bool(), value.to_rat()) {
                (Some(truth), _) => Known::Truth(Some(truth)),
                (None, Some(value)) => Known::Number(Interval::point(&value)),
                _ => Known::Other,
            },
            Node::Var(_, sort) if sort.is_number() => Known::Number(self.of(term)),
            Node::Var(_, Sort::Bool) => Known::Truth(None),
            Node::Not(a) => Known::Truth(truth(a).map(|t| !t)),
            Node::And(items) => Known::Truth(all(items, true, truth)),
            Node::Or(items) => Known::Truth(all(items, false, truth)),
            Node::Iff(a, b) => Known::Truth(truth(a).zip(truth(b)).map(|(a, b)| a == b)),
            Node::Ite(c, a, b) => match (truth(c), done.get(a), done.get(b)) {
                (Some(true), Some(taken), _) | (Some(false), _, Some(taken)) => taken.clone(),
                (None, Some(Known::Number(a)), Some(Known::Number(b))) if self.is_plain => {
                    Known::Number(a.join(b))
                }
                (None, Some(Known::Number(_)), Some(Known::Number(_))) => {
                    let a = clip(store, *c, true, *a, number(a));
                    let b = clip(store, *c, false, *b, number(b));
                    Known::Number(if a.is_empty() {
                        b
                    } else if b.is_empty() {
                        a
                    } else {
                        a.join(&b)
                    })
                }
                _ => Known::Other,
            },
            Node::Sum(linear) => Known::Number(sum(linear)),
            Node::Product(items) => {
                let one = Interval::point(&Rat::ONE);
                Known::Number(items.iter().fold(one, |product, t| product.times(&number(t))))
            }
            Node::Div(a, by) | Node::Mod(a, by) => {
                let by = store.int_value(*by).filter(|by| by.signum() > 0);
                Known::Number(match (store.node(term), by) {
                    (Node::Div(..), Some(by)) => number(a).quotient(by),
                    (_, Some(by)) => number(a).remainder(by),
                    _ => Interval::default(),
                })
            }
            Node::ToReal(a) => Known::Number(number(a)),
            Node::Compare(relation, linear) => Known::Truth(compare(*relation, &sum(linear))),
            Node::Apply(Op::BvToInt, arguments) => {
                let width = arguments.iter().next().map(|&bits| store.sort(bits));
                Known::Number(match width {
                    Some(Sort::Bv(width)) => Interval {
                        low: Some(Rat::ZERO),
                        high: Some(Rat::from(&Int::power_of_two(width) - &Int::ONE)),
                    },
                    _ => Interval::default(),
                })
            }
            _ if store.sort(term) == Sort::Bool => Known::Truth(None),
            _ if store.sort(term).is_number() => Known::Number(Interval::default()),
            _ => Known::Other,
        }
    }
}

/// Whether all (or any) of some conditions hold.
fn all(items: &[Term], wanted: bool, truth: impl Fn(&Term) -> Option<bool>) -> Option<bool> {
    let mut result = Some(wanted);
    for item in items {
        match truth(item) {
            Some(truth) if truth != wanted => return Some(!wanted),
            Some(_) => {}
            None => result = None,
        }
    }
    result
}

/// Whether a sum with these values compares with zero as it should.
pub(crate) fn compare(relation: Relation, sum: &Interval) -> Option<bool> {
    let low = sum.low.as_ref().map(Rat::signum);
    let high = sum.high.as_ref().map(Rat::signum);
    match relation {
        Relation::Le if high.is_some_and(|h| h <= 0) => Some(true),
        Relation::Le if low.is_some_and(|l| l > 0) => Some(false),
        Relation::Lt if high.is_some_and(|h| h < 0) => Some(true),
        Relation::Lt if low.is_some_and(|l| l >= 0) => Some(false),
        Relation::Eq if low == Some(0) && high == Some(0) => Some(true),
        Relation::Eq if !sum.contains(&Rat::ZERO) => Some(false),
        _ => None,
    }
}

/// What an octagon knows of a sum of two variables, its constant left out.
fn pair(octagon: &Octagon, linear: &Linear) -> Interval {
    let minus = linear.scaled(&Rat::from(-1));
    Interval {
        low: octagon.bound(minus.monomials()).map(|value| -&value),
        high: octagon.bound(linear.monomials()),
    }
}

/// The interval of a term, narrowed by a condition that speaks of the same sum.
fn clip(store: &TermStore, condition: Term, holds: bool, term: Term, own: Interval) -> Interval {
    let own_sum = store.linear(term);
    let Some((_, first)) = own_sum.monomials().first() else { return own };
    let mut clipped = own;
    let literals: Vec<Term> = match (store.node(condition), holds) {
        (Node::And(items), true) | (Node::Or(items), false) => items.to_vec(),
        _ => vec![condition],
    };
    for literal in literals {
        let (atom, is_positive) = store.literal(literal);
        let Node::Compare(Relation::Le, sum) = store.node(atom) else { continue };
        let Some((_, other)) = sum.monomials().first() else { continue };
        let Some(inverse) = other.inverse() else { continue };
        let ratio = first * &inverse;
        let scaled = sum.scaled(&ratio);
        if scaled.monomials() != own_sum.monomials() || store.sort(term) != Sort::Int {
            continue;
        }
        // `sum <= 0` or `sum >= 1`, and the term is `ratio * sum + shift`.
        let shift = own_sum.constant_part() - scaled.constant_part();
        let range = if is_positive == holds {
            Interval { low: None, high: Some(Rat::ZERO) }
        } else {
            Interval { low: Some(Rat::ONE), high: None }
        };
        clipped = clipped.meet(&range.scaled(&ratio).plus(&Interval::point(&shift)));
    }
    clipped
}
