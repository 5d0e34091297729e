//! From the syntax tree to a program.
//!
//! One pass per concern, in this order: declare names, evaluate constants and
//! named types, lay out variables, initial conditions, commands, properties,
//! warnings. Families, quantifiers and arrays are expanded on the way: every
//! instance is elaborated on its own, with the values of its indices known.
//! An error in one place does not stop the others; a name whose declaration is
//! broken fails silently where it is used.
//!
//! What a model may expand to is limited ([`MAX_INSTANCES`], [`MAX_WORK`]), so
//! that a family of a billion processes is a message and not a full disk.

mod bounds;
mod commands;
mod constants;
mod context;
mod expr;
mod folds;
mod mentions;
mod names;
mod places;
mod properties;
mod temporal;
mod types;
mod updates;
mod values;
mod variables;
mod warnings;

use parallax_base::{Diagnostic, Diagnostics, FileId, SourceFile, SourceMap, Span};
use parallax_ir::Program;
use parallax_term::Term;

use crate::parser::{parse, parse_define, parse_expression};
use context::Cx;

/// How many processes, commands and variable cells a model may expand to, each.
pub const MAX_INSTANCES: usize = 100_000;

/// How much work expansion may take, counted in parts of terms built.
pub const MAX_WORK: usize = 20_000_000;

/// How a model is loaded.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Constants to override: name and value, the value an expression.
    pub defines: Vec<(String, String)>,
    /// Formulas of linear temporal logic to ask besides what the model asks;
    /// each may begin with a name, as in `live: [] <> p`.
    pub formulas: Vec<String>,
    /// Predicates to translate: expressions over the variables of the model
    /// that are true or false.
    pub predicates: Vec<String>,
}

/// A model that means something.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The program; [`Program::validate`] accepts it.
    pub program: Program,
    /// [`Options::predicates`], as terms of the program's store.
    pub predicates: Vec<Term>,
    /// What looks unintended.
    pub warnings: Diagnostics,
}

/// Reads the model in `file`.
///
/// The texts of the options are added to `sources`, so that messages can point
/// at them.
///
/// # Errors
/// What is wrong with the model, in the order of the text.
pub fn load(
    sources: &mut SourceMap,
    file: FileId,
    options: &Options,
) -> Result<Loaded, Diagnostics> {
    let Some(source) = sources.get(file).cloned() else {
        let mut none = Diagnostics::default();
        none.push(Diagnostic::error("M0008", Span::default(), "there is no such file"));
        return Err(none);
    };
    let (model, errors) = parse(file, source.text());
    if errors.has_errors() {
        return Err(errors);
    }
    let texts: Vec<(FileId, SourceFile)> = options
        .defines
        .iter()
        .map(|(name, value)| {
            let text = SourceFile::new("<command line>", format!("{name}={value}"));
            (sources.add(text.clone()), text)
        })
        .collect();
    let mut defines = Vec::new();
    for (file, text) in &texts {
        defines.push(parse_define(*file, text.text())?);
    }
    let written = temporal::written(sources, &options.formulas)?;
    let formulas = temporal::parsed(&written)?;
    let mut given = Vec::new();
    for text in &options.predicates {
        let source = SourceFile::new("<command line>", text.as_str());
        given.push(parse_expression(sources.add(source), text)?);
    }
    let mut cx = Cx::new(&model);
    cx.declare();
    cx.constants(&defines);
    if cx.variables().is_ok() {
        cx.initial_predicates();
        cx.commands();
    }
    let name = match model.name {
        Some(name) => name.text.to_owned(),
        None => stem(source.name()).to_owned(),
    };
    cx.finish(name, &formulas, &given)
}

/// The name of a file without folders and extension.
fn stem(path: &str) -> &str {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    match name.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem,
        _ => name,
    }
}
