//! Several searches at once, each for some of the goals.
//!
//! The way in which the thesis (Section 5.2.3) runs its rules in parallel: the
//! goals are dealt out, and what was found is put together in the end.

use crate::config::Observer;
use crate::state::{Reached, State};
use crate::{End, Statistics};
use parallax_evidence::Point;
use parallax_ir::TemplateProblem;
use parallax_term::Rat;

/// What one search found of its goals.
struct Part {
    found: Vec<(usize, Option<Reached>, Option<Rat>, bool)>,
    points: Vec<Point>,
    statistics: Statistics,
    is_empty: bool,
    ended: Result<(), End>,
}

/// Deals out all goals to `jobs` searches of `problem`, which may be another
/// than that of the state, and takes over what they found. `is_real` says
/// whether what a goal reached there is reached in the problem of the state.
pub(crate) fn in_parts(
    state: &mut State<'_>,
    jobs: usize,
    problem: &TemplateProblem,
    observer: &dyn Observer,
    is_real: impl Fn(&State<'_>, usize, &Reached) -> bool,
    search: impl Fn(&mut State<'_>, &[usize]) -> Result<(), End> + Sync,
) -> Result<(), End> {
    let count = state.goals.len();
    let jobs = jobs.clamp(1, count.max(1));
    let work = |part: usize| {
        let goals: Vec<usize> = (part..count).step_by(jobs).collect();
        let mut own = State::new(problem, observer);
        let ended = search(&mut own, &goals);
        let found = goals.into_iter().map(|goal| {
            let known = &own.goals[goal];
            (goal, known.reached.clone(), known.limit.clone(), known.is_strict)
        });
        let found = found.collect();
        let State { points, statistics, is_empty, .. } = own;
        Part { found, points, statistics, is_empty, ended }
    };
    let parts = std::thread::scope(|scope| {
        let work = &work;
        let others: Vec<_> = (1..jobs).map(|part| scope.spawn(move || work(part))).collect();
        let first = work(0);
        let others = others
            .into_iter()
            .map(|o| o.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        std::iter::once(first).chain(others).collect::<Vec<_>>()
    });
    let mut ended = Ok(());
    for part in parts {
        state.statistics.add(&part.statistics);
        let offset = state.points.len();
        state.points.extend(part.points);
        state.is_empty |= part.is_empty;
        for (goal, mut reached, limit, is_strict) in part.found {
            if let Some(reached) = &mut reached {
                shift(reached, offset);
            }
            let reached = reached.filter(|reached| is_real(state, goal, reached));
            state.take(goal, reached, limit, is_strict);
        }
        if ended.is_ok() {
            ended = part.ended;
        }
    }
    ended
}

fn shift(reached: &mut Reached, offset: usize) {
    match reached {
        Reached::Value(_, point) => *point += offset,
        Reached::Approached(_, a, b) | Reached::Unbounded(a, b) => {
            *a += offset;
            *b += offset;
        }
    }
}
