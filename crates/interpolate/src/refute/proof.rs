//! From a refutation to interpolants.
//!
//! At a cut, a variable is *earlier* (it occurs only before), *later*, or
//! shared. Every clause of the proof gets a formula over the shared symbols;
//! that of the empty clause is the interpolant. With shared variables counted
//! as later (McMillan's system, the stronger):
//! - a clause of an earlier part: the disjunction of its shared literals;
//! - a clause of a later part: true;
//! - a lemma: the sum of the negations of its earlier literals;
//! - a resolution: a disjunction if the variable is earlier, else a conjunction.
//!
//! Counted as earlier, it is the same with sides exchanged and negated.

use super::clause::{Clause, Origin};
use super::theory::Theory;
use crate::linear;
use parallax_base::{Budget, Stop};
use parallax_search::Lit;
use parallax_term::{Linear, Rat, Relation, Term, TermStore};

/// What shared variables are counted as.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Side {
    Earlier,
    Later,
}

/// The clauses that the empty clause needs.
pub(crate) struct Proof<'a> {
    clauses: &'a [Clause],
    /// Needed clauses, each after those that it is made of.
    needed: Vec<usize>,
}

impl<'a> Proof<'a> {
    pub(crate) fn new(clauses: &'a [Clause], empty: usize) -> Proof<'a> {
        let mut is_needed = vec![false; clauses.len()];
        is_needed[empty] = true;
        // A clause is younger than those that it is made of.
        for id in (0..=empty).rev() {
            if is_needed[id]
                && let Origin::Chain(first, steps) = &clauses[id].origin
            {
                is_needed[*first] = true;
                steps.iter().for_each(|(_, other)| is_needed[*other] = true);
            }
        }
        let needed = (0..=empty).filter(|id| is_needed[*id]).collect();
        Proof { clauses, needed }
    }

    /// The conjuncts of each part that the proof rests on.
    pub(crate) fn core(&self, parts: usize) -> Vec<Vec<Term>> {
        let mut core = vec![Vec::new(); parts];
        for &id in &self.needed {
            if let Origin::Part(part, Some(conjunct)) = self.clauses[id].origin {
                core[part].push(conjunct);
            }
        }
        for part in &mut core {
            part.sort_unstable();
            part.dedup();
        }
        core
    }

    /// How many clauses there are.
    pub(crate) fn len(&self) -> usize {
        self.needed.len()
    }

    /// The formula at each cut.
    pub(crate) fn interpolants(
        &self,
        store: &mut TermStore,
        theory: &Theory,
        parts: usize,
        shared: Side,
        budget: &Budget,
    ) -> Result<Vec<Term>, Stop> {
        let mut formulas = vec![store.bool(true)];
        let mut partial = vec![None; self.clauses.len()];
        // From cut to cut more literals of a lemma become earlier.
        let mut sums: Vec<Option<Sum>> = Vec::new();
        sums.resize_with(self.clauses.len(), || None);
        for &id in &self.needed {
            if let Origin::Lemma(shares) = &self.clauses[id].origin {
                sums[id] = Some(Sum::new(store, theory, shares, shared));
            }
        }
        for cut in 1..parts {
            budget.check()?;
            let mut last = store.bool(false);
            for &id in &self.needed {
                last = match &mut sums[id] {
                    Some(sum) => sum.at(store, theory, cut),
                    None => self.partial(store, theory, cut, shared, id, &partial),
                };
                partial[id] = Some(last);
            }
            formulas.push(last);
        }
        if parts > 0 {
            formulas.push(store.bool(false));
        }
        Ok(formulas)
    }

    fn partial(
        &self,
        store: &mut TermStore,
        theory: &Theory,
        cut: usize,
        shared: Side,
        id: usize,
        partial: &[Option<Term>],
    ) -> Term {
        let clause = &self.clauses[id];
        let is_earlier = |var: usize| match shared {
            Side::Later => theory.span(var).last < cut,
            Side::Earlier => theory.span(var).first < cut,
        };
        match &clause.origin {
            Origin::Part(part, _) => {
                let before = *part < cut;
                // What the other side can see of the clause.
                let mut visible = Vec::new();
                for &literal in &clause.literals {
                    let span = theory.span(literal.var());
                    if span.first < cut
                        && span.last >= cut
                        && let Some(formula) = theory.formula(store, literal)
                    {
                        visible.push(formula);
                    }
                }
                match (before, shared) {
                    (true, Side::Later) => store.or(visible),
                    (false, Side::Later) => store.bool(true),
                    (true, Side::Earlier) => store.bool(false),
                    (false, Side::Earlier) => {
                        let visible = store.or(visible);
                        store.not(visible)
                    }
                }
            }
            // Lemmas have their sums.
            Origin::Lemma(_) => store.bool(true),
            Origin::Chain(first, steps) => {
                let unknown = store.bool(true);
                let of = |id: usize| partial[id].unwrap_or(unknown);
                let mut items = vec![of(*first)];
                let mut joined_by_or = None;
                for &(var, other) in steps {
                    let by_or = is_earlier(var);
                    if joined_by_or.is_some_and(|so_far| so_far != by_or) {
                        let whole = join(store, std::mem::take(&mut items), !by_or);
                        items.push(whole);
                    }
                    joined_by_or = Some(by_or);
                    items.push(of(other));
                }
                join(store, items, joined_by_or == Some(true))
            }
        }
    }
}

fn join(store: &mut TermStore, items: Vec<Term>, by_or: bool) -> Term {
    if by_or { store.or(items) } else { store.and(items) }
}

/// The sum of the negations of the earlier literals of a lemma.
struct Sum<'a> {
    /// The literals that are still later, with the first cut at which they are
    /// earlier; the nearest last.
    later: Vec<(usize, &'a (Lit, Rat))>,
    total: Linear,
    strict: bool,
    formula: Term,
}

impl<'a> Sum<'a> {
    fn new(
        store: &mut TermStore,
        theory: &Theory,
        shares: &'a [(Lit, Rat)],
        shared: Side,
    ) -> Sum<'a> {
        let cut = |literal: Lit| match shared {
            Side::Later => theory.span(literal.var()).last + 1,
            Side::Earlier => theory.span(literal.var()).first + 1,
        };
        let mut later: Vec<(usize, &(Lit, Rat))> =
            shares.iter().map(|share| (cut(share.0), share)).collect();
        later.sort_by_key(|(cut, _)| std::cmp::Reverse(*cut));
        let total = Linear::constant(Rat::ZERO);
        Sum { later, total, strict: false, formula: store.bool(true) }
    }

    /// The formula at a cut; cuts are asked for in increasing order.
    fn at(&mut self, store: &mut TermStore, theory: &Theory, cut: usize) -> Term {
        let length = self.later.len();
        while let Some((_, (literal, factor))) = self.later.pop_if(|(at, _)| *at <= cut) {
            let Some(constraint) = theory.constraint(!*literal) else { continue };
            self.total = self.total.plus(factor, &constraint.linear);
            self.strict |= constraint.relation == Relation::Lt;
        }
        if self.later.len() < length {
            let relation = if self.strict { Relation::Lt } else { Relation::Le };
            self.formula = linear::formula(store, &self.total, relation);
        }
        self.formula
    }
}
