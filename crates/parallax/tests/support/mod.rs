//! Random small models as text, and the truth about them by brute force.
//!
//! The generator writes the modelling language, so that front end, program
//! form, engines and checker are all under test. Every model has finitely many
//! reachable states, or is given up on when it has too many to list.

#![allow(dead_code, reason = "each test binary uses a part")]

use parallax_ir::{Choices, Interpreter, Program, State};
use parallax_term::{Code, Scratch};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use std::collections::HashSet;
use std::fmt::Write;

/// Models with more reachable states than this are not used.
pub(crate) const STATE_LIMIT: usize = 3000;

/// A model generator with its own random numbers.
pub(crate) struct Generator {
    rng: StdRng,
    ints: Vec<String>,
    bools: Vec<String>,
    places: Vec<String>,
}

impl Generator {
    /// The generator of a seed.
    pub(crate) fn new(seed: u64) -> Generator {
        let rng = StdRng::seed_from_u64(seed);
        Generator { rng, ints: Vec::new(), bools: Vec::new(), places: Vec::new() }
    }

    fn chance(&mut self, percent: u32) -> bool {
        self.rng.random_range(0..100) < percent
    }

    fn pick(&mut self, items: &[String]) -> String {
        items[self.rng.random_range(0..items.len())].clone()
    }

    fn constant(&mut self) -> i64 {
        self.rng.random_range(-2..=3)
    }

    /// A number: variable, constant, sum or conditional.
    fn number(&mut self, depth: u32) -> String {
        let ints = self.ints.clone();
        match self.rng.random_range(0..if depth == 0 { 4 } else { 8 }) {
            0 => self.constant().to_string(),
            1..=3 => self.pick(&ints),
            4 | 5 => {
                let (a, c) = (self.number(depth - 1), self.constant());
                format!("({a} + {c})")
            }
            6 => format!("({} - {})", self.number(depth - 1), self.pick(&ints)),
            _ => {
                let c = self.formula(depth - 1);
                format!("(if {c} then {} else {})", self.number(0), self.number(0))
            }
        }
    }

    /// A truth value over variables and locations.
    fn formula(&mut self, depth: u32) -> String {
        match self.rng.random_range(0..if depth == 0 { 6 } else { 10 }) {
            0..=3 => {
                let signs = ["<=", "<", "==", "!=", ">=", ">"];
                let sign = signs[self.rng.random_range(0..signs.len())];
                format!("{} {sign} {}", self.number(depth.min(1)), self.number(0))
            }
            4 if !self.bools.is_empty() => {
                let bools = self.bools.clone();
                let b = self.pick(&bools);
                if self.chance(40) { format!("!{b}") } else { b }
            }
            4 | 5 => {
                let places = self.places.clone();
                self.pick(&places)
            }
            6 | 7 => format!("({} && {})", self.formula(depth - 1), self.formula(depth - 1)),
            8 => format!("({} || {})", self.formula(depth - 1), self.formula(depth - 1)),
            _ => format!("!({})", self.formula(depth - 1)),
        }
    }

    /// A condition over the model that was written last.
    pub(crate) fn condition(&mut self) -> String {
        self.formula(0)
    }

    /// The text of a model.
    pub(crate) fn model(&mut self) -> String {
        let mut text = String::from("model random;\n");
        for i in 0..self.rng.random_range(1..=3) {
            let name = format!("x{i}");
            match self.rng.random_range(0..10) {
                0 => {
                    let _ = writeln!(text, "var {name}: 0..4 = {};", self.rng.random_range(0..4));
                }
                1 => {
                    let _ = writeln!(text, "var {name}: 0..3;");
                }
                _ => {
                    let _ = writeln!(text, "var {name}: int = {};", self.constant());
                }
            }
            self.ints.push(name);
        }
        if self.chance(25) {
            let _ = writeln!(text, "var a: [2] int = {};", self.constant());
            self.ints.extend(["a[0]".into(), "a[1]".into()]);
        }
        for i in 0..self.rng.random_range(0..=2) {
            let init = if self.chance(70) { " = false" } else { "" };
            let _ = writeln!(text, "var b{i}: bool{init};");
            self.bools.push(format!("b{i}"));
        }
        let sizes: Vec<usize> =
            (0..self.rng.random_range(1..=2)).map(|_| self.rng.random_range(1..=3)).collect();
        for (p, &size) in sizes.iter().enumerate() {
            self.places.extend((0..size).map(|l| format!("P{p}@l{l}")));
        }
        for (p, &size) in sizes.iter().enumerate() {
            let _ = writeln!(text, "process P{p} {{");
            let names: Vec<String> = (0..size).map(|l| format!("l{l}")).collect();
            let _ = writeln!(text, "  location {};", names.join(", "));
            for c in 0..self.rng.random_range(2..=4) {
                self.command(&mut text, c, size);
            }
            let _ = writeln!(text, "}}");
        }
        let (kind, formula) = (self.rng.random_range(0..10), self.formula(2));
        let _ = match kind {
            0..=4 => writeln!(text, "unreachable p: {formula};"),
            5..=7 => writeln!(text, "invariant p: {formula};"),
            8 => writeln!(text, "reachable p: {formula};"),
            _ => writeln!(text, "deadlock_free p;"),
        };
        text
    }

    fn command(&mut self, text: &mut String, index: usize, locations: usize) {
        let (from, to) = (self.rng.random_range(0..locations), self.rng.random_range(0..locations));
        let mut guards = Vec::new();
        if self.chance(60) {
            guards.push(self.formula(1));
        }
        let mut updates = Vec::new();
        let mut targets = self.ints.clone();
        for _ in 0..self.rng.random_range(0..=2) {
            if targets.is_empty() {
                break;
            }
            let target = targets.swap_remove(self.rng.random_range(0..targets.len()));
            if self.chance(12) {
                let high = self.rng.random_range(1..4);
                updates.push(format!("{target} := any 0..{high}"));
                continue;
            }
            let value = self.number(2);
            // Mostly bounded, so that the reachable states are few.
            if self.chance(90) {
                guards.push(format!("{value} <= 4 && {value} >= -4"));
            }
            updates.push(format!("{target} := {value}"));
        }
        if !self.bools.is_empty() && self.chance(40) {
            let bools = self.bools.clone();
            let (target, value) = (self.pick(&bools), self.formula(1));
            updates.push(if self.chance(20) {
                format!("{target} := any")
            } else {
                format!("{target} := {value}")
            });
        }
        let _ = write!(text, "  c{index}: l{from} -> l{to}");
        if !guards.is_empty() {
            let _ = write!(text, " when {}", guards.join(" && "));
        }
        if !updates.is_empty() {
            let _ = write!(text, " do {}", updates.join(", "));
        }
        let _ = writeln!(text, ";");
    }
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
