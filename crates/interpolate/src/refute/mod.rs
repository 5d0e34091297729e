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
mod theory;

use crate::Candidate;
use encode::{Encoded, Encoder};
use parallax_base::{Budget, Stop};
use parallax_term::{Term, TermStore};
use proof::Side;
use search::{Limits, refute};

/// Proof steps times cuts up to which both systems of rules are compared.
const BOTH: usize = 100_000;

/// For a first try, on parts that were not reduced yet.
pub(crate) const SMALL: Limits = Limits { clauses: 5000, conflicts: 300, branches: 20 };
/// For a search that is worth its time.
pub(crate) const LARGE: Limits = Limits { clauses: 500_000, conflicts: 20_000, branches: 300 };

/// Interpolants from a refutation; `None` if none was found.
pub(crate) fn interpolants(
    store: &mut TermStore,
    parts: &[Vec<Term>],
    limits: Limits,
    budget: &Budget,
) -> Result<Option<Candidate>, Stop> {
    let mut encoder = Encoder::default();
    for (part, conjuncts) in parts.iter().enumerate() {
        budget.check()?;
        encoder.part(store, part, conjuncts);
    }
    let Encoded { clauses, theory } = encoder.finish();
    if clauses.len() > limits.clauses {
        return Ok(None);
    }
    let (record, empty) = refute(store, clauses, theory, limits, budget)?;
    let Some(empty) = empty else { return Ok(None) };
    let proof = proof::Proof::new(&record.clauses, empty);
    let theory = &record.theory;
    let core = proof.core(parts.len());
    let strong = proof.interpolants(store, theory, parts.len(), Side::Later, budget)?;
    if proof.len() * parts.len() > BOTH {
        return Ok(Some(Candidate { formulas: strong, core }));
    }
    let weak = proof.interpolants(store, theory, parts.len(), Side::Earlier, budget)?;
    let size = |formulas: &[Term]| -> usize {
        formulas.iter().map(|formula| store.subterms(&[*formula]).len()).sum()
    };
    let formulas = if size(&weak) < size(&strong) { weak } else { strong };
    Ok(Some(Candidate { formulas, core }))
}
