//! Runs that reach a target or break a formula, with every choice recorded.

use parallax_ir::State;
use parallax_term::{Term, TermStore, Value};

/// One step of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TraceStep {
    /// Index of the transition taken.
    pub transition: usize,
    /// The inputs chosen, in the order of the transition's inputs.
    pub inputs: Vec<Value>,
    /// The state after the step.
    pub state: State,
}

/// A run from an initial state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    /// Where it starts.
    pub initial: State,
    /// What it does.
    pub steps: Vec<TraceStep>,
    /// For an infinite run: how many steps come before what is repeated for
    /// ever. If these are all steps, the run has ended and its last state is
    /// repeated; else the last step leads back to the state after this many, or
    /// to one that is as good.
    pub cycle: Option<usize>,
    /// Set if states do not come back: which of them are as good.
    pub recurrence: Option<Box<Recurrence>>,
}

/// Why a run goes on for ever whose states do not come back.
///
/// The claims are: the state before the cycle is in the region; from every state
/// of the region the steps of the cycle are possible, one after the other with the
/// inputs of the trace, and lead into the region again; and before each of them the
/// same atoms of the formula hold as in the trace. By induction the cycle is
/// repeated for ever, and the word of the run is that of the trace. Sets of this
/// kind are the recurrence sets of Gupta, Henzinger, Majumdar, Rybalchenko and Xu
/// (POPL 2008), here for one path and fixed inputs.
#[derive(Clone, Debug)]
pub struct Recurrence {
    /// The store the region belongs to: a fork of the program's.
    pub store: TermStore,
    /// A formula over the program's variables.
    pub region: Term,
}

impl PartialEq for Recurrence {
    fn eq(&self, other: &Recurrence) -> bool {
        self.store.smtlib(self.region) == other.store.smtlib(other.region)
    }
}

impl Eq for Recurrence {}

impl Trace {
    /// A finite run.
    pub fn new(initial: State, steps: Vec<TraceStep>) -> Trace {
        Trace { initial, steps, cycle: None, recurrence: None }
    }

    /// The state after some steps, if there are that many.
    pub fn state(&self, steps: usize) -> Option<&State> {
        match steps.checked_sub(1) {
            None => Some(&self.initial),
            Some(last) => self.steps.get(last).map(|s| &s.state),
        }
    }

    /// The state the run ends in.
    pub fn last(&self) -> &State {
        self.steps.last().map_or(&self.initial, |s| &s.state)
    }
}
