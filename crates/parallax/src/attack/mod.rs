//! A proof is attacked before it is believed.
//!
//! Certificate and checker see the program as terms. What turns a program into
//! terms (the passes over control-flow automata, the encoding, the order in
//! which properties are asked) is seen by both of them, so an error there
//! deceives both. Here the *original* program is run, by interpreters that share
//! nothing with the terms but the parser: on inputs that are zero, limits of
//! types, constants of the program, those of runs that break other properties,
//! those that the solver finds for conditions of the program, and random. Every run is held against every property that is said to hold,
//! and every state at a place with a certified invariant against the invariant.
//!
//! A hit is an internal error with what is needed to repeat it. No hit proves
//! nothing, and the report says how many runs there were.

mod c;
mod model;
mod solved;
#[cfg(test)]
mod tests;

use crate::{Checked, Origin, Task};
use parallax_base::Chance;
use parallax_evidence::{Certificate, ClosedSet, Finding};
use parallax_solver::SolverConfig;
use std::time::{Duration, Instant};

/// At least so long, and at least one part in so many of the time spent.
const LEAST: Duration = Duration::from_millis(50);
const PART: u32 = 10;

/// More runs than this are not worth their time.
const RUNS: u64 = 500;

/// What a proof survived.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Survived {
    /// Runs of the program.
    pub(crate) runs: u64,
    /// States that were compared with an invariant.
    pub(crate) states: u64,
}

/// A run that a proof excludes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hit {
    /// What was said to hold.
    pub property: String,
    /// What the run does.
    pub how: String,
    /// What to type to see it again.
    pub again: String,
}

/// When an attack has to end.
struct Clock {
    end: Instant,
    survived: Survived,
}

impl Clock {
    fn is_over(&self) -> bool {
        self.survived.runs >= RUNS || Instant::now() >= self.end
    }
}

/// Attacks everything that was proved.
pub(crate) fn attack(
    task: &Task,
    checked: &Checked,
    spent: Duration,
    solver: &SolverConfig,
) -> Result<Survived, Hit> {
    let is_proved = |finding: &Finding| matches!(finding, Finding::Proved(_));
    if !checked.answers.iter().any(|answer| is_proved(&answer.outcome.finding)) {
        return Ok(Survived::default());
    }
    let end = Instant::now() + (spent / PART).max(LEAST);
    let mut clock = Clock { end, survived: Survived::default() };
    match &task.origin {
        Origin::C(c) => c::attack(task, c, checked, solver, &mut clock)?,
        Origin::Model(_) | Origin::Clauses => model::attack(task, checked, &mut clock)?,
    }
    Ok(clock.survived)
}

/// The closed set of states of a proof, if it has one.
fn closed(finding: &Finding) -> Option<&ClosedSet> {
    match finding {
        Finding::Proved(certificate) => match &**certificate {
            Certificate::Closed(set) => Some(set),
            _ => None,
        },
        _ => None,
    }
}

/// Attacks repeat.
struct Random(Chance);

impl Random {
    fn new(seed: u64) -> Random {
        Random(Chance::new(seed))
    }

    fn next(&mut self) -> u64 {
        self.0.any()
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }
}
