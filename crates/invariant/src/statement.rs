//! Post statement by statement: the classical analysis with intervals and
//! octagons, for comparison.
//!
//! Each step is taken apart: its condition is assumed, then its updates are
//! made. This is what analyzers do without a solver. It is as precise as the
//! steps are small, so it is run on programs whose steps are single operations.

use crate::domains::Domains;
use crate::environment::Environment;
use crate::fixpoint::Post;
use crate::form::Forms;
use crate::interval::Interval;
use crate::octagon::Octagon;
use crate::template::Templates;
use parallax_base::{Budget, Id};
use parallax_domain::{Assignment, Domain, Step};
use parallax_ir::Variable;
use parallax_optimize::{Abstract, Bounded, Effort, Limit};
use parallax_solver::Halt;
use parallax_term::{Linear, Node, Rat, Sort, Term};
use std::collections::BTreeSet;

/// More variables than this are not related to each other.
const RELATED: usize = 24;

/// Abstract transformers of single operations.
pub(crate) struct Statement<'f, 'a> {
    forms: &'f Forms<'a>,
    templates: &'f Templates,
    domains: Environment,
    /// The variables of octagons, if the templates relate variables.
    related: Option<Vec<(Term, bool)>>,
}

impl<'f, 'a> Statement<'f, 'a> {
    pub(crate) fn new(
        forms: &'f Forms<'a>,
        templates: &'f Templates,
        domains: &Domains,
        is_plain: bool,
    ) -> Statement<'f, 'a> {
        let mut related = BTreeSet::new();
        for &template in templates.at.iter().flatten() {
            let linear = forms.store.linear(template);
            if linear.monomials().len() > 1 {
                related.extend(linear.monomials().iter().map(|(t, _)| *t));
            }
        }
        let is_int = |t: Term| forms.store.sort(t) == Sort::Int;
        let related = (!is_plain && !related.is_empty() && related.len() <= RELATED)
            .then(|| related.into_iter().map(|t| (t, is_int(t))).collect());
        let domains = Environment { is_plain, ..domains.environment(forms.program) };
        Statement { forms, templates, domains, related }
    }

    /// The states of a value; `None` if there are none.
    fn gamma(&self, place: usize, value: &Abstract) -> Option<Environment> {
        let Abstract::Within(limits) = value else { return None };
        let mut environment = self.domains.clone();
        environment.octagon = self.related.as_ref().map(|related| Octagon::new(related));
        for (limit, &template) in limits.iter().zip(&self.templates.at[place]) {
            let Some(limit) = limit else { continue };
            let linear = self.forms.store.linear(template);
            let most = &limit.value - linear.constant_part();
            match linear.monomials() {
                [(term, factor)] => {
                    let inverse = factor.inverse().unwrap_or(Rat::ONE);
                    let range = Interval { low: None, high: Some(most) }.scaled(&inverse);
                    let own = environment.of(*term).meet(&range);
                    environment.intervals.insert(*term, own);
                }
                sum => {
                    if let Some(octagon) = &mut environment.octagon {
                        octagon.add(sum, &most);
                    }
                }
            }
        }
        environment.close().then_some(environment)
    }

    /// The value of some states.
    fn alpha(&self, place: usize, environment: &Environment) -> Abstract {
        let limit = |&template: &Term| {
            let high = environment.eval(&self.forms.store, template).high?;
            Some(Limit { value: high, strict: false })
        };
        Abstract::Within(self.templates.at[place].iter().map(limit).collect())
    }

    fn step(&self, form: &Step, mut environment: Environment) -> Option<Environment> {
        let store = &self.forms.store;
        for input in &form.inputs {
            let low = input.low.and_then(|t| environment.eval(store, t).low);
            let high = input.high.and_then(|t| environment.eval(store, t).high);
            environment.intervals.insert(input.term, Interval { low, high });
        }
        let environment = environment.assume(store, form.condition, true)?;
        let mut next = environment.clone();
        let written: BTreeSet<Term> = form.updates.iter().map(|u| u.symbol).collect();
        for &Assignment { variable, value, .. } in &form.updates {
            self.update(variable, value, &written, &environment, &mut next);
        }
        for input in &form.inputs {
            next.intervals.remove(&input.term);
        }
        next.close().then_some(next)
    }

    fn update(
        &self,
        variable: Id<Variable>,
        value: Term,
        written: &BTreeSet<Term>,
        before: &Environment,
        next: &mut Environment,
    ) {
        let store = &self.forms.store;
        let symbol = self.forms.symbol(variable);
        if !store.sort(symbol).is_number() {
            return;
        }
        next.intervals.insert(symbol, before.eval(store, value));
        let Some(octagon) = &mut next.octagon else { return };
        // A conditional value whose condition is known is the branch taken.
        let mut value = value;
        while let Node::Ite(c, a, b) = store.node(value) {
            match before.truth(store, *c) {
                Some(true) => value = *a,
                Some(false) => value = *b,
                None => break,
            }
        }
        // One other variable, and the rest as an interval. It must have the
        // value that it had before all updates.
        let linear = store.linear(value);
        let is_unit = |c: &Rat| *c == Rat::ONE || *c == Rat::from(-1);
        let fits = |t: Term| (t == symbol && written.len() == 1) || !written.contains(&t);
        let pick = linear
            .monomials()
            .iter()
            .position(|(t, c)| is_unit(c) && matches!(store.node(*t), Node::Var(..)) && fits(*t));
        match pick {
            Some(at) => {
                let (of, factor) = linear.monomials()[at].clone();
                let rest = linear.plus(&-&factor, &Linear::term(of));
                let mut shift = Interval::point(rest.constant_part());
                for (t, c) in rest.monomials() {
                    shift = shift.plus(&before.eval(store, *t).scaled(c));
                }
                octagon.assign(symbol, of, &factor, &shift);
            }
            None => octagon.forget(symbol),
        }
        // What comes next expects a closed matrix.
        octagon.close();
    }
}

impl Post for Statement<'_, '_> {
    fn start(&mut self, _: &Budget) -> Result<Abstract, Halt> {
        let mut environment = self.domains.clone();
        environment.octagon = self.related.as_ref().map(|related| Octagon::new(related));
        let started = environment.assume(&self.forms.store, self.forms.initial, true);
        Ok(started.map_or(Abstract::Bottom, |e| self.alpha(0, &e)))
    }

    fn post(
        &mut self,
        step: usize,
        from: &Abstract,
        floor: &Abstract,
        _: Effort,
        budget: &Budget,
    ) -> Result<Abstract, Halt> {
        budget.check()?;
        let at = self.forms.control.steps[step];
        let Some(environment) = self.gamma(at.source, from) else { return Ok(floor.clone()) };
        let next = self.step(&self.forms.steps[step], environment);
        let Some(next) = next else { return Ok(floor.clone()) };
        let domain = Bounded(&self.templates.at[at.target]);
        Ok(domain.join(floor, &self.alpha(at.target, &next)))
    }

    fn queries(&self) -> u64 {
        0
    }
}
