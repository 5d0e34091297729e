//! `parallax optimize`

use crate::bounds_args::OptimizeArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::limits::{default_memory, show_size};
use crate::supervise::{Ended, supervise};
use crate::{files, terminal};
use parallax::optimize::{
    Applied, Event, Observer, Optimize, OptimizeConfig, OptimizeEngine, Optimized, ProblemTask,
    load_problem, rule_text,
};
use parallax::report::{
    OptimaReply, OptimaReport, bounds_json, render_bounds, render_diagnostics, render_optima,
};
use parallax::{RecordDir, SolverConfig};
use parallax_base::{Budget, resident_memory_bytes};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// When the first line appears in a log, and the time between lines.
const FIRST: Duration = Duration::from_millis(900);
const BETWEEN: Duration = Duration::from_secs(10);

/// Counts what the search tells.
#[derive(Default)]
struct Counter {
    steps: AtomicU64,
    /// Bounds still open, plus one; 0 before the first is closed.
    open: AtomicU64,
    /// The rules that were applied, if they are wanted.
    rules: Option<Mutex<Vec<Applied>>>,
}

impl Observer for Counter {
    fn notice(&self, event: &Event) {
        match event {
            Event::Reached { .. } => {
                self.steps.fetch_add(1, Ordering::Relaxed);
            }
            Event::Closed { open, .. } => self.open.store(*open as u64 + 1, Ordering::Relaxed),
            Event::Rule(rule) => {
                if let Some(rules) = &self.rules {
                    rules.lock().unwrap_or_else(PoisonError::into_inner).push((**rule).clone());
                }
            }
        }
    }
}

/// Bounds the templates of a problem.
pub(crate) fn run(args: OptimizeArgs) -> Result<Exit, Failure> {
    let memory = args.limits.memory.or_else(default_memory);
    args.record.iter().try_for_each(|folder| files::prepare_folder(folder))?;
    let budget = Budget::new(Some(args.limits.time), memory);
    let json = args.json;
    if args.trace && (args.engine != OptimizeEngine::Symba.name() || args.jobs > 1) {
        let message = "`--trace` shows the rules of `--engine symba` with one job";
        return Err(Failure::usage("P0001", message));
    }
    let rules = args.trace.then(Mutex::default);
    let counter = Arc::new(Counter { rules, ..Counter::default() });
    let work = {
        let (budget, counter) = (budget.clone(), Arc::clone(&counter));
        move || work(&args, &counter, &budget)
    };
    let mut next = Instant::now() + FIRST;
    let tick = || {
        if Instant::now() >= next {
            next = Instant::now() + BETWEEN;
            terminal::note(&line(&counter, &budget));
        }
    };
    let (task, done) = match supervise(&budget, tick, work) {
        Ended::Done(result) => result?,
        Ended::Failed(failure) => return Err(failure),
        Ended::Abandoned(stop) => {
            let message = format!("{stop} reached before anything was known");
            return Ok(Failure::open("P0030", &message).print(json));
        }
    };
    let errors = terminal::look(&std::io::stderr());
    let warnings = render_diagnostics(&task.sources, &task.warnings, errors);
    if !warnings.is_empty() {
        terminal::note(warnings.trim_end());
    }
    if let Some(rules) = &counter.rules {
        for rule in &*rules.lock().unwrap_or_else(PoisonError::into_inner) {
            terminal::print(&rule_text(&task.problem, rule));
        }
    }
    let optimized = match done {
        Done::Bounds(optimized) => optimized,
        Done::Replies(report) => {
            if json {
                terminal::print_json(&report);
            } else {
                terminal::print(&render_optima(&report));
            }
            let is_answered = |reply: &OptimaReply| {
                reply.reason.is_none()
                    && reply.status != "unknown"
                    && reply.objectives.iter().all(|o| o.value != "unknown")
            };
            let is_final = report.replies.iter().all(is_answered);
            return Ok(if is_final { Exit::Holds } else { Exit::Unknown });
        }
    };
    let report = optimized.report(&task);
    if json {
        terminal::print_json(&bounds_json(&report));
    } else {
        terminal::print(&render_bounds(&report));
    }
    Ok(if optimized.bounds.is_final() { Exit::Holds } else { Exit::Unknown })
}

/// What came out.
enum Done {
    /// The bounds of a problem.
    Bounds(Box<Optimized>),
    /// The replies to a script.
    Replies(OptimaReport),
}

/// The part that takes time.
fn work(
    args: &OptimizeArgs,
    counter: &Counter,
    budget: &Budget,
) -> Result<(ProblemTask, Done), Failure> {
    let task = load_problem(&args.file)?;
    if args.trace && !task.queries.is_empty() {
        let message = "`--trace` shows one problem; this is a script with several questions";
        return Err(Failure::usage("P0001", message));
    }
    let mut solver = SolverConfig::default();
    if let Some(dir) = &args.record {
        let folder = RecordDir::create(dir);
        solver.record = Some(folder.map_err(|error| Failure::input("P0006", &error.to_string()))?);
    }
    let config = OptimizeConfig {
        engine: OptimizeEngine::named(&args.engine).unwrap_or_default(),
        force_push: args.force_push,
        priority: args.priority,
        rounding: !args.no_rounding,
        reduction: !args.no_reduction,
        jobs: args.jobs,
        ..OptimizeConfig::default()
    };
    let search = Optimize::new(&task)
        .config(config)
        .solver(solver)
        .cross_check(args.cross_check)
        .budget(budget.clone())
        .watch(counter);
    let done = match task.queries.is_empty() {
        true => Done::Bounds(Box::new(search.run()?)),
        false => Done::Replies(search.run_script()?),
    };
    Ok((task, done))
}

fn line(counter: &Counter, budget: &Budget) -> String {
    let mut parts = vec![String::from("optimize")];
    if let Some(open) = counter.open.load(Ordering::Relaxed).checked_sub(1) {
        parts.push(format!("{open} bounds open"));
    }
    parts.push(format!("{} steps", counter.steps.load(Ordering::Relaxed)));
    if let Some(left) = budget.remaining() {
        parts.push(format!("{} s left", left.as_secs()));
    }
    let memory = resident_memory_bytes();
    if memory > 0 {
        parts.push(show_size(memory));
    }
    parts.join(" | ")
}
