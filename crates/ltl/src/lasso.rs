//! Formulas on ultimately periodic words, straight from their meaning.
//!
//! A lasso is a finite word of different positions: after the last one comes
//! the first of the cycle again. Until is the least solution of its expansion
//! law on these positions, release the greatest. Nothing here knows automata,
//! so this is what automata and counterexamples are checked against.

use crate::formula::{Formula, Node};

/// A word that repeats its second part for ever. A letter is the set of atoms
/// that hold, one bit each.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lasso {
    /// What comes once.
    pub stem: Vec<u64>,
    /// What comes for ever; not empty.
    pub cycle: Vec<u64>,
}

/// Where each part of a formula holds: by the index of the part, then by position.
pub type Truth = Vec<Vec<bool>>;

impl Lasso {
    /// The number of positions.
    pub fn len(&self) -> usize {
        self.stem.len() + self.cycle.len()
    }

    /// Whether there is no letter at all; such a lasso is no word.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The letter at a position.
    pub fn letter(&self, position: usize) -> u64 {
        match self.stem.get(position) {
            Some(letter) => *letter,
            None => self.cycle[position - self.stem.len()],
        }
    }

    /// The position after a position.
    pub fn next(&self, position: usize) -> usize {
        if position + 1 < self.len() { position + 1 } else { self.stem.len() }
    }

    /// Whether the word satisfies the formula; an empty cycle satisfies none.
    pub fn satisfies(&self, formula: &Formula) -> bool {
        !self.cycle.is_empty() && self.evaluate(formula)[formula.root.index()][0]
    }

    /// Where the parts of a formula hold. Parts that do not occur in it are
    /// nowhere true.
    pub fn evaluate(&self, formula: &Formula) -> Truth {
        let store = &formula.store;
        let mut truth = vec![vec![false; self.len()]; store.len()];
        if self.cycle.is_empty() {
            return truth;
        }
        for part in store.parts(formula.root) {
            let at = |f: &parallax_base::Id<Node>, i: usize| truth[f.index()][i];
            let positions = 0..self.len();
            let row = match store.node(part) {
                Node::True => vec![true; self.len()],
                Node::False => vec![false; self.len()],
                Node::Atom(atom) => positions.map(|i| self.letter(i) >> atom & 1 == 1).collect(),
                Node::Not(f) => positions.map(|i| !at(f, i)).collect(),
                Node::And(fs) => positions.map(|i| fs.iter().all(|f| at(f, i))).collect(),
                Node::Or(fs) => positions.map(|i| fs.iter().any(|f| at(f, i))).collect(),
                Node::Next(f) => positions.map(|i| at(f, self.next(i))).collect(),
                Node::Until(a, b) => {
                    self.fixpoint(false, |i, later| at(b, i) || (at(a, i) && later))
                }
                Node::Release(a, b) => {
                    self.fixpoint(true, |i, later| at(b, i) && (at(a, i) || later))
                }
            };
            truth[part.index()] = row;
        }
        truth
    }

    /// The solution of `x(i) = law(i, x(next(i)))` that is reached from a
    /// constant: the least one from `false`, the greatest one from `true`.
    fn fixpoint(&self, start: bool, law: impl Fn(usize, bool) -> bool) -> Vec<bool> {
        let mut row = vec![start; self.len()];
        loop {
            let mut changed = false;
            for i in (0..self.len()).rev() {
                let value = law(i, row[self.next(i)]);
                changed |= row[i] != value;
                row[i] = value;
            }
            if !changed {
                return row;
            }
        }
    }
}
