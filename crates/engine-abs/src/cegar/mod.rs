//! Counterexample-guided abstraction refinement with an abstract reachability
//! graph (lecture 5; Henzinger, Jhala, Majumdar, Sutre, POPL 2002).
//!
//! The graph is explored until it is closed, which is a proof, or until it
//! reaches the target. A path to the target that is no run is excluded by new
//! predicates; only the part of the graph behind the first of them is built
//! again.
//!
//! Deviations from the lecture: see `arg` for identity of nodes; predicates
//! belong to locations; the domains of variables are known everywhere and are
//! part of the certificate.

mod arg;
mod bench;
mod block;
mod facts;
mod finite;
mod impact;
mod path;
mod picture;
mod place;
mod post;
mod precision;
mod proof;
mod reduce;
mod refine;
mod search;
mod straight;
mod waitlist;

pub use facts::Known;
pub use parallax_domain::Abstraction;
pub use precision::Scope;
pub use refine::Refiner;
pub use waitlist::Order;

use bench::Bench;
use facts::Facts;
use impact::Impact;
use parallax_engine::{Engine, Question, Resources, nowhere};
use parallax_evidence::{Finding, Outcome, Statistics, Why};
use parallax_ir::Process;
use parallax_solver::Halt;
use parallax_term::Term;
use search::Search;

/// What refinement tracks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Track {
    /// Variables with few values by value, the rest by predicates.
    #[default]
    Auto,
    /// Predicates only.
    Predicates,
}

/// Which nodes cover others.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Covering {
    /// Those whose states include the other's.
    #[default]
    Included,
    /// Those with the same abstract state: the graph has every state and every
    /// step of the lecture's Definition 5.2.
    Equal,
}

/// How the graph is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Mode {
    /// Predicate abstraction.
    #[default]
    Predicates,
    /// Interpolants alone.
    Impact,
}

/// Options of the engine.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CegarConfig {
    /// How the graph is made.
    pub mode: Mode,
    /// How abstract states are computed.
    pub abstraction: Abstraction,
    /// In which order nodes are explored.
    pub order: Order,
    /// How predicates are found first.
    pub refiner: Refiner,
    /// Where new predicates are tracked.
    pub scope: Scope,
    /// What is tracked.
    pub track: Track,
    /// Whether every refinement starts again from nothing.
    pub eager: bool,
    /// Which nodes cover others.
    pub covering: Covering,
    /// Predicates that are tracked everywhere from the start, terms of the
    /// program's store.
    pub predicates: Vec<Term>,
    /// What is taken from the analysis of the engine `symba`.
    pub invariants: Known,
    /// Whether paths that are no runs are left in the graph instead of being
    /// excluded by new predicates.
    pub no_refine: bool,
}

/// The engine `cegar`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Cegar {
    /// Its options.
    pub config: CegarConfig,
}

const NAME: &str = "cegar";

impl Engine for Cegar {
    fn name(&self) -> &'static str {
        NAME
    }

    fn summary(&self) -> &'static str {
        "lazy predicate abstraction on an abstract reachability graph"
    }

    fn run(&self, question: Question<'_>, resources: Resources<'_>) -> Outcome {
        let mut outcome = Outcome {
            engine: NAME,
            finding: Finding::Unknown(Why::NoProgress(String::new())),
            statistics: Statistics::default(),
            history: Vec::new(),
            abstraction: None,
            graph: None,
        };
        let config = self.config.clone();
        if !resources.picture
            && let Some(found) = nowhere(question, resources)
        {
            outcome.finding = found;
            return outcome;
        }
        let (bench, facts) = match prepare(question, resources, &config) {
            Ok(ready) => ready,
            Err(halt) => {
                outcome.finding = finding(Err(halt));
                return outcome;
            }
        };
        match self.config.mode {
            Mode::Predicates => {
                let mut search = Search::new(bench, question, resources, config, facts);
                outcome.finding = finding(search.run());
                if resources.picture {
                    outcome.graph = Some(Box::new(search.picture(&outcome.finding)));
                }
                search.count();
                outcome.statistics = search.statistics;
                outcome.history = search.history;
            }
            Mode::Impact => {
                let mut search = Impact::new(bench, resources, config);
                outcome.finding = finding(search.run());
                if resources.picture {
                    outcome.graph = Some(Box::new(search.picture(&outcome.finding)));
                }
                search.count();
                outcome.statistics = search.statistics;
                outcome.history = search.history;
            }
        }
        outcome
    }
}

/// What the search works with, and what it knows.
fn prepare<'a>(
    question: Question<'a>,
    resources: Resources<'a>,
    config: &CegarConfig,
) -> Result<(Bench<'a>, Facts), Halt> {
    let store = question.program.store.clone();
    let (facts, store) = match (config.invariants, config.mode) {
        (Known::Nothing, _) | (_, Mode::Impact) => (Facts::default(), store),
        _ => Facts::find(question, resources, store, Default::default())?,
    };
    Ok((Bench::new(question, resources, store)?, facts))
}

fn finding(found: Result<Finding, Halt>) -> Finding {
    match found {
        Ok(finding) => finding,
        Err(Halt::Stop(stop)) => Finding::Unknown(stop.into()),
        Err(Halt::GaveUp(why)) => Finding::Unknown(Why::SolverGaveUp(why)),
    }
}

/// Per location of a process, the first location of the same function.
///
/// The name of a location of a C program begins with its function.
fn functions(process: &Process) -> Vec<i64> {
    let name = |i: usize| {
        let name = &process.locations.as_slice()[i].name;
        name.split(':').next().unwrap_or_default().to_owned()
    };
    let names: Vec<String> = (0..process.locations.len()).map(name).collect();
    let first = |n: &String| names.iter().position(|m| m == n).unwrap_or_default() as i64;
    names.iter().map(first).collect()
}
