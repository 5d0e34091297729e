//! `parallax check`

use crate::args::{CheckArgs, Detail};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::limits::default_memory;
use crate::monitor::Monitor;
use crate::next::next;
use crate::progress::Progress;
use crate::supervise::{Ended, supervise};
use crate::unfinished::unfinished;
use crate::{files, terminal};
use parallax::report::{
    TraceLook, abstract_graph, render_diagnostics, render_proof, render_trace, render_verdict,
    run_json, to_dot, to_svg,
};
use parallax::{
    Answer, Check, Checked, EngineChoice, Finding, RecordDir, SolverConfig, Task, Why, load,
    save_evidence,
};
use parallax_base::{Budget, Stop};
use std::sync::Arc;

/// Checks the properties of a model.
pub(crate) fn run(args: CheckArgs) -> Result<Exit, Failure> {
    for path in args.certificate.iter().chain(&args.dot).chain(&args.svg) {
        files::has_folder(path)?;
    }
    let memory = args.limits.memory.or_else(default_memory);
    let budget = Budget::new(Some(args.limits.time), memory);
    let args = Arc::new(args);
    let monitor = Arc::new(Monitor::default());
    let mut progress = Progress::new();
    let ended = {
        let (args, monitor, budget) = (Arc::clone(&args), Arc::clone(&monitor), budget.clone());
        let work = {
            let (monitor, budget) = (Arc::clone(&monitor), budget.clone());
            move || work(&args, &monitor, &budget)
        };
        supervise(&budget, || progress.tick(&monitor, &budget), work)
    };
    progress.finish();
    let (task, checked) = match ended {
        Ended::Done(result) => result?,
        Ended::Panicked(message) => return Err(Failure::internal(&message)),
        Ended::Abandoned(stop) => match abandoned(&args, &monitor, &budget, stop)? {
            Some(result) => result,
            None => return Ok(unfinished(&args.file, &budget, stop, args.json)),
        },
    };
    show(&args, &task, &checked);
    match write_files(&args, &task, &checked) {
        Ok(()) => Ok(checked.verdict(&task).into()),
        // The result is out already; there must not be a second object.
        Err(failure) => Ok(failure.print(false)),
    }
}

/// The part that takes time.
fn work(
    args: &CheckArgs,
    monitor: &Monitor,
    budget: &Budget,
) -> Result<(Arc<Task>, Checked), Failure> {
    let task = Arc::new(load(&args.file, &args.defines)?);
    monitor.loaded(&task);
    let mut solver = SolverConfig::default();
    if let Some(dir) = &args.record {
        let folder = RecordDir::create(dir);
        solver.record = Some(folder.map_err(|error| Failure::input("C0006", &error.to_string()))?);
    }
    let checked = Check::new(&task)
        .properties(args.properties.iter().cloned())
        .engine(choice(&args.engine), args.config())
        .solver(solver)
        .cross_check(args.cross_check)
        .picture(args.dot.is_some() || args.svg.is_some())
        .budget(budget.clone())
        .watch(monitor)
        .run()?;
    Ok((task, checked))
}

fn choice(name: &str) -> EngineChoice {
    match name {
        "auto" => EngineChoice::Auto,
        "all" => EngineChoice::All,
        name => EngineChoice::Only(name.to_owned()),
    }
}

/// What is known of a check that did not end by itself: answers so far, and
/// `unknown` for the rest. `None` if not even the model was loaded.
fn abandoned(
    args: &CheckArgs,
    monitor: &Monitor,
    budget: &Budget,
    stop: Stop,
) -> Result<Option<(Arc<Task>, Checked)>, Failure> {
    let Some(task) = monitor.task() else { return Ok(None) };
    let asked = Check::new(task).properties(args.properties.iter().cloned()).selected()?;
    let (done, status) = (monitor.answers(), monitor.status());
    let answers = asked.into_iter().map(|property| {
        let known = done.get(&property).cloned();
        known.unwrap_or_else(|| Arc::new(Answer::open(property, status.engine, Why::Stopped(stop))))
    });
    let mut checked = Checked::new(task, answers.collect(), budget.elapsed());
    // The engine that was left behind has told how far it was.
    checked.statistics.iterations += status.iteration;
    checked.statistics.predicates += status.predicates;
    checked.statistics.solver_queries += status.queries;
    checked.statistics.states += status.states;
    checked.statistics.abstract_states += status.abstract_states;
    Ok(Some((Arc::clone(task), checked)))
}

/// Prints the result: verdict, counterexamples, proofs.
fn show(args: &CheckArgs, task: &Task, checked: &Checked) {
    let errors = terminal::look(&std::io::stderr());
    let warnings = render_diagnostics(&task.sources, &task.warnings, errors);
    if !warnings.is_empty() {
        terminal::note(warnings.trim_end());
    }
    let mut run = checked.report(task);
    run.next = next(args, task, checked);
    let proof = args.show == Some(Detail::Proof);
    if args.json {
        terminal::print_json(&run_json(&run, proof || args.verbose));
        return;
    }
    let mut text = render_verdict(&run, terminal::look(&std::io::stdout()));
    let trace = TraceLook { source: args.verbose, ..TraceLook::default() };
    for answer in &checked.answers {
        let property = &task.program.properties[answer.property];
        let more = match &answer.outcome.finding {
            // The way to a goal is welcome, yet only a violation is news.
            Finding::Reached(_) if property.kind.wants_target() && !args.verbose && !proof => {
                continue;
            }
            Finding::Reached(run) => {
                render_trace(&task.program, &task.sources, property, run, trace)
            }
            Finding::Proved(_) if proof => {
                render_proof(&task.program, property, &answer.outcome, usize::MAX)
            }
            Finding::Proved(_) if args.verbose => {
                render_proof(&task.program, property, &answer.outcome, 10)
            }
            Finding::Proved(_) | Finding::Unknown(_) => continue,
        };
        text.push('\n');
        text.push_str(&more);
    }
    terminal::print(&text);
}

/// Writes the files that were asked for.
fn write_files(args: &CheckArgs, task: &Task, checked: &Checked) -> Result<(), Failure> {
    if let Some(path) = &args.certificate {
        files::write(path, |out| save_evidence(task, checked, out))?;
    }
    if args.dot.is_none() && args.svg.is_none() {
        return Ok(());
    }
    let system = checked.answers.iter().find_map(|a| a.outcome.abstraction.as_ref());
    let Some(system) = system else {
        terminal::note("there is no abstract transition system to draw");
        return Ok(());
    };
    let graph = abstract_graph(&task.program, system);
    if let Some(path) = &args.dot {
        files::write(path, |out| out.write_all(to_dot(&graph).as_bytes()))?;
    }
    if let Some(path) = &args.svg {
        files::write(path, |out| out.write_all(to_svg(&graph).as_bytes()))?;
    }
    Ok(())
}
