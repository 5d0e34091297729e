//! Why systems side by side have a property, or have not, where there are too
//! many states to list: sets of tuples are decision diagrams.
//!
//! Actions and events are numbered as in [`parallax_lts::Parallel`].

use parallax_lts::{Action, ProgressCheck, StateId, TupleSet};

/// A question about systems side by side.
#[derive(Clone, Copy, Debug)]
pub enum CompositionQuestion<'a> {
    /// Is `ERROR` out of reach?
    NoError,
    /// Can every reachable state but `END` and `ERROR` do something?
    NoDeadlock,
    /// Does a progress property hold under fair choice?
    Progress(&'a ProgressCheck),
}

/// A step of systems side by side.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JointStep {
    /// What is done.
    pub action: Action,
    /// Where everyone is then.
    pub tuple: Box<[StateId]>,
}

/// Why every tuple of a set has a way to a goal, from the goal backwards.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stages {
    /// Tuples that have the goal before them.
    pub goal: TupleSet,
    /// The number of an event, and a larger set: each of its tuples is in the
    /// one before it, or the event can lead there.
    pub steps: Vec<(usize, TupleSet)>,
}

impl Stages {
    /// All tuples that are shown to have a way.
    pub fn last(&self) -> &TupleSet {
        self.steps.last().map_or(&self.goal, |(_, set)| set)
    }
}

/// The evidence for an answer about systems side by side.
#[derive(Clone, Debug)]
pub enum CompositionEvidence {
    /// These tuples hold the initial one and all their successors but `ERROR`,
    /// and none of them is wrong.
    Closed(TupleSet),
    /// A way from the initial tuple to `ERROR` or to a deadlock.
    Path(Vec<JointStep>),
    /// Every reachable tuple has a way to where progress is made.
    Staged {
        /// A closed set.
        closed: TupleSet,
        /// For the conditional form: tuples from which the condition never
        /// happens.
        quiet: Option<TupleSet>,
        /// The ways.
        stages: Stages,
    },
    /// A way into a set of tuples that is never left, and where no progress is
    /// made.
    Sink {
        /// The way in.
        path: Vec<JointStep>,
        /// The set.
        set: TupleSet,
        /// For the conditional form: the condition can always happen again.
        stages: Option<Stages>,
    },
}

impl CompositionEvidence {
    /// Whether it says yes.
    pub fn holds(&self) -> bool {
        matches!(self, CompositionEvidence::Closed(_) | CompositionEvidence::Staged { .. })
    }

    /// What kind of evidence it is, for people.
    pub fn kind(&self) -> &'static str {
        match self {
            CompositionEvidence::Closed(_) => "closed diagram",
            CompositionEvidence::Path(_) => "path",
            CompositionEvidence::Staged { .. } => "ranking by diagrams",
            CompositionEvidence::Sink { .. } => "terminal diagram",
        }
    }
}
