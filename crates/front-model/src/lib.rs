//! The front end of the modelling language `.plx`.
//!
//! Text becomes tokens, a syntax tree, and then a program of processes with
//! guarded edges. Broken text becomes diagnostics, several per run. Nothing
//! here knows a solver.
//!
//! The language is described in the book (`docs/book/src/language.md`).

pub mod ast;
mod elaborate;
mod format;
mod parser;
mod suggest;
pub mod token;

pub use elaborate::{Loaded, MAX_INSTANCES, MAX_WORK, Options, load};
pub use format::format;
pub use parser::{MAX_BYTES, MAX_DEPTH, parse, parse_expression};
