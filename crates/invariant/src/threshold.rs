//! Where widening stops: constants of the program.
//!
//! A comparison `sum <= c` makes `c` and its neighbours thresholds of the
//! template `sum`, and of its negation. The ends of domains and initial values
//! are thresholds of single variables.

use crate::form::{Forms, unconditional};
use parallax_term::{Linear, Node, Rat, Term};
use std::collections::{BTreeMap, BTreeSet};

/// Thresholds by template, constants left out, scaled to a leading `±1`.
pub(crate) struct Thresholds {
    by_sum: BTreeMap<Vec<(Term, Rat)>, BTreeSet<Rat>>,
}

/// The sum with a leading coefficient of size one, and what it was scaled by.
fn leading(linear: &Linear) -> Option<(Linear, Rat)> {
    let (_, first) = linear.monomials().first()?;
    let size = if first.signum() < 0 { -first } else { first.clone() };
    let factor = size.inverse()?;
    Some((linear.scaled(&factor), factor))
}

impl Thresholds {
    pub(crate) fn new(forms: &Forms<'_>) -> Thresholds {
        let mut thresholds = Thresholds { by_sum: BTreeMap::new() };
        let mut roots = vec![forms.initial];
        for form in &forms.steps {
            roots.push(form.condition);
            roots.extend(form.updates.iter().map(|u| u.value));
        }
        for property in &forms.program.properties {
            roots.push(property.target);
        }
        for term in forms.store.subterms(&roots) {
            if let Node::Compare(_, linear) = forms.store.node(term) {
                for sum in unconditional(&forms.store, linear) {
                    thresholds.note(&sum);
                    thresholds.note(&sum.scaled(&Rat::from(-1)));
                }
            }
        }
        for variable in &forms.program.variables {
            if let Some((low, high)) = variable.domain.bounds() {
                let own = Linear::term(variable.term);
                thresholds.add(&own, Rat::from(high));
                thresholds.add(&own.scaled(&Rat::from(-1)), -&Rat::from(low));
            }
        }
        thresholds
    }

    /// `linear <= 0` and what is next to it.
    fn note(&mut self, linear: &Linear) {
        let value = -linear.constant_part();
        for near in [&value - &Rat::ONE, value.clone(), &value + &Rat::ONE] {
            let plain = linear.shifted(&-linear.constant_part());
            self.add(&plain, near);
        }
    }

    fn add(&mut self, plain: &Linear, value: Rat) {
        if let Some((sum, factor)) = leading(plain) {
            self.by_sum.entry(sum.monomials().to_vec()).or_default().insert(&value * &factor);
        }
    }

    /// The least threshold of a template that is no less than a value.
    pub(crate) fn next(&self, template: &Linear, value: &Rat) -> Option<Rat> {
        let (sum, factor) = leading(template)?;
        let scaled = value * &factor;
        let found = self.by_sum.get(sum.monomials())?.range(scaled..).next()?;
        Some(found * &factor.inverse()?)
    }
}
