//! From a sequence of transitions to a run with values.
//!
//! The path formula unrolls the program: the initial condition over the first
//! state, then for each step the guard and the bounds of its inputs, with the
//! state carried along as terms over initial values and inputs. A model of it
//! gives the initial state and every input; the interpreter does the rest.

use parallax_base::{Budget, Stop};
use parallax_domain::{Step, Unrolling};
use parallax_evidence::{Trace, TraceStep};
use parallax_ir::{Interpreter, Program, State};
use parallax_solver::{Answer, Solver};
use parallax_term::{Term, TermStore, Value};

/// A run along `path` (indices of transitions) that ends in a `target` state.
///
/// `None` if there is none, or if the solver does not know.
pub fn solve_path(
    store: &mut TermStore,
    solver: &mut dyn Solver,
    program: &Program,
    path: &[usize],
    target: Term,
    budget: &Budget,
) -> Result<Option<Trace>, Stop> {
    let transitions = program.transitions(store);
    let (mut unrolling, initial) = Unrolling::start(store, program);
    let mut constraints = vec![initial];
    for &index in path {
        let step = Step::of(store, program, &transitions[index]);
        constraints.push(unrolling.take(store, &step));
    }
    constraints.push(unrolling.at_end(store, target));
    solver.push();
    for &constraint in &constraints {
        solver.assert(store, constraint);
    }
    let answer = solver.check(store, &[], budget);
    let model = match &answer {
        Ok(Answer::Sat) => solver.model(store, &unrolling.symbols()),
        _ => None,
    };
    solver.pop();
    answer?;
    let Some(model) = model else { return Ok(None) };
    let (initial, inputs) = unrolling.values(store, &model);
    Ok(follow(&mut Interpreter::new(program), State::new(initial), path, inputs))
}

/// Takes the transitions with the inputs; `None` if a step is not possible.
pub fn follow(
    interpreter: &mut Interpreter,
    initial: State,
    path: &[usize],
    inputs: impl IntoIterator<Item = Vec<Value>>,
) -> Option<Trace> {
    let mut trace = Trace::new(initial, Vec::new());
    for (&transition, inputs) in path.iter().zip(inputs) {
        let state = interpreter.step(trace.last(), transition, &inputs)?;
        trace.steps.push(TraceStep { transition, inputs, state });
    }
    (trace.steps.len() == path.len()).then_some(trace)
}
