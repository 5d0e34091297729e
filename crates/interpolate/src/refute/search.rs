//! The search for a refutation: the clauses of the parts and the simplex, with a
//! record of every resolution.
//!
//! Atoms are guessed as the last solution of the simplex has them, so that the
//! guess costs no pivot. A variable is guessed only if a clause of the problem
//! that has it is not true yet: a bound that nobody asks for would only be in
//! the way of others.

use super::clause::{Clause, Origin};
use super::theory::Theory;
use parallax_base::{Budget, Stop};
use parallax_search::{Effort, Lit, Round, Search, Values};
use parallax_term::TermStore;
use std::convert::Infallible;

/// When the search gives up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// At once with more clauses than this.
    pub(crate) clauses: usize,
    /// After about so many conflicts.
    pub(crate) conflicts: u64,
    /// After so many splits of integers.
    pub(crate) branches: usize,
}

/// What literals mean, and every clause with where it comes from: its place is
/// the number of its step.
pub(crate) struct Record {
    pub(crate) theory: Theory,
    pub(crate) clauses: Vec<Clause>,
    limits: Limits,
    /// The clauses of the parts that have each variable.
    occurrences: Vec<Vec<u32>>,
    /// How many levels of bounds there are.
    depth: usize,
    /// Whether the simplex has not seen some bound.
    is_new: bool,
    /// Nothing is ever implied: the simplex only objects.
    implied: Vec<(Lit, Infallible)>,
}

impl Record {
    fn keep(&mut self, clause: Clause) -> u32 {
        self.clauses.push(clause);
        self.clauses.len() as u32 - 1
    }
}

/// Looks for a refutation: all clauses, and the place of the empty one among
/// them. Without one if none was found.
pub(crate) fn refute(
    store: &mut TermStore,
    clauses: Vec<Clause>,
    theory: Theory,
    limits: Limits,
    budget: &Budget,
) -> Result<(Record, Option<usize>), Stop> {
    let record = Record {
        theory,
        clauses: Vec::new(),
        limits,
        occurrences: Vec::new(),
        depth: 0,
        is_new: false,
        implied: Vec::new(),
    };
    let mut search = Search::new(record);
    grow(&mut search);
    for clause in clauses {
        add(&mut search, clause);
    }
    loop {
        match search.round(&[], budget)? {
            Round::Refuted => {
                let empty = search.end as usize;
                return Ok((search.theory, Some(empty)));
            }
            Round::Leaf => {
                budget.check()?;
                let theory = &mut search.theory.theory;
                if theory.branches <= limits.branches && theory.branch(store).is_some() {
                    grow(&mut search);
                    continue;
                }
            }
            Round::Paused => {}
        }
        return Ok((search.theory, None));
    }
}

/// Variables for all atoms there are.
fn grow(search: &mut Search<Record>) {
    while search.vars() < search.theory.theory.len() {
        search.add_var();
        search.theory.occurrences.push(Vec::new());
    }
}

/// Adds a clause of the problem.
fn add(search: &mut Search<Record>, clause: Clause) {
    let literals = clause.literals.clone();
    let is_part = matches!(clause.origin, Origin::Part(..)) && literals.len() > 1;
    let record = &mut search.theory;
    let step = record.keep(clause);
    for literal in literals.iter().filter(|_| is_part) {
        record.occurrences[literal.var()].push(step);
    }
    search.add_clause(&literals, step);
}

impl parallax_search::Theory for Record {
    type Why = Infallible;
    type Clash = u32;
    type Mark = usize;

    fn mark(&mut self) -> usize {
        self.theory.push();
        self.depth += 1;
        self.depth - 1
    }

    fn undo(&mut self, mark: usize) {
        while self.depth > mark {
            self.theory.pop();
            self.depth -= 1;
        }
    }

    fn speaks(&self, lit: Lit) -> bool {
        self.theory.is_bound(lit)
    }

    fn assert(&mut self, lit: Lit) -> Result<(), u32> {
        self.is_new |= self.theory.assert(lit);
        Ok(())
    }

    fn propagate(&mut self, budget: &Budget) -> Result<Result<(), u32>, Stop> {
        if !std::mem::take(&mut self.is_new) {
            return Ok(Ok(()));
        }
        let lemma = self.theory.conflict(budget)?;
        Ok(lemma.map_or(Ok(()), |lemma| Err(self.keep(lemma))))
    }

    fn implied(&mut self) -> &mut Vec<(Lit, Infallible)> {
        &mut self.implied
    }

    fn explain(&mut self, _: Lit, why: Infallible, _: &mut Vec<Lit>) -> u32 {
        match why {}
    }

    fn clash(&mut self, lemma: u32, into: &mut Vec<Lit>) -> u32 {
        into.extend_from_slice(&self.clauses[lemma as usize].literals);
        lemma
    }

    fn derived(&mut self, clause: &[Lit], first: u32, others: &[(Lit, u32)]) -> u32 {
        let steps = others.iter().map(|(pivot, step)| (pivot.var(), *step as usize)).collect();
        let origin = Origin::Chain(first as usize, steps);
        self.keep(Clause { literals: clause.to_vec(), origin })
    }

    fn pauses(&mut self, effort: Effort, _: bool) -> bool {
        effort.conflicts > self.limits.conflicts
    }

    /// Whether some clause of the problem is not true yet and has the variable.
    fn wants(&self, var: usize, values: &Values) -> bool {
        let is_open = |id: &u32| {
            let literals = &self.clauses[*id as usize].literals;
            !literals.iter().any(|literal| values.of(*literal) > 0)
        };
        // Atoms that split integers occur in no clause.
        let occurrences = &self.occurrences[var];
        occurrences.is_empty() || occurrences.iter().any(is_open)
    }

    fn guess(&self, var: usize) -> Option<bool> {
        self.theory.guess(var)
    }
}
