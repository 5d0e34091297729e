//! Work under limits: it ends in time even if it does not listen.
//!
//! The work runs in a thread of its own and asks its budget; this thread
//! watches memory, signals and the clock. Work that has not come back half a
//! second after the budget ended is left behind, and the process ends without
//! it. So a run ends within a second of its limit, also when a solver does not
//! return.

use parallax_base::{Budget, Stop, resident_memory_bytes};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// How often memory, signals and the clock are looked at.
const POLL: Duration = Duration::from_millis(50);
/// How long work may take to notice that its budget has ended.
const GRACE: Duration = Duration::from_millis(500);
/// Stack of the working thread. Nothing recurses on the depth of its input;
/// this is for solvers.
const STACK: usize = 64 << 20;

/// How supervised work ended.
pub(crate) enum Ended<T> {
    /// By itself.
    Done(T),
    /// By a panic, with this message.
    Panicked(String),
    /// Not: it did not listen and was left behind.
    Abandoned(Stop),
}

/// Runs `work` and calls `tick` about twenty times a second until it ends.
pub(crate) fn supervise<T: Send + 'static>(
    budget: &Budget,
    mut tick: impl FnMut(),
    work: impl FnOnce() -> T + Send + 'static,
) -> Ended<T> {
    let interrupted = signals();
    let (sender, receiver) = sync_channel(1);
    let run = move || {
        // Nobody waits any more if the work was abandoned.
        let _ = sender.send(catch(work));
    };
    if let Err(error) = std::thread::Builder::new().stack_size(STACK).spawn(run) {
        return Ended::Panicked(format!("cannot start a thread: {error}"));
    }
    let mut ended: Option<Instant> = None;
    loop {
        match receiver.recv_timeout(POLL) {
            Ok(Ok(value)) => return Ended::Done(value),
            Ok(Err(panic)) => return Ended::Panicked(panic),
            Err(RecvTimeoutError::Disconnected) => {
                return Ended::Panicked("the working thread is gone".into());
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
        if interrupted.load(Ordering::Relaxed) {
            budget.stop(Stop::Cancelled);
        }
        let (memory, limit) = (resident_memory_bytes(), budget.memory_limit().unwrap_or(u64::MAX));
        if memory > limit {
            budget.stop(Stop::Memory);
        }
        if let Err(stop) = budget.check() {
            let since = ended.get_or_insert_with(Instant::now);
            let bursting = memory > limit.saturating_add(limit / 5);
            if since.elapsed() >= GRACE || bursting {
                return Ended::Abandoned(stop);
            }
        }
        tick();
    }
}

/// A flag that Ctrl-C and SIGTERM set. A second Ctrl-C ends the process.
fn signals() -> Arc<AtomicBool> {
    use signal_hook::consts::{SIGINT, SIGTERM};
    let flag = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        // The order matters: the first signal finds the flag unset. Where a
        // signal cannot be caught, it ends the process as usual.
        let code = crate::exit::Exit::Unknown as i32;
        let _ = signal_hook::flag::register_conditional_shutdown(signal, code, Arc::clone(&flag));
        let _ = signal_hook::flag::register(signal, Arc::clone(&flag));
    }
    flag
}

static LAST_PANIC: Mutex<String> = Mutex::new(String::new());

/// Panics are kept and not printed: [`catch`] hands them out.
pub(crate) fn quiet_panics() {
    std::panic::set_hook(Box::new(|info| {
        let mut text = info.to_string();
        let trace = std::backtrace::Backtrace::capture();
        if trace.status() == std::backtrace::BacktraceStatus::Captured {
            text = format!("{text}\n{trace}");
        }
        *LAST_PANIC.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = text;
    }));
}

/// Runs `work`; a panic becomes its message.
pub(crate) fn catch<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    // Whoever panicked is not used again, so broken invariants do no harm.
    catch_unwind(AssertUnwindSafe(work))
        .map_err(|_| LAST_PANIC.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_that_does_not_listen_is_left_behind() {
        let budget = Budget::new(Some(Duration::from_millis(100)), None);
        let start = Instant::now();
        let ended = supervise(&budget, || {}, || std::thread::sleep(Duration::from_secs(30)));
        assert!(matches!(ended, Ended::Abandoned(Stop::Time)));
        assert!(start.elapsed() < Duration::from_millis(1100), "{:?}", start.elapsed());
    }

    #[test]
    fn too_much_memory_stops_the_budget() {
        let budget = Budget::new(None, Some(1));
        let theirs = budget.clone();
        let wait = move || {
            while theirs.check().is_ok() {
                std::thread::sleep(Duration::from_millis(1));
            }
        };
        let ended = supervise(&budget, || {}, wait);
        assert!(matches!(ended, Ended::Abandoned(Stop::Memory) | Ended::Done(())));
        assert_eq!(budget.check(), Err(Stop::Memory));
    }

    #[test]
    fn panics_are_reported() {
        quiet_panics();
        let ended = supervise(&Budget::unlimited(), || {}, || panic!("broken"));
        let Ended::<()>::Panicked(text) = ended else { panic!("it did") };
        assert!(text.contains("broken"), "{text}");
    }
}
