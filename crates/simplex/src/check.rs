//! The search for a solution within all bounds.
//!
//! A basic variable outside its bounds is moved to the bound by changing an
//! independent variable of its row that may move, which then takes its place
//! in the basis. If none may, the row is the explanation.

use crate::delta::Delta;
use crate::num::Num;
use crate::simplex::{Place, Share, Side, Simplex};
use parallax_base::{Budget, Stop};
use std::cmp::Reverse;

/// Pivots of one check before Bland's rule is used.
const PATIENCE: u64 = 400;
/// Pivots between two looks at the budget.
const STRIDE: u64 = 32;

/// Whether all bounds hold together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Feasibility {
    /// They do; the solution is read with [`Simplex::value`].
    Feasible,
    /// They do not: the sum of these bounds is a contradiction. No proper part
    /// of the list contradicts itself; another list may still be shorter.
    Infeasible(Vec<Share>),
}

impl Simplex {
    /// Looks for a solution. After `Infeasible`, take back a bound with
    /// [`Simplex::pop`]; until then the answer stays. After `Err` the search
    /// can be taken up again.
    pub fn check(&mut self, budget: &Budget) -> Result<Feasibility, Stop> {
        if let Some((var, _)) = self.clash {
            let sides = [Side::Lower, Side::Upper];
            let why = sides.iter().filter_map(|side| self.share(var, *side, &Num::ONE));
            return Ok(Feasibility::Infeasible(why.collect()));
        }
        self.drop_idle();
        let mut rounds = 0;
        while let Some(&Reverse(basic)) = self.broken.peek() {
            let (Place::Basic(row), Some(side)) =
                (self.place[basic as usize], self.violation(basic))
            else {
                self.broken.pop();
                self.is_broken[basic as usize] = false;
                continue;
            };
            rounds += 1;
            if rounds % STRIDE == 0 {
                budget.check()?;
            }
            let Some(at) = self.choose(row, side, rounds > PATIENCE) else {
                return Ok(Feasibility::Infeasible(self.explain(row, basic, side)));
            };
            if let Some(bound) = self.bound(basic, side) {
                let target = bound.value.clone();
                self.pivot_to(row, at, &target);
            }
        }
        Ok(Feasibility::Feasible)
    }

    /// A position in the row whose variable may move so that the basic variable
    /// comes back to its bound. With `bland` the smallest variable.
    fn choose(&self, row: u32, side: Side, bland: bool) -> Option<u32> {
        let mut best: Option<(bool, usize, u32, u32)> = None;
        for (at, entry) in self.matrix.row(row).iter().enumerate() {
            let grows = (side == Side::Lower) == (entry.factor.signum() > 0);
            if !self.may_move(entry.var, grows) {
                continue;
            }
            let length = if bland { 0 } else { self.matrix.column(entry.var).len() };
            let bounded = !bland && !self.is_free(entry.var);
            let rank = (bounded, length, entry.var, at as u32);
            if best.is_none_or(|best| rank < best) {
                best = Some(rank);
            }
        }
        best.map(|(.., at)| at)
    }

    /// Whether an independent variable is not at its bound in that direction.
    pub(crate) fn may_move(&self, var: u32, up: bool) -> bool {
        let value = &self.value[var as usize];
        match self.bound(var, if up { Side::Upper } else { Side::Lower }) {
            None => true,
            Some(bound) if up => *value < bound.value,
            Some(bound) => *value > bound.value,
        }
    }

    /// Moves the basic variable of a row to `target` by changing the variable
    /// at a position of the row, and exchanges the two.
    pub(crate) fn pivot_to(&mut self, row: u32, at: u32, target: &Delta) {
        let basic = self.basis[row as usize];
        let entry = &self.matrix.row(row)[at as usize];
        let (entering, inverse) = (entry.var, entry.factor.inverse());
        let step = target.sub(&self.value[basic as usize]).mul(&inverse);
        self.value[basic as usize] = target.clone();
        self.value[entering as usize] = self.value[entering as usize].add(&step);
        self.shift_rows(entering, &step, row);
        self.exchange(row, at, entering);
        if self.violation(entering).is_some() {
            self.note_broken(entering);
        }
    }

    /// Makes the variable at a position of a row basic; values stay.
    fn exchange(&mut self, row: u32, at: u32, entering: u32) {
        let basic = self.basis[row as usize];
        self.matrix.pivot(crate::matrix::Link { row, at }, basic);
        self.basis[row as usize] = entering;
        self.place[entering as usize] = Place::Basic(row);
        self.place[basic as usize] = Place::Independent;
        self.pivots += 1;
        self.note_idle(entering);
    }

    /// The bounds that keep a basic variable from coming back to its bound.
    fn explain(&self, row: u32, basic: u32, side: Side) -> Vec<Share> {
        let own = self.share(basic, side, &Num::ONE);
        own.into_iter().chain(self.limits(row, side == Side::Lower)).collect()
    }

    /// The bounds because of which the sum of a row cannot grow (or shrink).
    pub(crate) fn limits(&self, row: u32, grow: bool) -> Vec<Share> {
        let entries = self.matrix.row(row).iter();
        let limit = |entry: &crate::matrix::Entry| {
            let up = grow == (entry.factor.signum() > 0);
            self.share(entry.var, if up { Side::Upper } else { Side::Lower }, &entry.factor)
        };
        entries.filter_map(limit).collect()
    }
}
