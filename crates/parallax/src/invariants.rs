//! Inductive invariants of loops, found, accepted by the checker, and said in
//! the language of the program.
//!
//! ```
//! use parallax::invariants::{InvariantOptions, find_invariants};
//! use parallax::{Budget, Verdict, load_text};
//!
//! let text = "var x: int = 0; var y: int = 0;
//!             process P { up: when x < 10 do x := x + 1, y := y + 2; }";
//! let task = load_text("count.plx", text, &[])?;
//! let found = find_invariants(task, &InvariantOptions::default(), &Budget::unlimited())?;
//! assert_eq!(found.checked.verdict(&found.task), Verdict::Holds);
//! assert!(found.loops[0].facts.contains(&"y <= 20".to_owned()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod loops;

pub use loops::{Loop, Precision};
pub use parallax_invariant::{Analysis, Family};
pub use parallax_task::INVARIANTS;

use crate::isolate::isolated;
use crate::{Answer, CheckError, Checked, Checkers, Task};
use parallax_base::{Budget, Event, Stop};
use parallax_encode::GapPlace;
use parallax_evidence::{Finding, Outcome, Statistics, Why};
use parallax_invariant as engine;
use parallax_optimize::Abstract;
use parallax_solver::{Halt, SolverConfig};
use parallax_task::{Head, not_modelled, template};
use parallax_term::Term;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Instant;

/// The engine that finds them.
const NAME: &str = "symba";

/// What is looked for.
#[derive(Clone, Debug, Default)]
pub struct InvariantOptions {
    /// How bounds are carried along steps.
    pub analysis: Analysis,
    /// Which templates are bounded.
    pub family: Family,
    /// Templates besides, such as `x + 2*y - z`.
    pub templates: Vec<String>,
    /// The solver.
    pub solver: SolverConfig,
    /// Whether a second solver has to accept as well.
    pub cross_check: bool,
}

/// What was found.
#[derive(Clone, Debug)]
pub struct Found {
    /// The task, with the invariants as a property.
    pub task: Task,
    /// The answer to that property.
    pub checked: Checked,
    /// The loops, in the order of the text.
    pub loops: Vec<Loop>,
    /// Whether templates of the family were left out somewhere.
    pub is_cut: bool,
}

/// Why there are no invariants.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InvariantError {
    /// A template makes no sense.
    #[error("template `{text}`: {message}")]
    Template {
        /// The template.
        text: String,
        /// What is wrong with it.
        message: String,
    },
    /// The program cannot be analyzed.
    #[error("{0}")]
    NotAnalyzed(String),
    /// A limit was reached before anything was known.
    #[error("{0} reached before the invariants were found")]
    Stopped(Stop),
    /// The checker could not be asked.
    #[error(transparent)]
    Check(#[from] CheckError),
}

impl From<Halt> for InvariantError {
    fn from(halt: Halt) -> InvariantError {
        match halt {
            Halt::Stop(stop) => InvariantError::Stopped(stop),
            Halt::GaveUp(why) => InvariantError::NotAnalyzed(why),
        }
    }
}

/// The terms that templates stand for. In C that is one at each loop.
fn templates(
    task: &mut Task,
    texts: &[String],
    heads: Option<&[Head]>,
) -> Result<Vec<Term>, InvariantError> {
    let model = template::of_model(&task.program);
    let all = heads.unwrap_or_default().iter();
    let at_heads: Vec<_> = all.map(|head| |name: &str| head.words.symbol(name)).collect();
    let scopes: Vec<template::Scope<'_>> = match heads {
        Some(_) => at_heads.iter().map(|scope| scope as _).collect(),
        None => vec![&model],
    };
    let mut found = BTreeSet::new();
    for text in texts {
        let terms = template::read_one(&mut task.program.store, text, &scopes);
        let wrong = |message| InvariantError::Template { text: text.clone(), message };
        found.extend(terms.map_err(wrong)?);
    }
    task.program.store.freeze();
    Ok(found.into_iter().collect())
}

/// Looks for invariants at the heads of all loops.
///
/// # Soundness
/// What is handed out was accepted by the checker, or the answer in `checked`
/// is `unknown` and says why. For C this includes that nothing is reached that
/// is not modelled.
pub fn find_invariants(
    mut task: Task,
    options: &InvariantOptions,
    budget: &Budget,
) -> Result<Found, InvariantError> {
    let start = Instant::now();
    if let Some((_, why)) = task.refused.first() {
        return Err(InvariantError::NotAnalyzed(why.to_string()));
    }
    let heads = task.heads();
    let heads = heads.as_deref();
    let given = templates(&mut task, &options.templates, heads)?;
    let live = task.live();
    budget.notice(Event::Phase("bounds"));
    let (analysis, family) = (options.analysis, options.family);
    let wanted = engine::Options { analysis, family, given, live };
    // The checker needs time as well.
    let part =
        budget.remaining().map_or_else(|| budget.clone(), |left| budget.within(left / 4 * 3));
    let mut found =
        isolated(|| engine::invariants(&task.program, &wanted, &options.solver, &part))?;
    budget.notice(Event::Phase("loops"));
    let (loops, claims) =
        isolated(|| loops::loops(&task, heads, &mut found, &options.solver, budget))
            .map_err(CheckError::from)?;
    // Evidence lives in a store that has grown from that of the program.
    task.program.store = found.store;
    task.claim(claims).map_err(InvariantError::NotAnalyzed)?;
    found.store = task.program.store.clone();
    let certificate = found.certificate(&task.program);
    budget.notice(Event::Phase("certify"));
    let mut checkers = Checkers::new(options.solver.clone());
    if options.cross_check {
        checkers = checkers.and_second()?;
    }
    let mut statistics = Statistics { time: start.elapsed(), ..Statistics::default() };
    statistics.solver_queries = found.queries;
    statistics.predicates = found.at.iter().map(|i| i.templates.len() as u64).sum();
    statistics.abstract_states = found.at.len() as u64;
    let mut answers = Vec::new();
    if let Some(property) = task.program.property(INVARIANTS) {
        let finding = Finding::Proved(Box::new(certificate.clone()));
        let judged = checkers.judge(&task.program, property, finding, budget);
        statistics.solver_queries += judged.queries;
        let finding = match reached_gap(&task, &found) {
            Some(gap) if matches!(judged.finding, Finding::Unknown(_)) => Finding::Unknown(gap),
            _ => judged.finding,
        };
        let outcome = Outcome {
            engine: NAME,
            finding,
            statistics,
            history: Vec::new(),
            abstraction: None,
            graph: None,
        };
        answers.push(Arc::new(Answer {
            property,
            outcome,
            checked_by: judged.by,
            task: None,
            run: None,
            plain: None,
        }));
    }
    let checked = Checked::new(&task, answers, start.elapsed());
    Ok(Found { task, checked, loops, is_cut: found.is_cut })
}

/// What a C program may do, as far as the invariants tell, that is not modelled.
fn reached_gap(task: &Task, found: &engine::Invariants) -> Option<Why> {
    let is_reached = |gap: &&GapPlace| {
        let here = |at: &&engine::Invariant| *at.place == [gap.location.index() as i64];
        found.at.iter().find(here).is_some_and(|at| at.value != Abstract::Bottom)
    };
    Some(not_modelled(task.gaps().iter().find(is_reached)?))
}
