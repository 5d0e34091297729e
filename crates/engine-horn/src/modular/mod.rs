//! The engine `modular`: proofs of concurrent programs thread by thread.
//!
//! Owicki and Gries (Acta Informatica 6, 1976) annotate each location of each process
//! with a formula and show that no other process spoils it. The annotations are asked
//! of Spacer as the solution of Horn clauses (`clauses.rs`; Gupta, Popeea,
//! Rybalchenko, POPL 2011; Grebenshchikov, Lopes, Popeea, Rybalchenko, PLDI 2012). So
//! the number of places is the sum over the processes, not the product.
//!
//! First the strongest conjunctions of formulas that the program suggests are tried
//! (`candidates.rs`, `houdini.rs`), which ends soon and needs no Spacer. What a process knows of the
//! others decides what can be shown: first what all
//! share, then also where the others are. Both are asked in slices of time that
//! grow.
//!
//! Invariant: an annotation is handed out as the inductive invariant that it is. That
//! there is none is no run, and no answer.

mod clauses;
#[cfg(test)]
mod tests;

use crate::candidates::Candidates;
use crate::houdini::strongest;
use crate::spacer::{SETTINGS, Said, Setting, solve, solver_command};
use clauses::{Annotated, Sight, annotate};
use parallax_base::{Event, Stop};
use parallax_engine::{Engine, Question, Resources};
use parallax_evidence::{Certificate, Finding, Outcome, Refinement, Statistics, Why};
use parallax_solver::Halt;
use parallax_solver::{PipeCommand, ScriptEnd};
use parallax_term::{Term, TermStore};
use std::collections::BTreeMap;
use std::time::Duration;

/// The first slice of each try, and by how much slices grow.
const FIRST: Duration = Duration::from_millis(300);
const GROWTH: u32 = 3;

/// Options of the engine.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ModularConfig {
    /// How to start a process that solves Horn clauses; a Z3 that was set up is
    /// looked for if nothing is said.
    pub command: Option<PipeCommand>,
}

/// The engine `modular`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Modular {
    /// Its options.
    pub config: ModularConfig,
}

const NAME: &str = "modular";

impl Engine for Modular {
    fn name(&self) -> &'static str {
        NAME
    }

    fn summary(&self) -> &'static str {
        "proofs of several processes one by one, with what they share, by Horn clauses"
    }

    fn is_endless(&self) -> bool {
        true
    }

    fn suits(&self, question: Question<'_>) -> bool {
        self.answers(question.property().kind) && question.program.processes.len() > 1
    }

    fn run(&self, question: Question<'_>, resources: Resources<'_>) -> Outcome {
        let mut search = Search { question, resources, statistics: Statistics::default() };
        let mut history = Vec::new();
        let finding = search.answer(self.config.command.clone(), &mut history);
        let finding = finding.unwrap_or_else(|halt| {
            Finding::Unknown(match halt {
                Halt::Stop(stop) => stop.into(),
                other => Why::NoProgress(other.to_string()),
            })
        });
        search.statistics.time = resources.budget.elapsed();
        search.statistics.peak_memory_bytes = parallax_base::peak_memory_bytes();
        let statistics = search.statistics;
        Outcome { engine: NAME, finding, statistics, history, abstraction: None, graph: None }
    }
}

struct Search<'a> {
    question: Question<'a>,
    resources: Resources<'a>,
    statistics: Statistics,
}

/// One set of clauses with one way to ask.
struct Try<'a> {
    annotated: &'a Annotated,
    text: &'a str,
    sight: Sight,
    setting: &'a Setting,
}

impl Search<'_> {
    fn answer(
        &mut self,
        command: Option<PipeCommand>,
        history: &mut Vec<Refinement>,
    ) -> Result<Finding, Halt> {
        let unsupported = |construct: &str, hint: &str| {
            let (construct, hint) = (construct.to_owned(), hint.to_owned());
            Ok(Finding::Unknown(Why::Unsupported { construct, place: None, hint }))
        };
        if self.question.program.processes.len() < 2 {
            return unsupported("a program with one process", "--engine pdr");
        }
        let budget = self.resources.budget;
        let mut systems = Vec::new();
        for sight in [Sight::Own, Sight::Places] {
            let made = annotate(self.question, sight, self.resources.solver, budget)?;
            if let Some(annotated) = made {
                systems.push((sight, annotated.system.smtlib(), annotated));
            }
        }
        let Some((_, _, first)) = systems.first() else {
            return unsupported("too many clauses about processes", "--engine cegar");
        };
        if crate::engine::has_floats(&first.system) {
            return unsupported("floating-point numbers in Horn clauses", "--engine cegar");
        }
        self.statistics.abstract_states = first.system.predicates.len() as u64;
        for (_, _, annotated) in systems.iter().rev() {
            if let Some(certificate) = self.guess(annotated)? {
                return Ok(Finding::Proved(Box::new(certificate)));
            }
        }
        let Some(command) = command.or_else(solver_command) else {
            return unsupported("no process was found that solves Horn clauses", "install z3");
        };
        let settings: Vec<&Setting> =
            SETTINGS.iter().filter(|s| !s.is_tame && !s.is_loose).collect();
        let mut waiting: Vec<Try<'_>> = Vec::new();
        for setting in settings {
            waiting.extend(systems.iter().map(|(sight, text, annotated)| Try {
                annotated,
                text,
                sight: *sight,
                setting,
            }));
        }
        let mut refuted = Vec::new();
        let mut slice = FIRST;
        while !waiting.is_empty() {
            let mut again = Vec::new();
            for this in waiting {
                budget.check()?;
                if refuted.contains(&this.sight) {
                    continue;
                }
                self.statistics.iterations += 1;
                let number = self.statistics.iterations;
                budget.notice(Event::Iteration { number, predicates: 0 });
                let part = budget.remaining().map_or(slice, |left| left.min(slice));
                let system = &this.annotated.system;
                self.statistics.solver_queries += 1;
                let said = solve(system, this.text, this.setting, &command, &budget.within(part));
                let why = match said {
                    Ok(Said::Solved(solution)) => {
                        let program = self.question.program;
                        let certificate = this.annotated.certificate(program, solution);
                        return Ok(Finding::Proved(Box::new(certificate)));
                    }
                    Ok(Said::Refuted) => {
                        refuted.push(this.sight);
                        "there is no such annotation".to_owned()
                    }
                    Ok(Said::Unknown(why)) => why,
                    Ok(Said::Useless(error)) => error.to_string(),
                    Err(ScriptEnd::Stopped(Stop::Time)) => {
                        again.push(this);
                        continue;
                    }
                    Err(ScriptEnd::Stopped(stop)) => return Err(Halt::Stop(stop)),
                    Err(other) => other.to_string(),
                };
                history.push(self.told(&this, &why));
            }
            waiting = again;
            slice *= GROWTH;
        }
        budget.check()?;
        let what = "no annotation of the processes, one by one, shows it";
        Ok(Finding::Unknown(Why::NoProgress(what.to_owned())))
    }

    /// The annotation that `houdini.rs` finds, if it excludes the target.
    fn guess(&mut self, annotated: &Annotated) -> Result<Option<Certificate>, Halt> {
        let (question, budget) = (self.question, self.resources.budget);
        let mut store = annotated.system.store.clone();
        let transitions = question.program.transitions(&mut store);
        let target = question.property().target;
        let candidates = Candidates::new(question.program, &mut store, &transitions, target);
        let Ok(mut solver) = self.resources.solver.open() else { return Ok(None) };
        let program = question.program;
        let mut places = Vec::new();
        for (id, process) in program.processes.iter_enumerated() {
            for location in process.locations.ids() {
                let at = program.at(&mut store, id, location);
                places.push(store.not(at));
            }
        }
        let mut known: BTreeMap<&[Term], Vec<Term>> = BTreeMap::new();
        for predicate in &annotated.system.predicates {
            let about =
                |store: &mut TermStore| candidates.about(store, &predicate.parameters, &places);
            known.entry(&predicate.parameters).or_insert_with(|| about(&mut store));
        }
        let predicates = annotated.system.predicates.iter();
        let all: Vec<Vec<Term>> = predicates.map(|p| known[&*p.parameters].clone()).collect();
        let found = strongest(&annotated.system, &all, &store, &mut *solver, budget);
        self.statistics.solver_queries += solver.statistics().queries;
        let found = found.map_err(Halt::Stop)?;
        Ok(found.map(|solution| annotated.certificate(program, solution)))
    }

    fn told(&self, this: &Try<'_>, why: &str) -> Refinement {
        let knows = match this.sight {
            Sight::Own => "with what all share",
            Sight::Places => "with where the others are",
        };
        Refinement {
            iteration: self.statistics.iterations,
            reason: format!("{knows} ({}): {why}", this.setting.name),
            ..Refinement::default()
        }
    }
}
