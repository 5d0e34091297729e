//! Places: where the processes of a program can be at the same time.
//!
//! Guards are not looked at, so there may be places that no run visits. The
//! places that a depth-first search comes back to are the heads of loops; every
//! cycle has one.

use parallax_base::{Budget, Stop};
use parallax_ir::{Program, Transition};
use rustc_hash::FxHashMap;

/// A transition between two places.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// Index of the transition.
    pub transition: usize,
    /// The place left.
    pub source: usize,
    /// The place entered.
    pub target: usize,
}

/// All places and steps.
#[derive(Clone, Debug, Default)]
pub struct Control {
    /// The location of each process, by place. The first place is the initial one.
    pub places: Vec<Box<[i64]>>,
    /// The steps.
    pub steps: Vec<Step>,
    /// The steps that leave each place.
    pub leaving: Vec<Vec<usize>>,
    /// The steps that enter each place.
    pub entering: Vec<Vec<usize>>,
    /// Position of each place in reverse post-order.
    pub rank: Vec<usize>,
    /// Whether each place is the head of a loop.
    pub is_head: Vec<bool>,
}

impl Control {
    /// The places of a program; `None` if there are more than `limit`.
    pub fn new(
        program: &Program,
        transitions: &[Transition],
        limit: usize,
        budget: &Budget,
    ) -> Result<Option<Control>, Stop> {
        let mut control = Control::default();
        let mut known: FxHashMap<Box<[i64]>, usize> = FxHashMap::default();
        // Transitions by where their first process starts from.
        let mut by_move: FxHashMap<(usize, i64), Vec<usize>> = FxHashMap::default();
        for (index, transition) in transitions.iter().enumerate() {
            let first = &transition.moves[0];
            let from = (first.process.index(), first.source.index() as i64);
            by_move.entry(from).or_default().push(index);
        }
        let start: Box<[i64]> =
            program.processes.iter().map(|p| p.initial.index() as i64).collect();
        known.insert(start.clone(), 0);
        control.places.push(start);
        let mut at = 0;
        while at < control.places.len() {
            budget.check()?;
            let place = control.places[at].clone();
            let mut found = Vec::new();
            for (process, &location) in place.iter().enumerate() {
                for &index in by_move.get(&(process, location)).into_iter().flatten() {
                    let moves = &transitions[index].moves;
                    let fits =
                        |m: &parallax_ir::Move| place[m.process.index()] == m.source.index() as i64;
                    if moves.iter().all(fits) {
                        found.push(index);
                    }
                }
            }
            found.sort_unstable();
            for index in found {
                let mut next = place.clone();
                for step in &transitions[index].moves {
                    next[step.process.index()] = step.target.index() as i64;
                }
                let fresh = control.places.len();
                let target = *known.entry(next.clone()).or_insert(fresh);
                if target == fresh {
                    if fresh >= limit {
                        return Ok(None);
                    }
                    control.places.push(next);
                }
                control.steps.push(Step { transition: index, source: at, target });
            }
            at += 1;
        }
        let count = control.places.len();
        control.leaving = vec![Vec::new(); count];
        control.entering = vec![Vec::new(); count];
        for (index, step) in control.steps.iter().enumerate() {
            control.leaving[step.source].push(index);
            control.entering[step.target].push(index);
        }
        control.order();
        Ok(Some(control))
    }

    /// Depth-first search: post-order, and where it closes cycles.
    fn order(&mut self) {
        let count = self.places.len();
        self.is_head = vec![false; count];
        self.rank = vec![0; count];
        let (mut seen, mut open) = (vec![false; count], vec![false; count]);
        let mut stack = vec![(0, 0)];
        let mut next = count;
        seen[0] = true;
        open[0] = true;
        while let Some((place, nth)) = stack.last_mut() {
            let place = *place;
            if let Some(&step) = self.leaving[place].get(*nth) {
                *nth += 1;
                let target = self.steps[step].target;
                if open[target] {
                    self.is_head[target] = true;
                }
                if !seen[target] {
                    seen[target] = true;
                    open[target] = true;
                    stack.push((target, 0));
                }
            } else {
                next -= 1;
                self.rank[place] = next;
                open[place] = false;
                stack.pop();
            }
        }
    }
}
