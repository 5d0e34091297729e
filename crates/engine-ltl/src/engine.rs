//! `ltl`: rounds of listing states and searching the product.

use crate::lasso::{Run, short_run};
use crate::nested::accepting_cycle;
use crate::product::Product;
use crate::rank::ranking;
use crate::shrink::{breaks, shrunk};
use crate::space::{Farthest, Space};
use parallax_base::{Event, Stop};
use parallax_buchi::{Automaton, TranslateError, translate};
use parallax_engine::{Engine, Question, Resources};
use parallax_evidence::{Certificate, Finding, Outcome, Refinement, Statistics, Trace, Why};
use parallax_ir::{PropertyKind, Temporal};

/// States wanted in the first round; each round wants this many times more
/// than the one before.
const FIRST: usize = 1000;
const FACTOR: usize = 4;

/// From this many states on, a space whose unbounded variable went farther in
/// each of the last rounds counts as infinite.
const PATIENCE: usize = 1_000_000;
const GROWING: usize = 4;

/// The engine `ltl`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Ltl;

impl Engine for Ltl {
    fn name(&self) -> &'static str {
        "ltl"
    }

    fn summary(&self) -> &'static str {
        "linear temporal logic: all states, times a Büchi automaton, searched for accepting cycles"
    }

    fn answers(&self, kind: PropertyKind) -> bool {
        kind == PropertyKind::Ltl
    }

    fn run(&self, question: Question<'_>, resources: Resources<'_>) -> Outcome {
        let mut work = Work { statistics: Statistics::default(), history: Vec::new() };
        let finding = match &question.property().temporal {
            Some(temporal) => match work.answer(question, temporal, resources) {
                Ok(finding) => finding,
                Err(why) => Finding::Unknown(why),
            },
            None => Finding::Unknown(Why::Unsupported {
                construct: "a question about states".into(),
                place: Some(question.property().span),
                hint: "another --engine".into(),
            }),
        };
        let Work { statistics, history } = work;
        Outcome { engine: "ltl", finding, statistics, history, abstraction: None, graph: None }
    }
}

struct Work {
    statistics: Statistics,
    history: Vec<Refinement>,
}

impl Work {
    fn answer(
        &mut self,
        question: Question<'_>,
        temporal: &Temporal,
        resources: Resources<'_>,
    ) -> Result<Finding, Why> {
        let budget = resources.budget;
        budget.notice(Event::Phase("translating"));
        let automaton = translate(&temporal.formula, true, budget).map_err(|e| refused(&e))?;
        let mut space = Space::new(question.program, temporal)?;
        let mut wanted = FIRST;
        let mut far: Vec<Farthest> = Vec::new();
        loop {
            self.statistics.iterations += 1;
            let number = self.statistics.iterations;
            budget.notice(Event::Iteration { number, predicates: 0 });
            budget.notice(Event::Phase("listing states"));
            let listed = space.expand(wanted, budget);
            self.statistics.states = space.states.len() as u64;
            budget.notice(Event::Phase("searching"));
            let found = self.search(&mut space, &automaton, temporal, resources);
            if let Ok(Some(run)) = found {
                return Ok(Finding::Reached(Box::new(trace(&mut space, &run))));
            }
            far.extend(space.farthest(question.program));
            if let Err(why) = listed.and(found.map(|_| ()).map_err(Why::from)) {
                self.note(&why, &far, &space);
                return Err(why);
            }
            if space.is_complete() {
                break;
            }
            if space.states.len() >= PATIENCE && grows(&far) {
                return Err(infinite(&far, &space));
            }
            wanted = space.states.len().max(wanted).saturating_mul(FACTOR);
        }
        budget.notice(Event::Phase("ranking"));
        match ranking(&space, &temporal.formula, budget)? {
            Some(ranking) => Ok(Finding::Proved(Box::new(Certificate::Ranking(ranking)))),
            None => Err(Why::CertificateRejected(
                "the automaton accepts no run, yet there is no ranking".into(),
            )),
        }
    }

    /// A short run that breaks the formula, if there is one among the states
    /// listed.
    fn search(
        &mut self,
        space: &mut Space,
        automaton: &Automaton,
        temporal: &Temporal,
        resources: Resources<'_>,
    ) -> Result<Option<Run>, Stop> {
        let budget = resources.budget;
        let product = Product::new(space, automaton);
        let (found, met) = accepting_cycle(&product, budget)?;
        self.statistics.abstract_states = met;
        let states = space.states.len() as u64;
        let progress = Event::Progress { states, abstract_states: met, queries: 0 };
        resources.budget.notice(progress);
        let Some(found) = found else { return Ok(None) };
        let run = short_run(&product, found, budget)?;
        // The run is what it is; whether it breaks the formula is for the
        // checker to say, but only those that do are worth shortening.
        match breaks(space, &temporal.formula, &run) {
            true => shrunk(space, &temporal.formula, run, budget).map(Some),
            false => Ok(Some(run)),
        }
    }

    /// Says how far the search came when limits end it.
    fn note(&mut self, why: &Why, far: &[Farthest], space: &Space) {
        if let (Why::Stopped(_), Some(last)) = (why, far.last()) {
            let count = space.states.len();
            let reason = format!(
                "{count} states so far; `{}` has no bound and reached {}",
                last.name, last.size
            );
            self.history.push(Refinement {
                iteration: self.statistics.iterations,
                states: count as u64,
                abstract_states: self.statistics.abstract_states,
                predicates: Vec::new(),
                reason,
                path: None,
            });
        }
    }
}

fn refused(error: &TranslateError) -> Why {
    match error {
        TranslateError::Stopped(stop) => Why::Stopped(*stop),
        TranslateError::TooManyUntils => Why::Unsupported {
            construct: error.to_string(),
            place: None,
            hint: "a smaller formula".into(),
        },
    }
}

/// Whether one variable went farther in each of the last rounds.
fn grows(far: &[Farthest]) -> bool {
    far.len() >= GROWING
        && far[far.len() - GROWING..]
            .windows(2)
            .all(|pair| pair[0].name == pair[1].name && pair[0].size < pair[1].size)
}

fn infinite(far: &[Farthest], space: &Space) -> Why {
    let (name, place) = match far.last() {
        Some(last) => (last.name.clone(), Some(last.span)),
        None => (String::from("?"), None),
    };
    Why::Unsupported {
        construct: format!(
            "more than {} states, and no end: `{name}` has no bound",
            space.states.len() / 1000 * 1000
        ),
        place,
        hint: "give it a bounded type, such as `0..100`, and see where it leaves it".into(),
    }
}

/// The run with its inputs.
fn trace(space: &mut Space, run: &Run) -> Trace {
    let initial = space.states[run.states[0] as usize].clone();
    let mut steps = Vec::with_capacity(run.transitions.len());
    for (i, &transition) in run.transitions.iter().enumerate() {
        steps.push(space.trace_step(run.states[i] as usize, (transition, run.states[i + 1])));
    }
    Trace { cycle: Some(run.cycle), ..Trace::new(initial, steps) }
}
