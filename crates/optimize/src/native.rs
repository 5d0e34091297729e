//! `auto`: polyhedra around models, all templates at once.
//!
//! 1. A model gives a polyhedron of models. Every open goal is maximized there.
//! 2. For one goal after the other, the search is asked for a model beyond
//!    what was reached, until there is none. What it learns stays, and each
//!    model moves all goals.
//!
//! Formulas over the reals are searched by [`Lra`]; those with integers by
//! [`crate::climb`], which works the same way with another solver. Several
//! jobs take goals from one list and share what they reach.

use crate::config::{Config, Event};
use crate::prepare::Plain;
use crate::state::{Reached, State};
use crate::{End, climb};
use parallax_base::{Budget, Stop};
use parallax_evidence::Point;
use parallax_lra::{Leaf, Lit, Lra, Objective, Reach, Witness};
use parallax_solver::SolverConfig;
use parallax_term::{Rat, Sort, Value};
use std::sync::{Mutex, MutexGuard, PoisonError};

pub(crate) fn run(
    state: &mut State<'_>,
    config: &Config,
    solver: &SolverConfig,
    budget: &Budget,
) -> Result<(), End> {
    let plain = Plain::new(state);
    let Some((lra, goals)) = native(&plain) else {
        return climb::run(state, plain, solver, budget);
    };
    search(state, lra, &goals, config.jobs, budget)
}

/// Our own solver, if the problem is one for it.
fn native(plain: &Plain) -> Option<(Lra, Vec<Objective>)> {
    let mut lra = Lra::new(&plain.store, plain.formula).ok()?;
    let goals: Result<_, _> =
        plain.goals.iter().map(|&goal| lra.objective(&plain.store, goal)).collect();
    Some((lra, goals.ok()?))
}

/// What all jobs know.
struct Shared {
    /// How far each goal reaches, and in which polyhedron.
    best: Vec<Option<(Reach, usize)>>,
    /// Polyhedra that some goal was reached in.
    seen: Vec<Leaf>,
    is_closed: Vec<bool>,
    /// The next goal nobody works on.
    next: usize,
}

fn lock(shared: &Mutex<Shared>) -> MutexGuard<'_, Shared> {
    // Every change is complete before the lock is given back.
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

fn search(
    state: &mut State<'_>,
    mut lra: Lra,
    goals: &[Objective],
    jobs: usize,
    budget: &Budget,
) -> Result<(), End> {
    state.statistics.queries += 1;
    let Some(leaf) = lra.solve(None, budget)? else {
        state.is_empty = true;
        count(state, &lra);
        let all: Vec<_> = (0..goals.len()).map(|goal| (goal, None)).collect();
        state.refutations.extend(lra.refutation(&all));
        return Ok(());
    };
    let count_of = goals.len();
    let shared = Mutex::new(Shared {
        best: vec![None; count_of],
        seen: Vec::new(),
        is_closed: vec![false; count_of],
        next: 0,
    });
    let mut result = explore(state, &shared, leaf, goals, budget).map_err(End::from);
    if result.is_ok() {
        let workers: Vec<Lra> = (1..jobs.clamp(1, count_of.max(1))).map(|_| lra.clone()).collect();
        let (watched, shared) = (&*state, &shared);
        let ends = std::thread::scope(|scope| {
            let spawn = |mut worker: Lra| {
                scope.spawn(move || {
                    let mut closed = Vec::new();
                    let end = work(watched, shared, &mut worker, goals, &mut closed, budget);
                    (end, worker.refutation(&closed), worker)
                })
            };
            let others: Vec<_> = workers.into_iter().map(spawn).collect();
            let mut closed = Vec::new();
            let own = work(watched, shared, &mut lra, goals, &mut closed, budget);
            let own = (own, lra.refutation(&closed), None);
            let joined = others
                .into_iter()
                .map(|o| o.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            let joined = joined.map(|(end, refutation, worker)| (end, refutation, Some(worker)));
            std::iter::once(own).chain(joined).collect::<Vec<_>>()
        });
        for (end, refutation, worker) in ends {
            state.refutations.extend(refutation);
            if let Some(worker) = worker {
                count(state, &worker);
            }
            match end {
                Ok(queries) => state.statistics.queries += queries,
                Err(stop) => result = Err(stop.into()),
            }
        }
    }
    count(state, &lra);
    let shared = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
    collect(state, &lra, goals, shared);
    result
}

fn count(state: &mut State<'_>, lra: &Lra) {
    let effort = lra.effort();
    state.statistics.conflicts += effort.conflicts;
    state.statistics.decisions += effort.decisions;
    state.statistics.models += effort.leaves;
}

/// Closes goals until none is left; how many questions were asked. Notes the
/// goals with what was refuted of them.
fn work(
    state: &State<'_>,
    shared: &Mutex<Shared>,
    lra: &mut Lra,
    goals: &[Objective],
    closed: &mut Vec<(usize, Option<Lit>)>,
    budget: &Budget,
) -> Result<u64, Stop> {
    let mut queries = 0;
    loop {
        let goal = {
            let mut all = lock(shared);
            let Some(goal) = (all.next..goals.len()).find(|&g| !all.is_closed[g]) else {
                return Ok(queries);
            };
            all.next = goal + 1;
            goal
        };
        loop {
            let Some(reach) = lock(shared).best[goal].as_ref().map(|(reach, _)| reach.clone())
            else {
                break;
            };
            // What is unbounded is closed.
            let Some(beyond) = lra.beyond(&goals[goal], &reach) else { break };
            queries += 1;
            match lra.solve(Some(beyond), budget)? {
                Some(leaf) => explore(state, shared, leaf, goals, budget)?,
                None => {
                    let mut all = lock(shared);
                    // Another job may have come further; that is asked again.
                    if all.best[goal].as_ref().is_some_and(|(best, _)| *best == reach) {
                        all.is_closed[goal] = true;
                        closed.push((goal, Some(beyond)));
                        let open = all.is_closed.iter().filter(|c| !**c).count();
                        let known = &state.goals[goal];
                        state.observer.notice(&Event::Closed {
                            template: known.template,
                            side: known.side,
                            open,
                        });
                        break;
                    }
                }
            }
        }
    }
}

/// Maximizes all open goals in a polyhedron.
fn explore(
    state: &State<'_>,
    shared: &Mutex<Shared>,
    mut leaf: Leaf,
    goals: &[Objective],
    budget: &Budget,
) -> Result<(), Stop> {
    let open: Vec<usize> = {
        let all = lock(shared);
        (0..goals.len()).filter(|&g| !all.is_closed[g]).collect()
    };
    let mut reached = Vec::with_capacity(open.len());
    for goal in open {
        reached.push((goal, leaf.reach(&goals[goal], budget)?));
    }
    let mut all = lock(shared);
    let at = all.seen.len();
    let mut is_used = false;
    for (goal, reach) in reached {
        if all.best[goal].as_ref().is_some_and(|(best, _)| !further(&reach, best)) {
            continue;
        }
        is_used = true;
        let known = &state.goals[goal];
        let value = match &reach {
            Reach::Bounded { value, .. } => Some(known.signed(value)),
            Reach::Unbounded => {
                all.is_closed[goal] = true;
                None
            }
        };
        all.best[goal] = Some((reach, at));
        let (template, side) = (known.template, known.side);
        state.observer.notice(&Event::Reached { template, side, value });
    }
    if is_used {
        all.seen.push(leaf);
    }
    Ok(())
}

/// Whether the first reaches further than the second.
fn further(new: &Reach, old: &Reach) -> bool {
    match (new, old) {
        (_, Reach::Unbounded) => false,
        (Reach::Unbounded, _) => true,
        (
            Reach::Bounded { value, attained },
            Reach::Bounded { value: known, attained: was_attained },
        ) => value > known || value == known && *attained && !was_attained,
    }
}

/// Turns what was reached into points.
fn collect(state: &mut State<'_>, lra: &Lra, goals: &[Objective], shared: Shared) {
    let Shared { best, mut seen, is_closed, .. } = shared;
    // Points of each polyhedron that goals were attained at.
    let mut made: Vec<Vec<usize>> = vec![Vec::new(); seen.len()];
    let symbols = state.problem.symbols.clone();
    let positions: Vec<Option<usize>> = symbols.iter().map(|&s| lra.position(s)).collect();
    let unlimited = Budget::unlimited();
    for (goal, best) in best.into_iter().enumerate() {
        let Some((reach, at)) = best else { continue };
        let leaf = &mut seen[at];
        if let Reach::Bounded { value, attained: true } = &reach {
            let term = &state.problem.templates[state.goals[goal].template].term;
            let wanted = state.goals[goal].signed(value);
            let known = made[at].iter().copied().find(|&point| {
                value_at(state, *term, &state.points[point]).is_some_and(|v| v == wanted)
            });
            if let Some(point) = known {
                state.goals[goal].reached = Some(Reached::Value(value.clone(), point));
                if is_closed[goal] {
                    state.settle_quietly(goal);
                }
                continue;
            }
        }
        // Without limits nothing stops it.
        let Ok(witness) = leaf.witness(&goals[goal], &unlimited) else { continue };
        let point = |values: &[Rat]| -> Point {
            symbols
                .iter()
                .zip(&positions)
                .map(|(&symbol, position)| {
                    let sort = state.problem.store.sort(symbol);
                    if sort == Sort::Bool {
                        return Value::Bool(position.is_some_and(|at| leaf.truth(at)));
                    }
                    let value = position.and_then(|p| values.get(p)).cloned();
                    Value::Real(Box::new(value.unwrap_or(Rat::ZERO)))
                })
                .collect()
        };
        let reached = match (witness, reach) {
            (Witness::Point(values), Reach::Bounded { value, .. }) => {
                let point = point(&values);
                let index = state.keep(point);
                made[at].push(index);
                Reached::Value(value, index)
            }
            (Witness::Segment(from, to), Reach::Bounded { value, .. }) => {
                let (from, to) = (point(&from), point(&to));
                let from = state.keep(from);
                let to = state.keep(to);
                Reached::Approached(value, from, to)
            }
            (Witness::Ray(from, ray), _) => {
                let (from, ray) = (point(&from), point(&ray));
                let from = state.keep(from);
                let ray = state.keep(ray);
                Reached::Unbounded(from, ray)
            }
            _ => continue,
        };
        state.goals[goal].reached = Some(reached);
        if is_closed[goal] {
            state.settle_quietly(goal);
        }
    }
}

/// The value of a template that is a sum of symbols at a point.
fn value_at(state: &State<'_>, template: parallax_term::Term, point: &Point) -> Option<Rat> {
    let linear = state.problem.store.linear(template);
    let mut sum = linear.constant_part().clone();
    for (symbol, factor) in linear.monomials() {
        let at = state.problem.symbols.binary_search(symbol).ok()?;
        sum = &sum + &(factor * &point[at].to_rat()?);
    }
    Some(sum)
}
