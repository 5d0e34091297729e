//! Why programs together conform to a labelled transition system, or do not.
//!
//! Each program is covered by a transition system of its own: for a location
//! and a state of that system, a formula says which states of the program the
//! state matches. These formulas are a weak simulation if every step of the
//! program is matched. The composition of the covers is related to the
//! specification by a plain list of pairs.
//!
//! That they do not conform is shown by a strategy: a graph that says what the
//! programs do next, whatever the specification answers, with runs of the
//! programs that really do it.

use parallax_base::Id;
use parallax_ir::{Location, Program};
use parallax_lts::{CeDag, Lts, StateId};
use parallax_term::{Term, TermStore, Value};
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
    /// For each location what is not modelled there, if something is: its edges
    /// in do an action of their own that no specification has, and a run that
    /// gets there shows nothing.
    pub gaps: &'a [Option<Arc<str>>],
}

impl Labelled<'_> {
    /// What is not modelled behind an edge.
    pub fn gap(&self, edge: usize) -> Option<&str> {
        let edge = self.program.processes.iter().flat_map(|p| p.edges.iter()).nth(edge)?;
        self.gaps.get(edge.target.index())?.as_deref()
    }
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

/// A step of one program in a counterexample.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunStep {
    /// The edge of its process.
    pub edge: usize,
    /// The values of the inputs.
    pub inputs: Vec<Value>,
    /// The node of the counterexample that it belongs to.
    pub node: usize,
}

/// What one program really does on a path of a counterexample.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    /// The initial values of its variables.
    pub initial: Vec<Value>,
    /// The steps; their nodes follow the path.
    pub steps: Vec<RunStep>,
}

/// A counterexample that the programs really have.
#[derive(Clone, Debug)]
pub struct ConformanceRefutation {
    /// The graph; its left states are those of `composed`.
    pub dag: CeDag,
    /// The composition that was searched. Its labels give the actions of the
    /// graph their names; nothing else of it counts as evidence.
    pub composed: Lts,
    /// For each path of the graph, what each program does.
    pub runs: Vec<Vec<Run>>,
    /// Whether it is a deadlock: the graph is then a plain path.
    pub deadlock: bool,
}

/// The evidence for an answer.
#[derive(Clone, Debug)]
pub enum ConformanceEvidence {
    /// They conform, and this is why.
    Conforms(Box<ConformanceProof>),
    /// They do not.
    Differs(Box<ConformanceRefutation>),
}
