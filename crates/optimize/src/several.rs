//! Several objectives: one after the other, or a Pareto front.
//!
//! Lexicographic optima are bounds of one objective at a time, where those
//! before it have their best values. A front is found by guided improvement
//! (Rayside, Estler, Jackson, MIT 2009), with one deviation: a point is not
//! improved model by model, but by the best sum of all objectives among the
//! models that are at least as good, so that improvement ends over the reals.

use crate::climb::above;
use crate::{Config, Failed, Found, Observer, Open, Statistics, optimize};
use parallax_base::{Budget, Span};
use parallax_evidence::{Bounds, Extent, Front, Point, stage};
use parallax_ir::{Sides, Template, TemplateProblem};
use parallax_solver::{Answer, Model, Solver, SolverConfig};
use parallax_term::{Rat, Sort, Term, TermStore};

/// A front with more points than this is not followed.
const POINTS: usize = 500;

/// Best values one after the other.
#[derive(Clone, Debug)]
pub struct Stages {
    /// The bounds of each objective; those after one without a best value are
    /// missing.
    pub stages: Vec<Bounds>,
    /// The work done.
    pub statistics: Statistics,
    /// Why the search ended early, if it did.
    pub why_open: Option<Open>,
}

/// Points that no model dominates.
#[derive(Clone, Debug)]
pub struct Points {
    /// The points.
    pub front: Front,
    /// The work done.
    pub statistics: Statistics,
    /// Why there may be more points, if there may.
    pub why_open: Option<Open>,
}

/// The best values of objectives, the first being the most important.
///
/// The result is not checked: give it to `certify` before it is believed.
pub fn lexicographic(
    problem: &TemplateProblem,
    config: &Config,
    solver: &SolverConfig,
    budget: &Budget,
    observer: &dyn Observer,
) -> Result<Stages, Failed> {
    let mut found =
        Stages { stages: Vec::new(), statistics: Statistics::default(), why_open: None };
    let mut before = Vec::new();
    while let Some(here) = stage(problem, &before) {
        let Found { bounds, statistics, why_open, .. } =
            optimize(&here, config, solver, budget, observer)?;
        found.statistics.add(&statistics);
        found.why_open = why_open;
        let extent = bounds.bounds.first().map(|b| b.extent.clone());
        found.stages.push(bounds);
        match extent {
            Some(Extent::Attained { value, .. }) => before.push(value),
            _ => break,
        }
    }
    Ok(found)
}

/// The points of a Pareto front, the best of the first objective first.
///
/// The result is not checked: give it to `certify` before it is believed.
pub fn pareto(
    problem: &TemplateProblem,
    config: &Config,
    solver: &SolverConfig,
    budget: &Budget,
    observer: &dyn Observer,
) -> Result<Points, Failed> {
    let mut found = improve(problem, config, solver, budget, observer)?;
    let mut store = problem.store.clone();
    let goals = goals(problem, &mut store);
    found.front.points.sort_by_cached_key(|point| {
        let values = values(problem, &goals, point, &store);
        values.iter().map(|value| -value).collect::<Vec<Rat>>()
    });
    Ok(found)
}

/// Guided improvement.
fn improve(
    problem: &TemplateProblem,
    config: &Config,
    solver: &SolverConfig,
    budget: &Budget,
    observer: &dyn Observer,
) -> Result<Points, Failed> {
    let mut asked = solver.open()?;
    let mut store = problem.store.clone();
    asked.assert(&store, problem.formula);
    let goals = goals(problem, &mut store);
    let mut sum = store.real(Rat::ZERO);
    for &goal in &goals {
        let goal = if store.sort(goal) == Sort::Int { store.to_real(goal) } else { goal };
        sum = store.add(sum, goal);
    }
    let mut found =
        Points { front: Front::default(), statistics: Statistics::default(), why_open: None };
    loop {
        found.statistics.queries += 1;
        let model = match ask(&mut *asked, &store, problem, budget) {
            Ok(Some(model)) => model,
            Ok(None) => {
                found.front.is_whole = true;
                return Ok(found);
            }
            Err(open) => {
                found.why_open = Some(open);
                return Ok(found);
            }
        };
        found.statistics.models += 1;
        let values = model.eval_all(&store, &goals);
        let mut parts = vec![problem.formula];
        for (&goal, value) in goals.iter().zip(&values) {
            let value = value.to_rat().unwrap_or(Rat::ZERO);
            parts.push(above(&mut store, goal, &value, false));
        }
        let formula = store.and(parts);
        let template = Template { term: sum, sides: Sides::Upper, span: Span::default() };
        let best = TemplateProblem {
            name: problem.name.clone(),
            store: store.clone(),
            formula,
            templates: vec![template],
            symbols: problem.symbols.clone(),
        };
        let Found { mut bounds, statistics, why_open, .. } =
            optimize(&best, config, solver, budget, observer)?;
        found.statistics.add(&statistics);
        let point = match bounds.bounds.first().map(|b| b.extent.clone()) {
            Some(Extent::Attained { point, .. }) => bounds.points.swap_remove(point),
            _ => {
                let without = || Open::GaveUp("objectives improve together without end".into());
                found.why_open = Some(why_open.unwrap_or_else(without));
                return Ok(found);
            }
        };
        let beyond = better(problem, &goals, &point, &mut store);
        asked.assert(&store, beyond);
        found.front.points.push(point);
        if found.front.points.len() >= POINTS {
            let more = format!("the front has {POINTS} points or more");
            found.why_open = Some(Open::GaveUp(more));
            return Ok(found);
        }
    }
}

/// Objectives as terms to maximize.
fn goals(problem: &TemplateProblem, store: &mut TermStore) -> Vec<Term> {
    let goal = |template: &Template| match template.sides {
        Sides::Lower => store.neg(template.term),
        _ => template.term,
    };
    problem.templates.iter().map(goal).collect()
}

/// A model of what is asserted.
fn ask(
    solver: &mut dyn Solver,
    store: &TermStore,
    problem: &TemplateProblem,
    budget: &Budget,
) -> Result<Option<Model>, Open> {
    match solver.check(store, &[], budget).map_err(Open::Stopped)? {
        Answer::Unsat => Ok(None),
        Answer::Unknown(why) => Err(Open::GaveUp(why)),
        Answer::Sat => {
            let missing = || Open::GaveUp("the solver has no model".into());
            solver.model(store, &problem.symbols).map(Some).ok_or_else(missing)
        }
    }
}

/// The values of goals at a point.
fn values(problem: &TemplateProblem, goals: &[Term], point: &Point, store: &TermStore) -> Vec<Rat> {
    let model: Model = problem.symbols.iter().copied().zip(point.iter().cloned()).collect();
    let values = model.eval_all(store, goals);
    values.iter().map(|value| value.to_rat().unwrap_or(Rat::ZERO)).collect()
}

/// "Some goal is better than at a point."
fn better(problem: &TemplateProblem, goals: &[Term], point: &Point, store: &mut TermStore) -> Term {
    let values = values(problem, goals, point, store);
    let mut parts = Vec::new();
    for (&goal, value) in goals.iter().zip(&values) {
        parts.push(above(store, goal, value, true));
    }
    store.or(parts)
}
