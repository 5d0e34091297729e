//! `dnf`: disjunct by disjunct, the first rival of the thesis (DNFBOUND).
//!
//! A model outside of what was reached lies in some disjunct of the formula's
//! disjunctive normal form. Its literals are reduced to a prime implicant by
//! an unsatisfiable core, every template is maximized over that polyhedron,
//! and the next model is asked for, until there is none. After D. Monniaux and
//! L. Gonnord, *Using Bounded Model Checking to Focus Fixpoint Iterations*,
//! SAS 2011.
//!
//! Deviation: polyhedra are maximized by the simplex, not abstracted by a
//! library of polyhedra.

use crate::End;
use crate::climb::Climber;
use crate::prepare::Plain;
use crate::state::State;
use parallax_base::Budget;
use parallax_solver::{Answer, SolverConfig};
use parallax_term::Term;

pub(crate) fn run(
    state: &mut State<'_>,
    solver: &SolverConfig,
    budget: &Budget,
) -> Result<(), End> {
    let plain = Plain::new(state);
    let mut climber = Climber::new(plain, solver)?;
    // Literals that contradict the negated formula imply the formula.
    let mut negation = solver.open()?;
    let negated = climber.store.not(climber.formula);
    negation.assert(&climber.store, negated);
    loop {
        let open = state.open();
        if open.is_empty() {
            return Ok(());
        }
        let beyond: Option<Vec<Term>> = open.iter().map(|&g| climber.beyond(state, g)).collect();
        let question = beyond.map(|parts| climber.store.or(parts));
        let Some(model) = climber.ask(state, question.as_slice(), budget)? else {
            open.into_iter().for_each(|goal| state.settle(goal));
            return Ok(());
        };
        let mut literals = climber.implicant(&model);
        state.statistics.queries += 1;
        if negation.check(&climber.store, &literals, budget)? == Answer::Unsat
            && let Some(core) = negation.core()
        {
            literals = core;
        }
        climber.explore_within(state, &model, &literals, budget)?;
    }
}
