//! From files to a program.

use crate::options::{Input, Options};
use crate::{ast, lex::Encoding, parse, preprocess};
use parallax_base::{Diagnostics, FileId, Severity, SourceMap};

/// Parses one file of preprocessed text. The unit holds what could be parsed,
/// even if there are errors.
///
/// Call it inside [`on_large_stack`](crate::on_large_stack).
pub fn parse_unit(sources: &SourceMap, file: FileId) -> (ast::Unit, Diagnostics) {
    let text = sources.get(file).map_or("", |source| source.text());
    parse::parse(text, Encoding::Utf8, &file)
}

/// Preprocesses and parses files. Warnings are added to `warnings` whether or
/// not there are errors.
///
/// Call it inside [`on_large_stack`](crate::on_large_stack).
pub fn parse_inputs(
    sources: &mut SourceMap,
    inputs: &[Input],
    options: &Options,
    warnings: &mut Diagnostics,
) -> Result<Vec<ast::Unit>, Diagnostics> {
    let mut errors = Diagnostics::default();
    let mut units = Vec::new();
    let mut sort = |found: Diagnostics| {
        for diagnostic in found.iter() {
            match diagnostic.severity {
                Severity::Error => errors.push(diagnostic.clone()),
                Severity::Warning => warnings.push(diagnostic.clone()),
            }
        }
    };
    for input in inputs {
        let mut found = Diagnostics::default();
        let text = preprocess::preprocess(sources, input, options, &mut found);
        sort(found);
        if let Some(text) = text {
            let (unit, found) = parse::parse(&text.text, text.encoding, &*text.origin);
            sort(found);
            units.push(unit);
        }
    }
    if errors.has_errors() { Err(errors) } else { Ok(units) }
}
