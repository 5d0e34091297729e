//! The engine `pdr`: settings of Spacer in growing slices of time.
//!
//! What one setting solves at once another one does not solve at all, and
//! nobody knows beforehand which. So each gets a short slice first; slices grow
//! until the budget ends. A setting that gives up by itself is not tried again.

use crate::clauses::{Encoded, encode};
use crate::loose::Loose;
use crate::run::run;
use crate::spacer::{SETTINGS, Said, Setting, derive, solve, solver_command};
use crate::wraps::{Tame, both};
use parallax_base::{Budget, Event, Stop};
use parallax_engine::{Engine, Question, Resources};
use parallax_evidence::{Finding, Outcome, Refinement, Statistics, Why};
use parallax_horn::System;
use parallax_solver::Halt;
use parallax_solver::{PipeCommand, ScriptEnd};
use parallax_term::Sort;
use std::time::Duration;

/// The first slice of each setting, and by how much slices grow.
const FIRST: Duration = Duration::from_millis(200);
const GROWTH: u32 = 3;

/// Options of the engine.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PdrConfig {
    /// How to start a process that solves Horn clauses; a Z3 that was set up is
    /// looked for if nothing is said.
    pub command: Option<PipeCommand>,
}

/// The engine `pdr`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Pdr {
    /// Its options.
    pub config: PdrConfig,
}

const NAME: &str = "pdr";

impl Engine for Pdr {
    fn name(&self) -> &'static str {
        NAME
    }

    fn summary(&self) -> &'static str {
        "inductive invariants as solutions of Horn clauses, by Z3's Spacer in a process of its own"
    }

    fn is_endless(&self) -> bool {
        true
    }

    fn run(&self, question: Question<'_>, resources: Resources<'_>) -> Outcome {
        let mut search =
            Search { question, resources, statistics: Statistics::default(), history: Vec::new() };
        let finding = search.answer(self.config.command.clone());
        let finding = finding.unwrap_or_else(|halt| {
            Finding::Unknown(match halt {
                Halt::Stop(stop) => stop.into(),
                other => Why::NoProgress(other.to_string()),
            })
        });
        search.statistics.time = resources.budget.elapsed();
        search.statistics.peak_memory_bytes = parallax_base::peak_memory_bytes();
        Outcome {
            engine: NAME,
            finding,
            statistics: search.statistics,
            history: search.history,
            abstraction: None,
            graph: None,
        }
    }
}

struct Search<'a> {
    question: Question<'a>,
    resources: Resources<'a>,
    statistics: Statistics,
    history: Vec<Refinement>,
}

/// One setting with what it is about.
struct Try<'a> {
    encoded: &'a Encoded,
    exact: &'a Sent<'a>,
    loose: Option<(&'a Loose, &'a Sent<'a>)>,
    setting: &'a Setting,
}

/// Clauses as they are sent.
struct Sent<'a> {
    system: &'a System,
    whole: String,
    tame: Option<(Tame, String)>,
}

impl Sent<'_> {
    fn new(system: &System) -> Sent<'_> {
        let tame = Tame::new(system).map(|tame| {
            let text = tame.system.smtlib();
            (tame, text)
        });
        Sent { system, whole: system.smtlib(), tame }
    }
}

/// What became of one try.
enum Tried {
    Found(Finding),
    /// It would have gone on.
    Stopped(Stop),
    /// It ended without an answer; trying again is useless.
    Ended(String),
}

impl Search<'_> {
    fn answer(&mut self, command: Option<PipeCommand>) -> Result<Finding, Halt> {
        let unsupported = |construct: &str, hint: &str| {
            let (construct, hint) = (construct.to_owned(), hint.to_owned());
            Ok(Finding::Unknown(Why::Unsupported { construct, place: None, hint }))
        };
        let Some(command) = command.or_else(solver_command) else {
            return unsupported("no process was found that solves Horn clauses", "install z3");
        };
        let budget = self.resources.budget;
        let Some(encoded) = encode(self.question, self.resources.solver, budget)? else {
            return unsupported("too many places of control for Horn clauses", "--engine cegar");
        };
        if has_floats(&encoded.system) {
            return unsupported("floating-point numbers in Horn clauses", "--engine cegar");
        }
        self.statistics.abstract_states = encoded.system.predicates.len() as u64;
        let exact = Sent::new(&encoded.system);
        let loose = Loose::new(&encoded.system);
        let loose = loose.as_ref().map(|loose| (loose, Sent::new(&loose.system)));
        let loose = loose.as_ref().map(|(loose, sent)| (*loose, sent));
        let usable =
            |s: &&Setting| (!s.is_tame || exact.tame.is_some()) && (!s.is_loose || loose.is_some());
        let mut waiting: Vec<&Setting> = SETTINGS.iter().filter(usable).collect();
        let mut slice = FIRST;
        let mut ends = Vec::new();
        while !waiting.is_empty() {
            let mut again = Vec::new();
            for setting in waiting {
                budget.check()?;
                self.statistics.iterations += 1;
                let number = self.statistics.iterations;
                self.resources.budget.notice(Event::Iteration { number, predicates: 0 });
                let left = budget.remaining();
                let part = budget.within(left.map_or(slice, |left| left.min(slice)));
                let tries = Try { encoded: &encoded, exact: &exact, loose, setting };
                match self.attempt(&tries, &command, &part) {
                    Tried::Found(finding) => return Ok(finding),
                    Tried::Stopped(Stop::Time) => again.push(setting),
                    Tried::Stopped(stop) => return Err(Halt::Stop(stop)),
                    Tried::Ended(why) => {
                        self.tell(setting, &why);
                        ends.push(format!("{}: {why}", setting.name));
                    }
                }
            }
            waiting = again;
            slice *= GROWTH;
        }
        budget.check()?;
        Ok(Finding::Unknown(Why::NoProgress(format!(
            "Spacer found no answer ({})",
            ends.join("; ")
        ))))
    }

    /// One setting for one slice.
    fn attempt(&mut self, this: &Try<'_>, command: &PipeCommand, budget: &Budget) -> Tried {
        let said = match self.ask(this, command, budget) {
            Ok(said) => said,
            Err(ScriptEnd::Stopped(stop)) => return Tried::Stopped(stop),
            Err(other) => return Tried::Ended(other.to_string()),
        };
        match said {
            Said::Solved(solution) => {
                let certificate = this.encoded.certificate(self.question.program, solution);
                Tried::Found(Finding::Proved(Box::new(certificate)))
            }
            Said::Useless(error) => Tried::Ended(error.to_string()),
            Said::Unknown(why) => Tried::Ended(why),
            Said::Refuted => self.refuted(this.encoded, this.setting, command),
        }
    }

    fn ask(
        &mut self,
        this: &Try<'_>,
        command: &PipeCommand,
        budget: &Budget,
    ) -> Result<Said, ScriptEnd> {
        let Some((loose, sent)) = this.loose.filter(|_| this.setting.is_loose) else {
            return self.send(this.exact, this.setting, command, budget);
        };
        Ok(match self.send(sent, this.setting, command, budget)? {
            Said::Solved(solution) => Said::Solved(loose.restored(solution)),
            Said::Refuted => Said::Unknown(String::from("a large number matters")),
            other => other,
        })
    }

    fn send(
        &mut self,
        sent: &Sent<'_>,
        setting: &Setting,
        command: &PipeCommand,
        budget: &Budget,
    ) -> Result<Said, ScriptEnd> {
        self.statistics.solver_queries += 1;
        let (true, Some((tame, text))) = (setting.is_tame, &sent.tame) else {
            return solve(sent.system, &sent.whole, setting, command, budget);
        };
        let first = match solve(&tame.system, text, setting, command, budget)? {
            Said::Solved(first) => first,
            other => return Ok(other),
        };
        self.statistics.solver_queries += 1;
        let wild = tame.wild(&first);
        Ok(match solve(&wild, &wild.smtlib(), setting, command, budget)? {
            Said::Solved(second) => Said::Solved(both(&first, second)),
            Said::Refuted => Said::Unknown(String::from("a step wraps")),
            other => other,
        })
    }

    /// The clauses have no solution: there is a run, and time is well spent on
    /// finding it.
    fn refuted(&mut self, encoded: &Encoded, setting: &Setting, command: &PipeCommand) -> Tried {
        let budget = self.resources.budget;
        self.statistics.solver_queries += 1;
        let derivation = match derive(&encoded.system, setting, command, budget) {
            Ok(Ok(derivation)) => derivation,
            Ok(Err(why)) => {
                return Tried::Ended(format!("a run exists, its steps are lost: {why}"));
            }
            Err(ScriptEnd::Stopped(stop)) => return Tried::Stopped(stop),
            Err(other) => return Tried::Ended(other.to_string()),
        };
        let mut solver = match self.resources.solver.open() {
            Ok(solver) => solver,
            Err(error) => return Tried::Ended(error.to_string()),
        };
        let found = run(self.question, encoded, &derivation, &mut *solver, budget);
        self.statistics.solver_queries += solver.statistics().queries;
        match found {
            Ok(Ok(trace)) => Tried::Found(Finding::Reached(Box::new(trace))),
            Ok(Err(why)) => Tried::Ended(why),
            Err(stop) => Tried::Stopped(stop),
        }
    }

    fn tell(&mut self, setting: &Setting, why: &str) {
        self.history.push(Refinement {
            iteration: self.statistics.iterations,
            reason: format!("Spacer ({}): {why}", setting.name),
            ..Refinement::default()
        });
    }
}

/// Whether clauses speak of floating-point numbers, which Spacer cannot.
pub(crate) fn has_floats(system: &System) -> bool {
    let terms = system.clauses.iter().map(|clause| clause.constraint);
    let parameters = system.predicates.iter().flat_map(|p| p.parameters.iter().copied());
    let roots: Vec<_> = terms.chain(parameters).collect();
    let all = system.store.subterms(&roots);
    all.into_iter().any(|term| match system.store.sort(term) {
        Sort::Float(_) => true,
        Sort::Array(index, element) => {
            [index, element].iter().any(|s| matches!(Sort::from(*s), Sort::Float(_)))
        }
        _ => false,
    })
}
