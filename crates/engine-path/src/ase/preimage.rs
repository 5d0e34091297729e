//! Conditions on the state before a step, free of inputs.
//!
//! The preimage of an abstract state under a step with free inputs is an
//! existential formula (Albarghouthi 2010, chapter 3). Conditions without
//! inputs are taken as they are; for the others the inputs are eliminated,
//! once per successor found, from the conjunction that leads there.

use crate::work::Work;
use parallax_domain::{Image, Rule};
use parallax_solver::Halt;
use parallax_term::Term;

/// The doubts of an image as conditions on the state before the step.
pub(crate) fn conditions(work: &mut Work, rule: &Rule, image: &Image) -> Result<Vec<Term>, Halt> {
    let inputs = rule.step.input_symbols();
    let free_in = |work: &Work, t: Term| work.store.vars(t).iter().any(|v| inputs.contains(v));
    let (with, mut without): (Vec<Term>, Vec<Term>) =
        image.doubts.iter().partition(|t| free_in(work, **t));
    if with.is_empty() {
        return Ok(without);
    }
    for values in &image.values {
        let mut parts = vec![rule.input_bounds];
        for &(term, ref value) in values {
            if free_in(work, term) {
                let value = work.store.constant(value.clone());
                parts.push(work.store.eq(term, value));
            }
        }
        let formula = work.store.and(parts);
        let solver = work.oracle.solver();
        if let Some(formula) = solver.eliminate(&mut work.store, formula, &inputs, work.budget)? {
            without.push(formula);
        }
    }
    without.sort_unstable();
    without.dedup();
    Ok(without)
}
