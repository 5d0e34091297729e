//! What comes of a check: answers with their evidence, figures, assumptions.

use crate::Task;
use crate::c;
use parallax_base::{Id, peak_memory_bytes};
use parallax_cfa::{CProperty, Recording};
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
        let prepared = self.about(task).0.c.as_ref().and_then(|c| c.prepared.as_ref());
        match (&self.outcome.finding, &self.plain, prepared) {
            (Finding::Proved(_), None, Some(prepared)) => {
                prepared.trusted.iter().map(|pass| pass.name()).collect()
            }
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
        Checked { assumptions: assumptions(task, &answers), answers, statistics }
    }

    /// The first run of the C program that breaks a property, with the property.
    pub fn first_run(&self) -> Option<(Id<Property>, &Arc<Recording>)> {
        self.answers.iter().find_map(|answer| Some((answer.property, answer.run.as_ref()?)))
    }

    /// `violated` if a property is, else `unknown` if one is, else `holds`.
    pub fn verdict(&self, task: &Task) -> Verdict {
        self.report(task).verdict()
    }

    /// The result as the renderers of [`parallax_report`] take it.
    pub fn report<'a>(&'a self, task: &'a Task) -> report::Run<'a> {
        let run = |a: &'a Answer| {
            let recording = a.run.as_ref()?;
            Some(a.about(task).0.c.as_ref()?.source.view(recording))
        };
        let answer = |a: &'a Arc<Answer>| report::Answer {
            property: a.property,
            outcome: &a.outcome,
            checked_by: &a.checked_by,
            run: run(a),
            about: a.task.as_ref().map(|t| &t.program),
            contracts: a.task.as_ref().map(|t| contracts(t)).unwrap_or_default(),
            assumes: granted(task, &self.answers, a).iter().map(|(p, _)| p.name()).collect(),
            trusts: a.trusts(task),
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
    let recursion = task.c.as_ref().and_then(|c| c.recursion());
    match recursion {
        Some(Recursion::Contracts(contracts)) => {
            contracts.iter().map(ToString::to_string).collect()
        }
        _ => Vec::new(),
    }
}

/// What an answer about a C program takes for granted although it was asked:
/// undefined behavior has a fixed meaning, or ends the run, so a property that
/// holds says nothing about what a compiler makes of it.
fn granted<'t>(
    task: &'t Task,
    answers: &[Arc<Answer>],
    answer: &Answer,
) -> Vec<(&'t CProperty, Verdict)> {
    let Some(own) = task.c.as_deref().filter(|_| answer.verdict(task) == Verdict::Holds) else {
        return Vec::new();
    };
    let open = |(at, asked): (usize, &'t CProperty)| {
        let known = answers.iter().find(|a| a.property.index() == at);
        let verdict = known.map_or(Verdict::Unknown, |a| a.verdict(task));
        let is_open = verdict != Verdict::Holds && c::occurs(&own.source, asked);
        (is_open && asked.assumption().is_some()).then_some((asked, verdict))
    };
    own.asked.iter().enumerate().filter_map(open).collect()
}

/// What the front end left to an implicit property that does not hold for sure.
fn assumptions(task: &Task, answers: &[Arc<Answer>]) -> Vec<String> {
    if let Some(c) = &task.c {
        let holds = answers.iter().find(|a| a.verdict(task) == Verdict::Holds);
        let open = holds.map(|holds| granted(task, answers, holds)).unwrap_or_default();
        return c::assumptions(&c.source, &open);
    }
    let mut found = Vec::new();
    if !task.constants.is_empty() {
        let pairs: Vec<_> = task.constants.iter().map(|(n, v)| format!("{n} = {v}")).collect();
        found.push(format!("constants {}", pairs.join(", ")));
    }
    let about_runs = |a: &Arc<Answer>| task.program.properties[a.property].temporal.is_some();
    if answers.iter().any(about_runs) {
        found.push(String::from("runs that end stay in their last state"));
        let fair = task.fair.iter();
        found.extend(fair.map(|(name, how)| format!("`{name}` is {} fair", how.word())));
    }
    for (id, property) in task.program.properties.iter_enumerated().filter(|(_, p)| p.implicit) {
        let answer = answers.iter().find(|a| a.property == id);
        let state = match answer.map(|a| a.verdict(task)) {
            Some(Verdict::Holds) => continue,
            Some(verdict) => verdict.word(),
            None => "not checked",
        };
        if answers.iter().any(|a| a.property != id) {
            let name = &property.name;
            found.push(format!("values stay in their ranges (property `{name}`: {state})"));
        }
    }
    found
}
