//! What is true of a labelled transition system: searched for, handed to the
//! checker with its evidence, and checked again from a file.

use super::{LtsError, LtsOptions, LtsTask, Minimize, load_lts};
use crate::accept::{Accepted, Rejected};
use crate::{Checkers, Language};
use parallax_base::{Budget, Event, Stop};
use parallax_certify::Claim;
use parallax_evidence::{
    SystemClaim, SystemEvidence, SystemQuestion, SystemsFile, SystemsSettings, Verdict,
};
use parallax_fluents::decide;
use parallax_ltl::{Assertion, Progression};
use parallax_lts::{
    Edge, Lts, ProgressViolation, Safety, TAU, check_progress, check_safety, progress_ranks,
    reachable_states, shortest_path,
};
use parallax_report::{AssertionRun, Compared, LtsReport, LtsRow};
use parallax_simulate::{
    Comparison as Simulation, Conformance, Contained, compare, trace_contained,
};
use std::path::{Path, PathBuf};

/// What it means to conform to a specification.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Notion {
    /// Weak simulation.
    #[default]
    Simulation,
    /// Trace containment.
    Traces,
}

/// How two systems compare.
#[derive(Clone, Debug)]
pub enum Comparison {
    /// By weak simulation.
    Simulation(Simulation),
    /// By trace containment.
    Traces(Contained),
}

/// The answer to a question about a system.
#[derive(Clone, Debug)]
pub struct LtsAnswer {
    /// `no-error`, `no-deadlock`, `progress NAME`, `assert NAME`, `simulated-by
    /// NAME` or `traces-of NAME`.
    pub property: String,
    /// The evidence, which says yes or no.
    pub evidence: SystemEvidence,
    /// What the checker did to accept it, or why it did not.
    pub checked: Result<Accepted, Rejected>,
}

impl LtsAnswer {
    /// `holds`, `violated`, or `unknown` if the evidence was not accepted.
    pub fn verdict(&self) -> Verdict {
        match (&self.checked, self.evidence.holds()) {
            (Ok(_), true) => Verdict::Holds,
            (Ok(_), false) => Verdict::Violated,
            (Err(_), _) => Verdict::Unknown,
        }
    }
}

/// What was found out about a system, with evidence that was checked.
#[derive(Clone, Debug)]
pub struct LtsChecked {
    /// Deadlocks and errors.
    pub safety: Safety,
    /// The progress properties, and how they fail.
    pub progress: Vec<(String, Option<ProgressViolation>)>,
    /// The formulas, and runs that break them.
    pub assertions: Vec<(String, Option<AssertionRun>)>,
    /// The specification, and how the system compares with it.
    pub compared: Option<(Lts, Comparison)>,
    /// The answers; the one about the specification comes last.
    pub answers: Vec<LtsAnswer>,
}

impl LtsChecked {
    /// The verdict on everything that was asked. Against a specification, that
    /// is conformance alone.
    pub fn verdict(&self) -> Verdict {
        let asked = match &self.compared {
            Some(_) => &self.answers[self.answers.len().saturating_sub(1)..],
            None => &self.answers[..],
        };
        Verdict::worst(asked.iter().map(LtsAnswer::verdict))
    }

    /// The answers as text, for [`certify_lts`].
    ///
    /// # Errors
    /// When it cannot be written as JSON.
    pub fn certificate(
        &self,
        task: &LtsTask,
        settings: SystemsSettings,
    ) -> Result<String, serde_json::Error> {
        let claims: Vec<SystemClaim> =
            self.answers.iter().map(|a| (a.property.clone(), a.evidence.clone())).collect();
        serde_json::to_string(&SystemsFile::new(settings, &task.lts, &claims))
    }

    /// Everything, for the renderers.
    pub fn report<'a>(&'a self, task: &'a LtsTask) -> LtsReport<'a> {
        let compared = self.compared.as_ref().map(|(spec, comparison)| {
            let compared = match comparison {
                Comparison::Simulation(found) => Compared::Simulation(found),
                Comparison::Traces(found) => Compared::Traces(found),
            };
            (spec, compared)
        });
        let row = |answer: &'a LtsAnswer| LtsRow {
            property: &answer.property,
            verdict: answer.verdict(),
            evidence: answer.evidence.kind(),
            rejected: answer.checked.as_ref().err().map(ToString::to_string),
        };
        LtsReport {
            lts: &task.lts,
            parts: &task.parts,
            safety: &self.safety,
            progress: &self.progress,
            assertions: &self.assertions,
            minimized: task.minimized,
            compared,
            verdict: self.verdict(),
            assumptions: &task.assumptions,
            answers: self.answers.iter().map(row).collect(),
        }
    }
}

/// Checks safety and progress of a system, and whether it conforms to another.
///
/// # Errors
/// When the budget ends.
pub fn check_lts(
    task: &LtsTask,
    against: Option<(Lts, Notion)>,
    budget: &Budget,
) -> Result<LtsChecked, Stop> {
    let lts = &task.lts;
    budget.notice(Event::Phase("check"));
    let safety = check_safety(lts);
    let mut violations = check_progress(lts, &task.progress);
    let path_to = |state| shortest_path(lts, state).unwrap_or_default();
    let error = match (&safety.error, lts.error()) {
        (Some(_), Some(state)) => SystemEvidence::Path(path_to(state)),
        _ => SystemEvidence::Closed(reachable_states(lts)),
    };
    let deadlock = match &safety.deadlock {
        Some(deadlock) => SystemEvidence::Path(path_to(deadlock.state)),
        None => SystemEvidence::Closed(reachable_states(lts)),
    };
    let mut answers = vec![
        judge(lts, "no-error".into(), SystemQuestion::NoError, error, budget),
        judge(lts, "no-deadlock".into(), SystemQuestion::NoDeadlock, deadlock, budget),
    ];
    let mut progress = Vec::new();
    for property in &task.progress {
        let found = violations.iter().position(|v| v.name == property.name);
        let violation = found.map(|index| violations.remove(index));
        let evidence = match &violation {
            Some(v) => {
                SystemEvidence::Terminal { path: path_to(v.state), states: v.states.clone() }
            }
            None => SystemEvidence::Ranked(progress_ranks(lts, property).unwrap_or_default()),
        };
        let question = SystemQuestion::Progress(property);
        let name = format!("progress {}", property.name);
        answers.push(judge(lts, name, question, evidence, budget));
        progress.push((property.name.clone(), violation));
    }
    let mut assertions = Vec::new();
    for assertion in &task.assertions {
        let evidence = decide(lts, assertion, budget)?;
        let run = match &evidence {
            SystemEvidence::Run { path, cycle } => Some(AssertionRun {
                steps: path.iter().map(|edge| edge.action).collect(),
                settled: settled(lts, assertion, path, budget)?,
                cycle: cycle.iter().map(|edge| edge.action).collect(),
            }),
            _ => None,
        };
        let question = SystemQuestion::Assertion(assertion);
        let name = format!("assert {}", assertion.name);
        answers.push(judge(lts, name, question, evidence, budget));
        assertions.push((assertion.name.clone(), run));
    }
    let mut compared = None;
    if let Some((spec, notion)) = against {
        budget.notice(Event::Phase("compare"));
        let (name, evidence, comparison) = match notion {
            Notion::Simulation => {
                let found = compare(lts, &spec, budget)?;
                let evidence = match &found {
                    Simulation::Pairs(found) => match &found.conformance {
                        Conformance::Conforms(pairs) => SystemEvidence::Relation(pairs.clone()),
                        Conformance::Differs(dag) => SystemEvidence::Differs(dag.clone()),
                    },
                    Simulation::Related(relation) => SystemEvidence::Blocks(relation.clone()),
                    Simulation::Distinguished(formula) => {
                        SystemEvidence::Distinguished(formula.clone())
                    }
                };
                ("simulated-by", evidence, Comparison::Simulation(found))
            }
            Notion::Traces => {
                let found = trace_contained(lts, &spec, budget)?;
                let evidence = match &found.counterexample {
                    None => SystemEvidence::Sets {
                        pairs: found.pairs.clone(),
                        sets: found.sets.clone(),
                    },
                    Some(steps) => {
                        let edge = |&(action, target)| Edge { action, target };
                        SystemEvidence::Trace(steps.iter().map(edge).collect())
                    }
                };
                ("traces-of", evidence, Comparison::Traces(found))
            }
        };
        let name = format!("{name} {}", spec.name());
        answers.push(judge(lts, name, question_against(&spec, notion), evidence, budget));
        compared = Some((spec, comparison));
    }
    Ok(LtsChecked { safety, progress, assertions, compared, answers })
}

/// After how many steps of a path every way to go on breaks a formula.
fn settled(
    lts: &Lts,
    assertion: &Assertion,
    path: &[Edge],
    budget: &Budget,
) -> Result<Option<usize>, Stop> {
    let mut progression = Progression::new(&assertion.formula, true);
    let mut open = vec![progression.initial()];
    let mut letter = assertion.initially();
    for (number, edge) in path.iter().enumerate() {
        letter = assertion.after(letter, (edge.action != TAU).then(|| lts.label(edge.action)));
        let mut next = Vec::new();
        for obligations in open {
            for way in progression.successors(&obligations, letter, budget)? {
                next.push(way.obligations);
            }
        }
        if next.iter().any(Vec::is_empty) {
            return Ok(Some(number + 1));
        }
        next.sort();
        next.dedup();
        open = next;
    }
    Ok(None)
}

fn question_against(spec: &Lts, notion: Notion) -> SystemQuestion<'_> {
    match notion {
        Notion::Simulation => SystemQuestion::SimulatedBy(spec),
        Notion::Traces => SystemQuestion::TracesOf(spec),
    }
}

fn judge(
    lts: &Lts,
    property: String,
    question: SystemQuestion<'_>,
    evidence: SystemEvidence,
    budget: &Budget,
) -> LtsAnswer {
    // No solver is asked about a system.
    let claim = Claim::System { lts, question, evidence: &evidence };
    let checked = Checkers::default().accept(&claim, budget);
    let checked = checked.map(|v| v.accepted).map_err(|(rejected, _)| rejected);
    LtsAnswer { property, evidence, checked }
}

/// The file and the process that a specification names: a process of `file`,
/// another file, or `FILE:PROCESS`.
fn specification(file: &Path, against: &str) -> (PathBuf, Option<String>) {
    let is_file = |name: &str| Language::of(name.as_ref()).is_some_and(Language::is_lts);
    if is_file(against) {
        return (against.into(), None);
    }
    match against.rsplit_once(':') {
        Some((file, process)) if is_file(file) => (file.into(), Some(process.to_owned())),
        _ => (file.to_owned(), Some(against.to_owned())),
    }
}

/// Loads the specification that a system is compared with.
///
/// # Errors
/// When it cannot be read, is wrong, or is too large for the budget.
pub fn load_specification(
    file: &Path,
    against: &str,
    minimize_parts: bool,
    budget: &Budget,
) -> Result<Lts, LtsError> {
    let (file, process) = specification(file, against);
    let options = LtsOptions { process, minimize_parts, ..LtsOptions::default() };
    Ok(load_lts(&file, &options, budget)?.lts)
}

/// What the evidence of a file says about a property.
#[derive(Clone, Debug)]
pub struct LtsCertified {
    /// The property.
    pub property: String,
    /// What was accepted, or why nothing was.
    pub answer: Result<LtsAnswer, String>,
}

/// Checks the evidence of a file about a system, from scratch. The system is
/// made as the settings of the file say, which are handed out to be shown.
///
/// # Errors
/// When a file cannot be read or is wrong, or the budget ends; `Ok(Err(_))` says
/// what is wrong with the evidence file.
pub fn certify_lts(
    file: &Path,
    evidence: &str,
    budget: &Budget,
) -> Result<Result<(SystemsSettings, Vec<LtsCertified>), String>, LtsError> {
    let parsed = match SystemsFile::parse(evidence) {
        Ok(parsed) => parsed,
        Err(why) => return Ok(Err(why)),
    };
    let settings = parsed.settings.clone();
    let minimize = match settings.minimize.as_deref() {
        None => Minimize::No,
        Some("strong") => Minimize::Strong,
        Some("weak") => Minimize::Weak,
        Some(other) => return Ok(Err(format!("`{other}` is no way to minimize"))),
    };
    let minimize_parts = settings.minimize_parts;
    let options = LtsOptions {
        process: settings.process.clone(),
        minimize,
        minimize_parts,
        ..LtsOptions::default()
    };
    let task = load_lts(file, &options, budget)?;
    let spec = match &settings.against {
        Some(against) => Some(load_specification(file, against, minimize_parts, budget)?),
        None => None,
    };
    let notion = if settings.traces { Notion::Traces } else { Notion::Simulation };
    let mut questions = vec![
        ("no-error".to_owned(), SystemQuestion::NoError),
        ("no-deadlock".to_owned(), SystemQuestion::NoDeadlock),
    ];
    for property in &task.progress {
        questions.push((format!("progress {}", property.name), SystemQuestion::Progress(property)));
    }
    for assertion in &task.assertions {
        let name = format!("assert {}", assertion.name);
        questions.push((name, SystemQuestion::Assertion(assertion)));
    }
    if let Some(spec) = &spec {
        let word = if settings.traces { "traces-of" } else { "simulated-by" };
        questions.push((format!("{word} {}", spec.name()), question_against(spec, notion)));
    }
    let mut certified = Vec::new();
    for (property, question) in questions {
        let answer = match parsed.evidence(&task.lts, &property) {
            Ok(Some(evidence)) => {
                Ok(judge(&task.lts, property.clone(), question, evidence, budget))
            }
            Ok(None) => Err("the file is silent on it".to_owned()),
            Err(why) => Err(why),
        };
        certified.push(LtsCertified { property, answer });
    }
    Ok(Ok((settings, certified)))
}
