//! Why programs together conform to a labelled transition system.
//!
//! Each program is covered by a transition system of its own: for a location
//! and a state of that system, a formula says which states of the program the
//! state matches. These formulas are a weak simulation if every step of the
//! program is matched. The composition of the covers is related to the
//! specification by a plain list of pairs.

use parallax_base::Id;
use parallax_ir::{Location, Program};
use parallax_lts::{Lts, StateId};
use parallax_term::{Term, TermStore};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A program of one process whose edges carry actions.
#[derive(Clone, Copy, Debug)]
pub struct Labelled<'a> {
    /// The program.
    pub program: &'a Program,
    /// For each edge of its process the action; silent edges have none.
    pub actions: &'a [Option<Arc<str>>],
    /// All actions it takes part in: an action in several alphabets happens in
    /// all of them together.
    pub alphabet: &'a BTreeSet<String>,
    /// For each location whether it is left by actions only.
    pub waits: &'a [bool],
}

/// A transition system that covers a program.
#[derive(Clone, Debug)]
pub struct Cover {
    /// The transition system.
    pub abstraction: Lts,
    /// The store of the formulas, a copy of the program's that may have grown.
    pub store: TermStore,
    /// What states of the program a state of the abstraction matches, by
    /// location; nothing where there is no formula.
    pub formulas: Vec<(Id<Location>, StateId, Term)>,
}

/// The proof.
#[derive(Clone, Debug)]
pub struct ConformanceProof {
    /// One cover for each program.
    pub covers: Vec<Cover>,
    /// Pairs of a state of the composed covers and a state of the
    /// specification.
    pub relation: Vec<(Vec<StateId>, StateId)>,
    /// Whether it is claimed that there is no deadlock, too.
    pub deadlock_free: bool,
}
