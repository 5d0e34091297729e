//! A clause as a step.

use crate::Registers;
use parallax_base::{Id, Span};
use parallax_horn::{Applied, Clause};
use parallax_ir::{Edge, Input, Update};
use parallax_term::{Linear, Node, Relation, Substitution, Term, TermStore};
use std::collections::{BTreeMap, BTreeSet};

/// The step of a clause; name, places and span are for the caller to fill in.
pub(crate) fn edge(store: &mut TermStore, registers: &Registers, clause: &Clause) -> Edge {
    let place = |applied: &Applied| registers.of[applied.predicate.index()].clone();
    let before: Vec<Term> = registers.all.iter().map(|(term, _)| *term).collect();
    let (mut known, mut parts) = (BTreeMap::<Term, Term>::new(), Vec::new());
    for applied in &clause.body {
        for (slot, &argument) in place(applied).into_iter().zip(&applied.arguments) {
            let is_new =
                matches!(store.node(argument), Node::Var(..)) && !known.contains_key(&argument);
            match is_new {
                true => drop(known.insert(argument, before[slot])),
                false => parts.push(store.eq(before[slot], argument)),
            }
        }
    }
    let mut rename = Substitution::new(known.iter().map(|(a, b)| (*a, *b)));
    parts.push(clause.constraint);
    let constraint = store.and(parts);
    let mut constraint = rename.apply(store, constraint);
    let mut values: Vec<(usize, Term)> = Vec::new();
    if let Some(applied) = &clause.head {
        for (slot, &argument) in place(applied).into_iter().zip(&applied.arguments) {
            values.push((slot, rename.apply(store, argument)));
        }
    }
    let state: BTreeSet<Term> = before.iter().copied().collect();
    while let Some((symbol, value)) = definition(store, constraint, &state) {
        let mut put = Substitution::new([(symbol, value)]);
        constraint = put.apply(store, constraint);
        values.iter_mut().for_each(|(_, term)| *term = put.apply(store, *term));
    }
    let mut inputs: BTreeSet<Term> = BTreeSet::new();
    for term in values.iter().map(|(_, term)| *term).chain([constraint]) {
        inputs.extend(store.vars(term).into_iter().filter(|v| !state.contains(v)));
    }
    // Symbols are shared by clauses; inputs belong to one step.
    let mut own = Vec::new();
    let mut fresh = Vec::new();
    for &symbol in &inputs {
        let name = store.name(symbol).cloned().unwrap_or_default();
        let sort = store.sort(symbol);
        let term = store.fresh(&name, sort);
        fresh.push((symbol, term));
        own.push(Input { term, name, low: None, high: None });
    }
    let mut fresh = Substitution::new(fresh);
    let constraint = fresh.apply(store, constraint);
    values.iter_mut().for_each(|(_, term)| *term = fresh.apply(store, *term));
    let (guard, constraint) = apart(store, constraint, &state);
    let changed = values.into_iter().filter(|(slot, value)| before[*slot] != *value);
    let updates = changed.map(|(slot, value)| Update { variable: Id::new(slot), value }).collect();
    let (source, target) = (Id::new(0), Id::new(0));
    let (name, span) = ("".into(), Span::default());
    Edge { name, source, target, action: None, guard, inputs: own, constraint, updates, span }
}

fn conjuncts(store: &TermStore, formula: Term) -> Vec<Term> {
    match store.node(formula) {
        Node::And(parts) => parts.to_vec(),
        _ => vec![formula],
    }
}

/// A symbol that is no variable of the state and what a part of a conjunction
/// says it equals.
fn definition(
    store: &mut TermStore,
    formula: Term,
    state: &BTreeSet<Term>,
) -> Option<(Term, Term)> {
    let free =
        |store: &TermStore, t: Term| matches!(store.node(t), Node::Var(..)) && !state.contains(&t);
    for part in conjuncts(store, formula) {
        let (atom, positive) = store.literal(part);
        if free(store, atom) {
            return Some((atom, store.bool(positive)));
        }
        match store.node(part).clone() {
            Node::Equal(a, b) | Node::Iff(a, b) => {
                for (symbol, value) in [(a, b), (b, a)] {
                    if free(store, symbol) && !store.vars(value).contains(&symbol) {
                        return Some((symbol, value));
                    }
                }
            }
            Node::Compare(Relation::Eq, sum) => {
                for (symbol, factor) in sum.monomials() {
                    let is_unit = factor.to_int().is_some_and(|f| f.abs().is_one());
                    let rest = sum.plus(&-factor, &Linear::term(*symbol));
                    let inside =
                        rest.monomials().iter().any(|(t, _)| store.vars(*t).contains(symbol));
                    if free(store, *symbol) && is_unit && !inside {
                        let value = rest.scaled(&-factor);
                        let sort = store.sort(*symbol);
                        return Some((*symbol, store.sum(value, sort)));
                    }
                }
            }
            _ => {}
        }
    }
    None
}

/// What is said of the state alone, and the rest.
fn apart(store: &mut TermStore, formula: Term, state: &BTreeSet<Term>) -> (Term, Term) {
    let of_state = |part: &Term| store.vars(*part).iter().all(|v| state.contains(v));
    let (guard, rest): (Vec<Term>, Vec<Term>) =
        conjuncts(store, formula).into_iter().partition(of_state);
    (store.and(guard), store.and(rest))
}
