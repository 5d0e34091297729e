//! The conditions of a sequence, asked one by one.
//!
//! They are asked about the core of each part, which the part implies because
//! it consists of some of its conjuncts. Which symbols are shared is a question
//! about the whole parts.

use crate::problem::{Spans, symbols};
use parallax_base::{Budget, Stop};
use parallax_solver::{Answer, Solver};
use parallax_term::{Term, TermStore};

/// Whether the formulas are a sequence of interpolants.
pub(crate) fn holds(
    store: &mut TermStore,
    solver: &mut dyn Solver,
    spans: &Spans,
    parts: &[Vec<Term>],
    formulas: &[Term],
    budget: &Budget,
) -> Result<bool, Stop> {
    let ends = formulas.first().zip(formulas.last());
    let ends_are_right = ends.is_some_and(|(a, z)| store.is_true(*a) && store.is_false(*z));
    if formulas.len() != parts.len() + 1 || !ends_are_right {
        return Ok(false);
    }
    let speaks_of_shared = |cut: usize| {
        symbols(store, &[formulas[cut]]).iter().all(|symbol| spans.is_shared(*symbol, cut))
    };
    if !(0..formulas.len()).all(speaks_of_shared) {
        return Ok(false);
    }
    for (at, part) in parts.iter().enumerate() {
        if !step(store, solver, formulas[at], part, formulas[at + 1], budget)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether `before` and the conjuncts imply `after`.
pub(crate) fn step(
    store: &mut TermStore,
    solver: &mut dyn Solver,
    before: Term,
    part: &[Term],
    after: Term,
    budget: &Budget,
) -> Result<bool, Stop> {
    if store.is_true(after) || store.is_false(before) || before == after || part.contains(&after) {
        return Ok(true);
    }
    let mut query = part.to_vec();
    query.extend([before, store.not(after)]);
    Ok(solver.check(store, &query, budget)? == Answer::Unsat)
}
