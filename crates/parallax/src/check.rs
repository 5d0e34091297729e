//! Checking the properties of a task: engines search, the checker accepts.

mod parts;
mod plain;
mod recursion;
mod runs;
#[cfg(test)]
mod tests;
mod turns;

use self::parts::Parts;
use self::recursion::{Tried, or_stopped};
use self::turns::Turns;
use crate::attack::{Hit, attack};
use crate::initial::has_no_run;
use crate::isolate::isolated;
use crate::registry::{is_only_named, ordered};
use crate::settle::settled;
use crate::{Answer, Checked, Checkers, EngineConfig, Task};
use parallax_base::{Budget, Event, Id, peak_memory_bytes};
use parallax_engine::{Engine, Question, Resources};
use parallax_evidence::{Finding, Outcome, Why};
use parallax_ir::Property;
use parallax_solver::{SolverConfig, SolverError};
use parallax_task::as_invariant;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The engine of an answer that no engine was asked for.
const NOBODY: &str = "none";

/// Which engines are asked.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum EngineChoice {
    /// The engines in turn, until one answers or the time is used up.
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
    /// A proof that was accepted excludes a run that the program has: a bug in
    /// what must be trusted.
    #[error("`{}` was said to hold, and does not: {}; to repeat it: {}", .0.property, .0.how, .0.again)]
    Refuted(Hit),
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

/// Somebody who wants to know answers as they come. How far engines are, the
/// observer of the budget hears.
pub trait Watch: Sync {
    /// An engine starts to work on a property.
    fn begin(&self, property: Id<Property>, engine: &'static str) {
        let _ = (property, engine);
    }

    /// A property has its answer; an open one may be answered again.
    fn answered(&self, answer: &Arc<Answer>) {
        let _ = answer;
    }
}

/// Nobody watches.
struct Nobody;

impl Watch for Nobody {}

/// Whether an engine could not even begin.
fn is_refused(answer: &Answer) -> bool {
    matches!(&answer.outcome.finding, Finding::Unknown(Why::Unsupported { .. }))
}

/// Work on a task that was made for a property of another one.
struct Within<'a> {
    property: Id<Property>,
    watch: &'a dyn Watch,
}

impl Watch for Within<'_> {
    fn begin(&self, _: Id<Property>, engine: &'static str) {
        self.watch.begin(self.property, engine);
    }
}

/// The property of a task that was made for one.
fn first() -> Id<Property> {
    Id::new(0)
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
    picture: bool,
    reduce: bool,
    doubt: bool,
    watch: &'a dyn Watch,
    /// The unit of the first turns.
    unit: Duration,
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
            picture: false,
            reduce: true,
            doubt: true,
            watch: &Nobody,
            unit: turns::FIRST,
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

    /// Whether the abstract transition systems will be looked at.
    pub fn picture(self, picture: bool) -> Check<'a> {
        Check { picture, ..self }
    }

    /// Whether engines may leave out steps that others stand for.
    pub fn reduce(self, reduce: bool) -> Check<'a> {
        Check { reduce, ..self }
    }

    /// Whether a proof is made once more on the program that no pass has made smaller;
    /// without, the answer names the passes that it trusts.
    pub fn doubt(self, doubt: bool) -> Check<'a> {
        Check { doubt, ..self }
    }

    /// Who is told about answers.
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
        let wanted = |p: &Property| match self.properties.is_empty() {
            true => self.task.is_shown(p),
            false => self.properties.iter().any(|n| **n == *p.name),
        };
        Ok(properties.iter_enumerated().filter(|(_, p)| wanted(p)).map(|(id, _)| id).collect())
    }

    /// Runs the engines, has every piece of evidence checked, and sums up.
    ///
    /// Several properties share the time: each is tried for a short while
    /// first, so that a hard one does not keep the others from being answered.
    /// Then those that are still open share what is left.
    pub fn run(&self) -> Result<Checked, CheckError> {
        let mut engines = self.engines(&[])?;
        let mut checkers = Checkers::new(self.solver.clone());
        if self.cross_check {
            checkers = checkers.and_second()?;
        }
        let mut answers: BTreeMap<Id<Property>, Arc<Answer>> = BTreeMap::new();
        let mut waiting: Vec<(Id<Property>, Duration)> =
            self.selected()?.into_iter().map(|p| (p, Duration::ZERO)).collect();
        let mut doubt = Duration::ZERO;
        while !waiting.is_empty() {
            let mut again = Vec::new();
            for (i, &(property, had)) in waiting.iter().enumerate() {
                // A single property gets all the time at once.
                let others = (waiting.len() - i) as u32;
                let is_first = had.is_zero() && waiting.len() > 1;
                let tries = if is_first { 4 * others } else { others };
                let part = self.budget.remaining().map(|left| left / tries);
                if answers.contains_key(&property) && part.is_none_or(|part| part <= had) {
                    continue;
                }
                let budget = match part {
                    Some(part) => self.budget.within(part),
                    None => self.budget.clone(),
                };
                let start = Instant::now();
                let answer = self.solve(property, &engines, &checkers, &budget)?;
                let took = start.elapsed();
                let answer = self.plainly(property, answer, &checkers, &self.budget, took)?;
                doubt += start.elapsed() - took;
                let answer = Arc::new(answer);
                self.watch.answered(&answer);
                let stopped = matches!(&answer.outcome.finding, Finding::Unknown(Why::Stopped(_)));
                if stopped && self.budget.check().is_ok() {
                    again.push((property, part.unwrap_or_default()));
                }
                let proved = claims_proof(&answer.outcome);
                answers.insert(property, answer);
                if proved && self.task.parts.is_empty() {
                    let known = answers.values().filter(|a| claims_proof(&a.outcome));
                    let known: Vec<_> = known.map(|answer| answer.property).collect();
                    engines = self.engines(&known)?;
                }
            }
            waiting = again;
        }
        let time = self.budget.elapsed();
        let mut checked = Checked::new(self.task, answers.into_values().collect(), time);
        if isolated(|| has_no_run(&self.task.program, &self.solver, &self.budget)) {
            checked.assumptions.push("nothing runs: the model has no initial state".into());
        }
        self.budget.notice(Event::Phase("attack"));
        let start = Instant::now();
        let survived = attack(self.task, &checked, time, &self.solver);
        let survived = survived.map_err(CheckError::Refuted)?;
        checked.statistics.attack_runs = survived.runs;
        checked.statistics.attack_states = survived.states;
        checked.statistics.doubt = doubt + start.elapsed();
        Ok(checked)
    }

    /// Answers one property, on the task that was made for it.
    fn solve(
        &self,
        property: Id<Property>,
        engines: &[Box<dyn Engine>],
        checkers: &Checkers,
        budget: &Budget,
    ) -> Result<Answer, CheckError> {
        if let Some(part) = self.task.parts.get(property.index()) {
            let watch = Within { property, watch: self.watch };
            let answer = self.on(part, &watch).solve(first(), engines, checkers, budget)?;
            let task = answer.task.clone().unwrap_or_else(|| Arc::clone(part));
            return Ok(Answer { property, task: Some(task), ..answer });
        }
        if self.task.program.properties[property].temporal.is_some() {
            let answer = self.temporal(property, engines, checkers, budget)?;
            return Ok(settled(self.task, property, answer, checkers, budget));
        }
        match self.recursive(property, engines, checkers, budget)? {
            Tried::Answered(answer) => Ok(*answer),
            Tried::InVain => {
                let answer = self.answer(property, engines, checkers, budget)?;
                Ok(settled(self.task, property, answer, checkers, budget))
            }
            Tried::TooLate(stop) => {
                let answer = self.answer(property, engines, checkers, budget)?;
                Ok(or_stopped(settled(self.task, property, answer, checkers, budget), stop))
            }
        }
    }

    /// Answers a formula of linear temporal logic. One that is an invariant is
    /// asked as such where there are too many states to look at.
    fn temporal(
        &self,
        property: Id<Property>,
        engines: &[Box<dyn Engine>],
        checkers: &Checkers,
        budget: &Budget,
    ) -> Result<Answer, CheckError> {
        let answer = self.search(property, engines, checkers, budget)?;
        let is_open = matches!(&answer.outcome.finding, Finding::Unknown(Why::Unsupported { .. }));
        let Some(task) = is_open.then(|| as_invariant(self.task, property)).flatten() else {
            return Ok(answer);
        };
        let watch = Within { property, watch: self.watch };
        let found = self.on(&task, &watch).search(first(), engines, checkers, budget)?;
        Ok(match found.outcome.finding {
            Finding::Unknown(Why::Unsupported { .. }) => answer,
            _ => Answer { property, task: Some(Arc::new(task)), ..found },
        })
    }

    /// Asks engines about one property. If a run gets to what the encoding of
    /// a C program does not cover, there may be violations elsewhere.
    fn answer(
        &self,
        property: Id<Property>,
        engines: &[Box<dyn Engine>],
        checkers: &Checkers,
        budget: &Budget,
    ) -> Result<Answer, CheckError> {
        let answer = self.search(property, engines, checkers, budget)?;
        let is_gap =
            matches!(&answer.outcome.finding, Finding::Reached(t) if self.task.gap_of(t).is_some());
        let aside = self.task.gaps_aside(property).filter(|_| is_gap);
        let Some(aside) = aside else { return Ok(answer) };
        let other = self.search(aside, engines, checkers, budget)?;
        Ok(match &other.outcome.finding {
            Finding::Reached(_) | Finding::Unknown(Why::Stopped(_)) => Answer { property, ..other },
            _ => answer,
        })
    }

    /// This check, of another task.
    fn on<'t>(&'t self, task: &'t Task, watch: &'t dyn Watch) -> Check<'t> {
        Check {
            task,
            properties: Vec::new(),
            engine: self.engine.clone(),
            config: self.config.clone(),
            budget: self.budget.clone(),
            solver: self.solver.clone(),
            cross_check: self.cross_check,
            picture: self.picture,
            reduce: self.reduce,
            doubt: self.doubt,
            watch,
            unit: self.unit,
        }
    }

    /// The engines. What a model was proved to keep to is worth tracking for
    /// the properties that are left.
    fn engines(&self, proved: &[Id<Property>]) -> Result<Vec<Box<dyn Engine>>, CheckError> {
        let mut config = self.config.clone();
        let given = &self.task.predicates;
        config.cegar.predicates.extend(given);
        config.ase.predicates.extend(given);
        config.ur.predicates.extend(given);
        config.symba.given.extend(&self.task.templates);
        let program = &self.task.program;
        for property in proved.iter().map(|&id| &program.properties[id]) {
            if property.temporal.is_none() {
                config.cegar.predicates.extend(program.store.atoms(property.target));
            }
        }
        let shape = self.task.origin.shape();
        let mut all = ordered(&config, shape);
        if let EngineChoice::Only(name) = &self.engine {
            let known = all.iter().map(|e| e.name().to_owned()).collect();
            all.retain(|e| e.name() == name);
            if all.is_empty() {
                return Err(CheckError::NoSuchEngine { name: name.clone(), known });
            }
        } else {
            all.retain(|e| !is_only_named(e.name(), shape));
        }
        Ok(all)
    }

    /// Asks engines about one property.
    fn search(
        &self,
        property: Id<Property>,
        engines: &[Box<dyn Engine>],
        checkers: &Checkers,
        budget: &Budget,
    ) -> Result<Answer, CheckError> {
        let all = self.engine == EngineChoice::All;
        let kind = self.task.program.properties[property].kind;
        let question = Question { program: &self.task.program, property };
        let is_asked = |engine: &&dyn Engine| match self.engine {
            EngineChoice::Only(_) => engine.answers(kind),
            _ => engine.suits(question),
        };
        let engines = engines.iter().map(|e| &**e).filter(is_asked);
        let mut turns = Turns::new(engines.collect(), self.task.origin.shape(), all, self.unit);
        let mut best: Option<Answer> = None;
        let mut parts = Parts::of(self, property);
        let mut round = None;
        loop {
            if round.replace(turns.round()) != Some(turns.round()) {
                if let Some(answer) = self.by_parts(&mut parts, property, checkers, budget)? {
                    return Ok(answer);
                }
                if let Some(answer) = self.by_runs(property, turns.round(), checkers, budget) {
                    return Ok(answer);
                }
            }
            let Some((engine, part)) = turns.next(budget) else { break };
            let answer = self.ask(property, engine, checkers, &part)?;
            let decided = claim(&answer.outcome).is_some();
            if matches!(&answer.outcome.finding, Finding::Unknown(Why::Stopped(_))) {
                turns.again(engine);
            }
            match &best {
                Some(earlier) if claim(&earlier.outcome).is_some() => {
                    let name = &self.task.program.properties[property].name;
                    compare(name, &earlier.outcome, &answer.outcome)?;
                }
                // An engine that began says more than one that could not.
                Some(earlier) if !decided && (!is_refused(earlier) || is_refused(&answer)) => {}
                _ => best = Some(answer),
            }
            if !all && (decided || budget.check().is_err()) {
                break;
            }
        }
        // Every kind has its engines, so an engine was chosen that is not among
        // them.
        let nobody = || Why::Unsupported {
            construct: format!(
                "the engine does not answer questions of the kind `{}`",
                kind.word()
            ),
            place: None,
            hint: "--engine auto".into(),
        };
        Ok(best.unwrap_or_else(|| Answer::open(property, NOBODY, nobody())))
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
        if let Some((_, why)) = self.task.refused.iter().find(|(id, _)| *id == property) {
            return Ok(Answer::open(property, NOBODY, why.clone()));
        }
        self.watch.begin(property, engine.name());
        let program = &self.task.program;
        let resources =
            Resources { budget, solver: &self.solver, picture: self.picture, reduce: self.reduce };
        let mut outcome = isolated(|| engine.run(Question { program, property }, resources));
        self.budget.notice(Event::Phase("certify"));
        let finding = outcome.finding;
        let judged = checkers.judge(program, property, finding, budget);
        outcome.finding = blame_limits(judged.finding, budget);
        outcome.statistics.solver_queries += judged.queries;
        outcome.statistics.time = start.elapsed();
        outcome.statistics.peak_memory_bytes = peak_memory_bytes();
        Ok(Answer { property, outcome, checked_by: judged.by, task: None, run: None, plain: None })
    }
}

/// A solver that gives up or an engine that gets stuck after the limits were
/// reached does so because of them.
fn blame_limits(finding: Finding, budget: &Budget) -> Finding {
    match (&finding, budget.check()) {
        (Finding::Unknown(Why::SolverGaveUp(_) | Why::NoProgress(_)), Err(stop)) => {
            Finding::Unknown(Why::Stopped(stop))
        }
        _ => finding,
    }
}

/// Whether an outcome proves something.
fn claims_proof(outcome: &Outcome) -> bool {
    matches!(outcome.finding, Finding::Proved(_))
}

/// What an outcome says about the target, if anything.
fn claim(outcome: &Outcome) -> Option<&'static str> {
    match outcome.finding {
        Finding::Proved(_) => Some("unreachable"),
        Finding::Reached(_) | Finding::Executed(_) => Some("reached"),
        Finding::Unknown(_) => None,
    }
}

/// Two engines that both have accepted evidence must say the same.
fn compare(property: &str, first: &Outcome, second: &Outcome) -> Result<(), CheckError> {
    match (claim(first), claim(second)) {
        (Some(a), Some(b)) if a != b => Err(CheckError::Disagreement {
            property: property.to_owned(),
            first: format!("{} says {a}", first.engine),
            second: format!("{} says {b}", second.engine),
        }),
        _ => Ok(()),
    }
}
