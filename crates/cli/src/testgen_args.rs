//! What `parallax testgen` takes.

use crate::args::LimitArgs;
use crate::deliver::FormatArgs;
use crate::question_args::CArgs;
use clap::ValueEnum;
use parallax::testgen::{Goal, Match};
use std::path::PathBuf;

#[derive(clap::Args, Debug)]
pub(crate) struct TestgenArgs {
    /// The container: C files
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// What can be called: a file; without it, a comment `/*@ testgen` of the first C file
    #[arg(long, value_name = "FILE")]
    pub(crate) api: Option<PathBuf>,
    /// The longest sequences
    #[arg(short, long, value_name = "M", default_value_t = 6,
          value_parser = clap::value_parser!(u32).range(0..=1000))]
    pub(crate) length: u32,
    /// How many values a parameter has [default: as many as the length]
    #[arg(short = 'n', long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) values: Option<u32>,
    /// What counts as the same state
    #[arg(short, long = "match", value_enum, value_name = "MODE", default_value_t = Matching::Complete)]
    pub(crate) matching: Matching,
    /// What a test has to add to be kept
    #[arg(long, value_enum, value_name = "GOAL", default_value_t = Coverage::Blocks)]
    pub(crate) coverage: Coverage,
    /// How many operations `random` tries
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    pub(crate) operations: u64,
    /// Where `random` begins
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Define a macro; may be repeated
    #[arg(short = 'D', value_name = "NAME=VALUE")]
    pub(crate) defines: Vec<String>,
    #[command(flatten)]
    pub(crate) c: CArgs,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,

    /// Write the suite into this folder
    #[arg(short, long, value_name = "DIR", help_heading = "Output")]
    pub(crate) out: Option<PathBuf>,
    /// How many shapes are drawn
    #[arg(long, value_name = "N", default_value_t = 200, help_heading = "Output")]
    pub(crate) shapes: usize,
    /// Compile the suite with sanitizers and run it; needs --out
    #[arg(long, requires = "out", help_heading = "Output")]
    pub(crate) run: bool,
    /// Write a sequence that fails to a file, for `parallax certify`
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) certificate: Option<PathBuf>,
    /// Print one JSON object and nothing else
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) formats: FormatArgs,
}

/// What counts as the same state. Plain comments, so that help fits one page.
#[derive(ValueEnum, Clone, Copy, Debug)]
pub(crate) enum Matching {
    // The bytes of the heap.
    Concrete,
    // The heap with its data, up to addresses.
    Complete,
    // The heap without its data.
    Shape,
    // Symbolic values; a state within one seen before.
    Subsumption,
    // Symbolic values; the heap without its data.
    SymbolicShape,
    // Sequences at random.
    Random,
    // What the abstraction of the API says.
    User,
}

impl Matching {
    pub(crate) fn value(self) -> Match {
        match self {
            Matching::Concrete => Match::Concrete,
            Matching::Complete => Match::Complete,
            Matching::Shape => Match::Shape,
            Matching::Subsumption => Match::Subsumption,
            Matching::SymbolicShape => Match::SymbolicShape,
            Matching::Random => Match::Random,
            Matching::User => Match::User,
        }
    }
}

/// What a test has to add.
#[derive(ValueEnum, Clone, Copy, Debug)]
pub(crate) enum Coverage {
    // Basic blocks, or the probes of the code.
    Blocks,
    // Combinations of predicates at blocks.
    Predicates,
    // Outcomes of conditions.
    Branches,
}

impl Coverage {
    pub(crate) fn goal(self) -> Goal {
        match self {
            Coverage::Blocks => Goal::Blocks,
            Coverage::Predicates => Goal::Predicates,
            Coverage::Branches => Goal::Branches,
        }
    }
}
