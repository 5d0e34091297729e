//! `explicit`: all states, listed one by one.
//!
//! Breadth-first search over concrete states, as Holzmann's SPIN does it (IEEE
//! TSE 1997), for programs that start in finitely many states and choose from
//! few values at each step. Where several processes move, only those do whose
//! steps stand for all orders ([`parallax_engine::Reduction`]). The list is the
//! proof: a closed set of points if nothing was left out, else a reduced set. The
//! checker goes through either with the interpreter.
//!
//! Deviations: states are kept whole, not as hashes, because they are evidence. A
//! run found with steps left out need not be a shortest one; if a search without
//! reduction finds one in as many states, that is handed out.
//!
//! Invariant: where others could be put off for ever, a state has a rank as soon as
//! one of its successors has; states that are left without one move in full
//! (`starving.rs`).

use crate::starving::Starving;
use parallax_base::{Event, Span, Stop};
use parallax_engine::{Engine, Group, Question, Reduction, Resources};
use parallax_evidence::{
    Certificate, ClosedSet, Finding, Movers, Outcome, Reduced, Statistics, Trace, TraceStep, Why,
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

/// How many states are listed for a shortest run once there is a run.
const SHORTER: usize = 100_000;

/// The engine `explicit`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Explicit;

impl Engine for Explicit {
    fn name(&self) -> &'static str {
        NAME
    }

    fn summary(&self) -> &'static str {
        "lists all states, if they are few; finds short runs, proves finite programs"
    }

    fn is_endless(&self) -> bool {
        true
    }

    fn run(&self, question: Question<'_>, resources: Resources<'_>) -> Outcome {
        let reduction = Reduction::new(question, resources);
        let is_reduced = reduction.is_some();
        let mut search = Search::new(question, reduction);
        let mut end = search.run(resources, usize::MAX);
        let statistics = Statistics {
            iterations: 1,
            states: search.states.len() as u64,
            solver_queries: search.reduction.as_ref().map_or(0, Reduction::queries),
            time: resources.budget.elapsed(),
            ..Statistics::default()
        };
        if let (Ok(End::Reached), true) = (&end, is_reduced) {
            let mut plain = Search::new(question, None);
            let limit = search.states.len().max(SHORTER);
            if let Ok(End::Reached) = plain.run(resources, limit) {
                (search, end) = (plain, Ok(End::Reached));
            }
        }
        let finding = match end {
            Ok(end) => search.finding(question, end),
            Err(stop) => Finding::Unknown(Why::Stopped(stop)),
        };
        Outcome {
            engine: NAME,
            finding,
            statistics,
            history: Vec::new(),
            abstraction: None,
            graph: None,
        }
    }
}

/// How a search ends.
enum End {
    /// All states are listed.
    Listed,
    /// The state that was added last is a target.
    Reached,
    /// There are more states than wanted.
    TooMany,
    /// Something cannot be listed.
    Refused(&'static str, Option<Span>),
}

/// How a state was found first: from which, by which transition, with which
/// inputs.
struct Step {
    from: u32,
    transition: u32,
    inputs: Box<[Value]>,
}

struct Search<'a> {
    interpreter: Interpreter,
    target: Code,
    scratch: Scratch,
    reduction: Option<Reduction<'a>>,
    /// What the reduction wants to know.
    parts: Option<Code>,
    part_count: usize,
    states: Vec<Rc<State>>,
    /// `None` for an initial state.
    steps: Vec<Option<Step>>,
    /// Who moves, by state; `None` for all.
    movers: Vec<Option<Box<[u32]>>>,
    starving: Starving,
    known: FxHashMap<Rc<State>, u32>,
}

impl<'a> Search<'a> {
    fn new(question: Question<'a>, reduction: Option<Reduction<'a>>) -> Search<'a> {
        let program = question.program;
        let target = question.property().target;
        Search {
            interpreter: Interpreter::new(program),
            target: Code::compile(&program.store, &[target], |t| program.slot(t)),
            scratch: Scratch::default(),
            parts: reduction.as_ref().map(Reduction::code),
            part_count: reduction.as_ref().map_or(0, |r| r.parts().len()),
            reduction,
            states: Vec::new(),
            steps: Vec::new(),
            movers: Vec::new(),
            starving: Starving::default(),
            known: FxHashMap::default(),
        }
    }

    /// The number of a state; whether it is a target, if it is new.
    fn add(&mut self, state: State, step: Option<Step>) -> (u32, bool) {
        let state = Rc::new(state);
        if let Some(&known) = self.known.get(&state) {
            return (known, false);
        }
        let number = self.states.len() as u32;
        self.known.insert(Rc::clone(&state), number);
        let is_target = self.target.test(&state, &mut self.scratch);
        self.states.push(state);
        self.steps.push(step);
        self.movers.push(None);
        (number, is_target)
    }

    fn run(&mut self, resources: Resources<'_>, limit: usize) -> Result<End, Stop> {
        if !self.interpreter.has_listable_initial_states() {
            return Ok(End::Refused("too many initial states to list", None));
        }
        for state in self.interpreter.initial_states() {
            if self.add(state, None).1 {
                return Ok(End::Reached);
            }
        }
        let mut at = 0;
        loop {
            while at < self.states.len() {
                if at % ASK_EVERY == 0 {
                    resources.budget.check()?;
                }
                if at % REPORT_EVERY == 0 {
                    let states = self.states.len() as u64;
                    let progress = Event::Progress { states, abstract_states: 0, queries: 0 };
                    resources.budget.notice(progress);
                }
                if at > limit {
                    return Ok(End::TooMany);
                }
                if let Some(end) = self.expand(at)? {
                    return Ok(end);
                }
                at += 1;
            }
            let Some(starving) = self.starving.next() else { return Ok(End::Listed) };
            resources.budget.check()?;
            self.movers[starving as usize] = None;
            if let Err(end) = self.take(starving as usize, None) {
                return Ok(end);
            }
            self.starving.feed(starving);
        }
    }

    /// Takes the steps that suffice from a state.
    fn expand(&mut self, at: usize) -> Result<Option<End>, Stop> {
        for group in self.groups(at).iter() {
            // Others stay where they are if the group cannot move.
            let state = Rc::clone(&self.states[at]);
            if !group.own.iter().any(|&t| self.interpreter.is_enabled(&state, t)) {
                continue;
            }
            let next = match self.take(at, Some(&group.own)) {
                Ok(next) => next,
                Err(end) => return Ok(Some(end)),
            };
            self.movers[at] = Some(group.processes.clone());
            if group.may_starve {
                self.starving.wait(at as u32, &next);
            } else {
                self.starving.feed(at as u32);
            }
            return Ok(None);
        }
        let end = self.take(at, None).err();
        self.starving.feed(at as u32);
        Ok(end)
    }

    /// Sets of processes whose steps suffice; none if all have to move.
    fn groups(&mut self, at: usize) -> Rc<[Group]> {
        let (Some(reduction), Some(parts)) = (&mut self.reduction, &self.parts) else {
            return Rc::new([]);
        };
        let state = &self.states[at];
        let location = |&slot: &usize| state[slot].as_int().and_then(|i| i.to_i64());
        let locations: Option<Vec<usize>> =
            reduction.controls().iter().map(|c| usize::try_from(location(c)?).ok()).collect();
        let Some(locations) = locations else { return Rc::new([]) };
        parts.run(state, &mut self.scratch);
        let holds = |i| *parts.output(i, &self.scratch) == Value::Bool(true);
        let may: Vec<bool> = (0..self.part_count).map(holds).collect();
        reduction.groups(&locations, &may)
    }

    /// Takes all steps from a state, or those that are listed, and returns where
    /// they lead.
    fn take(&mut self, at: usize, these: Option<&[usize]>) -> Result<Vec<u32>, End> {
        let state = Rc::clone(&self.states[at]);
        let mut found = Vec::new();
        for transition in self.interpreter.candidates(&state) {
            let is_taken = these.is_none_or(|these| these.contains(&transition));
            if !is_taken || !self.interpreter.is_enabled(&state, transition) {
                continue;
            }
            let Choices::All(all) = self.interpreter.choices(&state, transition, CHOICES) else {
                let span = self.interpreter.transitions()[transition].span;
                return Err(End::Refused("a step with too many choices to list", Some(span)));
            };
            for inputs in all {
                let next = self.interpreter.fire(&state, transition, &inputs);
                let step =
                    Step { from: at as u32, transition: transition as u32, inputs: inputs.into() };
                let (number, is_target) = self.add(next, Some(step));
                if is_target {
                    return Err(End::Reached);
                }
                found.push(number);
            }
        }
        Ok(found)
    }

    fn finding(&self, question: Question<'_>, end: End) -> Finding {
        match end {
            End::Reached => self.reached(),
            End::Refused(construct, place) => {
                let hint = "`--engine bmc`, which computes with what is not known".to_owned();
                Finding::Unknown(Why::Unsupported { construct: construct.to_owned(), place, hint })
            }
            End::TooMany => Finding::Unknown(Why::NoProgress("too many states".to_owned())),
            End::Listed => {
                let set = ClosedSet {
                    store: question.program.store.clone(),
                    points: self.states.iter().map(|state| State::clone(state)).collect(),
                    prefix: Vec::new(),
                    fragment: Vec::new(),
                    quotient: None,
                };
                if self.movers.iter().all(Option::is_none) {
                    return Finding::Proved(Certificate::Closed(set).into());
                }
                let movers = |(processes, number): (&Option<Box<[u32]>>, u32)| Movers {
                    processes: processes.clone(),
                    rank: self.starving.rank(number),
                };
                let points = self.movers.iter().zip(0..).map(movers).collect();
                let reduced = Reduced { set, points, fragment: Vec::new() };
                Finding::Proved(Certificate::Reduced(reduced).into())
            }
        }
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
