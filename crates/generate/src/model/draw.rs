//! The model of a number.

use super::{Command, Formula, Integer, Model, Number, Question, Update};
use crate::Random;

/// The model of a number.
pub fn model(seed: u64) -> Model {
    let mut draw = Draw {
        random: Random(seed),
        model: Model {
            integers: Vec::new(),
            has_array: false,
            truths: Vec::new(),
            processes: Vec::new(),
            question: Question::DeadlockFree,
        },
    };
    draw.variables();
    let random = &mut draw.random;
    let sizes: Vec<usize> = (0..1 + random.below(2)).map(|_| 1 + random.index(3)).collect();
    draw.model.processes = sizes.iter().map(|&size| (size, Vec::new())).collect();
    for (process, size) in sizes.into_iter().enumerate() {
        for _ in 0..2 + draw.random.below(3) {
            let command = draw.command(size);
            draw.model.processes[process].1.push(command);
        }
    }
    let (kind, formula) = (draw.random.below(10), draw.formula(2));
    draw.model.question = match kind {
        0..=4 => Question::Unreachable(formula),
        5..=7 => Question::Invariant(formula),
        8 => Question::Reachable(formula),
        _ => Question::DeadlockFree,
    };
    draw.model
}

/// A condition on the states of a model.
pub fn condition(model: &Model, random: &mut Random) -> Formula {
    let mut draw = Draw { random: random.clone(), model: model.clone() };
    let formula = draw.formula(0);
    *random = draw.random;
    formula
}

struct Draw {
    random: Random,
    model: Model,
}

impl Draw {
    fn constant(&mut self) -> i64 {
        self.random.between(-2, 3)
    }

    fn variables(&mut self) {
        for number in 0..1 + self.random.below(3) {
            let (below, initial) = match self.random.below(10) {
                0 => (Some(4), Some(self.random.between(0, 3))),
                1 => (Some(3), None),
                _ => (None, Some(self.constant())),
            };
            self.model.integers.push(Integer { name: format!("x{number}"), below, initial });
        }
        if self.random.chance(25) {
            self.model.has_array = true;
            let initial = Some(self.constant());
            for name in ["a[0]", "a[1]"] {
                self.model.integers.push(Integer { name: name.into(), below: None, initial });
            }
        }
        for _ in 0..self.random.below(3) {
            let initial = self.random.chance(70).then_some(false);
            self.model.truths.push(initial);
        }
    }

    fn integer(&mut self) -> usize {
        self.random.index(self.model.integers.len())
    }

    fn number(&mut self, depth: u32) -> Number {
        match self.random.below(if depth == 0 { 4 } else { 8 }) {
            0 => Number::Constant(self.constant()),
            1..=3 => Number::Variable(self.integer()),
            4 | 5 => Number::Plus(Box::new(self.number(depth - 1)), self.constant()),
            6 => Number::Minus(Box::new(self.number(depth - 1)), self.integer()),
            _ => {
                let condition = Box::new(self.formula(depth - 1));
                Number::If(condition, Box::new(self.number(0)), Box::new(self.number(0)))
            }
        }
    }

    fn formula(&mut self, depth: u32) -> Formula {
        match self.random.below(if depth == 0 { 6 } else { 10 }) {
            0..=3 => {
                let sign = self.random.pick(&["<=", "<", "==", "!=", ">=", ">"]);
                Formula::Compare(sign, self.number(depth.min(1)), self.number(0))
            }
            4 if !self.model.truths.is_empty() => {
                let variable = self.random.index(self.model.truths.len());
                Formula::Truth(variable, self.random.chance(60))
            }
            4 | 5 => {
                let process = self.random.index(self.model.processes.len());
                let location = self.random.index(self.model.processes[process].0);
                Formula::At(process, location)
            }
            6 | 7 => {
                let first = Box::new(self.formula(depth - 1));
                Formula::And(first, Box::new(self.formula(depth - 1)))
            }
            8 => {
                let first = Box::new(self.formula(depth - 1));
                Formula::Or(first, Box::new(self.formula(depth - 1)))
            }
            _ => Formula::Not(Box::new(self.formula(depth - 1))),
        }
    }

    fn command(&mut self, locations: usize) -> Command {
        let (from, to) = (self.random.index(locations), self.random.index(locations));
        let (mut guards, mut updates) = (Vec::new(), Vec::new());
        if self.random.chance(60) {
            guards.push(self.formula(1));
        }
        let mut targets: Vec<usize> = (0..self.model.integers.len()).collect();
        for _ in 0..self.random.below(3) {
            if targets.is_empty() {
                break;
            }
            let target = targets.swap_remove(self.random.index(targets.len()));
            if self.random.chance(12) {
                updates.push(Update::AnyNumber(target, self.random.between(1, 3)));
                continue;
            }
            let value = self.number(2);
            let below = self.model.integers[target].below;
            // Mostly bounded, so that the reachable states are few.
            if below.is_some() || self.random.chance(90) {
                let (low, high) = below.map_or((-4, 4), |below| (0, below - 1));
                let bound = |sign, at| Formula::Compare(sign, value.clone(), Number::Constant(at));
                guards.extend([bound("<=", high), bound(">=", low)]);
            }
            updates.push(Update::Number(target, value));
        }
        if !self.model.truths.is_empty() && self.random.chance(40) {
            let target = self.random.index(self.model.truths.len());
            let value = self.formula(1);
            updates.push(match self.random.chance(20) {
                true => Update::AnyTruth(target),
                false => Update::Truth(target, value),
            });
        }
        Command { from, to, guards, updates }
    }
}
