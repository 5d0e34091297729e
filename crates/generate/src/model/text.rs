//! A model as text, in one of several styles that mean the same.

use super::{Command, Formula, Model, Number, Question, Update};
use std::fmt::Write;

/// How a model is written; none changes the answer to its question.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Style {
    /// Stands before every name that is ours.
    pub prefix: &'static str,
    /// Declarations and commands last first.
    pub reversed: bool,
    /// A command that is never possible.
    pub dead: bool,
    /// Questions besides the one that is asked.
    pub more: bool,
}

/// The text of a model; the question is called `p`.
pub fn text(model: &Model, style: &Style) -> String {
    let prefix = style.prefix;
    let mut declarations = Vec::new();
    let plain = model.integers.len() - if model.has_array { 2 } else { 0 };
    for integer in &model.integers[..plain] {
        let ty = integer.below.map_or_else(|| "int".into(), |below| format!("0..{below}"));
        let initial = integer.initial.map_or_else(String::new, |value| format!(" = {value}"));
        declarations.push(format!("var {prefix}{}: {ty}{initial};\n", integer.name));
    }
    if model.has_array {
        let initial = model.integers[plain].initial.unwrap_or(0);
        declarations.push(format!("var {prefix}a: [2] int = {initial};\n"));
    }
    for (index, initial) in model.truths.iter().enumerate() {
        let initial = initial.map_or_else(String::new, |value| format!(" = {value}"));
        declarations.push(format!("var {prefix}b{index}: bool{initial};\n"));
    }
    let writer = Writer { model, prefix };
    let mut processes = Vec::new();
    for (number, (size, commands)) in model.processes.iter().enumerate() {
        let names: Vec<String> = (0..*size).map(|l| format!("{prefix}l{l}")).collect();
        let mut lines: Vec<String> = commands.iter().map(|c| writer.command(c)).collect();
        if style.dead {
            let first = &model.integers[0].name;
            lines.push(format!(
                "{prefix}l0 -> {prefix}l0 when {prefix}{first} > {prefix}{first} do {prefix}{first} := 1;\n"
            ));
        }
        if style.reversed {
            lines.reverse();
        }
        let mut text = format!("process {prefix}P{number} {{\n  location {};\n", names.join(", "));
        for (index, line) in lines.iter().enumerate() {
            let _ = write!(text, "  {prefix}c{index}: {line}");
        }
        processes.push(text + "}\n");
    }
    let question = match &model.question {
        Question::Unreachable(formula) => format!("unreachable p: {};\n", writer.formula(formula)),
        Question::Invariant(formula) => format!("invariant p: {};\n", writer.formula(formula)),
        Question::Reachable(formula) => format!("reachable p: {};\n", writer.formula(formula)),
        Question::DeadlockFree => "deadlock_free p;\n".into(),
    };
    let mut questions = vec![question];
    if style.more {
        let first = &model.integers[0].name;
        questions.insert(0, format!("invariant {prefix}small: {prefix}{first} <= 2;\n"));
        questions.push(format!("reachable {prefix}there: {prefix}P0@{prefix}l0;\n"));
    }
    if style.reversed {
        declarations.reverse();
        processes.reverse();
    }
    format!(
        "model {prefix}random;\n{}{}{}",
        declarations.concat(),
        processes.concat(),
        questions.concat()
    )
}

/// A formula over the variables of a model, in the plain style.
pub fn formula_text(model: &Model, formula: &Formula) -> String {
    Writer { model, prefix: "" }.formula(formula)
}

struct Writer<'a> {
    model: &'a Model,
    prefix: &'static str,
}

impl Writer<'_> {
    fn integer(&self, index: usize) -> String {
        format!("{}{}", self.prefix, self.model.integers[index].name)
    }

    fn number(&self, number: &Number) -> String {
        match number {
            Number::Constant(value) => value.to_string(),
            Number::Variable(index) => self.integer(*index),
            Number::Plus(inner, value) => format!("({} + {value})", self.number(inner)),
            Number::Minus(inner, index) => {
                format!("({} - {})", self.number(inner), self.integer(*index))
            }
            Number::If(condition, yes, no) => format!(
                "(if {} then {} else {})",
                self.formula(condition),
                self.number(yes),
                self.number(no)
            ),
        }
    }

    fn formula(&self, formula: &Formula) -> String {
        let prefix = self.prefix;
        match formula {
            Formula::Compare(sign, a, b) => {
                format!("{} {sign} {}", self.number(a), self.number(b))
            }
            Formula::Truth(index, true) => format!("{prefix}b{index}"),
            Formula::Truth(index, false) => format!("!{prefix}b{index}"),
            Formula::At(process, location) => {
                format!("{prefix}P{process}@{prefix}l{location}")
            }
            Formula::And(a, b) => format!("({} && {})", self.formula(a), self.formula(b)),
            Formula::Or(a, b) => format!("({} || {})", self.formula(a), self.formula(b)),
            Formula::Not(inner) => format!("!({})", self.formula(inner)),
        }
    }

    fn command(&self, command: &Command) -> String {
        let prefix = self.prefix;
        let mut text = format!("{prefix}l{} -> {prefix}l{}", command.from, command.to);
        let guards: Vec<String> = command.guards.iter().map(|g| self.formula(g)).collect();
        if !guards.is_empty() {
            let _ = write!(text, " when {}", guards.join(" && "));
        }
        let update = |update: &Update| match update {
            Update::Number(to, value) => format!("{} := {}", self.integer(*to), self.number(value)),
            Update::AnyNumber(to, below) => format!("{} := any 0..{below}", self.integer(*to)),
            Update::Truth(to, value) => format!("{prefix}b{to} := {}", self.formula(value)),
            Update::AnyTruth(to) => format!("{prefix}b{to} := any"),
        };
        let updates: Vec<String> = command.updates.iter().map(update).collect();
        if !updates.is_empty() {
            let _ = write!(text, " do {}", updates.join(", "));
        }
        text + ";\n"
    }
}
