//! `parallax lts`: labelled transition systems from FSP or `.aut` files.

use crate::args::{CertifyArgs, LimitArgs};
use crate::deliver::FormatArgs;
use crate::drive::{Drive, Driven, Timed};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::files::draw;
use crate::unfinished::Asked;
use crate::{files, terminal};
use clap::ValueEnum;
use parallax::Verdict;
use parallax::lts::{
    self, Comparison, CompositionSettings, Loaded, LtsCertified, LtsChecked, LtsError, LtsOptions,
    LtsTask, Minimize, SystemsSettings, WideCertified, WideChecked, WideTask, certify_lts,
    certify_wide, check_lts, check_wide, list_processes, load_specification, load_system,
    write_aut,
};
use parallax::page_sources;
use parallax::report::escape::visible;
use parallax::report::{
    CostJson, Graph, LTS_SCHEMA, Page, PageGraph, lts_graph, lts_json, render_diagnostics,
    render_lts, render_wide, simulation_graph, wide_json,
};
use parallax_base::{Budget, Diagnostics, SourceMap, Stop};
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
    /// How states are kept [default: listed, and in decision diagrams beyond a million]
    #[arg(long, value_enum, value_name = "HOW")]
    pub(crate) storage: Option<Storage>,
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
    #[command(flatten)]
    pub(crate) formats: FormatArgs,
}

#[derive(ValueEnum, Clone, Copy, Debug)]
pub(crate) enum How {
    /// Strong bisimulation
    Strong,
    /// Weak bisimulation: silent steps do not count
    Weak,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Storage {
    /// A list, with transitions
    List,
    /// Decision diagrams, for errors, deadlocks and progress
    Diagrams,
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
            LtsError::Stopped(stop) => Failure::stopped(stop, &error.to_string()),
        }
    }
}

/// Compiles, checks, compares and draws.
pub(crate) fn run(args: LtsArgs) -> Result<Exit, Failure> {
    let written = [&args.aut, &args.dot, &args.svg, &args.certificate].into_iter().flatten();
    let specification = args.against.as_deref().map(Path::new);
    let read = [args.file.as_path()].into_iter().chain(specification);
    files::prepare(written.map(PathBuf::as_path).chain(args.formats.outputs()), read)?;
    if args.list {
        let text = files::read(&args.file)?;
        for (name, kind) in list_processes(&args.file.display().to_string(), &text)? {
            terminal::print(&format!("{kind:<12} {name}\n"));
        }
        return Ok(Exit::Holds);
    }
    let drive = Drive::new(&args);
    let work_args = args.clone();
    let driven = drive.run(move |budget| work(&work_args, budget))?;
    match driven {
        Driven::Done(Worked::Listed(both)) => say(&args, &drive, &both.0, &both.1),
        Driven::Done(Worked::Wide(both)) => say_wide(&args, &drive, &both.0, &both.1),
        Driven::Stopped(stop) => Ok(drive.unfinished(stop)),
    }
}

impl Timed for LtsArgs {
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
        let hint =
            Some("more with --time and --memory, or --minimize-parts, or --storage diagrams");
        Asked { hint, ..Asked::about(LTS_SCHEMA, &self.file) }
    }
}

/// Warnings go beside the answer.
fn warn(args: &LtsArgs, sources: &SourceMap, warnings: &Diagnostics) {
    let look = terminal::look(&std::io::stderr());
    let warnings = render_diagnostics(sources, warnings, look);
    if !warnings.is_empty() && !args.json {
        terminal::note(warnings.trim_end());
    }
}

/// Says what was found out about systems whose states were not listed.
fn say_wide(
    args: &LtsArgs,
    drive: &Drive,
    task: &WideTask,
    checked: &WideChecked,
) -> Result<Exit, Failure> {
    warn(args, &task.sources, &task.warnings);
    let report = checked.report(task);
    let object = wide_json(&report, drive.budget.elapsed());
    let sources = page_sources(&task.sources);
    drive.deliver(&object, || render_wide(&report), || Page { sources, ..Page::default() })?;
    if let Some(path) = &args.certificate {
        let (process, minimize_parts) = (args.process.clone(), args.minimize_parts);
        let settings = CompositionSettings { process, minimize_parts };
        let text = checked.certificate(task, settings);
        let text = text.map_err(|error| Failure::internal(&error.to_string()))?;
        files::write(path, |out| out.write_all(text.as_bytes()))?;
    }
    Ok(report.verdict.into())
}

/// Says what was found out about a system, and draws it.
fn say(
    args: &LtsArgs,
    drive: &Drive,
    task: &LtsTask,
    checked: &LtsChecked,
) -> Result<Exit, Failure> {
    warn(args, &task.sources, &task.warnings);
    let report = checked.report(task);
    let object = lts_json(&report, drive.budget.elapsed());
    drive.deliver(&object, || render_lts(&report), || systems_page(task, checked))?;
    let put = |path: &Option<PathBuf>, text: &dyn Fn() -> String| match path {
        Some(path) => files::write(path, |out| out.write_all(text().as_bytes())),
        None => Ok(()),
    };
    let graph = || match &checked.compared {
        Some((spec, Comparison::Simulation(found))) => simulation_graph(found, &task.lts, spec),
        _ => lts_graph(&task.lts),
    };
    put(&args.aut, &|| write_aut(&task.lts))?;
    draw(args.dot.as_deref(), args.svg.as_deref(), graph)?;
    if args.certificate.is_some() {
        let text = checked.certificate(task, settings(args));
        let text = text.map_err(|error| Failure::internal(&error.to_string()))?;
        put(&args.certificate, &|| text.clone())?;
    }
    Ok(report.verdict.into())
}

/// The text, the system, and what it is compared with.
fn systems_page(task: &LtsTask, checked: &LtsChecked) -> Page {
    let drawn = |title: &str, graph: &Graph| {
        let title = title.to_owned();
        PageGraph { title, ..PageGraph::from(graph) }
    };
    let mut graphs = Vec::new();
    if let Some((spec, compared)) = &checked.compared {
        if let Comparison::Simulation(found) = compared {
            graphs.push(drawn("How they differ", &simulation_graph(found, &task.lts, spec)));
        }
        graphs.push(drawn("Specification", &lts_graph(spec)));
    }
    graphs.push(drawn("System", &lts_graph(&task.lts)));
    Page { sources: page_sources(&task.sources), graphs, ..Page::default() }
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

/// What comes of the work.
enum Worked {
    Listed(Box<(LtsTask, LtsChecked)>),
    Wide(Box<(WideTask, WideChecked)>),
}

/// The options that need the states one by one, if they are given.
fn needs_list(args: &LtsArgs) -> Option<&'static str> {
    let drawn = args.aut.is_some() || args.dot.is_some() || args.svg.is_some();
    match (args.minimize, &args.against) {
        (Some(_), _) => Some("--minimize"),
        (_, Some(_)) => Some("--against"),
        _ => drawn.then_some("--aut, --dot and --svg"),
    }
}

/// The part that takes time.
fn work(args: &LtsArgs, budget: &Budget) -> Result<Worked, Failure> {
    let minimize = match args.minimize {
        None => Minimize::No,
        Some(How::Strong) => Minimize::Strong,
        Some(How::Weak) => Minimize::Weak,
    };
    let minimize_parts = args.minimize_parts;
    let storage = match (args.storage, needs_list(args)) {
        (Some(Storage::Diagrams), Some(option)) => {
            let message = format!("{option} need the states in a list: leave out --storage");
            return Err(Failure::usage("P0001", &message));
        }
        (Some(Storage::Diagrams), None) => lts::Storage::Diagrams,
        (None, None) => lts::Storage::Auto,
        _ => lts::Storage::List,
    };
    let options = LtsOptions { process: args.process.clone(), minimize, minimize_parts, storage };
    let task = match load_system(&args.file, &options, budget)? {
        Loaded::Listed(task) => task,
        Loaded::Wide(task) => {
            let checked = check_wide(&task, budget).map_err(LtsError::Stopped)?;
            return Ok(Worked::Wide(Box::new((task, checked))));
        }
    };
    let against = match &args.against {
        Some(against) => {
            let spec = load_specification(&args.file, against, minimize_parts, budget)?;
            Some((spec, args.conformance.into()))
        }
        None => None,
    };
    let checked = check_lts(&task, against, budget).map_err(LtsError::Stopped)?;
    Ok(Worked::Listed(Box::new((task, checked))))
}

/// Checks evidence about a system from a file.
pub(crate) fn certify(args: &CertifyArgs, file: &Path, evidence: &Path) -> Result<Exit, Failure> {
    args.asks_nothing("the evidence names the process and what is asked")?;
    let evidence = files::read(evidence)?;
    let (drive, system) = (Drive::new(args), file.to_owned());
    let found = match drive.run(move |budget| Ok(certified(&system, &evidence, budget)?))? {
        Driven::Done(found) => found,
        Driven::Stopped(stop) => return Ok(drive.unfinished(stop)),
    };
    let time = drive.budget.elapsed();
    let Certified { settings, is_comparison, rows } =
        found.map_err(|why| Failure::input("P0014", &why))?;
    // Against a specification, the question is conformance alone.
    let first = if is_comparison { rows.len().saturating_sub(1) } else { 0 };
    let whole = Verdict::worst(rows[first..].iter().map(|row| row.1));
    let objects: Vec<_> = rows
        .iter()
        .map(|(name, verdict, why)| {
            serde_json::json!({ "name": name, "verdict": verdict.word(), "reason": why })
        })
        .collect();
    let object = serde_json::json!({
        "schema": "parallax-certified/1", "verdict": whole.word(), "settings": settings,
        "properties": objects, "assumptions": [], "stats": CostJson::after(time),
    });
    drive.deliver(
        &object,
        || {
            let line = |(name, verdict, why): &(String, Verdict, Option<String>)| {
                let why =
                    why.as_ref().map_or_else(String::new, |why| format!(" ({})", visible(why)));
                format!("  {}: {verdict}{why}\n", visible(name))
            };
            let first = format!("{}\n", visible(&made(file, &settings)));
            first + &rows.iter().map(line).collect::<String>()
        },
        Page::default,
    )?;
    Ok(whole.into())
}

/// What a file of evidence was found to show.
struct Certified {
    settings: SystemsSettings,
    is_comparison: bool,
    /// Properties with verdicts, and why they are open.
    rows: Vec<(String, Verdict, Option<String>)>,
}

/// Checks evidence of either kind.
fn certified(
    file: &Path,
    evidence: &str,
    budget: &Budget,
) -> Result<Result<Certified, String>, LtsError> {
    let load = |options: &LtsOptions| {
        let options = LtsOptions { storage: lts::Storage::Diagrams, ..options.clone() };
        match load_system(file, &options, budget)? {
            Loaded::Wide(task) => Ok(task),
            Loaded::Listed(_) => Err(LtsError::Stopped(Stop::Memory)),
        }
    };
    if let Some(found) = certify_wide(load, evidence, budget)? {
        return Ok(found.map(|(settings, answers)| {
            let row = |(name, answer): WideCertified| match answer {
                Err(why) => (name, Verdict::Unknown, Some(why)),
                Ok(answer) => {
                    let why = match &answer.evidence {
                        Ok((_, checked)) => checked.as_ref().err().map(ToString::to_string),
                        Err(why) => Some(why.clone()),
                    };
                    (name, answer.verdict(), why)
                }
            };
            let CompositionSettings { process, minimize_parts } = settings;
            let settings =
                SystemsSettings { process, minimize_parts, ..SystemsSettings::default() };
            let rows = answers.into_iter().map(row).collect();
            Certified { settings, is_comparison: false, rows }
        }));
    }
    let found = certify_lts(file, evidence, budget)?;
    Ok(found.map(|(settings, answers)| {
        let row = |found: LtsCertified| match found.answer {
            Err(why) => (found.property, Verdict::Unknown, Some(why)),
            Ok(answer) => {
                let why = answer.checked.as_ref().err().map(ToString::to_string);
                (found.property, answer.verdict(), why)
            }
        };
        let is_comparison = settings.against.is_some();
        Certified { settings, is_comparison, rows: answers.into_iter().map(row).collect() }
    }))
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
