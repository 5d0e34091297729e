//! Which variables stay in their domains, whatever step is taken.
//!
//! The domain of a variable is a fact that all its steps keep, but some keep
//! it only because of what else is known where they are taken. What an
//! invariant claims must be closed under steps on its own. The largest set of
//! domains that is closed is found by dropping what a step breaks (Flanagan,
//! Leino, FME 2001). Most steps are seen to keep a domain by evaluating
//! intervals; the solver is asked about the rest.

use crate::environment::Environment;
use crate::interval::Interval;
use parallax_base::{Budget, Id};
use parallax_domain::{Assignment, Step};
use parallax_ir::{Program, Role, Variable};
use parallax_solver::Halt;
use parallax_solver::{Answer, SolverConfig};
use parallax_term::{Rat, Substitution, Term, TermStore};
use std::collections::BTreeMap;
use std::time::Duration;

/// How long the solver may think about one step.
const QUESTION: Duration = Duration::from_millis(700);

/// Variables whose domains are closed under all steps, with their ends.
#[derive(Clone, Debug, Default)]
pub(crate) struct Domains {
    pub(crate) kept: BTreeMap<Id<Variable>, Interval>,
}

impl Domains {
    pub(crate) fn new(
        program: &Program,
        store: &mut TermStore,
        steps: &[Step],
        solver: &SolverConfig,
        budget: &Budget,
    ) -> Result<Domains, Halt> {
        let mut domains = Domains::default();
        for (id, variable) in program.variables.iter_enumerated() {
            if let Some((low, high)) = variable.domain.bounds()
                && !matches!(variable.role, Role::Control(_))
            {
                let ends = Interval { low: Some(Rat::from(low)), high: Some(Rat::from(high)) };
                domains.kept.insert(id, ends);
            }
        }
        let mut asked = None;
        loop {
            let before = domains.kept.len();
            let environment = domains.environment(program);
            let facts = domains.formula(program, store);
            for form in steps {
                budget.check()?;
                let mut environment = environment.clone();
                for input in &form.inputs {
                    let low = input.low.and_then(|t| environment.eval(store, t).low);
                    let high = input.high.and_then(|t| environment.eval(store, t).high);
                    environment.intervals.insert(input.term, Interval { low, high });
                }
                let mut doubtful = Vec::new();
                for &Assignment { variable, value, .. } in &form.updates {
                    if let Some(ends) = domains.kept.get(&variable)
                        && !environment.eval(store, value).is_within(ends)
                    {
                        doubtful.push((variable, value));
                    }
                }
                for (variable, value) in doubtful {
                    let of = &program.variables[variable];
                    let inside = of.domain.constraint(store, of.term);
                    let mut after = Substitution::new([(of.term, value)]);
                    let inside = after.apply(store, inside);
                    let outside = store.not(inside);
                    let question = store.and([facts, form.condition, outside]);
                    let solver = match &mut asked {
                        Some(solver) => solver,
                        None => asked.insert(solver.open()?),
                    };
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
    pub(crate) fn environment(&self, program: &Program) -> Environment {
        let symbol = |id: Id<Variable>| program.variables[id].term;
        let intervals = self.kept.iter().map(|(&id, ends)| (symbol(id), ends.clone())).collect();
        Environment { intervals, ..Environment::default() }
    }

    /// The domains as a formula.
    pub(crate) fn formula(&self, program: &Program, store: &mut TermStore) -> Term {
        let mut parts = Vec::new();
        for &id in self.kept.keys() {
            let variable = &program.variables[id];
            parts.push(variable.domain.constraint(store, variable.term));
        }
        store.and(parts)
    }
}
