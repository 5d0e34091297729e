//! Layer 7: linear temporal logic on the states of a program, listed by `ltl`, and
//! by regions with terms that fall where they cannot be listed, by `rank` (the
//! folder `descent`). Of `ltl`:
//!
//! The states are listed breadth first, in rounds: more of them in each. After
//! each round the product of what is known with a Büchi automaton of the
//! negated formula is searched for an accepting cycle. A cycle is a run that
//! breaks the formula, also when not all states are known yet, so short
//! violations are found in huge and in infinite state spaces. If all states are
//! known and there is no cycle, every run satisfies the formula, and a ranking
//! says why.

mod descent;
mod engine;
mod lasso;
mod nested;
mod product;
mod rank;
mod shrink;
mod space;

pub use descent::Rank;
pub use engine::Ltl;
