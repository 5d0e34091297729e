//! Layer 7: do programs conform to a labelled transition system?
//!
//! S. Chaki, *A Counter Example Guided Abstraction Refinement Framework for
//! Compositional Verification of Concurrent C Programs* (2002). Each program is
//! abstracted by predicates to a transition system (`abstraction.rs`), that is
//! abstracted once more by joining states (`level.rs`), the results are composed
//! and compared with the specification by weak simulation (`search.rs`). A
//! counterexample is projected on each program; what is not there is removed by
//! splitting states, or by predicates from an infeasible path (`path.rs`) or from
//! paths that no run begins together (`joint.rs`), a smallest set of them for
//! all so far (`minimum.rs`).
//!
//! Settled differently from the paper: a node of a counterexample has one
//! reason; backward means existential preimage; after new predicates, states
//! are joined anew; the paths of one counterexample are looked at one by one,
//! then together.

mod abstraction;
mod choice;
mod edges;
mod excluded;
mod extract;
mod joint;
mod level;
mod minimum;
mod outcome;
mod path;
mod search;
mod tree;

pub use extract::extract;
pub use minimum::smallest;
pub use outcome::{Config, Outcome, Round, Statistics};
pub use search::check;
