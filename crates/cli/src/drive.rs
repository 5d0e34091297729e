//! What every command that takes time has in common: limits, a thread that is
//! watched, signs of life, Ctrl-C, and an answer when it does not end by itself.
//!
//! A command gives the work and says what to print of its result. What it is
//! told back is [`Driven::Stopped`] if a limit was reached: then it shows what it
//! knows so far, or [`Drive::unfinished`].

use crate::args::LimitArgs;
use crate::board::Board;
use crate::deliver::{Delivery, FormatArgs};
use crate::events::Events;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::limits::default_memory;
use crate::progress::Progress;
use crate::supervise::{Ended, supervise};
use crate::terminal;
use crate::unfinished::{Asked, unfinished};
use parallax::report::{HappeningJson, Page};
use parallax_base::{Budget, Observer, Stop};
use serde::Serialize;
use std::sync::Arc;

/// A command that takes time.
pub(crate) trait Timed {
    /// Its limits.
    fn limits(&self) -> LimitArgs;

    /// Whether its result is wanted as JSON.
    fn is_json(&self) -> bool;

    /// What it is asked.
    fn asked(&self) -> Asked;

    /// What other tools read of its result.
    fn formats(&self) -> FormatArgs {
        FormatArgs::default()
    }
}

/// A run of a command.
pub(crate) struct Drive {
    /// Its limits. Whoever has it tells the board how far the work is.
    pub(crate) budget: Budget,
    /// How far it is.
    pub(crate) board: Arc<Board>,
    asked: Asked,
    delivery: Delivery,
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
        let (asked, delivery) = (command.asked(), Delivery::of(command));
        Drive { budget: budget.observed(observer), board, asked, delivery }
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
        if let Some(path) = &self.delivery.formats.events {
            self.board.open(Events::open(path, &self.asked.subject)?);
        }
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

    /// What the command is about.
    pub(crate) fn subject(&self) -> &str {
        &self.asked.subject
    }

    /// What to try where the limits were too small, as a line.
    pub(crate) fn hint(&self) -> String {
        self.asked.hint()
    }

    /// Hands out the result of the command: its object, or the text, and what a page shows
    /// besides.
    pub(crate) fn deliver(
        &self,
        object: &impl Serialize,
        text: impl FnOnce() -> String,
        page: impl FnOnce() -> Page,
    ) -> Result<(), Failure> {
        let verdict = self.delivery.result(object, text, page)?;
        self.board.tell(|| HappeningJson::End { verdict });
        Ok(())
    }

    /// Says `unknown` of everything that was asked.
    pub(crate) fn unfinished(&self, stop: Stop) -> Exit {
        let exit =
            unfinished(&self.asked, &self.board.status(), &self.budget, stop, &self.delivery);
        self.board.tell(|| HappeningJson::End { verdict: "unknown".to_owned() });
        exit
    }
}
