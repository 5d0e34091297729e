//! Paths over the symbols of their first state: each later state is a term per
//! variable over initial values and inputs, so constants fold on the way.

use crate::step::Step;
use parallax_base::Id;
use parallax_ir::{Program, Variable};
use parallax_solver::Model;
use parallax_term::{Substitution, Term, TermStore, Value};

/// The values of a run: of the variables at the start, and of the inputs of
/// each step.
pub type RunValues = (Vec<Value>, Vec<Vec<Value>>);

/// A path as far as it has been taken.
#[derive(Clone, Debug)]
pub struct Unrolling {
    variables: Vec<Term>,
    start: Vec<Term>,
    state: Vec<Term>,
    inputs: Vec<Vec<Term>>,
}

impl Unrolling {
    /// No step yet; with what holds of initial states.
    pub fn start(store: &mut TermStore, program: &Program) -> (Unrolling, Term) {
        let variables: Vec<Term> = program.variables.iter().map(|v| v.term).collect();
        let fixed = variables.iter().zip(&program.init.fixed);
        let start: Vec<Term> = fixed
            .map(|(&symbol, fixed)| fixed.clone().map_or(symbol, |value| store.constant(value)))
            .collect();
        let state = start.clone();
        let unrolling = Unrolling { variables, start, state, inputs: Vec::new() };
        let initial = program.initial_formula(store);
        let initial = unrolling.at_end(store, initial);
        (unrolling, initial)
    }

    /// Goes on by a step; what must hold for that.
    pub fn take(&mut self, store: &mut TermStore, step: &Step) -> Term {
        let inputs = step.fresh_inputs(store);
        let mut here = state_of(&self.variables, &self.state, step, &inputs);
        let condition = here.apply(store, step.condition);
        self.state = step.image(store, &mut here, &self.state);
        self.inputs.push(inputs);
        condition
    }

    /// Goes on with one value of a variable; what must hold for that.
    pub fn pin(&mut self, store: &mut TermStore, variable: Id<Variable>, value: &Value) -> Term {
        let value = store.constant(value.clone());
        let slot = &mut self.state[variable.index()];
        store.eq(std::mem::replace(slot, value), value)
    }

    /// A formula about the state at the end.
    pub fn at_end(&self, store: &mut TermStore, formula: Term) -> Term {
        let pairs = self.variables.iter().copied().zip(self.state.iter().copied());
        Substitution::new(pairs).apply(store, formula)
    }

    /// The state at the end, one term per variable.
    pub fn state(&self) -> &[Term] {
        &self.state
    }

    /// The symbols that a run has values for.
    pub fn symbols(&self) -> Vec<Term> {
        self.variables.iter().chain(self.inputs.iter().flatten()).copied().collect()
    }

    /// The values of a run in a model.
    pub fn values(&self, store: &TermStore, model: &Model) -> RunValues {
        let value = |&term: &Term| match store.value(term) {
            Some(value) => value.clone(),
            None => model.value_of(store, term),
        };
        let inputs = self.inputs.iter().map(|step| step.iter().map(value).collect());
        (self.start.iter().map(value).collect(), inputs.collect())
    }
}

/// From what a step reads to a state and symbols of its inputs.
pub fn state_of(variables: &[Term], state: &[Term], step: &Step, inputs: &[Term]) -> Substitution {
    let state = variables.iter().copied().zip(state.iter().copied());
    Substitution::new(state.chain(step.input_symbols().into_iter().zip(inputs.iter().copied())))
}
