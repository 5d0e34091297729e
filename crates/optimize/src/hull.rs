//! A box around all models, without a search: bounds of symbols that follow from
//! conjuncts one by one.
//!
//! A conjunct that is a comparison bounds each of its symbols where the others
//! are bounded; of a disjunction one part holds, so a symbol that every part
//! bounds is bounded by the widest. What is found is carried on for a few
//! rounds (bounds propagation, Davis, AIJ 1987). It is often far from the best
//! bounds, and there at once.

use parallax_term::{Node, Rat, Relation, Sort, Term, TermStore};
use std::collections::BTreeMap;

/// Bounds may creep for ever; they are carried on this often.
const ROUNDS: usize = 4;

/// The least and the greatest value of something, as far as they are known.
type Range = (Option<Rat>, Option<Rat>);

/// The ranges of symbols.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hull {
    ranges: BTreeMap<Term, Range>,
}

impl Hull {
    /// The box of some comparisons and disjunctions, all of which hold.
    pub(crate) fn of(store: &TermStore, literals: &[Term], clauses: &[Vec<Vec<Term>>]) -> Hull {
        let mut hull = Hull::default();
        for _ in 0..ROUNDS {
            let before = hull.ranges.clone();
            literals.iter().for_each(|&literal| hull.add(store, literal));
            for clause in clauses {
                hull.join(store, clause);
            }
            if hull.ranges == before {
                break;
            }
        }
        hull
    }

    /// A value that a sum does not pass.
    pub(crate) fn most(&self, store: &TermStore, goal: Term) -> Option<Rat> {
        let linear = store.linear(goal);
        let mut most = linear.constant_part().clone();
        for (symbol, factor) in linear.monomials() {
            most = &most + &(factor * &self.end(*symbol, factor.signum() > 0)?);
        }
        Some(most)
    }

    /// The greatest value of a symbol, or the least.
    fn end(&self, symbol: Term, greatest: bool) -> Option<Rat> {
        let (low, high) = self.ranges.get(&symbol)?;
        if greatest { high.clone() } else { low.clone() }
    }

    /// Whether some symbol has no value left.
    fn is_empty(&self) -> bool {
        self.ranges.values().any(|(low, high)| matches!((low, high), (Some(l), Some(h)) if l > h))
    }

    /// One of the parts holds.
    fn join(&mut self, store: &TermStore, parts: &[Vec<Term>]) {
        let mut widest: Option<BTreeMap<Term, Range>> = None;
        for part in parts {
            let mut own = self.clone();
            part.iter().for_each(|&literal| own.add(store, literal));
            if own.is_empty() {
                continue;
            }
            widest = Some(match widest {
                None => own.ranges,
                Some(all) => {
                    let both = |(symbol, (low, high)): (Term, Range)| {
                        let (l, h) = own.ranges.get(&symbol)?;
                        let low = low.as_ref().zip(l.as_ref()).map(|(a, b)| a.min(b).clone());
                        let high = high.as_ref().zip(h.as_ref()).map(|(a, b)| a.max(b).clone());
                        Some((symbol, (low, high)))
                    };
                    all.into_iter().filter_map(both).collect()
                }
            });
        }
        // If no part is possible there are no models, which others find out.
        if let Some(widest) = widest {
            self.ranges = widest;
        }
    }

    /// A literal holds.
    fn add(&mut self, store: &TermStore, literal: Term) {
        let (atom, positive) = store.literal(literal);
        let Node::Compare(relation, linear) = store.node(atom) else { return };
        let signs: &[i64] = match (relation, positive) {
            (Relation::Eq, true) => &[1, -1],
            (Relation::Eq, false) => return,
            (_, true) => &[1],
            (_, false) => &[-1],
        };
        // `sum + constant <= 0`, up to strictness, which is left out over the reals.
        for &sign in signs {
            let sign = Rat::from(sign);
            let mut constant = &sign * linear.constant_part();
            let is_int = |(symbol, _): &(Term, Rat)| store.sort(*symbol) == Sort::Int;
            if relation == &Relation::Le && !positive && linear.monomials().iter().all(is_int) {
                // More than an integer is one more.
                constant = &constant + &Rat::ONE;
            }
            for (at, (symbol, factor)) in linear.monomials().iter().enumerate() {
                let factor = &sign * factor;
                let mut least = Some(constant.clone());
                for (other, (symbol, factor)) in linear.monomials().iter().enumerate() {
                    if other != at {
                        let factor = &sign * factor;
                        let end = self.end(*symbol, factor.signum() < 0);
                        least = least.zip(end).map(|(sum, end)| &sum + &(&factor * &end));
                    }
                }
                // factor * symbol <= -least
                let Some(least) = least else { continue };
                let Some(inverse) = factor.inverse() else { continue };
                let mut end = &-&least * &inverse;
                let range = self.ranges.entry(*symbol).or_default();
                let is_int = store.sort(*symbol) == Sort::Int;
                if factor.signum() > 0 {
                    if is_int {
                        end = Rat::from(end.floor());
                    }
                    if range.1.as_ref().is_none_or(|high| end < *high) {
                        range.1 = Some(end);
                    }
                } else {
                    if is_int {
                        end = -&Rat::from((-&end).floor());
                    }
                    if range.0.as_ref().is_none_or(|low| end > *low) {
                        range.0 = Some(end);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_follow_from_comparisons_and_disjunctions() {
        let s = &mut TermStore::new();
        let (x, y) = (s.var("x", Sort::Int), s.var("y", Sort::Real));
        let (two, seven, ten) = (s.int(2), s.int(7), s.int(10));
        let (low, high) = (s.le(two, x), s.le(x, seven));
        let far = s.eq(x, ten);
        let clauses = vec![vec![vec![low, high], vec![far]]];
        let real = s.to_real(x);
        let sum = s.add(real, y);
        let zero = s.real(Rat::ZERO);
        let literals = vec![s.le(sum, zero)];
        let hull = Hull::of(s, &literals, &clauses);
        assert_eq!(hull.most(s, x), Some(Rat::from(10)));
        let minus = s.neg(x);
        assert_eq!(hull.most(s, minus), Some(Rat::from(-2)));
        let minus = s.neg(y);
        assert_eq!(hull.most(s, minus), None);
    }
}
