//! What the command line takes. `parallax help COMMAND` is made from this file.

use crate::bounds_args::{BoundsBy, InvariantsArgs, OptimizeArgs, TemplateFamily};
use crate::call_args::CallArgs;
use crate::cegar_args::CegarArgs;
use crate::deliver::{Delivery, FormatArgs};
use crate::drive::Timed;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::limits::{DEFAULT_TIME, define, size, time};
use crate::question_args::{CArgs, QuestionArgs};
use crate::servant;
use crate::show_args::ShowArgs;
use clap::builder::PossibleValuesParser;
use clap::error::ErrorKind;
use clap::{Parser, Subcommand, ValueEnum};
use parallax::invariants::Analysis;
use parallax::{
    Blocks, COptions, CegarOrder, Checkers, Encoding, EngineConfig, Given, InitialPredicates,
    LoadOptions, Order, Passes, Search, SolverConfig, engines,
};
use parallax_base::Budget;
use std::path::PathBuf;
use std::time::Duration;

/// A model checker that hands out no verdict without checked evidence.
#[derive(Parser, Debug)]
#[command(name = "parallax", version, max_term_width = 100, after_help = CODES)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

const CODES: &str = "\
Exit codes: 0 holds, 10 violated, 20 unknown, 2 usage, 65 bad input, 70 internal error.
Start with:  parallax check model.plx  or  parallax check program.c";

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Check the properties of a model or a C program
    Check(Box<CheckArgs>),
    /// Check an evidence file against its model or C program
    Certify(CertifyArgs),
    /// Run a model step by step, or at random
    Simulate(SimulateArgs),
    /// Run a C program with given or random inputs
    Run(RunArgs),
    /// Show a model or C program as it is analyzed
    Show(ShowArgs),
    /// Translate a formula of linear temporal logic into a Büchi automaton
    Ltl(LtlArgs),
    /// Compile, check and compare labelled transition systems (FSP, .aut)
    Lts(crate::lts::LtsArgs),
    /// Check C procedures against labelled transition systems (.magic)
    Magic(crate::magic::MagicArgs),
    /// Lay out models in the one style
    Fmt(FmtArgs),
    /// Bound linear terms over the models of a formula (SMT-LIB)
    Optimize(OptimizeArgs),
    /// Find inductive invariants of the loops of a C program or a model
    Invariants(InvariantsArgs),
    /// Generate tests for a container in C
    Testgen(crate::testgen_args::TestgenArgs),
    /// Serve an editor, over the Language Server Protocol
    Lsp,
    /// List the engines
    Engines,
    /// Print completions for a shell
    Completions(CompletionsArgs),
    /// Write manual pages
    Man(ManArgs),
}

#[derive(clap::Args, Debug)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: clap_complete::Shell,
}

#[derive(clap::Args, Debug)]
pub(crate) struct ManArgs {
    /// The folder that the pages are written into
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,
}

#[derive(clap::Args, Debug)]
pub(crate) struct CheckArgs {
    /// A model, or the files of a C program: sources, a task definition
    /// (.yml), compile_commands.json
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) question: QuestionArgs,
    /// Call every function of the files, one after the other, and print a table
    #[arg(
        long,
        group = "called",
        conflicts_with_all = ["entry", "harness", "native", "witness", "certificate", "dot", "svg"],
        help_heading = "Calling a function of C"
    )]
    pub(crate) each_function: bool,
    /// How integers of C are analyzed: as numbers or as bit-vectors
    #[arg(long, value_enum, default_value_t, help_heading = "C programs")]
    pub(crate) encoding: Integers,
    /// What is one step of a C program: one operation, or all up to the next loop head
    #[arg(long, value_enum, default_value_t, help_heading = "C programs")]
    pub(crate) blocks: StepSize,
    /// What makes a C program smaller before it is encoded; `none` leaves nothing to trust
    #[arg(long, value_enum, default_value_t, help_heading = "C programs")]
    pub(crate) passes: Smaller,
    /// Write a C file into this folder that reproduces a failure
    #[arg(long, value_name = "DIR", help_heading = "C programs")]
    pub(crate) harness: Option<PathBuf>,
    /// Compile a failure with `cc` and run it, in a sandbox and under sanitizers
    #[arg(long, help_heading = "C programs")]
    pub(crate) native: bool,
    /// Write a witness in the format 2.0 of SV-COMP
    #[arg(long, value_name = "FILE", help_heading = "For other tools")]
    pub(crate) witness: Option<PathBuf>,
    /// Say whether a witness is right: its invariants are proved, its run is found and repeated
    #[arg(long, value_name = "WITNESS", help_heading = "For other tools",
          conflicts_with_all = ["certificate", "dot", "svg", "witness", "harness", "native", "record", "show", "ltl"])]
    pub(crate) validate: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,

    /// Who searches; `auto` chooses, `all` asks everyone and compares
    #[arg(long, value_name = "ENGINE", default_value = "auto", help_heading = "Engines",
          value_parser = engine_names())]
    pub(crate) engine: String,
    /// How `ase` shares work between paths
    #[arg(long, value_enum, default_value_t, help_heading = "Engines")]
    pub(crate) search: SearchMode,
    /// The order in which `ur` and `cegar` search; `rpo` (reverse postorder) is for `cegar` [default: bfs for `ur`, rpo for `cegar`]
    #[arg(long, value_enum, hide_default_value = true, help_heading = "Engines")]
    pub(crate) order: Option<SearchOrder>,
    /// The longest runs that `bmc` looks at, in steps
    #[arg(long, value_name = "STEPS", help_heading = "Engines")]
    pub(crate) depth: Option<u32>,
    /// Have every certificate accepted by a second solver as well
    #[arg(long, help_heading = "Engines")]
    pub(crate) cross_check: bool,
    /// Take every step of every process, also where one order stands for all
    #[arg(long, help_heading = "Engines")]
    pub(crate) no_por: bool,
    /// Track this condition over the variables everywhere, with `ase`, `ur` and `cegar`; may be repeated
    #[arg(
        long = "predicate",
        value_name = "EXPR",
        allow_hyphen_values = true,
        help_heading = "Engines"
    )]
    pub(crate) predicates: Vec<String>,
    /// Let `ur` begin without predicates, as on the slides of its authors
    #[arg(long, help_heading = "Engines")]
    pub(crate) no_initial_predicates: bool,
    #[command(flatten)]
    pub(crate) cegar: CegarArgs,
    /// Which linear terms `symba` bounds
    #[arg(long, value_enum, default_value_t, help_heading = "Engine symba")]
    pub(crate) templates: TemplateFamily,
    /// Bound this sum of variables as well, such as `x - 2*y`; may be repeated
    #[arg(
        long = "template",
        value_name = "SUM",
        allow_hyphen_values = true,
        help_heading = "Engine symba"
    )]
    pub(crate) template: Vec<String>,
    /// How `symba` carries bounds: by symbolic abstraction of whole blocks, or statement by statement
    #[arg(long, value_enum, default_value_t, help_heading = "Engine symba")]
    pub(crate) analysis: BoundsBy,

    /// Print one JSON object and nothing else
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
    /// Show more: source lines of counterexamples, how proofs were found
    #[arg(short, long, help_heading = "Output")]
    pub(crate) verbose: bool,
    /// Show more in full: the proof, or the abstract reachability graph of `cegar`
    #[arg(long, value_enum, value_name = "WHAT", help_heading = "Output")]
    pub(crate) show: Option<Detail>,
    /// Write the evidence to a file, for `parallax certify`
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) certificate: Option<PathBuf>,
    /// Draw the abstract transition system or reachability graph, for Graphviz
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) dot: Option<PathBuf>,
    /// Draw the abstract transition system or reachability graph, as a picture
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) svg: Option<PathBuf>,
    /// Write every solver query into this folder, as SMT-LIB
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub(crate) record: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) formats: FormatArgs,
}

#[derive(clap::Args, Clone, Copy, Debug)]
pub(crate) struct LimitArgs {
    /// End after this time, such as `90s` or `5m`
    #[arg(long, value_parser = time, default_value = DEFAULT_TIME, help_heading = "Limits")]
    pub(crate) time: Duration,
    /// End beyond this memory, such as `4G` [default: three quarters of the machine's]
    #[arg(long, value_parser = size, value_name = "SIZE", help_heading = "Limits")]
    pub(crate) memory: Option<u64>,
}

#[derive(clap::Args, Debug)]
#[command(override_usage = "parallax certify [OPTIONS] <FILE>... <CERTIFICATE>")]
pub(crate) struct CertifyArgs {
    /// A model, or the files of a C program; and last the evidence, as
    /// `check --certificate` writes it
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) question: QuestionArgs,
    /// What can be called of a container, for evidence of `testgen`
    #[arg(long, value_name = "FILE")]
    pub(crate) api: Option<PathBuf>,
    /// Have a second solver accept as well
    #[arg(long)]
    pub(crate) cross_check: bool,
    /// Print one JSON object and nothing else
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    #[command(flatten)]
    pub(crate) formats: FormatArgs,
}

#[derive(clap::Args, Debug)]
pub(crate) struct RunArgs {
    /// The files of a C program
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Define a macro; may be repeated
    #[arg(short = 'D', value_name = "NAME=VALUE")]
    pub(crate) defines: Vec<String>,
    #[command(flatten)]
    pub(crate) c: CArgs,
    #[command(flatten)]
    pub(crate) call: CallArgs,
    /// The next input; may be repeated
    #[arg(long = "input", value_name = "VALUE", allow_hyphen_values = true)]
    pub(crate) input: Vec<String>,
    /// A file with inputs, separated by blanks or line breaks
    #[arg(long, value_name = "FILE")]
    pub(crate) inputs: Option<PathBuf>,
    /// Random inputs after the given ones; the same seed gives the same run
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// What else ends the run: `overflow`, `initialized`, `sequencing`; may be repeated
    #[arg(short, long = "property", value_name = "NAME")]
    pub(crate) properties: Vec<String>,
    /// End after this many steps
    #[arg(long, value_name = "N", default_value_t = 100_000_000)]
    pub(crate) steps: u64,
    /// Show the inputs and the steps that matter to how it ends
    #[arg(long)]
    pub(crate) trace: bool,
    /// Show all steps
    #[arg(long, requires = "trace")]
    pub(crate) full: bool,
    /// Print one JSON object and nothing else
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(clap::Args, Debug)]
pub(crate) struct SimulateArgs {
    /// The model
    pub(crate) file: PathBuf,
    /// Override a constant of the model; may be repeated
    #[arg(short = 'D', value_name = "NAME=VALUE", value_parser = define)]
    pub(crate) defines: Vec<(String, String)>,
    /// Choose at random and do not ask
    #[arg(long)]
    pub(crate) random: bool,
    /// How many random steps
    #[arg(long, value_name = "N", default_value_t = 20, requires = "random")]
    pub(crate) steps: usize,
    /// Where chance begins; the same seed gives the same run
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub(crate) seed: u64,
}

#[derive(clap::Args, Debug)]
pub(crate) struct LtlArgs {
    /// The formula, such as `[] (request -> <> answer)`
    #[arg(allow_hyphen_values = true)]
    pub(crate) formula: String,
    /// Make the automaton of the negation
    #[arg(long)]
    pub(crate) negate: bool,
    /// Evaluate the formula on a word, such as `{b}({a,b}{b})^w`
    #[arg(long, value_name = "WORD")]
    pub(crate) word: Option<String>,
    /// Print the automaton in the HOA format; this is the default without --word
    #[arg(long)]
    pub(crate) hoa: bool,
    /// Print the automaton as a list of states
    #[arg(long, conflicts_with = "hoa")]
    pub(crate) text: bool,
    /// Print one JSON object and nothing else
    #[arg(long, conflicts_with_all = ["hoa", "text"])]
    pub(crate) json: bool,
    /// Draw the automaton, for Graphviz
    #[arg(long, value_name = "FILE")]
    pub(crate) dot: Option<PathBuf>,
    /// Draw the automaton, as a picture
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

#[derive(clap::Args, Debug)]
pub(crate) struct FmtArgs {
    /// The models; `-` reads one and prints it
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Change nothing; end with 10 if a file is not in style
    #[arg(long)]
    pub(crate) check: bool,
}

/// How `ase` shares work between paths. Plain comments below, so that both
/// kinds of help fit one page.
#[derive(ValueEnum, Clone, Copy, Default, Debug)]
pub(crate) enum SearchMode {
    // Match along each path alone: the algorithm as printed.
    PerPath,
    // The same, with a global table of concrete states.
    Plain,
    // Share all that is sound to share.
    #[default]
    Shared,
}

/// The order in which `ur` and `cegar` search.
#[derive(ValueEnum, Clone, Copy, Debug)]
pub(crate) enum SearchOrder {
    Bfs,
    Dfs,
    Rpo,
}

/// How integers of C are analyzed.
#[derive(ValueEnum, Clone, Copy, Default, Debug)]
pub(crate) enum Integers {
    // As bit-vectors if the program works on bits, else as integers.
    #[default]
    Auto,
    // As mathematical integers that wrap.
    Int,
    // As bit-vectors.
    Bv,
}

/// What is one step of a C program.
#[derive(ValueEnum, Clone, Copy, Default, Debug)]
pub(crate) enum StepSize {
    // One operation.
    Single,
    // All up to the next loop head.
    #[default]
    LoopFree,
}

/// What makes a C program smaller before it is encoded.
#[derive(ValueEnum, Clone, Copy, Default, Debug)]
pub(crate) enum Smaller {
    // Folding, slicing and the like, and what is known of ranges.
    #[default]
    All,
    // Nothing.
    None,
}

/// What can be shown beyond the verdict.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Detail {
    // Predicates, abstract states, prefix and fragment.
    Proof,
    // The abstract reachability graph.
    Arg,
}

/// How a model is shown.
#[derive(ValueEnum, Clone, Copy, Default, Debug)]
pub(crate) enum Format {
    // A listing.
    #[default]
    Text,
    // For Graphviz.
    Dot,
    // A picture.
    Svg,
}

fn engine_names() -> PossibleValuesParser {
    let names = engines(&EngineConfig::default()).into_iter().map(|e| e.name());
    PossibleValuesParser::new(["auto", "all"].into_iter().chain(names))
}

impl Command {
    /// The command, if it is one that takes time.
    pub(crate) fn timed(&self) -> Option<&dyn Timed> {
        match self {
            Command::Check(args) => Some(args.as_ref()),
            Command::Certify(args) => Some(args),
            Command::Optimize(args) => Some(args),
            Command::Invariants(args) => Some(args),
            Command::Ltl(args) => Some(args),
            Command::Lts(args) => Some(args),
            Command::Magic(args) => Some(args),
            Command::Testgen(args) => Some(args),
            Command::Simulate(_) | Command::Run(_) | Command::Show(_) => None,
            Command::Fmt(_) | Command::Lsp | Command::Engines => None,
            Command::Completions(_) | Command::Man(_) => None,
        }
    }
}

impl CertifyArgs {
    /// Who checks.
    pub(crate) fn checkers(&self) -> Result<Checkers, Failure> {
        let checkers = Checkers::new(SolverConfig::default());
        Ok(if self.cross_check { checkers.and_second()? } else { checkers })
    }

    /// Refuses questions where the file has its own, which `why` says.
    pub(crate) fn asks_nothing(&self, why: &str) -> Result<(), Failure> {
        let beyond = self.question.settings() + &self.question.asked();
        match beyond.is_empty() {
            true => Ok(()),
            false => Err(Failure::usage("P0001", &format!("{why}: leave out{beyond}"))),
        }
    }

    /// The files of the program, and the evidence.
    pub(crate) fn files(&self) -> Result<(&[PathBuf], &PathBuf), Failure> {
        match self.files.split_last() {
            Some((evidence, files)) if !files.is_empty() => Ok((files, evidence)),
            _ => {
                let message = "give a model or the files of a C program, and then the evidence";
                Err(Failure::usage("P0001", message))
            }
        }
    }
}

impl CheckArgs {
    /// How the files are read.
    pub(crate) fn load_options(&self, budget: &Budget) -> Result<LoadOptions, Failure> {
        let engine = self.engine.as_str();
        if !self.predicates.is_empty() && !["ase", "ur", "cegar", "auto", "all"].contains(&engine) {
            let message = format!("`--predicate` is for `ase`, `ur` and `cegar`, not `{engine}`");
            return Err(Failure::usage("P0001", &message));
        }
        if !self.template.is_empty() && !["symba", "auto", "all"].contains(&engine) {
            let message = format!("`--template` is for `symba`, not `{engine}`");
            return Err(Failure::usage("P0001", &message));
        }
        if self.no_initial_predicates && engine != "ur" {
            let message = "`--no-initial-predicates` is for `--engine ur`";
            return Err(Failure::usage("P0001", message));
        }
        let options = self.question.load_options(&self.files, budget)?;
        let c = COptions {
            encoding: match self.encoding {
                // Templates are sums of numbers.
                Integers::Auto if self.engine == "symba" => Encoding::Integers,
                Integers::Auto => Encoding::Suited,
                Integers::Int => Encoding::Integers,
                Integers::Bv => Encoding::Vectors,
            },
            blocks: match self.blocks {
                _ if self.engine == "symba" && self.analysis != BoundsBy::Symba => Blocks::Single,
                StepSize::Single => Blocks::Single,
                StepSize::LoopFree => Blocks::LoopFree,
            },
            passes: match self.passes {
                Smaller::All => Passes::All,
                Smaller::None => Passes::Plain,
            },
            ..options.c
        };
        let (predicates, templates) = (self.predicates.clone(), self.template.clone());
        Ok(LoadOptions { c, given: Given { predicates, templates }, ..options })
    }

    /// The options of the engines.
    pub(crate) fn config(&self) -> EngineConfig {
        let mut config = EngineConfig::default();
        config.ase.search = match self.search {
            SearchMode::PerPath => Search::PerPath,
            SearchMode::Plain => Search::Plain,
            SearchMode::Shared => Search::Shared,
        };
        config.bmc.depth = self.depth;
        config.ur.order = match self.order {
            Some(SearchOrder::Dfs) => Order::DepthFirst,
            Some(SearchOrder::Bfs | SearchOrder::Rpo) | None => Order::BreadthFirst,
        };
        if self.no_initial_predicates {
            config.ur.initial = InitialPredicates::Empty;
        }
        config.cegar = self.cegar.config(match self.order {
            Some(SearchOrder::Bfs) => CegarOrder::Bfs,
            Some(SearchOrder::Dfs) => CegarOrder::Dfs,
            Some(SearchOrder::Rpo) | None => CegarOrder::Rpo,
        });
        config.pdr.command = servant::command();
        config.symba.family = self.templates.family();
        config.symba.analysis = match self.analysis {
            BoundsBy::Symba => Analysis::Symbolic,
            BoundsBy::Statements => Analysis::Statements,
            BoundsBy::Plain => Analysis::Plain,
            BoundsBy::Widened => Analysis::Widened,
        };
        config
    }
}

impl Args {
    /// Reads the command line. Help and version are printed here; mistakes
    /// too, as an object if one is asked for.
    pub(crate) fn read() -> Result<Args, Exit> {
        Args::try_parse().map_err(|error| match error.kind() {
            ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
                crate::terminal::print(&error.render().to_string());
                Exit::Holds
            }
            _ if std::env::args_os().any(|arg| arg == "--json") => {
                let text = error.render().to_string();
                let first = text.lines().next().unwrap_or("").trim_start_matches("error: ");
                Failure::usage("P0001", first).print(true);
                Exit::Usage
            }
            _ => {
                // Nobody is left to tell if standard error is closed.
                let _ = error.print();
                Exit::Usage
            }
        })
    }

    /// Where results go.
    pub(crate) fn delivery(&self) -> Delivery {
        match &self.command {
            Command::Run(args) => Delivery { is_json: args.json, ..Delivery::default() },
            other => other.timed().map(Delivery::of).unwrap_or_default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definition_is_consistent_and_short() {
        Args::command().debug_assert();
        let mut check = Args::command();
        let check = check.find_subcommand_mut("check").expect("a command");
        // The options of one engine, those of calls and of other tools stand under headings of their own.
        let is_special = |h: &str| {
            h.starts_with("Engine ")
                || h.starts_with("Calling a function")
                || h == "For other tools"
        };
        let apart = |a: &clap::Arg| a.get_help_heading().is_some_and(is_special);
        let general = |a: &&clap::Arg| !a.is_positional() && !apart(a);
        let options = check.get_arguments().filter(general).count();
        assert!(options <= 33, "{options} options on the first page");
    }
}
