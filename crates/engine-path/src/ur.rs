//! `ur`: concrete search with global abstract matching and refinement.
//!
//! Pasareanu, Pelanek, Visser: *Concrete Model Checking with Abstract Matching
//! and Refinement* (CAV 2005), slides of part I. The program is executed on
//! concrete states; a state is expanded only if its abstract state is new. For
//! every explored step the engine asks whether the induced abstract step is a
//! *must* step: the abstract source implies the guard and the weakest
//! precondition of each literal of the abstract target. Atoms of failed
//! questions are the predicates of the next round. When nothing fails, the
//! visited abstract states are a finite bisimilar structure.
//!
//! Conventions behind the published figures: breadth first, visited marks set
//! when a state is generated, the target tested after a state's successors
//! were generated, a step that is disabled by data asked for `a => !guard`.
//!
//! Deviation: finitely many initial states and inputs are all tried, where the
//! paper allows one initial state and no input. Infinite choices are refused
//! with their place: the concrete search could not visit them all.

use crate::proof::{self, Edge};
use crate::work::Work;
use parallax_base::{Event, Stop};
use parallax_domain::Cube;
use parallax_engine::{Engine, Question, Resources};
use parallax_evidence::{AbstractSystem, Finding, Outcome, Statistics, Trace, TraceStep, Why};
use parallax_ir::{Choices, State};
use parallax_term::{Term, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeSet, VecDeque};

/// In which order waiting states are expanded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    /// First in, first out.
    #[default]
    BreadthFirst,
    /// Last in, first out: the slides' worklist, not a recursive search.
    DepthFirst,
}

/// Where the first predicates come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum InitialPredicates {
    /// The atoms of guards and target.
    #[default]
    Guards,
    /// None, as on the slides: takes a round more.
    Empty,
}

/// Choices of `ur`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct UrConfig {
    /// Search order; it changes the number of rounds.
    pub order: Order,
    /// The first predicate set.
    pub initial: InitialPredicates,
    /// Predicates that belong to it besides.
    pub predicates: Vec<Term>,
}

/// The engine `ur`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ur {
    /// Its choices.
    pub config: UrConfig,
}

/// More choices of inputs in one step than this are refused.
const CHOICE_LIMIT: usize = 4096;

impl Engine for Ur {
    fn name(&self) -> &'static str {
        "ur"
    }

    fn summary(&self) -> &'static str {
        "concrete search with abstract matching, refined until the matching is a bisimulation"
    }

    fn run(&self, question: Question<'_>, resources: Resources<'_>) -> Outcome {
        let guards = self.config.initial == InitialPredicates::Guards;
        let mut work = match Work::new(question, resources, guards, &self.config.predicates) {
            Ok(work) => work,
            Err(error) => return failed(Why::SolverGaveUp(error.to_string())),
        };
        let mut abstraction = None;
        let finding = loop {
            match self.round(&mut work) {
                Ok(Round::Done(finding, system)) => {
                    abstraction = system.map(|s| *s);
                    break finding;
                }
                Ok(Round::Refined) => {}
                Err(stop) => break Finding::Unknown(stop.into()),
            }
        };
        let statistics = work.finish();
        Outcome {
            engine: "ur",
            finding,
            statistics,
            history: work.history,
            abstraction,
            graph: None,
        }
    }
}

fn failed(why: Why) -> Outcome {
    Outcome {
        engine: "ur",
        finding: Finding::Unknown(why),
        statistics: Statistics::default(),
        history: Vec::new(),
        abstraction: None,
        graph: None,
    }
}

enum Round {
    Done(Finding, Option<Box<AbstractSystem>>),
    Refined,
}

/// A generated state: where it came from and what it matches.
struct Visit {
    state: State,
    cube: u32,
    parent: Option<(usize, usize, Vec<Value>)>,
}

#[derive(Default)]
struct Search {
    visits: Vec<Visit>,
    waiting: VecDeque<usize>,
    cubes: Vec<Cube>,
    index: FxHashMap<Cube, u32>,
    seen: FxHashSet<State>,
    edges: BTreeSet<Edge>,
    doubts: Vec<(usize, Term)>,
}

impl Search {
    /// Takes a generated state in; it waits if its abstract state is new.
    fn generate(
        &mut self,
        work: &mut Work,
        state: State,
        parent: Option<(usize, usize, Vec<Value>)>,
    ) -> u32 {
        let cube = work.cube(&state);
        let fresh = self.cubes.len() as u32;
        self.seen.insert(state.clone());
        if let Some(&known) = self.index.get(&cube) {
            return known;
        }
        self.index.insert(cube.clone(), fresh);
        self.cubes.push(cube);
        self.waiting.push_back(self.visits.len());
        self.visits.push(Visit { state, cube: fresh, parent });
        fresh
    }

    fn trace(&self, mut at: usize) -> Trace {
        let mut steps = Vec::new();
        while let Some((parent, transition, inputs)) = &self.visits[at].parent {
            let state = self.visits[at].state.clone();
            steps.push(TraceStep { transition: *transition, inputs: inputs.clone(), state });
            at = *parent;
        }
        steps.reverse();
        Trace::new(self.visits[at].state.clone(), steps)
    }
}

impl Ur {
    /// One search with the current predicates (the slides' `alphaSearch`).
    fn round(&self, work: &mut Work) -> Result<Round, Stop> {
        work.begin_iteration()?;
        if !work.interpreter.has_listable_initial_states() {
            let why = Why::Unsupported {
                construct: "infinitely many initial states".into(),
                place: work
                    .program
                    .variables
                    .iter()
                    .zip(&work.program.init.fixed)
                    .find(|(v, f)| f.is_none() && v.domain.size().is_none())
                    .map(|(v, _)| v.span),
                hint: "`ur` runs concrete states; use `--engine ase`, which executes symbolically"
                    .into(),
            };
            return Ok(Round::Done(Finding::Unknown(why), None));
        }
        let mut search = Search::default();
        for state in work.interpreter.initial_states() {
            search.generate(work, state, None);
        }
        let initial = search.cubes.len() as u32;
        while let Some(at) = match self.config.order {
            Order::BreadthFirst => search.waiting.pop_front(),
            Order::DepthFirst => search.waiting.pop_back(),
        } {
            work.budget.check()?;
            if let Some(why) = expand(work, &mut search, at)? {
                return Ok(Round::Done(Finding::Unknown(why), None));
            }
            if work.is_target(&search.visits[at].state.clone()) {
                work.progress(search.seen.len(), search.cubes.len());
                let trace = search.trace(at);
                return Ok(Round::Done(Finding::Reached(Box::new(trace)), None));
            }
            if at.is_multiple_of(256) {
                work.progress(search.seen.len(), search.cubes.len());
            }
        }
        work.progress(search.seen.len(), search.cubes.len());
        if search.doubts.is_empty() {
            return proved(work, &search, initial);
        }
        work.budget.notice(Event::Phase("refining"));
        let doubts = std::mem::take(&mut search.doubts);
        if work.refine(&doubts) {
            return Ok(Round::Refined);
        }
        let why = Why::NoProgress("a step is not exact, yet its preimage has no new atom".into());
        Ok(Round::Done(Finding::Unknown(why), None))
    }
}

/// Generates all successors of a waiting state and asks whether each induced
/// abstract step is a must step.
fn expand(work: &mut Work, search: &mut Search, at: usize) -> Result<Option<Why>, Stop> {
    let state = search.visits[at].state.clone();
    let source = search.visits[at].cube;
    let cube = search.cubes[source as usize].clone();
    let mut from = work.residual(&cube);
    for transition in work.interpreter.candidates(&state) {
        let enabled = work.interpreter.is_enabled(&state, transition);
        if !enabled {
            let guard = from.simplify(&mut work.store, work.guards[transition]);
            let (_, cx) = work.post();
            let disabled = cx.store.not(guard);
            if cx.oracle.implies(cx.store, &from.literals, disabled, cx.budget)? != Some(true) {
                search.doubts.push((transition, guard));
            }
            continue;
        }
        let Choices::All(choices) = work.interpreter.choices(&state, transition, CHOICE_LIMIT)
        else {
            let t = &work.transitions[transition];
            return Ok(Some(Why::Unsupported {
                construct: format!("unbounded input in `{}`", t.name),
                place: Some(t.span),
                hint: "`ur` runs concrete states; use `--engine ase`, which executes symbolically"
                    .into(),
            }));
        };
        // What this state cannot choose, no state like it may choose either.
        let mut left: BTreeSet<usize> = work.rules_of[transition].iter().copied().collect();
        for inputs in choices {
            let next = work.interpreter.fire(&state, transition, &inputs);
            let target =
                search.generate(work, next.clone(), Some((at, transition, inputs.clone())));
            search.edges.insert((source, transition as u32, target));
            let rule = rule_for(work, transition, &inputs);
            left.remove(&rule);
            let hint = search.cubes[target as usize].clone();
            let (post, mut cx) = work.post();
            let image = post.image(&mut cx, &cube, &mut from, rule, Some(&hint), &|_| false)?;
            search.doubts.extend(image.doubts.into_iter().map(|d| (transition, d)));
        }
        for rule in left {
            let guard = work.post.rules()[rule].guard;
            let guard = from.simplify(&mut work.store, guard);
            let (_, cx) = work.post();
            let never = cx.store.not(guard);
            if cx.oracle.implies(cx.store, &from.literals, never, cx.budget)? != Some(true) {
                search.doubts.push((transition, guard));
            }
        }
    }
    Ok(None)
}

/// The rule of a transition with these inputs.
fn rule_for(work: &Work, transition: usize, inputs: &[Value]) -> usize {
    let fits = |rule: &&usize| {
        let choice = &work.post.rules()[**rule].choice;
        choice.iter().zip(inputs).all(|(c, i)| c.as_ref().is_none_or(|c| c == i))
    };
    let rules = &work.rules_of[transition];
    rules.iter().find(fits).copied().unwrap_or(rules[0])
}

fn proved(work: &mut Work, search: &Search, initial: u32) -> Result<Round, Stop> {
    let all = (0..search.cubes.len() as u32).collect();
    let edges = search.edges.iter().map(|edge| (*edge, Some(true))).collect();
    let finding = proof::bisimulation(work, &search.cubes, &search.edges);
    let picture = proof::picture(work, &search.cubes, &(0..initial).collect(), &all, edges)?;
    Ok(Round::Done(finding, Some(picture)))
}
