//! The strongest annotations that are conjunctions of given formulas.
//!
//! Houdini (Flanagan, Leino, FME 2001; for threads: Flanagan, Qadeer, SPIN 2003): each
//! location begins with all candidates, and loses those that a clause contradicts,
//! until no clause contradicts any. What is left is the strongest solution of its kind,
//! so if it does not exclude the target, no other conjunction of candidates does.
//!
//! Candidates are read off the program: what guards, the target and assignments of
//! constants say about what a process knows, what must hold before a step for that, that others are not at some location, and
//! that a condition of a guard implies one of these.

use super::clauses::Annotated;
use parallax_base::{Budget, Stop};
use parallax_horn::{Applied, Clause, Solution};
use parallax_ir::{Program, Transition};
use parallax_solver::{Answer, Solver};
use parallax_term::{Node, Sort, Substitution, Term, TermStore};
use std::collections::{BTreeMap, BTreeSet};

/// Candidates of one location.
const CANDIDATES: usize = 1000;

/// Atoms that are looked for.
const ATOMS: usize = 120;

/// Conditions under which more may hold.
const CONDITIONS: usize = 12;

/// What can be said of the variables of a program.
pub(super) struct Candidates {
    /// About variables alone.
    plain: Vec<Term>,
    /// Conditions under which more may hold.
    conditions: Vec<Term>,
}

impl Candidates {
    /// Reads candidates off the steps and the target.
    pub(super) fn new(
        program: &Program,
        store: &mut TermStore,
        transitions: &[Transition],
        target: Term,
    ) -> Candidates {
        let controls: Vec<Term> =
            program.processes.iter().map(|p| program.variables[p.control].term).collect();
        let symbols: BTreeSet<Term> = program.variables.iter().map(|v| v.term).collect();
        let mut found: BTreeSet<Term> = BTreeSet::new();
        let mut roots = vec![target];
        roots.extend(transitions.iter().flat_map(|t| [t.guard, t.constraint]));
        for atom in roots.into_iter().flat_map(|root| store.atoms(root)).collect::<Vec<_>>() {
            let about = store.vars(atom);
            if about.iter().all(|v| symbols.contains(v) && !controls.contains(v)) {
                found.insert(atom);
            }
        }
        // What is assigned somewhere, or there at first, may be so for a while.
        let mut values: Vec<(Term, Term)> = Vec::new();
        for (variable, value) in program.variables.iter().zip(&program.init.fixed) {
            if let Some(value) = value {
                values.push((variable.term, store.constant(value.clone())));
            }
        }
        for update in transitions.iter().flat_map(|t| &t.updates) {
            values.push((program.variables[update.variable].term, update.value));
        }
        for (variable, value) in values {
            let simple = store.value(value).is_some()
                || matches!(store.node(value), Node::Var(..)) && symbols.contains(&value);
            if simple && !controls.contains(&variable) {
                let same = store.eq(variable, value);
                found.extend(store.atoms(same));
                if store.sort(variable) == Sort::Int {
                    found.insert(store.le(variable, value));
                    found.insert(store.le(value, variable));
                }
            }
        }
        found.retain(|&t| store.value(t).is_none());
        // What must hold before a step so that one of these holds after it.
        for transition in transitions {
            let before = transition.assignment(program);
            for atom in found.clone() {
                let earlier = store.substitute(atom, &before);
                for atom in store.atoms(earlier) {
                    let about = store.vars(atom);
                    if about.iter().all(|v| symbols.contains(v) && !controls.contains(v)) {
                        found.insert(atom);
                    }
                }
                if found.len() > ATOMS {
                    break;
                }
            }
        }
        let found: Vec<Term> = found.into_iter().filter(|&t| store.value(t).is_none()).collect();
        let guards: BTreeSet<Term> =
            transitions.iter().flat_map(|t| store.atoms(t.guard)).collect();
        let mut conditions: Vec<Term> =
            found.iter().copied().filter(|t| guards.contains(t)).collect();
        conditions.sort_by_key(|&t| !matches!(store.node(t), Node::Var(..)));
        conditions.truncate(CONDITIONS);
        let mut plain = Vec::new();
        for atom in found {
            plain.push(atom);
            plain.push(store.not(atom));
        }
        Candidates { plain, conditions }
    }

    /// Those that speak of nothing but these variables. `places` are formulas about
    /// where the others are.
    fn about(&self, store: &mut TermStore, known: &[Term], places: &[Term]) -> Vec<Term> {
        let speaks = |store: &TermStore, t: Term| store.vars(t).iter().all(|v| known.contains(v));
        let mut found: Vec<Term> = self.plain.clone();
        found.extend(places);
        found.retain(|&t| speaks(store, t));
        let simple = found.clone();
        let mut seen: BTreeSet<Term> = found.iter().copied().collect();
        for condition in self.conditions.clone() {
            if !speaks(store, condition) {
                continue;
            }
            for literal in [condition, store.not(condition)] {
                for &then in &simple {
                    let not = store.not(literal);
                    let implied = store.or([not, then]);
                    if store.value(implied).is_none() && seen.insert(implied) {
                        found.push(implied);
                    }
                }
            }
        }
        found.truncate(CANDIDATES);
        found
    }
}

/// A clause with the candidates of its predicates put in.
struct Instance<'a> {
    clause: &'a Clause,
    /// By predicate of the body: a formula for each of its candidates.
    body: Vec<(usize, Vec<Term>)>,
    head: Option<(usize, Vec<Term>)>,
}

/// The strongest solution by candidates; `None` if it does not exclude the target, or
/// if the solver gives up.
pub(super) fn strongest(
    annotated: &Annotated,
    program: &Program,
    candidates: &Candidates,
    store: &TermStore,
    solver: &mut dyn Solver,
    budget: &Budget,
) -> Result<Option<Solution>, Stop> {
    let mut store = store.clone();
    let system = &annotated.system;
    let mut places = Vec::new();
    for (id, process) in program.processes.iter_enumerated() {
        for location in process.locations.ids() {
            let at = program.at(&mut store, id, location);
            places.push(store.not(at));
        }
    }
    let mut kept: Vec<Vec<bool>> = Vec::new();
    let mut all: Vec<Vec<Term>> = Vec::new();
    let mut known: BTreeMap<Vec<Term>, Vec<Term>> = BTreeMap::new();
    for predicate in &system.predicates {
        let found = known
            .entry(predicate.parameters.to_vec())
            .or_insert_with(|| candidates.about(&mut store, &predicate.parameters, &places));
        kept.push(vec![true; found.len()]);
        all.push(found.clone());
    }
    let mut put_in = |applied: &Applied| {
        let predicate = applied.predicate.index();
        let parameters = system.predicates[applied.predicate].parameters.iter().copied();
        let pairs = parameters.zip(applied.arguments.iter().copied());
        let mut here = Substitution::new(pairs);
        let terms = all[predicate].iter().map(|&t| here.apply(&mut store, t)).collect();
        (predicate, terms)
    };
    let instances: Vec<Instance<'_>> = system
        .clauses
        .iter()
        .map(|clause| Instance {
            clause,
            body: clause.body.iter().map(&mut put_in).collect(),
            head: clause.head.as_ref().map(&mut put_in),
        })
        .collect();
    let mut open: BTreeSet<usize> =
        (0..instances.len()).filter(|&i| instances[i].head.is_some()).collect();
    while let Some(number) = open.pop_first() {
        let instance = &instances[number];
        let Some((head, claims)) = &instance.head else { continue };
        let mut changed = false;
        loop {
            budget.check()?;
            let mut parts = assumed(instance, &kept);
            let claimed = claims.iter().zip(&kept[*head]).filter(|(_, kept)| **kept);
            let claimed: Vec<Term> = claimed.map(|(&t, _)| t).collect();
            let claimed = store.and(claimed);
            parts.push(store.not(claimed));
            let formula = store.and(parts);
            if store.is_false(formula) {
                break;
            }
            solver.push();
            solver.assert(&store, formula);
            let answer = solver.check(&store, &[], budget);
            let model = match answer {
                Ok(Answer::Sat) => {
                    let symbols: Vec<Term> = claims
                        .iter()
                        .chain([&formula])
                        .flat_map(|&t| store.vars(t))
                        .collect::<BTreeSet<_>>()
                        .into_iter()
                        .collect();
                    solver.model(&store, &symbols)
                }
                _ => None,
            };
            solver.pop();
            match answer? {
                Answer::Unsat => break,
                Answer::Unknown(_) => return Ok(None),
                Answer::Sat => {}
            }
            let Some(model) = model else { return Ok(None) };
            let values = model.eval_all(&store, claims);
            let mut lost = false;
            for (value, kept) in values.iter().zip(&mut kept[*head]) {
                if *kept && value.as_bool() == Some(false) {
                    (*kept, lost) = (false, true);
                }
            }
            if !lost {
                return Ok(None);
            }
            changed = true;
        }
        if changed {
            let uses = |i: &Instance<'_>| i.body.iter().any(|(p, _)| p == head);
            open.extend(
                (0..instances.len())
                    .filter(|&i| instances[i].head.is_some() && uses(&instances[i])),
            );
        }
    }
    for instance in instances.iter().filter(|i| i.head.is_none()) {
        budget.check()?;
        let formula = store.and(assumed(instance, &kept));
        if store.is_false(formula) {
            continue;
        }
        solver.push();
        solver.assert(&store, formula);
        let answer = solver.check(&store, &[], budget);
        solver.pop();
        if answer? != Answer::Unsat {
            return Ok(None);
        }
    }
    let mut formulas = Vec::new();
    for (terms, kept) in all.iter().zip(&kept) {
        let left: Vec<Term> = terms.iter().zip(kept).filter(|(_, k)| **k).map(|p| *p.0).collect();
        formulas.push(store.and(left));
    }
    Ok(Some(Solution { store, formulas }))
}

/// The body of a clause, with what is left of its candidates.
fn assumed(instance: &Instance<'_>, kept: &[Vec<bool>]) -> Vec<Term> {
    let mut parts = vec![instance.clause.constraint];
    for (predicate, terms) in &instance.body {
        let left = terms.iter().zip(&kept[*predicate]).filter(|(_, kept)| **kept);
        parts.extend(left.map(|(&term, _)| term));
    }
    parts
}
