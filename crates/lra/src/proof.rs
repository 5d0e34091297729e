//! The record of a search: why every clause holds.
//!
//! Steps are numbered. A learned clause names the clauses it was resolved
//! from, in the order in which they propagate. What bounds imply is a lemma
//! with the factors of Farkas' lemma, taken from the rows that carried the
//! bounds. [`Lra::refutation`] keeps the steps that some literals rest on and
//! writes them down as evidence.

use crate::lit::Lit;
use crate::search::Search;
use crate::theory::{NONE, Why};
use crate::{Lra, Parts};
use parallax_evidence::{Name, Refutation, Step};
use parallax_simplex::{Num, Side};
use parallax_term::{Linear, Rat, Relation, Term};
use rustc_hash::FxHashMap;
use std::collections::BinaryHeap;

/// No step.
pub(crate) const NO_STEP: u32 = u32::MAX;

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
enum Kind {
    Origin(Origin),
    /// Literals; factors from here on; whether there is a second case.
    Lemma(u32, bool),
    /// Steps from and to these places.
    Derived(u32, u32),
}

#[derive(Clone, Copy, Debug)]
struct Record {
    kind: Kind,
    from: u32,
    to: u32,
}

/// All steps so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Proof {
    records: Vec<Record>,
    lits: Vec<Lit>,
    hints: Vec<u32>,
    factors: Vec<Num>,
    /// The steps of clauses of two literals, the smaller literal first.
    binaries: FxHashMap<(Lit, Lit), u32>,
    /// The steps of literals that are true without decisions, by variable.
    pub(crate) units: Vec<u32>,
    /// How much of the trail has its units.
    pub(crate) recorded: usize,
    /// The step of the empty clause.
    pub(crate) end: u32,
    is_full: bool,
}

fn pair(a: Lit, b: Lit) -> (Lit, Lit) {
    (a.min(b), a.max(b))
}

impl Proof {
    pub(crate) fn new() -> Proof {
        Proof { end: NO_STEP, ..Proof::default() }
    }

    pub(crate) fn grow(&mut self) {
        self.units.push(NO_STEP);
    }

    fn push(&mut self, kind: Kind, lits: &[Lit]) -> u32 {
        if self.is_full {
            return NO_STEP;
        }
        let from = self.lits.len() as u32;
        self.lits.extend_from_slice(lits);
        self.records.push(Record { kind, from, to: self.lits.len() as u32 });
        if self.lits.len() + self.hints.len() + self.factors.len() > LARGEST {
            *self = Proof { is_full: true, units: vec![NO_STEP; self.units.len()], ..Proof::new() };
            return NO_STEP;
        }
        self.records.len() as u32 - 1
    }

    pub(crate) fn origin(&mut self, origin: Origin, lits: &[Lit]) -> u32 {
        self.push(Kind::Origin(origin), lits)
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

    pub(crate) fn keep_binary(&mut self, a: Lit, b: Lit, step: u32) {
        self.binaries.insert(pair(a, b), step);
    }

    pub(crate) fn binary(&self, a: Lit, b: Lit) -> u32 {
        self.binaries.get(&pair(a, b)).copied().unwrap_or(NO_STEP)
    }
}

impl Search {
    /// The literals behind some bounds, with their factors in the sum.
    fn trace(&self, entries: &[(u32, Num)]) -> Vec<(Lit, Num)> {
        let theory = &self.theory;
        let mut totals: FxHashMap<u32, Num> = FxHashMap::default();
        let mut heap: BinaryHeap<u32> = BinaryHeap::new();
        let mut found: Vec<(Lit, Num)> = Vec::new();
        for (entry, factor) in entries {
            add(&mut totals, &mut heap, *entry, factor);
        }
        // Causes are older, so each bound has its whole factor when its turn comes.
        while let Some(id) = heap.pop() {
            let Some(factor) = totals.remove(&id) else { continue };
            let entry = &theory.entries[id as usize];
            match entry.why {
                Why::Row(_) => theory.causes(id, |cause, share| {
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
    pub(crate) fn clash_lemma(&mut self, entries: &[u32]) -> u32 {
        let start: Vec<(u32, Num)> = entries.iter().map(|&e| (e, Num::ONE)).collect();
        let sum = self.trace(&start);
        let lits: Vec<Lit> = sum.iter().map(|(lit, _)| !*lit).collect();
        let factors: Vec<Num> = sum.into_iter().map(|(_, factor)| factor).collect();
        self.proof.lemma(&lits, &factors, None)
    }

    /// A lemma: the bounds imply the literal.
    pub(crate) fn implied_lemma(&mut self, lit: Lit, first: u32, second: u32) -> u32 {
        let mut sums: Vec<(Vec<(Lit, Num)>, Num)> = Vec::new();
        for entry in [first, second] {
            if entry == NONE {
                continue;
            }
            let sum = self.trace(&[(entry, Num::ONE)]);
            // The negated literal is the other half; an equation is used from
            // the side of the bound.
            let is_upper = self.theory.entries[entry as usize].side == Side::Upper;
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

    /// Records the units of what is true without decisions, in the order of
    /// the trail.
    pub(crate) fn record_units(&mut self) {
        debug_assert_eq!(self.depth(), 0);
        while self.proof.recorded < self.trail.len() {
            let lit = self.trail[self.proof.recorded];
            self.proof.recorded += 1;
            if self.proof.units[lit.var()] != NO_STEP {
                continue;
            }
            let mut causes = Vec::new();
            self.antecedents(lit, &mut causes);
            let mut hints: Vec<u32> =
                causes.iter().map(|cause| self.proof.units[cause.var()]).collect();
            hints.push(self.reason_step(lit));
            self.proof.units[lit.var()] = self.proof.derived(&[lit], &hints);
        }
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
    /// The proof that some literals are false, or that the formula has no
    /// model: for each of them the index that it is shown under. `None` if
    /// there is no proof.
    pub fn refutation(&self, refuted: &[(usize, Option<Lit>)]) -> Option<Refutation> {
        let proof = &self.search.proof;
        if proof.is_full {
            return None;
        }
        let mut shows: Vec<(usize, u32)> = Vec::new();
        for (index, lit) in refuted {
            let step = match lit {
                _ if proof.end != NO_STEP => proof.end,
                Some(lit) if self.search.value(*lit) < 0 => proof.units[lit.var()],
                _ => return None,
            };
            if step == NO_STEP {
                return None;
            }
            shows.push((*index, step));
        }
        Writer { lra: self, used: vec![false; proof.records.len()] }.write(shows)
    }
}

struct Writer<'a> {
    lra: &'a Lra,
    used: Vec<bool>,
}

impl Writer<'_> {
    fn write(mut self, shows: Vec<(usize, u32)>) -> Option<Refutation> {
        let proof = &self.lra.search.proof;
        for (_, step) in &shows {
            self.used[*step as usize] = true;
        }
        // What used steps name is used.
        for at in (0..proof.records.len()).rev() {
            if let (true, Kind::Derived(from, to)) = (self.used[at], proof.records[at].kind) {
                for &hint in &proof.hints[from as usize..to as usize] {
                    *self.used.get_mut(hint as usize)? = true;
                }
            }
        }
        let mut result = Refutation::default();
        let mut names: FxHashMap<usize, u32> = FxHashMap::default();
        let mut numbers: Vec<u32> = vec![NO_STEP; proof.records.len()];
        for at in 0..proof.records.len() {
            if !self.used[at] {
                continue;
            }
            let record = proof.records[at];
            let lits = &proof.lits[record.from as usize..record.to as usize];
            let mut literal = |lit: Lit| -> Option<u32> {
                let next = names.len() as u32;
                let name = *names.entry(lit.var()).or_insert(next);
                if name == next {
                    result.names.push(self.lra.name(lit.var())?);
                }
                Some(2 * name + u32::from(!lit.is_positive()))
            };
            let step = match record.kind {
                Kind::Origin(Origin::Connective(term, part)) => Step::Connective(term, part),
                Kind::Origin(Origin::Conditional(term, part)) => Step::Conditional(term, part),
                Kind::Origin(Origin::Trichotomy(lit)) => Step::Trichotomy(literal(lit)? / 2),
                Kind::Origin(Origin::Formula) => Step::Formula,
                Kind::Lemma(from, has_second) => {
                    let (from, count) = (from as usize, lits.len());
                    let rats = |from: usize| -> Box<[Rat]> {
                        proof.factors[from..from + count].iter().map(Num::to_rat).collect()
                    };
                    Step::Arithmetic {
                        clause: lits.iter().map(|&l| literal(l)).collect::<Option<_>>()?,
                        factors: rats(from),
                        otherwise: has_second.then(|| rats(from + count)),
                    }
                }
                Kind::Derived(from, to) => Step::Derived {
                    clause: lits.iter().map(|&l| literal(l)).collect::<Option<_>>()?,
                    from: proof.hints[from as usize..to as usize]
                        .iter()
                        .map(|&hint| numbers[hint as usize])
                        .collect(),
                },
            };
            numbers[at] = result.steps.len() as u32;
            result.steps.push(step);
        }
        result.shows =
            shows.into_iter().map(|(index, step)| (index, numbers[step as usize])).collect();
        Some(result)
    }
}

impl Lra {
    /// What a variable stands for.
    fn name(&self, var: usize) -> Option<Name> {
        match &self.search.atoms[var] {
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
