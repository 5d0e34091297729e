//! Which solver to use, as data that can be sent to other threads.

use crate::{Pipe, PipeCommand, RecordDir, Recording, Solver, Z3};
use std::path::PathBuf;

/// Why a solver cannot be had.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SolverError {
    /// The executable cannot be run.
    #[error("cannot start {program}: {source}")]
    Start {
        /// The executable.
        program: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The executable runs but does not speak SMT-LIB.
    #[error("{program} does not answer SMT-LIB commands")]
    Silent {
        /// The executable.
        program: PathBuf,
    },
    /// Queries cannot be written down.
    #[error("cannot write queries to {path}: {source}")]
    Record {
        /// The folder.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
}

/// Who answers.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Backend {
    /// Z3 in this process.
    #[default]
    Z3,
    /// A solver behind a pipe.
    Pipe(PipeCommand),
}

/// What [`SolverConfig::open`] opens. A solver stays on its thread; this can be
/// sent to where one is needed.
#[derive(Clone, Debug, Default)]
pub struct SolverConfig {
    /// Who answers.
    pub backend: Backend,
    /// Where queries are written down, if at all.
    pub record: Option<RecordDir>,
}

impl SolverConfig {
    /// A new solver for the current thread.
    pub fn open(&self) -> Result<Box<dyn Solver>, SolverError> {
        let solver: Box<dyn Solver> = match &self.backend {
            Backend::Z3 => Box::new(Z3::new()),
            Backend::Pipe(command) => Box::new(Pipe::start(command)?),
        };
        Ok(match &self.record {
            Some(folder) => Box::new(Recording::new(solver, folder.clone())),
            None => solver,
        })
    }
}
