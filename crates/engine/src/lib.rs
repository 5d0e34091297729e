//! Layer 5: what an engine is, and what all engines share.
//!
//! An [`Engine`] takes a [`Question`] (a program and one of its properties)
//! and returns an [`Outcome`](parallax_evidence::Outcome). It never prints: it
//! tells the observer of its budget what it does. [`solve_path`] turns a sequence of
//! transitions into a concrete run, for engines that search symbolically;
//! [`relations`] guesses predicates where refinement does not end; [`nowhere()`]
//! answers what no state could reach; [`Reduction`] says whose steps suffice where
//! several processes move.

mod contract;
mod increments;
mod nowhere;
mod path;
mod reduction;

pub use contract::{Engine, Question, Resources};
pub use increments::relations;
pub use nowhere::nowhere;
pub use path::{follow, solve_path};
pub use reduction::{Group, Reduction};
