//! Grids: points of `Z^n` in regular distances.
//!
//! A grid is a point and a subgroup of `Z^n` (Granger, TAPSOFT 1991; Bagnara,
//! Dobson, Hill, Mundell, Zaffanella, LOPSTR 2006). It says at once what three
//! domains say: affine equations over the integers (Karr, Acta Informatica
//! 1976), congruences (Granger 1989), and affine equations modulo `2^w`, which
//! wrap-around arithmetic keeps (Elder, Lim, Sharma, Andersen, Reps, SAS 2011).
//! Variables of machine words are numbers from zero up; a grid over them
//! contains all multiples of `2^w`.
//!
//! There is no infinite chain of larger and larger grids, so neither symbolic
//! abstraction nor the iteration over steps needs a widening.
//!
//! Deviation: distances are integers; grids of rationals are not represented.

mod facts;
mod flow;
mod lattice;

pub(crate) use flow::Grids;

use lattice::{Lattice, Vector};
use parallax_term::Int;

/// Points in regular distances.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Grid {
    /// A point, reduced by the steps.
    point: Vector,
    /// Differences of points.
    steps: Lattice,
}

impl Grid {
    /// One point, and all that differ from it by multiples of the turns, which
    /// are zero where numbers do not wrap.
    pub(crate) fn new(point: Vector, turns: &[Int]) -> Grid {
        let mut steps = Lattice::default();
        for (at, turn) in turns.iter().enumerate().filter(|(_, turn)| !turn.is_zero()) {
            let mut step = vec![Int::ZERO; point.len()];
            step[at] = turn.clone();
            steps.insert(&step);
        }
        Grid { point: steps.rest(point), steps }
    }

    /// Whether a point belongs to it.
    #[cfg(test)]
    pub(crate) fn contains(&self, point: &[Int]) -> bool {
        self.steps.contains(&self.difference(point))
    }

    /// Adds a point; whether it was new.
    pub(crate) fn add(&mut self, point: &[Int]) -> bool {
        let difference = self.difference(point);
        self.add_step(&difference)
    }

    /// Adds all points that differ from one that belongs to it by a vector;
    /// whether there are such points.
    pub(crate) fn add_step(&mut self, step: &[Int]) -> bool {
        let is_new = self.steps.insert(step);
        if is_new {
            self.point = self.steps.rest(std::mem::take(&mut self.point));
        }
        is_new
    }

    /// The least grid above both.
    #[cfg(test)]
    pub(crate) fn join(&self, other: &Grid) -> Grid {
        let mut join = self.clone();
        for row in other.steps.rows() {
            join.add_step(row);
        }
        join.add(&other.point);
        join
    }

    fn difference(&self, point: &[Int]) -> Vector {
        point.iter().zip(&self.point).map(|(a, b)| a - b).collect()
    }
}

#[cfg(test)]
mod tests;
