//! Systems side by side that have too many states to list: loaded without being
//! composed, decided with decision diagrams, checked, and checked again from a
//! file.

use super::{LtsError, LtsOptions};
use crate::Checkers;
use crate::accept::{Accepted, Rejected};
use crate::isolate::deep;
use parallax_base::{Budget, Diagnostics, Event, SourceMap, Stop};
use parallax_certify::Claim;
use parallax_diagrams::Decider;
use parallax_evidence::{
    CompositionEvidence, CompositionFile, CompositionQuestion, CompositionSettings, JointStep,
    Verdict,
};
use parallax_front_fsp::SideBySide;
use parallax_ltl::Assertion;
use parallax_lts::{Parallel, ProgressCheck, TupleSet};
use parallax_report::{LtsRow, WideReport, WideRun};

/// Systems side by side, and where they come from.
#[derive(Clone, Debug)]
pub struct WideTask {
    pub(super) system: SideBySide,
    pub(super) progress: Vec<ProgressCheck>,
    pub(super) assertions: Vec<Assertion>,
    pub(super) assumptions: Vec<String>,
    /// The files.
    pub sources: SourceMap,
    /// What looks odd.
    pub warnings: Diagnostics,
}

/// The answer to a question about systems side by side.
#[derive(Clone, Debug)]
pub struct WideAnswer {
    /// `no-error`, `no-deadlock`, `progress NAME` or `assert NAME`.
    pub property: String,
    /// The evidence, and what the checker says of it; else why there is none.
    pub evidence: Result<(CompositionEvidence, Result<Accepted, Rejected>), String>,
}

impl WideAnswer {
    /// `holds`, `violated`, or `unknown` if there is no evidence that was
    /// accepted.
    pub fn verdict(&self) -> Verdict {
        match &self.evidence {
            Ok((evidence, Ok(_))) if evidence.holds() => Verdict::Holds,
            Ok((_, Ok(_))) => Verdict::Violated,
            _ => Verdict::Unknown,
        }
    }
}

/// What was found out about systems side by side.
#[derive(Clone, Debug)]
pub struct WideChecked {
    reached: TupleSet,
    deadlocks: TupleSet,
    /// The answers.
    pub answers: Vec<WideAnswer>,
}

/// What formulas need.
const LISTED: &str = "formulas are decided where states are listed";

/// The questions about a task, each with its name.
fn questions(task: &WideTask) -> Vec<(String, Option<CompositionQuestion<'_>>)> {
    let mut all = vec![
        ("no-error".to_owned(), Some(CompositionQuestion::NoError)),
        ("no-deadlock".to_owned(), Some(CompositionQuestion::NoDeadlock)),
    ];
    for property in &task.progress {
        let question = CompositionQuestion::Progress(property);
        all.push((format!("progress {}", property.name), Some(question)));
    }
    all.extend(task.assertions.iter().map(|a| (format!("assert {}", a.name), None)));
    all
}

fn judged(
    parallel: &Parallel<'_>,
    question: CompositionQuestion<'_>,
    evidence: CompositionEvidence,
    budget: &Budget,
) -> (CompositionEvidence, Result<Accepted, Rejected>) {
    let claim = Claim::Composition { parallel, question, evidence: &evidence };
    let checked = Checkers::default().accept(&claim, budget);
    let checked = checked.map(|v| v.accepted).map_err(|(rejected, _)| rejected);
    (evidence, checked)
}

/// Checks safety and progress of systems side by side.
///
/// # Errors
/// When the budget ends.
pub fn check_wide(task: &WideTask, budget: &Budget) -> Result<WideChecked, Stop> {
    deep(|| {
        budget.notice(Event::Phase("saturate"));
        let parallel = task.system.parallel();
        let decider = Decider::new(&parallel, budget)?;
        let mut answers = Vec::new();
        for (property, question) in questions(task) {
            let evidence = match question {
                None => Err(format!("{LISTED}: make it smaller with --minimize-parts")),
                Some(question) => {
                    let evidence = decider.decide(question, budget)?;
                    Ok(judged(&parallel, question, evidence, budget))
                }
            };
            answers.push(WideAnswer { property, evidence });
        }
        let deadlocks = decider.deadlocks()?;
        Ok(WideChecked { reached: decider.reached(), deadlocks, answers })
    })
}

impl WideChecked {
    /// The verdict on everything that was asked.
    pub fn verdict(&self) -> Verdict {
        Verdict::worst(self.answers.iter().map(WideAnswer::verdict))
    }

    /// The answers as text, for [`certify_wide`].
    ///
    /// # Errors
    /// When it cannot be written as JSON.
    pub fn certificate(
        &self,
        task: &WideTask,
        settings: CompositionSettings,
    ) -> Result<String, serde_json::Error> {
        let evidence = |answer: &'_ WideAnswer| match &answer.evidence {
            Ok((evidence, _)) => Some((answer.property.clone(), evidence.clone())),
            Err(_) => None,
        };
        let all: Vec<_> = self.answers.iter().filter_map(evidence).collect();
        let all = all.iter().map(|(property, evidence)| (property.as_str(), evidence));
        serde_json::to_string(&CompositionFile::new(settings, &task.system.parallel(), all))
    }

    /// Everything, for the renderers.
    pub fn report<'a>(&'a self, task: &'a WideTask) -> WideReport<'a> {
        let parallel = task.system.parallel();
        let steps = |path: &[JointStep]| -> Vec<String> {
            path.iter().map(|step| parallel.shown(step.action).to_owned()).collect()
        };
        let row = |answer: &'a WideAnswer| {
            let (evidence, rejected) = match &answer.evidence {
                Ok((evidence, checked)) => {
                    (evidence.kind(), checked.as_ref().err().map(ToString::to_string))
                }
                Err(why) => ("none", Some(why.clone())),
            };
            let row = LtsRow {
                property: &answer.property,
                verdict: answer.verdict(),
                evidence,
                rejected,
            };
            let run = match &answer.evidence {
                Ok((CompositionEvidence::Path(path), _)) => WideRun::Path(steps(path)),
                Ok((CompositionEvidence::Sink { path, set, .. }, _)) => {
                    WideRun::Sink { steps: steps(path), states: set.count().to_string() }
                }
                _ => WideRun::None,
            };
            (row, run)
        };
        let part = |lts: &parallax_lts::Lts| (lts.name().to_owned(), lts.state_count());
        WideReport {
            name: &task.system.name,
            states: self.reached.count().to_string(),
            nodes: self.reached.nodes().len().saturating_sub(1),
            actions: parallel.shown_count(),
            parts: task.system.machines.iter().map(part).collect(),
            deadlocks: self.deadlocks.count().to_string(),
            answers: self.answers.iter().map(row).collect(),
            verdict: self.verdict(),
            assumptions: &task.assumptions,
        }
    }
}

/// What the evidence of a file says about a property.
pub type WideCertified = (String, Result<WideAnswer, String>);

/// What a file of evidence is found to show, with its settings; the error says
/// what is wrong with the file.
pub type WideFile = Result<(CompositionSettings, Vec<WideCertified>), String>;

/// Checks the evidence of a file about systems side by side, from scratch;
/// `None` if it is a file of another kind.
///
/// # Errors
/// When a file cannot be read or is wrong, or the budget ends.
pub fn certify_wide(
    load: impl Fn(&LtsOptions) -> Result<WideTask, LtsError>,
    evidence: &str,
    budget: &Budget,
) -> Result<Option<WideFile>, LtsError> {
    let file = match CompositionFile::parse(evidence) {
        Ok(Some(file)) => file,
        Ok(None) => return Ok(None),
        Err(why) => return Ok(Some(Err(why))),
    };
    let options = LtsOptions {
        process: file.settings.process.clone(),
        minimize_parts: file.settings.minimize_parts,
        ..LtsOptions::default()
    };
    let task = load(&options)?;
    let parallel = task.system.parallel();
    let mut all = Vec::new();
    for (property, question) in questions(&task) {
        let answer = match (question, file.evidence(&parallel, &property)) {
            (_, Err(why)) => Err(why),
            (Some(question), Ok(Some(evidence))) => {
                let evidence = Ok(judged(&parallel, question, evidence, budget));
                Ok(WideAnswer { property: property.clone(), evidence })
            }
            (_, Ok(_)) => Err("the file is silent on it".to_owned()),
        };
        all.push((property, answer));
    }
    Ok(Some(Ok((file.settings, all))))
}
