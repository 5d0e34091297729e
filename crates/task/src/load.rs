//! From files to a task: [`Language`] says which loader reads them, and why one
//! does not.

use crate::c::{COptions, Given, c_task, load_c};
use crate::{Language, Origin, Task, model};
use parallax_base::{Diagnostics, SourceFile, SourceMap, Stop};
use parallax_ir::{Fairness, Malformed};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

pub use parallax_front_model::MAX_BYTES;

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
            model::load_with(&path.to_string_lossy(), &text, options)
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
    model::load_with(name, text, &LoadOptions { constants, formulas, ..LoadOptions::default() })
}

/// Loads Horn clauses from memory.
fn load_horn(name: &str, text: &str) -> Result<Task, LoadError> {
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new(name, text));
    match parallax_front_horn::load(&sources, file) {
        Ok(program) => Task::of_program(program, sources, Origin::Clauses),
        Err(diagnostics) => Err(LoadError::Invalid(Box::new(Invalid { sources, diagnostics }))),
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
pub fn read_limited(path: &Path, limit: usize) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(limit as u64 + 1).read_to_end(&mut bytes)?;
    Ok((bytes.len() <= limit).then_some(bytes))
}
