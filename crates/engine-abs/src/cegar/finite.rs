//! Which variables are worth tracking by value.
//!
//! A variable that is only ever given constants, or the values of other such
//! variables, has few values: states of protocols, flags, program counters of
//! simulated threads. Knowing its value decides every predicate on it at once,
//! and the formula of a step from that value is a small part of the whole
//! (Beyer, Loewe: Explicit-state software model checking based on CEGAR and
//! interpolation, FASE 2013).
//!
//! This is a guess, never a premise: a variable that turns out to have many
//! values is given up and tracked by predicates.

use parallax_base::Id;
use parallax_ir::{Program, Role, Transition, Variable};
use parallax_term::{Node, Sort, Term, TermStore};
use rustc_hash::FxHashMap;

/// A domain of at most so many values is small.
const SMALL: u64 = 16;

/// Per variable: whether it has few values, as far as its updates show.
pub(crate) fn finite(
    program: &Program,
    store: &TermStore,
    transitions: &[Transition],
) -> Vec<bool> {
    let slots: FxHashMap<Term, Id<Variable>> =
        program.variables.iter_enumerated().map(|(id, v)| (v.term, id)).collect();
    let small = |v: &Variable| v.domain.size().is_some_and(|n| n <= SMALL);
    let mut finite: Vec<bool> = Vec::new();
    for variable in &program.variables {
        let sort = variable.domain.sort();
        let may = matches!(sort, Sort::Bool | Sort::Int | Sort::Bv(_));
        finite.push(may && !matches!(variable.role, Role::Control(_)));
    }
    loop {
        let mut changed = false;
        for update in transitions.iter().flat_map(|t| &t.updates) {
            let variable = &program.variables[update.variable];
            if !finite[update.variable.index()] || small(variable) {
                continue;
            }
            let known = |t: Term| slots.get(&t).is_some_and(|&v| finite[v.index()]);
            if !leaves(store, update.value).into_iter().all(|leaf| {
                store.value(leaf).is_some() || known(leaf) || store.sort(leaf) == Sort::Bool
            }) {
                finite[update.variable.index()] = false;
                changed = true;
            }
        }
        if !changed {
            return finite;
        }
    }
}

/// What a term can be, its conditionals decided.
fn leaves(store: &TermStore, term: Term) -> Vec<Term> {
    let mut found = Vec::new();
    let mut seen = rustc_hash::FxHashSet::default();
    let mut open = vec![term];
    while let Some(term) = open.pop() {
        if !seen.insert(term) {
            continue;
        }
        match *store.node(term) {
            Node::Ite(_, a, b) => open.extend([a, b]),
            _ => found.push(term),
        }
    }
    found
}
