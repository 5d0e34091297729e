//! Whether a set of predicates excludes steps that cannot be together.

use crate::abstraction::Abstractor;
use crate::outcome::Halt;
use crate::path::{Infeasible, Names};
use crate::tree::{Step, Tree};
use parallax_solver::{Answer, Solver, SolverConfig};
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
    cuts: Vec<(Names, Names)>,
    selectors: Vec<(Term, Term)>,
}

impl Excluded {
    pub(crate) fn new(
        owner: &mut Abstractor<'_>,
        part: &Infeasible,
        config: &SolverConfig,
    ) -> Result<Excluded, Halt> {
        let opened = config.open();
        let mut solver = opened.map_err(|error| Halt::Unknown(format!("no solver: {error}")))?;
        let variables: Vec<Term> =
            owner.labelled.program.variables.iter().map(|v| v.term).collect();
        let start = copies(owner, &variables, "start");
        if part.from_start {
            let initial =
                Substitution::new(start.iter().copied()).apply(&mut owner.store, owner.initial);
            solver.assert(&owner.store, initial);
        }
        let mut cuts = Vec::new();
        // The values at each place: at the start, and after each step.
        let mut places: Vec<Names> = vec![start];
        for (number, &Step { edge, parent }) in part.tree.steps.iter().enumerate() {
            let mut names = copies(owner, &variables, &format!("cut{number}"));
            cuts.push((places[Tree::place(parent)].clone(), names.clone()));
            let inputs = owner.edges[edge].inputs.clone();
            names.extend(copies(owner, &inputs, &format!("cut{number}")));
            let mut here = Substitution::new(names.iter().copied());
            let condition = here.apply(&mut owner.store, owner.edges[edge].condition);
            solver.assert(&owner.store, condition);
            let mut after: Names = names[..variables.len()].to_vec();
            for (variable, value) in &owner.edges[edge].updates {
                let value = here.apply(&mut owner.store, *value);
                if let Some(slot) = after.iter_mut().find(|(v, _)| v == variable) {
                    slot.1 = value;
                }
            }
            places.push(after);
        }
        Ok(Excluded { solver, cuts, selectors: Vec::new() })
    }

    fn selector(&mut self, owner: &mut Abstractor<'_>, predicate: Term) -> Term {
        if let Some((_, known)) = self.selectors.iter().find(|(p, _)| *p == predicate) {
            return *known;
        }
        let name = format!("track@{}", predicate.index());
        let selector = owner.store.var(&name, Sort::Bool);
        for (before, after) in &self.cuts {
            let one = Substitution::new(before.iter().copied()).apply(&mut owner.store, predicate);
            let two = Substitution::new(after.iter().copied()).apply(&mut owner.store, predicate);
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
            Answer::Unknown(why) => Err(Halt::Unknown(why)),
        }
    }

    pub(crate) fn queries(&self) -> u64 {
        self.solver.statistics().queries
    }
}

fn copies(owner: &mut Abstractor<'_>, terms: &[Term], name: &str) -> Vec<(Term, Term)> {
    terms
        .iter()
        .map(|&term| {
            let sort = owner.store.sort(term);
            (term, owner.store.var(&format!("{name}@{}", term.index()), sort))
        })
        .collect()
}
