//! Which variables stay in their domains, whatever step is taken.
//!
//! The domain of a variable is a fact that all its steps keep, but some keep
//! it only because of what else is known where they are taken. What an
//! invariant claims must be closed under steps on its own. The largest set of
//! domains that is closed is found by dropping what a step breaks (Flanagan,
//! Leino, FME 2001). Most steps are seen to keep a domain by evaluating
//! intervals; the solver is asked about the rest.

use crate::Halt;
use crate::environment::Environment;
use crate::form::Forms;
use crate::interval::Interval;
use parallax_base::{Budget, Id};
use parallax_ir::{Role, Variable};
use parallax_solver::{Answer, SolverConfig};
use parallax_term::{Rat, Substitution, Term};
use std::collections::BTreeMap;
use std::time::Duration;

/// How long the solver may think about one step.
const QUESTION: Duration = Duration::from_secs(2);

/// Variables whose domains are closed under all steps, with their ends.
#[derive(Clone, Debug, Default)]
pub(crate) struct Domains {
    pub(crate) kept: BTreeMap<Id<Variable>, Interval>,
}

impl Domains {
    pub(crate) fn new(
        forms: &mut Forms<'_>,
        solver: &SolverConfig,
        budget: &Budget,
    ) -> Result<Domains, Halt> {
        let mut domains = Domains::default();
        for (id, variable) in forms.program.variables.iter_enumerated() {
            if let Some((low, high)) = variable.domain.bounds()
                && !matches!(variable.role, Role::Control(_))
            {
                let ends = Interval { low: Some(Rat::from(low)), high: Some(Rat::from(high)) };
                domains.kept.insert(id, ends);
            }
        }
        let mut solver = solver.open()?;
        loop {
            let before = domains.kept.len();
            let environment = domains.environment(forms);
            let facts = domains.formula(forms);
            for at in 0..forms.steps.len() {
                budget.check()?;
                let form = forms.steps[at].clone();
                let mut environment = environment.clone();
                for input in &form.inputs {
                    let low = input.low.and_then(|t| environment.eval(&forms.store, t).low);
                    let high = input.high.and_then(|t| environment.eval(&forms.store, t).high);
                    environment.intervals.insert(input.term, Interval { low, high });
                }
                let mut doubtful = Vec::new();
                for &(variable, value) in &form.updates {
                    if let Some(ends) = domains.kept.get(&variable)
                        && !environment.eval(&forms.store, value).is_within(ends)
                    {
                        doubtful.push((variable, value));
                    }
                }
                for (variable, value) in doubtful {
                    let store = &mut forms.store;
                    let of = &forms.program.variables[variable];
                    let inside = of.domain.constraint(store, of.term);
                    let mut after = Substitution::new([(of.term, value)]);
                    let inside = after.apply(store, inside);
                    let outside = store.not(inside);
                    let question = store.and([facts, form.condition, outside]);
                    solver.push();
                    solver.assert(store, question);
                    let answer = solver.check(store, &[], &budget.within(QUESTION));
                    solver.pop();
                    budget.check()?;
                    if !matches!(answer, Ok(Answer::Unsat)) {
                        domains.kept.remove(&variable);
                    }
                }
            }
            if domains.kept.len() == before {
                return Ok(domains);
            }
        }
    }

    /// The domains as intervals.
    pub(crate) fn environment(&self, forms: &Forms<'_>) -> Environment {
        let intervals =
            self.kept.iter().map(|(&id, ends)| (forms.symbol(id), ends.clone())).collect();
        Environment { intervals, octagon: None }
    }

    /// The domains as a formula.
    pub(crate) fn formula(&self, forms: &mut Forms<'_>) -> Term {
        let mut parts = Vec::new();
        for &id in self.kept.keys() {
            let variable = &forms.program.variables[id];
            parts.push(variable.domain.constraint(&mut forms.store, variable.term));
        }
        forms.store.and(parts)
    }
}
