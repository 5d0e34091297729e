//! Layer 6: inductive invariants in template domains.
//!
//! The program is cut at its places, which for C are the heads of loops; what
//! happens between two of them is one formula. Bounds of linear templates are
//! carried along steps until nothing changes (see `fixpoint`). How they are
//! carried is the one difference between the analyses:
//!
//! - [`Analysis::Symbolic`]: the best bounds after a step, by symbolic
//!   abstraction of its formula (Li, MSc thesis, Toronto 2013, Section 6.2.2);
//! - [`Analysis::Statements`]: the classical analysis of one operation after
//!   the other, with intervals and octagons.
//!
//! Symbolic abstraction also finds equations, congruences and equations modulo
//! `2^w`, with any coefficients (see `grid`). They are found between two passes
//! over templates: bounds of single variables help to find them, and they help
//! to find the bounds of the rest.
//!
//! What comes out is a claim: it becomes a verdict, or an invariant that is
//! shown, only when `certify` has accepted it as a certificate.

mod assume;
mod block;
mod control;
mod cycle;
mod domains;
mod environment;
mod fixpoint;
mod form;
mod grid;
mod interval;
#[cfg(test)]
mod laws;
mod octagon;
mod pass;
mod reduce;
mod statement;
mod symbolic;
mod template;
mod threshold;

pub use control::{Control, Step};
pub use form::Forms;
pub use template::Family;

use domains::Domains;
use parallax_base::{Budget, Id, Stop};
use parallax_domain::Step as Formula;
use parallax_evidence::{Certificate, ClosedSet, Region};
use parallax_ir::{Program, Transition, Variable};
use parallax_optimize::Abstract;
use parallax_solver::{Halt, SolverConfig};
use parallax_term::{Term, TermStore, Value};
use std::collections::BTreeSet;

/// How bounds are carried along steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Analysis {
    /// By symbolic abstraction of the formula of a step.
    #[default]
    Symbolic,
    /// By evaluating conditions and assignments one by one.
    Statements,
    /// The same as textbooks have it, with intervals alone: conditional values
    /// are joined, widening goes to infinity at once, narrowing only bounds what
    /// has no bound.
    Plain,
    /// The same without narrowing.
    Widened,
}

impl Analysis {
    /// Whether it is that of textbooks, with or without narrowing.
    fn is_plain(self) -> bool {
        matches!(self, Analysis::Plain | Analysis::Widened)
    }
}

/// What is looked for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// How bounds are carried along steps.
    pub analysis: Analysis,
    /// Which templates are bounded.
    pub family: Family,
    /// Templates besides, as terms of the store.
    pub given: Vec<Term>,
    /// Which variables matter at each location of the only process, by their
    /// positions; if nothing is said, those that may be read from there on.
    pub live: Option<Vec<BTreeSet<usize>>>,
}

/// What holds at a place.
#[derive(Clone, Debug)]
pub struct Invariant {
    /// The location of each process.
    pub place: Box<[i64]>,
    /// Whether it is the head of a loop.
    pub is_head: bool,
    /// The bounds; `Bottom` if no run comes here.
    pub value: Abstract,
    /// What is bounded.
    pub templates: Vec<Term>,
    /// Equations and congruences.
    pub relations: Vec<Term>,
    /// Bounds and relations as a formula, without what is known of domains.
    pub formula: Term,
}

/// Inductive invariants of all places.
#[derive(Clone, Debug)]
pub struct Invariants {
    /// Holds all terms; grown from the program's store.
    pub store: TermStore,
    /// What holds, place by place.
    pub at: Vec<Invariant>,
    /// What holds of domains, at all places.
    pub domains: Term,
    /// Whether templates of the family were left out somewhere.
    pub is_cut: bool,
    /// Whether equations and congruences were looked for.
    pub has_relations: bool,
    /// Questions put to the solver.
    pub queries: u64,
}

/// The variables that stay in their domains whatever step is taken, from
/// wherever all of them are.
pub fn closed_domains(
    program: &Program,
    store: &mut TermStore,
    transitions: &[Transition],
    solver: &SolverConfig,
    budget: &Budget,
) -> Result<Vec<Id<Variable>>, Halt> {
    let steps: Vec<Formula> = transitions.iter().map(|t| Formula::of(store, program, t)).collect();
    let domains = Domains::new(program, store, &steps, solver, budget)?;
    Ok(domains.kept.into_keys().collect())
}

/// Looks for inductive invariants of a program.
pub fn invariants(
    program: &Program,
    options: &Options,
    solver: &SolverConfig,
    budget: &Budget,
) -> Result<Invariants, Halt> {
    invariants_within(program, program.store.clone(), options, solver, budget)
}

/// The same, with terms in a store that has grown from that of the program; so
/// may the given templates.
pub fn invariants_within(
    program: &Program,
    store: TermStore,
    options: &Options,
    solver: &SolverConfig,
    budget: &Budget,
) -> Result<Invariants, Halt> {
    if !options.has_relations() {
        return pass::bounds(program, store, None, options, solver, budget);
    }
    let first = Options { family: Family::Intervals, ..options.clone() };
    let base = pass::bounds(program, store, None, &first, solver, budget)?;
    refine(program, base, options, solver, budget)
}

/// Invariants that are at least as good as those that are known, in a store
/// that has grown from theirs.
pub fn refine(
    program: &Program,
    mut base: Invariants,
    options: &Options,
    solver: &SolverConfig,
    budget: &Budget,
) -> Result<Invariants, Halt> {
    if options.has_relations() && !base.has_relations {
        base = pass::relations(program, base, options, solver, budget)?;
    }
    let store = base.store.clone();
    match pass::bounds(program, store, Some(&base), options, solver, budget) {
        // What is known is right, whatever else could be said.
        Err(Halt::Stop(stop)) if stop != Stop::Cancelled => Ok(base),
        found => found,
    }
}

/// What is known, and equations and congruences that follow from what steps do as
/// sums: without a solver, so they are there at once.
pub fn with_sums(
    program: &Program,
    base: &Invariants,
    options: &Options,
    solver: &SolverConfig,
    budget: &Budget,
) -> Result<Invariants, Halt> {
    pass::sums(program, base, options, solver, budget)
}

impl Options {
    /// Whether equations and congruences are looked for.
    fn has_relations(&self) -> bool {
        self.analysis == Analysis::Symbolic && matches!(self.family, Family::Auto | Family::Affine)
    }
}

impl Invariants {
    /// The set of all states that the invariants allow, as a certificate.
    pub fn certificate(&mut self, program: &Program) -> Certificate {
        let controls: Vec<_> = program.processes.iter().map(|p| p.control).collect();
        let mut fragment = Vec::new();
        for invariant in &self.at {
            if invariant.value == Abstract::Bottom {
                continue;
            }
            let values = invariant.place.iter().map(|&at| Value::int(at));
            let mut fixed: Vec<_> = controls.iter().copied().zip(values).collect();
            fixed.sort_by_key(|(variable, _)| *variable);
            let formula = self.store.and([invariant.formula, self.domains]);
            fragment.push(Region { fixed, formula });
        }
        Certificate::Closed(ClosedSet {
            store: self.store.clone(),
            points: Vec::new(),
            prefix: Vec::new(),
            fragment,
            quotient: None,
        })
    }
}
