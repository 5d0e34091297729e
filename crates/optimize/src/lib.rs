//! Layer 5: how far linear templates reach over the models of a formula.
//!
//! Symbolic abstraction in the template constraint matrix domain. The engines:
//!
//! - [`Engine::Auto`]: ours. From each model it takes the polyhedron of models
//!   around it, maximizes every open template there at once, and asks the
//!   search only for models beyond what was reached.
//! - [`Engine::Symba`]: the published rules (Li, MSc thesis, Toronto 2013; Li,
//!   Albarghouthi, Kincaid, Gurfinkel, Chechik, POPL 2014).
//! - [`Engine::Dnf`] and [`Engine::Qe`]: its rivals in the thesis, disjunct by
//!   disjunct and by quantifier elimination.
//! - [`Engine::Z3Symba`] and [`Engine::Z3Basic`]: the optimizer of Z3, for
//!   comparison.
//!
//! All of them hand out [`Bounds`] with points; whether these are right is for
//! `certify` to say. A search that is stopped hands out what it knows.

mod alpha;
mod ascent;
mod climb;
mod config;
mod dnf;
mod hull;
mod known;
mod native;
mod over;
mod parts;
mod planes;
mod polyhedron;
mod prepare;
mod qe;
mod rival;
mod several;
mod state;
mod symba;
mod walk;
mod words;

pub use alpha::{Abstract, Bounded, Limit, alpha};
pub use ascent::{Ascent, Effort};
pub use config::{Applied, Config, Engine, Event, Observer, Silent, Statistics};
pub use several::{Points, Stages, lexicographic, pareto};

use parallax_base::{Budget, Stop};
use parallax_evidence::Bounds;
use parallax_ir::TemplateProblem;
use parallax_solver::{SolverConfig, SolverError};
use state::State;
use std::time::{Duration, Instant};

/// What an engine found.
#[derive(Clone, Debug)]
pub struct Found {
    /// The bounds; not all are final if the search was stopped.
    pub bounds: Bounds,
    /// The work done.
    pub statistics: Statistics,
    /// Why the search ended early, if it did.
    pub why_open: Option<Open>,
    /// The time of the search.
    pub time: Duration,
}

/// Why a search ended early.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Open {
    /// The limits of the run were reached.
    Stopped(Stop),
    /// A solver gave up, for this reason; or an engine did.
    GaveUp(String),
}

/// Why there is nothing to hand out.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Failed {
    /// A solver could not be started.
    #[error(transparent)]
    Solver(#[from] SolverError),
}

/// How an engine ends before it is done.
pub(crate) enum End {
    Open(Open),
    Failed(Failed),
}

impl From<Stop> for End {
    fn from(stop: Stop) -> End {
        End::Open(Open::Stopped(stop))
    }
}

impl From<SolverError> for End {
    fn from(error: SolverError) -> End {
        End::Failed(error.into())
    }
}

/// Bounds all templates of a problem.
///
/// The result is not checked: give it to `certify` before it is believed.
pub fn optimize(
    problem: &TemplateProblem,
    config: &Config,
    solver: &SolverConfig,
    budget: &Budget,
    observer: &dyn Observer,
) -> Result<Found, Failed> {
    let (started, mut time) = (Instant::now(), None);
    let mut state = State::new(problem, observer);
    let roots: Vec<_> = problem.templates.iter().map(|t| t.term).chain([problem.formula]).collect();
    let ended = match config.engine {
        // Words and products are for the solver alone.
        _ if TemplateProblem::first_nonlinear(&problem.store, &roots).is_some() => {
            words::run(&mut state, solver, budget)
        }
        Engine::Auto => native::run(&mut state, config, solver, budget),
        Engine::Symba => symba::run(&mut state, config, solver, budget),
        Engine::Dnf => dnf::run(&mut state, solver, budget),
        Engine::Qe => qe::run(&mut state, solver, budget),
        Engine::Z3Symba | Engine::Z3Basic => {
            rival::run(&mut state, config, solver, budget, &mut time)
        }
    };
    if let (Err(End::Open(Open::Stopped(Stop::Time))), Engine::Auto) = (&ended, config.engine)
        && !state.is_empty
    {
        over::limits(&mut state, solver, config.over);
    }
    let why_open = match ended {
        Ok(()) => None,
        Err(End::Open(open)) => Some(open),
        Err(End::Failed(failed)) => return Err(failed),
    };
    let statistics = state.statistics;
    let bounds = state.into_bounds();
    let time = time.unwrap_or_else(|| started.elapsed());
    Ok(Found { bounds, statistics, why_open, time })
}
