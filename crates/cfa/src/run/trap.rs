//! Why a run cannot go on: the small form of an outcome used inside.

use super::outcome::{CheckKind, Outcome};
use std::sync::Arc;

/// Why a run ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Trap {
    /// `main` returned.
    Exit,
    /// See the outcomes of these names. Texts are numbers in the code's table.
    Halt,
    Error(u32),
    Undefined(CheckKind),
    Unsupported(u32),
    Foreign(&'static str),
    OutOfInputs,
    Stuck,
    Deadlock,
    Endless,
    StepLimit,
    DepthLimit,
    MemoryLimit,
}

impl Trap {
    /// The outcome, with the texts of the code that runs and the value of `main`.
    pub(crate) fn outcome(self, texts: &[Arc<str>], value: Option<i32>) -> Outcome {
        let text = |number: u32| texts.get(number as usize).cloned().unwrap_or_default();
        match self {
            Trap::Exit => Outcome::Exit(value),
            Trap::Halt => Outcome::Halt,
            Trap::Error(number) => Outcome::Error(text(number)),
            Trap::Undefined(kind) => Outcome::Undefined(kind),
            Trap::Unsupported(number) => Outcome::Unsupported(text(number)),
            Trap::Foreign(what) => Outcome::Unsupported(what.into()),
            Trap::OutOfInputs => Outcome::OutOfInputs,
            Trap::Stuck => Outcome::Stuck,
            Trap::Deadlock => Outcome::Deadlock,
            Trap::Endless => Outcome::Endless,
            Trap::StepLimit => Outcome::StepLimit,
            Trap::DepthLimit => Outcome::DepthLimit,
            Trap::MemoryLimit => Outcome::MemoryLimit,
        }
    }
}
