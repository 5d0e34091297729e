//! Layer 4: answers about systems side by side that have too many states to
//! list.
//!
//! Sets of tuples of states are zero-suppressed decision diagrams (Minato 1993;
//! the crate `oxidd`) with a variable for each state of each component.
//!
//! - `order.rs`: which component is on which level.
//! - `space.rs`: sets, and where events lead.
//! - `saturate.rs`: what can be reached.
//! - `decide.rs`: questions, and the evidence for their answers.
//!
//! Nothing here is trusted: the checker walks over the diagrams by itself.

#![expect(
    clippy::mutable_key_type,
    reason = "a diagram is compared and hashed by the number of its node, which does not change"
)]

mod decide;
mod order;
mod saturate;
mod space;

pub use decide::Decider;
