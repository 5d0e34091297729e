//! From a derivation to a run.
//!
//! A derivation from linear clauses is a sequence of places with values. Which
//! transition leads from one fact to the next is found by asking: the values on
//! both sides are known. The path is then solved as a whole, as every engine
//! does that searches symbolically.

use crate::clauses::{Encoded, Origin};
use parallax_base::{Budget, Stop};
use parallax_engine::{Question, solve_path};
use parallax_evidence::Trace;
use parallax_horn::{Derivation, Fact};
use parallax_solver::{Answer, Solver};
use parallax_term::{Term, TermStore};

/// The run that a derivation tells of; an error says why there is none.
pub(crate) fn run(
    question: Question<'_>,
    encoded: &Encoded,
    derivation: &Derivation,
    solver: &mut dyn Solver,
    budget: &Budget,
) -> Result<Result<Trace, String>, Stop> {
    let mut store = encoded.system.store.clone();
    let mut path = Vec::new();
    let chain = match chain(derivation) {
        Ok(chain) => chain,
        Err(why) => return Ok(Err(why)),
    };
    for pair in chain.windows(2) {
        budget.check()?;
        match step(&mut store, encoded, pair[0], pair[1], solver, budget)? {
            Some(transition) => path.push(transition),
            None => return Ok(Err("a step of the derivation is no step of the program".into())),
        }
    }
    let target = question.property().target;
    let trace = solve_path(&mut store, solver, question.program, &path, target, budget)?;
    Ok(trace.ok_or_else(|| String::from("the derivation is no run")))
}

/// The facts from the first one to the last that has a place.
fn chain(derivation: &Derivation) -> Result<Vec<&Fact>, String> {
    let mut at = derivation.facts.len().checked_sub(1).ok_or("an empty derivation")?;
    let mut chain = Vec::new();
    loop {
        let fact = &derivation.facts[at];
        if fact.predicate.is_some() {
            chain.push(fact);
        }
        match fact.premises.as_slice() {
            [] => break,
            [one] => at = *one,
            _ => return Err(String::from("a derivation that branches")),
        }
    }
    chain.reverse();
    Ok(chain)
}

/// A transition that leads from one fact to the next.
fn step(
    store: &mut TermStore,
    encoded: &Encoded,
    from: &Fact,
    to: &Fact,
    solver: &mut dyn Solver,
    budget: &Budget,
) -> Result<Option<usize>, Stop> {
    let system = &encoded.system;
    let all = system.clauses.iter().zip(&encoded.origins);
    let candidates: Vec<_> = all
        .filter_map(|(clause, origin)| match (clause.body.as_slice(), &clause.head, origin) {
            ([body], Some(head), Origin::Step(transition))
                if Some(body.predicate) == from.predicate
                    && Some(head.predicate) == to.predicate =>
            {
                Some((clause, body, head, *transition))
            }
            _ => None,
        })
        .collect();
    if let [(.., only)] = candidates.as_slice() {
        return Ok(Some(*only));
    }
    for (clause, body, head, transition) in candidates {
        let mut parts = vec![clause.constraint];
        for (applied, fact) in [(body, from), (head, to)] {
            for (&argument, value) in applied.arguments.iter().zip(&fact.arguments) {
                let Some(value) = value else { continue };
                let value: Term = store.constant(value.clone());
                parts.push(store.eq(argument, value));
            }
        }
        let question = store.and(parts);
        if store.is_false(question) {
            continue;
        }
        if store.is_true(question)
            || matches!(solver.check(store, &[question], budget)?, Answer::Sat)
        {
            return Ok(Some(transition));
        }
    }
    Ok(None)
}
