//! Checking optima of several objectives.
//!
//! Lexicographic: the bound of each objective is checked, as bounds are, where
//! all objectives before it have their best values. So the values together are
//! the best ones, and the point of the last has all of them. An objective
//! without a best value (approached only, unbounded, open, no model) ends the
//! sequence: nothing is said of those after it.
//!
//! Pareto: every point is a model, and no point is as good as another in every
//! objective. Then either
//!
//! 1. the front is whole: there is no model that for every point is better than
//!    it in some objective. So every model has a point that is as good in every
//!    objective. A point is not dominated then: the point that is as good as a
//!    model that dominates it would be as good as it, and so be itself, and no
//!    model dominates a point that is as good; or
//! 2. for each point there is no model that is as good in every objective and
//!    better in one.

use crate::bounds::{past, values_at};
use crate::{Accepted, Rejected, check_bounds};
use parallax_base::Budget;
use parallax_evidence::{Bounds, Extent, Front, stage};
use parallax_ir::{Side, Sides, TemplateProblem};
use parallax_solver::{Answer, Solver};
use parallax_term::{Rat, Term, TermStore};

/// Opens a fresh solver.
pub(crate) type Open<'o> = dyn FnMut() -> Result<Box<dyn Solver>, Rejected> + 'o;

/// Accepts that objectives have these bounds one after the other, each where
/// those before it are best.
pub(crate) fn check_lexicographic(
    problem: &TemplateProblem,
    stages: &[Bounds],
    open: &mut Open<'_>,
    budget: &Budget,
) -> Result<Accepted, Rejected> {
    objectives(problem)?;
    let malformed = |what: &str| Rejected::Malformed(what.into());
    let (mut before, mut total): (Vec<Rat>, _) = (Vec::new(), Accepted::default());
    for (nth, bounds) in stages.iter().enumerate() {
        let here = stage(problem, &before).ok_or_else(|| malformed("there is no such stage"))?;
        let accepted = match check_bounds(&here, bounds, None, budget) {
            Err(Rejected::NoSolver) => check_bounds(&here, bounds, Some(&mut *open()?), budget)?,
            decided => decided?,
        };
        total.evaluated += accepted.evaluated;
        total.steps += accepted.steps;
        total.queries += accepted.queries;
        match bounds.bounds.first().map(|b| &b.extent) {
            Some(Extent::Attained { value, .. }) => before.push(value.clone()),
            _ if nth + 1 == stages.len() => return Ok(total),
            _ => return Err(malformed("an objective without a best value has others after it")),
        }
    }
    if before.len() != problem.templates.len() {
        return Err(malformed("objectives are missing"));
    }
    Ok(total)
}

/// Accepts points as a Pareto front, or as a part of it.
pub(crate) fn check_front(
    problem: &TemplateProblem,
    front: &Front,
    open: &mut Open<'_>,
    budget: &Budget,
) -> Result<Accepted, Rejected> {
    let sides = objectives(problem)?;
    let mut values = Vec::new();
    for point in &front.points {
        let no_model = || Rejected::Bound("a point is no model of the formula".into());
        values.push(values_at(problem, point).ok_or_else(no_model)?);
    }
    let as_good = |a: &[Rat], b: &[Rat]| {
        a.iter().zip(b).zip(&sides).all(|((a, b), side)| match side {
            Side::Upper => a >= b,
            Side::Lower => a <= b,
        })
    };
    for (nth, a) in values.iter().enumerate() {
        let other = |(at, b): (usize, &Vec<Rat>)| at != nth && as_good(a, b);
        if values.iter().enumerate().any(other) {
            return Err(Rejected::Bound("a point is as good as another in every objective".into()));
        }
    }
    let mut store = problem.store.clone();
    let mut solver = open()?;
    let mut questions = Vec::new();
    if front.is_whole {
        let mut all = vec![problem.formula];
        for point in &values {
            all.push(better(problem, &sides, point, &mut store));
        }
        questions.push(all);
    } else {
        for point in &values {
            let mut all = vec![problem.formula, better(problem, &sides, point, &mut store)];
            for ((value, template), &side) in point.iter().zip(&problem.templates).zip(&sides) {
                all.push(past(&mut store, template.term, side, value, true));
            }
            questions.push(all);
        }
    }
    let queries = questions.len() as u64;
    for question in questions {
        match solver.check(&store, &question, budget)? {
            Answer::Unsat => {}
            Answer::Sat => return Err(Rejected::Bound("a model is not dominated".into())),
            Answer::Unknown(why) => return Err(Rejected::GaveUp(why)),
        }
    }
    Ok(Accepted { evaluated: values.len() as u64, queries, ..Accepted::default() })
}

/// "Some objective is better than here."
fn better(problem: &TemplateProblem, sides: &[Side], point: &[Rat], store: &mut TermStore) -> Term {
    let mut parts = Vec::new();
    for ((value, template), &side) in point.iter().zip(&problem.templates).zip(sides) {
        parts.push(past(store, template.term, side, value, false));
    }
    store.or(parts)
}

/// Which way each objective goes.
fn objectives(problem: &TemplateProblem) -> Result<Vec<Side>, Rejected> {
    let side = |sides: Sides| match sides {
        Sides::Upper => Ok(Side::Upper),
        Sides::Lower => Ok(Side::Lower),
        Sides::Both => Err(Rejected::Malformed("an objective has two directions".into())),
    };
    problem.templates.iter().map(|t| side(t.sides)).collect()
}
