//! Paths of a program: whether they can be taken, and if not, why.
//!
//! Forward, strongest postconditions say where a path ends; backward from
//! there, existential preimages say where it could not have begun. Between the
//! two lies the minimal infeasible part. Interpolants of that part are made of
//! candidate predicates.

use crate::abstraction::Abstractor;
use crate::tree::{Step, Tree};
use parallax_domain::state_of;
use parallax_interpolate::{Method, Options, Outcome, sequence};
use parallax_solver::{Answer, Halt};
use parallax_term::{Substitution, Term};
use std::collections::BTreeSet;
use std::time::Duration;

/// Paths in static single assignment form.
pub(crate) struct Unrolled {
    /// The initial condition, then one formula for each step.
    pub(crate) parts: Vec<Term>,
    variables: Vec<Term>,
    /// After each part, the symbol of every variable.
    states: Vec<Vec<Term>>,
    /// The inputs of each step.
    inputs: Vec<Vec<Term>>,
}

/// What is wrong with a path, or with several.
pub(crate) struct Infeasible {
    /// The steps that cannot be together.
    pub(crate) tree: Tree,
    /// Whether they cannot be from the beginning on; if not, from nowhere.
    pub(crate) from_start: bool,
    /// Predicates that may exclude them.
    pub(crate) candidates: Vec<Term>,
}

/// Values of a run.
pub(crate) use parallax_domain::RunValues as Values;

/// Whether a path can be taken.
pub(crate) enum Taken {
    Yes(Values),
    No(Infeasible),
}

impl Abstractor<'_> {
    pub(crate) fn unroll(&mut self, tree: &Tree) -> Unrolled {
        let variables = self.variables();
        let (mut parts, mut inputs) = (vec![self.initial], Vec::new());
        let mut states = vec![variables.clone()];
        for (number, &Step { edge, parent }) in tree.steps.iter().enumerate() {
            let step = self.edges[edge].step.clone();
            let state = &states[Tree::place(parent)];
            let chosen = self.copies(&step.input_symbols(), &format!("in@{number}"));
            let mut here = state_of(&variables, state, &step, &chosen);
            let (condition, updates) = step.taken(&mut self.store, &mut here);
            let (mut conjuncts, mut next) = (vec![condition], state.clone());
            for update in &updates {
                let symbol = self.copies(&[update.symbol], &format!("at@{number}"))[0];
                conjuncts.push(self.store.eq(symbol, update.value));
                next[update.variable.index()] = symbol;
            }
            parts.push(self.store.and(conjuncts));
            states.push(next);
            inputs.push(chosen);
        }
        Unrolled { parts, variables, states, inputs }
    }

    /// The symbols of the variables.
    pub(crate) fn variables(&self) -> Vec<Term> {
        self.labelled.program.variables.iter().map(|v| v.term).collect()
    }

    /// Symbols like some others, under a name that says what for.
    pub(crate) fn copies(&mut self, terms: &[Term], name: &str) -> Vec<Term> {
        let copy = |&term: &Term| {
            let sort = self.store.sort(term);
            self.store.var(&format!("{name}@{}", term.index()), sort)
        };
        terms.iter().map(copy).collect()
    }

    pub(crate) fn satisfiable(&mut self) -> Result<bool, Halt> {
        match self.solver.check(&self.store, &[], &self.budget)? {
            Answer::Sat => Ok(true),
            Answer::Unsat => Ok(false),
            Answer::Unknown(why) => Err(Halt::GaveUp(why)),
        }
    }

    /// Whether a path of edges can be taken.
    pub(crate) fn take(&mut self, path: &[usize]) -> Result<Taken, Halt> {
        let unrolled = self.unroll(&Tree::chain(path));
        self.solver.push();
        let forward = self.forward(&unrolled);
        self.solver.pop();
        let last = match forward? {
            Ok(values) => return Ok(Taken::Yes(values)),
            Err(last) => last,
        };
        self.solver.push();
        let backward = self.backward(&unrolled, last);
        self.solver.pop();
        let first = backward?;
        let parts: Vec<(Term, usize)> =
            (first..=last).map(|place| (unrolled.parts[place], place)).collect();
        let candidates = self.candidates(&unrolled, &parts)?;
        if candidates.is_empty() {
            return Err(Halt::GaveUp("no predicate excludes an infeasible path".into()));
        }
        let from_start = first == 0;
        let tree = Tree::chain(&path[first.saturating_sub(1)..last]);
        Ok(Taken::No(Infeasible { tree, from_start, candidates }))
    }

    /// The values of a run, or the first part where there is none any more.
    fn forward(&mut self, unrolled: &Unrolled) -> Result<Result<Values, usize>, Halt> {
        for (number, &part) in unrolled.parts.iter().enumerate() {
            self.solver.assert(&self.store, part);
            // Most paths fail late; a look at every step is cheap nevertheless.
            if !self.satisfiable()? {
                return Ok(Err(number));
            }
        }
        self.values(unrolled).map(Ok)
    }

    /// The values of the run that the solver has found.
    pub(crate) fn values(&mut self, unrolled: &Unrolled) -> Result<Values, Halt> {
        let variables = &unrolled.variables;
        let mut symbols = variables.clone();
        symbols.extend(unrolled.inputs.iter().flatten());
        let Some(model) = self.solver.model(&self.store, &symbols) else {
            return Err(Halt::GaveUp("the solver has no model".into()));
        };
        let value = |symbol: &Term| model.value_of(&self.store, *symbol);
        let initial = variables.iter().map(value).collect();
        let inputs = unrolled.inputs.iter().map(|step| step.iter().map(value).collect()).collect();
        Ok((initial, inputs))
    }

    /// The last part from which on there is a contradiction.
    fn backward(&mut self, unrolled: &Unrolled, last: usize) -> Result<usize, Halt> {
        for first in (0..=last).rev() {
            self.solver.assert(&self.store, unrolled.parts[first]);
            if !self.satisfiable()? {
                return Ok(first);
            }
        }
        Ok(0)
    }

    /// Atoms of interpolants of some parts, found in two ways. With each part
    /// comes the place it leads to.
    pub(crate) fn candidates(
        &mut self,
        unrolled: &Unrolled,
        places: &[(Term, usize)],
    ) -> Result<Vec<Term>, Halt> {
        let parts: Vec<Term> = places.iter().map(|(part, _)| *part).collect();
        let mut found = BTreeSet::new();
        let backward = vec![Method::Backward, Method::Cubes];
        let default = Options::default().methods;
        for methods in [default, backward] {
            let patience = Some(Duration::from_secs(20));
            let options = Options { methods, patience, ..Options::default() };
            let outcome =
                sequence(&mut self.store, &mut *self.solver, &parts, &options, &self.budget)?;
            let Outcome::Found(found_here) = outcome else { continue };
            for (offset, &formula) in found_here.formulas.iter().enumerate().skip(1) {
                let state = &unrolled.states[places[offset - 1].1];
                let back = state.iter().copied().zip(unrolled.variables.iter().copied());
                let mut back = Substitution::new(back.filter(|(symbol, v)| v != symbol));
                let formula = back.apply(&mut self.store, formula);
                let lifted = self.store.lift(formula);
                found.extend(self.store.atoms(lifted));
            }
        }
        Ok(self.predicates(found))
    }

    /// The atoms that speak of the variables of the program alone.
    pub(crate) fn predicates(&self, atoms: BTreeSet<Term>) -> Vec<Term> {
        let program = self.labelled.program;
        let known: BTreeSet<Term> = program.variables.iter().map(|v| v.term).collect();
        let store = &self.store;
        let fits = |atom: &Term| {
            store.value(*atom).is_none() && store.vars(*atom).iter().all(|v| known.contains(v))
        };
        atoms.into_iter().filter(fits).collect()
    }
}
