//! Passes over control-flow automata.
//!
//! A pass takes a program and gives a smaller or simpler one, together with the
//! way back ([`Origin`]): where each location, edge and variable of the result
//! comes from.

mod calls;
pub mod inline;
mod origin;
pub mod points_to;
mod rewrite;
#[cfg(test)]
mod testing;

pub use calls::{Resolved, is_compatible, resolve_calls};
pub use origin::{EdgeOrigin, Frame, FunctionOrigin, LocationOrigin, Origin, Role, VariableOrigin};
pub use rewrite::{Arena, Mapping, Node, Uses, visit_expr, visit_op, visit_place};
