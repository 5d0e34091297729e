//! How far a command is: written by the thread that works, read by the one that
//! watches.

use crate::events::Events;
use parallax::report::HappeningJson;
use parallax::{Event, Observer, optimize};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// The latest of everything the work told.
#[derive(Clone, Debug, Default)]
pub(crate) struct Status {
    /// What it is about: a property, a question, a file.
    pub(crate) subject: String,
    /// The engine at work, if there are several.
    pub(crate) engine: &'static str,
    /// What it does.
    pub(crate) phase: &'static str,
    /// The round it is in.
    pub(crate) iteration: u64,
    /// Predicates of the round.
    pub(crate) predicates: u64,
    /// The newest predicate and why it was added.
    pub(crate) newest: Option<(String, String)>,
    /// Concrete or symbolic states of the round.
    pub(crate) states: u64,
    /// Abstract states of the round.
    pub(crate) abstract_states: u64,
    /// Solver queries of the engine.
    pub(crate) queries: u64,
    /// Bounds that are still open, once one is closed.
    pub(crate) open: Option<u64>,
}

/// Where the status is kept.
#[derive(Debug, Default)]
pub(crate) struct Board {
    status: Mutex<Status>,
    events: OnceLock<Events>,
}

impl Board {
    /// The status now.
    pub(crate) fn status(&self) -> Status {
        self.lock().clone()
    }

    /// Something else is worked on; nothing is known of it yet.
    pub(crate) fn begin(&self, subject: &str, engine: &'static str) {
        *self.lock() = Status { subject: subject.to_owned(), engine, ..Status::default() };
        self.tell(|| HappeningJson::Begin { subject: subject.to_owned(), engine });
    }

    /// Has a stream told everything from now on.
    pub(crate) fn open(&self, events: Events) {
        // It is opened once.
        let _ = self.events.set(events);
    }

    /// Tells the stream, if there is one.
    pub(crate) fn tell(&self, what: impl FnOnce() -> HappeningJson) {
        if let Some(events) = self.events.get() {
            events.tell(what());
        }
    }

    fn lock(&self) -> MutexGuard<'_, Status> {
        // A status is whole after every field.
        self.status.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Observer for Board {
    fn notice(&self, event: Event) {
        if let Some(events) = self.events.get() {
            events.notice(&event);
        }
        let mut status = self.lock();
        match event {
            Event::Iteration { number, predicates } => {
                status.iteration = number;
                status.predicates = predicates;
            }
            Event::Progress { states, abstract_states, queries } => {
                status.states = states;
                status.abstract_states = abstract_states;
                status.queries = queries;
            }
            Event::Phase(phase) => status.phase = phase,
            Event::Predicate { text, why } => status.newest = Some((text, why)),
        }
    }
}

impl optimize::Observer for Board {
    fn notice(&self, event: &optimize::Event) {
        let mut status = self.lock();
        match event {
            optimize::Event::Reached { .. } => status.iteration += 1,
            optimize::Event::Closed { open, .. } => status.open = Some(*open as u64),
            optimize::Event::Rule(_) => {}
        }
    }
}
