//! Whose turn it is: engines are asked in growing slices of time.
//!
//! What an engine can find it mostly finds soon, and nobody knows beforehand
//! which one that is. So each gets a short turn first, and those that were
//! stopped get longer ones, until one answers: a longer limit never makes an
//! answer slower. An engine that gave up by itself is not asked again; the last
//! one left gets all the time there is.

use crate::Shape;
use crate::registry::units;
use parallax_base::Budget;
use parallax_engine::Engine;
use std::time::Duration;

/// The unit of the first turns, and by how much turns grow.
pub(super) const FIRST: Duration = Duration::from_millis(250);
pub(super) const GROWTH: u32 = 4;

/// How long an engine that would work for ever may work when all are asked and
/// there is no time limit.
const ENDLESS: Duration = Duration::from_secs(60);

/// The engines that are still to be asked.
pub(super) struct Turns<'e> {
    shape: Shape,
    all: bool,
    unit: Duration,
    round: u32,
    /// Those of this round, the next one last; of the next; and of the end.
    waiting: Vec<&'e dyn Engine>,
    later: Vec<&'e dyn Engine>,
    reserve: Vec<&'e dyn Engine>,
}

impl<'e> Turns<'e> {
    /// Engines in the order in which they are asked; `all` of them once, each
    /// with its share of the time, if they are to be compared. The unit is that of
    /// the first turns.
    pub(super) fn new(
        engines: Vec<&'e dyn Engine>,
        shape: Shape,
        all: bool,
        unit: Duration,
    ) -> Turns<'e> {
        let alone = engines.len() == 1;
        let (mut waiting, mut reserve): (Vec<_>, Vec<_>) =
            engines.into_iter().rev().partition(|e| all || alone || units(e.name(), shape) > 0);
        if waiting.is_empty() {
            waiting = std::mem::take(&mut reserve);
        }
        Turns { shape, all, unit, round: 0, waiting, later: Vec::new(), reserve }
    }

    /// The number of the round that the next turn belongs to.
    pub(super) fn round(&self) -> u32 {
        self.round + u32::from(self.waiting.is_empty())
    }

    /// The next engine with its limits; `None` if the time is used up after
    /// each was asked at least once, or if nobody is left.
    pub(super) fn next(&mut self, budget: &Budget) -> Option<(&'e dyn Engine, Budget)> {
        if self.waiting.is_empty() {
            self.round += 1;
            if self.later.is_empty() {
                self.waiting = std::mem::take(&mut self.reserve);
            } else {
                self.later.reverse();
                self.waiting = std::mem::take(&mut self.later);
                self.unit *= GROWTH;
            }
        }
        let count = self.waiting.len();
        let engine = self.waiting.pop()?;
        let alone = count == 1 && self.later.is_empty() && self.reserve.is_empty();
        let left = budget.remaining().map(|left| left / count as u32);
        let part = match left {
            None if self.all => engine.is_endless().then_some(ENDLESS),
            left if self.all || alone => left,
            left => {
                let turn = self.unit * units(engine.name(), self.shape).max(1);
                Some(left.map_or(turn, |left| left.min(turn)))
            }
        };
        let limits = part.map_or_else(|| budget.clone(), |part| budget.within(part));
        Some((engine, limits))
    }

    /// The engine was stopped and may be asked again.
    pub(super) fn again(&mut self, engine: &'e dyn Engine) {
        if !self.all {
            self.later.push(engine);
        }
    }
}
