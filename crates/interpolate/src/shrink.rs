//! Smaller interpolants: what a neighbor does not need is dropped.
//!
//! A conjunct of `I_i` is needed only for `I_i && e_(i+1)` to imply `I_(i+1)`;
//! a disjunct only for it to follow from `I_(i-1) && e_i`. One core per
//! conjunction or disjunction says which. Of a disjunction, every disjunct must
//! imply the next formula, so conjuncts inside it are dropped in the same way;
//! disjuncts inside a conjunction likewise. Conjuncts are dropped from the last
//! formula to the first, so that each is asked about a neighbor that is final;
//! disjuncts the other way.

use crate::problem::{Found, contradiction};
use crate::tidy::{finish, tidy};
use parallax_base::{Budget, Stop};
use parallax_solver::Solver;
use parallax_term::{Node, Term, TermStore};

/// At most so many items of one formula are looked at.
const ITEMS: usize = 12;

/// The sequence with less in it. What is no sequence of interpolants may
/// become another.
pub(crate) fn shrink(
    store: &mut TermStore,
    solver: &mut dyn Solver,
    parts: &[Vec<Term>],
    mut formulas: Vec<Term>,
    budget: &Budget,
) -> Result<Vec<Term>, Stop> {
    for formula in &mut formulas {
        *formula = tidy(store, *formula);
    }
    for cut in (1..parts.len()).rev() {
        let goal = store.not(formulas[cut + 1]);
        let formula = formulas[cut];
        formulas[cut] = weaken(store, solver, &parts[cut], goal, formula, budget)?;
    }
    for cut in 1..parts.len() {
        // A formula is strengthened by weakening its negation.
        let negated = store.not(formulas[cut]);
        let before = formulas[cut - 1];
        let weak = weaken(store, solver, &parts[cut - 1], before, negated, budget)?;
        let strong = store.not(weak);
        formulas[cut] = finish(store, strong);
    }
    Ok(formulas)
}

/// A formula that is implied by `formula` and like it contradicts the part and
/// its neighbor.
fn weaken(
    store: &mut TermStore,
    solver: &mut dyn Solver,
    part: &[Term],
    neighbor: Term,
    formula: Term,
    budget: &Budget,
) -> Result<Term, Stop> {
    let cases = alternatives(store, formula);
    let is_whole = |store: &mut TermStore, case: Term| conjuncts(store, case).len() < 2;
    if cases.len() > ITEMS || cases.iter().all(|case| is_whole(store, *case)) {
        return Ok(formula);
    }
    solver.push();
    part.iter().chain([&neighbor]).for_each(|formula| solver.assert(store, *formula));
    let mut result = Ok(Vec::new());
    for case in cases {
        let items = conjuncts(store, case);
        let found = match items.len() {
            0 | 1 => Ok(Found::Model),
            _ => contradiction(store, solver, &items, budget),
        };
        match (found, &mut result) {
            (Err(stop), _) => {
                result = Err(stop);
                break;
            }
            (Ok(Found::Core(core)), Ok(weak)) => weak.push(store.and(core)),
            (Ok(_), Ok(weak)) => weak.push(case),
            (Ok(_), Err(_)) => break,
        }
    }
    solver.pop();
    let weak = result?;
    Ok(store.or(weak))
}

/// The disjuncts of a formula; itself if it is none.
fn alternatives(store: &mut TermStore, formula: Term) -> Vec<Term> {
    let (inner, positive) = store.literal(formula);
    match store.node(inner) {
        Node::Or(items) if positive => items.to_vec(),
        Node::And(items) if !positive => negations(store, items.to_vec()),
        _ => vec![formula],
    }
}

/// The conjuncts of a formula; itself if it is none.
fn conjuncts(store: &mut TermStore, formula: Term) -> Vec<Term> {
    let (inner, positive) = store.literal(formula);
    match store.node(inner) {
        Node::And(items) if positive => items.to_vec(),
        Node::Or(items) if !positive => negations(store, items.to_vec()),
        _ => vec![formula],
    }
}

fn negations(store: &mut TermStore, items: Vec<Term>) -> Vec<Term> {
    items.into_iter().map(|item| store.not(item)).collect()
}
