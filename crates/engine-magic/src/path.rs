//! Paths of a program: whether they can be taken, and if not, why.
//!
//! Forward, strongest postconditions say where a path ends; backward from
//! there, existential preimages say where it could not have begun. Between the
//! two lies the minimal infeasible part. Interpolants of that part are made of
//! candidate predicates.

use crate::abstraction::Abstractor;
use crate::outcome::Halt;
use parallax_interpolate::{Method, Options, Outcome, sequence};
use parallax_solver::{Answer, Solver, SolverConfig};
use parallax_term::{Sort, Substitution, Term, Value};
use std::collections::BTreeSet;
use std::time::Duration;

/// A path in static single assignment form.
pub(crate) struct Unrolled {
    /// The initial condition, then one formula for each edge.
    pub(crate) parts: Vec<Term>,
    /// After each part, the symbol or value of every variable.
    versions: Vec<Vec<(Term, Term)>>,
    /// The inputs of each edge.
    inputs: Vec<Vec<Term>>,
}

/// What is wrong with a path.
pub(crate) struct Infeasible {
    /// The first edge of the part that cannot be; `None` if it begins with the
    /// initial condition.
    pub(crate) first: Option<usize>,
    /// The last edge of it.
    pub(crate) last: usize,
    /// Predicates that may exclude it.
    pub(crate) candidates: Vec<Term>,
}

/// Values of a run: the variables at the start, then the inputs of each edge.
pub(crate) type Values = (Vec<Value>, Vec<Vec<Value>>);

/// Whether a path can be taken.
pub(crate) enum Taken {
    Yes(Values),
    No(Infeasible),
}

impl Abstractor<'_> {
    fn unroll(&mut self, path: &[usize]) -> Unrolled {
        let variables: Vec<Term> = self.labelled.program.variables.iter().map(|v| v.term).collect();
        let mut current: Vec<(Term, Term)> = variables.iter().map(|&v| (v, v)).collect();
        let (mut parts, mut inputs) = (vec![self.initial], Vec::new());
        let mut versions = vec![current.clone()];
        for (number, &edge) in path.iter().enumerate() {
            let fresh: Vec<(Term, Term)> = self.edges[edge]
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
            let mut next = current.clone();
            for (variable, value) in &self.edges[edge].updates {
                let value = here.apply(&mut self.store, *value);
                let sort = self.store.sort(*variable);
                let symbol = self.store.var(&format!("at@{number}@{}", variable.index()), sort);
                conjuncts.push(self.store.eq(symbol, value));
                if let Some(slot) = next.iter_mut().find(|(v, _)| v == variable) {
                    slot.1 = symbol;
                }
            }
            current = next;
            parts.push(self.store.and(conjuncts));
            versions.push(current.clone());
            inputs.push(fresh.into_iter().map(|(_, symbol)| symbol).collect());
        }
        Unrolled { parts, versions, inputs }
    }

    fn satisfiable(&mut self) -> Result<bool, Halt> {
        match self.solver.check(&self.store, &[], &self.budget)? {
            Answer::Sat => Ok(true),
            Answer::Unsat => Ok(false),
            Answer::Unknown(why) => Err(Halt::Unknown(why)),
        }
    }

    /// Whether a path of edges can be taken.
    pub(crate) fn take(&mut self, path: &[usize]) -> Result<Taken, Halt> {
        let unrolled = self.unroll(path);
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
        let candidates = self.candidates(&unrolled, first, last)?;
        if candidates.is_empty() {
            return Err(Halt::Unknown("no predicate excludes an infeasible path".into()));
        }
        Ok(Taken::No(Infeasible { first: first.checked_sub(1), last: last - 1, candidates }))
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
        let variables: Vec<Term> = self.labelled.program.variables.iter().map(|v| v.term).collect();
        let mut symbols = variables.clone();
        symbols.extend(unrolled.inputs.iter().flatten());
        let Some(model) = self.solver.model(&self.store, &symbols) else {
            return Err(Halt::Unknown("the solver has no model".into()));
        };
        let value = |symbol: &Term| model.value_of(&self.store, *symbol);
        let initial = variables.iter().map(value).collect();
        let inputs = unrolled.inputs.iter().map(|step| step.iter().map(value).collect()).collect();
        Ok(Ok((initial, inputs)))
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

    /// Atoms of interpolants of some parts, found in two ways.
    fn candidates(
        &mut self,
        unrolled: &Unrolled,
        first: usize,
        last: usize,
    ) -> Result<Vec<Term>, Halt> {
        let parts = &unrolled.parts[first..=last];
        let mut found = BTreeSet::new();
        let backward = vec![Method::Backward, Method::Cubes];
        let default = Options::default().methods;
        for methods in [default, backward] {
            let patience = Some(Duration::from_secs(20));
            let options = Options { methods, patience, ..Options::default() };
            let outcome =
                sequence(&mut self.store, &mut *self.solver, parts, &options, &self.budget)?;
            let Outcome::Found(found_here) = outcome else { continue };
            for (offset, &formula) in found_here.formulas.iter().enumerate().skip(1) {
                let versions = &unrolled.versions[first + offset - 1];
                let back = versions.iter().filter(|(v, symbol)| v != symbol);
                let back = back.map(|&(variable, symbol)| (symbol, variable));
                let mut back = Substitution::new(back);
                let formula = back.apply(&mut self.store, formula);
                let lifted = self.store.lift(formula);
                found.extend(self.store.atoms(lifted));
            }
        }
        let program = self.labelled.program;
        let known: BTreeSet<Term> = program.variables.iter().map(|v| v.term).collect();
        let store = &self.store;
        let fits = |atom: &Term| {
            store.value(*atom).is_none() && store.vars(*atom).iter().all(|v| known.contains(v))
        };
        Ok(found.into_iter().filter(fits).collect())
    }
}

/// Variables and what stands for them.
type Names = Vec<(Term, Term)>;

/// An infeasible part of a path, asked again and again: is it excluded by a
/// set of predicates?
///
/// The part is cut between its edges: what is behind a cut need only agree on
/// the predicates with what is before it. That is what an abstraction by these
/// predicates knows.
pub(crate) struct Excluded {
    solver: Box<dyn Solver>,
    /// Formulas at each cut: substitutions for before and after.
    cuts: Vec<(Names, Names)>,
    selectors: Vec<(Term, Term)>,
}

impl Excluded {
    pub(crate) fn new(
        owner: &mut Abstractor<'_>,
        path: &[usize],
        part: &Infeasible,
        config: &SolverConfig,
    ) -> Result<Excluded, Halt> {
        let mut solver =
            config.open().map_err(|error| Halt::Unknown(format!("no solver: {error}")))?;
        let variables: Vec<Term> =
            owner.labelled.program.variables.iter().map(|v| v.term).collect();
        let mut cuts = Vec::new();
        // The values before the next edge, of the edge before.
        let mut before: Option<Vec<(Term, Term)>> = None;
        if part.first.is_none() {
            let names = copies(owner, &variables, "start");
            let initial =
                Substitution::new(names.iter().copied()).apply(&mut owner.store, owner.initial);
            solver.assert(&owner.store, initial);
            before = Some(names);
        }
        let from = part.first.unwrap_or(0);
        for (number, &edge) in path[from..=part.last].iter().enumerate() {
            let mut names = copies(owner, &variables, &format!("cut{number}"));
            if let Some(earlier) = before.take() {
                cuts.push((earlier, names.clone()));
            }
            let inputs = owner.edges[edge].inputs.clone();
            names.extend(copies(owner, &inputs, &format!("cut{number}")));
            let mut here = Substitution::new(names.iter().copied());
            let condition = here.apply(&mut owner.store, owner.edges[edge].condition);
            solver.assert(&owner.store, condition);
            let mut after: Vec<(Term, Term)> = names[..variables.len()].to_vec();
            for (variable, value) in &owner.edges[edge].updates {
                let value = here.apply(&mut owner.store, *value);
                if let Some(slot) = after.iter_mut().find(|(v, _)| v == variable) {
                    slot.1 = value;
                }
            }
            before = Some(after);
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
