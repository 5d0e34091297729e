//! Clauses, with where a clause comes from.

use parallax_search::Lit;
use parallax_term::{Rat, Term};

/// Why a clause holds.
#[derive(Clone, Debug)]
pub(crate) enum Origin {
    /// A part says so, by this conjunct; without one, it is a definition.
    Part(usize, Option<Term>),
    /// The negations of its literals are bounds that, so often taken, sum up
    /// to a contradiction.
    Lemma(Box<[(Lit, Rat)]>),
    /// The first clause resolved with each other, on the given variables.
    Chain(usize, Box<[(usize, usize)]>),
}

/// A disjunction of literals.
#[derive(Clone, Debug)]
pub(crate) struct Clause {
    pub(crate) literals: Vec<Lit>,
    pub(crate) origin: Origin,
}
