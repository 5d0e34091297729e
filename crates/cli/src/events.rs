//! The stream of `--events`: what the work tells, as lines of JSON in a file.
//!
//! Each line is written as a whole when it happens, so a reader can follow, and what
//! was written before a crash can be read.

use crate::failure::Failure;
use crate::files;
use parallax::report::{EVENTS_SCHEMA, EventJson, HappeningJson};
use parallax_base::{Event, resident_memory_bytes};
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The time between two lines on progress.
const BETWEEN: Duration = Duration::from_millis(100);

/// An open stream.
#[derive(Debug)]
pub(crate) struct Events {
    start: Instant,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// `None` once a line could not be written: the work goes on without.
    out: Option<File>,
    progress: Option<Instant>,
}

impl Events {
    /// Begins a stream about something.
    pub(crate) fn open(path: &Path, subject: &str) -> Result<Events, Failure> {
        let state = State { out: Some(files::stream(path)?), progress: None };
        let events = Events { start: Instant::now(), state: Mutex::new(state) };
        let (schema, version) = (EVENTS_SCHEMA, env!("CARGO_PKG_VERSION"));
        events.tell(HappeningJson::Start { schema, version, subject: subject.to_owned() });
        Ok(events)
    }

    /// Writes a line.
    pub(crate) fn tell(&self, what: HappeningJson) {
        self.write(&mut self.state(), what);
    }

    /// Writes what a search tells.
    pub(crate) fn notice(&self, event: &Event) {
        let mut state = self.state();
        let what = match event {
            Event::Iteration { number, predicates } => {
                HappeningJson::Round { number: *number, predicates: *predicates }
            }
            Event::Phase(phase) => HappeningJson::Phase { phase },
            Event::Predicate { text, why } => {
                HappeningJson::Predicate { text: text.clone(), why: why.clone() }
            }
            Event::Progress { states, abstract_states, queries } => {
                if state.progress.is_some_and(|last| last.elapsed() < BETWEEN) {
                    return;
                }
                state.progress = Some(Instant::now());
                HappeningJson::Progress {
                    states: *states,
                    abstract_states: *abstract_states,
                    queries: *queries,
                    memory_bytes: resident_memory_bytes(),
                }
            }
        };
        self.write(&mut state, what);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A line is whole or not there.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self, state: &mut State, what: HappeningJson) {
        let Some(out) = &mut state.out else { return };
        let line = EventJson { t: self.start.elapsed().as_secs_f64(), what };
        // Serializing plain data cannot fail.
        let line = serde_json::to_string(&line).unwrap_or_default() + "\n";
        if out.write_all(line.as_bytes()).is_err() {
            state.out = None;
        }
    }
}
