//! Climbing beyond linear arithmetic: the solver alone, in growing strides.
//!
//! Without a polyhedron around a model, a goal is asked to be further by a
//! stride. The stride doubles while there is a model and shrinks when there is
//! none, so the best value of a machine word takes few questions per bit. A goal
//! without a bound is followed until the limits of the run.

use crate::End;
use crate::climb::{Climber, above};
use crate::prepare::Plain;
use crate::state::{Reached, State};
use parallax_base::Budget;
use parallax_ir::Side;
use parallax_solver::SolverConfig;
use parallax_term::{Rat, Term};

/// Closes all goals.
pub(crate) fn run(
    state: &mut State<'_>,
    solver: &SolverConfig,
    budget: &Budget,
) -> Result<(), End> {
    let mut store = state.problem.store.clone();
    let terms: Vec<(Term, Side)> =
        state.goals.iter().map(|g| (state.problem.templates[g.template].term, g.side)).collect();
    let mut goals = Vec::new();
    for (term, side) in terms {
        goals.push(match side {
            Side::Upper => term,
            Side::Lower => store.neg(term),
        });
    }
    let plain = Plain { store, formula: state.problem.formula, goals };
    let mut climber = Climber::new(plain, solver)?;
    for goal in 0..state.goals.len() {
        let mut stride = Rat::ONE;
        while !state.goals[goal].is_closed() && !state.is_empty {
            let further = match &state.goals[goal].reached {
                Some(Reached::Value(value, _)) if stride > Rat::ONE => {
                    let value = value + &stride;
                    Some(above(&mut climber.store, climber.goals[goal], &value, false))
                }
                _ => climber.beyond(state, goal),
            };
            match climber.ask(state, further.as_slice(), budget)? {
                Some(model) => {
                    climber.join(state, &model);
                    stride = &stride + &stride;
                }
                None if stride > Rat::ONE => stride = Rat::ONE,
                None => state.settle(goal),
            }
        }
    }
    Ok(())
}
