//! Where a run starts when the model leaves it open.

use super::steps::{open_variables, random_bits, random_int};
use crate::failure::Failure;
use parallax::{SolverConfig, Task, find_initial};
use parallax_base::{Budget, Chance, Id};
use parallax_ir::{Domain, Interpreter, State, Variable};
use parallax_term::{Rat, Value};
use std::time::Duration;

/// Said when there is no initial state.
pub(super) const NONE: &str = "there is no initial state\n";

/// How long the solver may look for an initial state.
const PATIENCE: Duration = Duration::from_secs(10);

/// An initial state with the given values; `None` if none was found.
pub(super) fn with(
    task: &Task,
    interpreter: &mut Interpreter,
    chosen: &[(Id<Variable>, Value)],
) -> Result<Option<State>, Failure> {
    if interpreter.has_listable_initial_states() {
        let fits = |s: &State| chosen.iter().all(|(id, value)| s[id.index()] == *value);
        return Ok(interpreter.initial_states().into_iter().find(fits));
    }
    let budget = Budget::new(Some(PATIENCE), None);
    find_initial(&task.program, chosen, &SolverConfig::default(), &budget)
        .map_err(|error| Failure::internal(&error.to_string()))
}

/// An initial state at random; `None` if there is none.
///
/// Where states cannot be listed, each open variable is given a random value
/// if the rest can still be completed.
pub(super) fn random(
    task: &Task,
    interpreter: &mut Interpreter,
    chance: &mut Chance,
) -> Result<Option<State>, Failure> {
    if interpreter.has_listable_initial_states() {
        let mut all = interpreter.initial_states();
        let index = chance.below(all.len() as u64) as usize;
        return Ok((!all.is_empty()).then(|| all.swap_remove(index)));
    }
    let mut found = with(task, interpreter, &[])?;
    let mut chosen = Vec::new();
    for id in open_variables(task) {
        let value = random_value(&task.program.variables[id].domain, chance);
        chosen.push((id, value));
        let better = match &found {
            Some(state) if chosen.iter().all(|(id, v)| state[id.index()] == *v) => None,
            Some(_) => with(task, interpreter, &chosen)?,
            None => return Ok(None),
        };
        match (better, &found) {
            (Some(state), _) => found = Some(state),
            (None, Some(state)) => {
                // Keep what is known to be possible.
                let value = state[id.index()].clone();
                chosen.pop();
                chosen.push((id, value));
            }
            (None, None) => {}
        }
    }
    Ok(found)
}

fn random_value(domain: &Domain, chance: &mut Chance) -> Value {
    match (domain, domain.bounds()) {
        (Domain::Bool, _) => Value::Bool(chance.below(2) == 1),
        (_, Some((low, high))) => Value::Int(random_int(Some(&low), Some(&high), chance)),
        (Domain::Real, None) => Value::Real(Box::new(Rat::from(random_int(None, None, chance)))),
        (Domain::Bv(width), None) => Value::Bv(random_bits(*width, chance)),
        (Domain::Float(_) | Domain::Array(..), None) => domain.default_value(),
        (_, None) => Value::Int(random_int(None, None, chance)),
    }
}
