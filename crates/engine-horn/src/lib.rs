//! Layer 7: engines that ask for a solution of Horn clauses: `pdr` about places of
//! the whole program, `modular` about places of each process (`modular/`).
//!
//! A program is a system of constrained Horn clauses with one predicate for
//! each place of control (`clauses.rs`). Z3's Spacer (Komuravelli, Gurfinkel,
//! Chaki, CAV 2014; with the global guidance of Vediramana Krishnan, Chen,
//! Shoham, Gurfinkel, CAV 2020) looks for a solution or a derivation of `false`
//! in a process of its own (`spacer.rs`). A solution is an inductive invariant,
//! a derivation the places and values of a run (`run.rs`).
//!
//! Invariant: nothing that Spacer says is believed. What is handed out is a
//! closed set or a run in terms of the program, which `certify` checks.

mod candidates;
mod cells;
mod clauses;
mod engine;
mod houdini;
mod loose;
mod modular;
mod run;
mod spacer;
#[cfg(test)]
mod tests;
mod wraps;

pub use cells::Cells;
pub use clauses::{Encoded, Origin, encode};
pub use engine::{Pdr, PdrConfig};
pub use modular::{Modular, ModularConfig};
pub use spacer::{Said, Setting, solver_command};
