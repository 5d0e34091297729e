//! Checking sets of states that are closed for every choice of some constants.
//!
//! The set is checked as any closed set, of the program with the constants. That
//! such a program stands for the original one, and what its picks have to be like,
//! is said and seen to in `crates/ir/src/pick.rs`.

use crate::closed;
use crate::{Accepted, Rejected};
use parallax_base::{Budget, Id};
use parallax_evidence::{ClosedSet, Quantified};
use parallax_ir::{Program, Property};
use parallax_solver::Solver;

/// Accepts the set if it shows that no target of the property is reachable.
pub(crate) fn check(
    program: &Program,
    property: Id<Property>,
    certificate: &Quantified,
    solver: &mut dyn Solver,
    budget: &Budget,
) -> Result<Accepted, Rejected> {
    let program = certificate.program(program, property).map_err(Rejected::Malformed)?;
    // The store of the program has grown from that of the set, by what the picks say.
    let set = ClosedSet { store: program.store.clone(), ..certificate.set.clone() };
    closed::check(&program, Id::new(0), &set, solver, budget)
}
