//! How long and how large a run may become, and the word that ends it.
//!
//! A [`Budget`] is shared by all threads of a run. Loops call [`Budget::check`]
//! and pass [`Stop`] up with `?`; solvers ask [`Budget::remaining`] and are
//! interrupted when it is used up. The first reason to stop is the one reported.

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

/// Limits of a run and the flag that ends it. Clones share the flag.
#[derive(Clone, Debug)]
pub struct Budget {
    started: Instant,
    deadline: Option<Instant>,
    memory: Option<u64>,
    stop: Arc<AtomicU8>,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget::unlimited()
    }
}

impl Budget {
    /// No limits; ends only when cancelled.
    pub fn unlimited() -> Budget {
        Budget { started: Instant::now(), deadline: None, memory: None, stop: Arc::default() }
    }

    /// A budget that starts now and ends after `time` or beyond `memory` bytes.
    pub fn new(time: Option<Duration>, memory: Option<u64>) -> Budget {
        let started = Instant::now();
        Budget { started, deadline: time.map(|t| started + t), memory, stop: Arc::default() }
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
