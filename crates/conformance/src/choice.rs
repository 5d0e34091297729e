//! One level or two, decided while states are composed.
//!
//! Joined states are fewer, but a class does what any of its states does: where
//! systems wait for each other, the classes together reach more than the states
//! do, and every split costs a round. Neither is known beforehand, so both are
//! composed with the same limit, the states themselves first; the limit grows
//! until one of them is done. The direct composition is also tried again when
//! the rounds since the last new predicates, taken together, have cost several
//! times as much as it is known to be large.
//!
//! Invariants: no composition of classes is built beyond the size of the direct
//! one; what is built in vain is within a constant factor of the smaller of the
//! two.

use crate::level::Level;
use crate::search::Search;
use parallax_base::Stop;
use parallax_lts::{Composed, Lts, compose, compose_within};

/// The first limit.
const FIRST: usize = 128;
/// The direct composition is tried again when joined states have cost so many
/// times what it is known to be larger than.
const PATIENCE: usize = 8;

/// What compositions have cost since predicates were last added.
#[derive(Default)]
pub(crate) struct Ledger {
    /// States of compositions of classes.
    spent: usize,
    /// The direct composition has more states than this.
    above: usize,
    /// The size of the direct composition, if it was used last; it may be that
    /// of the systems before they were refined.
    direct: Option<usize>,
}

impl Ledger {
    /// Systems have changed: nothing is known of their composition.
    pub(crate) fn forget(&mut self) {
        self.spent = 0;
        self.above = 0;
    }
}

impl Search<'_> {
    /// Whether states are joined at present.
    pub(crate) fn is_joined(&self) -> bool {
        // A single system is not composed with anything: joining saves nothing.
        self.config.two_level && self.workers.len() > 1 && self.ledger.direct.is_none()
    }

    /// The composition of the round: of the classes, or of the states.
    pub(crate) fn compose(&mut self) -> Result<Composed, Stop> {
        if !self.config.two_level || self.workers.len() == 1 {
            let parts: Vec<&Lts> = self.workers.iter().map(|worker| &worker.quotient).collect();
            let composed = compose("composition", &parts, None, self.budget)?;
            self.built(composed.lts.state_count());
            return Ok(composed);
        }
        if let Some(before) = self.ledger.direct {
            // What was affordable before is so again, unless it has exploded.
            if let Some(composed) = self.directly(2 * before)? {
                return Ok(composed);
            }
            self.ledger.direct = None;
            for index in 0..self.workers.len() {
                self.join(index);
            }
        }
        let mut limit = self.ledger.above.max(FIRST);
        loop {
            let worth = self.ledger.spent / PATIENCE;
            if self.ledger.above < limit.max(worth)
                && let Some(composed) = self.directly(limit.max(worth))?
            {
                for worker in &mut self.workers {
                    worker.level = Level::discrete(&worker.model);
                    worker.quotient = worker.level.quotient(&worker.model);
                }
                return Ok(composed);
            }
            let parts: Vec<&Lts> = self.workers.iter().map(|worker| &worker.quotient).collect();
            let composed = compose_within("composition", &parts, limit, self.budget)?;
            let states = composed.as_ref().map_or(limit, |composed| composed.lts.state_count());
            self.ledger.spent += states;
            self.built(states);
            if let Some(composed) = composed {
                return Ok(composed);
            }
            limit *= 2;
        }
    }

    /// The composition of the states themselves, if it is not larger than that.
    fn directly(&mut self, most: usize) -> Result<Option<Composed>, Stop> {
        let parts: Vec<&Lts> = self.workers.iter().map(|worker| &worker.model.lts).collect();
        let composed = compose_within("composition", &parts, most, self.budget)?;
        let states = composed.as_ref().map_or(most, |composed| composed.lts.state_count());
        self.built(states);
        match composed {
            Some(_) => self.ledger.direct = Some(states),
            None => self.ledger.above = most,
        }
        Ok(composed)
    }

    fn built(&mut self, states: usize) {
        self.statistics.largest = self.statistics.largest.max(states);
    }
}
