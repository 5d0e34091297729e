//! Optima from files: the text is read, the questions are those of the text, and
//! the checker sees the evidence afresh.
//!
//! # Soundness
//! What is asked comes from the text alone: whether objectives are wanted one after
//! the other, each on its own or as trade-offs. Evidence of another kind answers
//! another question, and is refused.

use super::script::{claimed, judges, said, with_goal};
use super::{Optimized, ProblemTask, Replied};
use crate::Checkers;
use crate::accept::Rejected;
use parallax_base::Budget;
use parallax_evidence::{Bound, Bounds, EvidenceError, Extent, OptimaFile, Optimum};
use parallax_front_smt::{Priority, Query};
use parallax_ir::TemplateProblem;
use parallax_report::{BoundsCounts, OptimaReport};
use std::time::{Duration, Instant};

/// Answers from a file.
#[derive(Debug)]
pub enum CertifiedOptima {
    /// The bounds of a problem.
    Bounds(Box<Optimized>),
    /// The replies to a script.
    Replies(OptimaReport),
}

impl Replied {
    /// The text of an evidence file.
    ///
    /// # Errors
    /// If something has no form in JSON.
    pub fn certificate(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string(&OptimaFile::new(&self.evidence))
    }
}

impl Optimized {
    /// The text of an evidence file.
    ///
    /// # Errors
    /// If something has no form in JSON.
    pub fn certificate(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string(&OptimaFile::new(&[Optimum::Bounds(self.bounds.clone())]))
    }
}

/// Whether evidence answers what a query asks.
fn fits(query: &Query, evidence: &Optimum) -> bool {
    match (query.priority, evidence) {
        (Priority::Pareto, Optimum::Front(_)) => !query.problem.templates.is_empty(),
        (Priority::Pareto, Optimum::Stages(_)) => query.problem.templates.is_empty(),
        (Priority::Box, Optimum::Bounds(_)) => true,
        (Priority::Box | Priority::Pareto, _) => false,
        (_, evidence) => matches!(evidence, Optimum::Stages(_)),
    }
}

/// Checks evidence about a problem or a script. What is not accepted is open, with
/// the reason.
///
/// # Errors
/// If the file is damaged, or about another text.
pub fn certify_optima(
    task: &ProblemTask,
    evidence: &str,
    checkers: &Checkers,
    budget: &Budget,
) -> Result<CertifiedOptima, EvidenceError> {
    let started = Instant::now();
    let file = OptimaFile::parse(evidence)?;
    if task.queries.is_empty() {
        let answer = file.decode(&[&task.problem])?.pop();
        let judged = answer.map(|answer| judged(&task.problem, answer, checkers, budget));
        let Some((judges, Optimum::Bounds(bounds), why)) = judged else {
            return Err(EvidenceError::Mismatch("the question is for bounds".to_owned()));
        };
        return Ok(CertifiedOptima::Bounds(Box::new(Optimized {
            bounds,
            checked_by: judges,
            engine: "file",
            why_open: why,
            counts: BoundsCounts::default(),
            times: [Duration::ZERO, started.elapsed()],
        })));
    }
    let problems: Vec<TemplateProblem> =
        task.queries.iter().map(|query| with_goal(&query.problem)).collect();
    let answers = file.decode(&problems.iter().collect::<Vec<_>>())?;
    let mut replies = Vec::new();
    for ((query, problem), evidence) in task.queries.iter().zip(&problems).zip(answers) {
        let (judges, evidence, why) = match fits(query, &evidence) {
            true => judged(problem, evidence, checkers, budget),
            false => {
                let why = String::from("the evidence answers another question");
                (Vec::new(), Optimum::Stages(Vec::new()), Some(why))
            }
        };
        replies.push(said(query, problem, &evidence, judges, why));
    }
    Ok(CertifiedOptima::Replies(OptimaReport { replies }))
}

/// Who accepted evidence, and the evidence; or nothing, and why.
fn judged(
    problem: &TemplateProblem,
    evidence: Optimum,
    checkers: &Checkers,
    budget: &Budget,
) -> (Vec<String>, Optimum, Option<String>) {
    match checkers.accept(&claimed(problem, &evidence), budget) {
        Ok(vouched) => (judges(vouched), evidence, None),
        Err((rejected, _)) => {
            let why = match rejected {
                Rejected::Stopped(stop) => format!("{stop} reached"),
                other => format!("certificate rejected: {other}"),
            };
            let open = match evidence {
                Optimum::Bounds(_) => Optimum::Bounds(nothing(problem)),
                Optimum::Stages(_) | Optimum::Front(_) => Optimum::Stages(Vec::new()),
            };
            (Vec::new(), open, Some(why))
        }
    }
}

/// The wanted bounds, with nothing known of them.
fn nothing(problem: &TemplateProblem) -> Bounds {
    let open = || Extent::Between { reached: None, limit: None };
    let bound = |(template, side)| Bound { template, side, extent: open() };
    Bounds { bounds: problem.wanted().into_iter().map(bound).collect(), ..Bounds::default() }
}
