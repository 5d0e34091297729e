//! The truth about a model: all its states, one after the other.

use super::{Command, Formula, Model, Number, Question, Update};
use std::collections::BTreeSet;

/// Models with more reachable states than this are given up on.
pub const STATE_LIMIT: usize = 3000;

/// Numbers, truth values, and where processes are.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct State {
    numbers: Vec<i64>,
    truths: Vec<bool>,
    places: Vec<usize>,
}

impl State {
    fn number(&self, number: &Number) -> i64 {
        match number {
            Number::Constant(value) => *value,
            Number::Variable(index) => self.numbers[*index],
            Number::Plus(inner, value) => self.number(inner) + value,
            Number::Minus(inner, index) => self.number(inner) - self.numbers[*index],
            Number::If(condition, yes, no) => {
                self.number(if self.is(condition) { yes } else { no })
            }
        }
    }

    fn is(&self, formula: &Formula) -> bool {
        match formula {
            Formula::Compare(sign, a, b) => {
                let (a, b) = (self.number(a), self.number(b));
                match *sign {
                    "<=" => a <= b,
                    "<" => a < b,
                    "==" => a == b,
                    "!=" => a != b,
                    ">=" => a >= b,
                    _ => a > b,
                }
            }
            Formula::Truth(index, value) => self.truths[*index] == *value,
            Formula::At(process, location) => self.places[*process] == *location,
            Formula::And(a, b) => self.is(a) && self.is(b),
            Formula::Or(a, b) => self.is(a) || self.is(b),
            Formula::Not(inner) => !self.is(inner),
        }
    }

    /// The states after a command of a process; none if it is not possible.
    fn after(&self, process: usize, command: &Command) -> Vec<State> {
        if self.places[process] != command.from || !command.guards.iter().all(|g| self.is(g)) {
            return Vec::new();
        }
        let mut first = self.clone();
        first.places[process] = command.to;
        let mut next = vec![first];
        for update in &command.updates {
            match update {
                Update::Number(to, value) => {
                    next.iter_mut().for_each(|s| s.numbers[*to] = self.number(value));
                }
                Update::Truth(to, value) => {
                    next.iter_mut().for_each(|s| s.truths[*to] = self.is(value));
                }
                Update::AnyNumber(to, below) => {
                    next = each(&next, 0..*below, |s, v| {
                        s.numbers[*to] = v;
                    })
                }
                Update::AnyTruth(to) => next = each(&next, 0..2, |s, v| s.truths[*to] = v == 1),
            }
        }
        next
    }
}

/// Each state with each value.
fn each(
    states: &[State],
    values: std::ops::Range<i64>,
    set: impl Fn(&mut State, i64),
) -> Vec<State> {
    let with = |state: &State| {
        let one = |value| {
            let mut copy = state.clone();
            set(&mut copy, value);
            copy
        };
        values.clone().map(one).collect::<Vec<_>>()
    };
    states.iter().flat_map(with).collect()
}

fn initial(model: &Model) -> Vec<State> {
    let mut states = vec![State {
        numbers: model.integers.iter().map(|i| i.initial.unwrap_or(0)).collect(),
        truths: model.truths.iter().map(|t| t.unwrap_or(false)).collect(),
        places: vec![0; model.processes.len()],
    }];
    for (index, integer) in model.integers.iter().enumerate() {
        if let (Some(below), None) = (integer.below, integer.initial) {
            states = each(&states, 0..below, |s, v| s.numbers[index] = v);
        }
    }
    for (index, truth) in model.truths.iter().enumerate() {
        if truth.is_none() {
            states = each(&states, 0..2, |s, v| s.truths[index] = v == 1);
        }
    }
    states
}

/// Whether what is asked holds, if the states are few enough to be listed.
pub fn truth(model: &Model) -> Option<bool> {
    let mut open = initial(model);
    let mut seen: BTreeSet<State> = open.iter().cloned().collect();
    let mut is_stuck = false;
    while let Some(state) = open.pop() {
        let mut steps = 0;
        for (process, (_, commands)) in model.processes.iter().enumerate() {
            for next in commands.iter().flat_map(|command| state.after(process, command)) {
                steps += 1;
                if seen.insert(next.clone()) {
                    open.push(next);
                }
            }
        }
        is_stuck |= steps == 0;
        if seen.len() > STATE_LIMIT {
            return None;
        }
    }
    Some(match &model.question {
        Question::Unreachable(formula) => !seen.iter().any(|s| s.is(formula)),
        Question::Invariant(formula) => seen.iter().all(|s| s.is(formula)),
        Question::Reachable(formula) => seen.iter().any(|s| s.is(formula)),
        Question::DeadlockFree => !is_stuck,
    })
}
