//! Invariants for readers: no bound that the others imply.

use crate::Invariants;
use parallax_base::Budget;
use parallax_domain::Domain;
use parallax_ir::Program;
use parallax_optimize::{Abstract, Bounded, Limit};
use parallax_solver::{Answer, Solver};
use parallax_term::{Linear, Rat, Term};
use std::time::Duration;

/// How long the solver may think about one bound.
const QUESTION: Duration = Duration::from_millis(300);

impl Invariants {
    /// The invariant of a place without bounds that follow from the others and
    /// from the domains. Two bounds that meet become an equation.
    /// Bounds of sums that hardly restrict what the domains allow are left out.
    pub fn reduced(
        &mut self,
        program: &Program,
        place: usize,
        solver: &mut dyn Solver,
        budget: &Budget,
    ) -> Term {
        let invariant = &self.at[place];
        let Abstract::Within(limits) = &invariant.value else { return invariant.formula };
        let store = &mut self.store;
        let bounded: Vec<(Term, Limit)> = invariant
            .templates
            .iter()
            .zip(limits)
            .filter_map(|(&template, limit)| Some((template, limit.clone()?)))
            .collect();
        // Relations go last, so they are kept where bounds say the same.
        let mut facts: Vec<(usize, Term)> =
            invariant.relations.iter().map(|&fact| (0, fact)).collect();
        for (template, limit) in &bounded {
            let minus = store.neg(*template);
            if is_weak(program, &store.linear(*template), limit) {
                continue;
            }
            let meets = |(other, back): &&(Term, Limit)| {
                *other == minus && !back.strict && !limit.strict && back.value == -&limit.value
            };
            let linear = store.linear(*template);
            let fact = match bounded.iter().find(meets) {
                Some(_) => {
                    let sort = store.sort(*template);
                    let equation = linear.shifted(&-&limit.value);
                    store.relate(parallax_term::Relation::Eq, equation, sort)
                }
                None => {
                    let only = Abstract::Within(vec![Some(limit.clone())]);
                    Bounded(&[*template]).gamma(store, &only)
                }
            };
            if store.value(fact).is_none() && !facts.iter().any(|(_, f)| *f == fact) {
                facts.push((linear.monomials().len(), fact));
            }
        }
        // The longest go first.
        let mut order: Vec<usize> = (0..facts.len()).collect();
        order.sort_by_key(|&at| (usize::MAX - facts[at].0, at));
        let mut kept = vec![true; facts.len()];
        solver.push();
        solver.assert(store, self.domains);
        for at in order {
            let others = (0..facts.len()).filter(|&o| kept[o] && o != at).map(|o| facts[o].1);
            let mut question: Vec<Term> = others.collect();
            question.push(store.not(facts[at].1));
            let question = store.and(question);
            let answer = solver.check(store, &[question], &budget.within(QUESTION));
            kept[at] = !matches!(answer, Ok(Answer::Unsat));
        }
        solver.pop();
        store.and((0..facts.len()).filter(|&at| kept[at]).map(|at| facts[at].1))
    }
}

/// Whether a bound of a sum of several variables is more than a quarter of what
/// their domains allow.
fn is_weak(program: &Program, sum: &Linear, limit: &Limit) -> bool {
    let mut most = sum.constant_part().clone();
    for (term, factor) in sum.monomials() {
        let variable = program.slot(*term).map(|slot| &program.variables.as_slice()[slot]);
        let Some((low, high)) = variable.and_then(|v| v.domain.bounds()) else { return false };
        let end = if factor.signum() > 0 { high } else { low };
        most = &most + &(factor * &Rat::from(end));
    }
    sum.monomials().len() > 1 && &limit.value * &Rat::from(4) > most
}
