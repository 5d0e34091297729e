//! Random models in the language `.plx`, and the truth about them by listing
//! their states.
//!
//! The truth is found on the tree that the text is written from, by an
//! evaluator that knows nothing of the language's front end (`states`).
//! No assignment leaves the range of its variable, so there is no value error.

mod draw;
mod states;
mod text;

pub use draw::{condition, model};
pub use states::{STATE_LIMIT, truth};
pub use text::{Style, formula_text, text};

/// A number; variables by index.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Number {
    /// A constant.
    Constant(i64),
    /// A variable.
    Variable(usize),
    /// A sum with a constant.
    Plus(Box<Number>, i64),
    /// A difference to a variable.
    Minus(Box<Number>, usize),
    /// A conditional.
    If(Box<Formula>, Box<Number>, Box<Number>),
}

/// A truth value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Formula {
    /// A comparison.
    Compare(&'static str, Number, Number),
    /// A variable, or that it is false.
    Truth(usize, bool),
    /// A process is at a location.
    At(usize, usize),
    /// Both.
    And(Box<Formula>, Box<Formula>),
    /// One of them.
    Or(Box<Formula>, Box<Formula>),
    /// Not.
    Not(Box<Formula>),
}

/// A variable for numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Integer {
    /// Its name in expressions.
    pub name: String,
    /// If it has a range from 0, what it stays below.
    pub below: Option<i64>,
    /// Its first value; any of its range if there is none.
    pub initial: Option<i64>,
}

/// What a variable becomes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Update {
    /// A number.
    Number(usize, Number),
    /// Any number from 0 that is below this.
    AnyNumber(usize, i64),
    /// A truth value.
    Truth(usize, Formula),
    /// Any truth value.
    AnyTruth(usize),
}

/// A step of a process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Command {
    /// Where it starts.
    pub from: usize,
    /// Where it leads.
    pub to: usize,
    /// All of these must hold.
    pub guards: Vec<Formula>,
    /// All at once.
    pub updates: Vec<Update>,
}

/// What is asked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Question {
    /// No state is like this.
    Unreachable(Formula),
    /// All states are like this.
    Invariant(Formula),
    /// Some state is like this.
    Reachable(Formula),
    /// Every state has a step.
    DeadlockFree,
}

/// A model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Model {
    /// Numbers; the cells of the array `a` come last.
    pub integers: Vec<Integer>,
    /// Whether the last two numbers are the cells of an array.
    pub has_array: bool,
    /// Truth values, with their first value if it is given.
    pub truths: Vec<Option<bool>>,
    /// Locations and commands of each process.
    pub processes: Vec<(usize, Vec<Command>)>,
    /// What is asked.
    pub question: Question,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_repeat_and_most_can_be_listed() {
        let mut truths = [0, 0, 0];
        for seed in 0..300 {
            assert_eq!(model(seed), model(seed));
            truths[truth(&model(seed)).map_or(2, usize::from)] += 1;
        }
        assert!(truths[0] > 60 && truths[1] > 60 && truths[2] < 60, "{truths:?}");
    }
}
