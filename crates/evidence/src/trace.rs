//! Runs that reach a target or break a formula, with every choice recorded.

use parallax_ir::State;
use parallax_term::Value;

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
    /// repeated; else the last step leads back to the state after this many.
    pub cycle: Option<usize>,
}

impl Trace {
    /// A finite run.
    pub fn new(initial: State, steps: Vec<TraceStep>) -> Trace {
        Trace { initial, steps, cycle: None }
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
