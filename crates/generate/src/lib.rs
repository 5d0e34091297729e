//! Layer 0: random inputs whose truth is known without Parallax.
//!
//! Every kind of input that Parallax answers questions about has a generator
//! here: C programs, with one thread and with several, models, labelled transition systems, C procedures with a
//! specification, optimization problems, containers. An input is a function of
//! a number, so everything repeats.
//!
//! Invariants: nothing of Parallax is used, so the truth is found by other
//! means: by running natively on all inputs, by listing states, by definition.
//! Tests and the campaign (`make fuzz`) share these generators.

pub mod c;
pub mod container;
pub mod formula;
pub mod model;
pub mod procedure;
pub mod processes;
mod random;
pub mod system;
pub mod threads;

pub use random::Random;
