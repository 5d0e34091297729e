//! What `parallax show` takes.

use crate::args::Format;
use crate::call_args::CallBounds;
use crate::question_args::CArgs;
use std::path::PathBuf;

#[derive(clap::Args, Debug)]
pub(crate) struct ShowArgs {
    /// A model, or the files of a C program
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Override a constant of the model, or define a macro; may be repeated
    #[arg(short = 'D', value_name = "NAME=VALUE")]
    pub(crate) defines: Vec<String>,
    #[command(flatten)]
    pub(crate) c: CArgs,
    /// Show the control-flow automata of a C program
    #[arg(long, help_heading = "C programs")]
    pub(crate) cfa: bool,
    /// Show the program that calls this function with arbitrary arguments; with --cfa,
    /// show this function only (may be repeated)
    #[arg(long, value_name = "NAME", group = "called", help_heading = "Calling a function of C")]
    pub(crate) function: Vec<String>,
    #[command(flatten)]
    pub(crate) bounds: CallBounds,
    /// Print alpha and gamma of this set of states of a model, for the predicates given
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true, help_heading = "Abstraction")]
    pub(crate) abstraction: Option<String>,
    /// List the abstract transitions of a model, for the predicates given
    #[arg(long, conflicts_with = "abstraction", help_heading = "Abstraction")]
    pub(crate) relation: bool,
    /// A predicate over the variables of a model; may be repeated
    #[arg(
        long = "predicate",
        value_name = "EXPR",
        allow_hyphen_values = true,
        help_heading = "Abstraction"
    )]
    pub(crate) predicates: Vec<String>,
    /// Print the Horn clauses of a property as SMT-LIB, in the format of CHC-COMP
    #[arg(long, conflicts_with_all = ["cfa", "abstraction", "relation"], help_heading = "Horn clauses")]
    pub(crate) chc: bool,
    /// Which property, if there are several
    #[arg(long = "property", value_name = "NAME", requires = "chc", help_heading = "Horn clauses")]
    pub(crate) property: Option<String>,
    /// A listing, or a graph of the processes or functions
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
    /// The same as --format dot
    #[arg(long, conflicts_with = "format")]
    pub(crate) dot: bool,
    /// The same as --format svg
    #[arg(long, conflicts_with_all = ["format", "dot"])]
    pub(crate) svg: bool,
    /// Where to write it instead of the terminal
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}
