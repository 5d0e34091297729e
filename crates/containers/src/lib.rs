//! Tests for containers by model checking with state matching.
//!
//! Sequences of operations are tried breadth first. After each operation the
//! state of the container is compared with those seen before; a state that was
//! seen discards the sequence. What counts as the same state is a [`Match`]:
//! this is what tells the techniques apart (Visser, Păsăreanu, Pelánek, ISSTA
//! 2006). A sequence that covers something new becomes a test, and an operation
//! that goes wrong ends in a shortest failing sequence.
//!
//! Deviation: the paper drives Java containers in one virtual machine that
//! backtracks; here a state is a copy of a small heap (`parallax-machine`).

mod api;
mod api_file;
mod api_resolve;
mod diagnose;
mod explicit;
mod given;
mod lines;
mod minimize;
mod outcome;
mod random;
mod runner;
mod seen;
mod subject;
mod symbolic;

pub use parallax_machine::Trap;

pub use api::{Api, Call, MOST, Maker, MakerKind, Operation, Parameter, ResultUse};
pub use api_file::{ApiText, parse_api};
pub use api_resolve::resolve;
pub use given::{Given, Passing};
pub use lines::{LineCover, line_cover};
pub use minimize::minimize;
pub use outcome::{Failure, Figures, Found, Level, Shape, Test, Unsupported, Wrong};
pub use runner::{Observed, Runner, State};
pub use subject::{Subject, SubjectError};
pub use symbolic::{Difference, Differences};

use parallax_base::{Budget, Stop};

/// What counts as the same state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Match {
    /// The bytes of the heap, with the order of allocation.
    Concrete,
    /// The heap with its data, up to the addresses.
    Complete,
    /// The heap without its data.
    Shape,
    /// What a function of the program says.
    User,
    /// Symbolic states: contained in one that was seen.
    Subsumption,
    /// Symbolic states: the heap without its data.
    SymbolicShape,
    /// Nothing: sequences are chosen at random.
    Random,
}

impl Match {
    /// All of them, in the order of the tables.
    pub const ALL: [Match; 7] = [
        Match::Concrete,
        Match::Complete,
        Match::Subsumption,
        Match::Shape,
        Match::SymbolicShape,
        Match::Random,
        Match::User,
    ];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Match::Concrete => "concrete",
            Match::Complete => "complete",
            Match::Shape => "shape",
            Match::User => "user",
            Match::Subsumption => "subsumption",
            Match::SymbolicShape => "symbolic-shape",
            Match::Random => "random",
        }
    }

    /// Whether it loses no state: every state up to the length is tried.
    pub fn is_exhaustive(self) -> bool {
        matches!(self, Match::Concrete | Match::Complete | Match::Subsumption)
    }
}

/// What a test has to add to be kept.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Goal {
    /// Basic blocks; with probes in the code, their numbers.
    Blocks,
    /// Outcomes of conditions.
    Branches,
    /// Combinations of predicates at blocks.
    Predicates,
}

/// How to search.
#[derive(Clone, Debug)]
pub struct Config {
    /// The longest sequences.
    pub length: u32,
    /// How many values a parameter has.
    pub values: u32,
    /// What counts as the same state.
    pub matching: Match,
    /// What tests are kept for.
    pub goal: Goal,
    /// How many operations `random` tries.
    pub operations: u64,
    /// Where `random` begins.
    pub seed: u64,
    /// How many different shapes are kept for pictures.
    pub shapes: usize,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            length: 6,
            values: 6,
            matching: Match::Complete,
            goal: Goal::Blocks,
            operations: 1_000_000,
            seed: 1,
            shapes: 200,
        }
    }
}

/// Searches.
pub fn search(
    subject: &Subject<'_>,
    config: &Config,
    budget: &Budget,
) -> Result<Found, Unsupported> {
    let mut found = match config.matching {
        Match::Random => random::search(subject, config, budget),
        Match::Subsumption | Match::SymbolicShape => symbolic::search(subject, config, budget),
        _ => explicit::search(subject, config, budget),
    }?;
    // What counts is what the tests execute, not what was tried on the way.
    let mut runner = Runner::new(subject);
    for test in &found.tests {
        runner.replay(&test.calls);
    }
    found.coverage = runner.machine.coverage;
    Ok(found)
}

/// Whether a search was stopped, and why.
pub type Stopped = Option<Stop>;
