//! The options of `optimize` and `invariants`.

use crate::args::LimitArgs;
use crate::call_args::CallArgs;
use crate::deliver::FormatArgs;
use crate::question_args::CArgs;
use clap::ValueEnum;
use clap::builder::PossibleValuesParser;
use parallax::invariants::Family;
use parallax::optimize::OptimizeEngine;
use std::path::PathBuf;

#[derive(clap::Args, Debug)]
pub(crate) struct OptimizeArgs {
    /// The problem: `(=> phi (and (< t k) ...))`, or `maximize` and `minimize`
    pub(crate) file: PathBuf,
    /// Who searches
    #[arg(long, value_name = "ENGINE", default_value = "auto", help_heading = "Engines",
          value_parser = optimize_engines())]
    pub(crate) engine: String,
    /// How many threads search
    #[arg(short, long, value_name = "N", default_value_t = 1, help_heading = "Engines")]
    pub(crate) jobs: usize,
    /// `symba`: force a global push after this many checks for unboundedness
    #[arg(long, value_name = "N", help_heading = "Engines")]
    pub(crate) force_push: Option<u64>,
    /// `symba`: weights of growth and of open classes in the order of templates
    #[arg(long, value_name = "A,B", default_value = "1,10", help_heading = "Engines",
          value_parser = priority, allow_hyphen_values = true)]
    pub(crate) priority: (i64, i64),
    /// `symba`: do not round up to integers
    #[arg(long, help_heading = "Engines")]
    pub(crate) no_rounding: bool,
    /// `symba`: let every template see all hyperplanes
    #[arg(long, help_heading = "Engines")]
    pub(crate) no_reduction: bool,
    /// Have the bounds accepted by a second solver as well
    #[arg(long, help_heading = "Engines")]
    pub(crate) cross_check: bool,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    /// `symba`: print each rule and the state `<M, U, O>` after it
    #[arg(long, help_heading = "Output", conflicts_with = "json")]
    pub(crate) trace: bool,
    /// Print one JSON object and nothing else
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
    /// Save the evidence for `parallax certify`
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) certificate: Option<PathBuf>,
    /// Write every solver query into this folder, as SMT-LIB
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub(crate) record: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) formats: FormatArgs,
}

#[derive(clap::Args, Debug)]
pub(crate) struct InvariantsArgs {
    /// A model, or the files of a C program
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Override a constant of the model, or define a macro; may be repeated
    #[arg(short = 'D', value_name = "NAME=VALUE")]
    pub(crate) defines: Vec<String>,
    #[command(flatten)]
    pub(crate) c: CArgs,
    #[command(flatten)]
    pub(crate) call: CallArgs,
    /// Which linear terms are bounded
    #[arg(long, value_enum, default_value_t)]
    pub(crate) templates: TemplateFamily,
    /// A term to bound besides, such as `x+2*y-z`; may be repeated
    #[arg(long = "template", value_name = "TERM", allow_hyphen_values = true)]
    pub(crate) template: Vec<String>,
    /// How bounds are carried: by symbolic abstraction of whole blocks, or statement by statement
    #[arg(long, value_enum, default_value_t)]
    pub(crate) analysis: AnalysisMode,
    /// Have the invariants accepted by a second solver as well
    #[arg(long)]
    pub(crate) cross_check: bool,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    /// Print one JSON object and nothing else
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
    /// Write the evidence to a file, for `parallax certify`
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) certificate: Option<PathBuf>,
    /// Draw the program with what holds at its loops, for Graphviz
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) dot: Option<PathBuf>,
    /// Draw the program with what holds at its loops, as a picture
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) svg: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) formats: FormatArgs,
}

/// Which linear terms are bounded.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) enum TemplateFamily {
    // Intervals, equations and congruences, sums that the program compares, some
    // octagons.
    #[default]
    Auto,
    // Single variables.
    Intervals,
    // Sums and differences of two.
    Octagons,
    // Sums and differences of up to three.
    Octahedra,
    // Single variables; equations and congruences of any.
    Affine,
}

/// How bounds are carried along steps.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) enum BoundsBy {
    // By symbolic abstraction.
    #[default]
    Symba,
    // One statement after the other.
    Statements,
    // The same as textbooks have it.
    Plain,
    // The same without narrowing.
    Widened,
}

/// How bounds are carried along steps, or both ways.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) enum AnalysisMode {
    // By symbolic abstraction.
    #[default]
    Symba,
    // One statement after the other.
    Statements,
    // The same as textbooks have it.
    Plain,
    // The same without narrowing.
    Widened,
    // The first two, loop by loop.
    Compare,
    // The first and the third.
    ComparePlain,
    // The first and the fourth.
    CompareWidened,
}

impl TemplateFamily {
    pub(crate) fn family(self) -> Family {
        match self {
            TemplateFamily::Auto => Family::Auto,
            TemplateFamily::Intervals => Family::Intervals,
            TemplateFamily::Octagons => Family::Octagons,
            TemplateFamily::Octahedra => Family::Octahedra,
            TemplateFamily::Affine => Family::Affine,
        }
    }
}

/// Two weights, such as `1,10`.
fn priority(text: &str) -> Result<(i64, i64), String> {
    let weights = text.split_once(',').map(|(a, b)| (a.trim().parse(), b.trim().parse()));
    match weights {
        Some((Ok(a), Ok(b))) => Ok((a, b)),
        _ => Err(String::from("give two integers, such as `1,10`")),
    }
}

fn optimize_engines() -> PossibleValuesParser {
    PossibleValuesParser::new(OptimizeEngine::ALL.map(OptimizeEngine::name))
}
