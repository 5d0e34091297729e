//! Symbolic abstraction as a function: the best value of a template domain.

use crate::{Config, Failed, Open, Silent, optimize};
use parallax_base::{Budget, Span};
use parallax_domain::Domain;
use parallax_evidence::Extent;
use parallax_ir::{Sides, Template, TemplateProblem};
use parallax_solver::{Model, SolverConfig};
use parallax_term::{Rat, Term, TermStore, Value};

/// An upper bound of a template.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Limit {
    /// No model is above it.
    pub value: Rat,
    /// No model is at it either.
    pub strict: bool,
}

/// A value of the template constraint matrix domain: for each template an
/// upper bound, or none; or the empty set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Abstract {
    /// No state at all.
    Bottom,
    /// All states within these bounds, one for each template.
    Within(Vec<Option<Limit>>),
}

/// The domain of upper bounds of some terms (Sankaranarayanan, Sipma, Manna,
/// VMCAI 2005).
#[derive(Clone, Copy, Debug)]
pub struct Bounded<'t>(pub &'t [Term]);

impl Domain for Bounded<'_> {
    type Element = Abstract;

    fn bottom(&self) -> Abstract {
        Abstract::Bottom
    }

    fn top(&self) -> Abstract {
        Abstract::Within(vec![None; self.0.len()])
    }

    fn state(&self, store: &TermStore, state: &Model) -> Abstract {
        let values = state.eval_all(store, self.0);
        let limit = |value: &Value| Some(Limit { value: value.to_rat()?, strict: false });
        Abstract::Within(values.iter().map(limit).collect())
    }

    fn join(&self, a: &Abstract, b: &Abstract) -> Abstract {
        match (a, b) {
            (Abstract::Bottom, value) | (value, Abstract::Bottom) => value.clone(),
            (Abstract::Within(a), Abstract::Within(b)) => {
                let both = |(a, b): (&Option<Limit>, &Option<Limit>)| match (a, b) {
                    (Some(a), Some(b)) if is_within(a, b) => Some(b.clone()),
                    (Some(a), Some(_)) => Some(a.clone()),
                    _ => None,
                };
                Abstract::Within(a.iter().zip(b).map(both).collect())
            }
        }
    }

    fn gamma(&self, store: &mut TermStore, element: &Abstract) -> Term {
        let Abstract::Within(limits) = element else { return store.bool(false) };
        let mut parts = Vec::new();
        for (limit, &template) in limits.iter().zip(self.0) {
            if let Some(Limit { value, strict }) = limit {
                let above = crate::climb::above(store, template, value, !strict);
                parts.push(store.not(above));
            }
        }
        store.and(parts)
    }
}

fn is_within(a: &Limit, b: &Limit) -> bool {
    a.value < b.value || a.value == b.value && (a.strict || !b.strict)
}

/// The best abstraction of a formula: the least upper bound of each template.
///
/// `Err(Ok(..))` if the search was stopped, `Err(Err(..))` if there is no
/// solver. The result is not checked; what an engine proves with it is.
///
/// ```
/// use parallax_base::Budget;
/// use parallax_domain::Domain;
/// use parallax_optimize::{Bounded, alpha};
/// use parallax_solver::SolverConfig;
/// use parallax_term::{Sort, TermStore};
///
/// let mut store = TermStore::new();
/// let x = store.var("x", Sort::Real);
/// let text = "(or (and (<= 0.0 x) (<= x 1.0)) (= x 3.0))";
/// let formula = store.read_smtlib_term(text, &|_| Some(x)).expect("a formula");
/// let templates = [x, store.neg(x)];
/// let value = alpha(&store, formula, &templates, &SolverConfig::default(), &Budget::unlimited())
///     .expect("nothing stops it");
/// let gamma = Bounded(&templates).gamma(&mut store, &value);
/// assert_eq!(store.smtlib(gamma), "(and (not (< x 0.0)) (<= x 3.0))");
/// ```
pub fn alpha(
    store: &TermStore,
    formula: Term,
    templates: &[Term],
    solver: &SolverConfig,
    budget: &Budget,
) -> Result<Abstract, Result<Open, Failed>> {
    let template = |&term: &Term| Template { term, sides: Sides::Upper, span: Span::default() };
    let templates = templates.iter().map(template).collect();
    let problem = TemplateProblem::new("alpha", store.clone(), formula, templates);
    let found = optimize(&problem, &Config::default(), solver, budget, &Silent).map_err(Err)?;
    if let Some(open) = found.why_open {
        return Err(Ok(open));
    }
    if found.bounds.is_empty() {
        return Ok(Abstract::Bottom);
    }
    let limit = |extent: &Extent| match extent {
        Extent::Attained { value, .. } => Some(Limit { value: value.clone(), strict: false }),
        Extent::Supremum { value, .. } => Some(Limit { value: value.clone(), strict: true }),
        _ => None,
    };
    Ok(Abstract::Within(found.bounds.bounds.iter().map(|b| limit(&b.extent)).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn join_is_the_least_upper_bound() {
        let limit = |value: i64, strict| Some(Limit { value: Rat::from(value), strict });
        let a = Abstract::Within(vec![limit(1, false), limit(5, true), None]);
        let b = Abstract::Within(vec![limit(2, true), limit(5, false), limit(0, false)]);
        let domain = Bounded(&[]);
        let join = domain.join(&a, &b);
        assert_eq!(join, Abstract::Within(vec![limit(2, true), limit(5, false), None]));
        let below = |a, b| domain.is_below(a, b);
        assert!(below(&a, &join) && below(&b, &join) && !below(&join, &a));
        assert!(below(&Abstract::Bottom, &a) && !below(&a, &Abstract::Bottom));
        assert_eq!(domain.join(&Abstract::Bottom, &a), a);
    }
}
