//! How long and how large a run may become, and the word that ends it.
//!
//! A [`Budget`] is shared by all threads of a run. Loops call [`Budget::check`]
//! and pass [`Stop`] up with `?`; solvers ask [`Budget::remaining`] and are
//! interrupted when it is used up. The first reason to stop is the one reported.
//! The other way round, work tells the budget's observer how far it is.

use crate::event::{Event, Observer};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::{Duration, Instant};

/// Why a computation ended before it had an answer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Stop {
    /// The time limit was reached.
    Time,
    /// The memory limit was reached.
    Memory,
    /// Somebody asked for the end: a signal, or another engine that was faster.
    Cancelled,
}

impl std::fmt::Display for Stop {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Stop::Time => "time limit",
            Stop::Memory => "memory limit",
            Stop::Cancelled => "cancelled",
        })
    }
}

impl std::error::Error for Stop {}

/// Limits of a run, the flag that ends it, and who watches it. Clones share flag
/// and observer.
#[derive(Clone)]
pub struct Budget {
    started: Instant,
    deadline: Option<Instant>,
    memory: Option<u64>,
    stop: Arc<AtomicU8>,
    observer: Option<Arc<dyn Observer>>,
}

impl fmt::Debug for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Budget { started, deadline, memory, stop, observer: _ } = self;
        let mut parts = f.debug_struct("Budget");
        parts.field("started", started).field("deadline", deadline);
        parts.field("memory", memory).field("stop", stop).finish_non_exhaustive()
    }
}

impl Default for Budget {
    fn default() -> Budget {
        Budget::unlimited()
    }
}

impl Budget {
    /// No limits; ends only when cancelled.
    pub fn unlimited() -> Budget {
        Budget::new(None, None)
    }

    /// A budget that starts now and ends after `time` or beyond `memory` bytes.
    pub fn new(time: Option<Duration>, memory: Option<u64>) -> Budget {
        let started = Instant::now();
        let deadline = time.map(|t| started + t);
        Budget { started, deadline, memory, stop: Arc::default(), observer: None }
    }

    /// The same limits, watched by somebody.
    #[must_use]
    pub fn observed(self, observer: Arc<dyn Observer>) -> Budget {
        Budget { observer: Some(observer), ..self }
    }

    /// Tells whoever watches how far the work is.
    pub fn notice(&self, event: Event) {
        if let Some(observer) = &self.observer {
            observer.notice(event);
        }
    }

    /// The same run, with an earlier deadline for one part of it.
    #[must_use]
    pub fn within(&self, time: Duration) -> Budget {
        let mine = Instant::now() + time;
        let deadline = Some(self.deadline.map_or(mine, |d| d.min(mine)));
        Budget { deadline, ..self.clone() }
    }

    /// Asks every holder of this budget to stop.
    pub fn stop(&self, why: Stop) {
        let code = match why {
            Stop::Time => 1,
            Stop::Memory => 2,
            Stop::Cancelled => 3,
        };
        // The first reason wins; a failed exchange means there already is one.
        let _ = self.stop.compare_exchange(0, code, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// `Err` with the reason once the run must end.
    ///
    /// Memory is not measured here (reading it costs a system call): a watcher
    /// compares [`resident_memory_bytes`] with [`Budget::memory_limit`] and
    /// calls [`Budget::stop`].
    pub fn check(&self) -> Result<(), Stop> {
        match self.stop.load(Ordering::Relaxed) {
            0 => {}
            1 => return Err(Stop::Time),
            2 => return Err(Stop::Memory),
            _ => return Err(Stop::Cancelled),
        }
        match self.deadline {
            Some(deadline) if Instant::now() >= deadline => Err(Stop::Time),
            _ => Ok(()),
        }
    }

    /// Time left until the deadline, `None` without one.
    pub fn remaining(&self) -> Option<Duration> {
        self.deadline.map(|d| d.saturating_duration_since(Instant::now()))
    }

    /// Time since the budget was made.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// The memory limit in bytes.
    pub fn memory_limit(&self) -> Option<u64> {
        self.memory
    }
}

pub(crate) fn status_kib(key: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|l| l.strip_prefix(key))?;
    line.trim_start_matches(':').trim().trim_end_matches("kB").trim().parse().ok()
}

/// Memory this process holds now; 0 where the system does not tell.
pub fn resident_memory_bytes() -> u64 {
    status_kib("VmRSS").unwrap_or(0) * 1024
}

/// The most memory this process ever held; 0 where the system does not tell.
pub fn peak_memory_bytes() -> u64 {
    status_kib("VmHWM").unwrap_or(0) * 1024
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_reason_is_kept_and_shared() {
        let budget = Budget::unlimited();
        let part = budget.within(Duration::from_secs(3600));
        assert_eq!(part.check(), Ok(()));
        budget.stop(Stop::Memory);
        budget.stop(Stop::Cancelled);
        assert_eq!(part.check(), Err(Stop::Memory));
    }

    #[test]
    fn a_deadline_ends_the_part_not_the_whole() {
        let budget = Budget::unlimited();
        let part = budget.within(Duration::ZERO);
        assert_eq!(part.check(), Err(Stop::Time));
        assert_eq!(budget.check(), Ok(()));
    }
}
