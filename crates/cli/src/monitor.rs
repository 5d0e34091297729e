//! What is known about a check while it runs: shared by the thread that works
//! and the one that watches.

use parallax::{Answer, Event, Observer, Task, Watch};
use parallax_base::Id;
use parallax_ir::Property;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// The latest of everything an engine told.
#[derive(Clone, Debug, Default)]
pub(crate) struct Status {
    /// The property at work.
    pub(crate) property: Option<Id<Property>>,
    /// The engine at work.
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
}

/// The state of a check.
#[derive(Default)]
pub(crate) struct Monitor {
    task: OnceLock<Arc<Task>>,
    status: Mutex<Status>,
    answers: Mutex<BTreeMap<Id<Property>, Arc<Answer>>>,
}

impl Monitor {
    /// The model is loaded.
    pub(crate) fn loaded(&self, task: &Arc<Task>) {
        // It is loaded once.
        let _ = self.task.set(Arc::clone(task));
    }

    /// The task, once it is loaded.
    pub(crate) fn task(&self) -> Option<&Arc<Task>> {
        self.task.get()
    }

    /// The state of the engine at work.
    pub(crate) fn status(&self) -> Status {
        self.lock().clone()
    }

    /// The answers so far.
    pub(crate) fn answers(&self) -> BTreeMap<Id<Property>, Arc<Answer>> {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn lock(&self) -> MutexGuard<'_, Status> {
        // A status is whole after every field.
        self.status.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Observer for Monitor {
    fn notice(&self, event: Event) {
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

impl Watch for Monitor {
    fn begin(&self, property: Id<Property>, engine: &'static str) {
        *self.lock() = Status { property: Some(property), engine, ..Status::default() };
    }

    fn answered(&self, answer: &Arc<Answer>) {
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        answers.insert(answer.property, Arc::clone(answer));
    }
}
