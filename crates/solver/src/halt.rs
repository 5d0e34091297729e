//! Why a search that asks a solver ends without an answer.

use crate::SolverError;
use parallax_base::Stop;

/// The end of a search that has none.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Halt {
    /// A limit.
    #[error("{0}")]
    Stop(Stop),
    /// A question that matters has no answer, for this reason.
    #[error("{0}")]
    GaveUp(String),
}

impl From<Stop> for Halt {
    fn from(stop: Stop) -> Halt {
        Halt::Stop(stop)
    }
}

impl From<SolverError> for Halt {
    fn from(error: SolverError) -> Halt {
        Halt::GaveUp(error.to_string())
    }
}
