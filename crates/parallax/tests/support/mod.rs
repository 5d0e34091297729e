//! Random small models as text, and the truth about them by brute force.
//!
//! The models are those of `parallax-generate`, so that front end, program form,
//! engines and checker are all under test. Every model has finitely many
//! reachable states, or is given up on when it has too many to list.

#![allow(dead_code, reason = "each test binary uses a part")]

use parallax_generate::{Random, model};
use parallax_ir::{Choices, Interpreter, Program, State};
use parallax_term::{Code, Scratch};
use std::collections::HashSet;

/// Models with more reachable states than this are not used.
pub(crate) const STATE_LIMIT: usize = model::STATE_LIMIT;

/// Conditions on the states of a random model, one after the other.
pub(crate) struct Conditions {
    model: model::Model,
    random: Random,
}

impl Conditions {
    /// Conditions on the model of a number.
    pub(crate) fn new(seed: u64) -> Conditions {
        Conditions { model: model::model(seed), random: Random(seed) }
    }

    /// The next one.
    pub(crate) fn condition(&mut self) -> String {
        let formula = model::condition(&self.model, &mut self.random);
        model::formula_text(&self.model, &formula)
    }
}

/// The text of the model of a number.
pub(crate) fn random_model(seed: u64) -> String {
    model::text(&model::model(seed), &model::Style::default())
}

/// All reachable states in breadth-first order, if they are few enough.
pub(crate) fn reachable(program: &Program) -> Option<Vec<State>> {
    let mut interpreter = Interpreter::new(program);
    if !interpreter.has_listable_initial_states() {
        return None;
    }
    let mut found = interpreter.initial_states();
    let mut seen: HashSet<State> = found.iter().cloned().collect();
    let mut at = 0;
    while at < found.len() {
        let state = found[at].clone();
        at += 1;
        for transition in 0..interpreter.transitions().len() {
            if !interpreter.is_enabled(&state, transition) {
                continue;
            }
            let Choices::All(all) = interpreter.choices(&state, transition, 1000) else {
                return None;
            };
            for inputs in all {
                let next = interpreter.step(&state, transition, &inputs)?;
                if seen.insert(next.clone()) {
                    found.push(next);
                }
            }
        }
        if found.len() > STATE_LIMIT {
            return None;
        }
    }
    Some(found)
}

/// Whether one of the states is a target of the property at `index`.
pub(crate) fn reaches_target(program: &Program, index: usize, states: &[State]) -> bool {
    let target = program.properties.as_slice()[index].target;
    let code = Code::compile(&program.store, &[target], |t| program.slot(t));
    let mut scratch = Scratch::default();
    states.iter().any(|s| code.test(s, &mut scratch))
}
