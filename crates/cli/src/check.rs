//! `parallax check`

use crate::args::{CheckArgs, Detail, LimitArgs};
use crate::deliver::FormatArgs;
use crate::drive::{Drive, Driven, Timed};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::monitor::Monitor;
use crate::next::next;
use crate::unfinished::Asked;
use crate::{files, terminal, validate};
use parallax::report::escape::visible;
use parallax::report::{
    CRunLook, NativeJson, Run, RunJson, SCHEMA, TraceLook, abstract_graph, arg_graph, lasso_graph,
    render_arg, render_c_run, render_diagnostics, render_history, render_proof, render_trace,
    render_verdict, run_json,
};
use parallax::{
    Answer, Check, Checked, EngineChoice, Finding, Native, RecordDir, SolverConfig, Task, Why,
    asked_names, c_harness, c_witness, check_page, load_files, run_natively, save_evidence,
};
use parallax_base::{Budget, Stop};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

/// Checks the properties of a model.
pub(crate) fn run(args: CheckArgs) -> Result<Exit, Failure> {
    if args.each_function {
        return crate::each::run(args);
    }
    let properties = args.question.properties.iter().map(Path::new);
    let read = args.files.iter().chain(&args.validate).map(PathBuf::as_path);
    files::prepare(outputs(&args), read.chain(properties))?;
    for folder in [&args.harness, &args.record].into_iter().flatten() {
        files::prepare_folder(folder)?;
    }
    let drive = Drive::new(&args);
    let args = Arc::new(args);
    if let Some(witness) = &args.validate {
        return validate::run(&args, witness, drive);
    }
    let monitor = Arc::new(Monitor::new(&drive.board));
    let driven = {
        let (args, monitor) = (Arc::clone(&args), Arc::clone(&monitor));
        drive.run(move |budget| work(&args, &monitor, budget))?
    };
    let (task, checked) = match driven {
        Driven::Done(result) => result,
        Driven::Stopped(stop) => match so_far(&args, &monitor, &drive, stop)? {
            Some(result) => result,
            None => return Ok(drive.unfinished(stop)),
        },
    };
    let native = if args.native { run_natively(&task, &checked) } else { None };
    let shown = show(&args, &drive, &task, &checked, native.as_ref());
    match shown.and_then(|()| write_files(&args, &task, &checked)) {
        Ok(()) => Ok(checked.verdict(&task).into()),
        Err(failure) => {
            // The result is out already; there must not be a second object.
            failure.print(false);
            Ok(failure.exit())
        }
    }
}

/// The files that a check writes, whatever comes of it.
fn outputs(args: &CheckArgs) -> impl Iterator<Item = &Path> {
    let files = [&args.certificate, &args.dot, &args.svg, &args.witness];
    files.into_iter().flatten().map(PathBuf::as_path).chain(args.formats.outputs())
}

/// Where a failure is reproduced.
fn harness(folder: &Path) -> PathBuf {
    folder.join("harness.c")
}

impl CheckArgs {
    /// Whether the abstract transition systems will be looked at.
    fn wants_picture(&self) -> bool {
        let drawn = self.dot.is_some() || self.svg.is_some() || self.formats.report.is_some();
        drawn || self.show == Some(Detail::Arg)
    }
}

impl Timed for CheckArgs {
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
        if let Some(witness) = &self.validate {
            return validate::asked(witness);
        }
        let names = asked_names(&self.files, &self.question.properties);
        Asked { names, ..Asked::about(SCHEMA, &self.files[0]) }
    }
}

/// The part that takes time.
fn work(
    args: &CheckArgs,
    monitor: &Monitor,
    budget: &Budget,
) -> Result<(Arc<Task>, Checked), Failure> {
    let task = Arc::new(load_files(&args.files, &args.load_options(budget)?)?);
    let reproduced = args.harness.as_deref().map(harness);
    let written = outputs(args).chain(reproduced.as_deref());
    files::spare_sources(written, &task.sources)?;
    monitor.loaded(&task);
    let checked = Check::new(&task)
        .properties(asked(args, &task))
        .engine(choice(&args.engine), args.config())
        .solver(solver(args)?)
        .cross_check(args.cross_check)
        .reduce(!args.no_por)
        .picture(args.wants_picture())
        .budget(budget.clone())
        .watch(monitor)
        .run()?;
    Ok((task, checked))
}

/// The properties of a model that are asked for: those named and the formulas
/// given, or all. A C program was loaded with what is asked of it.
fn asked(args: &CheckArgs, task: &Task) -> Vec<String> {
    if task.origin.is_c() {
        return Vec::new();
    }
    let formulas = task.program.properties.iter().filter(|p| p.temporal.is_some());
    let formulas = formulas.map(|p| p.name.to_string());
    args.question.properties.iter().cloned().chain(formulas).collect()
}

/// The solver, which may be recorded.
pub(crate) fn solver(args: &CheckArgs) -> Result<SolverConfig, Failure> {
    let mut solver = SolverConfig::default();
    if let Some(dir) = &args.record {
        let folder = RecordDir::create(dir);
        solver.record = Some(folder.map_err(|error| Failure::input("P0006", &error.to_string()))?);
    }
    Ok(solver)
}

/// The engine of a name.
pub(crate) fn choice(name: &str) -> EngineChoice {
    match name {
        "auto" => EngineChoice::Auto,
        "all" => EngineChoice::All,
        name => EngineChoice::Only(name.to_owned()),
    }
}

/// What is known of a check that did not end by itself: answers so far, and
/// `unknown` for the rest. `None` if not even the model was loaded.
fn so_far(
    args: &CheckArgs,
    monitor: &Monitor,
    drive: &Drive,
    stop: Stop,
) -> Result<Option<(Arc<Task>, Checked)>, Failure> {
    let Some(task) = monitor.task() else { return Ok(None) };
    let asked = Check::new(task).properties(asked(args, task)).selected()?;
    let (done, status) = (monitor.answers(), drive.board.status());
    let answers = asked.into_iter().map(|property| {
        let known = done.get(&property).cloned();
        known.unwrap_or_else(|| Arc::new(Answer::open(property, status.engine, Why::Stopped(stop))))
    });
    let mut checked = Checked::new(task, answers.collect(), drive.budget.elapsed());
    // The engine that was left behind has told how far it was.
    checked.statistics.iterations += status.iteration;
    checked.statistics.predicates += status.predicates;
    checked.statistics.solver_queries += status.queries;
    checked.statistics.states += status.states;
    checked.statistics.abstract_states += status.abstract_states;
    Ok(Some((Arc::clone(task), checked)))
}

/// Hands out the result: verdict, counterexamples, proofs.
fn show(
    args: &CheckArgs,
    drive: &Drive,
    task: &Task,
    checked: &Checked,
    native: Option<&Native>,
) -> Result<(), Failure> {
    let errors = terminal::look(&std::io::stderr());
    let warnings = render_diagnostics(&task.sources, &task.warnings, errors);
    if !warnings.is_empty() {
        terminal::note(warnings.trim_end());
    }
    let mut run = checked.report(task);
    run.next = next(args, task, checked);
    let outcome = native.map(|n| NativeJson { outcome: n.word(), message: n.to_string() });
    let details = args.show == Some(Detail::Proof) || args.verbose;
    let object = RunJson { native: outcome, ..run_json(&run, details) };
    let page = || {
        // A page shows everything, whatever the terminal is told.
        let full = RunJson { native: object.native.clone(), ..run_json(&run, true) };
        check_page("check", task, checked, serde_json::to_value(full).unwrap_or_default())
    };
    drive.deliver(&object, || text(args, task, checked, &run, native), page)
}

/// The result as text.
fn text(
    args: &CheckArgs,
    task: &Task,
    checked: &Checked,
    run: &Run<'_>,
    native: Option<&Native>,
) -> String {
    let proof = args.show == Some(Detail::Proof);
    let mut text = render_verdict(run, terminal::look(&std::io::stdout()));
    let trace = TraceLook { source: args.verbose, ..TraceLook::default() };
    for (answer, reported) in checked.answers.iter().zip(&run.answers) {
        let property = &task.program.properties[answer.property];
        let program = reported.program(run);
        let run = answer.run.as_ref().and_then(|run| answer.about(task).0.view(run));
        let in_c = run.map(|view| {
            let rows = if args.verbose { usize::MAX } else { CRunLook::default().max_rows };
            let out = terminal::look(&std::io::stdout());
            let look = CRunLook { full: false, max_rows: rows, look: out };
            let run = render_c_run(&view, look);
            format!("counterexample to {}:\n{run}", property.name)
        });
        let found = match &answer.outcome.finding {
            // The way to a goal is welcome, yet only a violation is news.
            Finding::Reached(_) if property.kind.wants_target() && !args.verbose && !proof => None,
            Finding::Reached(run) => Some(
                in_c.unwrap_or_else(|| render_trace(program, &task.sources, property, run, trace)),
            ),
            Finding::Executed(_) => in_c,
            Finding::Proved(_) if proof || args.verbose => {
                let rows = if proof { usize::MAX } else { ROWS };
                let contracts = reported.contracts.iter();
                let contracts: String =
                    contracts.map(|text| format!("contract: {}\n", visible(text))).collect();
                Some(contracts + &render_proof(program, property, &answer.outcome, rows))
            }
            Finding::Proved(_) | Finding::Unknown(_) => None,
        };
        let history = match &answer.outcome.finding {
            // It is part of the proof.
            Finding::Proved(_) => None,
            _ if args.verbose || proof => {
                let rows = if proof { usize::MAX } else { ROWS };
                Some(render_history(property, &answer.outcome, rows))
            }
            _ => None,
        };
        let graph = answer.outcome.graph.as_ref().filter(|_| args.show == Some(Detail::Arg));
        let graph = graph.map(|graph| render_arg(program, property, graph, NODES));
        for more in history.into_iter().chain(found).chain(graph).filter(|t| !t.is_empty()) {
            text.push('\n');
            text.push_str(&more);
        }
    }
    if let Some(native) = native {
        text.push_str(&format!("\nnative run: {}\n", visible(&native.to_string())));
    }
    text
}

/// Items of a list that are shown if more is asked for, but not all.
const ROWS: usize = 10;

/// Nodes of a graph that are shown.
const NODES: usize = 5_000;

/// Writes the files that were asked for.
fn write_files(args: &CheckArgs, task: &Task, checked: &Checked) -> Result<(), Failure> {
    if let Some(path) = &args.certificate {
        files::write(path, |out| save_evidence(task, checked, out))?;
    }
    write_c_files(args, task, checked)?;
    if args.dot.is_none() && args.svg.is_none() {
        return Ok(());
    }
    let system = checked
        .answers
        .iter()
        .find_map(|a| Some((a.outcome.abstraction.as_ref()?, a.about(task).0)));
    let lasso = || {
        checked.answers.iter().find_map(|a| match &a.outcome.finding {
            Finding::Reached(run) if run.cycle.is_some() => Some((a.property, run)),
            _ => None,
        })
    };
    let reached = || {
        let of = |a: &'_ Arc<Answer>| a.outcome.graph.is_some();
        let answer = checked.answers.iter().find(|&a| of(a))?;
        Some(arg_graph(&answer.about(task).0.program, answer.outcome.graph.as_ref()?))
    };
    let graph = match (system, lasso(), reached()) {
        (Some((system, about)), ..) => abstract_graph(&about.program, system),
        (None, Some((property, run)), _) => {
            lasso_graph(&task.program, &task.program.properties[property], run)
        }
        (None, None, Some(graph)) => graph,
        (None, None, None) => {
            terminal::note("there is no abstract transition system to draw");
            return Ok(());
        }
    };
    files::draw(args.dot.as_deref(), args.svg.as_deref(), || graph)
}

/// Writes harness and witness.
fn write_c_files(args: &CheckArgs, task: &Task, checked: &Checked) -> Result<(), Failure> {
    if let Some(path) = &args.witness {
        let unreadable = |error: std::io::Error| Failure::input("P0002", &error.to_string());
        match c_witness(task, checked, SystemTime::now()).map_err(unreadable)? {
            Some(text) => files::write(path, |out| out.write_all(text.as_bytes()))?,
            None => terminal::note("there is no verdict on a C program to write a witness of"),
        }
    }
    if let Some(folder) = &args.harness {
        match c_harness(task, checked, folder) {
            Some(text) => {
                files::create_folder(folder)?;
                files::write(&harness(folder), |out| out.write_all(text.text.as_bytes()))?;
                if let Some(driver) = &text.driver {
                    let path = folder.join("driver.c");
                    files::write(&path, |out| out.write_all(driver.as_bytes()))?;
                }
            }
            None => terminal::note("there is no failure of a C program to reproduce"),
        }
    }
    Ok(())
}
