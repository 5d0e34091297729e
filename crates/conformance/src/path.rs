//! Paths of a program: whether they can be taken, and if not, why.
//!
//! Forward, strongest postconditions say where a path ends; backward from
//! there, existential preimages say where it could not have begun. Between the
//! two lies the minimal infeasible part. Interpolants of that part are made of
//! candidate predicates.

use crate::abstraction::Abstractor;
use crate::outcome::Halt;
use crate::tree::{Step, Tree};
use parallax_interpolate::{Method, Options, Outcome, sequence};
use parallax_solver::Answer;
use parallax_term::{Substitution, Term, Value};
use std::collections::BTreeSet;
use std::time::Duration;

/// Variables and what stands for them.
pub(crate) type Names = Vec<(Term, Term)>;

/// Paths in static single assignment form.
pub(crate) struct Unrolled {
    /// The initial condition, then one formula for each step.
    pub(crate) parts: Vec<Term>,
    /// After each part, the symbol or value of every variable.
    versions: Vec<Names>,
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

/// Values of a run: the variables at the start, then the inputs of each step.
pub(crate) type Values = (Vec<Value>, Vec<Vec<Value>>);

/// Whether a path can be taken.
pub(crate) enum Taken {
    Yes(Values),
    No(Infeasible),
}

impl Abstractor<'_> {
    pub(crate) fn unroll(&mut self, tree: &Tree) -> Unrolled {
        let variables: Vec<Term> = self.labelled.program.variables.iter().map(|v| v.term).collect();
        let (mut parts, mut inputs) = (vec![self.initial], Vec::new());
        let mut versions: Vec<Names> = vec![variables.iter().map(|&v| (v, v)).collect()];
        for (number, &Step { edge, parent }) in tree.steps.iter().enumerate() {
            let current = versions[Tree::place(parent)].clone();
            let fresh: Names = self.edges[edge]
                .inputs
                .iter()
                .map(|&input| {
                    let sort = self.store.sort(input);
                    (input, self.store.var(&format!("in@{number}@{}", input.index()), sort))
                })
                .collect();
            let pairs = current.iter().copied().chain(fresh.iter().copied());
            let mut here = Substitution::new(pairs);
            let mut conjuncts = vec![here.apply(&mut self.store, self.edges[edge].condition)];
            let mut next = current;
            for (variable, value) in &self.edges[edge].updates {
                let value = here.apply(&mut self.store, *value);
                let sort = self.store.sort(*variable);
                let symbol = self.store.var(&format!("at@{number}@{}", variable.index()), sort);
                conjuncts.push(self.store.eq(symbol, value));
                if let Some(slot) = next.iter_mut().find(|(v, _)| v == variable) {
                    slot.1 = symbol;
                }
            }
            parts.push(self.store.and(conjuncts));
            versions.push(next);
            inputs.push(fresh.into_iter().map(|(_, symbol)| symbol).collect());
        }
        Unrolled { parts, versions, inputs }
    }

    pub(crate) fn satisfiable(&mut self) -> Result<bool, Halt> {
        match self.solver.check(&self.store, &[], &self.budget)? {
            Answer::Sat => Ok(true),
            Answer::Unsat => Ok(false),
            Answer::Unknown(why) => Err(Halt::Unknown(why)),
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
            return Err(Halt::Unknown("no predicate excludes an infeasible path".into()));
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
        let variables: Vec<Term> = self.labelled.program.variables.iter().map(|v| v.term).collect();
        let mut symbols = variables.clone();
        symbols.extend(unrolled.inputs.iter().flatten());
        let Some(model) = self.solver.model(&self.store, &symbols) else {
            return Err(Halt::Unknown("the solver has no model".into()));
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
                let versions = &unrolled.versions[places[offset - 1].1];
                let back = versions.iter().filter(|(v, symbol)| v != symbol);
                let back = back.map(|&(variable, symbol)| (symbol, variable));
                let mut back = Substitution::new(back);
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
