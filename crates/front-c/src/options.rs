//! What is loaded and how.

use crate::driver::Request;
use crate::splice::Splices;
use parallax_base::Budget;
use parallax_cfa::DataModel;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How C text is to be understood.
#[derive(Clone, Debug)]
pub struct Options {
    /// Sizes of the types.
    pub model: DataModel,
    /// Folders searched for included files.
    pub includes: Vec<PathBuf>,
    /// Macros to define: `NAME` or `NAME=VALUE`.
    pub defines: Vec<String>,
    /// Predefined macros to undefine.
    pub undefines: Vec<String>,
    /// The function a run begins with.
    pub entry: String,
    /// Whether `malloc` and its kin may return null.
    pub malloc_may_fail: bool,
    /// Whether an index is checked against its array also where the object goes on.
    pub object_bounds: bool,
    /// Whether operands with effects on each other are taken in every order, or
    /// from left to right.
    pub explore_orders: bool,
    /// C text that is read as if it stood at the end of the first file, under a name
    /// for messages.
    pub appendix: Option<(String, Arc<str>)>,
    /// A function to call with arbitrary arguments. The entry is
    /// [`crate::driver::ENTRY`] then.
    pub driver: Option<Request>,
    /// Text that is put in at places of the files.
    pub splices: Splices,
    /// Limits for the preprocessor, besides its own.
    pub budget: Budget,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            model: DataModel::default(),
            includes: Vec::new(),
            defines: Vec::new(),
            undefines: Vec::new(),
            entry: "main".to_owned(),
            malloc_may_fail: false,
            object_bounds: false,
            explore_orders: true,
            appendix: None,
            driver: None,
            splices: Splices::default(),
            budget: Budget::unlimited(),
        }
    }
}

/// A file to load.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Input {
    /// Where it lies, or its name if the text is given. A name that ends in
    /// `.i` says that the text is preprocessed.
    pub path: PathBuf,
    /// The text; `None` to read the file.
    pub text: Option<Arc<str>>,
    /// Folders that it may include files from, besides its own and those that
    /// are searched.
    pub folders: Vec<PathBuf>,
    /// Arguments for the preprocessor that only this file has.
    pub flags: Vec<Flag>,
}

impl Input {
    /// A file to be read.
    pub fn file(path: impl Into<PathBuf>) -> Input {
        Input { path: path.into(), text: None, folders: Vec::new(), flags: Vec::new() }
    }

    /// A text under a name.
    pub fn text(name: impl Into<PathBuf>, text: impl Into<Arc<str>>) -> Input {
        Input { text: Some(text.into()), ..Input::file(name) }
    }

    /// The same, with one more folder to include files from.
    #[must_use]
    pub fn within(mut self, folder: impl Into<PathBuf>) -> Input {
        self.folders.push(folder.into());
        self
    }

    /// Whether the name says that the text is preprocessed.
    pub(crate) fn is_preprocessed(&self) -> bool {
        self.path.extension().is_some_and(|extension| extension == "i")
    }
}

/// An argument for the preprocessor.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Flag {
    /// `-I`: a folder searched for included files.
    Include(PathBuf),
    /// `-isystem`: a folder searched after those.
    SystemInclude(PathBuf),
    /// `-iquote`: a folder searched for `#include "..."` only.
    QuoteInclude(PathBuf),
    /// `-include`: a file read before the text.
    ForcedInclude(PathBuf),
    /// `-D`: `NAME` or `NAME=VALUE`.
    Define(String),
    /// `-U`.
    Undefine(String),
    /// `-std=`: one of the names GCC knows.
    Standard(String),
}

impl Flag {
    /// The same flag with paths seen from `directory`.
    pub(crate) fn in_directory(self, directory: &Path) -> Flag {
        match self {
            Flag::Include(path) => Flag::Include(directory.join(path)),
            Flag::SystemInclude(path) => Flag::SystemInclude(directory.join(path)),
            Flag::QuoteInclude(path) => Flag::QuoteInclude(directory.join(path)),
            Flag::ForcedInclude(path) => Flag::ForcedInclude(directory.join(path)),
            other => other,
        }
    }
}
