//! The optimizer of Z3, for comparison.
//!
//! Z3 gives numbers and no points. Its numbers are taken as limits. Points and
//! refutations for them are looked for by our own search, where that agrees;
//! the rest is climbed to, and all of it is checked like the bounds of any
//! engine. The time of the search is that of Z3 alone.

use crate::climb::Climber;
use crate::config::{Config, Engine, Silent};
use crate::prepare::Plain;
use crate::state::{Reached, State};
use crate::{End, Open, native};
use parallax_base::Budget;
use parallax_solver::{SolverConfig, Z3Answer, Z3Optimizer, Z3Optimum, z3_optimize};
use std::time::{Duration, Instant};

pub(crate) fn run(
    state: &mut State<'_>,
    config: &Config,
    solver: &SolverConfig,
    budget: &Budget,
    time: &mut Option<Duration>,
) -> Result<(), End> {
    let started = Instant::now();
    let plain = Plain::new(state);
    let engine = match config.engine {
        Engine::Z3Symba => Z3Optimizer::Symba,
        _ => Z3Optimizer::Basic,
    };
    state.statistics.queries += 1;
    let answer = z3_optimize(&plain.store, plain.formula, &plain.goals, engine, budget);
    *time = Some(started.elapsed());
    match answer? {
        Z3Answer::Unsat => {
            state.is_empty = true;
            return Ok(());
        }
        Z3Answer::Unknown(reason) => return Err(End::Open(Open::GaveUp(reason))),
        Z3Answer::Optima(optima) => {
            for (goal, optimum) in optima.into_iter().enumerate() {
                if let Z3Optimum::Value(value) | Z3Optimum::Supremum(value) = optimum {
                    state.limit(goal, value);
                }
            }
        }
    }
    let own = Config { engine: Engine::Auto, ..config.clone() };
    let mut ours = State::new(state.problem, &Silent);
    native::run(&mut ours, &own, solver, budget)?;
    state.points = ours.points;
    for (goal, known) in ours.goals.into_iter().enumerate() {
        let agrees = match &known.reached {
            Some(Reached::Unbounded(..)) => state.goals[goal].limit.is_none(),
            _ => known.limit == state.goals[goal].limit,
        };
        if agrees {
            state.goals[goal] = known;
        }
    }
    let disagrees = |goal: usize| !state.goals[goal].is_closed();
    for refutation in &mut ours.refutations {
        refutation.shows.retain(|(goal, _)| !disagrees(*goal));
    }
    state.refutations = ours.refutations;
    let open = state.open();
    if open.is_empty() {
        return Ok(());
    }
    Climber::new(plain, solver)?.close(state, &open, budget)
}
