//! Proofs as evidence: the steps that some literals rest on.
//!
//! The searches of a team have a beginning in common. A step of one may be
//! named by the steps of another, so the steps are visited from what is to be
//! shown, and written once all that they name is written.

use crate::Lra;
use crate::proof::{Kind, Origin, Proof};
use parallax_evidence::{Refutation, Step};
use parallax_search::Lit;
use parallax_search::NO_STEP;
use parallax_simplex::Num;
use parallax_term::Rat;
use rustc_hash::FxHashMap;

/// What a search refuted: for each literal the index that it is shown under.
/// No literal if the formula has no model.
pub type Refuted = Vec<(usize, Option<Lit>)>;

impl Lra {
    /// The proof that some literals are false, or that the formula has no
    /// model. `None` if there is no proof.
    pub fn refutation(&self, refuted: &Refuted) -> Option<Refutation> {
        Lra::joint_refutation(&[(self, refuted)])
    }

    /// The same for the searches of a [`Lra::team`], all of them, in order.
    pub fn joint_refutation(team: &[(&Lra, &Refuted)]) -> Option<Refutation> {
        let mut shows: Vec<(usize, Place)> = Vec::new();
        for (author, (lra, refuted)) in team.iter().enumerate() {
            let search = &lra.search;
            for (index, lit) in refuted.iter() {
                let step = match lit {
                    _ if search.end != NO_STEP => search.end,
                    Some(lit) if search.value(*lit) < 0 => search.unit(lit.var()),
                    _ => return None,
                };
                shows.push((*index, (author as u32, step)));
            }
        }
        let proofs: Vec<&Proof> = team.iter().map(|(lra, _)| &lra.search.theory.proof).collect();
        if proofs.iter().any(|proof| proof.is_full) {
            return None;
        }
        let numbers = proofs.iter().map(|p| vec![NO_STEP; p.records.len()]).collect();
        let team = team.iter().map(|(lra, _)| *lra).collect();
        let mut writer = Writer {
            team,
            proofs,
            numbers,
            names: FxHashMap::default(),
            result: Refutation::default(),
        };
        for (index, place) in shows {
            let number = writer.visit(place)?;
            writer.result.shows.push((index, number));
        }
        Some(writer.result)
    }
}

/// A search of the team, and a step of it.
type Place = (u32, u32);

struct Writer<'a> {
    team: Vec<&'a Lra>,
    proofs: Vec<&'a Proof>,
    /// Where steps stand in the result.
    numbers: Vec<Vec<u32>>,
    /// The names of variables: those in common belong to the first search.
    names: FxHashMap<(u32, usize), u32>,
    result: Refutation,
}

impl Writer<'_> {
    /// What is common belongs to the first search.
    fn home(&self, (author, step): Place) -> Option<Place> {
        let proof = self.proofs.get(author as usize)?;
        let home = if (step as usize) < proof.shared { 0 } else { author };
        let known = self.proofs.get(home as usize)?.records.len();
        ((step as usize) < known).then_some((home, step))
    }

    fn number(&self, (author, step): Place) -> u32 {
        self.numbers[author as usize][step as usize]
    }

    /// Writes a step after all that it rests on; its number.
    fn visit(&mut self, place: Place) -> Option<u32> {
        let root = self.home(place)?;
        let mut stack = vec![root];
        while let Some(&place) = stack.last() {
            if self.number(place) != NO_STEP {
                stack.pop();
                continue;
            }
            let before = stack.len();
            let (author, step) = place;
            let proof = self.proofs[author as usize];
            match proof.records[step as usize].kind {
                Kind::Derived(from, to) => {
                    for &hint in proof.hints[from as usize..to as usize].iter().rev() {
                        let hint = self.home((author, hint))?;
                        if self.number(hint) == NO_STEP {
                            stack.push(hint);
                        }
                    }
                }
                Kind::Imported(author, step) => {
                    let source = self.home((author, step))?;
                    if self.number(source) == NO_STEP {
                        stack.push(source);
                    }
                }
                Kind::Origin(_) | Kind::Lemma(..) => {}
            }
            if stack.len() == before {
                stack.pop();
                let number = self.write(place)?;
                self.numbers[author as usize][step as usize] = number;
            }
        }
        Some(self.number(root))
    }

    /// The number of a literal of a search.
    fn literal(&mut self, author: u32, lit: Lit) -> Option<u32> {
        let next = self.names.len() as u32;
        let name = *self.names.entry((author, lit.var())).or_insert(next);
        if name == next {
            self.result.names.push(self.team[author as usize].name(lit.var())?);
        }
        Some(2 * name + u32::from(!lit.is_positive()))
    }

    /// Writes a step whose reasons are written.
    fn write(&mut self, (author, step): Place) -> Option<u32> {
        let proof = self.proofs[author as usize];
        let record = proof.records[step as usize];
        let lits = &proof.lits[record.from as usize..record.to as usize];
        let step = match record.kind {
            Kind::Origin(Origin::Connective(term, part)) => Step::Connective(term, part),
            Kind::Origin(Origin::Conditional(term, part)) => Step::Conditional(term, part),
            Kind::Origin(Origin::Trichotomy(lit)) => {
                Step::Trichotomy(self.literal(author, lit)? / 2)
            }
            Kind::Origin(Origin::Formula) => Step::Formula,
            Kind::Lemma(from, has_second) => {
                let (from, count) = (from as usize, lits.len());
                let rats = |from: usize| -> Box<[Rat]> {
                    proof.factors[from..from + count].iter().map(Num::to_rat).collect()
                };
                Step::Arithmetic {
                    clause: lits.iter().map(|&l| self.literal(author, l)).collect::<Option<_>>()?,
                    factors: rats(from),
                    otherwise: has_second.then(|| rats(from + count)),
                }
            }
            Kind::Derived(from, to) => {
                let hints = &proof.hints[from as usize..to as usize];
                let from = hints.iter().map(|&h| Some(self.number(self.home((author, h))?)));
                let from = from.collect::<Option<_>>()?;
                let clause = lits.iter().map(|&l| self.literal(author, l));
                Step::Derived { clause: clause.collect::<Option<_>>()?, from }
            }
            // The step of the other search is this one.
            Kind::Imported(author, step) => return Some(self.number(self.home((author, step))?)),
        };
        self.result.steps.push(step);
        Some(self.result.steps.len() as u32 - 1)
    }
}
