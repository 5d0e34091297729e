//! Paths of the graph: is this one a run, and if not, up to where?
//!
//! A path is unrolled over the symbols of its first state: each later state is
//! a term per variable over initial values and inputs, so constants fold on the
//! way and most of the path is decided without a question. A node of the graph
//! stands for the runs with its tracked values, so these are put in on the way.

use super::bench::{Bench, Halt, decided};
use super::place::Place;
use parallax_term::{Substitution, Term};

/// A path of transitions from the initial states, and the target at its end.
///
/// Position 0 is the initial condition, `i` the `i`-th step, and the position
/// after the last step is the target.
pub(crate) struct Path {
    /// The transitions.
    pub(crate) transitions: Vec<usize>,
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
    pub(crate) fn new(bench: &mut Bench<'_>, places: &[Place], transitions: Vec<usize>) -> Path {
        let program = bench.program;
        let symbols: Vec<Term> = program.variables.iter().map(|v| v.term).collect();
        let mut current = symbols.clone();
        for (value, fixed) in current.iter_mut().zip(&program.init.fixed) {
            if let Some(fixed) = fixed {
                *value = bench.store.constant(fixed.clone());
            }
        }
        let initial = program.initial_formula(&mut bench.store);
        let start = symbols.iter().copied().zip(current.iter().copied());
        let initial = Substitution::new(start).apply(&mut bench.store, initial);
        let mut path = Path { transitions, parts: vec![initial] };
        for (i, index) in path.transitions.clone().into_iter().enumerate() {
            let transition = bench.transitions[index].clone();
            let mut fresh = Vec::new();
            for input in &transition.inputs {
                let sort = bench.store.sort(input.term);
                fresh.push(bench.store.fresh(&input.name, sort));
            }
            let state = symbols.iter().copied().zip(current.iter().copied());
            let choice = transition.inputs.iter().map(|i| i.term).zip(fresh.iter().copied());
            let mut here = Substitution::new(state.chain(choice));
            let condition = bench.condition(index);
            let mut next = current.clone();
            for update in &transition.updates {
                next[update.variable.index()] = here.apply(&mut bench.store, update.value);
            }
            let mut part = vec![here.apply(&mut bench.store, condition)];
            for (variable, value) in places[i + 1].values.iter() {
                let value = bench.store.constant(value.clone());
                let slot = &mut next[variable.index()];
                part.push(bench.store.eq(*slot, value));
                *slot = value;
            }
            path.parts.push(bench.store.and(part));
            current = next;
        }
        let state = symbols.iter().copied().zip(current.iter().copied());
        let target = bench.target;
        path.parts.push(Substitution::new(state).apply(&mut bench.store, target));
        path
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
