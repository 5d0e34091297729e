//! Which variables are worth tracking by value.
//!
//! A variable that is never computed, only given constants, inputs or the
//! values of other such variables, has few values that matter: states of
//! protocols, flags, program counters of simulated threads. Knowing which of
//! its constants it holds, or that it holds none of them, decides nearly every
//! predicate on it at once, and the formula of a step from that value is a
//! small part of the whole (Beyer, Loewe: Explicit-state software model
//! checking based on CEGAR and interpolation, FASE 2013).
//!
//! This is a guess, never a premise: a variable whose values multiply is given
//! up and tracked by predicates.

use parallax_base::Id;
use parallax_ir::{Program, Role, Transition, Variable};
use parallax_term::{Node, Sort, Term, TermStore, Value};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// A domain of at most so many values is small.
const SMALL: u64 = 16;

/// More constants than this are too many.
const CONSTANTS: usize = 100;

/// Per variable: the constants it may hold, in increasing order; none if it is
/// not worth tracking.
pub(crate) fn constants(
    program: &Program,
    store: &TermStore,
    transitions: &[Transition],
) -> Vec<Vec<Value>> {
    let slots: FxHashMap<Term, Id<Variable>> =
        program.variables.iter_enumerated().map(|(id, v)| (v.term, id)).collect();
    // Per variable: its constants and the variables it is copied from.
    let mut sets: Vec<Option<BTreeSet<Value>>> = Vec::new();
    for (variable, fixed) in program.variables.iter().zip(&program.init.fixed) {
        let sort = variable.domain.sort();
        let may = matches!(sort, Sort::Bool | Sort::Int | Sort::Bv(_));
        let is_control = matches!(variable.role, Role::Control(_));
        sets.push((may && !is_control).then(|| fixed.iter().cloned().collect()));
    }
    let mut copies: Vec<(usize, usize)> = Vec::new();
    for update in transitions.iter().flat_map(|t| &t.updates) {
        let to = update.variable.index();
        if is_small(&program.variables[update.variable]) {
            continue;
        }
        for leaf in leaves(store, update.value) {
            match (store.value(leaf), slots.get(&leaf), store.node(leaf)) {
                (Some(value), ..) => {
                    sets[to].as_mut().map(|set| set.insert(value.clone()));
                }
                (None, Some(from), _) => copies.push((from.index(), to)),
                (None, None, Node::Var(..)) => {}
                _ => sets[to] = None,
            }
        }
    }
    loop {
        let mut changed = false;
        for &(from, to) in &copies {
            match (sets[from].clone(), &mut sets[to]) {
                (_, None) => {}
                (None, set) => {
                    *set = None;
                    changed = true;
                }
                (Some(more), Some(set)) => {
                    let before = set.len();
                    set.extend(more);
                    changed |= set.len() > before;
                }
            }
        }
        if !changed {
            break;
        }
    }
    let variables = program.variables.iter().zip(sets);
    let constants = variables.map(|(variable, set)| {
        let is_control = matches!(variable.role, Role::Control(_));
        match set {
            _ if is_small(variable) && !is_control => variable.domain.values().collect(),
            Some(set) if set.len() <= CONSTANTS => set.into_iter().collect(),
            _ => Vec::new(),
        }
    });
    constants.collect()
}

fn is_small(variable: &Variable) -> bool {
    variable.domain.size().is_some_and(|n| n <= SMALL)
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
