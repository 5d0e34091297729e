//! What an ascent knows of its goals.

use crate::alpha::{Abstract, Limit};
use parallax_term::{Rat, Term};
use rustc_hash::FxHashMap;

/// What is known of the goals during one ascent.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    /// `None` as long as no model is known.
    pub(crate) limits: Option<Vec<Option<Limit>>>,
    /// Goals that still count.
    pub(crate) open: Vec<bool>,
    /// How often each goal rose.
    pub(crate) rises: Vec<u32>,
}

impl Known {
    /// The bound of a goal, if it has one.
    pub(crate) fn limit(&self, goal: usize) -> Option<Limit> {
        self.limits.as_ref()?[goal].clone()
    }

    /// Whether the bound of a goal is below a value.
    pub(crate) fn is_below(&self, goal: usize, value: &Rat) -> bool {
        self.limit(goal).is_some_and(|limit| *value > limit.value)
    }

    /// The goal has no bound.
    pub(crate) fn forget(&mut self, goal: usize) {
        if let Some(limits) = &mut self.limits {
            limits[goal] = None;
        }
    }

    /// No goal that counts has a bound.
    pub(crate) fn give_up(&mut self, goals: usize) {
        let limits = self.limits.get_or_insert_with(|| vec![None; goals]);
        for (limit, &open) in limits.iter_mut().zip(&self.open) {
            if open {
                *limit = None;
            }
        }
    }
}

/// A goal that is a template of the states before has the bound it had: it does
/// not count if the floor is no lower.
pub(crate) fn close_unchanged(
    goals: &[Term],
    (from, templates): (&Abstract, &[Term]),
    floor: &Abstract,
    open: &mut [bool],
) {
    let (Abstract::Within(from), Abstract::Within(floor)) = (from, floor) else { return };
    let before: FxHashMap<Term, &Limit> = templates
        .iter()
        .zip(from)
        .filter_map(|(&template, limit)| Some((template, limit.as_ref()?)))
        .collect();
    for (at, goal) in goals.iter().enumerate() {
        if let (Some(before), Some(known)) = (before.get(goal), &floor[at])
            && (before.value < known.value
                || before.value == known.value && (before.strict || !known.strict))
        {
            open[at] = false;
        }
    }
}
