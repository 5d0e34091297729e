//! Paths of the graph: is this one a run, and if not, up to where?
//!
//! A path is unrolled over the symbols of its first state: each later state is
//! a term per variable over initial values and inputs, so constants fold on the
//! way and most of the path is decided without a question. A node of the graph
//! stands for the runs with its tracked values, so these are put in on the way.

use super::bench::{Bench, decided};
use super::place::Place;
use parallax_domain::Unrolling;
use parallax_solver::Halt;
use parallax_term::Term;

/// A path of transitions from the initial states, and the target at its end.
///
/// Position 0 is the initial condition, `i` the `i`-th step, and the position
/// after the last step is the target.
pub(crate) struct Path {
    /// One formula per position.
    parts: Vec<Term>,
}

/// What is known of a path.
pub(crate) enum Judgement {
    /// It is a run.
    Feasible,
    /// No run takes the step at this position, at least 1; one leads up to it.
    Infeasible(usize),
}

impl Path {
    /// Unrolls a path.
    pub(crate) fn new(bench: &mut Bench<'_>, places: &[Place], transitions: &[usize]) -> Path {
        let (mut unrolling, initial) = Unrolling::start(&mut bench.store, bench.program);
        let mut parts = vec![initial];
        for (&index, next) in transitions.iter().zip(&places[1..]) {
            let mut part = vec![unrolling.take(&mut bench.store, &bench.formulas[index])];
            for (variable, value) in next.values.iter() {
                part.push(unrolling.pin(&mut bench.store, *variable, value));
            }
            parts.push(bench.store.and(part));
        }
        parts.push(unrolling.at_end(&mut bench.store, bench.target));
        Path { parts }
    }

    /// Whether the path is a run, and if not, where it ends.
    pub(crate) fn judge(&self, bench: &mut Bench<'_>) -> Result<Judgement, Halt> {
        bench.solver.push();
        let result = self.judge_inside(bench);
        bench.solver.pop();
        result
    }

    fn judge_inside(&self, bench: &mut Bench<'_>) -> Result<Judgement, Halt> {
        for (position, &part) in self.parts.iter().enumerate() {
            if bench.store.is_true(part) {
                continue;
            }
            bench.solver.push();
            bench.solver.assert(&bench.store, part);
            let answer = bench.solver.check(&bench.store, &[], bench.budget);
            if decided(answer?)? {
                bench.solver.pop();
                bench.solver.assert(&bench.store, part);
                continue;
            }
            bench.solver.pop();
            return Ok(Judgement::Infeasible(position.max(1)));
        }
        Ok(Judgement::Feasible)
    }
}
