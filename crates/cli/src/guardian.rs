//! Two processes for each run that takes time: one works, and one sees to it
//! that there is an answer.
//!
//! The guardian starts the same program again and waits. Signals go on to the
//! worker, which ends in good order. If the worker does not end in time, or is
//! ended by the system, or dies for want of memory (which no code inside it can
//! be trusted to survive), the guardian says so. If the guardian dies, the system
//! ends the worker.

use crate::args::{Args, Command, LimitArgs};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::supervise::signals;
use crate::terminal;
use crate::unfinished::unfinished;
use parallax::asked_names;
use parallax_base::{Budget, Stop, address_space_left};
use rustix::process::{Pid, Signal};
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
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

/// A run to watch over.
struct Run {
    limits: LimitArgs,
    json: bool,
    /// What `unknown` is said of; `None` if the command has no such answer.
    file: Option<PathBuf>,
    /// The files and properties of a check.
    question: (Vec<PathBuf>, Vec<String>),
}

/// Has another process do the work, and returns how it ended; `None` if this
/// process is to do it.
pub(crate) fn guarded(args: &Args) -> Option<i32> {
    let run = run_of(args)?;
    let own = std::process::id().to_string();
    match std::env::var(WORKER) {
        Ok(guardian) if is_parent(&guardian) => {
            follow(&guardian);
            return None;
        }
        _ => {}
    }
    let mut command = std::process::Command::new(std::env::current_exe().ok()?);
    command.args(std::env::args_os().skip(1)).env(WORKER, own);
    let interrupted = signals();
    let budget = Budget::new(Some(run.limits.time), None);
    let worker = command.spawn().ok()?;
    Some(watch(worker, &run, &budget, || interrupted.swap(false, Ordering::Relaxed)))
}

/// What takes time, with its limits.
fn run_of(args: &Args) -> Option<Run> {
    let (limits, file) = match &args.command {
        Command::Check(args) => (args.limits, args.files.first().cloned()),
        Command::Certify(args) => (args.limits, args.first().cloned()),
        Command::Optimize(args) => (args.limits, None),
        Command::Invariants(args) => (args.limits, None),
        Command::Lts(args) => (args.limits, None),
        Command::Magic(args) => (args.limits, None),
        Command::Testgen(args) => (args.limits, None),
        Command::Ltl(args) => (args.limits, None),
        _ => return None,
    };
    let question = match &args.command {
        Command::Check(args) => (args.files.clone(), args.question.properties.clone()),
        _ => Default::default(),
    };
    Some(Run { limits, json: args.json(), file, question })
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
fn watch(mut worker: Child, run: &Run, budget: &Budget, is_interrupted: impl Fn() -> bool) -> i32 {
    let mut deadline = Instant::now() + run.limits.time + SLACK;
    let mut stop = Stop::Time;
    let mut pause = Duration::from_millis(1);
    loop {
        match worker.try_wait() {
            Ok(Some(status)) => return ended(status, run, budget),
            Ok(None) => {}
            Err(error) => return Failure::internal(&error.to_string()).print(run.json) as i32,
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
            return open(run, budget, stop) as i32;
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(TICK);
    }
}

/// The exit code for a worker that ended by itself.
fn ended(status: ExitStatus, run: &Run, budget: &Budget) -> i32 {
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
            return Failure::internal(&message).print(run.json) as i32;
        }
        _ => (Stop::Cancelled, "the run was ended by a signal"),
    };
    terminal::note(&format!("note: {why}"));
    open(run, budget, stop) as i32
}

/// Says that nothing is known.
fn open(run: &Run, budget: &Budget, stop: Stop) -> Exit {
    match &run.file {
        Some(file) => {
            let asked = asked_names(&run.question.0, &run.question.1);
            unfinished(file, asked, budget, stop, run.json)
        }
        None => {
            let message = format!("{stop} reached before anything was known");
            Failure::open("P0030", &message).print(run.json)
        }
    }
}
