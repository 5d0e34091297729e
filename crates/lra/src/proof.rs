//! The record of a search: why every clause holds.
//!
//! Steps are numbered. A learned clause names the clauses it was resolved
//! from, in the order in which they propagate. What bounds imply is a lemma
//! with the factors of Farkas' lemma, taken from the rows that carried the
//! bounds. [`crate::write`] writes the steps that matter down as evidence.

use crate::meaning::Meaning;
use crate::theory::{Behind, Clash, NONE, Why};
use crate::{Lra, Parts};
use parallax_evidence::Name;
use parallax_search::Lit;
use parallax_search::NO_STEP;
use parallax_simplex::{Num, Side};
use parallax_term::{Linear, Rat, Relation, Term};
use rustc_hash::FxHashMap;
use std::collections::BinaryHeap;

/// Literals and hints that are kept at most; beyond, there is no proof.
const LARGEST: usize = 1 << 27;

/// Where a clause of the formula comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Origin {
    /// Part of a connective.
    Connective(Term, u32),
    /// Part of a conditional number.
    Conditional(Term, u32),
    /// The equation of this literal, or less, or greater.
    Trichotomy(Lit),
    /// The formula itself.
    Formula,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    Origin(Origin),
    /// Literals; factors from here on; whether there is a second case.
    Lemma(u32, bool),
    /// Steps from and to these places.
    Derived(u32, u32),
    /// A step of another search.
    Imported(u32, u32),
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Record {
    pub(crate) kind: Kind,
    pub(crate) from: u32,
    pub(crate) to: u32,
}

/// All steps so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Proof {
    pub(crate) records: Vec<Record>,
    pub(crate) lits: Vec<Lit>,
    pub(crate) hints: Vec<u32>,
    pub(crate) factors: Vec<Num>,
    pub(crate) is_full: bool,
    /// How many steps all searches of a team have in common.
    pub(crate) shared: usize,
}

impl Proof {
    fn push(&mut self, kind: Kind, lits: &[Lit]) -> u32 {
        if self.is_full {
            return NO_STEP;
        }
        let from = self.lits.len() as u32;
        self.lits.extend_from_slice(lits);
        self.records.push(Record { kind, from, to: self.lits.len() as u32 });
        if self.lits.len() + self.hints.len() + self.factors.len() > LARGEST {
            *self = Proof { is_full: true, ..Proof::default() };
            return NO_STEP;
        }
        self.records.len() as u32 - 1
    }

    pub(crate) fn origin(&mut self, origin: Origin, lits: &[Lit]) -> u32 {
        self.push(Kind::Origin(origin), lits)
    }

    /// From here on, steps belong to one search of a team.
    pub(crate) fn share(&mut self) {
        self.shared = self.records.len();
    }

    /// A clause that another search of the team learned.
    pub(crate) fn imported(&mut self, author: u32, step: u32, lits: &[Lit]) -> u32 {
        self.push(Kind::Imported(author, step), lits)
    }

    /// A clause that follows by unit propagation from these steps, in order.
    pub(crate) fn derived(&mut self, lits: &[Lit], hints: &[u32]) -> u32 {
        if self.is_full {
            return NO_STEP;
        }
        let from = self.hints.len() as u32;
        self.hints.extend_from_slice(hints);
        self.push(Kind::Derived(from, self.hints.len() as u32), lits)
    }

    fn lemma(&mut self, lits: &[Lit], factors: &[Num], second: Option<&[Num]>) -> u32 {
        if self.is_full {
            return NO_STEP;
        }
        let from = self.factors.len() as u32;
        self.factors.extend_from_slice(factors);
        self.factors.extend_from_slice(second.unwrap_or_default());
        self.push(Kind::Lemma(from, second.is_some()), lits)
    }
}

impl Meaning {
    /// The literals behind some bounds, with their factors in the sum.
    fn trace(&self, entries: &[(u32, Num)]) -> Vec<(Lit, Num)> {
        let bounds = &self.bounds;
        let mut totals: FxHashMap<u32, Num> = FxHashMap::default();
        let mut heap: BinaryHeap<u32> = BinaryHeap::new();
        let mut found: Vec<(Lit, Num)> = Vec::new();
        for (entry, factor) in entries {
            add(&mut totals, &mut heap, *entry, factor);
        }
        // Causes are older, so each bound has its whole factor when its turn comes.
        while let Some(id) = heap.pop() {
            let Some(factor) = totals.remove(&id) else { continue };
            let entry = &bounds.entries[id as usize];
            match entry.why {
                Why::Row(_) => bounds.causes(id, |cause, share| {
                    add(&mut totals, &mut heap, cause, &factor.mul(&share));
                }),
                Why::Literal(lit) => {
                    let is_equation = self.is_equation(lit);
                    let signed = match entry.side {
                        Side::Lower if is_equation => factor.neg(),
                        _ => factor,
                    };
                    match found.iter_mut().find(|(other, _)| *other == lit) {
                        Some((_, total)) => *total = total.add(&signed),
                        None => found.push((lit, signed)),
                    }
                }
            }
        }
        found
    }

    fn is_equation(&self, lit: Lit) -> bool {
        let atom = self.atoms[lit.var()].as_ref();
        lit.is_positive() && atom.is_some_and(|a| a.relation == Relation::Eq)
    }

    /// A lemma: these bounds exclude each other.
    pub(crate) fn clash_lemma(&mut self, Clash { lower, upper }: Clash) -> u32 {
        let start = [(lower, Num::ONE), (upper, Num::ONE)];
        let sum = self.trace(&start);
        let lits: Vec<Lit> = sum.iter().map(|(lit, _)| !*lit).collect();
        let factors: Vec<Num> = sum.into_iter().map(|(_, factor)| factor).collect();
        self.proof.lemma(&lits, &factors, None)
    }

    /// A lemma: the bounds imply the literal.
    pub(crate) fn implied_lemma(&mut self, lit: Lit, Behind { first, second }: Behind) -> u32 {
        let mut sums: Vec<(Vec<(Lit, Num)>, Num)> = Vec::new();
        for entry in [first, second] {
            if entry == NONE {
                continue;
            }
            let sum = self.trace(&[(entry, Num::ONE)]);
            // The negated literal is the other half; an equation is used from
            // the side of the bound.
            let is_upper = self.bounds.entries[entry as usize].side == Side::Upper;
            let own = match self.is_equation(!lit) && is_upper {
                true => Num::ONE.neg(),
                false => Num::ONE,
            };
            sums.push((sum, own));
        }
        let mut lits = vec![lit];
        for (sum, _) in &sums {
            lits.extend(sum.iter().map(|(l, _)| !*l));
        }
        lits[1..].sort_unstable();
        lits.dedup();
        let factors = |(sum, own): &(Vec<(Lit, Num)>, Num)| -> Vec<Num> {
            let factor = |l: &Lit| match *l == lit {
                true => own.clone(),
                false => sum
                    .iter()
                    .find(|(other, _)| !*other == *l)
                    .map_or(Num::ZERO, |(_, factor)| factor.clone()),
            };
            lits.iter().map(factor).collect()
        };
        let all: Vec<Vec<Num>> = sums.iter().map(factors).collect();
        // First the lower bound: it excludes "less".
        self.proof.lemma(&lits, &all[0], all.get(1).map(Vec::as_slice))
    }

    /// A lemma of the simplex: literals with factors; bounds from below have
    /// negative factors where an equation is meant.
    pub(crate) fn leaf_lemma(&mut self, shares: &[(Lit, Side, Rat)]) -> u32 {
        let mut sum: Vec<(Lit, Num)> = Vec::new();
        for (lit, side, factor) in shares {
            let factor = Num::from_rat(factor);
            let signed = match side {
                Side::Lower if self.is_equation(*lit) => factor.neg(),
                _ => factor,
            };
            match sum.iter_mut().find(|(other, _)| other == lit) {
                Some((_, total)) => *total = total.add(&signed),
                None => sum.push((*lit, signed)),
            }
        }
        let lits: Vec<Lit> = sum.iter().map(|(lit, _)| !*lit).collect();
        let factors: Vec<Num> = sum.into_iter().map(|(_, factor)| factor).collect();
        self.proof.lemma(&lits, &factors, None)
    }
}

fn add(totals: &mut FxHashMap<u32, Num>, heap: &mut BinaryHeap<u32>, entry: u32, factor: &Num) {
    match totals.get_mut(&entry) {
        Some(total) => *total = total.add(factor),
        None => {
            totals.insert(entry, factor.clone());
            heap.push(entry);
        }
    }
}

impl Lra {
    /// What a variable stands for.
    pub(crate) fn name(&self, var: usize) -> Option<Name> {
        match &self.search.theory.atoms[var] {
            // A comparison of nothing with zero.
            None if var == self.truth.var() => {
                Some(Name::Compare(Relation::Le, Linear::constant(Rat::ZERO)))
            }
            None => self.terms.get(var).copied().flatten().map(Name::Term),
            Some(atom) => {
                let one: Parts = [(atom.column, Num::ONE)].into();
                let parts = self.forms[atom.column as usize].as_ref().unwrap_or(&one);
                let mut linear = Linear::constant(atom.value.neg().to_rat());
                for (column, factor) in parts {
                    let term = self.column_terms.get(*column as usize).copied().flatten()?;
                    linear = linear.plus(&factor.to_rat(), &Linear::term(term));
                }
                Some(Name::Compare(atom.relation, linear))
            }
        }
    }
}
