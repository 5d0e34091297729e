//! Layer 1: conflict-driven search over clauses and a theory.
//!
//! One core for `lra`, which looks for polyhedra of models, and for the
//! refutations of `interpolate`: clauses with two watched literals, learning,
//! activities ([`Heap`]: Moskewicz et al., DAC 2001), restarts ([`luby`]),
//! forgetting ([`Search`]). What literals mean, how what follows is explained
//! and how a proof is kept is the theory's ([`Theory`]); the search tells it of
//! every resolution.

mod analyze;
mod clause;
mod core;
mod heap;
mod lit;
#[cfg(test)]
mod tests;
mod theory;

pub use crate::core::{Effort, Round, Search, Values};
pub use heap::Heap;
pub use lit::Lit;
pub use theory::{NO_STEP, Theory};

/// The sequence of Luby, Sinclair and Zuckerman (1993) from 0: 1 1 2 1 1 2 4 ...
pub fn luby(index: u64) -> u64 {
    let (mut size, mut power) = (1, 0);
    while size < index + 1 {
        size = 2 * size + 1;
        power += 1;
    }
    let mut at = index;
    while size - 1 != at {
        size /= 2;
        power -= 1;
        at %= size;
    }
    1 << power
}
