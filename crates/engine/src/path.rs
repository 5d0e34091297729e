//! From a sequence of transitions to a run with values.
//!
//! The path formula unrolls the program: the initial condition over the first
//! state, then for each step the guard and the bounds of its inputs, with the
//! state carried along as terms over initial values and inputs. A model of it
//! gives the initial state and every input; the interpreter does the rest.

use parallax_base::{Budget, Stop};
use parallax_evidence::{Trace, TraceStep};
use parallax_ir::{Interpreter, Program, State};
use parallax_solver::{Answer, Solver};
use parallax_term::{Substitution, Term, TermStore, Value};

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
    let variables: Vec<Term> = program.variables.iter().map(|v| v.term).collect();
    let mut current: Vec<Term> = variables.clone();
    let mut constraints = vec![program.initial_formula(store)];
    let mut inputs: Vec<Vec<Term>> = Vec::new();
    for &index in path {
        let transition = &transitions[index];
        let fresh: Vec<Term> = transition
            .inputs
            .iter()
            .map(|input| {
                let sort = store.sort(input.term);
                store.fresh("input", sort)
            })
            .collect();
        let states = variables.iter().copied().zip(current.iter().copied());
        let choices = transition.inputs.iter().map(|i| i.term).zip(fresh.iter().copied());
        let mut here = Substitution::new(states.chain(choices));
        let bounds = transition.input_bounds(store);
        for formula in [transition.guard, bounds] {
            constraints.push(here.apply(store, formula));
        }
        let mut next = current.clone();
        for update in &transition.updates {
            next[update.variable.index()] = here.apply(store, update.value);
        }
        current = next;
        inputs.push(fresh);
    }
    let states = variables.iter().copied().zip(current.iter().copied());
    constraints.push(Substitution::new(states).apply(store, target));
    let mut symbols = variables.clone();
    symbols.extend(inputs.iter().flatten());
    solver.push();
    for &constraint in &constraints {
        solver.assert(store, constraint);
    }
    let answer = solver.check(store, &[], budget);
    let model = match &answer {
        Ok(Answer::Sat) => solver.model(store, &symbols),
        _ => None,
    };
    solver.pop();
    answer?;
    let Some(model) = model else { return Ok(None) };
    let value = |symbol: &Term| model.value_of(store, *symbol);
    let initial = State::new(variables.iter().map(value).collect::<Vec<_>>());
    let inputs: Vec<Vec<Value>> =
        inputs.iter().map(|step| step.iter().map(value).collect()).collect();
    Ok(follow(program, initial, path, inputs))
}

/// Runs the transitions with the inputs; `None` if a step is not possible.
pub fn follow(
    program: &Program,
    initial: State,
    path: &[usize],
    inputs: Vec<Vec<Value>>,
) -> Option<Trace> {
    let mut interpreter = Interpreter::new(program);
    let mut trace = Trace::new(initial, Vec::new());
    for (&transition, inputs) in path.iter().zip(inputs) {
        let state = interpreter.step(trace.last(), transition, &inputs)?;
        trace.steps.push(TraceStep { transition, inputs, state });
    }
    Some(trace)
}
