//! Signs of life on standard error: a live line on a terminal, a line every
//! ten seconds in a log.

use crate::board::{Board, Status};
use crate::limits::show_size;
use crate::terminal;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use parallax::report::escape::{clip, visible};
use parallax_base::{Budget, resident_memory_bytes};
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// When the first line appears in a log.
const FIRST: Duration = Duration::from_millis(900);
/// The time between lines in a log.
const BETWEEN: Duration = Duration::from_secs(10);

/// Shows how far a command is.
pub(crate) struct Progress {
    bar: Option<ProgressBar>,
    next: Instant,
}

impl Progress {
    pub(crate) fn new() -> Progress {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(10));
            // The template is ours and right.
            if let Ok(style) = ProgressStyle::with_template("{spinner} {wide_msg}") {
                bar.set_style(style);
            }
            bar
        });
        Progress { bar, next: Instant::now() + FIRST }
    }

    /// Shows the present state, if it is time to.
    pub(crate) fn tick(&mut self, board: &Board, budget: &Budget) {
        if let Some(bar) = &self.bar {
            bar.set_message(line(board, budget));
            bar.tick();
        } else if Instant::now() >= self.next {
            self.next = Instant::now() + BETWEEN;
            terminal::note(&line(board, budget));
        }
    }

    /// Does something that prints, with the live line out of the way.
    pub(crate) fn aside(&self, print: impl FnOnce()) {
        match &self.bar {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }

    /// Takes the live line away.
    pub(crate) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// All that is known, on one line. What may be long comes last: a terminal
/// cuts the line at its edge.
fn line(board: &Board, budget: &Budget) -> String {
    let status = board.status();
    let mut parts = vec![head(&status), clock(budget)];
    let memory = resident_memory_bytes();
    if memory > 0 {
        parts.push(show_size(memory));
    }
    if let Some(open) = status.open {
        parts.push(format!("{open} bounds open"));
    }
    if status.iteration > 0 && status.predicates > 0 {
        parts.push(format!("round {}, {} predicates", status.iteration, status.predicates));
    } else if status.iteration > 0 {
        parts.push(format!("round {}", status.iteration));
    }
    if status.states > 0 && status.abstract_states > 0 {
        parts.push(format!("{} states ({} abstract)", status.states, status.abstract_states));
    } else if status.states > 0 {
        parts.push(format!("{} states", status.states));
    }
    if status.queries > 0 {
        parts.push(format!("{} queries", status.queries));
    }
    if let Some((text, why)) = &status.newest {
        let text = clip(&visible(text), 60).into_owned();
        let why = clip(&visible(why), 40).into_owned();
        parts.push(if why.is_empty() { format!("+ {text}") } else { format!("+ {text} ({why})") });
    }
    parts.join(" | ")
}

/// What is done by whom, about what.
fn head(status: &Status) -> String {
    let subject = clip(&visible(&status.subject), 24).into_owned();
    let phase = match (status.phase, status.engine) {
        ("", "") => "load",
        (phase, _) => phase,
    };
    let words = [subject.as_str(), status.engine, phase];
    words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// How much time has gone, and how much there is.
fn clock(budget: &Budget) -> String {
    let gone = budget.elapsed().as_secs();
    match budget.remaining() {
        Some(left) => format!("{gone} s, {} s left", left.as_secs()),
        None => format!("{gone} s"),
    }
}
