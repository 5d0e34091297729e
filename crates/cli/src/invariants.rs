//! `parallax invariants`

use crate::args::LimitArgs;
use crate::bounds_args::{AnalysisMode, InvariantsArgs};
use crate::drive::{Drive, Driven, Timed};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::question_args::load_options;
use crate::unfinished::Asked;
use crate::{files, terminal};
use parallax::invariants::{Analysis, Found, InvariantOptions, Loop, find_invariants};
use parallax::report::{
    INVARIANTS_SCHEMA, InvariantsReport, LoopReport, OtherReport, invariants_json,
    render_invariants,
};
use parallax::{
    Blocks, COptions, Encoding, Passes, SolverConfig, Verdict, load_files, save_evidence,
};
use parallax_base::Budget;
use std::path::PathBuf;

/// Finds invariants and shows them.
pub(crate) fn run(args: InvariantsArgs) -> Result<Exit, Failure> {
    files::prepare(args.certificate.as_deref(), args.files.iter().map(PathBuf::as_path))?;
    let drive = Drive::new(&args);
    let (json, certificate) = (args.json, args.certificate.clone());
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
    if json {
        terminal::print_json(&invariants_json(&report));
    } else {
        terminal::print(&render_invariants(&report));
    }
    Ok(match report.run.verdict() {
        Verdict::Holds => Exit::Holds,
        _ => Exit::Unknown,
    })
}

impl Timed for InvariantsArgs {
    fn limits(&self) -> LimitArgs {
        self.limits
    }

    fn is_json(&self) -> bool {
        self.json
    }

    fn asked(&self) -> Asked {
        let hint = Some("a smaller family with --templates, or more with --time");
        Asked { hint, ..Asked::about(INVARIANTS_SCHEMA, &self.files[0]) }
    }
}

fn loop_report<'a>(of: &'a Loop, other: Option<&'a Found>) -> LoopReport<'a> {
    let same = other.and_then(|found| found.loops.iter().find(|l| l.key == of.key));
    LoopReport {
        span: of.span,
        name: &of.name,
        copy: of.copy,
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
            budget: budget.clone(),
            ..args.c.options(&args.defines)
        };
        let task = load_files(&args.files, &load_options(&args.files, &args.defines, c)?)?;
        files::spare_sources(args.certificate.as_deref(), &task.sources)?;
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
