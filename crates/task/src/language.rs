//! What a file is written in, told by its name: the one table of languages.
//! Loaders, commands and messages ask here.

use std::path::Path;

/// The language of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// A model.
    Model,
    /// Horn clauses.
    Horn,
    /// C, preprocessed or not.
    C,
    /// A task definition: a C program and what is asked of it.
    Task,
    /// A compilation database.
    Commands,
    /// Labelled transition systems as processes.
    Fsp,
    /// A labelled transition system state by state.
    Aut,
    /// C procedures and what they must conform to.
    System,
}

/// How the names of files end.
const ENDINGS: [(&str, Language); 11] = [
    ("plx", Language::Model),
    ("smt2", Language::Horn),
    ("c", Language::C),
    ("i", Language::C),
    ("yml", Language::Task),
    ("yaml", Language::Task),
    ("json", Language::Commands),
    ("lts", Language::Fsp),
    ("fsp", Language::Fsp),
    ("aut", Language::Aut),
    ("magic", Language::System),
];

impl Language {
    /// The language of a file, if its name tells.
    pub fn of(path: &Path) -> Option<Language> {
        let ending = path.extension()?.to_str()?;
        let row = ENDINGS.iter().find(|(known, _)| known.eq_ignore_ascii_case(ending));
        row.map(|(_, language)| *language)
    }

    /// Whether files in it are parts of a C program.
    pub fn is_c(self) -> bool {
        matches!(self, Language::C | Language::Task | Language::Commands)
    }

    /// Whether files in it are labelled transition systems.
    pub fn is_lts(self) -> bool {
        matches!(self, Language::Fsp | Language::Aut)
    }
}
