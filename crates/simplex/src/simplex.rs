//! Variables, forms, bounds and their history.
//!
//! Invariants, between calls:
//! - A variable is *basic* (it has a row), *independent*, or *dormant* (a form
//!   without a row, whose value is computed on demand).
//! - The value of a basic variable is that of its row; an independent one lies
//!   within its bounds unless `clash` is set.
//! - Every basic variable outside its bounds is in `broken`, which may also
//!   hold variables that are not broken any more.
//! - While `clash` is set, bounds are recorded and no value moves. It is set by
//!   a bound and cleared when that bound goes.

use crate::delta::Delta;
use crate::matrix::Matrix;
use crate::num::Num;
use parallax_term::Rat;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A variable of a [`Simplex`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Var(pub(crate) u32);

impl Var {
    /// The variable at a position in the order of creation. Of use to callers
    /// whose own numbering goes side by side.
    pub fn at(index: usize) -> Var {
        Var(index as u32)
    }

    /// Position in the order of creation.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Which bound of a variable.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Side {
    /// `x >= c`, or `x > c`
    Lower,
    /// `x <= c`, or `x < c`
    Upper,
}

impl Side {
    pub(crate) fn other(self) -> Side {
        match self {
            Side::Lower => Side::Upper,
            Side::Upper => Side::Lower,
        }
    }
}

/// One bound in a proof, with its positive factor.
///
/// Write a lower bound as `c - x <= 0` and an upper one as `x - c <= 0`, with
/// forms replaced by their sums. The sum of all shares of an explanation is
/// then a positive constant `<= 0`, or zero `< 0`. The sum of all shares of
/// an optimum is `objective - value <= 0`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Share {
    /// The tag that the bound was asserted with.
    pub tag: u32,
    /// The bounded variable.
    pub var: Var,
    /// Which bound.
    pub side: Side,
    /// How often it is taken; positive.
    pub factor: Rat,
}

#[derive(Clone, Debug)]
pub(crate) struct Bound {
    pub(crate) value: Delta,
    pub(crate) tag: u32,
}

/// Variables with their factors.
type Sum = Box<[(u32, Num)]>;

/// Where the value of a variable comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    Independent,
    Basic(u32),
    Dormant,
}

/// What to restore on the way back.
#[derive(Clone, Debug)]
struct Undo {
    var: u32,
    side: Side,
    bound: Option<Bound>,
}

/// Linear forms, bounds on them, and a solution. See the crate for an overview.
#[derive(Clone, Debug, Default)]
pub struct Simplex {
    pub(crate) matrix: Matrix,
    /// The basic variable of each row.
    pub(crate) basis: Vec<u32>,
    pub(crate) place: Vec<Place>,
    pub(crate) value: Vec<Delta>,
    /// Lower and upper bound of each variable.
    bounds: Vec<[Option<Bound>; 2]>,
    /// What each form stands for, over variables that are no forms.
    sums: Vec<Option<Sum>>,
    trail: Vec<Undo>,
    scopes: Vec<usize>,
    /// A variable whose bounds exclude each other, and how many scopes were
    /// open when the second of them came.
    pub(crate) clash: Option<(u32, usize)>,
    pub(crate) broken: BinaryHeap<Reverse<u32>>,
    pub(crate) is_broken: Vec<bool>,
    /// How many rows there are, and the basic forms that lost all bounds.
    rows: usize,
    idle: Vec<u32>,
    pub(crate) pivots: u64,
}

impl Simplex {
    /// Without variables.
    pub fn new() -> Simplex {
        Simplex::default()
    }

    /// A new variable, not bounded.
    pub fn var(&mut self) -> Var {
        self.add_var(None)
    }

    /// A variable that stands for a sum of earlier ones. No row is made before
    /// the form is bounded. Stays when scopes end.
    pub fn form(&mut self, sum: &[(Var, Rat)]) -> Var {
        let flat = self.flatten(sum);
        self.add_var(Some(flat))
    }

    fn add_var(&mut self, sum: Option<Sum>) -> Var {
        let var = Var(self.place.len() as u32);
        self.place.push(if sum.is_some() { Place::Dormant } else { Place::Independent });
        self.sums.push(sum);
        self.value.push(Delta::ZERO);
        self.bounds.push([None, None]);
        self.is_broken.push(false);
        self.matrix.add_column();
        var
    }

    /// A sum over variables that are no forms.
    fn flatten(&mut self, sum: &[(Var, Rat)]) -> Sum {
        let mut parts: Vec<(u32, Num)> = Vec::new();
        for (var, factor) in sum {
            let factor = Num::from_rat(factor);
            match &self.sums[var.index()] {
                None => parts.push((var.0, factor)),
                Some(inner) => parts.extend(inner.iter().map(|(v, c)| (*v, c.mul(&factor)))),
            }
        }
        self.matrix.sum(parts.iter().map(|(var, factor)| (factor, *var, None))).into()
    }

    /// How many variables there are.
    pub fn len(&self) -> usize {
        self.place.len()
    }

    /// Whether there is no variable.
    pub fn is_empty(&self) -> bool {
        self.place.is_empty()
    }

    /// How many pivots were made so far: a measure of the work.
    pub fn pivots(&self) -> u64 {
        self.pivots
    }

    pub(crate) fn bound(&self, var: u32, side: Side) -> Option<&Bound> {
        self.bounds[var as usize][side as usize].as_ref()
    }

    /// Whether the variable has no bound at all.
    pub(crate) fn is_free(&self, var: u32) -> bool {
        matches!(self.bounds[var as usize], [None, None])
    }

    /// The tag, the value and the strictness of the bound in force.
    pub fn bound_of(&self, var: Var, side: Side) -> Option<(u32, Rat, bool)> {
        let bound = self.bound(var.0, side)?;
        Some((bound.tag, bound.value.real.to_rat(), !bound.value.tiny.is_zero()))
    }

    /// Opens a scope: bounds asserted from now on end with the next `pop`.
    pub fn push(&mut self) {
        self.scopes.push(self.trail.len());
    }

    /// Closes the innermost scope; without one nothing happens. The last
    /// solution stays, so the next check starts near it.
    pub fn pop(&mut self) {
        let Some(length) = self.scopes.pop() else { return };
        while self.trail.len() > length {
            let Some(Undo { var, side, bound }) = self.trail.pop() else { break };
            self.bounds[var as usize][side as usize] = bound;
            self.note_idle(var);
        }
        if self.clash.is_some_and(|(_, depth)| depth > self.scopes.len()) {
            self.clash = None;
        }
    }

    pub(crate) fn is_form(&self, var: Var) -> bool {
        self.sums[var.index()].is_some()
    }

    pub(crate) fn note_idle(&mut self, var: u32) {
        if self.is_free(var) && self.is_row_of_form(var) {
            self.idle.push(var);
        }
    }

    fn is_row_of_form(&self, var: u32) -> bool {
        matches!(self.place[var as usize], Place::Basic(_)) && self.sums[var as usize].is_some()
    }

    /// Bounds a variable by `value`: `x >= value` or `x <= value`, or with `>`
    /// and `<` if `strict`. A bound that is not tighter than the one in force
    /// changes nothing, so the older tag stays.
    pub fn assert(&mut self, var: Var, side: Side, value: &Rat, strict: bool, tag: u32) {
        let tiny = match (strict, side) {
            (false, _) => Num::ZERO,
            (true, Side::Lower) => Num::ONE,
            (true, Side::Upper) => Num::ONE.neg(),
        };
        let value = Delta { real: Num::from_rat(value), tiny };
        self.assert_delta(var.0, side, value, tag);
    }

    fn assert_delta(&mut self, var: u32, side: Side, value: Delta, tag: u32) {
        let beyond = |a: &Delta, b: &Delta| match side {
            Side::Lower => a > b,
            Side::Upper => a < b,
        };
        if self.bound(var, side).is_some_and(|old| !beyond(&value, &old.value)) {
            return;
        }
        let clashes = self.bound(var, side.other()).is_some_and(|o| beyond(&value, &o.value));
        let slot = &mut self.bounds[var as usize][side as usize];
        let bound = slot.replace(Bound { value, tag });
        // Without a scope there is no way back.
        if !self.scopes.is_empty() {
            self.trail.push(Undo { var, side, bound });
        }
        if self.clash.is_some() {
            return;
        }
        if clashes {
            self.clash = Some((var, self.scopes.len()));
            return;
        }
        self.wake(var);
        let Some(bound) = &self.bounds[var as usize][side as usize] else { return };
        if beyond(&bound.value, &self.value[var as usize]) {
            match self.place[var as usize] {
                Place::Independent => {
                    let value = bound.value.clone();
                    self.move_to(var, value);
                }
                _ => self.note_broken(var),
            }
        }
    }

    /// Gives a dormant form its row.
    fn wake(&mut self, var: u32) {
        if self.place[var as usize] != Place::Dormant {
            return;
        }
        let Simplex { matrix, sums, place, value, .. } = self;
        let Some(sum) = &sums[var as usize] else { return };
        let parts = sum.iter().map(|(v, c)| match place[*v as usize] {
            Place::Basic(row) => (c, *v, Some(row)),
            _ => (c, *v, None),
        });
        let entries = matrix.sum(parts);
        let mut total = Delta::ZERO;
        for (v, c) in sum {
            total.add_mul(c, &value[*v as usize]);
        }
        value[var as usize] = total;
        self.settle(var, entries);
    }

    /// Makes a row for a variable.
    pub(crate) fn settle(&mut self, var: u32, entries: Vec<(u32, Num)>) -> u32 {
        let row = self.matrix.add_row(entries);
        self.basis.resize(self.basis.len().max(row as usize + 1), u32::MAX);
        self.basis[row as usize] = var;
        self.place[var as usize] = Place::Basic(row);
        self.rows += 1;
        row
    }

    /// Drops the rows of forms without bounds once they are the majority.
    pub(crate) fn drop_idle(&mut self) {
        if self.idle.len() * 2 <= self.rows + 8 {
            return;
        }
        for var in std::mem::take(&mut self.idle) {
            if self.is_free(var)
                && self.is_row_of_form(var)
                && let Place::Basic(row) = self.place[var as usize]
            {
                self.matrix.drop_row(row);
                self.basis[row as usize] = u32::MAX;
                self.place[var as usize] = Place::Dormant;
                self.rows -= 1;
            }
        }
    }

    /// Makes a variable for the time of one maximization.
    pub(crate) fn objective(&mut self, sum: &[(Var, Rat)]) -> (u32, u32) {
        let var = self.form(sum).0;
        self.wake(var);
        match self.place[var as usize] {
            Place::Basic(row) => (var, row),
            // A form that was woken has a row.
            _ => (var, self.settle(var, Vec::new())),
        }
    }

    /// Forgets the youngest variable, which is basic and not bounded.
    pub(crate) fn forget(&mut self, var: u32, row: u32) {
        debug_assert_eq!(var as usize + 1, self.len());
        self.matrix.drop_row(row);
        self.basis[row as usize] = u32::MAX;
        self.rows -= 1;
        self.place.pop();
        self.sums.pop();
        self.value.pop();
        self.bounds.pop();
        self.is_broken.pop();
        self.matrix.drop_column();
    }

    /// Whether the value is below the lower or above the upper bound.
    pub(crate) fn violation(&self, var: u32) -> Option<Side> {
        let value = &self.value[var as usize];
        let [lower, upper] = &self.bounds[var as usize];
        if lower.as_ref().is_some_and(|l| *value < l.value) {
            return Some(Side::Lower);
        }
        upper.as_ref().is_some_and(|u| *value > u.value).then_some(Side::Upper)
    }

    pub(crate) fn note_broken(&mut self, var: u32) {
        if !std::mem::replace(&mut self.is_broken[var as usize], true) {
            self.broken.push(Reverse(var));
        }
    }

    /// Gives an independent variable another value.
    pub(crate) fn move_to(&mut self, var: u32, value: Delta) {
        let step = value.sub(&self.value[var as usize]);
        self.value[var as usize] = value;
        self.shift_rows(var, &step, u32::MAX);
    }

    /// Follows a step of an independent variable in all rows but one.
    pub(crate) fn shift_rows(&mut self, var: u32, step: &Delta, except: u32) {
        if step.is_zero() {
            return;
        }
        for at in 0..self.matrix.column(var).len() {
            let link = self.matrix.column(var)[at];
            if link.row == except {
                continue;
            }
            let basic = self.basis[link.row as usize];
            self.value[basic as usize].add_mul(self.matrix.factor(link), step);
            if self.violation(basic).is_some() {
                self.note_broken(basic);
            }
        }
    }

    pub(crate) fn share(&self, var: u32, side: Side, factor: &Num) -> Option<Share> {
        let tag = self.bound(var, side)?.tag;
        Some(Share { tag, var: Var(var), side, factor: factor.abs().to_rat() })
    }

    /// The value in the last solution: a number, and how many infinitesimals
    /// it is above that.
    pub fn value(&self, var: Var) -> (Rat, Rat) {
        let value = self.delta_value(var.0);
        (value.real.to_rat(), value.tiny.to_rat())
    }

    fn delta_value(&self, var: u32) -> Delta {
        match &self.sums[var as usize] {
            Some(sum) if self.place[var as usize] == Place::Dormant => {
                let mut total = Delta::ZERO;
                for (v, c) in sum {
                    total.add_mul(c, &self.value[*v as usize]);
                }
                total
            }
            _ => self.value[var as usize].clone(),
        }
    }

    /// A number for the infinitesimal with which the last solution keeps all
    /// bounds; positive, at most 1.
    pub fn delta(&self) -> Rat {
        let mut delta = Num::ONE;
        for (value, bounds) in self.value.iter().zip(&self.bounds) {
            for (bound, side) in bounds.iter().zip([Side::Lower, Side::Upper]) {
                let Some(bound) = bound else { continue };
                let (low, high) = match side {
                    Side::Lower => (&bound.value, value),
                    Side::Upper => (value, &bound.value),
                };
                // low.real + low.tiny*d <= high.real + high.tiny*d
                let (gap, pull) = (high.real.sub(&low.real), low.tiny.sub(&high.tiny));
                if pull.signum() > 0 && gap.signum() > 0 {
                    delta = delta.min(gap.mul(&pull.inverse()));
                }
            }
        }
        delta.to_rat()
    }

    /// The last solution as plain numbers, by [`Var::index`]; it keeps all
    /// bounds, the strict ones included, if the last check said feasible.
    pub fn point(&self) -> Vec<Rat> {
        let delta = Num::from_rat(&self.delta());
        let plain = |var: u32| {
            let value = self.delta_value(var);
            value.real.add(&value.tiny.mul(&delta)).to_rat()
        };
        (0..self.len() as u32).map(plain).collect()
    }
}
