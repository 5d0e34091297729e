//! `parallax lts`: labelled transition systems from FSP or `.aut` files.

use crate::args::{CertifyArgs, LimitArgs};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::limits::default_memory;
use crate::supervise::{Ended, supervise};
use crate::{files, terminal};
use clap::ValueEnum;
use parallax::Verdict;
use parallax::lts::{
    self, Comparison, LtsCertified, LtsChecked, LtsError, LtsOptions, LtsTask, Minimize,
    SystemsSettings, certify_lts, check_lts, list_processes, load_lts, load_specification,
    write_aut,
};
use parallax::report::escape::visible;
use parallax::report::{
    lts_graph, lts_json, render_diagnostics, render_lts, simulation_graph, to_dot, to_svg,
};
use parallax_base::Budget;
use std::path::{Path, PathBuf};

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
    /// Write the evidence to a file, for `parallax certify`
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) certificate: Option<PathBuf>,
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

impl From<Notion> for lts::Notion {
    fn from(notion: Notion) -> lts::Notion {
        match notion {
            Notion::Simulation => lts::Notion::Simulation,
            Notion::Traces => lts::Notion::Traces,
        }
    }
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
    let written = [&args.aut, &args.dot, &args.svg, &args.certificate].into_iter().flatten();
    let specification = args.against.as_deref().map(Path::new);
    let read = [args.file.as_path()].into_iter().chain(specification);
    files::prepare(written.map(PathBuf::as_path), read)?;
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
    let (task, checked) = match supervise(&budget, || {}, work) {
        Ended::Done(result) => result?,
        Ended::Failed(failure) => return Err(failure),
        Ended::Abandoned(stop) => return Err(LtsError::Stopped(stop).into()),
    };
    let look = terminal::look(&std::io::stderr());
    let warnings = render_diagnostics(&task.sources, &task.warnings, look);
    if !warnings.is_empty() && !args.json {
        terminal::note(warnings.trim_end());
    }
    let report = checked.report(&task);
    if args.json {
        terminal::print_json(&lts_json(&report));
    } else {
        terminal::print(&render_lts(&report));
    }
    let put = |path: &Option<PathBuf>, text: &dyn Fn() -> String| match path {
        Some(path) => files::write(path, |out| out.write_all(text().as_bytes())),
        None => Ok(()),
    };
    let graph = || match &checked.compared {
        Some((spec, Comparison::Simulation(found))) => simulation_graph(found, &task.lts, spec),
        _ => lts_graph(&task.lts),
    };
    put(&args.aut, &|| write_aut(&task.lts))?;
    put(&args.dot, &|| to_dot(&graph()))?;
    put(&args.svg, &|| to_svg(&graph()))?;
    if args.certificate.is_some() {
        let text = checked.certificate(&task, settings(&args));
        let text = text.map_err(|error| Failure::internal(&error.to_string()))?;
        put(&args.certificate, &|| text.clone())?;
    }
    Ok(report.verdict.into())
}

/// How the system is made, for an evidence file.
fn settings(args: &LtsArgs) -> SystemsSettings {
    let minimize = args.minimize.map(|how| match how {
        How::Strong => "strong".to_owned(),
        How::Weak => "weak".to_owned(),
    });
    SystemsSettings {
        process: args.process.clone(),
        minimize,
        minimize_parts: args.minimize_parts,
        against: args.against.clone(),
        traces: args.conformance == Notion::Traces,
    }
}

/// The part that takes time.
fn work(args: &LtsArgs, budget: &Budget) -> Result<(LtsTask, LtsChecked), Failure> {
    let minimize = match args.minimize {
        None => Minimize::No,
        Some(How::Strong) => Minimize::Strong,
        Some(How::Weak) => Minimize::Weak,
    };
    let minimize_parts = args.minimize_parts;
    let options = LtsOptions { process: args.process.clone(), minimize, minimize_parts };
    let task = load_lts(&args.file, &options, budget)?;
    let against = match &args.against {
        Some(against) => {
            let spec = load_specification(&args.file, against, minimize_parts, budget)?;
            Some((spec, args.conformance.into()))
        }
        None => None,
    };
    let checked = check_lts(&task, against, budget).map_err(LtsError::Stopped)?;
    Ok((task, checked))
}

/// Checks evidence about a system from a file.
pub(crate) fn certify(args: &CertifyArgs, file: &Path, evidence: &Path) -> Result<Exit, Failure> {
    let budget = Budget::new(Some(args.limits.time), args.limits.memory.or_else(default_memory));
    let beyond = args.question.settings() + &args.question.asked();
    if !beyond.is_empty() {
        let message =
            format!("the evidence names the process and what is asked: leave out{beyond}");
        return Err(Failure::usage("P0001", &message));
    }
    let evidence = files::read(evidence)?;
    let (system, work_budget) = (file.to_owned(), budget.clone());
    let work = move || certify_lts(&system, &evidence, &work_budget);
    let found = match supervise(&budget, || {}, work) {
        Ended::Done(result) => result?,
        Ended::Failed(failure) => return Err(failure),
        Ended::Abandoned(stop) => return Err(LtsError::Stopped(stop).into()),
    };
    let (settings, answers) = found.map_err(|why| Failure::input("P0014", &why))?;
    let verdict = |found: &LtsCertified| match &found.answer {
        Ok(answer) => answer.verdict(),
        Err(_) => Verdict::Unknown,
    };
    let why = |found: &LtsCertified| match &found.answer {
        Ok(answer) => answer.checked.as_ref().err().map(ToString::to_string),
        Err(why) => Some(why.clone()),
    };
    // Against a specification, the question is conformance alone.
    let first = if settings.against.is_some() { answers.len().saturating_sub(1) } else { 0 };
    let any = |wanted| answers[first..].iter().any(|found| verdict(found) == wanted);
    let whole = match (any(Verdict::Violated), any(Verdict::Unknown)) {
        (true, _) => Verdict::Violated,
        (false, true) => Verdict::Unknown,
        (false, false) => Verdict::Holds,
    };
    if args.json {
        let rows: Vec<_> = answers
            .iter()
            .map(|found| {
                let (name, verdict) = (&found.property, verdict(found).word());
                serde_json::json!({ "name": name, "verdict": verdict, "reason": why(found) })
            })
            .collect();
        terminal::print_json(&serde_json::json!({
            "schema": "parallax-certified/1", "verdict": whole.word(), "settings": settings,
            "properties": rows,
        }));
        return Ok(whole.into());
    }
    terminal::print(&format!("{}\n", visible(&made(file, &settings))));
    for found in &answers {
        let why = why(found).map_or_else(String::new, |why| format!(" ({})", visible(&why)));
        terminal::print(&format!("  {}: {}{why}\n", visible(&found.property), verdict(found)));
    }
    Ok(whole.into())
}

/// How the system of an evidence file was made, in words.
fn made(file: &Path, settings: &SystemsSettings) -> String {
    let mut text = file.display().to_string();
    if let Some(process) = &settings.process {
        text += &format!(", process {process}");
    }
    if let Some(how) = &settings.minimize {
        text += &format!(", minimized ({how})");
    }
    if settings.minimize_parts {
        text += ", parts minimized";
    }
    if let Some(against) = &settings.against {
        text += &format!(", against {against}");
    }
    text
}
