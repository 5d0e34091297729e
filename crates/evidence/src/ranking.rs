//! Rankings: why no run satisfies a formula of linear temporal logic.
//!
//! A ranking lists pairs of a state and a set of obligations: parts of the
//! *negated* formula in negation normal form, by their number there (see
//! `parallax_ltl::Progression`). Each pair has a rank, and each rank may have an
//! until that is blamed. The claims are:
//!
//! 1. every initial state is listed with the obligations to begin with;
//! 2. whatever step a run takes from a listed pair, and whatever successor of
//!    the obligations is chosen, the pair reached is listed and its rank is not
//!    larger;
//! 3. if its rank is the same, the successor postpones the until that is blamed
//!    for that rank.
//!
//! Along an infinite run ranks cannot fall for ever, so from some time on one
//! until is always postponed. By what progression says, the run then does not
//! satisfy the negation, so it satisfies the formula.

use parallax_ir::State;

/// A certificate for a formula of linear temporal logic. See the module text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ranking {
    /// The states of runs.
    pub states: Vec<State>,
    /// Sets of obligations: numbers of parts of the negated formula, in
    /// increasing order.
    pub obligations: Vec<Vec<u32>>,
    /// The pairs.
    pub nodes: Vec<RankedNode>,
    /// For each rank the until that is blamed; `None` where no pair leads to
    /// one of the same rank.
    pub blamed: Vec<Option<u32>>,
}

/// A state and what the rest of a run owes there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RankedNode {
    /// Index into [`Ranking::states`].
    pub state: u32,
    /// Index into [`Ranking::obligations`].
    pub obligations: u32,
    /// Its rank.
    pub rank: u32,
}
