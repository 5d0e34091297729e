//! `ase`: abstract analysis of symbolic executions.
//!
//! Albarghouthi, MSc thesis, Toronto 2010. The program is executed on concrete
//! and symbolic states, so every error found is real. The abstract states met
//! on the way are an under-approximation; when they turn out to be closed
//! under every step, they are an over-approximation too, and the program is
//! safe. Otherwise new predicates make the execution go further.
//!
//! [`Search`] chooses how much work is shared between paths.

mod bounds;
mod distance;
mod graph;
mod preimage;
mod printed;
mod shared;
#[cfg(test)]
mod tests;

use crate::work::Work;
use parallax_engine::{Engine, Question, Resources, nowhere};
use parallax_evidence::{AbstractSystem, Finding, Outcome, Statistics, Why};
use parallax_solver::Halt;
use parallax_term::Term;

/// How the program is explored.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Search {
    /// The printed algorithm: matching per path, nothing shared.
    PerPath,
    /// The printed algorithm with the global table of states that the
    /// published figures imply.
    Plain,
    /// Everything shared that soundness allows.
    #[default]
    Shared,
}

/// Choices of `ase`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AseConfig {
    /// How the program is explored.
    pub search: Search,
    /// Predicates to begin with, besides those of guards and target.
    pub predicates: Vec<Term>,
}

/// The engine `ase`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ase {
    /// Its choices.
    pub config: AseConfig,
}

/// How a round ended.
enum Round {
    Done(Finding, Option<Box<AbstractSystem>>),
    Refined,
}

/// An outcome without a search.
fn at_once(finding: Finding) -> Outcome {
    Outcome {
        engine: "ase",
        finding,
        statistics: Statistics::default(),
        history: Vec::new(),
        abstraction: None,
        graph: None,
    }
}

impl Engine for Ase {
    fn name(&self) -> &'static str {
        "ase"
    }

    fn summary(&self) -> &'static str {
        "symbolic execution with abstract matching; proves safety from an under-approximation"
    }

    /// REFINE (Fig. 4.1): execute, analyse, refine.
    ///
    /// The default search looks at the target first; the printed ones are as
    /// printed, and a picture needs states.
    fn run(&self, question: Question<'_>, resources: Resources<'_>) -> Outcome {
        if self.config.search == Search::Shared
            && !resources.picture
            && let Some(finding) = nowhere(question, resources)
        {
            return at_once(finding);
        }
        let mut work = match Work::new(question, resources, true, &self.config.predicates) {
            Ok(work) => work,
            Err(error) => {
                return at_once(Finding::Unknown(Why::SolverGaveUp(error.to_string())));
            }
        };
        let mut shared = shared::Shared::new(&mut work);
        let mut round = |work: &mut Work| -> Result<Round, Halt> {
            match self.config.search {
                Search::PerPath => printed::round(work, false),
                Search::Plain => printed::round(work, true),
                Search::Shared => shared.round(work),
            }
        };
        let (finding, abstraction) = loop {
            match round(&mut work) {
                Ok(Round::Done(finding, abstraction)) => break (finding, abstraction.map(|a| *a)),
                Ok(Round::Refined) => {}
                Err(halt) => break (Finding::Unknown(crate::node::why(halt)), None),
            }
        };
        let statistics = work.finish();
        Outcome {
            engine: "ase",
            finding,
            statistics,
            history: work.history,
            abstraction,
            graph: None,
        }
    }
}
