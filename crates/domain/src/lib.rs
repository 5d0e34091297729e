//! Layer 4: steps as formulas, and abstraction of states by predicates.
//!
//! A [`Step`] is a condition with assignments; [`Unrolling`] puts steps in a row.
//!
//! An abstract state ([`Cube`]) keeps some variables by value and sees the
//! rest through the truth of [`Predicates`]. [`Matcher`] maps concrete states
//! to cubes, [`Post`] computes where a [`Rule`] leads from a cube, [`Oracle`]
//! answers the implications behind both. Engines decide what to do with it.

mod cube;
mod lattice;
mod must;
mod oracle;
mod partition;
mod post;
mod predicates;
mod rule;
mod step;
mod truth;
mod unroll;

pub use cube::{Bits, Cube};
pub use lattice::{Domain, Predicated};
pub use oracle::Oracle;
pub use partition::Partition;
pub use post::{Context, Image, Post, Residual};
pub use predicates::{Matcher, Predicates};
pub use rule::{Rule, rules};
pub use step::{Assignment, Step};
pub use truth::{Abstraction, Query, Truths};
pub use unroll::{RunValues, Unrolling, state_of};
