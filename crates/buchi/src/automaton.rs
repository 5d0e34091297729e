//! Büchi automata with acceptance on states, and the translation.

use crate::cube::{Cube, minimized};
use crate::degeneralize::degeneralized;
use crate::expand::expanded;
use crate::simplify::simplified;
use parallax_base::components;
use parallax_base::{Budget, Event, Stop};
use parallax_ltl::{Formula, Lasso};
use std::collections::BTreeMap;

/// An edge of an automaton.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Edge {
    /// The state it leads to.
    pub target: usize,
    /// The letters it takes.
    pub label: Cube,
}

/// A state of an automaton.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct State {
    /// Whether runs that come here infinitely often are accepting.
    pub accepting: bool,
    /// The edges that leave it. Several may lead to one state: their labels
    /// are then alternatives.
    pub edges: Vec<Edge>,
}

/// A Büchi automaton: it accepts a word if some run on it meets accepting
/// states infinitely often.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Automaton {
    /// The names of the atoms that letters consist of.
    pub atoms: Vec<String>,
    /// The states, by number.
    pub states: Vec<State>,
    /// Where runs begin.
    pub initial: usize,
}

/// Why a formula was not translated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TranslateError {
    /// The limits of the run were reached.
    #[error("{0} reached while translating the formula")]
    Stopped(Stop),
    /// There are more untils than acceptance sets can be held.
    #[error("the formula has more than 64 different untils")]
    TooManyUntils,
}

impl From<Stop> for TranslateError {
    fn from(stop: Stop) -> TranslateError {
        TranslateError::Stopped(stop)
    }
}

/// An automaton that accepts the words of the formula, or those of its
/// negation.
///
/// # Errors
/// The limits were reached, or the formula is out of all proportion.
pub fn translate(
    formula: &Formula,
    negated: bool,
    budget: &Budget,
) -> Result<Automaton, TranslateError> {
    let atoms: Vec<String> = formula.atoms.iter().map(|a| a.text.clone()).collect();
    budget.notice(Event::Phase("translate"));
    let (mut store, root) = formula.normal_form(negated);
    let root = simplified(&mut store, root, budget)?;
    let mut general = expanded(&store, root, budget)?;
    general.reduce(budget)?;
    Ok(degeneralized(&general, &atoms, budget)?)
}

impl State {
    /// Joins edges that differ in their labels only; in order.
    pub(crate) fn join_edges(&mut self) {
        let mut labels: BTreeMap<usize, Vec<Cube>> = BTreeMap::new();
        for edge in &self.edges {
            labels.entry(edge.target).or_default().push(edge.label);
        }
        let joined = labels.into_iter().flat_map(|(target, cubes)| {
            minimized(cubes).into_iter().map(move |label| Edge { target, label })
        });
        self.edges = joined.collect();
    }
}

impl Automaton {
    /// The automaton that accepts nothing.
    pub(crate) fn empty(atoms: &[String]) -> Automaton {
        Automaton { atoms: atoms.to_vec(), states: vec![State::default()], initial: 0 }
    }

    /// How many edges there are, those between the same states counted once.
    pub fn edge_count(&self) -> usize {
        let targets = |state: &State| {
            let mut targets: Vec<usize> = state.edges.iter().map(|e| e.target).collect();
            targets.sort_unstable();
            targets.dedup();
            targets.len()
        };
        self.states.iter().map(targets).sum()
    }

    /// Whether no state has two ways to go on after the same letter.
    pub fn is_deterministic(&self) -> bool {
        self.states.iter().all(|state| {
            state.edges.iter().enumerate().all(|(i, a)| {
                let clash = |b: &Edge| b.target != a.target && a.label.and(b.label).is_some();
                !state.edges[..i].iter().any(clash)
            })
        })
    }

    /// Whether every state has a way to go on after every letter.
    pub fn is_complete(&self) -> bool {
        self.states.iter().all(|state| {
            let labels: Vec<Cube> = state.edges.iter().map(|e| e.label).collect();
            crate::cube::is_covered(Cube::TRUE, &labels)
        })
    }

    /// Whether the automaton accepts a word.
    pub fn accepts(&self, word: &Lasso) -> bool {
        if word.cycle.is_empty() {
            return false;
        }
        // Pairs of a state and a position; an accepting one on a cycle that
        // can be reached is an accepting run.
        let node = |state: usize, position: usize| state * word.len() + position;
        let mut successors = vec![Vec::new(); self.states.len() * word.len()];
        let mut reached = vec![false; successors.len()];
        let mut waiting = vec![(self.initial, 0)];
        reached[node(self.initial, 0)] = true;
        while let Some((state, position)) = waiting.pop() {
            let letter = word.letter(position);
            for edge in self.states[state].edges.iter().filter(|e| e.label.holds(letter)) {
                let next = (edge.target, word.next(position));
                successors[node(state, position)].push(node(next.0, next.1));
                if !std::mem::replace(&mut reached[node(next.0, next.1)], true) {
                    waiting.push(next);
                }
            }
        }
        let component =
            components(successors.len(), |node, nth| successors[node].get(nth).copied());
        (0..successors.len()).any(|n| {
            let cyclic = || {
                let members = (0..successors.len()).filter(|&m| component[m] == component[n]);
                members.flat_map(|m| &successors[m]).any(|&t| component[t] == component[n])
            };
            reached[n] && self.states[n / word.len()].accepting && cyclic()
        })
    }
}
