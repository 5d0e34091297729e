//! Initial states, also where there are too many to list.

use parallax_base::{Budget, Id, Stop};
use parallax_ir::{Program, State, Variable};
use parallax_solver::{Answer, SolverConfig, SolverError};
use parallax_term::{Term, Value};

/// Whether the program certainly has no initial state: then it has no run.
pub(crate) fn has_no_run(program: &Program, solver: &SolverConfig, budget: &Budget) -> bool {
    let mut store = program.store.clone();
    let formula = program.initial_formula(&mut store);
    if program.init.fixed_state().is_some() && store.is_true(program.init.predicate) {
        return false;
    }
    let Ok(mut solver) = solver.open() else { return false };
    solver.assert(&store, formula);
    solver.check(&store, &[], budget) == Ok(Answer::Unsat)
}

/// Some initial state in which the chosen variables have the chosen values;
/// `None` if there is none, or if the solver does not know one.
pub fn find_initial(
    program: &Program,
    chosen: &[(Id<Variable>, Value)],
    solver: &SolverConfig,
    budget: &Budget,
) -> Result<Option<State>, SolverError> {
    let mut store = program.store.clone();
    let mut formulas = vec![program.initial_formula(&mut store)];
    for (variable, value) in chosen {
        let value = store.constant(value.clone());
        formulas.push(store.eq(program.variables[*variable].term, value));
    }
    let formula = store.and(formulas);
    let mut solver = solver.open()?;
    solver.assert(&store, formula);
    let answer: Result<Answer, Stop> = solver.check(&store, &[], budget);
    if answer != Ok(Answer::Sat) {
        return Ok(None);
    }
    let symbols: Vec<Term> = program.variables.iter().map(|v| v.term).collect();
    let model = solver.model(&store, &symbols);
    Ok(model.map(|model| {
        let values: Vec<Value> = symbols.iter().map(|&s| model.value_of(&store, s)).collect();
        State::new(values)
    }))
}
