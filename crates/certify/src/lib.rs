//! Layer 4, the trusted room: no verdict leaves without passing here.
//!
//! What is said of a program, a system or a formula is a [`Claim`] with its
//! evidence, and [`judge`] is the one door for all of them. Runs are repeated on
//! the concrete interpreters; certificates are asked again from scratch, on the
//! original program, with fresh queries; relations and strategies are looked up
//! step by step. This room never sees a domain, a transform or an engine; it
//! shares with them only the program forms and the solver contract.

mod blocks;
mod bounds;
mod claim;
mod closed;
mod composition;
mod conformance;
mod cover;
mod descent;
mod execution;
mod failing;
mod fair;
mod ltl;
mod optima;
mod order;
mod quantified;
mod recurrence;
mod reduced;
mod refutation;
mod refute;
mod replay;
mod systems;
mod unrolling;
mod weak;

pub use bounds::check_bounds;
pub use claim::{Claim, judge};
pub use composition::check_composition;
pub use conformance::check_conformance;
pub use execution::check_execution;
pub use failing::check_failing;
pub use refutation::check_refutation;
pub use replay::replay;
pub use systems::check_system;

use parallax_base::{Budget, Id, Stop};
use parallax_evidence::Certificate;
use parallax_ir::{Program, Property, PropertyKind};
use parallax_solver::Solver;

/// Accepts the certificate if it shows that no target of the property is
/// reachable, or that every run satisfies its formula. `solver` must have nothing asserted, and may be left in any state.
pub fn check(
    program: &Program,
    property: Id<Property>,
    certificate: &Certificate,
    solver: &mut dyn Solver,
    budget: &Budget,
) -> Result<Accepted, Rejected> {
    let asked = &program.properties[property];
    match (certificate, &asked.temporal, asked.kind == PropertyKind::Ltl) {
        (Certificate::Closed(set), None, false) => {
            closed::check(program, property, set, solver, budget)
        }
        (Certificate::Reduced(set), None, false) => {
            reduced::check(program, property, set, solver, budget)
        }
        (Certificate::Quantified(set), None, false) => {
            quantified::check(program, property, set, solver, budget)
        }
        (Certificate::Unrolling(tree), None, false) => {
            unrolling::check(program, property, tree, solver, budget)
        }
        (Certificate::Ranking(ranking), Some(temporal), true) => {
            ltl::check(program, temporal, ranking, budget)
        }
        (Certificate::Descent(descent), Some(temporal), true) => {
            descent::check(program, temporal, descent, solver, budget)
        }
        _ => Err(confused()),
    }
}

/// Evidence about states for a question about runs, or the other way round.
fn confused() -> Rejected {
    Rejected::Malformed("this kind of evidence does not answer this kind of question".into())
}

/// What the checker did to accept a piece of evidence.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Accepted {
    /// States, points and walks checked by evaluation.
    pub evaluated: u64,
    /// Steps of refutations.
    pub steps: u64,
    /// Questions put to the solver.
    pub queries: u64,
}

/// Why evidence was not accepted.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Rejected {
    /// The evidence does not fit the program.
    #[error("malformed evidence: {0}")]
    Malformed(String),
    /// A run does not start in an initial state, or an initial state is not covered.
    #[error("initial states: {0}")]
    Initial(String),
    /// A step of a run is not possible, or a step leaves the certified states.
    #[error("step: {0}")]
    Step(String),
    /// A run does not end in a target state, or certified states hold one.
    #[error("target: {0}")]
    Target(String),
    /// A bound of a template is not what it is said to be.
    #[error("bound: {0}")]
    Bound(String),
    /// A step of a refutation is wrong.
    #[error("refutation: {0}")]
    Refutation(String),
    /// A question is left, and there is no solver to ask.
    #[error("a question is left for a solver")]
    NoSolver,
    /// A solver could not be started.
    #[error("no solver: {0}")]
    SolverFailed(String),
    /// The solver could not decide a question: nothing is known.
    #[error("the solver gave up: {0}")]
    GaveUp(String),
    /// The limits of the run were reached.
    #[error("{0} reached while checking")]
    Stopped(Stop),
}

impl From<Stop> for Rejected {
    fn from(stop: Stop) -> Rejected {
        Rejected::Stopped(stop)
    }
}
