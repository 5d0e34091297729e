//! The engine `cells`: facts about all elements of arrays.
//!
//! D. Monniaux, L. Gonnord, *Cell Morphing: From Array Programs to Array-Free Horn
//! Clauses*, SAS 2016; M. Cornish, G. Gange, J. Navas, P. Schachte, H. Søndergaard, P.
//! Stuckey, *Analyzing Array Manipulating Programs by Program Transformation*, LOPSTR
//! 2014.
//!
//! An error that comes of reading an array comes of reading some element. So a run may
//! pick the index beforehand (`parallax_ir::Pick`), and of every array only the element
//! at that index has to be followed (`morph.rs`). What is left has no arrays, and `pdr`
//! is asked about it. What it proves for an arbitrary index holds for all.
//!
//! Deviations: indices are picked by the last step alone, one for each index term that
//! it reads (`picks.rs`), or the variables that it is computed from; facts about
//! elements at other indices are not used. A run of the program without arrays is not
//! taken for a run of the program.

mod guess;
mod morph;
mod picks;

use self::guess::Guess;
use self::morph::Morphed;
use self::picks::{Picks, Way};
use crate::clauses::encode;
use crate::houdini::strongest;
use crate::{Pdr, PdrConfig};
use parallax_base::Id;
use parallax_engine::{Engine, Question, Resources};
use parallax_evidence::{
    Certificate, ClosedSet, Finding, Outcome, Quantified, Region, Statistics, Why,
};
use parallax_ir::{Pick, Program};
use parallax_solver::Halt;
use parallax_term::{Substitution, Term};

/// The engine `cells`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Cells {
    /// How the program without arrays is solved.
    pub config: PdrConfig,
}

const NAME: &str = "cells";

impl Engine for Cells {
    fn name(&self) -> &'static str {
        NAME
    }

    fn summary(&self) -> &'static str {
        "facts about all elements of arrays: of each array one element at an arbitrary index"
    }

    fn is_endless(&self) -> bool {
        true
    }

    fn suits(&self, question: Question<'_>) -> bool {
        self.answers(question.property().kind) && picks::reads(question)
    }

    fn run(&self, question: Question<'_>, resources: Resources<'_>) -> Outcome {
        let parts = Picks::of(question, Way::Parts);
        let is_new = |p: &Picks| parts.as_ref().is_none_or(|parts| parts.indices != p.indices);
        let whole = Picks::of(question, Way::Whole).filter(is_new);
        let mut ways: Vec<Picks> = parts.into_iter().chain(whole).collect();
        ways.reverse();
        let mut outcome = None;
        while let Some(picks) = ways.pop() {
            // The second way has as much time as the first.
            let left = resources.budget.remaining().filter(|_| !ways.is_empty());
            let budget = match left {
                Some(left) => resources.budget.within(left / 2),
                None => resources.budget.clone(),
            };
            let found = self.with(question, picks, Resources { budget: &budget, ..resources });
            if matches!(found.finding, Finding::Proved(_)) {
                return found;
            }
            outcome = Some(found);
        }
        let nothing = "no step into an error that reads few elements of arrays";
        outcome.unwrap_or_else(|| refused(resources, nothing))
    }
}

impl Cells {
    /// Looks for a proof with these constants.
    fn with(&self, question: Question<'_>, picks: Picks, resources: Resources<'_>) -> Outcome {
        let (program, property) = (question.program, question.property);
        let Picks { store, constants, indices, picks } = picks;
        let wide = match program.with_picks(property, &store, &constants, &picks) {
            Ok(wide) => wide,
            Err(why) => return refused(resources, &why),
        };
        let Some(morphed) = Morphed::new(&wide, &indices) else {
            return refused(resources, "arrays that are compared as a whole, or too many of them");
        };
        let question = Question { program: &morphed.program, property: Id::new(0) };
        let guessed = guess(question, &wide, &morphed, &constants, &picks, resources);
        if let Ok(Some((Certificate::Closed(set), statistics))) = guessed {
            let set = widened(&wide, &morphed, set);
            let quantified = Quantified { set, constants, picks };
            let finding = Finding::Proved(Box::new(Certificate::Quantified(quantified)));
            return Outcome { finding, statistics, ..refused(resources, "") };
        }
        let outcome = Pdr { config: self.config.clone() }.run(question, resources);
        let finding = match outcome.finding {
            Finding::Proved(certificate) => match *certificate {
                Certificate::Closed(set) => {
                    let set = widened(&wide, &morphed, set);
                    let quantified = Quantified { set, constants, picks };
                    Finding::Proved(Box::new(Certificate::Quantified(quantified)))
                }
                _ => Finding::Unknown(Why::NoProgress("a proof of a foreign kind".into())),
            },
            Finding::Unknown(why) => Finding::Unknown(why),
            Finding::Reached(_) | Finding::Executed(_) => Finding::Unknown(Why::NoProgress(
                "the element at an arbitrary index does not exclude the error by itself".into(),
            )),
        };
        Outcome { engine: NAME, finding, ..outcome }
    }
}

/// What the steps suggest, as far as it holds, if that excludes the error.
fn guess(
    question: Question<'_>,
    wide: &Program,
    morphed: &Morphed,
    constants: &[Term],
    picks: &[Pick],
    resources: Resources<'_>,
) -> Result<Option<(Certificate, Statistics)>, Halt> {
    let Some(encoded) = encode(question, resources.solver, resources.budget)? else {
        return Ok(None);
    };
    let mut store = encoded.system.store.clone();
    let guess = Guess::new(wide, morphed, &mut store);
    let candidates = guess.candidates(&mut store, picks, constants, resources.budget);
    let candidates = candidates.map_err(Halt::Stop)?;
    let never = store.bool(false);
    let about = |known: &[Term]| -> Vec<Term> {
        let speaks = |t: &Term| store.vars(*t).iter().all(|v| known.contains(v));
        // That nobody comes here is a candidate as well.
        std::iter::once(never).chain(candidates.iter().copied().filter(speaks)).collect()
    };
    let predicates = encoded.system.predicates.iter();
    let all: Vec<Vec<Term>> = predicates.map(|p| about(&p.parameters)).collect();
    let Ok(mut solver) = resources.solver.open() else { return Ok(None) };
    let found = strongest(&encoded.system, &all, &store, &mut *solver, resources.budget);
    let Some(solution) = found.map_err(Halt::Stop)? else { return Ok(None) };
    let statistics = Statistics {
        solver_queries: solver.statistics().queries,
        predicates: candidates.len() as u64,
        abstract_states: encoded.system.predicates.len() as u64,
        time: resources.budget.elapsed(),
        peak_memory_bytes: parallax_base::peak_memory_bytes(),
        ..Statistics::default()
    };
    Ok(Some((encoded.certificate(question.program, solution), statistics)))
}

/// The answer where there is nothing to begin with.
fn refused(resources: Resources<'_>, construct: &str) -> Outcome {
    let why = Why::Unsupported {
        construct: construct.to_owned(),
        place: None,
        hint: "--engine cegar".to_owned(),
    };
    let statistics = Statistics { time: resources.budget.elapsed(), ..Statistics::default() };
    Outcome {
        engine: NAME,
        finding: Finding::Unknown(why),
        statistics,
        history: Vec::new(),
        abstraction: None,
        graph: None,
    }
}

/// A set of states of the program without arrays as one of the program with picks.
fn widened(wide: &Program, morphed: &Morphed, set: ClosedSet) -> ClosedSet {
    let ClosedSet { mut store, fragment, .. } = set;
    let mut elements = Substitution::default();
    for &(cell, array, index) in &morphed.cells {
        let element = store.select(array, index);
        elements.insert(cell, element);
    }
    let regions = fragment.into_iter().map(|region| {
        let known = region.fixed.into_iter().filter_map(|(id, value)| {
            let id = morphed.variables[id.index()]?;
            wide.variables.get(id).map(|_| (id, value))
        });
        let mut fixed: Vec<_> = known.collect();
        fixed.sort_by_key(|(id, _)| *id);
        Region { fixed, formula: elements.apply(&mut store, region.formula) }
    });
    let fragment = regions.collect();
    ClosedSet { store, points: Vec::new(), prefix: Vec::new(), fragment, quotient: None }
}
