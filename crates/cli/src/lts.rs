//! `parallax lts`: labelled transition systems from FSP or `.aut` files.

use crate::args::LimitArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::limits::default_memory;
use crate::supervise::{Ended, supervise};
use crate::{files, terminal};
use clap::ValueEnum;
use parallax::lts::{
    Conformance, LtsChecked, LtsError, LtsOptions, LtsTask, Minimize, Simulated, check_lts,
    list_processes, load_lts, simulates, trace_contained, write_aut,
};
use parallax::report::{
    Compared, dag_graph, lts_graph, lts_json, render_diagnostics, render_lts, to_dot, to_svg,
};
use parallax_base::Budget;
use std::path::PathBuf;

#[derive(clap::Args, Clone, Debug)]
pub(crate) struct LtsArgs {
    /// The file: FSP (.lts), or Aldebaran (.aut)
    pub(crate) file: PathBuf,
    /// The process to compile [default: the last composition, else all processes together]
    #[arg(short, long, value_name = "NAME")]
    pub(crate) process: Option<String>,
    /// List the processes of the file and do nothing else
    #[arg(long)]
    pub(crate) list: bool,
    /// Take the smallest bisimilar system instead
    #[arg(long, value_enum, value_name = "HOW")]
    pub(crate) minimize: Option<How>,
    /// Minimize machines (weakly) before they are composed
    #[arg(long)]
    pub(crate) minimize_parts: bool,
    /// Check that it conforms to this: a process of the file, or another file, or FILE:PROCESS
    #[arg(long, value_name = "SPEC")]
    pub(crate) against: Option<String>,
    /// What it means to conform
    #[arg(long, value_enum, default_value_t, requires = "against")]
    pub(crate) conformance: Notion,
    /// Write the system in the Aldebaran format
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) aut: Option<PathBuf>,
    /// Draw the system, or how it differs from --against, for Graphviz
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) dot: Option<PathBuf>,
    /// Draw the system, or how it differs from --against, as a picture
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) svg: Option<PathBuf>,
    /// Print one JSON object and nothing else
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

#[derive(ValueEnum, Clone, Copy, Debug)]
pub(crate) enum How {
    /// Strong bisimulation
    Strong,
    /// Weak bisimulation: silent steps do not count
    Weak,
}

#[derive(ValueEnum, Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(crate) enum Notion {
    /// Weak simulation
    #[default]
    Simulation,
    /// Trace containment, which may cost exponentially more
    Traces,
}

/// How a comparison ended.
enum Outcome {
    Simulation(Simulated),
    Traces(parallax::lts::Contained),
}

impl From<LtsError> for Failure {
    fn from(error: LtsError) -> Failure {
        match error {
            LtsError::Load(error) => error.into(),
            LtsError::Stopped(_) => {
                let help = "give more with --time and --memory, or try --minimize-parts";
                Failure::unfinished("P0030", &error.to_string(), help)
            }
        }
    }
}

/// Compiles, checks, compares and draws.
pub(crate) fn run(args: LtsArgs) -> Result<Exit, Failure> {
    for path in [&args.aut, &args.dot, &args.svg].into_iter().flatten() {
        files::has_folder(path)?;
    }
    if args.list {
        let text = files::read(&args.file)?;
        for (name, kind) in list_processes(&args.file.display().to_string(), &text)? {
            terminal::print(&format!("{kind:<12} {name}\n"));
        }
        return Ok(Exit::Holds);
    }
    let budget = Budget::new(Some(args.limits.time), args.limits.memory.or_else(default_memory));
    let (work_args, work_budget) = (args.clone(), budget.clone());
    let work = move || work(&work_args, &work_budget);
    let (task, checked, compared) = match supervise(&budget, || {}, work) {
        Ended::Done(result) => result?,
        Ended::Panicked(message) => return Err(Failure::internal(&message)),
        Ended::Abandoned(stop) => return Err(LtsError::Stopped(stop).into()),
    };
    let look = terminal::look(&std::io::stderr());
    let warnings = render_diagnostics(&task.sources, &task.warnings, look);
    if !warnings.is_empty() && !args.json {
        terminal::note(warnings.trim_end());
    }
    let with = compared.as_ref().map(|(spec, outcome)| {
        let compared = match outcome {
            Outcome::Simulation(found) => Compared::Simulation(found),
            Outcome::Traces(found) => Compared::Traces(found),
        };
        (&spec.lts, compared)
    });
    let report = checked.report(&task, with);
    if args.json {
        terminal::print_json(&lts_json(&report));
    } else {
        terminal::print(&render_lts(&report));
    }
    if let Some(path) = &args.aut {
        files::write(path, |out| out.write_all(write_aut(&task.lts).as_bytes()))?;
    }
    let graph = || match &compared {
        Some((spec, Outcome::Simulation(Simulated { conformance, .. }))) => match conformance {
            Conformance::Differs(dag) => dag_graph(dag, &task.lts, &spec.lts),
            Conformance::Conforms(_) => lts_graph(&task.lts),
        },
        _ => lts_graph(&task.lts),
    };
    if let Some(path) = &args.dot {
        files::write(path, |out| out.write_all(to_dot(&graph()).as_bytes()))?;
    }
    if let Some(path) = &args.svg {
        files::write(path, |out| out.write_all(to_svg(&graph()).as_bytes()))?;
    }
    // Against a specification, the question is conformance alone.
    let fine = report.compared.map_or_else(|| report.holds(), |(_, compared)| compared.conforms());
    Ok(if fine { Exit::Holds } else { Exit::Violated })
}

type Done = (LtsTask, LtsChecked, Option<(LtsTask, Outcome)>);

/// The part that takes time.
fn work(args: &LtsArgs, budget: &Budget) -> Result<Done, Failure> {
    let minimize = match args.minimize {
        None => Minimize::No,
        Some(How::Strong) => Minimize::Strong,
        Some(How::Weak) => Minimize::Weak,
    };
    let minimize_parts = args.minimize_parts;
    let options = LtsOptions { process: args.process.clone(), minimize, minimize_parts };
    let task = load_lts(&args.file, &options, budget)?;
    let checked = check_lts(&task);
    let Some(against) = &args.against else { return Ok((task, checked, None)) };
    let (file, process) = specification(args, against);
    let options = LtsOptions { process, minimize: Minimize::No, minimize_parts };
    let spec = load_lts(&file, &options, budget)?;
    let stopped = |stop| Failure::from(LtsError::Stopped(stop));
    let outcome = match args.conformance {
        Notion::Simulation => {
            Outcome::Simulation(simulates(&task.lts, &spec.lts, budget).map_err(stopped)?)
        }
        Notion::Traces => {
            Outcome::Traces(trace_contained(&task.lts, &spec.lts, budget).map_err(stopped)?)
        }
    };
    Ok((task, checked, Some((spec, outcome))))
}

/// The file and the process that `--against` names.
fn specification(args: &LtsArgs, against: &str) -> (PathBuf, Option<String>) {
    let is_file = |name: &str| [".lts", ".fsp", ".aut"].iter().any(|end| name.ends_with(end));
    if is_file(against) {
        return (against.into(), None);
    }
    match against.rsplit_once(':') {
        Some((file, process)) if is_file(file) => (file.into(), Some(process.to_owned())),
        _ => (args.file.clone(), Some(against.to_owned())),
    }
}
