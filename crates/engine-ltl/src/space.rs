//! The states of a program, listed breadth first as far as they are wanted.

use hashbrown::HashTable;
use parallax_base::{Budget, Span};
use parallax_evidence::{TraceStep, Why};
use parallax_ir::{Choices, Interpreter, Letters, Program, State, Temporal};
use parallax_term::Value;
use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher;

/// More choices of inputs in one step than this are refused.
const CHOICE_LIMIT: usize = 4096;

/// The step of a run that has ended: its last state once more.
pub(crate) const STUTTER: u32 = u32::MAX;

/// How far the states are known.
pub(crate) struct Space {
    interpreter: Interpreter,
    letters: Letters,
    /// The states, in the order in which they were met.
    pub(crate) states: Vec<State>,
    /// The letter of each state.
    pub(crate) letter: Vec<u64>,
    /// How many states are initial; they come first.
    pub(crate) initial: usize,
    index: HashTable<u32>,
    /// Steps of expanded states, as transition and target; those of state `i`
    /// begin at `starts[i]`.
    steps: Vec<(u32, u32)>,
    starts: Vec<usize>,
}

impl Space {
    /// The initial states; fails if they cannot be listed.
    pub(crate) fn new(program: &Program, temporal: &Temporal) -> Result<Space, Why> {
        let mut interpreter = Interpreter::new(program);
        if !interpreter.has_listable_initial_states() {
            let open = program.variables.iter().zip(&program.init.fixed);
            let place = open.filter(|(_, fixed)| fixed.is_none());
            let infinite = place.clone().find(|(v, _)| v.domain.size().is_none());
            let place = infinite.or_else(|| place.clone().next());
            return Err(Why::Unsupported {
                construct: "too many initial states to list".into(),
                place: place.map(|(v, _)| v.span),
                hint: "give the variable an initial value, or a small type".into(),
            });
        }
        let letters = Letters::new(program, temporal);
        let initial = interpreter.initial_states();
        let mut space = Space {
            interpreter,
            letters,
            states: Vec::new(),
            letter: Vec::new(),
            initial: 0,
            index: HashTable::new(),
            steps: Vec::new(),
            starts: vec![0],
        };
        for state in initial {
            space.number(state);
        }
        space.initial = space.states.len();
        Ok(space)
    }

    /// How many states have all their steps listed; they come first.
    pub(crate) fn expanded(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether all reachable states and steps are known.
    pub(crate) fn is_complete(&self) -> bool {
        self.expanded() == self.states.len()
    }

    /// The steps from a state, as transition and target; none if it was not
    /// expanded.
    pub(crate) fn steps(&self, state: usize) -> &[(u32, u32)] {
        match (self.starts.get(state), self.starts.get(state + 1)) {
            (Some(&from), Some(&to)) => &self.steps[from..to],
            _ => &[],
        }
    }

    /// The number of a state, a new one if it was not met before.
    fn number(&mut self, state: State) -> u32 {
        let hash = |state: &State| FxBuildHasher.hash_one(state);
        let states = &self.states;
        let found = self.index.find(hash(&state), |&i| states[i as usize] == state);
        if let Some(&known) = found {
            return known;
        }
        let number = states.len() as u32;
        self.index.insert_unique(hash(&state), number, |&i| hash(&states[i as usize]));
        self.letter.push(self.letters.of(&state));
        self.states.push(state);
        number
    }

    /// Expands states in order until all are, or there are this many.
    pub(crate) fn expand(&mut self, wanted: usize, budget: &Budget) -> Result<(), Why> {
        while self.expanded() < self.states.len() && self.states.len() < wanted {
            if self.expanded().is_multiple_of(64) {
                budget.check()?;
            }
            let state = self.states[self.expanded()].clone();
            let first = self.steps.len();
            for transition in self.interpreter.candidates(&state) {
                if !self.interpreter.is_enabled(&state, transition) {
                    continue;
                }
                let choices = self.interpreter.choices(&state, transition, CHOICE_LIMIT);
                let Choices::All(choices) = choices else {
                    // Leave no trace of a state that is expanded in part.
                    self.steps.truncate(first);
                    return Err(self.too_many(transition));
                };
                for inputs in choices {
                    let next = self.interpreter.fire(&state, transition, &inputs);
                    let target = self.number(next);
                    self.steps.push((transition as u32, target));
                }
            }
            if self.steps.len() == first {
                self.steps.push((STUTTER, self.expanded() as u32));
            }
            self.starts.push(self.steps.len());
        }
        Ok(())
    }

    fn too_many(&self, transition: usize) -> Why {
        let t = &self.interpreter.transitions()[transition];
        Why::Unsupported {
            construct: format!("unbounded input in `{}`", t.name),
            place: Some(t.span),
            hint: "choose from a small range: `x := any 0..10`".into(),
        }
    }

    /// A step between two states as a trace records it, with inputs that lead
    /// there.
    pub(crate) fn trace_step(&mut self, from: usize, step: (u32, u32)) -> TraceStep {
        let (transition, target) = (step.0 as usize, &self.states[step.1 as usize]);
        let state = &self.states[from];
        let inputs: Vec<Value> = match self.interpreter.choices(state, transition, CHOICE_LIMIT) {
            Choices::All(all) => {
                let leads = |inputs: &Vec<Value>| {
                    self.interpreter.fire(state, transition, inputs) == *target
                };
                all.into_iter().find(leads).unwrap_or_default()
            }
            Choices::TooMany => Vec::new(),
        };
        TraceStep { transition, inputs, state: target.clone() }
    }

    /// The variable without bounds whose values went farthest, with how far.
    pub(crate) fn farthest(&self, program: &Program) -> Option<Farthest> {
        let mut best: Option<(parallax_term::Int, usize)> = None;
        for (slot, variable) in program.variables.iter().enumerate() {
            if variable.domain.size().is_some() {
                continue;
            }
            for state in &self.states {
                let Some(value) = state[slot].as_int() else { continue };
                let size = value.abs();
                if best.as_ref().is_none_or(|(far, _)| size > *far) {
                    best = Some((size, slot));
                }
            }
        }
        let (size, slot) = best?;
        let variable = program.variables.iter().nth(slot)?;
        Some(Farthest { name: variable.name.to_string(), span: variable.span, size })
    }
}

/// A variable without bounds, and the largest value it was seen with, signs
/// aside.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Farthest {
    pub(crate) name: String,
    pub(crate) span: Span,
    pub(crate) size: parallax_term::Int,
}
