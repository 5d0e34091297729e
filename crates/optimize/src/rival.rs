//! The optimizer of Z3, for comparison.
//!
//! Z3 gives numbers and no points. Its numbers are taken as limits, points are
//! climbed to, and both are checked like those of any engine. The time of the
//! search is that of Z3 alone.

use crate::climb::Climber;
use crate::config::{Config, Engine};
use crate::prepare::Plain;
use crate::state::State;
use crate::{End, Open};
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
    let all: Vec<usize> = (0..state.goals.len()).collect();
    Climber::new(plain, solver)?.close(state, &all, budget)
}
