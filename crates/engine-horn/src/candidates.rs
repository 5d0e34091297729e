//! Formulas that a program suggests.
//!
//! Candidates are read off the program: what guards, the target and assignments of
//! constants say about what a process knows, what must hold before a step for that,
//! that others are not at some location, and that a condition of a guard implies one of
//! these.

use parallax_ir::{Program, Transition};
use parallax_term::{Node, Sort, Term, TermStore};
use std::collections::BTreeSet;

/// Candidates of one location.
const CANDIDATES: usize = 1000;

/// Atoms that are looked for.
const ATOMS: usize = 120;

/// Conditions under which more may hold.
const CONDITIONS: usize = 12;

/// What can be said of the variables of a program.
pub(crate) struct Candidates {
    /// About variables alone.
    plain: Vec<Term>,
    /// Conditions under which more may hold.
    conditions: Vec<Term>,
}

impl Candidates {
    /// Reads candidates off the steps and the target.
    pub(crate) fn new(
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

    /// Those about variables alone.
    pub(crate) fn plain(&self) -> &[Term] {
        &self.plain
    }

    /// Those that speak of nothing but these variables. `places` are formulas about
    /// where the others are.
    pub(crate) fn about(
        &self,
        store: &mut TermStore,
        known: &[Term],
        places: &[Term],
    ) -> Vec<Term> {
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
