//! Attacks on proofs about models: random runs of the concrete interpreter.

use super::{Clock, Hit, Random, closed};
use crate::{Checked, Task};
use parallax_evidence::{ClosedSet, Finding, Region};
use parallax_ir::{Choices, Interpreter, Program, State};
use parallax_term::{Code, Scratch};
use std::collections::BTreeSet;

/// Steps of one run.
const STEPS: usize = 200;

/// Of more ways to choose inputs than this, none is chosen.
const WAYS: usize = 64;

/// What a proof says of every state.
struct Said<'a> {
    property: String,
    target: Code,
    set: Option<Set<'a>>,
}

/// A closed set of states, to be asked for single states.
struct Set<'a> {
    points: BTreeSet<&'a State>,
    regions: Vec<(&'a Region, Code)>,
}

impl<'a> Set<'a> {
    fn new(program: &Program, set: &'a ClosedSet) -> Set<'a> {
        let region = |region: &'a Region| {
            (region, Code::compile(&set.store, &[region.formula], |t| program.slot(t)))
        };
        Set {
            points: set.points.iter().collect(),
            regions: set.prefix.iter().chain(&set.fragment).map(region).collect(),
        }
    }

    fn contains(&self, state: &State, scratch: &mut Scratch) -> bool {
        self.points.contains(state)
            || self.regions.iter().any(|(region, code)| {
                region.fixed.iter().all(|(v, value)| state[v.index()] == *value)
                    && code.test(state, scratch)
            })
    }
}

pub(super) fn attack(task: &Task, checked: &Checked, clock: &mut Clock) -> Result<(), Hit> {
    let program = &task.program;
    let mut said = Vec::new();
    for answer in &checked.answers {
        let property = &program.properties[answer.property];
        if !matches!(answer.outcome.finding, Finding::Proved(_)) || property.temporal.is_some() {
            continue;
        }
        said.push(Said {
            property: property.name.to_string(),
            target: Code::compile(&program.store, &[property.target], |t| program.slot(t)),
            set: closed(&answer.outcome.finding).map(|set| Set::new(program, set)),
        });
    }
    let mut interpreter = Interpreter::new(program);
    if said.is_empty() || !interpreter.has_listable_initial_states() {
        return Ok(());
    }
    let initial = interpreter.initial_states();
    if initial.is_empty() {
        return Ok(());
    }
    let (mut random, mut scratch) = (Random::new(0), Scratch::default());
    while !clock.is_over() {
        let mut state = initial[random.below(initial.len())].clone();
        let mut taken: Vec<String> = Vec::new();
        clock.survived.runs += 1;
        for _ in 0..STEPS {
            for said in &said {
                clock.survived.states += u64::from(said.set.is_some());
                let outside = said.set.as_ref().is_some_and(|s| !s.contains(&state, &mut scratch));
                let how = match (said.target.test(&state, &mut scratch), outside) {
                    (true, _) => "a run reaches what must not be reached",
                    (false, true) => "a run leaves the certified states",
                    (false, false) => continue,
                };
                let (property, how) = (said.property.clone(), how.to_owned());
                return Err(Hit { property, how, again: format!("take: {}", taken.join(", ")) });
            }
            let candidates = interpreter.candidates(&state);
            let mut steps = Vec::new();
            for transition in candidates {
                if let Choices::All(ways) = interpreter.choices(&state, transition, WAYS) {
                    steps.extend(ways.into_iter().map(|inputs| (transition, inputs)));
                }
            }
            if steps.is_empty() || clock.is_over() {
                break;
            }
            let (transition, inputs) = &steps[random.below(steps.len())];
            let Some(next) = interpreter.step(&state, *transition, inputs) else { break };
            taken.push(interpreter.transitions()[*transition].name.clone());
            state = next;
        }
    }
    Ok(())
}
