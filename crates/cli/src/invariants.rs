//! `parallax invariants`

use crate::args::LimitArgs;
use crate::bounds_args::{AnalysisMode, InvariantsArgs};
use crate::deliver::FormatArgs;
use crate::drive::{Drive, Driven, Timed};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::files;
use crate::question_args::load_options;
use crate::unfinished::Asked;
use parallax::invariants::{Analysis, Found, InvariantOptions, Loop, find_invariants};
use parallax::report::{
    INVARIANTS_SCHEMA, InvariantsReport, LoopReport, OtherReport, Page, PageInvariant,
    invariants_graph, invariants_json, page_place, render_invariants,
};
use parallax::{
    Blocks, COptions, Encoding, Passes, SolverConfig, Verdict, check_page, load_files,
    save_evidence,
};
use parallax_base::Budget;
use std::path::{Path, PathBuf};

/// Finds invariants and shows them.
pub(crate) fn run(args: InvariantsArgs) -> Result<Exit, Failure> {
    files::prepare(outputs(&args), args.files.iter().map(PathBuf::as_path))?;
    let drive = Drive::new(&args);
    let [certificate, dot, svg] = [&args.certificate, &args.dot, &args.svg].map(Clone::clone);
    let (family, analysis) = (args.templates.family(), args.analysis);
    let (found, other) = match drive.run(move |budget| work(&args, budget))? {
        Driven::Done(found) => found,
        Driven::Stopped(stop) => return Ok(drive.unfinished(stop)),
    };
    if let Some(path) = &certificate {
        files::write(path, |out| save_evidence(&found.task, &found.checked, out))?;
    }
    let report = InvariantsReport {
        run: found.checked.report(&found.task),
        sources: &found.task.sources,
        analysis: match analysis {
            AnalysisMode::Statements => "statement by statement",
            AnalysisMode::Plain => "statement by statement, plain intervals",
            AnalysisMode::Widened => "statement by statement, plain intervals, no narrowing",
            _ => "symbolic abstraction",
        },
        family: family.word(),
        is_cut: found.is_cut,
        loops: found.loops.iter().map(|l| loop_report(l, other.as_ref())).collect(),
    };
    files::draw(dot.as_deref(), svg.as_deref(), || invariants_graph(&found.task.program, &report))?;
    drive.deliver(
        &invariants_json(&report),
        || render_invariants(&report),
        || invariants_page(&found, &report),
    )?;
    Ok(match report.run.verdict() {
        Verdict::Holds => Exit::Holds,
        _ => Exit::Unknown,
    })
}

/// The files that are written.
fn outputs(args: &InvariantsArgs) -> impl Iterator<Item = &Path> {
    let files = [&args.certificate, &args.dot, &args.svg];
    files.into_iter().flatten().map(PathBuf::as_path).chain(args.formats.outputs())
}

impl Timed for InvariantsArgs {
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
        let hint = Some("a smaller family with --templates, or more with --time");
        Asked { hint, ..Asked::about(INVARIANTS_SCHEMA, &self.files[0]) }
    }
}

/// The source with the facts at its loops.
fn invariants_page(found: &Found, report: &InvariantsReport<'_>) -> Page {
    let object = serde_json::to_value(invariants_json(report)).unwrap_or_default();
    let mut page = check_page("invariants", &found.task, &found.checked, object);
    page.invariants = Vec::new();
    for of in &report.loops {
        let text = match of.facts {
            _ if !of.is_reached => String::from("never reached"),
            [] => String::from("nothing"),
            facts => facts.join("\n"),
        };
        let place = page_place(report.sources, of.span);
        let property = None;
        page.invariants.extend(place.map(|place| PageInvariant { property, place, text }));
    }
    page
}

fn loop_report<'a>(of: &'a Loop, other: Option<&'a Found>) -> LoopReport<'a> {
    let same = other.and_then(|found| found.loops.iter().find(|l| l.key == of.key));
    LoopReport {
        span: of.span,
        name: &of.name,
        copy: of.copy,
        place: &of.place,
        is_reached: of.is_reached,
        facts: &of.facts,
        other: same.map(|other| OtherReport {
            is_reached: other.is_reached,
            facts: &other.facts,
            comparison: of.compare(other).word(),
        }),
    }
}

/// The part that takes time: the invariants, and those to compare with.
fn work(args: &InvariantsArgs, budget: &Budget) -> Result<(Found, Option<Found>), Failure> {
    let symbolic = |analysis: Analysis| -> Result<Found, Failure> {
        let c = COptions {
            encoding: Encoding::Integers,
            blocks: match analysis {
                Analysis::Symbolic => Blocks::LoopFree,
                _ => Blocks::Single,
            },
            passes: Passes::Whole,
            call: args.call.request(),
            budget: budget.clone(),
            ..args.c.options(&args.defines)
        };
        let task = load_files(&args.files, &load_options(&args.files, &args.defines, c)?)?;
        files::spare_sources(outputs(args), &task.sources)?;
        let options = InvariantOptions {
            analysis,
            family: args.templates.family(),
            templates: args.template.clone(),
            solver: SolverConfig::default(),
            cross_check: args.cross_check,
        };
        Ok(find_invariants(task, &options, budget)?)
    };
    let (first, other) = match args.analysis {
        AnalysisMode::Symba => (Analysis::Symbolic, None),
        AnalysisMode::Statements => (Analysis::Statements, None),
        AnalysisMode::Plain => (Analysis::Plain, None),
        AnalysisMode::Widened => (Analysis::Widened, None),
        AnalysisMode::Compare => (Analysis::Symbolic, Some(Analysis::Statements)),
        AnalysisMode::ComparePlain => (Analysis::Symbolic, Some(Analysis::Plain)),
        AnalysisMode::CompareWidened => (Analysis::Symbolic, Some(Analysis::Widened)),
    };
    Ok((symbolic(first)?, other.map(symbolic).transpose()?))
}
