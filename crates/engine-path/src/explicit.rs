//! `explicit`: all states, listed one by one.
//!
//! Breadth-first search over concrete states, as Holzmann's SPIN does it (IEEE
//! TSE 1997), for programs that start in finitely many states and choose from
//! few values at each step. The list is the proof: a closed set of points, which
//! the checker goes through with the interpreter. The first target found is at
//! the end of a shortest run.
//!
//! Deviations: states are kept whole, not as hashes, because they are evidence.
//! Nothing is reduced: a list that leaves out states is not closed.

use parallax_base::{Event, Stop};
use parallax_engine::{Engine, Question, Resources};
use parallax_evidence::{
    Certificate, ClosedSet, Finding, Outcome, Statistics, Trace, TraceStep, Why,
};
use parallax_ir::{Choices, Interpreter, State};
use parallax_term::{Code, Scratch, Value};
use rustc_hash::FxHashMap;
use std::rc::Rc;

const NAME: &str = "explicit";

/// A step with more choices than this is not listed.
const CHOICES: usize = 256;

/// States between two looks at the budget.
const ASK_EVERY: usize = 64;

/// States between two messages to the observer.
const REPORT_EVERY: usize = 4096;

/// The engine `explicit`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Explicit;

impl Engine for Explicit {
    fn name(&self) -> &'static str {
        NAME
    }

    fn summary(&self) -> &'static str {
        "lists all states, if they are few; finds shortest runs, proves finite programs"
    }

    fn is_endless(&self) -> bool {
        true
    }

    fn run(&self, question: Question<'_>, resources: Resources<'_>) -> Outcome {
        let mut search = Search::new(question);
        let finding = search.run(question, resources);
        let statistics = Statistics {
            iterations: 1,
            states: search.states.len() as u64,
            ..Statistics::default()
        };
        Outcome {
            engine: NAME,
            finding: finding.unwrap_or_else(|stop| Finding::Unknown(Why::Stopped(stop))),
            statistics,
            history: Vec::new(),
            abstraction: None,
            graph: None,
        }
    }
}

/// How a state was found first: from which, by which transition, with which
/// inputs.
struct Step {
    from: u32,
    transition: u32,
    inputs: Box<[Value]>,
}

struct Search {
    interpreter: Interpreter,
    target: Code,
    scratch: Scratch,
    states: Vec<Rc<State>>,
    /// `None` for an initial state.
    steps: Vec<Option<Step>>,
    known: FxHashMap<Rc<State>, u32>,
}

impl Search {
    fn new(question: Question<'_>) -> Search {
        let program = question.program;
        let target = question.property().target;
        Search {
            interpreter: Interpreter::new(program),
            target: Code::compile(&program.store, &[target], |t| program.slot(t)),
            scratch: Scratch::default(),
            states: Vec::new(),
            steps: Vec::new(),
            known: FxHashMap::default(),
        }
    }

    /// Adds a state, if it is new; says whether it is a target.
    fn add(&mut self, state: State, step: Option<Step>) -> bool {
        let state = Rc::new(state);
        if self.known.contains_key(&state) {
            return false;
        }
        self.known.insert(Rc::clone(&state), self.states.len() as u32);
        let is_target = self.target.test(&state, &mut self.scratch);
        self.states.push(state);
        self.steps.push(step);
        is_target
    }

    fn run(&mut self, question: Question<'_>, resources: Resources<'_>) -> Result<Finding, Stop> {
        let refused = |what: &str, place| {
            let hint = "`--engine bmc`, which computes with what is not known".to_owned();
            Ok(Finding::Unknown(Why::Unsupported { construct: what.to_owned(), place, hint }))
        };
        if !self.interpreter.has_listable_initial_states() {
            return refused("too many initial states to list", None);
        }
        for state in self.interpreter.initial_states() {
            if self.add(state, None) {
                return Ok(self.reached());
            }
        }
        let mut at = 0;
        while at < self.states.len() {
            if at % ASK_EVERY == 0 {
                resources.budget.check()?;
            }
            if at % REPORT_EVERY == 0 {
                let states = self.states.len() as u64;
                let progress = Event::Progress { states, abstract_states: 0, queries: 0 };
                resources.budget.notice(progress);
            }
            let state = Rc::clone(&self.states[at]);
            for transition in self.interpreter.candidates(&state) {
                if !self.interpreter.is_enabled(&state, transition) {
                    continue;
                }
                let Choices::All(all) = self.interpreter.choices(&state, transition, CHOICES)
                else {
                    let span = self.interpreter.transitions()[transition].span;
                    return refused("a step with too many choices to list", Some(span));
                };
                for inputs in all {
                    let next = self.interpreter.fire(&state, transition, &inputs);
                    let step = Step {
                        from: at as u32,
                        transition: transition as u32,
                        inputs: inputs.into(),
                    };
                    if self.add(next, Some(step)) {
                        return Ok(self.reached());
                    }
                }
            }
            at += 1;
        }
        let points = self.states.iter().map(|state| State::clone(state)).collect();
        let set = ClosedSet {
            store: question.program.store.clone(),
            points,
            prefix: Vec::new(),
            fragment: Vec::new(),
            quotient: None,
        };
        Ok(Finding::Proved(Certificate::Closed(set).into()))
    }

    /// The run to the state that was added last.
    fn reached(&self) -> Finding {
        let mut steps = Vec::new();
        let mut at = self.states.len() - 1;
        while let Some(step) = &self.steps[at] {
            steps.push(TraceStep {
                transition: step.transition as usize,
                inputs: step.inputs.to_vec(),
                state: State::clone(&self.states[at]),
            });
            at = step.from as usize;
        }
        steps.reverse();
        Finding::Reached(Trace::new(State::clone(&self.states[at]), steps).into())
    }
}
