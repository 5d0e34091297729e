//! A step as the solver sees it.
//!
//! Values that are known where a step begins make most blocks small. The
//! formula of a block that stays large is told to a solver of its own, once:
//! the values of variables after the step have symbols of their own, which
//! equations tie to the formula, and what changes from question to question is
//! small.

use super::bench::Bench;
use super::place::Place;
use parallax_domain::{Query, Step as Formula};
use parallax_solver::{Halt, Solver, SolverStats};
use parallax_term::{Substitution, Term, TermStore};
use rustc_hash::FxHashMap;

/// A condition of more nodes has a solver of its own.
const LARGE: usize = 300;

/// A transition from one place.
pub(crate) struct Block {
    condition: Term,
    /// What the transition assigns, by the variable's symbol.
    updates: FxHashMap<Term, Term>,
    /// From variables to their values after the step, as far as needed.
    primes: Vec<(Term, Term)>,
    solver: Option<Box<dyn Solver>>,
}

impl Block {
    /// The transition from a place. If that is large, and values are known at
    /// the place, there is none: the location has one for all its values.
    pub(crate) fn new(
        bench: &mut Bench<'_>,
        place: &Place,
        transition: usize,
    ) -> Result<Option<Block>, Halt> {
        let Formula { condition, updates, .. } = bench.from(place, transition);
        let roots: Vec<Term> = updates.iter().map(|u| u.value).chain([condition]).collect();
        let is_large = bench.store.subterms(&roots).len() > LARGE;
        if is_large && !place.values.is_empty() {
            return Ok(None);
        }
        let mut solver = None;
        if is_large {
            let mut own = bench.open()?;
            let domains = bench.domains();
            own.assert(&bench.store, domains);
            own.assert(&bench.store, condition);
            solver = Some(own);
        }
        let updates = updates.into_iter().map(|u| (u.symbol, u.value)).collect();
        Ok(Some(Block { condition, updates, primes: Vec::new(), solver }))
    }

    /// Whether no state takes the step.
    pub(crate) fn is_impossible(&self, store: &TermStore) -> bool {
        store.is_false(self.condition)
    }

    /// Gets ready for formulas over the state after.
    pub(crate) fn introduce(&mut self, store: &mut TermStore, formulas: &[Term]) {
        for &formula in formulas {
            for symbol in store.vars(formula) {
                let Some(&value) = self.updates.get(&symbol) else { continue };
                if self.primes.iter().any(|(s, _)| *s == symbol) {
                    continue;
                }
                let prime = match &mut self.solver {
                    // Small formulas are simplest when put into each other.
                    None => value,
                    Some(solver) => {
                        let sort = store.sort(value);
                        let prime = store.fresh("after", sort);
                        let equation = store.eq(prime, value);
                        solver.assert(store, equation);
                        prime
                    }
                };
                self.primes.push((symbol, prime));
            }
        }
    }

    /// From the state after to what the solver knows.
    pub(crate) fn before(&self) -> Substitution {
        Substitution::new(self.primes.iter().copied())
    }

    /// Asks about the step from states that satisfy `from`. What was
    /// introduced is known.
    pub(crate) fn ask<T>(
        &mut self,
        bench: &mut Bench<'_>,
        from: Term,
        question: impl FnOnce(&mut Query<'_>) -> Result<T, Halt>,
    ) -> Result<T, Halt> {
        let (store, budget) = (&mut bench.store, bench.budget);
        let is_shared = self.solver.is_none();
        let solver = match &mut self.solver {
            Some(solver) => &mut **solver,
            None => &mut *bench.solver,
        };
        solver.push();
        solver.assert(store, from);
        if is_shared {
            solver.assert(store, self.condition);
        }
        let mut query = Query { store, solver, budget };
        let answer = question(&mut query);
        query.solver.pop();
        answer
    }

    /// What its own solver did.
    pub(crate) fn statistics(&self) -> SolverStats {
        self.solver.as_ref().map(|s| s.statistics()).unwrap_or_default()
    }
}
