//! Layer 4, the trusted room for bounds of templates.
//!
//! What `certify` is to verdicts this room is to bounds: [`check_bounds()`]
//! evaluates points and walks on the problem as it was read, and accepts that
//! nothing lies beyond a bound by a refutation that is checked step by step,
//! or by a fresh query. It sees no engine. When in doubt it rejects.

mod along;
mod bounds;
mod refute;

pub use bounds::check_bounds;

use parallax_base::Stop;

/// What the checker did to accept bounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Accepted {
    /// Points and walks checked by evaluation.
    pub evaluated: u64,
    /// Steps of refutations.
    pub steps: u64,
    /// Questions put to the solver.
    pub queries: u64,
}

/// Why bounds were not accepted.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Rejected {
    /// The evidence does not fit the problem.
    #[error("malformed evidence: {0}")]
    Malformed(String),
    /// A bound of a template is not what it is said to be.
    #[error("bound: {0}")]
    Bound(String),
    /// A step of a refutation is wrong.
    #[error("refutation: {0}")]
    Refutation(String),
    /// A question is left, and there is no solver to ask.
    #[error("a question is left for a solver")]
    NoSolver,
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
