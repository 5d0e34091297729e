//! From files to a task. The extension says which language they are in.

use crate::Language;
use crate::c::{COptions, CTask, Given, c_task, load_c};
use crate::template;
use parallax_base::{Diagnostics, Id, SourceFile, SourceMap, Stop};
use parallax_evidence::Why;
use parallax_front_model::{Loaded, Options};
use parallax_ir::{Fairness, Malformed, Process, Program, Property};
use parallax_term::Term;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use parallax_front_model::MAX_BYTES;

/// A program, the text it comes from and how it was made.
#[derive(Clone, Debug)]
pub struct Task {
    /// What is analyzed.
    pub program: Program,
    /// The files its spans point into.
    pub sources: SourceMap,
    /// What the front end has to say; no errors.
    pub warnings: Diagnostics,
    /// The constants that were overridden, as name and value.
    pub constants: Vec<(String, String)>,
    /// The processes that formulas take to be fair.
    pub fair: Vec<(String, Fairness)>,
    /// The C program it was made from, if it was.
    pub c: Option<Arc<CTask>>,
    /// Predicates that were given, as terms of the program's store.
    pub predicates: Vec<Term>,
    /// Templates that were given, likewise.
    pub templates: Vec<Term>,
    /// Invariants that are asked as one property, as SMT-LIB terms.
    pub invariants: Vec<String>,
    /// Properties that nobody answers, and why.
    pub refused: Vec<(Id<Property>, Why)>,
    /// Of a C program that several things are asked of: a task for each, by
    /// property. `program` has only their names then.
    pub parts: Vec<Arc<Task>>,
}

/// How files are read.
#[derive(Clone, Debug, Default)]
pub struct LoadOptions {
    /// Constants of a model that are overridden, as name and value.
    pub constants: Vec<(String, String)>,
    /// Formulas of linear temporal logic to ask of a model; each may begin with
    /// a name, as in `live: [] <> p`.
    pub formulas: Vec<String>,
    /// Processes of a model that formulas take to be fair, by name; a family
    /// stands for all its members, and `*` for every process.
    pub fair: Vec<(String, Fairness)>,
    /// Predicates and templates over the variables, for engines that abstract.
    pub given: Given,
    /// How C is read and asked.
    pub c: COptions,
}

/// Why a file is not a task.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The file cannot be read.
    #[error("cannot read `{}`: {error}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// The file is larger than [`MAX_BYTES`].
    #[error("`{}` is larger than {} MiB", path.display(), MAX_BYTES >> 20)]
    TooLarge {
        /// The file.
        path: PathBuf,
    },
    /// No front end reads files with this extension.
    #[error("`{}` has no known extension: models end in `.plx`, C in `.c` or `.i`, Horn clauses in `.smt2`", path.display())]
    UnknownLanguage {
        /// The file.
        path: PathBuf,
    },
    /// The file is not text.
    #[error("`{}` is not text: byte {offset} is not UTF-8", path.display())]
    NotText {
        /// The file.
        path: PathBuf,
        /// The first offending byte.
        offset: usize,
    },
    /// A formula of linear temporal logic is asked of Horn clauses.
    #[error("formulas of linear temporal logic are asked of models and of C programs")]
    FormulaOnClauses,
    /// Processes of a C program are said to be fair.
    #[error("a C program has no processes that could be fair: `--fair` is for models")]
    FairC,
    /// A process is said to be fair that the model does not have, or one too
    /// many.
    #[error("{0}")]
    Unfair(String),
    /// A predicate or template means nothing.
    #[error("{what} `{text}`: {message}")]
    Given {
        /// What it is.
        what: &'static str,
        /// What was given.
        text: String,
        /// What is wrong with it.
        message: String,
    },
    /// A model is given together with other files.
    #[error("`{}` is a model or a set of clauses: it is checked alone", path.display())]
    NotAlone {
        /// The model.
        path: PathBuf,
    },
    /// A task definition, compilation database or property file makes no sense.
    #[error("`{}` makes no sense: {message}", path.display())]
    BadTask {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        message: String,
    },
    /// Nobody knows a property of this name.
    #[error("there is no property `{name}` of C programs")]
    NoSuchCProperty {
        /// The name.
        name: String,
    },
    /// The program has no label of this name.
    #[error("there is no label `{label}` in the program")]
    NoSuchLabel {
        /// The label.
        label: String,
        /// The labels there are.
        known: Vec<String>,
    },
    /// A C program neither asserts anything nor calls an error function.
    #[error("the program asserts nothing and calls no error function")]
    NothingAsked,
    /// The limits were reached before the program was read.
    #[error("{0} reached before the program was read")]
    Stopped(Stop),
    /// The text has errors.
    #[error("the text has {} error(s)", .0.diagnostics.error_count())]
    Invalid(Box<Invalid>),
    /// The front end made a program that makes no sense: a bug of Parallax.
    #[error("internal error: {0}")]
    Malformed(#[from] Malformed),
}

/// Text with errors, and what to say about it.
#[derive(Clone, Debug)]
pub struct Invalid {
    /// The files the messages point into.
    pub sources: SourceMap,
    /// At least one error.
    pub diagnostics: Diagnostics,
}

/// Loads a file. `constants` override constants of the model.
pub fn load(path: &Path, constants: &[(String, String)]) -> Result<Task, LoadError> {
    let options = LoadOptions { constants: constants.to_vec(), ..LoadOptions::default() };
    load_files(&[path.to_owned()], &options)
}

/// Loads one model, or the files of a C program.
pub fn load_files(paths: &[PathBuf], options: &LoadOptions) -> Result<Task, LoadError> {
    let alone = [Some(Language::Model), Some(Language::Horn)];
    let alone = paths.iter().find(|path| alone.contains(&Language::of(path)));
    match (alone, paths) {
        (Some(path), [_]) if Language::of(path) == Some(Language::Horn) => {
            if !options.formulas.is_empty() {
                return Err(LoadError::FormulaOnClauses);
            }
            load_horn(&path.to_string_lossy(), &read_text(path)?)
        }
        (Some(path), [_]) => {
            let text = read_text(path)?;
            load_with(&path.to_string_lossy(), &text, options)
        }
        (Some(path), _) => Err(LoadError::NotAlone { path: path.clone() }),
        (None, _) if !options.fair.is_empty() => Err(LoadError::FairC),
        (None, _) => {
            let (given, formulas) = (options.given.clone(), options.formulas.clone());
            let c = COptions { given, formulas, ..options.c.clone() };
            c_task(load_c(paths, &c)?)
        }
    }
}

/// Loads a model from memory; `name` is what messages call it.
pub fn load_text(
    name: &str,
    text: &str,
    constants: &[(String, String)],
) -> Result<Task, LoadError> {
    load_model(name, text, constants, &[])
}

/// Loads a model from memory, with formulas of linear temporal logic to ask
/// besides what it asks itself.
pub fn load_model(
    name: &str,
    text: &str,
    constants: &[(String, String)],
    formulas: &[String],
) -> Result<Task, LoadError> {
    let (constants, formulas) = (constants.to_vec(), formulas.to_vec());
    load_with(name, text, &LoadOptions { constants, formulas, ..LoadOptions::default() })
}

fn load_with(name: &str, text: &str, options: &LoadOptions) -> Result<Task, LoadError> {
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new(name, text));
    let constants = options.constants.clone();
    let (given, fair) = (&options.given, options.fair.clone());
    let options = Options {
        defines: constants.clone(),
        formulas: options.formulas.clone(),
        predicates: given.predicates.clone(),
    };
    match parallax_front_model::load(&mut sources, file, &options) {
        Ok(Loaded { mut program, predicates, warnings }) => {
            let model = template::of_model(&program);
            let mut templates = Vec::new();
            for text in &given.templates {
                let terms = template::read_one(&mut program.store, text, &[&model]);
                templates.extend(terms.map_err(|message| {
                    let (what, text) = ("template", text.clone());
                    LoadError::Given { what, text, message }
                })?);
            }
            let named = named_processes(&program, &fair)?;
            let too_many = program.assume_fair(&named);
            too_many.map_err(|error| LoadError::Unfair(error.to_string()))?;
            let task = Task::of_program(program, sources)?;
            Ok(Task { warnings, constants, fair, predicates, templates, ..task })
        }
        Err(diagnostics) => Err(LoadError::Invalid(Box::new(Invalid { sources, diagnostics }))),
    }
}

/// The processes of these names, each once.
fn named_processes(
    program: &Program,
    fair: &[(String, Fairness)],
) -> Result<Vec<(Id<Process>, Fairness)>, LoadError> {
    let mut found: BTreeMap<Id<Process>, Fairness> = BTreeMap::new();
    for (name, fairness) in fair {
        let family = format!("{name}[");
        let is_named =
            |p: &Process| name == "*" || *p.name == **name || p.name.starts_with(&family);
        for (id, _) in program.processes.iter_enumerated().filter(|(_, p)| is_named(p)) {
            // To be strongly fair is to be weakly fair, too.
            let known = found.entry(id).or_insert(*fairness);
            *known = (*known).max(*fairness);
        }
        if !program.processes.iter().any(is_named) {
            let known: Vec<String> =
                program.processes.iter().map(|p| format!("`{}`", p.name)).collect();
            return Err(LoadError::Unfair(format!(
                "there is no process `{name}`; the model has {}",
                known.join(", ")
            )));
        }
    }
    Ok(found.into_iter().collect())
}

/// Loads Horn clauses from memory.
fn load_horn(name: &str, text: &str) -> Result<Task, LoadError> {
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new(name, text));
    match parallax_front_horn::load(&sources, file) {
        Ok(program) => Task::of_program(program, sources),
        Err(diagnostics) => Err(LoadError::Invalid(Box::new(Invalid { sources, diagnostics }))),
    }
}

impl Task {
    /// A task that is a program and nothing besides.
    fn of_program(mut program: Program, sources: SourceMap) -> Result<Task, LoadError> {
        // Every engine, checker and renderer takes a copy of the terms.
        program.store.freeze();
        program.validate()?;
        Ok(Task {
            program,
            sources,
            warnings: Diagnostics::default(),
            constants: Vec::new(),
            fair: Vec::new(),
            c: None,
            predicates: Vec::new(),
            templates: Vec::new(),
            invariants: Vec::new(),
            refused: Vec::new(),
            parts: Vec::new(),
        })
    }
}

/// The text of a file, if it is text and not too large.
pub fn read_text(path: &Path) -> Result<String, LoadError> {
    let unreadable = |error| LoadError::Read { path: path.to_owned(), error };
    let bytes = read_limited(path, MAX_BYTES).map_err(unreadable)?;
    let bytes = bytes.ok_or_else(|| LoadError::TooLarge { path: path.to_owned() })?;
    String::from_utf8(bytes).map_err(|e| {
        let offset = e.utf8_error().valid_up_to();
        LoadError::NotText { path: path.to_owned(), offset }
    })
}

/// At most `limit` bytes; `None` if there are more. Devices and pipes without
/// end are read no further either.
pub(crate) fn read_limited(path: &Path, limit: usize) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(limit as u64 + 1).read_to_end(&mut bytes)?;
    Ok((bytes.len() <= limit).then_some(bytes))
}

/// A model laid out in the one style, or what is wrong with it.
pub fn format_model(name: &str, text: &str) -> Result<String, LoadError> {
    parallax_front_model::format(text).map_err(|diagnostics| {
        let mut sources = SourceMap::default();
        sources.add(SourceFile::new(name, text));
        LoadError::Invalid(Box::new(Invalid { sources, diagnostics }))
    })
}
