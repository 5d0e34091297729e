//! The front end for C: text to control-flow automata.
//!
//! One direction, five steps, each a module: preprocess, parse ([`ast`]),
//! check ([`typed`]), lower (the program form of `parallax-cfa`), and the
//! library models that lowering links in.

pub mod ast;
pub mod typed;
