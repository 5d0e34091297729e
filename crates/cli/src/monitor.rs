//! What is known about a check while it runs, besides how far it is: the task,
//! and answers so far.

use crate::board::Board;
use parallax::report::HappeningJson;
use parallax::{Answer, Task, Watch};
use parallax_base::Id;
use parallax_ir::Property;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// The state of a check.
pub(crate) struct Monitor {
    board: Arc<Board>,
    task: OnceLock<Arc<Task>>,
    answers: Mutex<BTreeMap<Id<Property>, Arc<Answer>>>,
}

impl Monitor {
    pub(crate) fn new(board: &Arc<Board>) -> Monitor {
        Monitor { board: Arc::clone(board), task: OnceLock::new(), answers: Mutex::default() }
    }

    /// The model is loaded.
    pub(crate) fn loaded(&self, task: &Arc<Task>) {
        // It is loaded once.
        let _ = self.task.set(Arc::clone(task));
    }

    /// The task, once it is loaded.
    pub(crate) fn task(&self) -> Option<&Arc<Task>> {
        self.task.get()
    }

    /// The answers so far.
    pub(crate) fn answers(&self) -> BTreeMap<Id<Property>, Arc<Answer>> {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Watch for Monitor {
    fn begin(&self, property: Id<Property>, engine: &'static str) {
        let name = self.task().map(|task| &task.program.properties[property].name);
        self.board.begin(name.map_or("", |name| name), engine);
    }

    fn answered(&self, answer: &Arc<Answer>) {
        if let Some(task) = self.task() {
            self.board.tell(|| HappeningJson::Answer {
                name: task.program.properties[answer.property].name.to_string(),
                verdict: answer.verdict(task).word(),
                engine: answer.outcome.engine,
            });
        }
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        answers.insert(answer.property, Arc::clone(answer));
    }
}
