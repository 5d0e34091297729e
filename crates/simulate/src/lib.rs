//! Layer 2: does one labelled transition system conform to another?
//!
//! S. Chaki, *A Counter Example Guided Abstraction Refinement Framework for
//! Compositional Verification of Concurrent C Programs* (2002), section 4 and
//! 5.1, with these corrections: the arrow on the right-hand side is the weak
//! one (`tau* a tau*`, and `tau*` for a silent step); a node of a
//! counterexample keeps exactly one reason; a node whose action nobody can
//! match is a leaf with a dangling edge.
//!
//! The default is weak simulation ([`simulates`]), decided as satisfiability of
//! an N-HORN formula by a solver that takes clauses one by one and works in
//! linear time ([`NHorn`]). Where that has too many pairs to look at,
//! [`compare`] goes on with blocks of states. [`largest_simulation`] is another
//! algorithm that shares no code with either. [`trace_contained`] decides trace containment, which
//! may cost exponentially more.

mod dag;
mod dense;
mod distinguish;
mod fixpoint;
mod horn;
mod large;
mod simulation;
mod traces;

pub use fixpoint::{is_simulation, largest_simulation};
pub use horn::{NHorn, Variable};
pub use large::{Comparison, compare, compare_by_blocks};
pub use simulation::{Conformance, Simulated, simulates};
pub use traces::{Contained, trace_contained};
