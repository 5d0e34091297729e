//! What every command that takes time has in common: limits, a thread that is
//! watched, signs of life, Ctrl-C, and an answer when it does not end by itself.
//!
//! A command gives the work and says what to print of its result. What it is
//! told back is [`Driven::Stopped`] if a limit was reached: then it shows what it
//! knows so far, or [`Drive::unfinished`].

use crate::args::LimitArgs;
use crate::board::Board;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::limits::default_memory;
use crate::progress::Progress;
use crate::supervise::{Ended, supervise};
use crate::terminal;
use crate::unfinished::{Asked, unfinished};
use parallax_base::{Budget, Observer, Stop};
use std::sync::Arc;

/// A command that takes time.
pub(crate) trait Timed {
    /// Its limits.
    fn limits(&self) -> LimitArgs;

    /// Whether its result is wanted as JSON.
    fn is_json(&self) -> bool;

    /// What it is asked.
    fn asked(&self) -> Asked;
}

/// A run of a command.
pub(crate) struct Drive {
    /// Its limits. Whoever has it tells the board how far the work is.
    pub(crate) budget: Budget,
    /// How far it is.
    pub(crate) board: Arc<Board>,
    is_json: bool,
    asked: Asked,
}

/// How the work ended.
pub(crate) enum Driven<T> {
    /// By itself.
    Done(T),
    /// At a limit, with nothing to hand out.
    Stopped(Stop),
}

impl Drive {
    /// A run that begins now.
    pub(crate) fn new(command: &dyn Timed) -> Drive {
        let limits = command.limits();
        let board = Arc::new(Board::default());
        let observer: Arc<dyn Observer> = Arc::clone(&board) as _;
        let budget = Budget::new(Some(limits.time), limits.memory.or_else(default_memory));
        let (is_json, asked) = (command.is_json(), command.asked());
        Drive { budget: budget.observed(observer), board, is_json, asked }
    }

    /// Does the work.
    pub(crate) fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Budget) -> Result<T, Failure> + Send + 'static,
    ) -> Result<Driven<T>, Failure> {
        self.telling(String::new, work)
    }

    /// Does the work, and prints what `news` has to say meanwhile.
    pub(crate) fn telling<T: Send + 'static>(
        &self,
        mut news: impl FnMut() -> String,
        work: impl FnOnce(&Budget) -> Result<T, Failure> + Send + 'static,
    ) -> Result<Driven<T>, Failure> {
        let mut progress = Progress::new();
        let budget = self.budget.clone();
        let tick = || {
            let text = news();
            if !text.is_empty() {
                progress.aside(|| terminal::print(&text));
            }
            progress.tick(&self.board, &self.budget);
        };
        let ended = supervise(&self.budget, tick, move || work(&budget));
        progress.finish();
        let text = news();
        if !text.is_empty() {
            terminal::print(&text);
        }
        match ended {
            Ended::Done(Err(failure)) => match failure.stop() {
                Some(stop) => Ok(Driven::Stopped(stop)),
                None => Err(failure),
            },
            Ended::Done(Ok(done)) => Ok(Driven::Done(done)),
            Ended::Failed(failure) => Err(failure),
            Ended::Abandoned(stop) => Ok(Driven::Stopped(stop)),
        }
    }

    /// What to try where the limits were too small, as a line.
    pub(crate) fn hint(&self) -> String {
        self.asked.hint()
    }

    /// Says `unknown` of everything that was asked.
    pub(crate) fn unfinished(&self, stop: Stop) -> Exit {
        unfinished(&self.asked, &self.board.status(), &self.budget, stop, self.is_json)
    }
}
