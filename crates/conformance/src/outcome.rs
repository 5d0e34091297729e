//! What is asked for, and what comes out.

use parallax_evidence::ConformanceEvidence;

/// How the search is done.
#[derive(Clone, Debug)]
pub struct Config {
    /// Whether a smallest set of predicates is looked for, or all are kept.
    pub minimize: bool,
    /// Whether states are joined before systems are composed.
    pub two_level: bool,
    /// Whether deadlocks are looked for.
    pub deadlock: bool,
    /// After so many rounds the search gives up.
    pub rounds: usize,
}

impl Default for Config {
    fn default() -> Config {
        Config { minimize: true, two_level: true, deadlock: false, rounds: 100_000 }
    }
}

/// What one round of refinement did.
#[derive(Clone, Debug)]
pub struct Round {
    /// States of the composition.
    pub composed: usize,
    /// What was refined.
    pub refined: String,
}

/// What the search cost.
#[derive(Clone, Debug, Default)]
pub struct Statistics {
    /// The rounds.
    pub rounds: Vec<Round>,
    /// For each program: predicates in the end.
    pub predicates: Vec<usize>,
    /// For each program: the predicates as text.
    pub predicate_texts: Vec<Vec<String>>,
    /// For each program: predicates that all infeasible paths together offered.
    pub candidates: Vec<usize>,
    /// For each program: states and transitions of its transition system.
    pub systems: Vec<(usize, usize)>,
    /// For each program: states after joining.
    pub joined: Vec<usize>,
    /// States of the largest composition.
    pub largest: usize,
    /// States of the direct composition of the last transition systems, as far
    /// as it was counted.
    pub direct: Option<usize>,
    /// Rounds that split joined states.
    pub splits: usize,
    /// Rounds that added predicates.
    pub refinements: usize,
    /// Questions put to the solver.
    pub queries: u64,
}

/// The answer.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// They conform or they do not, and this is why.
    Decided(ConformanceEvidence),
    /// Nobody knows, for this reason.
    Unknown(String),
}
