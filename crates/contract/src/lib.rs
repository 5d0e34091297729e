//! Contracts of recursive functions, guessed from runs and kept if they hold.
//!
//! ```text
//! program ── runs ──▶ calls seen ── guess ──▶ candidates ── probe ──▶ contracts
//! ```
//!
//! What comes out is a suggestion. A verdict rests on a proof about the program
//! with the contracts, which the checker accepts or not.

mod fit;
mod guards;
mod guess;
mod infer;
mod memo;
mod probe;
mod sample;
mod subject;
mod table;

pub use infer::{Inferred, infer};
pub use sample::{Length, Runs, runs};
pub use subject::{Subject, subjects};
