//! From a solution to the best one: the primal simplex.
//!
//! The objective is a row for the time of the search. A variable that may move
//! in the direction in which the objective grows moves until it or a basic
//! variable meets a bound; in the latter case the two are exchanged.

use crate::check::Feasibility;
use crate::delta::Delta;
use crate::num::Num;
use crate::simplex::{Share, Side, Simplex, Var};
use parallax_base::{Budget, Stop};
use parallax_term::Rat;

/// Pivots that gain nothing, in a row, before Bland's rule is used.
const PATIENCE: u32 = 32;

/// The largest value of an objective under the bounds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Optimum {
    /// There is no solution, because of these bounds.
    Infeasible(Vec<Share>),
    /// No solution is above `value`. The last solution is at it if `attained`;
    /// else it is an infinitesimal below, because strict bounds are in the way.
    Bounded {
        /// The least upper bound.
        value: Rat,
        /// Whether some solution has this value.
        attained: bool,
        /// The bounds whose sum is `objective - value <= 0`.
        proof: Vec<Share>,
    },
    /// From the last solution one can go along `ray` forever, and the objective
    /// grows. Forms are left out; what is not listed does not move.
    Unbounded {
        /// The direction.
        ray: Vec<(Var, Rat)>,
    },
}

/// What ends a move: the basic variable of a row, or the own bound.
struct Limit {
    step: Delta,
    blocking: Option<(u32, u32, Side)>,
}

impl Simplex {
    /// Looks for a solution and goes on to one with the largest value of the
    /// objective. The solution stays for [`Simplex::value`] and for the next
    /// call, which starts there. `Err` leaves a state that can be used again.
    pub fn maximize(&mut self, objective: &[(Var, Rat)], budget: &Budget) -> Result<Optimum, Stop> {
        if let Feasibility::Infeasible(why) = self.check(budget)? {
            return Ok(Optimum::Infeasible(why));
        }
        let (var, row) = self.objective(objective);
        let result = self.climb(row, budget);
        let optimum = result.map(|ray| match ray {
            Some(ray) => Optimum::Unbounded { ray },
            None => {
                let value = &self.value[var as usize];
                Optimum::Bounded {
                    value: value.real.to_rat(),
                    attained: value.tiny.is_zero(),
                    proof: self.limits(row, true),
                }
            }
        });
        self.forget(var, row);
        optimum
    }

    /// Moves until the row cannot grow; the ray if it can grow forever.
    fn climb(&mut self, row: u32, budget: &Budget) -> Result<Option<Vec<(Var, Rat)>>, Stop> {
        let mut idle = 0;
        loop {
            budget.check()?;
            let Some((var, up)) = self.improving(row, idle > PATIENCE) else { return Ok(None) };
            let Some(limit) = self.limit(var, up, row, idle > PATIENCE) else {
                return Ok(Some(self.ray(var, up)));
            };
            idle = if limit.step.is_zero() { idle + 1 } else { 0 };
            match limit.blocking {
                Some((blocked, at, side)) => {
                    let basic = self.basis[blocked as usize];
                    if let Some(bound) = self.bound(basic, side) {
                        let target = bound.value.clone();
                        self.pivot_to(blocked, at, &target);
                    }
                }
                None => {
                    let step = if up { limit.step } else { limit.step.mul(&Num::ONE.neg()) };
                    let value = self.value[var as usize].add(&step);
                    self.move_to(var, value);
                }
            }
        }
    }

    /// A variable of the row that may move so that the row grows, and whether
    /// upwards: the one with the largest factor, with `bland` the smallest.
    fn improving(&self, row: u32, bland: bool) -> Option<(u32, bool)> {
        let mut best: Option<(u32, bool, Num)> = None;
        for entry in self.matrix.row(row) {
            let up = entry.factor.signum() > 0;
            let size = entry.factor.abs();
            let better = best.as_ref().is_none_or(|(var, _, most)| {
                if bland { entry.var < *var } else { (&size, *var) > (most, entry.var) }
            });
            if better && self.may_move(entry.var, up) {
                best = Some((entry.var, up, size));
            }
        }
        best.map(|(var, up, _)| (var, up))
    }

    /// How far a variable can move, and what stops it; `None` if nothing does.
    fn limit(&self, var: u32, up: bool, objective: u32, bland: bool) -> Option<Limit> {
        let own = self.bound(var, if up { Side::Upper } else { Side::Lower });
        let mut best = own.map(|bound| {
            let step = bound.value.sub(&self.value[var as usize]);
            Limit { step: if up { step } else { step.mul(&Num::ONE.neg()) }, blocking: None }
        });
        let mut best_rank = (0, 0);
        for link in self.matrix.column(var) {
            if link.row == objective {
                continue;
            }
            let (basic, factor) = (self.basis[link.row as usize], self.matrix.factor(*link));
            let side = if up == (factor.signum() > 0) { Side::Upper } else { Side::Lower };
            let Some(bound) = self.bound(basic, side) else { continue };
            // The distance and the factor have the same sign for one that moves up.
            let distance = bound.value.sub(&self.value[basic as usize]);
            let step = distance.mul(&factor.abs().inverse());
            let step = if side == Side::Upper { step } else { step.mul(&Num::ONE.neg()) };
            let length = if bland { 0 } else { self.matrix.row(link.row).len() };
            let rank = (length, basic);
            // A bound of its own is met without a pivot, so it wins a draw.
            let better = best.as_ref().is_none_or(|b| {
                step < b.step || step == b.step && b.blocking.is_some() && rank < best_rank
            });
            if better {
                best = Some(Limit { step, blocking: Some((link.row, link.at, side)) });
                best_rank = rank;
            }
        }
        best
    }

    /// What moves with a variable.
    fn ray(&self, var: u32, up: bool) -> Vec<(Var, Rat)> {
        let sign = if up { Num::ONE } else { Num::ONE.neg() };
        let mut ray = vec![(Var(var), sign.to_rat())];
        for link in self.matrix.column(var) {
            let basic = self.basis[link.row as usize];
            ray.push((Var(basic), self.matrix.factor(*link).mul(&sign).to_rat()));
        }
        ray.retain(|(var, _)| !self.is_form(*var));
        ray.sort_unstable_by_key(|(var, _)| *var);
        ray
    }
}
