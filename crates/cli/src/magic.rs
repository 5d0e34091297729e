//! `parallax magic`: do C procedures conform to labelled transition systems?

use crate::args::{CertifyArgs, LimitArgs};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::limits::default_memory;
use crate::lts::Notion;
use crate::supervise::{Ended, supervise};
use crate::{files, terminal};
use parallax::lts::LtsError;
use parallax::magic::{
    Certified, MagicAnswer, MagicConfig, MagicOutcome, load_magic, write_proofs,
};
use parallax::report::escape::visible;
use parallax::report::{dag_graph_with, magic_json, render_magic, to_dot, to_svg};
use parallax::{Checkers, SolverConfig};
use parallax_base::Budget;
use std::path::{Path, PathBuf};

#[derive(clap::Args, Clone, Debug)]
pub(crate) struct MagicArgs {
    /// The system file (.magic)
    pub(crate) file: PathBuf,
    /// Answer only questions whose name has this in it; may be repeated
    #[arg(short, long, value_name = "TEXT")]
    pub(crate) question: Vec<String>,
    /// List the questions and do nothing else
    #[arg(long)]
    pub(crate) list: bool,
    /// Print what a procedure does as FSP text, and answer no questions
    #[arg(long, value_name = "PROCEDURE", conflicts_with_all = ["question", "list", "json"])]
    pub(crate) extract: Option<String>,
    /// What it means to conform
    #[arg(long, value_enum, default_value_t)]
    pub(crate) conformance: Notion,
    /// Look for deadlocks, too
    #[arg(long)]
    pub(crate) deadlock: bool,
    /// Keep all predicates instead of a smallest set
    #[arg(long, help_heading = "Search")]
    pub(crate) all_predicates: bool,
    /// Compose the abstractions as they are, without joining states before
    #[arg(long, help_heading = "Search")]
    pub(crate) one_level: bool,
    /// Write the proofs to a file, for `parallax certify`
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) certificate: Option<PathBuf>,
    /// Draw the first counterexample, for Graphviz
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) dot: Option<PathBuf>,
    /// Draw the first counterexample, as a picture
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) svg: Option<PathBuf>,
    /// Show the rounds of refinement and the predicates
    #[arg(short, long, help_heading = "Output")]
    pub(crate) verbose: bool,
    /// Print one JSON object and nothing else
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

/// What to do when the limits are reached.
fn unfinished(stop: parallax_base::Stop) -> Failure {
    let message = LtsError::Stopped(stop).to_string();
    let help = "give more with --time and --memory, or name one question with --question";
    Failure::unfinished("P0030", &message, help)
}

/// An error of the façade, with hints for this command.
fn failed(error: LtsError) -> Failure {
    match error {
        LtsError::Stopped(stop) => unfinished(stop),
        other => other.into(),
    }
}

/// Answers the questions of a system file.
pub(crate) fn run(args: MagicArgs) -> Result<Exit, Failure> {
    let written = [&args.certificate, &args.dot, &args.svg].into_iter().flatten();
    files::prepare(written.map(PathBuf::as_path), [args.file.as_path()])?;
    let budget = Budget::new(Some(args.limits.time), args.limits.memory.or_else(default_memory));
    let (work_args, work_budget) = (args.clone(), budget.clone());
    let work = move || work(&work_args, &work_budget);
    let (name, answers) = match supervise(&budget, || {}, work) {
        Ended::Done(result) => result?,
        Ended::Failed(failure) => return Err(failure),
        Ended::Abandoned(stop) => return Err(unfinished(stop)),
    };
    if args.list || args.extract.is_some() {
        return Ok(Exit::Holds);
    }
    let reports: Vec<_> = answers.iter().map(MagicAnswer::report).collect();
    // As text, answers were printed when they were found.
    if args.json {
        terminal::print_json(&magic_json(&name, &reports));
    }
    if let Some(path) = &args.certificate {
        let all: Vec<&MagicAnswer> = answers.iter().collect();
        let traces = args.conformance == Notion::Traces;
        let text = write_proofs(&all, traces).map_err(|why| Failure::internal(&why))?;
        files::write(path, |out| out.write_all(text.as_bytes()))?;
    }
    let first = reports.iter().find_map(|report| Some((report.counterexample?, &report.notes)));
    if let Some(((dag, lts, spec), notes)) = first {
        let graph = dag_graph_with(dag, lts, spec, notes);
        if let Some(path) = &args.dot {
            files::write(path, |out| out.write_all(to_dot(&graph).as_bytes()))?;
        }
        if let Some(path) = &args.svg {
            files::write(path, |out| out.write_all(to_svg(&graph).as_bytes()))?;
        }
    }
    Ok(if answers.iter().any(|answer| answer.counterexample().is_some()) {
        Exit::Violated
    } else if answers.iter().any(|answer| matches!(answer.outcome, MagicOutcome::Unknown(_))) {
        Exit::Unknown
    } else {
        Exit::Holds
    })
}

fn work(args: &MagicArgs, budget: &Budget) -> Result<(String, Vec<MagicAnswer>), Failure> {
    let mut task = load_magic(&args.file).map_err(failed)?;
    let read = task.files();
    let read: Vec<&Path> = read.iter().map(PathBuf::as_path).collect();
    let written = [&args.certificate, &args.dot, &args.svg].into_iter().flatten();
    written.into_iter().try_for_each(|path| files::spare(path, &read))?;
    if let Some(procedure) = &args.extract {
        let found = task.extract(procedure, budget).map_err(failed)?;
        let found = found.map_err(|why| Failure::open("P0031", &why))?;
        let (states, transitions) = found.size;
        terminal::print(&format!(
            "// {procedure} conforms to this: {states} states, {transitions} transitions \
             (checked by {})\n{}",
            found.checked_by, found.text
        ));
        return Ok((task.name().to_owned(), Vec::new()));
    }
    let wanted = |name: &str| {
        args.question.is_empty() || args.question.iter().any(|part| name.contains(part.as_str()))
    };
    let questions: Vec<_> = task.questions().into_iter().filter(|q| wanted(&q.name)).collect();
    if args.list {
        for question in &questions {
            terminal::print(&format!("{}\n", visible(&question.name)));
        }
        return Ok((task.name().to_owned(), Vec::new()));
    }
    if questions.is_empty() {
        let message = "the system file asks nothing: state a target or a specification";
        return Err(Failure::input("P0013", message));
    }
    task.check_conditions(budget).map_err(failed)?;
    let config = MagicConfig {
        minimize: !args.all_predicates,
        two_level: !args.one_level,
        deadlock: args.deadlock,
        ..MagicConfig::default()
    };
    let traces = args.conformance == Notion::Traces;
    let mut answers = Vec::new();
    if !args.json {
        terminal::print(&format!("{}\n", visible(task.name())));
    }
    for question in &questions {
        let answer = task.answer(question, &config, traces, budget).map_err(failed)?;
        if !args.json {
            terminal::print(&render_magic(&answer.report(), args.verbose));
        }
        answers.push(answer);
    }
    Ok((task.name().to_owned(), answers))
}

/// Checks proofs of a system from a file.
pub(crate) fn certify(args: &CertifyArgs, file: &Path, evidence: &Path) -> Result<Exit, Failure> {
    let budget = Budget::new(Some(args.limits.time), args.limits.memory.or_else(default_memory));
    let beyond = args.question.settings() + &args.question.asked();
    if !beyond.is_empty() {
        let message = format!("a system file asks its own questions: leave out{beyond}");
        return Err(Failure::usage("P0001", &message));
    }
    let proof = files::read(evidence)?;
    let (file, work_budget) = (file.to_owned(), budget.clone());
    let mut checkers = Checkers::new(SolverConfig::default());
    if args.cross_check {
        checkers = checkers.and_second()?;
    }
    let work = move || -> Result<_, Failure> {
        let mut task = load_magic(&file).map_err(failed)?;
        task.check_conditions(&work_budget).map_err(failed)?;
        let mut results = Vec::new();
        for question in task.questions() {
            let result =
                task.certify(&question, &proof, &checkers, &work_budget).map_err(failed)?;
            results.push((question.name, result));
        }
        Ok(results)
    };
    let results = match supervise(&budget, || {}, work) {
        Ended::Done(result) => result?,
        Ended::Failed(failure) => return Err(failure),
        Ended::Abandoned(stop) => return Err(unfinished(stop)),
    };
    if args.json {
        let answers = results.iter().map(|(name, result)| match result {
            Ok(found) => serde_json::json!({
                "question": name, "verdict": found.verdict, "traces": found.traces,
                "checked_by": found.by, "count": found.count,
            }),
            Err(why) => serde_json::json!({
                "question": name, "verdict": "unknown", "reason": why,
            }),
        });
        let answers: Vec<_> = answers.collect();
        terminal::print_json(&serde_json::json!({
            "schema": "parallax-certified-conformance/1", "questions": answers,
        }));
    }
    for (name, result) in results.iter().filter(|_| !args.json) {
        let line = match result {
            Ok(found) => {
                let traces = if found.traces { " by traces" } else { "" };
                let what = if found.by == "interpreter" { "steps" } else { "queries" };
                let (verdict, by) = (found.verdict, &found.by);
                format!("{verdict}{traces} (checked by {by}, {} {what})", found.count)
            }
            Err(why) => format!("unknown: {}", visible(why)),
        };
        terminal::print(&format!("{}: {line}\n", visible(name)));
    }
    let is_refuted = |found: &Certified| !found.holds();
    Ok(if results.iter().any(|(_, result)| result.as_ref().is_ok_and(is_refuted)) {
        Exit::Violated
    } else if results.iter().any(|(_, result)| result.is_err()) {
        Exit::Unknown
    } else {
        Exit::Holds
    })
}
