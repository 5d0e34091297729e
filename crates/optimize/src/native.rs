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
use parallax_lra::{Effort, Leaf, Lra, Objective, Reach, Refuted, Witness};
use parallax_solver::SolverConfig;
use parallax_term::{Rat, Sort, Value};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How long points are looked for after a stop.
const LAST: Duration = Duration::from_millis(150);

pub(crate) fn run(
    state: &mut State<'_>,
    config: &Config,
    solver: &SolverConfig,
    budget: &Budget,
) -> Result<(), End> {
    let plain = Plain::new(state);
    let Some((lra, goals)) = native(&plain) else {
        return climb::run(state, plain, config.jobs, solver, budget);
    };
    let result = search(state, lra, &goals, config.jobs, budget);
    if plain.formula != state.problem.formula {
        // Proofs speak of symbols that the problem does not have.
        state.refutations.clear();
    }
    result
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
        count(state, lra.effort(), Effort::default());
        let all: Refuted = (0..goals.len()).map(|goal| (goal, None)).collect();
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
    count(state, lra.effort(), Effort::default());
    if let Err(stop) = explore(state, &shared, leaf, goals, budget) {
        let shared = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
        collect(state, &lra, goals, shared, &Budget::new(Some(LAST), None));
        return Err(stop.into());
    }
    let open: Vec<usize> = {
        let all = lock(&shared);
        (0..count_of).filter(|&g| !all.is_closed[g]).collect()
    };
    let jobs = jobs.clamp(1, open.len().max(1));
    if jobs > 1 {
        open.iter().for_each(|&goal| lra.prepare(&goals[goal]));
    }
    let before = lra.effort();
    let mut team = lra.team(jobs);
    let (watched, known) = (&*state, &shared);
    let ends = std::thread::scope(|scope| {
        let run = |lra: &mut Lra| {
            let mut closed = Refuted::new();
            let end = work(watched, known, lra, goals, &mut closed, budget);
            (end, closed)
        };
        let mut members = team.iter_mut();
        let first = members.next();
        let others: Vec<_> = members.map(|lra| scope.spawn(move || run(lra))).collect();
        let own = first.map(run);
        let others = others
            .into_iter()
            .map(|o| o.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        own.into_iter().chain(others).collect::<Vec<_>>()
    });
    let mut result = Ok(());
    for (lra, (end, _)) in team.iter().zip(&ends) {
        count(state, lra.effort(), before);
        match end {
            Ok(queries) => state.statistics.queries += queries,
            Err(stop) => result = Err((*stop).into()),
        }
    }
    let refuted: Vec<(&Lra, &Refuted)> =
        team.iter().zip(&ends).map(|(lra, (_, closed))| (lra, closed)).collect();
    state.refutations.extend(Lra::joint_refutation(&refuted));
    let shared = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let Some(lra) = team.first() {
        let budget = match result {
            Ok(()) => Budget::unlimited(),
            Err(_) => Budget::new(Some(LAST), None),
        };
        collect(state, lra, goals, shared, &budget);
    }
    result
}

/// Adds the work done since an earlier moment.
fn count(state: &mut State<'_>, now: Effort, before: Effort) {
    state.statistics.conflicts += now.conflicts - before.conflicts;
    state.statistics.decisions += now.decisions - before.decisions;
    state.statistics.models += now.leaves - before.leaves;
}

/// Closes goals until none is left; how many questions were asked. Notes the
/// goals with what was refuted of them. When every goal has its worker, those
/// that are done help with what is open: lessons are shared.
fn work(
    state: &State<'_>,
    shared: &Mutex<Shared>,
    lra: &mut Lra,
    goals: &[Objective],
    closed: &mut Refuted,
    budget: &Budget,
) -> Result<u64, Stop> {
    let mut queries = 0;
    loop {
        let goal = {
            let mut all = lock(shared);
            let is_open = |goal: &usize| !all.is_closed[*goal];
            let mut own = (all.next..goals.len()).find(is_open);
            if let Some(goal) = own {
                all.next = goal + 1;
            } else {
                own = (0..goals.len()).find(is_open);
            }
            let Some(goal) = own else { return Ok(queries) };
            goal
        };
        loop {
            let reach = {
                let all = lock(shared);
                match &all.best[goal] {
                    Some((reach, _)) if !all.is_closed[goal] => reach.clone(),
                    _ => break,
                }
            };
            // What is unbounded is closed.
            let Some(beyond) = lra.beyond(&goals[goal], &reach) else { break };
            queries += 1;
            match lra.solve(Some(beyond), budget)? {
                Some(leaf) => explore(state, shared, leaf, goals, budget)?,
                None => {
                    let mut all = lock(shared);
                    // Another job may have come further; that is asked again.
                    let is_last = all.best[goal].as_ref().is_some_and(|(best, _)| *best == reach);
                    if !is_last || all.is_closed[goal] {
                        continue;
                    }
                    all.is_closed[goal] = true;
                    let known = &state.goals[goal];
                    let term = state.problem.templates[known.template].term;
                    // No number is beyond itself; there is nothing to refute.
                    if !state.problem.store.linear(term).monomials().is_empty() {
                        closed.push((goal, Some(beyond)));
                    }
                    let open = all.is_closed.iter().filter(|c| !**c).count();
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
    let mut result = Ok(());
    for goal in open {
        match leaf.reach(&goals[goal], budget) {
            Ok(reach) => reached.push((goal, reach)),
            Err(stop) => {
                result = Err(stop);
                break;
            }
        }
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
    result
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

/// Turns what was reached into points, as far as the budget allows.
fn collect(state: &mut State<'_>, lra: &Lra, goals: &[Objective], shared: Shared, budget: &Budget) {
    let Shared { best, mut seen, is_closed, .. } = shared;
    // Points of each polyhedron that goals were attained at.
    let mut made: Vec<Vec<usize>> = vec![Vec::new(); seen.len()];
    let symbols = state.problem.symbols.clone();
    let positions: Vec<Option<usize>> = symbols.iter().map(|&s| lra.position(s)).collect();
    for (goal, best) in best.into_iter().enumerate() {
        let Some((reach, at)) = best else { continue };
        let leaf = &mut seen[at];
        if let Reach::Bounded { value, attained: true } = &reach {
            let term = &state.problem.templates[state.goals[goal].template].term;
            let wanted = state.goals[goal].signed(value);
            let known = made[at].iter().copied().find(|&point| {
                state.value_at(*term, &state.points[point]).is_some_and(|v| v == wanted)
            });
            if let Some(point) = known {
                state.goals[goal].reached = Some(Reached::Value(value.clone(), point));
                if is_closed[goal] {
                    state.settle_quietly(goal);
                }
                continue;
            }
        }
        let Ok(witness) = leaf.witness(&goals[goal], budget) else { continue };
        let point = |values: &[Rat]| -> Point {
            symbols
                .iter()
                .zip(&positions)
                .map(|(&symbol, position)| {
                    let sort = state.problem.store.sort(symbol);
                    if sort == Sort::Bool {
                        return Value::Bool(position.is_some_and(|at| leaf.truth(at)));
                    }
                    // The problem may have symbols of any sort that it does not use.
                    let value = position.and_then(|p| values.get(p));
                    let value = value.and_then(|value| Value::number(value.clone(), sort));
                    value.unwrap_or_else(|| Value::default_of(sort))
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
