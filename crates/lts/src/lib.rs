//! Layer 1: labelled transition systems.
//!
//! A system ([`Lts`]) is finite and explicit: numbered states, one initial
//! state, transitions that carry an action or the silent action `tau`, and an
//! alphabet, which may hold actions that no transition carries (they are
//! refused by the system when it is composed with others).
//!
//! Meaning follows Magee and Kramer: private actions of a composition
//! interleave, shared actions happen together, `tau` is never shared. `ERROR`
//! and `END` are states of their own kind: one component in `ERROR` is an error
//! of the composition, and a composition has ended when all components have.
//!
//! Nothing here knows a language, a solver or a C program.

mod aut;
mod blocks;
mod check;
mod collapse;
mod compose;
mod dag;
mod determinize;
mod labels;
mod minimize;
mod parallel;
mod progress;
mod system;
mod tuples;
mod weak;

pub use aut::{AutError, read_aut, write_aut};
pub use blocks::{BlockRelation, Distinction};
pub use check::{Deadlock, Safety, check_safety, reachable_states, shortest_path, trace_possible};
pub use collapse::{Collapsed, collapse};
pub use compose::{Composed, Priority, compose, compose_some, compose_within};
pub use dag::{CeDag, CeNode};
pub use determinize::determinize;
pub use labels::{Relabelling, complete_property, is_hidden, nondeterminism};
pub use minimize::{minimize_strong, strong_blocks};
pub use parallel::{Event, Parallel};
pub use progress::{
    ProgressCheck, ProgressRanks, ProgressViolation, check_progress, components, progress_ranks,
};
pub use system::{Action, Edge, Lts, StateId, TAU};
pub use tuples::TupleSet;
pub use weak::{minimize_weak, saturate, saturate_within, weakly_bisimilar};
