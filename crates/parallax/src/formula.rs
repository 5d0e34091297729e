//! Formulas of linear temporal logic on their own: read, translated, evaluated.

use crate::{Invalid, LoadError};
use parallax_base::{Diagnostics, SourceFile, SourceMap};
use parallax_ltl::{Formula, Lasso, parse, parse_word};

pub use parallax_buchi::{Automaton, TranslateError, translate};

/// A formula and the text it comes from.
#[derive(Clone, Debug)]
pub struct LtlTask {
    /// The formula.
    pub formula: Formula,
    /// The texts that messages point at.
    pub sources: SourceMap,
    /// What looks unintended; no errors.
    pub warnings: Diagnostics,
}

/// Reads a formula.
pub fn load_formula(text: &str) -> Result<LtlTask, LoadError> {
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new("<command line>", text));
    match parse(file, text) {
        (Some(formula), warnings) => Ok(LtlTask { formula, sources, warnings }),
        (None, diagnostics) => Err(LoadError::Invalid(Box::new(Invalid { sources, diagnostics }))),
    }
}

/// Reads a word over the atoms of a formula, such as `{b}({a,b}{b})^w`.
pub fn load_word(task: &LtlTask, text: &str) -> Result<Lasso, LoadError> {
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new("<command line>", text));
    parse_word(file, text, &task.formula)
        .map_err(|diagnostics| LoadError::Invalid(Box::new(Invalid { sources, diagnostics })))
}
