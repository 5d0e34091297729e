//! Descents: why no run satisfies the negation of a formula, by terms that fall.
//!
//! The counterpart of a [`Ranking`](crate::Ranking) for programs with more
//! states than can be listed. A node is a region of states with a set of
//! obligations: parts of the *negated* formula in negation normal form, by their
//! number there (see `parallax_ltl::Progression`). Every node has a *measure*, a
//! list of terms, one list as long as the other, and may name an until that is
//! blamed. The claims are:
//!
//! 1. every initial state lies in a node with the obligations to begin with;
//! 2. whatever step a run takes from a state of a node, and whatever successor of
//!    the obligations is chosen, the state reached lies in a node with these
//!    obligations, and the step *descends* or *waits*;
//! 3. a step descends if some term of the measure is at least 0 before it and
//!    falls by at least 1, and none to the left of it grows;
//! 4. a step waits if no term grows, both nodes blame the same until, and the
//!    successor postpones it.
//!
//! No run descends infinitely often: of the terms that fall so for ever, take
//! the leftmost. From some time on nothing to the left of it falls so, hence it
//! never grows; but it falls by 1 infinitely often and is at least 0 before it
//! does. So from some time on all steps wait, one until is postponed for ever,
//! and by what progression says the run does not satisfy the negation.
//!
//! Lexicographic measures for fair termination are those of Manna and Pnueli
//! (*Completing the Temporal Picture*, 1991); the terms need not be bounded where
//! they do not fall, as with Bradley, Manna and Sipma (CAV 2005).

use crate::Region;
use parallax_term::{Term, TermStore};

/// A certificate for a formula of linear temporal logic. See the module text.
#[derive(Clone, Debug)]
pub struct Descent {
    /// The store the formulas belong to: a fork of the program's.
    pub store: TermStore,
    /// Sets of obligations: numbers of parts of the negated formula, in
    /// increasing order.
    pub obligations: Vec<Vec<u32>>,
    /// The nodes.
    pub nodes: Vec<DescentNode>,
}

/// States of runs, what the rest of a run owes there, and how far it is from
/// an end.
#[derive(Clone, Debug)]
pub struct DescentNode {
    /// Index into [`Descent::obligations`].
    pub obligations: u32,
    /// The states.
    pub region: Region,
    /// Terms over the program's variables.
    pub measure: Vec<Term>,
    /// The until that is put off for ever by runs that stay here.
    pub blamed: Option<u32>,
}
