//! Steps as formulas: conditions and updates as seen from a place, control gone.

use crate::control::{Control, Step};
use parallax_base::Id;
use parallax_ir::{Input, Program, Role, Transition, Variable};
use parallax_term::{Linear, Node, Substitution, Term, TermStore};
use std::collections::BTreeSet;

/// Sums that a conditional is taken apart into, at most.
const BRANCHES: usize = 8;

/// A step without control variables.
#[derive(Clone, Debug)]
pub struct Form {
    /// Guard and what the inputs must satisfy.
    pub condition: Term,
    /// The inputs.
    pub inputs: Vec<Input>,
    /// New values of variables; those not named keep theirs.
    pub updates: Vec<(Id<Variable>, Term)>,
}

impl Form {
    /// The variables that get another value.
    pub fn written(&self, forms: &Forms<'_>) -> BTreeSet<Term> {
        let updates = self.updates.iter().map(|&(variable, value)| (forms.symbol(variable), value));
        updates.filter(|(symbol, value)| symbol != value).map(|(symbol, _)| symbol).collect()
    }
}

/// The program with its places and steps.
pub struct Forms<'a> {
    /// What was translated.
    pub program: &'a Program,
    /// Holds all terms.
    pub store: TermStore,
    /// Places, and where steps lead.
    pub control: Control,
    /// The steps, in the order of those of `control`.
    pub steps: Vec<Form>,
    /// Where runs start, control left out.
    pub initial: Term,
}

impl<'a> Forms<'a> {
    /// Every step of `control` as a formula.
    pub fn new(
        program: &'a Program,
        mut store: TermStore,
        transitions: &[Transition],
        control: Control,
    ) -> Forms<'a> {
        let mut forms = Vec::new();
        for step in &control.steps {
            forms.push(form(program, &mut store, transitions, &control, step));
        }
        let all = program.initial_formula(&mut store);
        let mut here = Substitution::new(known(program, &mut store, &control.places[0]));
        let initial = here.apply(&mut store, all);
        Forms { program, store, control, steps: forms, initial }
    }

    /// The symbol of a variable.
    pub fn symbol(&self, variable: Id<Variable>) -> Term {
        self.program.variables[variable].term
    }

    /// Variables that hold numbers, control left out.
    pub fn numbers(&self) -> Vec<Term> {
        let all = self.program.variables.iter();
        all.filter(|v| !matches!(v.role, Role::Control(_)) && v.domain.sort().is_number())
            .map(|v| v.term)
            .collect()
    }
}

/// The sums that a sum with a conditional in it may be. Machine arithmetic is
/// full of them: a difference, or what it wraps to.
pub(crate) fn unconditional(store: &TermStore, sum: &Linear) -> Vec<Linear> {
    let mut found = Vec::new();
    let mut open = vec![sum.clone()];
    while let Some(sum) = open.pop() {
        let conditional =
            sum.monomials().iter().find_map(|(term, factor)| match store.node(*term) {
                Node::Ite(_, a, b) => Some((*term, factor.clone(), [*a, *b])),
                _ => None,
            });
        match conditional {
            None => found.push(sum),
            Some((term, factor, branches)) if found.len() + open.len() < BRANCHES => {
                let rest = sum.plus(&-&factor, &Linear::term(term));
                open.extend(branches.map(|b| rest.plus(&factor, &store.linear(b))));
            }
            Some(_) => {}
        }
    }
    found
}

/// Control variables with their values at a place.
fn known(program: &Program, store: &mut TermStore, place: &[i64]) -> Vec<(Term, Term)> {
    let controls = program.processes.iter().map(|p| program.variables[p.control].term);
    controls.zip(place).map(|(control, &at)| (control, store.int(at))).collect()
}

fn form(
    program: &Program,
    store: &mut TermStore,
    transitions: &[Transition],
    control: &Control,
    step: &Step,
) -> Form {
    let transition = &transitions[step.transition];
    let pairs = known(program, store, &control.places[step.source]);
    let mut here = Substitution::new(pairs);
    let bounds = transition.input_bounds(store);
    let condition = store.and([transition.guard, bounds]);
    let condition = here.apply(store, condition);
    let mut inputs = transition.inputs.clone();
    for input in &mut inputs {
        input.low = input.low.map(|low| here.apply(store, low));
        input.high = input.high.map(|high| here.apply(store, high));
    }
    let is_control = |v: Id<Variable>| matches!(program.variables[v].role, Role::Control(_));
    let mut updates = Vec::new();
    for update in transition.updates.iter().filter(|u| !is_control(u.variable)) {
        updates.push((update.variable, here.apply(store, update.value)));
    }
    Form { condition, inputs, updates }
}
