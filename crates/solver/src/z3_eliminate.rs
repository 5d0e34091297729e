//! Quantifier elimination.
use crate::z3_translate::Translation;
use crate::z3_watch::Watch;
use parallax_base::{Budget, Stop};
use parallax_term::{Term, TermStore};

pub(crate) fn eliminate(
    _translation: &mut Translation,
    _watch: &Watch,
    _store: &mut TermStore,
    _formula: Term,
    _bound: &[Term],
    _budget: &Budget,
) -> Result<Option<Term>, Stop> {
    Ok(None)
}
