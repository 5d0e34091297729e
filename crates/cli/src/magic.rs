//! `parallax magic`: do C procedures conform to labelled transition systems?

use crate::args::{CertifyArgs, LimitArgs};
use crate::board::Board;
use crate::deliver::{Delivery, FormatArgs};
use crate::drive::{Drive, Driven, Timed};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::files;
use crate::lts::Notion;
use crate::unfinished::Asked;
use parallax::Verdict;
use parallax::magic::{Certified, MagicAnswer, MagicConfig, load_magic, write_proofs};
use parallax::report::escape::visible;
use parallax::report::{
    CostJson, Envelope, MAGIC_SCHEMA, MagicReport, Page, PageGraph, RowJson, dag_graph_with,
    lts_graph, magic_json, render_magic,
};
use parallax_base::Budget;
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

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
    #[command(flatten)]
    pub(crate) formats: FormatArgs,
}

/// What is known while the work goes on.
#[derive(Default)]
struct Told {
    /// The name of the system.
    name: String,
    /// Questions that have no answer yet, the next one first.
    open: VecDeque<String>,
    answers: Vec<Arc<MagicAnswer>>,
    /// Text that was not printed yet.
    news: String,
}

impl MagicArgs {
    /// Whether answers are printed as text, when they are found.
    fn prints(&self) -> bool {
        Delivery::of(self).is_text()
    }
}

type Shared = Arc<Mutex<Told>>;

fn told(shared: &Shared) -> MutexGuard<'_, Told> {
    // It is whole after every change.
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Timed for MagicArgs {
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
        let hint = Some("more with --time and --memory, or one question with --question");
        Asked { hint, ..Asked::about(MAGIC_SCHEMA, &self.file) }
    }
}

/// Answers the questions of a system file.
pub(crate) fn run(args: MagicArgs) -> Result<Exit, Failure> {
    let written = [&args.certificate, &args.dot, &args.svg].into_iter().flatten();
    files::prepare(
        written.map(PathBuf::as_path).chain(args.formats.outputs()),
        [args.file.as_path()],
    )?;
    let (drive, shared) = (Drive::new(&args), Shared::default());
    let driven = {
        let (args, drive_board, told_to) = (args.clone(), drive.board.clone(), shared.clone());
        let news = || std::mem::take(&mut told(&shared).news);
        drive.telling(news, move |budget| work(&args, &drive_board, &told_to, budget))?
    };
    if args.list || args.extract.is_some() {
        return Ok(match driven {
            Driven::Done(()) => Exit::Holds,
            Driven::Stopped(stop) => drive.unfinished(stop),
        });
    }
    let Told { name, open, answers, .. } = &*told(&shared);
    let mut rest = String::new();
    let mut reports: Vec<_> = answers.iter().map(|answer| answer.report()).collect();
    if let Driven::Stopped(stop) = driven {
        if name.is_empty() {
            return Ok(drive.unfinished(stop));
        }
        let left = open.iter().map(|q| MagicReport::open(q.clone(), format!("{stop} reached")));
        for report in left {
            rest += &render_magic(&report, args.verbose);
            reports.push(report);
        }
        rest += &drive.hint();
    }
    // As text, the other answers were printed when they were found.
    let object = magic_json(name, &reports, drive.budget.elapsed());
    drive.deliver(&object, || rest, || conformance_page(&args, &reports))?;
    if let Some(path) = &args.certificate {
        let all: Vec<&MagicAnswer> = answers.iter().map(AsRef::as_ref).collect();
        let traces = args.conformance == Notion::Traces;
        let text = write_proofs(&all, traces).map_err(|why| Failure::internal(&why))?;
        files::write(path, |out| out.write_all(text.as_bytes()))?;
    }
    let first = reports.iter().find_map(|report| Some((report.counterexample?, &report.notes)));
    if let Some(((dag, lts, spec), notes)) = first {
        let graph = || dag_graph_with(dag, lts, spec, notes);
        files::draw(args.dot.as_deref(), args.svg.as_deref(), graph)?;
    }
    Ok(Verdict::worst(reports.iter().map(MagicReport::answer)).into())
}

/// The text of the system file, and the counterexamples.
fn conformance_page(args: &MagicArgs, reports: &[MagicReport<'_>]) -> Page {
    let name = args.file.display().to_string();
    let text = std::fs::read_to_string(&args.file).unwrap_or_default();
    let mut page = Page { sources: vec![(name, text)], ..Page::default() };
    for report in reports {
        if let Some((dag, lts, spec)) = report.counterexample {
            let mut graph = PageGraph::from(&dag_graph_with(dag, lts, spec, &report.notes));
            graph.title = format!("Counterexample to {}", report.name);
            page.graphs.push(graph);
            page.graphs.push(PageGraph {
                title: String::from("Specification"),
                ..PageGraph::from(&lts_graph(spec))
            });
        }
    }
    page
}

fn work(args: &MagicArgs, board: &Board, shared: &Shared, budget: &Budget) -> Result<(), Failure> {
    let mut task = load_magic(&args.file)?;
    let read = task.files();
    let read: Vec<&Path> = read.iter().map(PathBuf::as_path).collect();
    let written = [&args.certificate, &args.dot, &args.svg].into_iter().flatten();
    written.into_iter().try_for_each(|path| files::spare(path, &read))?;
    if let Some(procedure) = &args.extract {
        let found = task.extract(procedure, budget)?;
        let found = found.map_err(|why| Failure::open("P0031", &why))?;
        let (states, transitions) = found.size;
        told(shared).news = format!(
            "// {procedure} conforms to this: {states} states, {transitions} transitions \
             (checked by {})\n{}",
            found.checked_by, found.text
        );
        return Ok(());
    }
    let wanted = |name: &str| {
        args.question.is_empty() || args.question.iter().any(|part| name.contains(part.as_str()))
    };
    let questions: Vec<_> = task.questions().into_iter().filter(|q| wanted(&q.name)).collect();
    if args.list {
        let names = questions.iter().map(|question| format!("{}\n", visible(&question.name)));
        told(shared).news = names.collect();
        return Ok(());
    }
    if questions.is_empty() {
        let message = "the system file asks nothing: state a target or a specification";
        return Err(Failure::input("P0013", message));
    }
    task.check_conditions(budget)?;
    {
        let mut told = told(shared);
        told.name = task.name().to_owned();
        told.open = questions.iter().map(|question| question.name.clone()).collect();
        if args.prints() {
            told.news = format!("{}\n", visible(task.name()));
        }
    }
    let config = MagicConfig {
        minimize: !args.all_predicates,
        two_level: !args.one_level,
        deadlock: args.deadlock,
        ..MagicConfig::default()
    };
    let traces = args.conformance == Notion::Traces;
    for question in &questions {
        board.begin(&question.name, "");
        let answer = task.answer(question, &config, traces, budget)?;
        let mut told = told(shared);
        if args.prints() {
            told.news += &render_magic(&answer.report(), args.verbose);
        }
        told.answers.push(Arc::new(answer));
        told.open.pop_front();
    }
    Ok(())
}

/// Checks proofs of a system from a file.
pub(crate) fn certify(args: &CertifyArgs, file: &Path, evidence: &Path) -> Result<Exit, Failure> {
    args.asks_nothing("a system file asks its own questions")?;
    let proof = files::read(evidence)?;
    let file = file.to_owned();
    let checkers = args.checkers()?;
    let work = move |budget: &Budget| -> Result<_, Failure> {
        let mut task = load_magic(&file)?;
        task.check_conditions(budget)?;
        let mut results = Vec::new();
        for question in task.questions() {
            let result = task.certify(&question, &proof, &checkers, budget)?;
            results.push((question.name, result));
        }
        Ok(results)
    };
    let drive = Drive::new(args);
    let results = match drive.run(work)? {
        Driven::Done(results) => results,
        Driven::Stopped(stop) => return Ok(drive.unfinished(stop)),
    };
    let verdict = |result: &Result<Certified, String>| match result {
        Ok(found) if found.holds() => Verdict::Holds,
        Ok(_) => Verdict::Violated,
        Err(_) => Verdict::Unknown,
    };
    let object = {
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
        let row = |(name, result): &(String, Result<Certified, String>)| RowJson {
            name: name.clone(),
            verdict: verdict(result),
            checked_by: result.iter().map(|found| found.by.clone()).collect(),
            reason: result.as_ref().err().cloned(),
        };
        let accepted = results.iter().filter_map(|(_, result)| result.as_ref().ok());
        let assumptions = accepted.flat_map(|found| &found.assumes);
        CertifiedJson {
            schema: "parallax-certified-conformance/1",
            envelope: Envelope::new(results.iter().map(row).collect(), assumptions),
            stats: CostJson::after(drive.budget.elapsed()),
            questions: answers,
        }
    };
    let line = |(name, result): &(String, Result<Certified, String>)| {
        let line = match result {
            Ok(found) => {
                let traces = if found.traces { " by traces" } else { "" };
                let what = if found.by == "interpreter" { "steps" } else { "queries" };
                let (word, by) = (found.verdict, &found.by);
                let answer = verdict(result);
                let assumes = visible(&found.assumes.join("; ")).into_owned();
                format!(
                    "{answer} ({word}{traces}; checked by {by}, {} {what})\n  assumes: {assumes}",
                    found.count
                )
            }
            Err(why) => format!("unknown: {}", visible(why)),
        };
        format!("{}: {line}\n", visible(name))
    };
    drive.deliver(&object, || results.iter().map(line).collect(), Page::default)?;
    Ok(Verdict::worst(results.iter().map(|(_, result)| verdict(result))).into())
}

/// Evidence of a file, question by question, for scripts.
#[derive(serde::Serialize)]
struct CertifiedJson {
    schema: &'static str,
    #[serde(flatten)]
    envelope: Envelope,
    stats: CostJson,
    questions: Vec<serde_json::Value>,
}
