//! Witnesses of others: what a file claims about a C program, and the programs that
//! answer whether it is right.
//!
//! ```text
//! text ── read ──▶ Witness ── invariants ──▶ program that fails where one does not hold
//!                          │               └▶ program in which they are assumed
//!                          └─ path ───────▶ program whose runs follow the segments
//! ```
//!
//! Nothing of a witness is believed. Its expressions are put into the text of the program
//! (`parallax_front_c::Splices`) after it was seen that they look and do nothing else, so
//! the front end says what they mean, and the programs that come of it are checked like
//! any other.
//!
//! # Soundness
//! Invariants are assumed only after it was proved that no run breaks one: the two
//! programs have the same text, and differ in what becomes of a condition that is false.
//! What cannot be placed or read is left out and said; then nothing is confirmed.

mod path;
mod read;
mod seen;

pub use self::path::{PathPlan, plan_path};
pub use self::read::{BadWitness, Claim, Constraint, Invariant, Step, StepKind, Witness};
pub use self::seen::{InvariantPlan, plan_invariants};

use parallax_front_c::Spot;

/// The function that is called where an invariant does not hold.
pub const BROKEN: &str = "__witness_broken";

/// The variable that counts the steps a run has followed.
pub const SEGMENT: &str = "__parallax_segment";

/// The library's function that ends a run which nobody asks about.
const ASSUME: &str = "__parallax_assume";

/// A place as witnesses have it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct WitnessPlace {
    /// The place.
    pub spot: Spot,
    /// The function it is in, if that is said.
    pub function: Option<String>,
}

impl std::fmt::Display for WitnessPlace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.spot.file, self.spot.line)?;
        match self.spot.column {
            Some(column) => write!(f, ":{column}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests;
