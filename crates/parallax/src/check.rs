//! Checking the properties of a task.

use crate::{Checkers, EngineConfig, Task, engines};
use parallax_base::{Budget, Id, peak_memory_bytes};
use parallax_engine::{Engine, Event, Observer, Question, Resources, Silent};
use parallax_evidence::{Finding, Outcome, Statistics, Verdict, Why};
use parallax_ir::Property;
use parallax_report as report;
use parallax_solver::{SolverConfig, SolverError};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Which engines are asked.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum EngineChoice {
    /// The engines in turn, until one answers. One that runs out of time is
    /// not followed by another.
    #[default]
    Auto,
    /// Every engine; they must not contradict each other.
    All,
    /// The engine with this name.
    Only(String),
}

/// Why no check took place, or why its result is worthless.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CheckError {
    /// The task has no property with this name.
    #[error("there is no property `{name}`; the model has {}", list(known))]
    NoSuchProperty {
        /// The name asked for.
        name: String,
        /// The properties there are.
        known: Vec<String>,
    },
    /// The task asks nothing.
    #[error("the model states no property, so there is nothing to check")]
    NoProperty,
    /// No engine has this name.
    #[error("there is no engine `{name}`; the engines are {}", list(known))]
    NoSuchEngine {
        /// The name asked for.
        name: String,
        /// The engines there are.
        known: Vec<String>,
    },
    /// A second solver is wanted and none was found.
    #[error("no second solver was found to cross-check with")]
    NoSecondSolver,
    /// A solver could not be started.
    #[error(transparent)]
    Solver(#[from] SolverError),
    /// Two engines contradict each other, and the checker accepted both: a
    /// bug in what must be trusted.
    #[error("engines contradict each other on `{property}`: {first} and {second}")]
    Disagreement {
        /// The property.
        property: String,
        /// What the one says.
        first: String,
        /// What the other says.
        second: String,
    },
}

fn list(names: &[String]) -> String {
    match names.len() {
        0 => String::from("none"),
        _ => names.iter().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", "),
    }
}

/// Somebody who watches a check.
pub trait Watch: Observer {
    /// An engine starts to work on a property.
    fn begin(&self, property: Id<Property>, engine: &'static str) {
        let _ = (property, engine);
    }

    /// A property has its answer; an open one may be answered again.
    fn answered(&self, answer: &Arc<Answer>) {
        let _ = answer;
    }
}

impl Watch for Silent {}

/// The answer to one property, after the checker has seen the evidence.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The property.
    pub property: Id<Property>,
    /// What was found; evidence that was rejected is already `Unknown`.
    pub outcome: Outcome,
    /// Who accepted the evidence.
    pub checked_by: Vec<String>,
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
        };
        Answer { property, outcome, checked_by: Vec::new() }
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

    /// `violated` if a property is, else `unknown` if one is, else `holds`.
    pub fn verdict(&self, task: &Task) -> Verdict {
        self.report(task).verdict()
    }

    /// The result as the renderers of [`parallax_report`] take it.
    pub fn report<'a>(&'a self, task: &'a Task) -> report::Run<'a> {
        let answer = |a: &'a Arc<Answer>| report::Answer {
            property: a.property,
            outcome: &a.outcome,
            checked_by: &a.checked_by,
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

/// What the front end left to an implicit property that does not hold for sure.
fn assumptions(task: &Task, answers: &[Arc<Answer>]) -> Vec<String> {
    let mut found = Vec::new();
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

/// A check to be made: what is asked, of whom, within which limits.
#[must_use]
pub struct Check<'a> {
    task: &'a Task,
    properties: Vec<String>,
    engine: EngineChoice,
    config: EngineConfig,
    budget: Budget,
    solver: SolverConfig,
    cross_check: bool,
    watch: &'a dyn Watch,
}

impl<'a> Check<'a> {
    /// All properties, engines chosen by Parallax, no limits.
    pub fn new(task: &'a Task) -> Check<'a> {
        Check {
            task,
            properties: Vec::new(),
            engine: EngineChoice::default(),
            config: EngineConfig::default(),
            budget: Budget::unlimited(),
            solver: SolverConfig::default(),
            cross_check: false,
            watch: &Silent,
        }
    }

    /// Asks for these properties only; all of them if the list is empty.
    pub fn properties(self, names: impl IntoIterator<Item = String>) -> Check<'a> {
        Check { properties: names.into_iter().collect(), ..self }
    }

    /// Which engines are asked, and how they are set.
    pub fn engine(self, engine: EngineChoice, config: EngineConfig) -> Check<'a> {
        Check { engine, config, ..self }
    }

    /// Limits of the whole check.
    pub fn budget(self, budget: Budget) -> Check<'a> {
        Check { budget, ..self }
    }

    /// The solver that engines and checker use.
    pub fn solver(self, solver: SolverConfig) -> Check<'a> {
        Check { solver, ..self }
    }

    /// Whether a second solver has to accept every certificate.
    pub fn cross_check(self, cross_check: bool) -> Check<'a> {
        Check { cross_check, ..self }
    }

    /// Who is told about progress.
    pub fn watch(self, watch: &'a dyn Watch) -> Check<'a> {
        Check { watch, ..self }
    }

    /// The properties that will be asked, in the order of the program.
    pub fn selected(&self) -> Result<Vec<Id<Property>>, CheckError> {
        let properties = &self.task.program.properties;
        if properties.is_empty() {
            return Err(CheckError::NoProperty);
        }
        for name in &self.properties {
            if self.task.program.property(name).is_none() {
                let known = properties.iter().map(|p| p.name.to_string()).collect();
                return Err(CheckError::NoSuchProperty { name: name.clone(), known });
            }
        }
        let wanted = |p: &Property| {
            self.properties.is_empty() || self.properties.iter().any(|n| **n == *p.name)
        };
        Ok(properties.iter_enumerated().filter(|(_, p)| wanted(p)).map(|(id, _)| id).collect())
    }

    /// Runs the engines, has every piece of evidence checked, and sums up.
    ///
    /// The time is shared fairly: each property gets an equal part of what is
    /// left. Those that ran out of their part are asked again when others
    /// needed less than theirs.
    pub fn run(&self) -> Result<Checked, CheckError> {
        let start = Instant::now();
        let engines = self.engines()?;
        let mut checkers = Checkers::new(self.solver.clone());
        if self.cross_check {
            checkers = checkers.and_second()?;
        }
        let mut answers: BTreeMap<Id<Property>, Arc<Answer>> = BTreeMap::new();
        let mut waiting: Vec<(Id<Property>, Duration)> =
            self.selected()?.into_iter().map(|p| (p, Duration::ZERO)).collect();
        while !waiting.is_empty() {
            let mut again = Vec::new();
            for (i, &(property, had)) in waiting.iter().enumerate() {
                let part = self.budget.remaining().map(|left| left / (waiting.len() - i) as u32);
                if answers.contains_key(&property) && part.is_none_or(|part| part <= had) {
                    continue;
                }
                let budget = match part {
                    Some(part) => self.budget.within(part),
                    None => self.budget.clone(),
                };
                let answer = Arc::new(self.answer(property, &engines, &checkers, &budget)?);
                self.watch.answered(&answer);
                let stopped = matches!(&answer.outcome.finding, Finding::Unknown(Why::Stopped(_)));
                if stopped && self.budget.check().is_ok() {
                    again.push((property, part.unwrap_or_default()));
                }
                answers.insert(property, answer);
            }
            waiting = again;
        }
        Ok(Checked::new(self.task, answers.into_values().collect(), start.elapsed()))
    }

    fn engines(&self) -> Result<Vec<Box<dyn Engine>>, CheckError> {
        let mut all = engines(&self.config);
        if let EngineChoice::Only(name) = &self.engine {
            let known = all.iter().map(|e| e.name().to_owned()).collect();
            all.retain(|e| e.name() == name);
            if all.is_empty() {
                return Err(CheckError::NoSuchEngine { name: name.clone(), known });
            }
        }
        Ok(all)
    }

    /// Asks engines about one property.
    fn answer(
        &self,
        property: Id<Property>,
        engines: &[Box<dyn Engine>],
        checkers: &Checkers,
        budget: &Budget,
    ) -> Result<Answer, CheckError> {
        let all = self.engine == EngineChoice::All;
        let mut best: Option<Answer> = None;
        for (i, engine) in engines.iter().enumerate() {
            let part = budget.remaining().map(|left| left / (engines.len() - i) as u32);
            let budget = match part {
                Some(part) if all => budget.within(part),
                _ => budget.clone(),
            };
            let answer = self.ask(property, &**engine, checkers, &budget)?;
            let stopped = matches!(&answer.outcome.finding, Finding::Unknown(Why::Stopped(_)));
            let (word, decided) = said(&answer.outcome);
            match &best {
                Some(earlier) if said(&earlier.outcome).1 => {
                    let (first, _) = said(&earlier.outcome);
                    if decided && first != word {
                        let name = self.task.program.properties[property].name.to_string();
                        let by =
                            |outcome: &Outcome, word| format!("{} says {word}", outcome.engine);
                        return Err(CheckError::Disagreement {
                            property: name,
                            first: by(&earlier.outcome, first),
                            second: by(&answer.outcome, word),
                        });
                    }
                }
                Some(_) if !decided => {}
                _ => best = Some(answer),
            }
            if !all && (decided || stopped) {
                break;
            }
        }
        // The registry is never empty, so somebody was asked.
        let nobody = || Why::NoProgress("no engine was asked".into());
        Ok(best.unwrap_or_else(|| Answer::open(property, "none", nobody())))
    }

    /// Asks one engine and has its evidence checked.
    fn ask(
        &self,
        property: Id<Property>,
        engine: &dyn Engine,
        checkers: &Checkers,
        budget: &Budget,
    ) -> Result<Answer, CheckError> {
        let start = Instant::now();
        self.watch.begin(property, engine.name());
        let program = &self.task.program;
        let resources = Resources { budget, solver: &self.solver, observer: self.watch };
        let mut outcome = engine.run(Question { program, property }, resources);
        self.watch.notice(Event::Phase("certify"));
        let judged = checkers.judge(program, property, outcome.finding, budget)?;
        outcome.finding = judged.finding;
        outcome.statistics.solver_queries += judged.queries;
        outcome.statistics.time = start.elapsed();
        outcome.statistics.peak_memory_bytes = peak_memory_bytes();
        Ok(Answer { property, outcome, checked_by: judged.by })
    }
}

/// What an outcome says about the target, and whether it says anything.
fn said(outcome: &Outcome) -> (&'static str, bool) {
    match outcome.finding {
        Finding::Proved(_) => ("unreachable", true),
        Finding::Reached(_) => ("reachable", true),
        Finding::Unknown(_) => ("unknown", false),
    }
}
