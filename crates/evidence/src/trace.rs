//! Runs that reach a target, with every choice recorded.

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
}

impl Trace {
    /// The state the run ends in.
    pub fn last(&self) -> &State {
        self.steps.last().map_or(&self.initial, |s| &s.state)
    }
}
