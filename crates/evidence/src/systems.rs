//! Why a labelled transition system has a property, or has not.
//!
//! What is asked is a [`SystemQuestion`]; the variant of [`SystemEvidence`]
//! says whether it answers yes or no. States and actions are numbered as in the
//! system that the front end made.

use parallax_ltl::Assertion;
use parallax_lts::{
    BlockRelation, CeDag, Distinction, Edge, Lts, ProgressCheck, ProgressRanks, StateId,
};

/// A question about a system.
#[derive(Clone, Copy, Debug)]
pub enum SystemQuestion<'a> {
    /// Is `ERROR` out of reach?
    NoError,
    /// Can every reachable state but `END` and `ERROR` do something?
    NoDeadlock,
    /// Does a progress property hold under fair choice?
    Progress(&'a ProgressCheck),
    /// Does this system weakly simulate it?
    SimulatedBy(&'a Lts),
    /// Do all runs satisfy a formula, under fair choice?
    Assertion(&'a Assertion),
    /// Are its traces traces of this system?
    TracesOf(&'a Lts),
}

/// The evidence for an answer.
#[derive(Clone, Debug)]
pub enum SystemEvidence {
    /// These states hold the initial one and all their successors, and none of
    /// them is wrong.
    Closed(Vec<StateId>),
    /// A way from the initial state to `ERROR` or to a deadlock.
    Path(Vec<Edge>),
    /// Every reachable state has a way to where progress is made.
    Ranked(ProgressRanks),
    /// A way into a set of states that is never left, and where no progress is
    /// made.
    Terminal {
        /// The way in.
        path: Vec<Edge>,
        /// The set.
        states: Vec<StateId>,
    },
    /// A weak simulation.
    Relation(Vec<(StateId, StateId)>),
    /// A weak simulation, by blocks of states.
    Blocks(BlockRelation),
    /// A strategy against every weak simulation.
    Differs(CeDag),
    /// A formula that the specification does not satisfy.
    Distinguished(Distinction),
    /// A simulation by sets of states: what a trace leads to on the left, and
    /// some of what it leads to on the right.
    Sets {
        /// Pairs of a state and the number of a set.
        pairs: Vec<(StateId, u32)>,
        /// The sets.
        sets: Vec<Vec<StateId>>,
    },
    /// A path whose trace the specification does not have.
    Trace(Vec<Edge>),
    /// Why every fair run satisfies a formula.
    Fair(FairRanking),
    /// A fair run that does not.
    Run {
        /// The way in.
        path: Vec<Edge>,
        /// What is done for ever; nothing if the run has ended.
        cycle: Vec<Edge>,
    },
}

/// Why a class of pairs of a state and obligations is not stayed in for ever.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FairReason {
    /// No step stays in it.
    Passed,
    /// Every step in it puts off this until, a part of the negated formula.
    PutsOff(u32),
    /// In this state of the system this step always leaves it; where the state
    /// is left out, the classes below say more.
    Avoids(StateId, Edge),
}

/// A class; classes below one are about what it leaves open.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FairClass {
    /// The class that this one is a part of.
    pub parent: Option<u32>,
    /// No step leads to a larger number among the parts of one class.
    pub order: u32,
    /// Why runs leave it.
    pub reason: FairReason,
}

/// A pair of a state with the fluents that hold in it, and obligations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FairNode {
    /// The state.
    pub state: StateId,
    /// The fluents that hold.
    pub letter: u64,
    /// The number of the set of obligations.
    pub obligations: u32,
    /// The innermost class.
    pub class: u32,
}

/// All pairs of a state and obligations that runs lead to, in classes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FairRanking {
    /// Sets of parts of the negated formula.
    pub obligations: Vec<Vec<u32>>,
    /// The classes; a parent comes before its parts.
    pub classes: Vec<FairClass>,
    /// The pairs.
    pub nodes: Vec<FairNode>,
}

impl SystemEvidence {
    /// Whether it says yes.
    pub fn holds(&self) -> bool {
        use SystemEvidence::{Blocks, Closed, Fair, Ranked, Relation, Sets};
        matches!(self, Closed(_) | Ranked(_) | Relation(_) | Blocks(_) | Sets { .. } | Fair(_))
    }

    /// What kind of evidence it is, for people.
    pub fn kind(&self) -> &'static str {
        match self {
            SystemEvidence::Closed(_) => "closed set",
            SystemEvidence::Path(_) => "path",
            SystemEvidence::Ranked(_) => "ranking",
            SystemEvidence::Terminal { .. } => "terminal set",
            SystemEvidence::Relation(_) => "simulation relation",
            SystemEvidence::Blocks(_) => "simulation by blocks",
            SystemEvidence::Differs(_) => "counterexample graph",
            SystemEvidence::Distinguished(_) => "distinguishing formula",
            SystemEvidence::Sets { .. } => "simulation by sets",
            SystemEvidence::Trace(_) => "distinguishing trace",
            SystemEvidence::Fair(_) => "fair ranking",
            SystemEvidence::Run { .. } => "fair run",
        }
    }
}
