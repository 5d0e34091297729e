//! Parts with disjunctions: a refutation of all parts gives all interpolants.
//!
//! The parts become clauses ([`encode`]), a search with learning and a simplex
//! refutes them ([`search`], [`theory`]), and the refutation is read once for
//! each cut ([`proof`]): McMillan, *An Interpolating Theorem Prover* (TACAS
//! 2004). Terms that are neither linear numbers nor connectives are opaque, so
//! the method is complete for linear arithmetic and truth values, and
//! right for everything.
//!
//! All interpolants come from one refutation by one system of rules, so they
//! are a sequence: for a part `e_i`, the labels at the cut before it and at the
//! cut after it differ only in symbols of `e_i` (Cimatti, Griggio, Sebastiani:
//! *Efficient Generation of Craig Interpolants in SMT*, 2010, show this for
//! both systems used here).

mod clause;
mod encode;
mod proof;
mod search;
#[cfg(test)]
mod tests;
mod theory;

use crate::problem::Problem;
use encode::{Encoded, Encoder};
use parallax_base::{Budget, Stop};
use parallax_term::{Term, TermStore};
use proof::Side;
use search::{Search, Verdict};

/// Proof steps times cuts up to which both systems of rules are compared.
const BOTH: usize = 100_000;

/// Interpolants from a refutation; `None` if none was found.
pub(crate) fn interpolants(
    store: &mut TermStore,
    problem: &Problem,
    budget: &Budget,
) -> Result<Option<Vec<Term>>, Stop> {
    let mut encoder = Encoder::default();
    for (part, conjuncts) in problem.parts.iter().enumerate() {
        budget.check()?;
        encoder.part(store, part, conjuncts);
    }
    let Encoded { clauses, mut theory } = encoder.finish();
    let mut search = Search::new(theory.len());
    clauses.into_iter().for_each(|clause| search.add(clause));
    let Verdict::Refuted(empty) = search.run(store, &mut theory, budget)? else {
        return Ok(None);
    };
    let proof = proof::Proof::new(search.clauses(), empty);
    let parts = problem.len();
    let strong = proof.interpolants(store, &theory, parts, Side::Later, budget)?;
    if proof.len() * parts > BOTH {
        return Ok(Some(strong));
    }
    let weak = proof.interpolants(store, &theory, parts, Side::Earlier, budget)?;
    let size = |formulas: &[Term]| -> usize {
        formulas.iter().map(|formula| store.subterms(&[*formula]).len()).sum()
    };
    Ok(Some(if size(&weak) < size(&strong) { weak } else { strong }))
}
