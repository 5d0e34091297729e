//! Bounds of linear templates over the models of a formula.
//!
//! ```
//! use parallax::optimize::{Optimize, load_problem_text};
//! use parallax::report::render_bounds;
//!
//! let problem = load_problem_text(
//!     "box.smt2",
//!     "(declare-const x Real) (declare-const y Real) (declare-const k Real)
//!      (assert (=> (and (<= 1.0 y) (<= y 3.0) (< x y)) (< (+ x y) k)))",
//! )?;
//! let optimized = Optimize::new(&problem).run()?;
//! let text = render_bounds(&optimized.report(&problem));
//! assert!(text.starts_with("((x:REAL)+(y:REAL)) : [-1/0,6)\n"), "{text}");
//! assert!(!optimized.checked_by.is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A search can be watched, limited and cancelled; what it knows is handed out
//! in any case:
//!
//! ```
//! use parallax::optimize::{Event, Observer, Optimize, load_problem_text};
//! use parallax::{Budget, Stop};
//! use std::sync::atomic::{AtomicU64, Ordering};
//!
//! #[derive(Default)]
//! struct Count(AtomicU64);
//! impl Observer for Count {
//!     fn notice(&self, event: &Event) {
//!         if matches!(event, Event::Closed { .. }) {
//!             self.0.fetch_add(1, Ordering::Relaxed);
//!         }
//!     }
//! }
//!
//! let text = "(declare-const i Int) (assert (<= 3 (* 2 i) 9)) (maximize i) (minimize i)";
//! let problem = load_problem_text("i.smt2", text)?;
//! let count = Count::default();
//! let optimized = Optimize::new(&problem).watch(&count).run()?;
//! assert!(optimized.bounds.is_final());
//! assert_eq!(count.0.load(Ordering::Relaxed), 2);
//!
//! let budget = Budget::unlimited();
//! budget.stop(Stop::Cancelled); // from another thread, say
//! let optimized = Optimize::new(&problem).budget(budget).run()?;
//! assert!(!optimized.bounds.is_final());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod certify;
mod limits;
mod script;
mod trace;

pub use certify::{CertifiedOptima, certify_optima};
pub use script::Replied;
pub use trace::rule_text;

use self::limits::{say_again, unproved};
use crate::Checkers;
use crate::accept::{Rejected, Vouched};
use crate::isolate::isolated;
use crate::{Invalid, LoadError, read_text};
use parallax_base::{Budget, Diagnostics, SourceFile, SourceMap};
use parallax_certify::Claim;
use parallax_evidence::{Bounds, Extent};
use parallax_front_smt::{Loaded, Query};
use parallax_ir::TemplateProblem;
use parallax_optimize::{Failed, Found, Open, Silent};
use parallax_report::{BoundsCounts, BoundsReport};
use parallax_solver::{SolverConfig, SolverError};
use parallax_term::Sort;
use std::path::Path;
use std::time::{Duration, Instant};

pub use parallax_optimize::{
    Abstract, Applied, Config as OptimizeConfig, Engine as OptimizeEngine, Event, Limit, Observer,
    Statistics as OptimizeStatistics, alpha,
};

/// How long a check may take after the search was stopped.
const LAST: Duration = Duration::from_millis(350);
/// The part of the time that is kept for the check where a solver is needed
/// for it, and at most how much.
const KEPT: u32 = 5;
const MOST_KEPT: Duration = Duration::from_secs(20);
/// The same where our own search proves what it says: what is left open then
/// still needs limits, and a solver to confirm them.
const KEPT_OPEN: u32 = 10;
const MOST_KEPT_OPEN: Duration = Duration::from_secs(5);
/// At least so much is kept, but no more than a quarter.
const LEAST_KEPT: Duration = Duration::from_secs(2);

/// A template problem and the text it comes from.
#[derive(Clone, Debug)]
pub struct ProblemTask {
    /// The problem.
    pub problem: TemplateProblem,
    /// The queries of a script for optimizing solvers; none if there is only
    /// the problem.
    pub queries: Vec<Query>,
    /// The file its spans point into.
    pub sources: SourceMap,
    /// What the front end has to say; no errors.
    pub warnings: Diagnostics,
    /// The time it took to read it.
    pub read: Duration,
}

/// Loads a problem from a file of SMT-LIB text.
pub fn load_problem(path: &Path) -> Result<ProblemTask, LoadError> {
    let started = Instant::now();
    let text = read_text(path)?;
    let task = load_problem_text(&path.to_string_lossy(), &text)?;
    Ok(ProblemTask { read: started.elapsed(), ..task })
}

/// Loads a problem from memory; `name` is what messages call it.
pub fn load_problem_text(name: &str, text: &str) -> Result<ProblemTask, LoadError> {
    let started = Instant::now();
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new(name, text));
    match parallax_front_smt::load(&sources, file) {
        Ok(Loaded { problem, queries, warnings }) => {
            Ok(ProblemTask { problem, queries, sources, warnings, read: started.elapsed() })
        }
        Err(diagnostics) => Err(LoadError::Invalid(Box::new(Invalid { sources, diagnostics }))),
    }
}

/// Why there are no bounds.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OptimizeError {
    /// A solver could not be started.
    #[error(transparent)]
    Solver(#[from] SolverError),
    /// A second solver is wanted and none was found.
    #[error("no second solver was found to cross-check with")]
    NoSecondSolver,
    /// The checker did not accept the bounds: a bug of the engine.
    #[error("the bounds of `{engine}` were not accepted: {why}")]
    Rejected {
        /// The engine.
        engine: &'static str,
        /// What the checker says.
        why: String,
    },
}

/// Bounds that the checker accepted.
#[derive(Clone, Debug)]
pub struct Optimized {
    /// The bounds.
    pub bounds: Bounds,
    /// Who accepted them.
    pub checked_by: Vec<String>,
    /// Who searched.
    pub engine: &'static str,
    /// Why some are open, if some are.
    pub why_open: Option<String>,
    /// Counts of search and check.
    pub counts: BoundsCounts,
    /// Time of the search and of the check.
    pub times: [Duration; 2],
}

impl Optimized {
    /// For renderers.
    pub fn report<'a>(&'a self, task: &'a ProblemTask) -> BoundsReport<'a> {
        let [search, check] = self.times;
        BoundsReport {
            problem: &task.problem,
            bounds: &self.bounds,
            engine: self.engine,
            checked_by: &self.checked_by,
            why_open: self.why_open.clone(),
            counts: self.counts,
            times: [task.read, search, check],
        }
    }
}

/// A search to be made: for what, by whom, within which limits.
#[must_use]
pub struct Optimize<'a> {
    task: &'a ProblemTask,
    config: OptimizeConfig,
    budget: Budget,
    solver: SolverConfig,
    cross_check: bool,
    watch: &'a dyn Observer,
}

impl<'a> Optimize<'a> {
    /// The default engine on one core, no limits.
    pub fn new(task: &'a ProblemTask) -> Optimize<'a> {
        Optimize {
            task,
            config: OptimizeConfig::default(),
            budget: Budget::unlimited(),
            solver: SolverConfig::default(),
            cross_check: false,
            watch: &Silent,
        }
    }

    /// Who searches.
    pub fn engine(mut self, engine: OptimizeEngine) -> Optimize<'a> {
        self.config.engine = engine;
        self
    }

    /// How many threads search.
    pub fn jobs(mut self, jobs: usize) -> Optimize<'a> {
        self.config.jobs = jobs;
        self
    }

    /// `symba`: a global push after this many checks for unboundedness.
    pub fn force_push(mut self, calls: u64) -> Optimize<'a> {
        self.config.force_push = Some(calls);
        self
    }

    /// `symba`: the weights of growth and of open classes in the order of push
    /// lists.
    pub fn priority(mut self, growth: i64, classes: i64) -> Optimize<'a> {
        self.config.priority = (growth, classes);
        self
    }

    /// All options at once.
    pub fn config(self, config: OptimizeConfig) -> Optimize<'a> {
        Optimize { config, ..self }
    }

    /// Time, memory and cancellation.
    pub fn budget(self, budget: Budget) -> Optimize<'a> {
        Optimize { budget, ..self }
    }

    /// Who answers queries, and where they are recorded.
    pub fn solver(self, solver: SolverConfig) -> Optimize<'a> {
        Optimize { solver, ..self }
    }

    /// Whether a second solver has to accept the bounds as well.
    pub fn cross_check(self, cross_check: bool) -> Optimize<'a> {
        Optimize { cross_check, ..self }
    }

    /// Who is told about progress.
    pub fn watch(self, watch: &'a dyn Observer) -> Optimize<'a> {
        Optimize { watch, ..self }
    }

    /// Searches, and has every bound checked.
    pub fn run(&self) -> Result<Optimized, OptimizeError> {
        let problem = &self.task.problem;
        let limited = self.search_budget();
        let config = self.search_config(&limited);
        let search =
            || parallax_optimize::optimize(problem, &config, &self.solver, &limited, self.watch);
        let found = isolated(search).map_err(|failed| match failed {
            Failed::Solver(error) => OptimizeError::Solver(error),
            other => OptimizeError::Rejected {
                engine: self.config.engine.name(),
                why: other.to_string(),
            },
        })?;
        let started = Instant::now();
        let Found { mut bounds, statistics, why_open, time } = found;
        let mut counts = BoundsCounts {
            queries: statistics.queries,
            global_pushes: statistics.global_pushes,
            unbounded_calls: statistics.unbounded_calls,
            models: statistics.models,
            conflicts: statistics.conflicts,
            decisions: statistics.decisions,
            ..BoundsCounts::default()
        };
        let mut why_open = why_open.map(|open| match open {
            Open::Stopped(stop) => stop.to_string(),
            Open::GaveUp(reason) => reason,
        });
        let first = Checkers::new(self.solver.clone());
        let second = match self.cross_check {
            true => first.clone().and_second().map_err(|_| OptimizeError::NoSecondSolver)?.second(),
            false => None,
        };
        let mut checked_by = Vec::new();
        for (nth, checkers) in [Some(first), second].into_iter().flatten().enumerate() {
            // A second solver has to answer for all bounds, refuted or not.
            if nth > 0 {
                bounds.refutations.clear();
            }
            // After a stop there is still a little time to check what is known.
            let little = || Budget::new(Some(LAST), self.budget.memory_limit());
            let budget = match self.budget.check() {
                Ok(()) => self.budget.clone(),
                Err(_) => little(),
            };
            // Limits of a search that was stopped are checked on their own.
            let mut aside = match why_open.is_some() {
                true => unproved(&mut bounds),
                false => Vec::new(),
            };
            let mut judged = checkers.accept(&Claim::Bounded { problem, bounds: &bounds }, &budget);
            if let Err((rejected @ (Rejected::Stopped(_) | Rejected::GaveUp(_)), _)) = &judged
                && why_open.is_none()
            {
                aside = unproved(&mut bounds);
                why_open = Some(rejected.to_string());
                // What is refuted needs no solver.
                judged = checkers.accept(&Claim::Bounded { problem, bounds: &bounds }, &little());
            }
            match judged {
                Ok(Vouched { by, accepted }) => {
                    counts.evaluated += accepted.evaluated;
                    counts.check_steps += accepted.steps;
                    counts.check_queries += accepted.queries;
                    if checked_by.is_empty() {
                        checked_by.push(String::from("evaluation"));
                        if accepted.steps > 0 {
                            checked_by.push(String::from("refutation"));
                        }
                    }
                    checked_by.extend(by);
                }
                Err((rejected @ (Rejected::Stopped(_) | Rejected::GaveUp(_)), _)) => {
                    // Nobody has seen that nothing lies beyond, so it is not said.
                    why_open = Some(rejected.to_string());
                    counts.evaluated = forget_limits(problem, &mut bounds);
                    checked_by = vec![String::from("evaluation")];
                }
                Err((rejected, _)) => {
                    let engine = self.config.engine.name();
                    return Err(OptimizeError::Rejected { engine, why: rejected.to_string() });
                }
            }
            match say_again(problem, &mut bounds, aside, &checkers, &self.budget) {
                Ok(Vouched { by, accepted }) => {
                    counts.check_queries += accepted.queries;
                    checked_by.extend(
                        by.into_iter()
                            .filter(|name| !checked_by.contains(name))
                            .collect::<Vec<_>>(),
                    );
                }
                Err(rejected) => {
                    let engine = self.config.engine.name();
                    return Err(OptimizeError::Rejected { engine, why: rejected.to_string() });
                }
            }
        }
        Ok(Optimized {
            bounds,
            checked_by,
            engine: self.config.engine.name(),
            why_open,
            counts,
            times: [time, started.elapsed()],
        })
    }
}

impl Optimize<'_> {
    /// The limits of the search. Our own search proves what it says, and to
    /// check that takes little time; otherwise the check is a query.
    fn search_budget(&self) -> Budget {
        let problem = &self.task.problem;
        let is_real = problem.symbols.iter().all(|&s| problem.store.sort(s) != Sort::Int);
        let own = self.config.engine == OptimizeEngine::Auto && is_real;
        let Some(left) = self.budget.remaining() else { return self.budget.clone() };
        let kept = match own {
            true => (left / KEPT_OPEN).min(MOST_KEPT_OPEN),
            false => (left / KEPT).min(MOST_KEPT),
        };
        self.budget.within(left - kept.max(LEAST_KEPT.min(left / 4)))
    }

    /// The options of the search: a third of the time that is kept is for limits
    /// of what it leaves open, so that whoever checks them has twice as long.
    fn search_config(&self, limited: &Budget) -> OptimizeConfig {
        let kept = self.budget.remaining().zip(limited.remaining());
        let over = kept.map_or(self.config.over, |(all, own)| all.saturating_sub(own) / 3);
        OptimizeConfig { over, ..self.config.clone() }
    }
}

/// Turns bounds into what is known without their upper half, as far as
/// evaluation confirms it; how much was evaluated.
fn forget_limits(problem: &TemplateProblem, bounds: &mut Bounds) -> u64 {
    for bound in &mut bounds.bounds {
        bound.extent = match &bound.extent {
            Extent::Attained { value, point } => {
                Extent::Between { reached: Some((value.clone(), *point)), limit: None }
            }
            Extent::Between { reached, .. } => {
                Extent::Between { reached: reached.clone(), limit: None }
            }
            Extent::Supremum { .. } | Extent::Empty => {
                Extent::Between { reached: None, limit: None }
            }
            Extent::Unbounded { from, ray } => Extent::Unbounded { from: *from, ray: *ray },
        };
    }
    bounds.refutations.clear();
    let budget = Budget::new(Some(LAST), None);
    let claim = Claim::Bounded { problem, bounds };
    match Checkers::default().accept(&claim, &budget) {
        Ok(vouched) => vouched.accepted.evaluated,
        Err(_) => {
            for bound in &mut bounds.bounds {
                bound.extent = Extent::Between { reached: None, limit: None };
            }
            0
        }
    }
}
