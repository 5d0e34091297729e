//! Layer 2: Büchi automata of formulas of linear temporal logic.
//!
//! [`translate`] goes the way of Gastin and Oddoux (*Fast LTL to Büchi Automata
//! Translation*, CAV 2001) and Couvreur (FM 1999): the formula is rewritten,
//! expanded into an automaton whose states are sets of obligations and whose
//! acceptance lies on transitions, one set per until; that automaton is made
//! small, then its sets are joined into one and its acceptance is moved to
//! states, and the result is made small again.
//!
//! Nothing here is trusted by a verdict. Violations are replayed on the word
//! they make, and proofs are checked on the progression of the formula, which
//! knows no automaton; see `crates/ltl`.

mod automaton;
mod cube;
mod degeneralize;
mod expand;
mod general;
mod hoa;
mod implied;
mod reduce;
mod simplify;
mod simulation;

pub use automaton::{Automaton, Edge, State, TranslateError, translate};
pub use cube::Cube;
pub use hoa::to_hoa;
pub use simplify::simplified;
