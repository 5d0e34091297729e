//! Layer 2: asking whether formulas can be satisfied.
//!
//! [`Solver`] is the contract; [`Z3`] answers in process and [`Pipe`] through
//! any SMT-LIB 2 solver that runs as a child process. [`Recording`] writes
//! every query of another solver to disk. Callers that do not care which of
//! them they hold use a [`SolverConfig`] and a `Box<dyn Solver>`.
//!
//! Only the `z3_*` modules know libz3, and none of its handles leaves them.

mod contract;
mod logic;
mod model;
mod project;
mod stack;
mod z3_backend;
mod z3_eliminate;
mod z3_number;
mod z3_translate;
mod z3_watch;

pub use contract::{Answer, Solver, SolverStats};
pub use logic::Logic;
pub use model::Model;
pub use z3_backend::Z3;
