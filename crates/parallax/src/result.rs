//! What comes of a check: answers with their evidence, figures, assumptions.

use crate::Task;
use crate::page::invariants;
use parallax_base::{Id, peak_memory_bytes};
use parallax_cfa::Recording;
use parallax_evidence::{Finding, Outcome, Recursion, Statistics, Verdict, Why};
use parallax_ir::Property;
use parallax_report as report;
use std::sync::Arc;
use std::time::Duration;

/// The answer to one property, after the checker has seen the evidence.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The property.
    pub property: Id<Property>,
    /// What was found; evidence that was rejected is already `Unknown`.
    pub outcome: Outcome,
    /// Who accepted the evidence.
    pub checked_by: Vec<String>,
    /// The task that the evidence is about, if it is not the one that was
    /// asked: the same C program with recursion treated in another way.
    pub task: Option<Arc<Task>>,
    /// The run of the C program that breaks the property.
    pub run: Option<Arc<Recording>>,
    /// For a proof: one of the C program that no pass has made smaller. It is
    /// the one that evidence files have.
    pub plain: Option<Arc<Answer>>,
}

/// What came of a check.
#[derive(Clone, Debug)]
pub struct Checked {
    /// One answer per property asked, in the order of the program.
    pub answers: Vec<Arc<Answer>>,
    /// What the answers rest on besides the evidence.
    pub assumptions: Vec<String>,
    /// Figures of the whole run.
    pub statistics: Statistics,
}

impl Answer {
    /// An answer that says only why there is none.
    pub fn open(property: Id<Property>, engine: &'static str, why: Why) -> Answer {
        let outcome = Outcome {
            engine,
            finding: Finding::Unknown(why),
            statistics: Statistics::default(),
            history: Vec::new(),
            abstraction: None,
            graph: None,
        };
        Answer { property, outcome, checked_by: Vec::new(), task: None, run: None, plain: None }
    }

    /// Takes the finding back.
    pub(crate) fn leave_open(&mut self, why: Why) {
        self.outcome.finding = Finding::Unknown(why);
        self.checked_by.clear();
    }

    /// The task that the evidence is about, and the property there. `task` is
    /// the one that was asked.
    pub fn about<'a>(&'a self, task: &'a Task) -> (&'a Task, Id<Property>) {
        let Some(own) = &self.task else { return (task, self.property) };
        let name = &task.program.properties[self.property].name;
        (own, own.program.property(name).unwrap_or(self.property))
    }

    /// The passes that a proof trusts: what they did is in no certificate.
    pub fn trusts(&self, task: &Task) -> Vec<&'static str> {
        match (&self.outcome.finding, &self.plain) {
            (Finding::Proved(_), None) => self.about(task).0.trusted(),
            _ => Vec::new(),
        }
    }

    /// The verdict on the property.
    pub fn verdict(&self, task: &Task) -> Verdict {
        Verdict::of(&self.outcome.finding, task.program.properties[self.property].kind)
    }
}

impl Checked {
    /// Sums up answers: what they assume and what they cost.
    pub fn new(task: &Task, answers: Vec<Arc<Answer>>, time: Duration) -> Checked {
        let mut statistics = Statistics { time, ..Statistics::default() };
        for answer in &answers {
            let part = &answer.outcome.statistics;
            statistics.iterations += part.iterations;
            statistics.predicates += part.predicates;
            statistics.solver_queries += part.solver_queries;
            statistics.states += part.states;
            statistics.abstract_states += part.abstract_states;
        }
        statistics.peak_memory_bytes = peak_memory_bytes();
        let assumptions = task.assumptions(&verdicts(task, &answers));
        Checked { assumptions, answers, statistics }
    }

    /// The first run of the C program that breaks a property, with the property.
    pub fn first_run(&self) -> Option<(Id<Property>, &Arc<Recording>)> {
        self.answers.iter().find_map(|answer| Some((answer.property, answer.run.as_ref()?)))
    }

    /// `violated` if a property is, else `unknown` if one is, else `holds`.
    pub fn verdict(&self, task: &Task) -> Verdict {
        // Nothing asked is nothing known.
        match self.answers.is_empty() {
            true => Verdict::Unknown,
            false => Verdict::worst(self.answers.iter().map(|answer| answer.verdict(task))),
        }
    }

    /// The result as the renderers of [`parallax_report`] take it.
    pub fn report<'a>(&'a self, task: &'a Task) -> report::Run<'a> {
        let run = |a: &'a Answer| a.about(task).0.view(a.run.as_ref()?);
        let answer = |a: &'a Arc<Answer>| report::Answer {
            property: a.property,
            outcome: &a.outcome,
            checked_by: &a.checked_by,
            run: run(a),
            about: a.task.as_ref().map(|t| &t.program),
            contracts: a.task.as_ref().map(|t| contracts(t)).unwrap_or_default(),
            assumes: granted(task, &self.answers, a),
            trusts: a.trusts(task),
            invariants: invariants(task, a),
        };
        report::Run {
            program: &task.program,
            sources: &task.sources,
            answers: self.answers.iter().map(answer).collect(),
            assumptions: self.assumptions.clone(),
            statistics: self.statistics.clone(),
            next: None,
        }
    }
}

/// The contracts that stand for recursive calls in a task, as text.
fn contracts(task: &Task) -> Vec<String> {
    match task.recursion() {
        Some(Recursion::Contracts(contracts)) => {
            contracts.iter().map(ToString::to_string).collect()
        }
        _ => Vec::new(),
    }
}

/// The verdict on each property that was answered.
fn verdicts<'a>(
    task: &'a Task,
    answers: &'a [Arc<Answer>],
) -> impl Fn(Id<Property>) -> Option<Verdict> + 'a {
    |id| answers.iter().find(|a| a.property == id).map(|a| a.verdict(task))
}

/// What an answer takes for granted although it was asked.
fn granted(task: &Task, answers: &[Arc<Answer>], answer: &Answer) -> Vec<String> {
    match answer.verdict(task) {
        Verdict::Holds => {
            task.granted(&verdicts(task, answers)).iter().map(|(p, _)| p.name()).collect()
        }
        _ => Vec::new(),
    }
}
