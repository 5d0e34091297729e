//! `parallax optimize`

use crate::args::{CertifyArgs, LimitArgs};
use crate::board::Board;
use crate::bounds_args::OptimizeArgs;
use crate::deliver::FormatArgs;
use crate::drive::{Drive, Driven, Timed};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::unfinished::Asked;
use crate::{files, terminal};
use parallax::optimize::{
    Applied, CertifiedOptima, Event, Observer, Optimize, OptimizeConfig, OptimizeEngine, Optimized,
    ProblemTask, Replied, certify_optima, load_problem, rule_text,
};
use parallax::report::{
    BOUNDS_SCHEMA, OptimaReply, OptimaReport, Page, bounds_json, optima_json, render_bounds,
    render_diagnostics, render_optima,
};
use parallax::{RecordDir, SolverConfig};
use parallax_base::Budget;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// Who listens to the search: the board, and where the rules that were applied
/// are kept if they are wanted.
struct Listener {
    board: Arc<Board>,
    rules: Option<Mutex<Vec<Applied>>>,
}

impl Observer for Listener {
    fn notice(&self, event: &Event) {
        if let (Event::Rule(rule), Some(rules)) = (event, &self.rules) {
            rules.lock().unwrap_or_else(PoisonError::into_inner).push((**rule).clone());
        }
        Observer::notice(&*self.board, event);
    }
}

impl Timed for OptimizeArgs {
    fn limits(&self) -> LimitArgs {
        self.limits
    }

    fn is_json(&self) -> bool {
        self.json
    }

    fn formats(&self) -> FormatArgs {
        self.formats.clone()
    }

    fn asked(&self) -> Asked {
        Asked::about(BOUNDS_SCHEMA, &self.file)
    }
}

/// Bounds the templates of a problem.
pub(crate) fn run(args: OptimizeArgs) -> Result<Exit, Failure> {
    args.record.iter().try_for_each(|folder| files::prepare_folder(folder))?;
    let written = args.certificate.as_deref().into_iter().chain(args.formats.outputs());
    files::prepare(written, [args.file.as_path()])?;
    let certificate = args.certificate.clone();
    if args.trace && (args.engine != OptimizeEngine::Symba.name() || args.jobs > 1) {
        let message = "`--trace` shows the rules of `--engine symba` with one job";
        return Err(Failure::usage("P0001", message));
    }
    let drive = Drive::new(&args);
    let rules = args.trace.then(Mutex::default);
    let listener = Arc::new(Listener { board: Arc::clone(&drive.board), rules });
    let driven = {
        let listener = Arc::clone(&listener);
        drive.run(move |budget| work(&args, &listener, budget))?
    };
    let (task, done) = match driven {
        Driven::Done(done) => done,
        Driven::Stopped(stop) => return Ok(drive.unfinished(stop)),
    };
    let errors = terminal::look(&std::io::stderr());
    let warnings = render_diagnostics(&task.sources, &task.warnings, errors);
    if !warnings.is_empty() {
        terminal::note(warnings.trim_end());
    }
    if let Some(rules) = &listener.rules {
        for rule in &*rules.lock().unwrap_or_else(PoisonError::into_inner) {
            terminal::print(&rule_text(&task.problem, rule));
        }
    }
    if let Some(path) = &certificate {
        let text = match &done {
            Done::Bounds(optimized) => optimized.certificate(),
            Done::Replies(replied) => replied.certificate(),
        };
        let text = text.map_err(|error| Failure::internal(&error.to_string()))?;
        files::write(path, |out| out.write_all(text.as_bytes()))?;
    }
    match &done {
        Done::Bounds(optimized) => say_bounds(optimized, &task, &drive),
        Done::Replies(replied) => say_replies(&replied.report, &drive),
    }
}

/// The text of the problem.
fn problem_page(drive: &Drive) -> Page {
    let name = drive.subject();
    let text = std::fs::read_to_string(name).unwrap_or_default();
    Page { sources: vec![(name.to_owned(), text)], ..Page::default() }
}

fn say_bounds(optimized: &Optimized, task: &ProblemTask, drive: &Drive) -> Result<Exit, Failure> {
    let report = optimized.report(task);
    drive.deliver(&bounds_json(&report), || render_bounds(&report), || problem_page(drive))?;
    Ok(if optimized.bounds.is_final() { Exit::Holds } else { Exit::Unknown })
}

fn say_replies(report: &OptimaReport, drive: &Drive) -> Result<Exit, Failure> {
    let object = optima_json(report, drive.budget.elapsed());
    drive.deliver(&object, || render_optima(report), || problem_page(drive))?;
    let is_final = report.replies.iter().all(OptimaReply::is_final);
    Ok(if is_final { Exit::Holds } else { Exit::Unknown })
}

/// Checks evidence about a problem or a script from a file.
pub(crate) fn certify(args: &CertifyArgs, file: &Path, evidence: &Path) -> Result<Exit, Failure> {
    args.asks_nothing("a problem asks its own questions")?;
    let evidence = files::read(evidence)?;
    let checkers = args.checkers()?;
    let (drive, file) = (Drive::new(args), file.to_owned());
    let driven = drive.run(move |budget| {
        let task = load_problem(&file)?;
        let certified = certify_optima(&task, &evidence, &checkers, budget);
        let certified = certified.map_err(|error| Failure::input("P0020", &error.to_string()))?;
        Ok((task, certified))
    })?;
    match driven {
        Driven::Done((task, CertifiedOptima::Bounds(optimized))) => {
            say_bounds(&optimized, &task, &drive)
        }
        Driven::Done((_, CertifiedOptima::Replies(report))) => say_replies(&report, &drive),
        Driven::Stopped(stop) => Ok(drive.unfinished(stop)),
    }
}

/// What came out.
enum Done {
    /// The bounds of a problem.
    Bounds(Box<Optimized>),
    /// The replies to a script.
    Replies(Replied),
}

/// The part that takes time.
fn work(
    args: &OptimizeArgs,
    listener: &Listener,
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
        .watch(listener);
    let done = match task.queries.is_empty() {
        true => Done::Bounds(Box::new(search.run()?)),
        false => Done::Replies(search.run_script()?),
    };
    Ok((task, done))
}
