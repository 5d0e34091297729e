//! Layer 2: constrained Horn clauses.
//!
//! A [`System`] has predicates and clauses: a conjunction of applied
//! predicates and a constraint implies one applied predicate, or `false`. It
//! has a *solution* (a formula for each predicate that makes all clauses
//! valid) if and only if it has no *derivation* of `false`. Systems are written
//! and read as SMT-LIB text of the logic `HORN`, the format of CHC-COMP;
//! what solvers answer is read here too. Nothing here solves anything, and
//! nothing that was read is believed.

mod derivation;
mod read;
mod solution;
mod system;
mod write;

pub use derivation::{Derivation, Fact};
pub use solution::{Solution, SolutionError};
pub use system::{Applied, Clause, Predicate, System};
