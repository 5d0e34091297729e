//! Passes over control-flow automata.
//!
//! A pass takes a program and gives a smaller or simpler one, together with the
//! way back ([`Origin`]): where each location, edge and variable of the result
//! comes from.

mod blocks;
mod calls;
mod checks;
mod compact;
mod constant;
pub mod contracts;
mod cut;
mod dead;
mod dependence;
mod environment;
mod evaluate;
mod fold;
pub mod inline;
mod interval;
mod origin;
pub mod points_to;
mod promote;
pub mod ranges;
mod reach;
mod rewrite;
mod slice;
#[cfg(test)]
mod testing;
pub mod threads;

pub use blocks::{Spelled, spell_blocks};
pub use calls::{Resolved, is_compatible, resolve_calls};
pub use checks::{Unchecked, drop_checks};
pub use compact::{Compacted, compact};
pub use constant::{Folded, fold_constants, fold_pointers};
pub use cut::{Cut, cut_calls, inlined_size};
pub use dead::{Pruned, remove_dead};
pub use dependence::{Dependence, is_final};
pub use evaluate::Evaluator;
pub use interval::Interval;
pub use origin::{EdgeOrigin, Frame, FunctionOrigin, LocationOrigin, Origin, Role, VariableOrigin};
pub use promote::{Promoted, promote_heap, release_addresses};
pub use reach::{at_once, may_come_to};
pub use rewrite::{Arena, Mapping, Node, Uses, visit_expr, visit_op, visit_place};
pub use slice::{Slice, slice};
