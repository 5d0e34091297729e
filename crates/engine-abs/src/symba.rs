//! The engine `symba`: assertions from invariants alone.
//!
//! Inductive invariants are looked for: bounds of variables first, then
//! equations and congruences (at first those that are known without a solver),
//! then bounds of sums. If they exclude the target they are the proof; if not,
//! nothing is known (Li, MSc thesis, Toronto 2013, Section 6.2.2).

use parallax_base::{Event, Stop};
use parallax_engine::{Engine, Question, Resources};
use parallax_evidence::{Finding, Outcome, Statistics, Why};
use parallax_invariant::{Analysis, Family, Invariants, Options, invariants, refine, with_sums};
use parallax_solver::Answer;
use parallax_solver::Halt;
use parallax_term::{Substitution, Term};
use std::time::Duration;

/// Options of the engine.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SymbaConfig {
    /// Which templates are bounded. With the default, intervals are tried
    /// first.
    pub family: Family,
    /// How bounds are carried along steps.
    pub analysis: Analysis,
    /// Templates besides, as terms of the program's store.
    pub given: Vec<Term>,
}

/// The engine `symba`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Symba {
    /// Its options.
    pub config: SymbaConfig,
}

const NAME: &str = "symba";

/// How long a proof by sums may take: this part of the time, and no longer than
/// that.
const PART: u32 = 4;
const SOON: Duration = Duration::from_secs(5);

impl Engine for Symba {
    fn name(&self) -> &'static str {
        NAME
    }

    fn summary(&self) -> &'static str {
        "inductive invariants in template domains by symbolic abstraction"
    }

    /// It ends, but it may take long on large programs.
    fn is_endless(&self) -> bool {
        true
    }

    fn run(&self, question: Question<'_>, resources: Resources<'_>) -> Outcome {
        let mut statistics = Statistics::default();
        let finding = self.look(question, resources, &mut statistics);
        let finding = finding.unwrap_or_else(|halt| {
            Finding::Unknown(match halt {
                Halt::Stop(stop) => stop.into(),
                other => Why::NoProgress(other.to_string()),
            })
        });
        Outcome {
            engine: NAME,
            finding,
            statistics,
            history: Vec::new(),
            abstraction: None,
            graph: None,
        }
    }
}

impl Symba {
    fn look(
        &self,
        question: Question<'_>,
        resources: Resources<'_>,
        statistics: &mut Statistics,
    ) -> Result<Finding, Halt> {
        let families = match self.config.family {
            Family::Auto => vec![Family::Intervals, Family::Affine, Family::Auto],
            Family::Affine => vec![Family::Intervals, Family::Affine],
            one => vec![one],
        };
        let (mut left, mut base) = (Vec::new(), None);
        for (number, family) in families.into_iter().enumerate() {
            let number = number as u64 + 1;
            resources.budget.notice(Event::Iteration { number, predicates: 0 });
            let (analysis, given) = (self.config.analysis, self.config.given.clone());
            let options = Options { analysis, family, given, live: None };
            let (program, solver) = (question.program, resources.solver);
            let mut found = match base.take() {
                None => invariants(program, &options, solver, resources.budget)?,
                Some(base) => refine(program, base, &options, solver, resources.budget)?,
            };
            statistics.iterations += 1;
            statistics.solver_queries = found.queries;
            statistics.predicates = found.at.iter().map(|i| i.templates.len() as u64).sum();
            statistics.abstract_states = found.at.len() as u64;
            left = allowed(question, resources, &mut found)?;
            if left.is_empty() {
                return Ok(Finding::Proved(Box::new(found.certificate(question.program))));
            }
            if family == Family::Intervals
                && self.config.family != Family::Intervals
                && self.config.analysis == Analysis::Symbolic
                && let Some(proved) = by_sums(question, resources, &found, &options)?
            {
                return Ok(proved);
            }
            base = Some(found);
        }
        Ok(Finding::Unknown(Why::NoProgress(format!(
            "the invariants allow the target at {}",
            places(question, &left)
        ))))
    }
}

/// A proof by what steps do as sums, if the solver sees it soon.
fn by_sums(
    question: Question<'_>,
    resources: Resources<'_>,
    base: &Invariants,
    options: &Options,
) -> Result<Option<Finding>, Halt> {
    let time = resources.budget.remaining().map_or(SOON, |left| (left / PART).min(SOON));
    let budget = resources.budget.within(time);
    let soon = Resources { budget: &budget, ..resources };
    let (program, solver) = (question.program, resources.solver);
    let mut found = match with_sums(program, base, options, solver, &budget) {
        Err(Halt::Stop(_)) => {
            resources.budget.check()?;
            return Ok(None);
        }
        found => found?,
    };
    match allowed(question, soon, &mut found) {
        Ok(left) if left.is_empty() => {
            Ok(Some(Finding::Proved(Box::new(found.certificate(program)))))
        }
        Ok(_) => Ok(None),
        Err(Halt::Stop(_)) => resources.budget.check().map(|()| None).map_err(Halt::Stop),
        Err(halt) => Err(halt),
    }
}

/// Places where the invariants do not exclude the target.
fn allowed(
    question: Question<'_>,
    resources: Resources<'_>,
    found: &mut Invariants,
) -> Result<Vec<Box<[i64]>>, Halt> {
    let program = question.program;
    let target = question.property().target;
    let mut solver = resources.solver.open()?;
    let mut left = Vec::new();
    for invariant in &found.at {
        let store = &mut found.store;
        let mut known = Vec::new();
        for (process, &at) in program.processes.iter().zip(&invariant.place) {
            let at = store.int(at);
            known.push((program.variables[process.control].term, at));
        }
        let target = Substitution::new(known).apply(store, target);
        let both = store.and([invariant.formula, found.domains, target]);
        if store.is_false(both) {
            continue;
        }
        solver.push();
        solver.assert(store, both);
        let answer = solver.check(store, &[], resources.budget);
        solver.pop();
        match answer.map_err(|stop: Stop| Halt::Stop(stop))? {
            Answer::Unsat => {}
            _ => left.push(invariant.place.clone()),
        }
    }
    Ok(left)
}

/// A few places by name.
fn places(question: Question<'_>, left: &[Box<[i64]>]) -> String {
    let name = |place: &[i64]| {
        let parts = question.program.processes.iter().zip(place).map(|(process, &at)| {
            let location = process.locations.as_slice().get(at as usize);
            format!("{}.{}", process.name, location.map_or("?", |l| &l.name))
        });
        parts.collect::<Vec<_>>().join(", ")
    };
    match left {
        [] => String::from("no place"),
        [one] => name(one),
        [first, rest @ ..] => format!("{} and {} more", name(first), rest.len()),
    }
}
