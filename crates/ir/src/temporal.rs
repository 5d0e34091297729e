//! Formulas of linear temporal logic about the runs of a program.
//!
//! The word of a run has one letter per state: the set of atoms that hold
//! there. A run that ends (no step is possible) is extended by its last state
//! for ever, so every run has an infinite word. All runs count; no fairness is
//! assumed.

use crate::{Program, State};
use parallax_ltl::{Formula, Node, Sub};
use parallax_term::{Code, Scratch, Term, TermStore, Value};
use std::sync::Arc;

/// Conditions nested deeper than this are not read off a formula.
const DEPTH: u32 = 256;

/// A formula whose atoms are formulas over the variables of a program.
#[derive(Clone, Debug)]
pub struct Temporal {
    /// The formula.
    pub formula: Formula,
    /// What its atoms stand for, in the same order.
    pub atoms: Vec<Term>,
    /// The formula as it was written.
    pub text: Arc<str>,
}

impl Temporal {
    /// The condition on single states, if the formula says that one holds at all
    /// times: `[] p`, or several of this kind.
    pub fn always(&self, store: &mut TermStore) -> Option<Term> {
        let formulas = &self.formula.store;
        let mut parts = Vec::new();
        let mut open = vec![self.formula.root];
        while let Some(part) = open.pop() {
            match formulas.node(part) {
                Node::And(items) => open.extend(items.iter().copied()),
                Node::Release(first, second) if *formulas.node(*first) == Node::False => {
                    parts.push(self.condition(store, *second, 0)?);
                }
                _ => return None,
            }
        }
        Some(store.and(parts))
    }

    /// A part of the formula that speaks of the present alone.
    fn condition(&self, store: &mut TermStore, part: Sub, depth: u32) -> Option<Term> {
        if depth > DEPTH {
            return None;
        }
        match self.formula.store.node(part).clone() {
            Node::True => Some(store.bool(true)),
            Node::False => Some(store.bool(false)),
            Node::Atom(atom) => self.atoms.get(atom as usize).copied(),
            Node::Not(inner) => {
                let inner = self.condition(store, inner, depth + 1)?;
                Some(store.not(inner))
            }
            Node::And(items) | Node::Or(items) => {
                let mut terms = Vec::new();
                for &item in &items {
                    terms.push(self.condition(store, item, depth + 1)?);
                }
                let is_and = matches!(self.formula.store.node(part), Node::And(_));
                Some(if is_and { store.and(terms) } else { store.or(terms) })
            }
            Node::Next(_) | Node::Until(..) | Node::Release(..) => None,
        }
    }
}

/// Says which atoms of a formula hold in a state.
pub struct Letters {
    code: Code,
    count: usize,
    scratch: Scratch,
}

impl Letters {
    /// Compiles the atoms.
    pub fn new(program: &Program, temporal: &Temporal) -> Letters {
        let code = Code::compile(&program.store, &temporal.atoms, |t| program.slot(t));
        Letters { code, count: temporal.atoms.len(), scratch: Scratch::default() }
    }

    /// The letter of a state: bit `i` is set if atom `i` holds.
    pub fn of(&mut self, state: &State) -> u64 {
        self.code.run(state, &mut self.scratch);
        let holds = |i: &usize| *self.code.output(*i, &self.scratch) == Value::Bool(true);
        (0..self.count).filter(holds).fold(0, |letter, i| letter | 1 << i)
    }
}
