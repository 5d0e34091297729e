//! Exact classes or classes by actions, decided while they are composed.
//!
//! Classes by actions are fewer, but one does what any of its states does: where
//! systems wait for each other, they reach more together than the states do, and
//! every split costs a round. Neither is known beforehand, so both are composed
//! with the same limit, the exact ones first; the limit grows until one of them
//! is done.
//!
//! Of the exact classes a part is enough if it shows a difference: what the first
//! states of the composition do and the specification does not, the whole does
//! too. While predicates are few, programs do much that they really do not, and a
//! difference is near. More of the exact composition is also tried when the rounds
//! since the last new predicates, taken together, have cost several times as much
//! as it is known to be large.
//!
//! Invariants: no composition is built beyond the size of the exact one, which
//! is not larger than that of the states; what is built in vain is within a
//! constant factor of the smaller of the two.

use crate::search::Search;
use parallax_base::Stop;
use parallax_lts::{Composed, Lts, compose, compose_some, compose_within};
use parallax_simulate::Conformance;

/// The first limit.
const FIRST: usize = 128;
/// The exact composition is tried again when the others have cost so many times
/// what it is known to be larger than.
const PATIENCE: usize = 8;

/// What compositions have cost since predicates were last added.
#[derive(Default)]
pub(crate) struct Ledger {
    /// States of compositions of classes by actions.
    spent: usize,
    /// The exact composition has more states than this, and the first of them
    /// show no difference.
    above: usize,
    /// Whether exact classes were composed last.
    is_exact: bool,
    /// The size of the exact composition when it was last done.
    whole: usize,
}

impl Ledger {
    /// Systems have changed: nothing is known of their composition.
    pub(crate) fn forget(&mut self) {
        self.spent = 0;
        self.above = 0;
    }
}

impl Search<'_> {
    /// Whether states are joined at all. A single system is not composed with
    /// anything: joining saves nothing.
    pub(crate) fn joins(&self) -> bool {
        self.config.two_level && self.workers.len() > 1
    }

    /// Whether they are joined by actions at present.
    pub(crate) fn is_by_actions(&self) -> bool {
        self.joins() && !self.ledger.is_exact
    }

    /// The composition of the round, and how it compares with the specification.
    pub(crate) fn compose(&mut self) -> Result<(Composed, Conformance), Stop> {
        if !self.joins() {
            let parts: Vec<&Lts> = self.workers.iter().map(|worker| &worker.quotient).collect();
            let composed = compose("composition", &parts, None, self.budget)?;
            let states = composed.lts.state_count();
            self.built(states);
            let found = self.compared(&composed)?;
            return Ok((composed, found));
        }
        let mut limit = self.ledger.above.max(FIRST);
        loop {
            let worth = limit.max(self.ledger.spent / PATIENCE);
            if self.ledger.above < worth {
                if let Some(done) = self.exactly(worth)? {
                    return Ok(done);
                }
                self.ledger.above = worth;
            }
            // What was affordable before is so again, unless it has exploded.
            if limit > 2 * self.ledger.whole
                && let Some(done) = self.by_actions(limit)?
            {
                return Ok(done);
            }
            limit *= 2;
        }
    }

    /// The composition of the exact classes, if it is not larger than that, or if
    /// the first states show a difference.
    fn exactly(&mut self, most: usize) -> Result<Option<(Composed, Conformance)>, Stop> {
        let parts: Vec<&Lts> = self.workers.iter().map(|worker| &worker.small).collect();
        let (composed, is_whole) = compose_some("composition", &parts, most, self.budget)?;
        let states = composed.lts.state_count();
        self.built(states);
        let found = self.compared(&composed)?;
        if !is_whole && matches!(found, Conformance::Conforms(_)) {
            return Ok(None);
        }
        if is_whole {
            self.ledger.whole = states;
        }
        self.turn(true);
        Ok(Some((composed, found)))
    }

    /// The composition of the classes by actions, if it is not larger than that.
    fn by_actions(&mut self, most: usize) -> Result<Option<(Composed, Conformance)>, Stop> {
        self.turn(false);
        let parts: Vec<&Lts> = self.workers.iter().map(|worker| &worker.quotient).collect();
        let composed = compose_within("composition", &parts, most, self.budget)?;
        let states = composed.as_ref().map_or(most, |composed| composed.lts.state_count());
        self.ledger.spent += states;
        self.built(states);
        let Some(composed) = composed else { return Ok(None) };
        self.ledger.whole = 0;
        let found = self.compared(&composed)?;
        Ok(Some((composed, found)))
    }

    /// Joins states exactly, or by actions.
    fn turn(&mut self, is_exact: bool) {
        if std::mem::replace(&mut self.ledger.is_exact, is_exact) != is_exact {
            for index in 0..self.workers.len() {
                self.join(index);
            }
        }
    }

    fn built(&mut self, states: usize) {
        self.statistics.largest = self.statistics.largest.max(states);
    }
}
