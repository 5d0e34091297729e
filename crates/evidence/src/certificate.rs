//! Certificates: why no target can be reached, or why all runs satisfy a formula.
//!
//! For formulas of linear temporal logic there are the [`Ranking`] and, over
//! states that cannot be listed, the [`Descent`]. For targets
//! there are four arguments. An [`Unrolling`] lists all runs, which then must
//! be of bounded length. A [`Reduced`] set holds one order of steps for many. A
//! [`Quantified`] set speaks of an arbitrary element of arrays. A [`ClosedSet`] is a set
//! of states that contains the initial ones, is closed under every step and holds no
//! target. It comes in two parts:
//!
//! - the *fragment*: regions closed on their own. Whatever step is taken from
//!   a state of the fragment, the run stays in the fragment;
//! - the *prefix*: single states (points) and exact symbolic regions that runs
//!   pass through before they are trapped. A step from the prefix leads into
//!   the prefix or the fragment.
//!
//! With an empty prefix this is an inductive invariant. With a prefix it is the
//! safe-fragment argument of Albarghouthi (MSc thesis, Toronto 2010, section
//! 4.1), made sound for nondeterministic updates: the fragment must be closed,
//! not merely made of exact steps.

use crate::{Descent, Quantified, Ranking, Reduced, Unrolling};
use parallax_base::Id;
use parallax_ir::{State, Variable};
use parallax_term::{Term, TermStore, Value};

/// A set of states: some variables fixed, a formula for the rest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Region {
    /// Variables with one known value, in increasing order.
    pub fixed: Vec<(Id<Variable>, Value)>,
    /// What holds besides; may mention any variable.
    pub formula: Term,
}

/// A claim that every state of a region takes a step into another region.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct QuotientEdge {
    /// Index of the region left.
    pub source: u32,
    /// Index of the transition.
    pub transition: u32,
    /// Index of the region entered.
    pub target: u32,
}

/// What a certificate claims.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CertificateKind {
    /// Closed regions that hold all initial states.
    Inductive,
    /// A prefix that leads into closed regions.
    SafeFragment,
    /// Every reachable state, listed singly or as exact symbolic sets.
    Enumeration,
    /// Closed regions whose steps are the same for all states of a region: a
    /// finite bisimilar structure (Pasareanu, Pelanek, Visser, CAV 2005).
    Bisimulation,
    /// A finite tree that holds all runs.
    Unrolling,
    /// A finite tree that holds one order of steps for many.
    ReducedUnrolling,
    /// States of which some processes' steps were left out.
    Reduced,
    /// Closed regions that speak of an arbitrary element.
    Quantified,
    /// Ranks that do not grow along runs.
    Ranking,
    /// Terms that fall along runs.
    Descent,
}

impl CertificateKind {
    /// The word in reports and files.
    pub fn word(self) -> &'static str {
        match self {
            CertificateKind::Inductive => "inductive-invariant",
            CertificateKind::SafeFragment => "safe-fragment",
            CertificateKind::Enumeration => "enumeration",
            CertificateKind::Bisimulation => "bisimulation",
            CertificateKind::Unrolling => "unrolling",
            CertificateKind::ReducedUnrolling => "reduced-unrolling",
            CertificateKind::Reduced => "reduced",
            CertificateKind::Quantified => "quantified-invariant",
            CertificateKind::Ranking => "ranking",
            CertificateKind::Descent => "descent",
        }
    }
}

/// Why a property is as it is claimed. See the module text.
#[derive(Clone, Debug)]
pub enum Certificate {
    /// A set of states that runs never leave.
    Closed(ClosedSet),
    /// All runs.
    Unrolling(Unrolling),
    /// A set of states that holds one order of steps for many.
    Reduced(Reduced),
    /// A set of states that runs never leave, whatever some constants are.
    Quantified(Quantified),
    /// Why no run satisfies the negation of a formula, state by state.
    Ranking(Ranking),
    /// The same, by regions of states and terms that fall.
    Descent(Descent),
}

impl Certificate {
    /// What this certificate claims.
    pub fn kind(&self) -> CertificateKind {
        match self {
            Certificate::Closed(set) => set.kind(),
            Certificate::Unrolling(tree) if tree.movers.is_empty() => CertificateKind::Unrolling,
            Certificate::Unrolling(_) => CertificateKind::ReducedUnrolling,
            Certificate::Reduced(_) => CertificateKind::Reduced,
            Certificate::Quantified(_) => CertificateKind::Quantified,
            Certificate::Ranking(_) => CertificateKind::Ranking,
            Certificate::Descent(_) => CertificateKind::Descent,
        }
    }
}

/// A set of states that runs never leave. See the module text.
#[derive(Clone, Debug)]
pub struct ClosedSet {
    /// The store the formulas belong to: a fork of the program's.
    pub store: TermStore,
    /// Single states of the prefix.
    pub points: Vec<State>,
    /// Symbolic states of the prefix.
    pub prefix: Vec<Region>,
    /// The closed part.
    pub fragment: Vec<Region>,
    /// All steps of the fragment, when it claims to be a bisimilar structure.
    pub quotient: Option<Vec<QuotientEdge>>,
}

impl ClosedSet {
    /// What this set claims.
    pub fn kind(&self) -> CertificateKind {
        let no_prefix = self.points.is_empty() && self.prefix.is_empty();
        match &self.quotient {
            Some(_) if no_prefix => CertificateKind::Bisimulation,
            _ if no_prefix => CertificateKind::Inductive,
            _ if self.fragment.is_empty() => CertificateKind::Enumeration,
            _ => CertificateKind::SafeFragment,
        }
    }
}
