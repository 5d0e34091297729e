//! What is asked for, and what comes out.

use parallax_base::Stop;
use parallax_evidence::ConformanceProof;
use parallax_lts::Lts;
use parallax_simulate::CeDag;
use parallax_term::Value;

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

/// A step of one program in a counterexample.
#[derive(Clone, Debug)]
pub struct RunStep {
    /// The edge of its process.
    pub edge: usize,
    /// The values of the inputs.
    pub inputs: Vec<Value>,
    /// The node of the counterexample that it belongs to.
    pub node: usize,
}

/// What one program really does on a path of a counterexample.
#[derive(Clone, Debug)]
pub struct Run {
    /// The initial values of its variables.
    pub initial: Vec<Value>,
    /// The steps.
    pub steps: Vec<RunStep>,
}

/// A counterexample that the programs really have.
#[derive(Clone, Debug)]
pub struct Refutation {
    /// The graph; its left states are those of `composed`.
    pub dag: CeDag,
    /// The composition.
    pub composed: Lts,
    /// For each path of the graph, what each program does.
    pub runs: Vec<Vec<Run>>,
    /// Whether it is a deadlock: the graph is then a plain path.
    pub deadlock: bool,
}

/// The answer.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// They conform, and this is why.
    Conforms(Box<ConformanceProof>),
    /// They do not.
    Differs(Box<Refutation>),
    /// Nobody knows, for this reason.
    Unknown(String),
}

/// Why a part of the search ended.
#[derive(Clone, Debug)]
pub(crate) enum Halt {
    Stopped(Stop),
    Unknown(String),
}

impl From<Stop> for Halt {
    fn from(stop: Stop) -> Halt {
        Halt::Stopped(stop)
    }
}
