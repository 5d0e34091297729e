//! A step as a formula: a condition over the state before and the inputs, and
//! new values over the same.
//!
//! [`Step::before`] and [`Step::preimage`] look back through it, [`Step::taken`]
//! says it of other terms: of a place where some variables are known, or of the
//! state at the end of a path ([`crate::Unrolling`]).

use parallax_base::{Budget, Id, Stop};
use parallax_ir::{Edge, Input, Program, Role, Transition, Update, Variable, bounds};
use parallax_solver::Solver;
use parallax_term::{Substitution, Term, TermStore};
use std::collections::BTreeSet;

/// A new value of a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Assignment {
    /// Which variable.
    pub variable: Id<Variable>,
    /// Its symbol.
    pub symbol: Term,
    /// The value.
    pub value: Term,
}

/// A step.
#[derive(Clone, Debug)]
pub struct Step {
    /// The guard, and what the inputs must satisfy.
    pub condition: Term,
    /// The inputs.
    pub inputs: Vec<Input>,
    /// The variables that get values, all at once; the others keep theirs.
    pub updates: Vec<Assignment>,
}

impl Step {
    /// A global step of a program.
    pub fn of(store: &mut TermStore, program: &Program, transition: &Transition) -> Step {
        let within = transition.input_bounds(store);
        let condition = store.and([transition.guard, within]);
        Step::new(program, condition, &transition.inputs, &transition.updates)
    }

    /// An edge of a process, without what it does to control.
    pub fn of_edge(store: &mut TermStore, program: &Program, edge: &Edge) -> Step {
        let within = bounds(store, &edge.inputs);
        let condition = store.and([edge.guard, within, edge.constraint]);
        Step::new(program, condition, &edge.inputs, &edge.updates)
    }

    fn new(program: &Program, condition: Term, inputs: &[Input], updates: &[Update]) -> Step {
        let assignment = |u: &Update| {
            let symbol = program.variables[u.variable].term;
            Assignment { variable: u.variable, symbol, value: u.value }
        };
        let updates = updates.iter().map(assignment).collect();
        Step { condition, inputs: inputs.to_vec(), updates }
    }

    /// The same without what it does to control.
    #[must_use]
    pub fn without_control(mut self, program: &Program) -> Step {
        let is_control =
            |u: &Assignment| matches!(program.variables[u.variable].role, Role::Control(_));
        self.updates.retain(|u| !is_control(u));
        self
    }

    /// Condition and updates with symbols replaced. Where the step cannot be
    /// taken there are no updates.
    pub fn taken(&self, store: &mut TermStore, here: &mut Substitution) -> (Term, Vec<Assignment>) {
        let condition = here.apply(store, self.condition);
        if store.is_false(condition) {
            return (condition, Vec::new());
        }
        let updates = self.updates.iter();
        let updates = updates.map(|u| Assignment { value: here.apply(store, u.value), ..*u });
        (condition, updates.collect())
    }

    /// The state after the step, one term per variable, from the state before
    /// it; `here` leads from symbols to the terms of that state.
    pub fn image(
        &self,
        store: &mut TermStore,
        here: &mut Substitution,
        state: &[Term],
    ) -> Vec<Term> {
        let mut next = state.to_vec();
        for update in &self.updates {
            next[update.variable.index()] = here.apply(store, update.value);
        }
        next
    }

    /// The step as seen from where some symbols are known.
    #[must_use]
    pub fn at(&self, store: &mut TermStore, here: &mut Substitution) -> Step {
        let (condition, updates) = self.taken(store, here);
        let mut inputs = self.inputs.clone();
        for input in &mut inputs {
            input.low = input.low.map(|low| here.apply(store, low));
            input.high = input.high.map(|high| here.apply(store, high));
        }
        Step { condition, inputs, updates }
    }

    /// From the state after to the state before and the inputs.
    pub fn assignment(&self) -> Substitution {
        Substitution::new(self.updates.iter().map(|u| (u.symbol, u.value)))
    }

    /// A formula over the state after, said of the state before and the inputs.
    pub fn before(&self, store: &mut TermStore, formula: Term) -> Term {
        self.assignment().apply(store, formula)
    }

    /// The states from which the step, with some inputs, leads to states of the
    /// formula. `None` if the solver cannot eliminate the inputs.
    pub fn preimage(
        &self,
        store: &mut TermStore,
        solver: &mut dyn Solver,
        formula: Term,
        budget: &Budget,
    ) -> Result<Option<Term>, Stop> {
        let before = self.before(store, formula);
        let both = store.and([self.condition, before]);
        let bound = self.input_symbols();
        if !store.vars(both).iter().any(|v| bound.contains(v)) {
            return Ok(Some(both));
        }
        solver.eliminate(store, both, &bound, budget)
    }

    /// The symbols of the inputs.
    pub fn input_symbols(&self) -> Vec<Term> {
        self.inputs.iter().map(|input| input.term).collect()
    }

    /// New symbols for the inputs.
    pub fn fresh_inputs(&self, store: &mut TermStore) -> Vec<Term> {
        let fresh = |input: &Input| {
            let sort = store.sort(input.term);
            store.fresh(&input.name, sort)
        };
        self.inputs.iter().map(fresh).collect()
    }

    /// The variables that get another value.
    pub fn written(&self) -> BTreeSet<Term> {
        self.updates.iter().filter(|u| u.symbol != u.value).map(|u| u.symbol).collect()
    }

    /// Whether it assigns to one of these variables.
    pub fn touches(&self, variables: &BTreeSet<Term>) -> bool {
        self.updates.iter().any(|u| variables.contains(&u.symbol))
    }
}
