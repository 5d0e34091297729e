//! Signs of life on standard error: a live line on a terminal, a line every
//! ten seconds in a log.

use crate::limits::show_size;
use crate::monitor::{Monitor, Status};
use crate::terminal;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use parallax::Task;
use parallax::report::escape::{clip, visible};
use parallax_base::{Budget, resident_memory_bytes};
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// When the first line appears in a log.
const FIRST: Duration = Duration::from_millis(900);
/// The time between lines in a log.
const BETWEEN: Duration = Duration::from_secs(10);

/// Shows how far a check is.
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
    pub(crate) fn tick(&mut self, monitor: &Monitor, budget: &Budget) {
        if let Some(bar) = &self.bar {
            bar.set_message(line(monitor, budget));
            bar.tick();
        } else if Instant::now() >= self.next {
            self.next = Instant::now() + BETWEEN;
            terminal::note(&line(monitor, budget));
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
fn line(monitor: &Monitor, budget: &Budget) -> String {
    let status = monitor.status();
    let mut parts = vec![match monitor.task() {
        None => String::from("load"),
        Some(task) => head(task, &status),
    }];
    parts.push(match budget.remaining() {
        Some(left) => format!("{} s left", left.as_secs()),
        None => format!("{} s", budget.elapsed().as_secs()),
    });
    let memory = resident_memory_bytes();
    if memory > 0 {
        parts.push(show_size(memory));
    }
    if status.iteration > 0 {
        parts.push(format!("round {}, {} predicates", status.iteration, status.predicates));
    }
    if status.states > 0 {
        parts.push(format!("{} states ({} abstract)", status.states, status.abstract_states));
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

/// Which engine does what for which property.
fn head(task: &Task, status: &Status) -> String {
    let name = status.property.map_or("", |id| &*task.program.properties[id].name);
    let text = format!("{} {} {}", clip(&visible(name), 24), status.engine, status.phase);
    text.trim().to_owned()
}
