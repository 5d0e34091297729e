//! What a search asks of the meaning of its literals, and of a proof.

use crate::Lit;
use crate::core::{Effort, Values};
use parallax_base::{Budget, Stop};

/// No step of a proof.
pub const NO_STEP: u32 = u32::MAX;

/// What literals mean, beside the clauses they are in.
///
/// Steps of proofs are numbers that the theory gives out and the search hands
/// back. They are below `2^31 - 1`, or [`NO_STEP`].
pub trait Theory {
    /// Why a literal follows.
    type Why: Copy + PartialEq + std::fmt::Debug;
    /// True literals that exclude each other.
    type Clash;
    /// A state to go back to.
    type Mark: Copy + std::fmt::Debug;

    /// The present state; a level of decisions begins.
    fn mark(&mut self) -> Self::Mark;

    /// Goes back to a state.
    fn undo(&mut self, mark: Self::Mark);

    /// Whether a literal, once true, says anything.
    fn speaks(&self, lit: Lit) -> bool;

    /// Takes a literal as true that says something.
    fn assert(&mut self, lit: Lit) -> Result<(), Self::Clash>;

    /// Draws conclusions from all that was asserted.
    fn propagate(&mut self, budget: &Budget) -> Result<Result<(), Self::Clash>, Stop>;

    /// Where literals are left that follow, with the reason.
    fn implied(&mut self) -> &mut Vec<(Lit, Self::Why)>;

    /// Adds the false literals behind a literal that followed; the step of the
    /// clause of all of them.
    fn explain(&mut self, lit: Lit, why: Self::Why, into: &mut Vec<Lit>) -> u32;

    /// Adds the false literals of a clash; the step of the clause of them.
    fn clash(&mut self, clash: Self::Clash, into: &mut Vec<Lit>) -> u32;

    /// The step of a clause that is the clause of step `first`, resolved with
    /// each of the others on the literal beside it, in order. The others have
    /// the literals, what they are resolved with has the negations.
    fn derived(&mut self, clause: &[Lit], first: u32, others: &[(Lit, u32)]) -> u32;

    /// A clause was learned, over so many levels.
    fn learned(&mut self, _clause: &[Lit], _levels: usize, _step: u32) {}

    /// Whether the search should return to its caller: asked now and then, and
    /// at restarts.
    fn pauses(&mut self, _effort: Effort, _is_restart: bool) -> bool {
        false
    }

    /// Whether a variable without a value has to have one.
    fn wants(&self, _var: usize, _values: &Values) -> bool {
        true
    }

    /// The value to try first.
    fn guess(&self, _var: usize) -> Option<bool> {
        None
    }
}
