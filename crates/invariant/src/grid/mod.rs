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
mod linear;
mod reduce;
mod sums;

pub(crate) use flow::Grids;

use lattice::{Lattice, Vector};
use parallax_domain::Domain;
use parallax_solver::Model;
use parallax_term::{Int, Term, TermStore, Value};

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

    fn difference(&self, point: &[Int]) -> Vector {
        point.iter().zip(&self.point).map(|(a, b)| a - b).collect()
    }
}

/// The domain of grids over variables of one sort.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    /// The variables.
    pub(crate) terms: Vec<Term>,
    /// Values that differ by this number are the same; zero for integers.
    pub(crate) turns: Vec<Int>,
}

impl Group {
    /// Whether its variables are words; if not, integers.
    pub(crate) fn is_words(&self) -> bool {
        self.turns.iter().any(|turn| !turn.is_zero())
    }
}

impl Domain for Group {
    type Element = Option<Grid>;

    fn bottom(&self) -> Option<Grid> {
        None
    }

    fn top(&self) -> Option<Grid> {
        Some(self.all())
    }

    fn state(&self, store: &TermStore, state: &Model) -> Option<Grid> {
        let values = state.eval_all(store, &self.terms);
        Some(Grid::new(values.iter().map(number).collect(), &self.turns))
    }

    fn join(&self, a: &Option<Grid>, b: &Option<Grid>) -> Option<Grid> {
        let (Some(x), Some(y)) = (a, b) else { return a.clone().or(b.clone()) };
        let mut join = x.clone();
        for row in y.steps.rows() {
            join.add_step(row);
        }
        join.add(&y.point);
        Some(join)
    }

    fn gamma(&self, store: &mut TermStore, element: &Option<Grid>) -> Term {
        let Some(grid) = element else { return store.bool(false) };
        let facts = grid.formulas(store, &self.terms);
        store.and(facts)
    }
}

/// A number, or a machine word as a number from zero up.
fn number(value: &Value) -> Int {
    let word = value.as_bv().map(|bv| bv.to_int());
    word.or_else(|| value.as_int().cloned()).unwrap_or(Int::ZERO)
}

#[cfg(test)]
mod tests;
