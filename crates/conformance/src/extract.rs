//! What a program does, as a small transition system.
//!
//! The abstraction by a few conditions of the program itself, made small by
//! weak bisimulation. It has every behavior of the program and perhaps more, so
//! the program conforms to it; whoever wants to be sure asks that as a question.

use crate::abstraction::Abstractor;
use parallax_base::{Budget, Stop};
use parallax_evidence::Labelled;
use parallax_lts::{Lts, determinize, minimize_strong, minimize_weak};
use parallax_solver::{Halt, SolverConfig};
use parallax_term::Term;
use std::collections::BTreeSet;

/// So many conditions of the program are told apart.
const PREDICATES: usize = 6;

/// A system of more states than this is not made deterministic.
const LARGE: usize = 200;

/// The system, or the deterministic one of the same traces if that is smaller.
/// The latter simulates the former: it has one answer to each trace.
fn smaller(lts: Lts, budget: &Budget) -> Result<Lts, Stop> {
    if lts.state_count() > LARGE {
        return Ok(lts);
    }
    let other = minimize_strong(&determinize(&lts, budget)?, budget)?;
    Ok(if other.state_count() < lts.state_count() { other } else { lts })
}

/// A transition system that has all behavior of a program; or why there is
/// none.
///
/// # Errors
/// When the budget ends.
pub fn extract(
    program: Labelled<'_>,
    solver: &SolverConfig,
    budget: &Budget,
) -> Result<Result<Lts, String>, Stop> {
    let opened = match solver.open() {
        Ok(opened) => opened,
        Err(error) => return Ok(Err(format!("no solver: {error}"))),
    };
    let mut abstractor = Abstractor::new(program, opened, solver, budget);
    let conditions: Vec<Term> = abstractor.edges.iter().map(|edge| edge.step.condition).collect();
    let atoms: BTreeSet<Term> =
        conditions.into_iter().flat_map(|condition| abstractor.store.atoms(condition)).collect();
    let mut predicates = abstractor.predicates(atoms);
    predicates.truncate(PREDICATES);
    match abstractor.model(&predicates) {
        Ok(model) => Ok(Ok(smaller(minimize_weak(&model.lts, budget)?, budget)?)),
        Err(Halt::GaveUp(why)) => Ok(Err(why)),
        Err(Halt::Stop(stop)) => Err(stop),
    }
}
