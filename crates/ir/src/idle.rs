//! Where no step is possible.
//!
//! A transition with inputs is not possible if no values of them satisfy its
//! constraint. That takes a quantifier. Said here is less: that some values do not,
//! the same ones for all transitions that share their inputs. So of two transitions
//! whose constraints are each other's negation, one is possible.
//!
//! # Soundness
//! The condition holds wherever no transition is possible: what fails for all values
//! fails for the ones that are picked. A guard says whether the inputs have values
//! within their bounds, so there are some to pick; inputs that are bounded in different
//! ways by different transitions are left out.

use crate::transition::bounds;
use crate::{Input, Transition};
use parallax_term::{Substitution, Term, TermStore};
use std::collections::BTreeMap;

/// What holds where none of some transitions is possible, and perhaps elsewhere.
#[derive(Clone, Debug, Default)]
pub struct Idle {
    conditions: Vec<Term>,
    /// The bounds of inputs.
    ranges: BTreeMap<Term, (Option<Term>, Option<Term>)>,
}

impl Idle {
    /// Adds that a transition is not possible, with its terms as they are at a place.
    pub fn add(&mut self, store: &mut TermStore, transition: &Transition, at: &mut Substitution) {
        let fits = |input: &Input| {
            let range = (input.low, input.high);
            *self.ranges.entry(input.term).or_insert(range) == range
        };
        if !transition.inputs.iter().all(fits) {
            return;
        }
        let within = bounds(store, &transition.inputs);
        let fails = store.not(transition.constraint);
        let fails = store.and([within, fails]);
        let closed = store.not(transition.guard);
        let impossible = store.or([closed, fails]);
        self.conditions.push(at.apply(store, impossible));
    }

    /// The condition.
    pub fn condition(self, store: &mut TermStore) -> Term {
        store.and(self.conditions)
    }
}
