//! Octagons: conjunctions of `±x ±y <= c` (Miné, HOSC 2006).
//!
//! A difference bound matrix over `x` and `-x` for each variable. The entry of
//! row `i` and column `j` bounds `v_j - v_i`, where `v_2k` is variable `k` and
//! `v_2k+1` its negation. Entries are closed strongly, and tightly for
//! integers as far as single variables are concerned.

use crate::interval::Interval;
use parallax_term::{Rat, Term};
use rustc_hash::FxHashMap;

/// A signed variable, as a row of the matrix.
type Signed = usize;

fn opposite(v: Signed) -> Signed {
    v ^ 1
}

/// A conjunction of constraints on pairs of variables.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Octagon {
    rows: FxHashMap<Term, usize>,
    terms: Vec<Term>,
    is_int: Vec<bool>,
    matrix: Vec<Option<Rat>>,
}

impl Octagon {
    /// No constraint, on these variables.
    pub(crate) fn new(terms: &[(Term, bool)]) -> Octagon {
        let rows = terms.iter().enumerate().map(|(k, (t, _))| (*t, k)).collect();
        let size = terms.len() * 2;
        let mut octagon = Octagon {
            rows,
            terms: terms.iter().map(|(t, _)| *t).collect(),
            is_int: terms.iter().map(|(_, is_int)| *is_int).collect(),
            matrix: vec![None; size * size],
        };
        for v in 0..size {
            octagon.matrix[v * size + v] = Some(Rat::ZERO);
        }
        octagon
    }

    fn size(&self) -> usize {
        self.terms.len() * 2
    }

    fn at(&self, i: Signed, j: Signed) -> Option<&Rat> {
        self.matrix[i * self.size() + j].as_ref()
    }

    /// `v_j - v_i <= value`, with its mirror image.
    fn limit(&mut self, i: Signed, j: Signed, value: &Rat) {
        let size = self.size();
        for at in [i * size + j, opposite(j) * size + opposite(i)] {
            let entry = &mut self.matrix[at];
            if entry.as_ref().is_none_or(|known| value < known) {
                *entry = Some(value.clone());
            }
        }
    }

    fn signed(&self, term: Term, factor: &Rat) -> Option<Signed> {
        let row = *self.rows.get(&term)?;
        match factor {
            f if *f == Rat::ONE => Some(row * 2),
            f if *f == Rat::from(-1) => Some(row * 2 + 1),
            _ => None,
        }
    }

    /// Adds `sum <= value` for a sum of one or two signed variables; others are
    /// left out.
    pub(crate) fn add(&mut self, sum: &[(Term, Rat)], value: &Rat) {
        match sum {
            [(x, a)] => {
                if let Some(v) = self.signed(*x, a) {
                    self.limit(opposite(v), v, &(value * &Rat::from(2)));
                }
            }
            [(x, a), (y, b)] => {
                if let (Some(v), Some(w)) = (self.signed(*x, a), self.signed(*y, b)) {
                    self.limit(opposite(w), v, value);
                }
            }
            _ => {}
        }
    }

    /// The least known bound of a sum of one or two signed variables.
    pub(crate) fn bound(&self, sum: &[(Term, Rat)]) -> Option<Rat> {
        match sum {
            [(x, a)] => {
                let v = self.signed(*x, a)?;
                let half = Rat::from(2).inverse().unwrap_or(Rat::ONE);
                self.at(opposite(v), v).map(|twice| twice * &half)
            }
            [(x, a), (y, b)] => {
                let (v, w) = (self.signed(*x, a)?, self.signed(*y, b)?);
                self.at(opposite(w), v).cloned()
            }
            _ => None,
        }
    }

    /// The interval of a variable.
    pub(crate) fn interval(&self, term: Term) -> Interval {
        let low = self.bound(&[(term, Rat::from(-1))]).map(|v| -&v);
        Interval { low, high: self.bound(&[(term, Rat::ONE)]) }
    }

    /// Strong closure; `false` if there is no solution.
    pub(crate) fn close(&mut self) -> bool {
        let size = self.size();
        let half = Rat::from(2).inverse().unwrap_or(Rat::ONE);
        for k in 0..size {
            for i in 0..size {
                let Some(first) = self.at(i, k).cloned() else { continue };
                for j in 0..size {
                    let Some(second) = self.at(k, j) else { continue };
                    let sum = &first + second;
                    let entry = &mut self.matrix[i * size + j];
                    if entry.as_ref().is_none_or(|known| sum < *known) {
                        *entry = Some(sum);
                    }
                }
            }
        }
        for v in 0..size {
            if self.is_int[v / 2]
                && let Some(twice) = self.at(opposite(v), v)
            {
                let tight = &Rat::from((twice * &half).floor()) * &Rat::from(2);
                self.matrix[opposite(v) * size + v] = Some(tight);
            }
        }
        for i in 0..size {
            let Some(first) = self.at(i, opposite(i)).cloned() else { continue };
            for j in 0..size {
                let Some(second) = self.at(opposite(j), j) else { continue };
                let sum = &(&first + second) * &half;
                let entry = &mut self.matrix[i * size + j];
                if entry.as_ref().is_none_or(|known| sum < *known) {
                    *entry = Some(sum);
                }
            }
        }
        (0..size).all(|v| self.at(v, v).is_none_or(|value| value.signum() >= 0))
    }

    /// Nothing is known of a variable any more. The matrix must be closed.
    pub(crate) fn forget(&mut self, term: Term) {
        let Some(&row) = self.rows.get(&term) else { return };
        let size = self.size();
        for v in [row * 2, row * 2 + 1] {
            for other in 0..size {
                self.matrix[v * size + other] = None;
                self.matrix[other * size + v] = None;
            }
            self.matrix[v * size + v] = Some(Rat::ZERO);
        }
    }

    /// `x := factor * y + shift` with the shift in an interval; `y` may be `x`.
    /// The matrix must be closed.
    pub(crate) fn assign(&mut self, x: Term, y: Term, factor: &Rat, shift: &Interval) {
        let (Some(&row), Some(from)) = (self.rows.get(&x), self.signed(y, factor)) else {
            self.forget(x);
            return;
        };
        let to = row * 2;
        if from / 2 != row {
            self.forget(x);
            if let Some(high) = &shift.high {
                self.limit(from, to, high);
            }
            if let Some(low) = &shift.low {
                self.limit(to, from, &-low);
            }
            return;
        }
        let size = self.size();
        if from != to {
            // The negation of itself: both rows and columns change places.
            for other in 0..size {
                self.matrix.swap(to * size + other, from * size + other);
            }
            for other in 0..size {
                self.matrix.swap(other * size + to, other * size + from);
            }
        }
        let add = |entry: &mut Option<Rat>, by: &Option<Rat>| {
            *entry = entry.as_ref().zip(by.as_ref()).map(|(a, b)| a + b);
        };
        let down = shift.low.as_ref().map(|low| -low);
        let two = Rat::from(2);
        for other in (0..size).filter(|other| other / 2 != row) {
            add(&mut self.matrix[other * size + to], &shift.high);
            add(&mut self.matrix[opposite(to) * size + opposite(other)], &shift.high);
            add(&mut self.matrix[to * size + other], &down);
            add(&mut self.matrix[opposite(other) * size + opposite(to)], &down);
        }
        let twice = |by: &Option<Rat>| by.as_ref().map(|value| value * &two);
        add(&mut self.matrix[opposite(to) * size + to], &twice(&shift.high));
        add(&mut self.matrix[to * size + opposite(to)], &twice(&down));
    }

    /// The least octagon above both, on the same variables; both closed.
    pub(crate) fn join(&self, other: &Octagon) -> Octagon {
        let pick = |(a, b): (&Option<Rat>, &Option<Rat>)| {
            a.as_ref().zip(b.as_ref()).map(|(a, b)| a.max(b).clone())
        };
        let matrix = self.matrix.iter().zip(&other.matrix).map(pick).collect();
        Octagon { matrix, ..self.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use parallax_term::{Sort, TermStore};

    #[test]
    fn differences_survive_assignments() {
        let mut store = TermStore::new();
        let (x, y) = (store.var("x", Sort::Int), store.var("y", Sort::Int));
        let (one, minus) = (Rat::ONE, Rat::from(-1));
        let mut octagon = Octagon::new(&[(x, true), (y, true)]);
        octagon.add(&[(x, one.clone()), (y, minus.clone())], &Rat::from(3));
        octagon.add(&[(y, one.clone())], &Rat::from(7));
        assert!(octagon.close());
        assert_eq!(octagon.bound(&[(x, one.clone())]), Some(Rat::from(10)));
        octagon.assign(x, x, &one, &Interval::new(1, 2));
        assert!(octagon.close());
        let difference = [(x, one.clone()), (y, minus.clone())];
        assert_eq!(octagon.bound(&difference), Some(Rat::from(5)));
        assert_eq!(octagon.bound(&[(x, one.clone())]), Some(Rat::from(12)));
        octagon.assign(y, x, &minus, &Interval::new(0, 0));
        assert!(octagon.close());
        assert_eq!(octagon.bound(&[(x, one.clone()), (y, one.clone())]), Some(Rat::ZERO));
        octagon.assign(x, x, &minus, &Interval::new(0, 0));
        assert!(octagon.close());
        assert_eq!(octagon.bound(&difference), Some(Rat::ZERO));
        assert_eq!(octagon.interval(x).low, Some(Rat::from(-12)));
    }

    #[test]
    fn contradictions_are_seen() {
        let mut store = TermStore::new();
        let (x, y) = (store.var("x", Sort::Int), store.var("y", Sort::Int));
        let (one, minus) = (Rat::ONE, Rat::from(-1));
        let mut octagon = Octagon::new(&[(x, true), (y, true)]);
        octagon.add(&[(x, one.clone()), (y, minus.clone())], &Rat::from(-1));
        assert!(octagon.clone().close());
        octagon.add(&[(y, one), (x, minus)], &Rat::ZERO);
        assert!(!octagon.close());
    }
}
