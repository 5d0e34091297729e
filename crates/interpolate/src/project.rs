//! Any theory: projection of an unsat core to the shared symbols.
//!
//! Backward, `N_i` is a conjunction over the shared symbols that follows from
//! `e_(i+1) && N_(i+1)` and contradicts `e_1 .. e_i`; then `I_i` is `!N_i`.
//! Forward, `I_i` is itself such a conjunction, which follows from
//! `I_(i-1) && e_i` and contradicts `e_(i+1) .. e_n`. Both are one procedure:
//! a conjunction (`near`) is weakened while it contradicts the rest (`far`,
//! which is asserted). First an unsat core of `near` is taken; then symbols
//! that are not shared are eliminated; then equations are split into two
//! inequalities, and a core is taken again.
//!
//! Assignments make one direction easy: backward, a new value is an equation
//! that can be solved for the symbol to eliminate.

use crate::problem::{Found, Spans, conjuncts, contradiction, symbols};
use parallax_base::{Budget, Stop};
use parallax_solver::Solver;
use parallax_term::{Node, Rat, Relation, Sort, Term, TermStore};

/// Conjunctions of at most this many formulas lose them one by one.
const FEW: usize = 12;

/// Interpolants from the last part to the first; `None` if a symbol cannot be
/// eliminated.
pub(crate) fn backward(
    store: &mut TermStore,
    solver: &mut dyn Solver,
    parts: &[Vec<Term>],
    budget: &Budget,
) -> Result<Option<Vec<Term>>, Stop> {
    let Some(found) = walk(store, solver, parts, true, budget)? else { return Ok(None) };
    let mut formulas = vec![store.bool(true)];
    for near in found.into_iter().rev() {
        let near = store.and(near);
        formulas.push(store.not(near));
    }
    formulas.push(store.bool(false));
    Ok(Some(formulas))
}

/// Interpolants from the first part to the last; `None` if a symbol cannot be
/// eliminated.
pub(crate) fn forward(
    store: &mut TermStore,
    solver: &mut dyn Solver,
    parts: &[Vec<Term>],
    budget: &Budget,
) -> Result<Option<Vec<Term>>, Stop> {
    let Some(found) = walk(store, solver, parts, false, budget)? else { return Ok(None) };
    let mut formulas = vec![store.bool(true)];
    for near in found {
        formulas.push(store.and(near));
    }
    formulas.push(store.bool(false));
    Ok(Some(formulas))
}

/// The conjunction at each cut, in the order in which they are found.
fn walk(
    store: &mut TermStore,
    solver: &mut dyn Solver,
    parts: &[Vec<Term>],
    is_backward: bool,
    budget: &Budget,
) -> Result<Option<Vec<Vec<Term>>>, Stop> {
    let spans = Spans::new(store, parts);
    let mut cuts: Vec<usize> = (1..parts.len()).collect();
    if is_backward {
        cuts.reverse();
    }
    // The far side loses its nearest part at every step, so that is on top.
    let far = |cut: &usize| if is_backward { cut - 1 } else { *cut };
    for cut in cuts.iter().rev() {
        solver.push();
        for &conjunct in &parts[far(cut)] {
            solver.assert(store, conjunct);
        }
    }
    let (mut open, mut near, mut found) = (cuts.len(), Vec::new(), Vec::new());
    let mut result = Ok(true);
    for cut in cuts {
        near.extend_from_slice(&parts[if is_backward { cut } else { cut - 1 }]);
        let is_bound = |symbol: Term| match is_backward {
            true => spans.is_unborn(symbol, cut),
            false => spans.is_dead(symbol, cut),
        };
        match shared_part(store, solver, near, &is_bound, budget) {
            Ok(Some(shared)) => near = shared,
            Ok(None) => {
                result = Ok(false);
                break;
            }
            Err(stop) => {
                result = Err(stop);
                break;
            }
        }
        found.push(near.clone());
        solver.pop();
        open -= 1;
    }
    (0..open).for_each(|_| solver.pop());
    Ok(result?.then_some(found))
}

/// A conjunction without bound symbols that follows from `near` and contradicts
/// what is asserted; `near` does.
pub(crate) fn shared_part(
    store: &mut TermStore,
    solver: &mut dyn Solver,
    near: Vec<Term>,
    is_bound: &dyn Fn(Term) -> bool,
    budget: &Budget,
) -> Result<Option<Vec<Term>>, Stop> {
    let Some(core) = smaller(store, solver, near, budget)? else { return Ok(None) };
    let mut bound = symbols(store, &core);
    bound.retain(|symbol| is_bound(*symbol));
    let shared = if bound.is_empty() {
        core
    } else {
        let whole = store.and(core);
        let Some(projected) = solver.eliminate(store, whole, &bound, budget)? else {
            return Ok(None);
        };
        conjuncts(store, [projected])
    };
    let mut weak = Vec::new();
    for formula in shared {
        weak.extend(halves(store, formula));
    }
    weak.sort_unstable();
    weak.dedup();
    let Some(mut weak) = smaller(store, solver, weak, budget)? else { return Ok(None) };
    if weak.len() > FEW {
        return Ok(Some(weak));
    }
    let mut at = weak.len();
    while at > 0 && weak.len() > 1 {
        at -= 1;
        let mut without = weak.clone();
        without.remove(at);
        if let Found::Core(core) = contradiction(store, solver, &without, budget)? {
            weak.retain(|formula| core.contains(formula));
            at = at.min(weak.len());
        }
    }
    Ok(Some(weak))
}

/// The formulas of a core; `None` if there is no contradiction.
pub(crate) fn smaller(
    store: &TermStore,
    solver: &mut dyn Solver,
    formulas: Vec<Term>,
    budget: &Budget,
) -> Result<Option<Vec<Term>>, Stop> {
    Ok(match contradiction(store, solver, &formulas, budget)? {
        Found::Core(core) => Some(core),
        Found::Model | Found::Unknown(_) => None,
    })
}

/// An equation between numbers as two inequalities.
fn halves(store: &mut TermStore, formula: Term) -> Vec<Term> {
    let Node::Compare(Relation::Eq, linear) = store.node(formula) else { return vec![formula] };
    let linear = linear.clone();
    let sort = match store.sort(linear.monomials()[0].0) {
        Sort::Int => Sort::Int,
        _ => Sort::Real,
    };
    let flipped = linear.scaled(&Rat::from(-1));
    vec![store.relate(Relation::Le, linear, sort), store.relate(Relation::Le, flipped, sort)]
}
