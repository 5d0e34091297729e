//! Layer 2: FSP, the language of finite state processes.
//!
//! J. Magee and J. Kramer, *Concurrency: State Models and Java Programs*. A
//! text becomes a [`Model`]; a process of it is compiled to a labelled
//! transition system by [`Model::compile`].
//!
//! Compared with the tool of the book: the grammar and the meaning are the
//! same, a composition that is only a composition is flattened into its
//! machines (so relabelling comes before synchronization), and a local process
//! that is not defined for an index is `ERROR`, with a warning. Formulas
//! (`assert`, `ltl_property`) become assertions about fluents
//! ([`Model::assertions`]).
//!
//! Nesting is bounded, so no stack overflows; a composition or a process that
//! instantiates itself for ever is an error with its place.

mod ast;
mod build;
mod composite;
mod expand;
mod formula;
mod lex;
mod model;
mod parse;
mod parse_composite;
mod parse_formula;
mod parse_label;
mod process;
mod value;
mod write;

pub use build::{Compiled, Failure, Part};
pub use model::{Kind, Model, Process, SideBySide};
pub use write::write_fsp;
