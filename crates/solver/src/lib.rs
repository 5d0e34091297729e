//! Layer 2: asking whether formulas can be satisfied.
//!
//! [`Solver`] is the contract; [`Z3`] answers in process and [`Pipe`] through
//! any SMT-LIB 2 solver that runs as a child process. [`Recording`] writes
//! every query of another solver to disk. Callers that do not care which of
//! them they hold use a [`SolverConfig`] and a `Box<dyn Solver>`.
//!
//! [`Script`] is a conversation with a solver process about text,
//! for what only such a process can do.
//!
//! Only the `z3_*` modules know libz3, and none of its handles leaves them.

#[cfg(test)]
#[path = "../tests/common/mod.rs"]
mod common;
mod config;
mod contract;
mod cooper;
mod find;
mod halt;
mod logic;
mod model;
mod pipe_backend;
mod pipe_process;
mod project;
mod record;
mod script;
mod stack;
mod z3_backend;
mod z3_eliminate;
mod z3_float;
mod z3_machine;
mod z3_number;
mod z3_optimize;
mod z3_script;
mod z3_translate;
mod z3_watch;

pub use config::{Backend, SolverConfig, SolverError};
pub use contract::{Answer, Solver, SolverStats};
pub use find::{find_second_solver, find_second_solver_below, find_z3};
pub use halt::Halt;
pub use logic::Logic;
pub use model::Model;
pub use pipe_backend::Pipe;
pub use pipe_process::PipeCommand;
pub use record::{RecordDir, Recording};
pub use script::{Script, ScriptEnd};
pub use z3_backend::Z3;
pub use z3_optimize::{Z3Answer, Z3Optimizer, Z3Optimum, z3_optimize};
pub use z3_script::serve_z3;
