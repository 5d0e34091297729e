//! The front end for C: text to control-flow automata.
//!
//! One direction, five steps, each a module: preprocess, parse ([`ast`]),
//! check ([`typed`]), lower (the program form of `parallax-cfa`), and the
//! library models that lowering links in.

pub mod ast;
mod compile_commands;
pub mod driver;
mod lex;
pub mod libc;
mod load;
pub mod lower;
mod options;
mod parse;
mod preprocess;
pub mod sema;
mod splice;
mod stack;
pub mod typed;

pub use compile_commands::{compile_commands, compile_commands_text};
pub use lex::Encoding;
pub use load::{Loaded, functions, load, parse_inputs, parse_unit};
pub use options::{Flag, Input, Options};
pub use splice::{Piece, SPLICED, Splices, Spot, looks_only};
pub use stack::on_large_stack;
