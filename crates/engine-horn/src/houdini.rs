//! The strongest annotations that are conjunctions of given formulas.
//!
//! Houdini (Flanagan, Leino, FME 2001; for threads: Flanagan, Qadeer, SPIN 2003): each
//! place begins with all candidates, and loses those that a clause contradicts,
//! until no clause contradicts any. What is left is the strongest solution of its kind,
//! so if it does not exclude the target, no other conjunction of candidates does.

use parallax_base::{Budget, Stop};
use parallax_horn::{Applied, Clause, Solution, System};
use parallax_solver::{Answer, Solver};
use parallax_term::{Substitution, Term, TermStore};
use std::collections::BTreeSet;

/// A clause with the candidates of its predicates put in.
struct Instance<'a> {
    clause: &'a Clause,
    /// By predicate of the body: a formula for each of its candidates.
    body: Vec<(usize, Vec<Term>)>,
    head: Option<(usize, Vec<Term>)>,
}

/// The strongest solution by candidates, which are given for each predicate; `None` if
/// it does not exclude the target, or if the solver gives up.
pub(crate) fn strongest(
    system: &System,
    all: &[Vec<Term>],
    store: &TermStore,
    solver: &mut dyn Solver,
    budget: &Budget,
) -> Result<Option<Solution>, Stop> {
    let mut store = store.clone();
    let mut kept: Vec<Vec<bool>> = all.iter().map(|list| vec![true; list.len()]).collect();
    let mut put_in = |applied: &Applied| {
        let predicate = applied.predicate.index();
        let parameters = system.predicates[applied.predicate].parameters.iter().copied();
        let pairs = parameters.zip(applied.arguments.iter().copied());
        let mut here = Substitution::new(pairs);
        let terms = all[predicate].iter().map(|&t| here.apply(&mut store, t)).collect();
        (predicate, terms)
    };
    let instances: Vec<Instance<'_>> = system
        .clauses
        .iter()
        .map(|clause| Instance {
            clause,
            body: clause.body.iter().map(&mut put_in).collect(),
            head: clause.head.as_ref().map(&mut put_in),
        })
        .collect();
    let mut open: BTreeSet<usize> =
        (0..instances.len()).filter(|&i| instances[i].head.is_some()).collect();
    while let Some(number) = open.pop_first() {
        let instance = &instances[number];
        let Some((head, claims)) = &instance.head else { continue };
        let mut changed = false;
        loop {
            budget.check()?;
            let mut parts = assumed(instance, &kept);
            let claimed = claims.iter().zip(&kept[*head]).filter(|(_, kept)| **kept);
            let claimed: Vec<Term> = claimed.map(|(&t, _)| t).collect();
            let claimed = store.and(claimed);
            parts.push(store.not(claimed));
            let formula = store.and(parts);
            if store.is_false(formula) {
                break;
            }
            solver.push();
            solver.assert(&store, formula);
            let answer = solver.check(&store, &[], budget);
            let model = match answer {
                Ok(Answer::Sat) => {
                    let symbols: Vec<Term> = claims
                        .iter()
                        .chain([&formula])
                        .flat_map(|&t| store.vars(t))
                        .collect::<BTreeSet<_>>()
                        .into_iter()
                        .collect();
                    solver.model(&store, &symbols)
                }
                _ => None,
            };
            solver.pop();
            match answer? {
                Answer::Unsat => break,
                Answer::Unknown(_) => return Ok(None),
                Answer::Sat => {}
            }
            let Some(model) = model else { return Ok(None) };
            let values = model.eval_all(&store, claims);
            let mut lost = false;
            for (value, kept) in values.iter().zip(&mut kept[*head]) {
                if *kept && value.as_bool() == Some(false) {
                    (*kept, lost) = (false, true);
                }
            }
            if !lost {
                return Ok(None);
            }
            changed = true;
        }
        if changed {
            let uses = |i: &Instance<'_>| i.body.iter().any(|(p, _)| p == head);
            open.extend(
                (0..instances.len())
                    .filter(|&i| instances[i].head.is_some() && uses(&instances[i])),
            );
        }
    }
    for instance in instances.iter().filter(|i| i.head.is_none()) {
        budget.check()?;
        let formula = store.and(assumed(instance, &kept));
        if store.is_false(formula) {
            continue;
        }
        solver.push();
        solver.assert(&store, formula);
        let answer = solver.check(&store, &[], budget);
        solver.pop();
        if answer? != Answer::Unsat {
            return Ok(None);
        }
    }
    let kept = needed(&instances, &kept, &mut store, solver, budget)?;
    let mut formulas = Vec::new();
    for (terms, kept) in all.iter().zip(&kept) {
        let left: Vec<Term> = terms.iter().zip(kept).filter(|(_, k)| **k).map(|p| *p.0).collect();
        formulas.push(store.and(left));
    }
    Ok(Some(Solution { store, formulas }))
}

/// Of a solution what excludes the target, what that rests on, and so on: the rest is
/// true and says nothing. All of it if the solver does not tell.
fn needed(
    instances: &[Instance<'_>],
    kept: &[Vec<bool>],
    store: &mut TermStore,
    solver: &mut dyn Solver,
    budget: &Budget,
) -> Result<Vec<Vec<bool>>, Stop> {
    let mut needed: Vec<Vec<bool>> = kept.iter().map(|list| vec![false; list.len()]).collect();
    let goals = instances.iter().filter(|instance| instance.head.is_none());
    let mut open: Vec<(&Instance<'_>, Option<usize>)> = goals.map(|goal| (goal, None)).collect();
    while let Some((instance, claim)) = open.pop() {
        budget.check()?;
        let mut parts = vec![instance.clause.constraint];
        if let (Some((_, claims)), Some(claim)) = (&instance.head, claim) {
            parts.push(store.not(claims[claim]));
        }
        let question = store.and(parts);
        if store.is_false(question) {
            continue;
        }
        let mut assumptions = Vec::new();
        for (predicate, terms) in &instance.body {
            let left = terms.iter().zip(&kept[*predicate]).filter(|(_, kept)| **kept);
            assumptions.extend(left.map(|(&term, _)| term));
        }
        assumptions.retain(|&term| !store.is_true(term));
        solver.push();
        solver.assert(store, question);
        let answer = solver.check_for_core(store, &assumptions, budget);
        let core = solver.core();
        solver.pop();
        let (Answer::Unsat, Some(core)) = (answer?, core) else { return Ok(kept.to_vec()) };
        for (predicate, terms) in &instance.body {
            for (nth, term) in terms.iter().enumerate() {
                let is_new = kept[*predicate][nth] && core.contains(term);
                if !is_new || std::mem::replace(&mut needed[*predicate][nth], true) {
                    continue;
                }
                let says = |i: &&Instance<'_>| i.head.as_ref().is_some_and(|(p, _)| p == predicate);
                open.extend(instances.iter().filter(says).map(|i| (i, Some(nth))));
            }
        }
    }
    Ok(needed)
}

/// The body of a clause, with what is left of its candidates.
fn assumed(instance: &Instance<'_>, kept: &[Vec<bool>]) -> Vec<Term> {
    let mut parts = vec![instance.clause.constraint];
    for (predicate, terms) in &instance.body {
        let left = terms.iter().zip(&kept[*predicate]).filter(|(_, kept)| **kept);
        parts.extend(left.map(|(&term, _)| term));
    }
    parts
}
