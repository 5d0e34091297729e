//! C programs as the origin of a task.
//!
//! ```text
//! files ── gather ──▶ units, properties ── front end ──▶ CProgram ──▶ Task
//! run over terms ── replay ──▶ choices of a run of the program
//! closed set of states ── invariants ──▶ C expressions at heads of loops
//! ```

mod assumptions;
mod concrete;
mod driver;
mod forbid;
mod formula;
mod gap;
mod gather;
mod given;
mod invariants;
mod native;
mod outputs;
mod recursion;
mod replay;
mod sense;
mod settings;
mod task;
mod task_file;
mod watch;
pub(crate) mod witness;

pub use concrete::{CInputs, CRunEnd, run_c};
pub use driver::{CDriver, c_functions};
pub use gap::not_modelled;
pub use gather::asked_names;
pub use given::Given;
pub use invariants::{Head, loop_invariants, single_heads};
pub use native::Native;
pub use outputs::{Breach, file_hash};
pub use settings::{model_word, options_of};
pub use task::{CTask, asked_of, breaks, c_task, c_task_by};

pub(crate) use assumptions::{assumptions, granted};
pub(crate) use invariants::heads;
pub(crate) use recursion::calls_of;
pub(crate) use replay::{script, unrepeated};
pub(crate) use settings::settings;

use crate::{Invalid, LoadError};
use parallax_base::{Budget, Diagnostics, SourceMap, Span};
use parallax_cfa::{CProperty, DataModel, Program};
use parallax_encode::{Blocks, Encoding, Passes};
use parallax_front_c as front;
pub use parallax_front_c::driver::Request;
use std::path::PathBuf;
use std::sync::Arc;

/// How a C program is read and asked.
#[derive(Clone, Debug, Default)]
pub struct COptions {
    /// The data model; if not given, that of the task definition, else LP64.
    pub model: Option<DataModel>,
    /// Folders for headers.
    pub includes: Vec<PathBuf>,
    /// Macros: `NAME` or `NAME=VALUE`.
    pub defines: Vec<String>,
    /// Macros that are not defined.
    pub undefines: Vec<String>,
    /// Names of properties and property files; if empty, those of the task.
    pub properties: Vec<String>,
    /// Formulas of linear temporal logic, which may begin with a name.
    pub formulas: Vec<String>,
    /// Where the program starts; `main` if nobody says otherwise.
    pub entry: Option<String>,
    /// A function to call with arbitrary arguments, in the place of an entry.
    pub call: Option<Request>,
    /// Whether `malloc` and its kin may return null.
    pub malloc_may_fail: bool,
    /// Whether operands are evaluated from left to right even where another
    /// order may matter.
    pub left_to_right: bool,
    /// How integers are encoded.
    pub encoding: Encoding,
    /// How large steps are.
    pub blocks: Blocks,
    /// What is done to the program before it is encoded; where it is left
    /// whole, nothing has to be asked.
    pub passes: Passes,
    /// Predicates and templates for engines that abstract.
    pub given: Given,
    /// Text that is put in, to follow a witness.
    pub splices: front::Splices,
    /// Limits of reading it.
    pub budget: Budget,
}

/// A C program that was read.
#[derive(Clone, Debug)]
pub struct CProgram {
    /// Its program form, with errors where the properties forbid to arrive.
    pub program: Arc<Program>,
    /// The same without regard to the properties.
    pub plain: Arc<Program>,
    /// The files its spans point into.
    pub sources: SourceMap,
    /// What the front end has to say; no errors.
    pub warnings: Diagnostics,
    /// Constructs that are not modelled, with their places.
    pub unsupported: Vec<(Span, Arc<str>)>,
    /// What is taken for granted of the library, one sentence each.
    pub assumed: Vec<Arc<str>>,
    /// Whether it asserts anything or mentions an error function.
    pub asserts: bool,
    /// What is asked of it.
    pub properties: Vec<CProperty>,
    /// The numbers of the pieces of text that have their place.
    pub placed: Vec<usize>,
    /// Its files.
    pub files: Vec<PathBuf>,
    /// How it was read.
    pub options: COptions,
    /// What calls the function that is asked about.
    pub driver: Option<CDriver>,
}

/// Reads a C program: sources, a task definition or a compilation database.
pub fn load_c(paths: &[PathBuf], options: &COptions) -> Result<CProgram, LoadError> {
    let mut sources = SourceMap::default();
    let gathered = gather::gather(&mut sources, paths, options)?;
    let formula::Written { formulas, appendix } = formula::written(&options.formulas)?;
    let settings = front::Options {
        entry: match &options.call {
            Some(_) => front::driver::ENTRY.to_owned(),
            None => gathered.entry.clone(),
        },
        appendix,
        driver: options.call.clone(),
        splices: options.splices.clone(),
        ..reading(&gathered, options)
    };
    let inputs = gathered.inputs;
    let loaded = match front::load(&mut sources, &inputs, &settings) {
        Ok(loaded) => loaded,
        Err(diagnostics) => {
            return match options.budget.check() {
                Err(stop) => Err(LoadError::Stopped(stop)),
                Ok(()) => {
                    let diagnostics = match formulas.is_empty() {
                        true => diagnostics,
                        false => formula::explained(&sources, &diagnostics),
                    };
                    Err(LoadError::Invalid(Box::new(Invalid { sources, diagnostics })))
                }
            };
        }
    };
    for property in &gathered.properties {
        if let CProperty::Label(label) = property
            && !loaded.labels.contains(label)
        {
            let known = loaded.labels.iter().map(ToString::to_string).collect();
            return Err(LoadError::NoSuchLabel { label: label.to_string(), known });
        }
    }
    for formula in &formulas {
        watch::check(&loaded.program, formula).map_err(|message| {
            let text = formula.text.to_string();
            LoadError::Given { what: "formula", text, message: message.to_owned() }
        })?;
    }
    let mut properties = gathered.properties;
    if !formulas.is_empty() && options.properties.is_empty() {
        properties.clear();
    }
    properties.extend(formulas.into_iter().map(CProperty::Temporal));
    let plain = Arc::new(loaded.program);
    let c = CProgram {
        program: Arc::clone(&plain),
        plain,
        sources,
        warnings: loaded.warnings,
        unsupported: loaded.unsupported,
        assumed: loaded.assumed,
        asserts: loaded.asserts,
        properties: Vec::new(),
        placed: loaded.placed,
        files: inputs.into_iter().map(|input| input.path).collect(),
        options: COptions {
            model: Some(gathered.model),
            entry: (gathered.entry != "main").then_some(gathered.entry),
            ..options.clone()
        },
        driver: loaded.driver.map(CDriver::of),
    };
    Ok(c.asking(properties))
}

/// How the front end reads files.
fn reading(gathered: &gather::Gathered, options: &COptions) -> front::Options {
    front::Options {
        model: gathered.model,
        includes: options.includes.clone(),
        defines: options.defines.clone(),
        undefines: options.undefines.clone(),
        malloc_may_fail: options.malloc_may_fail,
        object_bounds: gathered.properties.contains(&CProperty::ObjectBounds),
        explore_orders: !options.left_to_right,
        budget: options.budget.clone(),
        ..front::Options::default()
    }
}

impl CProgram {
    /// The program with these questions: what they forbid to call or to arrive
    /// at is an error. A property about calls that cannot be noticed becomes
    /// one that nobody answers.
    pub fn asking(&self, properties: Vec<CProperty>) -> CProgram {
        let mut program = Arc::clone(&self.plain);
        let mut notice = |property| match property {
            CProperty::Call(name) if forbid::is_error(&name) => CProperty::Call(name),
            CProperty::Call(name) => match forbid::call(Arc::make_mut(&mut program), &name) {
                true => CProperty::Call(name),
                false => CProperty::Other(format!("unreach-call({name})").into()),
            },
            CProperty::Label(label) => {
                forbid::label(Arc::make_mut(&mut program), &label);
                CProperty::Label(label)
            }
            CProperty::Temporal(formula) => {
                watch::watch(Arc::make_mut(&mut program), &formula);
                CProperty::Temporal(formula)
            }
            known => known,
        };
        let properties = properties.into_iter().map(&mut notice).collect();
        CProgram { program, properties, ..self.clone() }
    }
}
