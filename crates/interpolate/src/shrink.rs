//! Smaller interpolants: what a neighbor does not need is dropped.
//!
//! A conjunct of `I_i` is needed only for `I_i && e_(i+1)` to imply `I_(i+1)`;
//! a disjunct only for it to follow from `I_(i-1) && e_i`. One core per formula
//! says which. Conjuncts are dropped from the last formula to the first, so
//! that each is asked about a neighbor that is final; disjuncts the other way.

use crate::problem::{Found, contradiction};
use parallax_base::{Budget, Stop};
use parallax_solver::Solver;
use parallax_term::{Node, Term, TermStore};

/// The sequence with less in it. What is no sequence of interpolants may
/// become another.
pub(crate) fn shrink(
    store: &mut TermStore,
    solver: &mut dyn Solver,
    parts: &[Vec<Term>],
    mut formulas: Vec<Term>,
    budget: &Budget,
) -> Result<Vec<Term>, Stop> {
    for cut in (1..parts.len()).rev() {
        let Node::And(items) = store.node(formulas[cut]) else { continue };
        let (items, goal) = (items.to_vec(), store.not(formulas[cut + 1]));
        let needed = needed(store, solver, &parts[cut], goal, &items, budget)?;
        formulas[cut] = store.and(needed);
    }
    for cut in 1..parts.len() {
        let Node::Or(items) = store.node(formulas[cut]) else { continue };
        let items: Vec<Term> = items.to_vec().iter().map(|item| store.not(*item)).collect();
        let needed = needed(store, solver, &parts[cut - 1], formulas[cut - 1], &items, budget)?;
        let rest = store.and(needed);
        formulas[cut] = store.not(rest);
    }
    Ok(formulas)
}

/// The items that contradict the others; all of them if they do not.
fn needed(
    store: &TermStore,
    solver: &mut dyn Solver,
    part: &[Term],
    neighbor: Term,
    items: &[Term],
    budget: &Budget,
) -> Result<Vec<Term>, Stop> {
    solver.push();
    part.iter().chain([&neighbor]).for_each(|formula| solver.assert(store, *formula));
    let found = contradiction(store, solver, items, budget);
    solver.pop();
    Ok(match found? {
        Found::Core(core) => core,
        Found::Model | Found::Unknown(_) => items.to_vec(),
    })
}
