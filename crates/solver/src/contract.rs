//! What every solver promises.
//!
//! A solver holds a stack of asserted formulas and decides whether they can be
//! true together. Terms are ours, models are ours; what a solver can do beyond
//! that (cores, elimination) is a capability that may be absent and then
//! answers `None`.

use crate::Model;
use parallax_base::{Budget, Stop};
use parallax_term::{Term, TermStore};
use std::time::Duration;

/// What a solver says about a set of formulas.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// Some values of the symbols make all of them true.
    Sat,
    /// No values do.
    Unsat,
    /// The solver gave up, for this reason.
    Unknown(String),
}

/// A stack of formulas and questions about it.
///
/// # Soundness
/// One solver speaks about one [`TermStore`]: translations are remembered by
/// term, so all calls must pass the same store, grown or not. Two forks of a
/// store that have grown apart need two solvers.
///
/// Only `Unsat` is taken on trust. A `Sat` is checked: every model handed out
/// was evaluated on our own terms, and builds with debug assertions do so for
/// every `Sat`, asked for its model or not.
pub trait Solver {
    /// Who answers, with its version, as shown to people.
    fn name(&self) -> &str;

    /// Opens a scope: assertions made from now on end with the next `pop`.
    fn push(&mut self);

    /// Closes the innermost scope; without one nothing happens.
    fn pop(&mut self);

    /// Adds a formula to the innermost scope.
    fn assert(&mut self, store: &TermStore, formula: Term);

    /// Decides the asserted formulas together with `assumptions`, which may be
    /// any formulas and are forgotten afterwards.
    ///
    /// Ends with `Err` soon after the budget is used up or stopped.
    fn check(
        &mut self,
        store: &TermStore,
        assumptions: &[Term],
        budget: &Budget,
    ) -> Result<Answer, Stop>;

    /// As [`Solver::check`], for callers who will ask for the core of an
    /// `Unsat`: it is found at once, where `core` would repeat the query.
    fn check_for_core(
        &mut self,
        store: &TermStore,
        assumptions: &[Term],
        budget: &Budget,
    ) -> Result<Answer, Stop> {
        self.check(store, assumptions, budget)
    }

    /// After `Sat` and before any other call: values that make all formulas of
    /// that check true, for at least the given symbols.
    ///
    /// `None` if the last answer was something else, or if a value is not a
    /// [`parallax_term::Value`] (an irrational number).
    fn model(&mut self, store: &TermStore, symbols: &[Term]) -> Option<Model>;

    /// After `Unsat` and before any other call but `model`: some of the
    /// assumptions of that check that already contradict the asserted
    /// formulas. Not always the fewest; may repeat the query.
    ///
    /// `None` if this solver has no cores.
    fn core(&mut self) -> Option<Vec<Term>> {
        None
    }

    /// A formula equivalent to `exists bound. formula` that has no symbol of
    /// `bound`; independent of the asserted formulas.
    ///
    /// `None` if this solver cannot eliminate quantifiers or not these.
    fn eliminate(
        &mut self,
        store: &mut TermStore,
        formula: Term,
        bound: &[Term],
        budget: &Budget,
    ) -> Result<Option<Term>, Stop> {
        let _ = (store, formula, bound, budget);
        Ok(None)
    }

    /// What this solver was asked so far.
    fn statistics(&self) -> SolverStats;

    /// Whether the asserted formulas and `premise` imply `conclusion`; `None`
    /// if the solver does not know.
    fn entails(
        &mut self,
        store: &mut TermStore,
        premise: Term,
        conclusion: Term,
        budget: &Budget,
    ) -> Result<Option<bool>, Stop> {
        let negated = store.not(conclusion);
        Ok(match self.check(store, &[premise, negated], budget)? {
            Answer::Sat => Some(false),
            Answer::Unsat => Some(true),
            Answer::Unknown(_) => None,
        })
    }
}

/// Counts of questions and answers; summed over solvers with [`SolverStats::add`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SolverStats {
    /// Calls of [`Solver::check`], the interrupted ones included.
    pub queries: u64,
    /// Answers `Sat`.
    pub sat: u64,
    /// Answers `Unsat`.
    pub unsat: u64,
    /// Answers `Unknown`.
    pub unknown: u64,
    /// Calls of [`Solver::eliminate`] that reached the solver.
    pub eliminations: u64,
    /// Time spent in queries and eliminations.
    pub time: Duration,
}

impl SolverStats {
    /// Adds the counts of another solver.
    pub fn add(&mut self, other: &SolverStats) {
        self.queries += other.queries;
        self.sat += other.sat;
        self.unsat += other.unsat;
        self.unknown += other.unknown;
        self.eliminations += other.eliminations;
        self.time += other.time;
    }

    /// Counts one finished or interrupted query.
    pub(crate) fn count(&mut self, outcome: &Result<Answer, Stop>, time: Duration) {
        self.queries += 1;
        self.time += time;
        match outcome {
            Ok(Answer::Sat) => self.sat += 1,
            Ok(Answer::Unsat) => self.unsat += 1,
            Ok(Answer::Unknown(_)) => self.unknown += 1,
            Err(_) => {}
        }
    }
}
