//! Simulation between the states of an automaton.
//!
//! State `q` is simulated by `r` if `r` can answer every edge of `q`: for each
//! letter of the edge there is an edge of `r` with that letter that is in all
//! its acceptance sets, to a state that simulates the one reached (Etessami,
//! Wilke, Schuller, ICALP 2001; Somenzi, Bloem, CAV 2000). One function serves
//! acceptance on edges and on states, forwards and backwards.

use crate::cube::{Cube, is_covered};
use parallax_base::{Budget, Stop};

/// An edge as simulation sees it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Move {
    pub(crate) target: usize,
    pub(crate) label: Cube,
    /// The acceptance sets it is in.
    pub(crate) marks: u64,
}

/// A relation between states.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Relation {
    size: usize,
    pairs: Vec<bool>,
}

impl Relation {
    /// Whether the first is simulated by the second.
    pub(crate) fn holds(&self, q: usize, r: usize) -> bool {
        self.pairs[q * self.size + r]
    }

    /// For each state the first of those that simulate it and are simulated by it.
    pub(crate) fn representatives(&self) -> Vec<usize> {
        let same = |q: usize, r: usize| self.holds(q, r) && self.holds(r, q);
        (0..self.size).map(|q| (0..=q).find(|&r| same(q, r)).unwrap_or(q)).collect()
    }
}

/// The largest simulation among the pairs that `may` holds.
pub(crate) fn simulation(
    moves: &[Vec<Move>],
    may: impl Fn(usize, usize) -> bool,
    budget: &Budget,
) -> Result<Relation, Stop> {
    let size = moves.len();
    let mut pairs = Vec::with_capacity(size * size);
    for q in 0..size {
        pairs.extend((0..size).map(|r| q == r || may(q, r)));
    }
    let mut relation = Relation { size, pairs };
    loop {
        let mut changed = false;
        for q in 0..size {
            budget.check()?;
            for r in 0..size {
                if q != r && relation.holds(q, r) && !answers(moves, &relation, q, r) {
                    relation.pairs[q * size + r] = false;
                    changed = true;
                }
            }
        }
        if !changed {
            return Ok(relation);
        }
    }
}

fn answers(moves: &[Vec<Move>], relation: &Relation, q: usize, r: usize) -> bool {
    moves[q].iter().all(|step| {
        let good = |answer: &&Move| {
            step.marks & !answer.marks == 0 && relation.holds(step.target, answer.target)
        };
        let labels: Vec<Cube> = moves[r].iter().filter(good).map(|m| m.label).collect();
        is_covered(step.label, &labels)
    })
}

/// Whether a move is not needed, because another one of its state is as good.
pub(crate) fn is_dominated(moves: &[Move], index: usize, relation: &Relation) -> bool {
    let below = |a: &Move, b: &Move| {
        a.label.implies(b.label) && a.marks & !b.marks == 0 && relation.holds(a.target, b.target)
    };
    moves.iter().enumerate().any(|(i, other)| {
        i != index && below(&moves[index], other) && (i < index || !below(other, &moves[index]))
    })
}
