//! `bmc`: bounded model checking, path by path.
//!
//! Biere, Cimatti, Clarke, Zhu, TACAS 1999, for the question asked at each
//! depth; King, CACM 1976, for the way it is asked. All sequences of
//! transitions are unrolled, shortest first. A node of the tree has one term
//! per variable over initial values and inputs; a step is added if the solver
//! finds a run that takes it. So the first run found to a target is a shortest
//! one, and when no step can be added any more, the tree holds all runs and is
//! itself the proof ([`parallax_evidence::Unrolling`]).
//!
//! Deviations. One formula per path, not one per depth: programs whose edges
//! are whole loop bodies have few paths, and constants are folded on the way,
//! so most questions are never asked. Each node also carries a concrete run
//! that ends there (as in concolic testing: Godefroid, Klarlund, Sen, PLDI
//! 2005); a step that this run can take needs no solver. A node is not unrolled if
//! its state is term for term that of another one that is, all of whose conditions
//! are among its own: what can happen behind it can happen behind that one. Inputs
//! are named by how often they were chosen before, so ways that differ in the order
//! of steps only come to the same terms.
//!
//! Invariant: the terms of a node have no symbols but those of initial values
//! and of inputs on the way to it.

mod ask;
mod search;
#[cfg(test)]
mod tests;
mod tree;

use parallax_engine::{Engine, Question, Resources};
use parallax_evidence::{Finding, Outcome, Refinement, Statistics, Why};
use parallax_solver::Halt;
use search::Search;

/// Choices of `bmc`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BmcConfig {
    /// Runs of more steps are not looked at.
    pub depth: Option<u32>,
}

/// The engine `bmc`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Bmc {
    /// Its choices.
    pub config: BmcConfig,
}

const NAME: &str = "bmc";

impl Engine for Bmc {
    fn name(&self) -> &'static str {
        NAME
    }

    fn summary(&self) -> &'static str {
        "unrolls all runs, shortest first; finds errors fast, proves safety if all runs end"
    }

    fn is_endless(&self) -> bool {
        self.config.depth.is_none()
    }

    fn run(&self, question: Question<'_>, resources: Resources<'_>) -> Outcome {
        let mut search = match Search::new(question, resources) {
            Ok(search) => search,
            Err(error) => {
                return Outcome {
                    engine: NAME,
                    finding: Finding::Unknown(Why::SolverGaveUp(error.to_string())),
                    statistics: Statistics::default(),
                    history: Vec::new(),
                    abstraction: None,
                    graph: None,
                };
            }
        };
        let finding = search.run(self.config.depth);
        let finding = finding.unwrap_or_else(|halt: Halt| Finding::Unknown(crate::node::why(halt)));
        let statistics = search.statistics(resources.budget);
        let history = match finding {
            Finding::Unknown(_) => vec![how_far(search.depth, &statistics)],
            _ => Vec::new(),
        };
        Outcome { engine: NAME, finding, statistics, history, abstraction: None, graph: None }
    }
}

/// What is known although the question stayed open.
fn how_far(depth: u32, statistics: &Statistics) -> Refinement {
    let steps = if depth == 1 { "step" } else { "steps" };
    Refinement {
        iteration: statistics.iterations,
        states: statistics.states,
        abstract_states: 0,
        predicates: Vec::new(),
        reason: format!("no run of up to {depth} {steps} was found to reach it"),
        path: None,
    }
}
