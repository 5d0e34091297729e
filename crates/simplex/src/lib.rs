//! Layer 2: exact linear programming, incremental, with proofs.
//!
//! The general simplex of Dutertre and de Moura (*A Fast Linear-Arithmetic
//! Solver for DPLL(T)*, CAV 2006): a fixed set of linear forms, bounds on
//! them that come and go, and after each change a repair of the last solution.
//! All numbers are exact; strict bounds are bounds with an infinitesimal part.
//!
//! - [`Simplex::var`] makes a variable, [`Simplex::form`] a variable that
//!   stands for a sum of others. A form costs nothing until it is bounded.
//! - [`Simplex::assert`] bounds a variable, with a tag of the caller;
//!   [`Simplex::push`] and [`Simplex::pop`] make bounds come and go.
//! - [`Simplex::check`] finds a solution or an explanation: bounds and
//!   positive factors whose sum is a contradiction (Farkas' lemma).
//! - [`Simplex::maximize`] goes on to the largest value of a linear
//!   objective, with the bounds that prove it, or to a ray along which it grows.
//! - [`Simplex::value`] and [`Simplex::point`] read the solution.
//!
//! Deviations from the paper: rows exist only for forms that are bounded, and
//! are dropped when many of them are not bounded any more; the entering
//! variable is one with few entries (free ones first) until a run of pivots
//! is long, then Bland's rule guarantees termination.
//!
//! ```
//! use parallax_base::Budget;
//! use parallax_simplex::{Feasibility, Optimum, Side, Simplex};
//! use parallax_term::Rat;
//!
//! let budget = &Budget::unlimited();
//! let mut simplex = Simplex::new();
//! let (x, y) = (simplex.var(), simplex.var());
//! let sum = simplex.form(&[(x, Rat::ONE), (y, Rat::ONE)]);
//! simplex.assert(sum, Side::Upper, &Rat::from(4), false, 0); // x + y <= 4
//! simplex.assert(x, Side::Lower, &Rat::from(1), false, 1); // x >= 1
//! simplex.assert(y, Side::Lower, &Rat::from(0), true, 2); // y > 0
//! assert_eq!(simplex.check(budget)?, Feasibility::Feasible);
//!
//! let objective = [(x, Rat::from(2)), (y, Rat::ONE)];
//! let Optimum::Bounded { value, attained, proof } = simplex.maximize(&objective, budget)? else {
//!     panic!("bounded by 0 and 2");
//! };
//! assert_eq!((value, attained), (Rat::from(8), false)); // y > 0 is strict
//! let mut tags: Vec<u32> = proof.iter().map(|share| share.tag).collect();
//! tags.sort();
//! assert_eq!(tags, [0, 2]);
//!
//! simplex.push();
//! simplex.assert(y, Side::Lower, &Rat::from(4), false, 3); // y >= 4
//! let Feasibility::Infeasible(why) = simplex.check(budget)? else { panic!("x + y >= 5") };
//! assert_eq!(why.len(), 3); // 1*(x + y <= 4), 1*(x >= 1), 1*(y >= 4): 5 <= 4
//! simplex.pop();
//! assert_eq!(simplex.check(budget)?, Feasibility::Feasible);
//! # Ok::<(), parallax_base::Stop>(())
//! ```

mod check;
mod delta;
mod matrix;
mod maximize;
mod num;
mod simplex;

pub use check::Feasibility;
pub use maximize::Optimum;
pub use num::Num;
pub use simplex::{Share, Side, Simplex, Var};
