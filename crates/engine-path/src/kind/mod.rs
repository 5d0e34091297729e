//! `kind`: k-induction.
//!
//! Sheeran, Singh, Stalmarck, FMCAD 2000: no target is reached if none is
//! reached within `k` steps, and `k` steps through states that are no targets
//! never lead to one; with facts that are known besides, as in Beyer, Dangl,
//! Wendler, CAV 2015, here the bounds of intervals by symbolic abstraction.
//!
//! Deviation: what is handed out is an ordinary inductive invariant, so the
//! checker needs no new argument. Let `W(i)` be the states from which no target
//! is reached in exactly `i` steps, and `I` all of `W(0)` to `W(k-1)`. A step from
//! `I` leads into `W(0)` to `W(k-2)` by definition; that it leads into `W(k-1)` is
//! the step case of k-induction. So `I` is closed if and only if the step case
//! holds. `W(i + 1)` is computed backwards, place by place; what inputs may be is
//! eliminated, which does not always succeed.
//!
//! Invariant: a depth is given up, never approximated; base and step are asked of
//! the solver before anything is handed out.

#[cfg(test)]
mod tests;
mod window;

use crate::bmc::{Bmc, BmcConfig};
use parallax_base::Event;
use parallax_engine::{Engine, Question, Resources};
use parallax_evidence::{Finding, Outcome, Refinement, Statistics, Why};
use parallax_solver::Halt;
use window::{Said, Window};

/// Choices of `kind`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct KindConfig {
    /// More steps than this are not looked at.
    pub depth: Option<u32>,
}

/// The engine `kind`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Kind {
    /// Its choices.
    pub config: KindConfig,
}

const NAME: &str = "kind";

/// Steps that are looked at if nothing is said.
const DEPTH: u32 = 16;

impl Engine for Kind {
    fn name(&self) -> &'static str {
        NAME
    }

    fn summary(&self) -> &'static str {
        "k-induction with intervals as facts; the proof is an inductive invariant"
    }

    fn is_endless(&self) -> bool {
        true
    }

    fn run(&self, question: Question<'_>, resources: Resources<'_>) -> Outcome {
        let mut statistics = Statistics::default();
        let mut history = Vec::new();
        let finding = self.search(question, resources, &mut statistics, &mut history);
        let finding = finding.unwrap_or_else(|halt: Halt| Finding::Unknown(crate::node::why(halt)));
        statistics.time = resources.budget.elapsed();
        statistics.peak_memory_bytes = parallax_base::peak_memory_bytes();
        Outcome { engine: NAME, finding, statistics, history, abstraction: None, graph: None }
    }
}

impl Kind {
    fn search(
        &self,
        question: Question<'_>,
        resources: Resources<'_>,
        statistics: &mut Statistics,
        history: &mut Vec<Refinement>,
    ) -> Result<Finding, Halt> {
        let mut window = match Window::new(question, resources)? {
            Ok(window) => window,
            Err(why) => return Ok(Finding::Unknown(Why::NoProgress(why))),
        };
        statistics.abstract_states = window.places() as u64;
        for depth in 1..=self.config.depth.unwrap_or(DEPTH) {
            statistics.iterations += 1;
            let number = statistics.iterations;
            resources.budget.notice(Event::Iteration { number, predicates: 0 });
            let said = window.ask()?;
            statistics.solver_queries = window.queries();
            match said {
                Said::Closed => return Ok(Finding::Proved(Box::new(window.certificate()))),
                Said::Reached => {
                    // A run of fewer than `depth` steps: the shortest is found.
                    let bmc = Bmc { config: BmcConfig { depth: Some(depth) } };
                    return Ok(bmc.run(question, resources).finding);
                }
                Said::Open(why) => history.push(Refinement {
                    iteration: number,
                    reason: format!("{depth} steps are not enough: {why}"),
                    ..Refinement::default()
                }),
            }
            if let Some(why) = window.widen()? {
                let why = format!("{depth} steps are not enough, and {why}");
                return Ok(Finding::Unknown(Why::NoProgress(why)));
            }
        }
        let why = String::from("more steps are not looked at");
        Ok(Finding::Unknown(Why::NoProgress(why)))
    }
}
