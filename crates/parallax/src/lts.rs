//! Labelled transition systems: FSP and `.aut` files, what is wrong with them,
//! and whether one conforms to another.
//!
//! ```
//! use parallax::Budget;
//! use parallax::lts::{LtsOptions, Minimize, check_lts, load_lts_text};
//!
//! let text = "CELL = (in -> out -> CELL). ||TWO = (CELL/{mid/out} || CELL/{mid/in})\\{mid}.";
//! let options = LtsOptions { minimize: Minimize::Weak, ..LtsOptions::default() };
//! let task = load_lts_text("cells.lts", text, &options, &Budget::unlimited())?;
//! assert_eq!(task.lts.state_count(), 3);
//! assert_eq!(check_lts(&task, None, &Budget::unlimited())?.verdict(), parallax::Verdict::Holds);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::{Invalid, Language, LoadError, read_text};
use parallax_base::{
    Budget, Diagnostic, Diagnostics, Event, FileId, SourceFile, SourceMap, Span, Stop,
};
use parallax_front_fsp::{Failure, Kind, Model};
use parallax_ltl::Assertion;
use std::path::{Component, Path};

mod answer;
mod wide;

pub use answer::{
    Comparison, LtsAnswer, LtsCertified, LtsChecked, Notion, certify_lts, check_lts,
    load_specification,
};
pub use parallax_evidence::{CompositionSettings, SystemsSettings};
pub use parallax_lts::{
    CeDag, Lts, ProgressCheck, ProgressViolation, Safety, check_progress, check_safety,
    minimize_strong, minimize_weak, read_aut, write_aut,
};
pub use parallax_simulate::{
    Comparison as Simulation, Conformance, Contained, Simulated, is_simulation, largest_simulation,
    simulates, trace_contained,
};
pub use wide::{
    WideAnswer, WideCertified, WideChecked, WideFile, WideTask, certify_wide, check_wide,
};

/// Which smaller system is taken in the place of a compiled one.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Minimize {
    /// None.
    #[default]
    No,
    /// The smallest that is strongly bisimilar.
    Strong,
    /// The smallest that is weakly bisimilar.
    Weak,
}

/// How states are kept.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Storage {
    /// In a list, and in diagrams if there are more than [`MOST_LISTED`].
    #[default]
    Auto,
    /// In a list.
    List,
    /// In diagrams.
    Diagrams,
}

/// More states than this are not listed unless it is asked for, and fewer where
/// there are more than ten components.
pub const MOST_LISTED: usize = 1_000_000;

/// What weak minimization does not keep.
const SILENT_LOOPS: &str = "silent steps for ever count as a deadlock";

/// How a file is read.
#[derive(Clone, Default, Debug)]
pub struct LtsOptions {
    /// The process to compile; the last composition, or all processes
    /// together, if none is named.
    pub process: Option<String>,
    /// What to do with the result.
    pub minimize: Minimize,
    /// Whether machines are minimized before they are composed.
    pub minimize_parts: bool,
    /// How states are kept.
    pub storage: Storage,
}

/// A system that was loaded.
#[derive(Clone, Debug)]
pub enum Loaded {
    /// Its states are listed.
    Listed(LtsTask),
    /// It has too many for that.
    Wide(WideTask),
}

/// A system and where it comes from.
#[derive(Clone, Debug)]
pub struct LtsTask {
    /// The system.
    pub lts: Lts,
    /// Names, states and transitions of what it is composed of.
    pub parts: Vec<(String, usize, usize)>,
    /// The progress properties of the text.
    pub progress: Vec<ProgressCheck>,
    /// The formulas of the text.
    pub assertions: Vec<Assertion>,
    /// How it was minimized, and its size before.
    pub minimized: Option<(&'static str, usize, usize)>,
    /// What answers about it rest on besides the text.
    pub assumptions: Vec<String>,
    /// The file.
    pub sources: SourceMap,
    /// What looks odd.
    pub warnings: Diagnostics,
}

/// Why there is no system.
#[derive(Debug, thiserror::Error)]
pub enum LtsError {
    /// The file cannot be read or is wrong.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The limits were reached.
    #[error("{0} reached before the system was built")]
    Stopped(Stop),
}

impl From<Stop> for LtsError {
    fn from(stop: Stop) -> LtsError {
        LtsError::Stopped(stop)
    }
}

/// Reads a file, FSP or (by its extension) `.aut`, and lists its states.
///
/// # Errors
/// When it cannot be read, is wrong, or is too large for the budget.
pub fn load_lts(path: &Path, options: &LtsOptions, budget: &Budget) -> Result<LtsTask, LtsError> {
    let text = read_text(path)?;
    load_lts_text(&path.display().to_string(), &text, options, budget)
}

/// Reads a text; a name that ends in `.aut` says that it is not FSP.
///
/// # Errors
/// When it is wrong or too large for the budget.
pub fn load_lts_text(
    name: &str,
    text: &str,
    options: &LtsOptions,
    budget: &Budget,
) -> Result<LtsTask, LtsError> {
    let options = LtsOptions { storage: Storage::List, ..options.clone() };
    match load_text(name, text, &options, budget)? {
        Loaded::Listed(task) => Ok(task),
        Loaded::Wide(_) => Err(LtsError::Stopped(Stop::Memory)),
    }
}

/// Reads a file, and lists its states unless there are too many.
///
/// # Errors
/// When it cannot be read, is wrong, or is too large for the budget.
pub fn load_system(path: &Path, options: &LtsOptions, budget: &Budget) -> Result<Loaded, LtsError> {
    let text = read_text(path)?;
    load_text(&path.display().to_string(), &text, options, budget)
}

fn load_text(
    name: &str,
    text: &str,
    options: &LtsOptions,
    budget: &Budget,
) -> Result<Loaded, LtsError> {
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new(name, text));
    let loaded = if Language::of(name.as_ref()) == Some(Language::Aut) {
        Loaded::Listed(LtsTask {
            lts: parse_aut(stem(name), text, file, &sources)?,
            parts: Vec::new(),
            progress: Vec::new(),
            assertions: Vec::new(),
            minimized: None,
            assumptions: Vec::new(),
            sources,
            warnings: Diagnostics::default(),
        })
    } else {
        let mut model = match Model::read(file, text) {
            Ok(model) => model,
            Err(diagnostics) => return Err(invalid(sources, diagnostics)),
        };
        import(&mut model, name, &mut sources)?;
        compile(&model, sources, options, budget)?
    };
    match loaded {
        Loaded::Listed(task) => minimized(task, options.minimize, budget).map(Loaded::Listed),
        wide => Ok(wide),
    }
}

/// The task with a smaller system.
fn minimized(mut task: LtsTask, how: Minimize, budget: &Budget) -> Result<LtsTask, LtsError> {
    let (states, transitions) = (task.lts.state_count(), task.lts.transition_count());
    if how != Minimize::No {
        budget.notice(Event::Phase("minimize"));
    }
    let what = "the answers are about the minimized system";
    match how {
        Minimize::No => {}
        Minimize::Strong => {
            task.lts = minimize_strong(&task.lts, budget)?;
            task.minimized = Some(("strong", states, transitions));
            task.assumptions.push(what.to_owned());
        }
        Minimize::Weak => {
            task.lts = minimize_weak(&task.lts, budget)?;
            task.minimized = Some(("weak", states, transitions));
            task.assumptions.push(format!("{what}: {SILENT_LOOPS}"));
        }
    }
    Ok(task)
}

/// Reads a text in the Aldebaran format.
fn parse_aut(name: &str, text: &str, file: FileId, sources: &SourceMap) -> Result<Lts, LtsError> {
    read_aut(name, text).map_err(|error| {
        let offset = sources.get(file).map_or(0, |source| {
            let line = source.line_range(error.line as u32);
            let skip = source.text()[line.clone()].chars().take(error.column - 1);
            line.start + skip.map(char::len_utf8).sum::<usize>()
        });
        let span = Span::new(file, offset, offset);
        let mut diagnostics = Diagnostics::default();
        diagnostics.push(Diagnostic::error("F0020", span, error.message));
        invalid(sources.clone(), diagnostics)
    })
}

/// Reads the files that a text imports processes from. They lie in the folder
/// of the text or below it: a text must not show what else is on the machine.
fn import(model: &mut Model, name: &str, sources: &mut SourceMap) -> Result<(), LtsError> {
    let folder = Path::new(name).parent().unwrap_or(Path::new(""));
    for (process, file, span) in model.imports() {
        let inside = |part: Component<'_>| matches!(part, Component::Normal(_));
        let is_aut = Language::of(file.as_ref()) == Some(Language::Aut);
        if !is_aut || !Path::new(&file).components().all(inside) {
            let mut diagnostics = Diagnostics::default();
            let message = "only a file `.aut` in this folder or below it can be imported";
            diagnostics.push(Diagnostic::error("F0013", span, message));
            return Err(invalid(sources.clone(), diagnostics));
        }
        let path = folder.join(&file);
        let text = read_text(&path)?;
        let number = sources.add(SourceFile::new(path.display().to_string(), text.as_str()));
        model.provide(&process, parse_aut(&process, &text, number, sources)?);
    }
    Ok(())
}

fn stem(name: &str) -> &str {
    let name = name.rsplit('/').next().unwrap_or(name);
    name.strip_suffix(".aut").unwrap_or(name)
}

fn invalid(sources: SourceMap, diagnostics: Diagnostics) -> LtsError {
    LtsError::Load(LoadError::Invalid(Box::new(Invalid { sources, diagnostics })))
}

fn compile(
    model: &Model,
    sources: SourceMap,
    options: &LtsOptions,
    budget: &Budget,
) -> Result<Loaded, LtsError> {
    let name = options.process.as_deref();
    let refused = |failure: Failure| match failure {
        Failure::Invalid(diagnostics) => invalid(sources.clone(), diagnostics),
        Failure::Stopped(stop) => LtsError::Stopped(stop),
    };
    let mut system = model.side_by_side(name, options.minimize_parts, budget).map_err(&refused)?;
    let progress = model.progress(budget).map_err(&refused)?;
    let assertions = model.assertions(budget).map_err(&refused)?;
    let mut warnings = std::mem::take(&mut system.warnings);
    for (name, kind, span) in model.unchecked() {
        let message = format!("the {kind} `{name}` is not checked");
        warnings.push(Diagnostic::warning("F0012", span, message));
    }
    let mut assumptions = Vec::new();
    if options.minimize_parts {
        let what = "machines were minimized before they were composed";
        assumptions.push(format!("{what}: {SILENT_LOOPS}"));
    }
    let most = match options.storage {
        Storage::List => usize::MAX,
        // Another system can be taken in its place only if it is listed.
        _ if options.minimize != Minimize::No => usize::MAX,
        Storage::Auto => MOST_LISTED.min(10 * MOST_LISTED / system.machines.len().max(1)),
        Storage::Diagrams => 0,
    };
    budget.notice(Event::Phase("compose"));
    let listed = match most {
        0 if !system.machines.is_empty() => None,
        _ => system.compose(most, budget)?,
    };
    let Some(lts) = listed else {
        let task = WideTask { system, progress, assertions, assumptions, sources, warnings };
        return Ok(Loaded::Wide(task));
    };
    let parts = system.parts().into_iter().map(|p| (p.name, p.states, p.transitions)).collect();
    let minimized = None;
    Ok(Loaded::Listed(LtsTask {
        lts,
        parts,
        progress,
        assertions,
        minimized,
        assumptions,
        sources,
        warnings,
    }))
}

/// The processes of an FSP text with what they are.
///
/// # Errors
/// When the text is wrong.
pub fn list_processes(name: &str, text: &str) -> Result<Vec<(String, &'static str)>, LtsError> {
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new(name, text));
    let model = match Model::read(file, text) {
        Ok(model) => model,
        Err(diagnostics) => return Err(invalid(sources, diagnostics)),
    };
    let kind = |kind| match kind {
        Kind::Process => "process",
        Kind::Property => "property",
        Kind::Composition => "composition",
    };
    Ok(model.processes().into_iter().map(|p| (p.name, kind(p.kind))).collect())
}
