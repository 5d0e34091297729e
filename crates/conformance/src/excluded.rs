//! Whether a set of predicates excludes steps that cannot be together.

use crate::abstraction::Abstractor;
use crate::path::Infeasible;
use crate::tree::{Step, Tree};
use parallax_domain::state_of;
use parallax_solver::{Answer, Halt, Solver, SolverConfig};
use parallax_term::{Sort, Substitution, Term};

/// Steps that cannot be together, asked again and again: are they excluded by a
/// set of predicates?
///
/// They are cut where one leads to the next: what is behind a cut need only
/// agree on the predicates with what is before it. That is what an abstraction
/// by these predicates knows.
pub(crate) struct Excluded {
    solver: Box<dyn Solver>,
    /// Formulas at each cut: substitutions for before and after.
    cuts: Vec<(Vec<Term>, Vec<Term>)>,
    selectors: Vec<(Term, Term)>,
}

impl Excluded {
    pub(crate) fn new(
        owner: &mut Abstractor<'_>,
        part: &Infeasible,
        config: &SolverConfig,
    ) -> Result<Excluded, Halt> {
        let opened = config.open();
        let mut solver = opened.map_err(|error| Halt::GaveUp(format!("no solver: {error}")))?;
        let variables = owner.variables();
        let start = owner.copies(&variables, "start");
        if part.from_start {
            let start = variables.iter().copied().zip(start.iter().copied());
            let initial = Substitution::new(start).apply(&mut owner.store, owner.initial);
            solver.assert(&owner.store, initial);
        }
        let mut cuts = Vec::new();
        // The values at each place: at the start, and after each step.
        let mut places = vec![start];
        for (number, &Step { edge, parent }) in part.tree.steps.iter().enumerate() {
            let step = owner.edges[edge].step.clone();
            let state = owner.copies(&variables, &format!("cut{number}"));
            let inputs = owner.copies(&step.input_symbols(), &format!("cut{number}"));
            let mut here = state_of(&variables, &state, &step, &inputs);
            let condition = here.apply(&mut owner.store, step.condition);
            solver.assert(&owner.store, condition);
            places.push(step.image(&mut owner.store, &mut here, &state));
            cuts.push((places[Tree::place(parent)].clone(), state));
        }
        Ok(Excluded { solver, cuts, selectors: Vec::new() })
    }

    fn selector(&mut self, owner: &mut Abstractor<'_>, predicate: Term) -> Term {
        if let Some((_, known)) = self.selectors.iter().find(|(p, _)| *p == predicate) {
            return *known;
        }
        let name = format!("track@{}", predicate.index());
        let selector = owner.store.var(&name, Sort::Bool);
        let variables = owner.variables();
        for (before, after) in &self.cuts {
            let [one, two] = [before, after].map(|state| {
                let pairs = variables.iter().copied().zip(state.iter().copied());
                Substitution::new(pairs).apply(&mut owner.store, predicate)
            });
            let same = owner.store.iff(one, two);
            let tracked = owner.store.implies(selector, same);
            self.solver.assert(&owner.store, tracked);
        }
        self.selectors.push((predicate, selector));
        selector
    }

    /// Whether no run of the abstraction by these predicates has the part.
    pub(crate) fn by(
        &mut self,
        owner: &mut Abstractor<'_>,
        predicates: &[Term],
    ) -> Result<bool, Halt> {
        let chosen: Vec<Term> = predicates.iter().map(|&p| self.selector(owner, p)).collect();
        match self.solver.check(&owner.store, &chosen, &owner.budget)? {
            Answer::Unsat => Ok(true),
            Answer::Sat => Ok(false),
            Answer::Unknown(why) => Err(Halt::GaveUp(why)),
        }
    }

    pub(crate) fn queries(&self) -> u64 {
        self.solver.statistics().queries
    }
}
