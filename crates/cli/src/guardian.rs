//! Two processes for each run that takes time: one works, and one sees to it
//! that there is an answer.
//!
//! The guardian starts the same program again and waits. Signals go on to the
//! worker, which ends in good order. If the worker does not end in time, or is
//! ended by the system, or dies for want of memory (which no code inside it can
//! be trusted to survive), the guardian says so. If the guardian dies, the system
//! ends the worker.

use crate::args::Args;
use crate::board::Status;
use crate::deliver::Delivery;
use crate::drive::Timed;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::supervise::signals;
use crate::terminal;
use crate::unfinished::unfinished;
use parallax_base::{Budget, Stop, address_space_left};
use rustix::process::{Pid, Signal};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ExitStatus};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// Tells a worker that it is one, and whose.
const WORKER: &str = "PARALLAX_GUARDIAN";

/// How long after its limit a worker may live. It ends by itself half a second
/// after the limit, if it can.
const SLACK: Duration = Duration::from_millis(800);

/// The longest time between two looks at the worker.
const TICK: Duration = Duration::from_millis(20);

/// Signal numbers that mean a crash.
const CRASHES: [i32; 5] = [4, 6, 7, 8, 11];

/// Has another process do the work, and returns how it ended; `None` if this
/// process is to do it.
pub(crate) fn guarded(args: &Args) -> Option<i32> {
    let command = args.command.timed()?;
    let own = std::process::id().to_string();
    match std::env::var(WORKER) {
        Ok(guardian) if is_parent(&guardian) => {
            follow(&guardian);
            return None;
        }
        _ => {}
    }
    let mut worker = std::process::Command::new(std::env::current_exe().ok()?);
    worker.args(std::env::args_os().skip(1)).env(WORKER, own);
    let interrupted = signals();
    let budget = Budget::new(Some(command.limits().time), None);
    let worker = worker.spawn().ok()?;
    Some(watch(worker, command, &budget, || interrupted.swap(false, Ordering::Relaxed)))
}

fn is_parent(id: &str) -> bool {
    let parent = rustix::process::getppid().map(Pid::as_raw_nonzero);
    parent.is_some_and(|parent| parent.to_string() == id)
}

/// Ends this process when its guardian ends.
fn follow(guardian: &str) {
    let set = rustix::process::set_parent_process_death_signal(Some(Signal::KILL));
    // It may have ended before that.
    if set.is_ok() && !is_parent(guardian) {
        Exit::Unknown.leave();
    }
}

/// Waits for the worker; the exit code of the run.
fn watch(
    mut worker: Child,
    command: &dyn Timed,
    budget: &Budget,
    is_interrupted: impl Fn() -> bool,
) -> i32 {
    let mut deadline = Instant::now() + command.limits().time + SLACK;
    let mut stop = Stop::Time;
    let mut pause = Duration::from_millis(1);
    loop {
        match worker.try_wait() {
            Ok(Some(status)) => return ended(status, command, budget),
            Ok(None) => {}
            Err(error) => {
                return Delivery::of(command).failure(&Failure::internal(&error.to_string()))
                    as i32;
            }
        }
        if is_interrupted() {
            stop = Stop::Cancelled;
            deadline = deadline.min(Instant::now() + SLACK);
            if let Some(id) = Pid::from_raw(worker.id() as i32) {
                // It may have ended just now.
                let _ = rustix::process::kill_process(id, Signal::TERM);
            }
        }
        if Instant::now() >= deadline {
            // It may have ended just now.
            let _ = worker.kill();
            let _ = worker.wait();
            return open(command, budget, stop) as i32;
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(TICK);
    }
}

/// The exit code for a worker that ended by itself.
fn ended(status: ExitStatus, command: &dyn Timed, budget: &Budget) -> i32 {
    if let Some(code) = status.code() {
        return code;
    }
    let signal = status.signal().unwrap_or(0);
    let space = address_space_left().is_some();
    let (stop, why) = match signal {
        9 => (Stop::Memory, "the system ended the run, most likely for want of memory"),
        _ if CRASHES.contains(&signal) && space => {
            (Stop::Memory, "the run crashed; address space is limited (`ulimit -v`)")
        }
        _ if CRASHES.contains(&signal) => {
            let message = format!("the run crashed with signal {signal}");
            return Delivery::of(command).failure(&Failure::internal(&message)) as i32;
        }
        _ => (Stop::Cancelled, "the run was ended by a signal"),
    };
    terminal::note(&format!("note: {why}"));
    open(command, budget, stop) as i32
}

/// Says that nothing is known.
fn open(command: &dyn Timed, budget: &Budget, stop: Stop) -> Exit {
    unfinished(&command.asked(), &Status::default(), budget, stop, &Delivery::of(command))
}
