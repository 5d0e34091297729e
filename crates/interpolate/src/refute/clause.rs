//! Literals and clauses, with where a clause comes from.

use parallax_term::{Rat, Term};

/// A propositional variable, positive or negated.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Lit(pub(crate) u32);

impl Lit {
    pub(crate) fn new(var: u32, positive: bool) -> Lit {
        Lit(var * 2 + u32::from(!positive))
    }

    pub(crate) fn var(self) -> u32 {
        self.0 / 2
    }

    pub(crate) fn is_positive(self) -> bool {
        self.0.is_multiple_of(2)
    }

    pub(crate) fn negated(self) -> Lit {
        Lit(self.0 ^ 1)
    }

    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// Why a clause holds.
#[derive(Clone, Debug)]
pub(crate) enum Origin {
    /// A part says so, by this conjunct; without one, it is a definition.
    Part(usize, Option<Term>),
    /// The negations of its literals are bounds that, so often taken, sum up
    /// to a contradiction.
    Lemma(Box<[(Lit, Rat)]>),
    /// The first clause resolved with each other, on the given variables.
    Chain(usize, Box<[(u32, usize)]>),
}

/// A disjunction of literals.
#[derive(Clone, Debug)]
pub(crate) struct Clause {
    pub(crate) literals: Vec<Lit>,
    pub(crate) origin: Origin,
}
