//! The front end for C: text to control-flow automata.
//!
//! One direction, five steps, each a module: preprocess, parse ([`ast`]),
//! check ([`typed`]), lower (the program form of `parallax-cfa`), and the
//! library models that lowering links in.

pub mod ast;
mod lex;
mod parse;
mod stack;
pub mod typed;

pub use lex::Encoding;
pub use stack::on_large_stack;

use parallax_base::{Diagnostics, FileId, SourceMap};

/// Parses one file of preprocessed text. The unit holds what could be parsed,
/// even if there are errors.
///
/// Call it inside [`on_large_stack`].
pub fn parse_unit(sources: &SourceMap, file: FileId) -> (ast::Unit, Diagnostics) {
    let text = sources.get(file).map_or("", |source| source.text());
    parse::parse(text, Encoding::Utf8, &file)
}
