//! Work under limits: it ends in time even if it does not listen.
//!
//! The work runs in a thread of its own and asks its budget; this thread
//! watches memory, signals and the clock. Work that has not come back half a
//! second after the budget ended is left behind, and the process ends without
//! it. So a run ends within a second of its limit, also when a solver does not
//! return.

use crate::failure::Failure;
use parallax_base::{
    Budget, NoThread, Stop, address_space_left, resident_memory_bytes, stack_size,
};
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

/// Where address space is limited, less than this is too little to go on.
const LEAST_SPACE: u64 = 48 << 20;

/// How supervised work ended.
pub(crate) enum Ended<T> {
    /// By itself.
    Done(T),
    /// By a panic, or for want of a thread.
    Failed(Failure),
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
    if let Err(error) = std::thread::Builder::new().stack_size(stack_size(STACK)).spawn(run) {
        return Ended::Failed(Failure::no_thread(&NoThread(error)));
    }
    let mut ended: Option<Instant> = None;
    loop {
        match receiver.recv_timeout(POLL) {
            Ok(Ok(value)) => return Ended::Done(value),
            Ok(Err(failure)) => return Ended::Failed(failure),
            Err(RecvTimeoutError::Disconnected) => {
                return Ended::Failed(Failure::internal("the working thread is gone"));
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
        if interrupted.load(Ordering::Relaxed) {
            budget.stop(Stop::Cancelled);
        }
        let (memory, limit) = (resident_memory_bytes(), budget.memory_limit().unwrap_or(u64::MAX));
        let is_cramped = is_cramped();
        if memory > limit || is_cramped {
            budget.stop(Stop::Memory);
        }
        if let Err(stop) = budget.check() {
            let since = ended.get_or_insert_with(Instant::now);
            let bursting = is_cramped || memory > limit.saturating_add(limit / 5);
            if since.elapsed() >= GRACE || bursting {
                return Ended::Abandoned(stop);
            }
        }
        tick();
    }
}

/// Whether address space is limited and there is too little left to go on.
fn is_cramped() -> bool {
    address_space_left().is_some_and(|left| left < LEAST_SPACE)
}

/// A flag that Ctrl-C, SIGTERM and SIGHUP set. Further ones change nothing: the
/// run ends soon, with what is known.
pub(crate) fn signals() -> Arc<AtomicBool> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let flag = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        // Where a signal cannot be caught, it ends the process as usual.
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

/// Runs `work`; a panic becomes a failure.
pub(crate) fn catch<T>(work: impl FnOnce() -> T) -> Result<T, Failure> {
    // Whoever panicked is not used again, so broken invariants do no harm.
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| match panic.downcast::<NoThread>() {
        Ok(refused) => Failure::no_thread(&refused),
        // Others do not expect to get no memory.
        Err(_) if is_cramped() => Failure::no_room("there is not enough address space"),
        Err(_) => {
            let last = LAST_PANIC.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            Failure::internal(&last)
        }
    })
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
        let Ended::<()>::Failed(failure) = ended else { panic!("it did") };
        assert!(format!("{failure:?}").contains("broken"), "{failure:?}");
    }
}
