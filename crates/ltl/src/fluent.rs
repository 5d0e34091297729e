//! Fluents: propositions that actions make true and false.
//!
//! J. Magee and D. Giannakopoulou, *Fluent Model Checking for Event-Based
//! Systems* (ESEC/FSE 2003). The word of a run has one letter for each step:
//! the fluents that hold after it. A fluent holds after a step that starts it,
//! does not after one that ends it, and otherwise stays as it was. An action as
//! a proposition is a fluent that every other step ends, the silent one
//! included. A run that ends goes on with silent steps for ever.

use crate::formula::Formula;

/// What ends a fluent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ends {
    /// These actions.
    With(Vec<String>),
    /// Every step that does not start it.
    Otherwise,
}

/// A fluent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fluent {
    /// How it is shown.
    pub name: String,
    /// Whether it holds before the first step.
    pub initially: bool,
    /// The actions that start it; they go before those that end it.
    pub starts: Vec<String>,
    /// What ends it.
    pub ends: Ends,
}

/// A formula about fluents.
#[derive(Clone, Debug)]
pub struct Assertion {
    /// Its name.
    pub name: String,
    /// The formula.
    pub formula: Formula,
    /// What its atoms mean, one for each.
    pub fluents: Vec<Fluent>,
}

impl Assertion {
    /// The fluents that hold before the first step; no letter of the word.
    pub fn initially(&self) -> u64 {
        self.letter(|fluent, _| fluent.initially)
    }

    /// The letter after a step; `None` is a silent one.
    pub fn after(&self, before: u64, label: Option<&str>) -> u64 {
        let has = |list: &[String]| label.is_some_and(|label| list.iter().any(|l| l == label));
        self.letter(|fluent, atom| {
            let ended = match &fluent.ends {
                Ends::With(list) => has(list),
                Ends::Otherwise => true,
            };
            has(&fluent.starts) || (!ended && before >> atom & 1 == 1)
        })
    }

    fn letter(&self, holds: impl Fn(&Fluent, usize) -> bool) -> u64 {
        let atoms = self.fluents.iter().enumerate();
        atoms.filter(|(atom, fluent)| holds(fluent, *atom)).fold(0, |l, (atom, _)| l | 1 << atom)
    }
}
