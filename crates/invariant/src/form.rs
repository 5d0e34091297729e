//! Steps as formulas: conditions and updates as seen from a place, control gone.

use crate::control::Control;
use parallax_base::Id;
use parallax_domain::Step;
use parallax_ir::{Program, Role, Transition, Variable};
use parallax_term::{Linear, Node, Substitution, Term, TermStore};

/// Sums that a conditional is taken apart into, at most.
const BRANCHES: usize = 8;

/// The program with its places and steps.
pub struct Forms<'a> {
    /// What was translated.
    pub program: &'a Program,
    /// Holds all terms.
    pub store: TermStore,
    /// Places, and where steps lead.
    pub control: Control,
    /// The steps, in the order of those of `control`.
    pub steps: Vec<Step>,
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
        let mut steps = Vec::new();
        for step in &control.steps {
            let place = known(program, &mut store, &control.places[step.source]);
            let whole = Step::of(&mut store, program, &transitions[step.transition]);
            let here = whole.at(&mut store, &mut Substitution::new(place));
            steps.push(here.without_control(program));
        }
        let all = program.initial_formula(&mut store);
        let mut here = Substitution::new(known(program, &mut store, &control.places[0]));
        let initial = here.apply(&mut store, all);
        Forms { program, store, control, steps, initial }
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
