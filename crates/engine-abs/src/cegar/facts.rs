//! Invariants that the search knows from elsewhere (Li, MSc thesis, Toronto
//! 2013, Section 6.2.3).
//!
//! Invariants in template domains are inductive on their own, so every abstract
//! state may be cut down to them; they become part of the certificate. The
//! other way round, formulas that exclude a path say which linear terms matter:
//! they become templates, and the analysis is repeated with them.

use super::place::Location;
use parallax_engine::{Question, Resources};
use parallax_invariant::{Analysis, Family, Options, invariants_within};
use parallax_optimize::Abstract;
use parallax_solver::Halt;
use parallax_term::{Node, Term, TermStore};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::time::Duration;

/// What the search takes from the analysis.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Known {
    /// Nothing.
    #[default]
    Nothing,
    /// Invariants as facts.
    Facts,
    /// The bounds of invariants as predicates.
    Predicates,
}

/// The analysis gets this part of the time that is left, each time.
const SHARE: u32 = 8;

/// How long it may take where there is no limit.
const LONGEST: Duration = Duration::from_secs(30);

/// Invariants by location.
#[derive(Clone, Debug, Default)]
pub(crate) struct Facts {
    at: FxHashMap<Location, Term>,
    templates: BTreeSet<Term>,
    /// Refinements until the analysis is repeated, and how many it were last.
    wait: u64,
    last: u64,
}

impl Facts {
    /// What the analysis finds, in a store that has grown from the given one.
    /// An analysis that takes too long finds nothing.
    pub(crate) fn find(
        question: Question<'_>,
        resources: Resources<'_>,
        store: TermStore,
        templates: BTreeSet<Term>,
    ) -> Result<(Facts, TermStore), Halt> {
        let part = resources.budget.remaining().map_or(LONGEST, |left| left / SHARE);
        let options = Options {
            analysis: Analysis::Symbolic,
            family: Family::Auto,
            given: templates.iter().copied().collect(),
            live: None,
        };
        let budget = resources.budget.within(part);
        let kept = store.clone();
        let found = invariants_within(question.program, store, &options, resources.solver, &budget);
        resources.budget.check()?;
        let mut facts = Facts { templates, wait: 4, last: 4, ..Facts::default() };
        let Ok(found) = found else { return Ok((facts, kept)) };
        let mut store = found.store;
        for invariant in found.at {
            let location: Location = invariant.place.to_vec().into();
            let formula = match invariant.value {
                Abstract::Bottom => store.bool(false),
                Abstract::Within(_) => invariant.formula,
            };
            facts.at.insert(location, formula);
        }
        Ok((facts, store))
    }

    /// What holds at a location.
    pub(crate) fn at(&self, location: &Location) -> Option<Term> {
        self.at.get(location).copied()
    }

    /// The facts by location, in order.
    pub(crate) fn all(&self) -> Vec<(Location, Term)> {
        let mut all: Vec<_> = self.at.iter().map(|(l, &t)| (l.clone(), t)).collect();
        all.sort();
        all
    }

    /// Templates to repeat the analysis with, if it is time and there are new
    /// ones among the sums that predicates compare.
    pub(crate) fn next(
        &mut self,
        store: &mut TermStore,
        predicates: &[Term],
    ) -> Option<BTreeSet<Term>> {
        self.wait = self.wait.saturating_sub(1);
        if self.wait > 0 {
            return None;
        }
        self.last *= 2;
        self.wait = self.last;
        let mut templates = self.templates.clone();
        for &predicate in predicates {
            let (atom, _) = store.literal(predicate);
            let Node::Compare(_, linear) = store.node(atom).clone() else { continue };
            let is_symbol = |t: Term| matches!(store.node(t), Node::Var(..));
            if linear.monomials().len() > 1 && linear.monomials().iter().all(|(t, _)| is_symbol(*t))
            {
                let sort = store.sort(linear.monomials()[0].0);
                let plain = linear.shifted(&-linear.constant_part());
                templates.insert(store.sum(plain, sort));
            }
        }
        (templates.len() > self.templates.len()).then_some(templates)
    }
}
