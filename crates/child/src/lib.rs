//! Layer 0: programs of others, run as children that end with us.
//!
//! A child is started by a shell of its own, which leads a group of processes.
//! In the group a watcher reads from a pipe whose other end only we hold. When
//! we are gone, in whatever way, the pipe ends and the watcher kills the group:
//! no signal, no handler and no code of ours is needed for that. While we live,
//! dropping a [`Guarded`] kills the group at once.
//!
//! The shell also sets limits on processor time and memory. What the child may
//! read and write is limited by the kernel where it can (Landlock, on Linux):
//! see [`Reach`]. All of this is done without `unsafe` code, which is why the
//! limits are set by a shell and not between `fork` and `exec`.

mod confine;
mod native;
mod reach;

pub use native::{NotBuilt, compile, execute};
pub use reach::Reach;

use std::ffi::OsStr;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{
    Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Output, Stdio,
};
use std::time::{Duration, Instant};

/// How often a child is looked at.
const TICK: Duration = Duration::from_millis(5);

/// Runs `"$@"` without input, after the lines that set limits.
///
/// The watcher has no business with the output, and the child none with the
/// pipe of the watcher.
const ALONE: &str = r#"
exec 3<&0 </dev/null
(read -r line <&3; kill -KILL 0) >/dev/null 2>&1 &
"$@" 3<&-
status=$?
kill -KILL $! 2>/dev/null
exit $status
"#;

/// Runs `"$@"`; the watcher passes on what it reads. When the child ends, so does the
/// group: the shell and a watcher that waits for more hold the output open.
const TALKING: &str = r#"
(cat 2>/dev/null; kill -KILL 0) | { "$@"; kill -KILL 0; }
"#;

/// What a child may use.
#[derive(Clone, Copy, Default, Debug)]
pub struct Guard<'a> {
    /// Seconds of processor time, for each of its processes.
    pub seconds: Option<u64>,
    /// Bytes of memory, for each of its processes.
    pub memory: Option<u64>,
    /// What it may read and change; it may then write nothing else but its
    /// output, and open no connection. `None` if it may do what we may.
    pub reach: Option<&'a Reach>,
}

/// A child that ends when this is dropped, or when our process ends.
#[derive(Debug)]
pub struct Guarded {
    child: Child,
    /// Held open until the end.
    lifeline: Option<ChildStdin>,
    is_confined: bool,
    has_ended: bool,
}

impl Guard<'_> {
    /// Starts a command that gets no input. Its outputs are pipes.
    pub fn start(&self, command: &Command) -> io::Result<Guarded> {
        let mut guarded = self.spawn(command, ALONE)?;
        guarded.lifeline = guarded.child.stdin.take();
        Ok(guarded)
    }

    /// Starts a command to talk with: see [`Guarded::input`]. Its output is a
    /// pipe, its messages are lost.
    pub fn talk(&self, command: &Command) -> io::Result<Guarded> {
        self.spawn(command, TALKING)
    }

    /// Program, arguments, environment and folder are those of the command.
    fn spawn(&self, command: &Command, script: &str) -> io::Result<Guarded> {
        if find_program(command.get_program()).is_none() {
            return Err(io::ErrorKind::NotFound.into());
        }
        let mut lines = String::from("ulimit -c 0\n");
        let mut limit = |flag: &str, amount: Option<u64>| {
            if let Some(amount) = amount {
                // Where a lower limit is in force, that one stays.
                lines.push_str(&format!("ulimit -{flag} {amount} 2>/dev/null\n"));
            }
        };
        limit("t", self.seconds.map(|seconds| seconds.max(1)));
        limit("d", self.memory.map(|bytes| bytes / 1024));
        let mut shell = Command::new("/bin/sh");
        shell.arg("-c").arg(lines + script).arg("sh");
        shell.arg(command.get_program()).args(command.get_args());
        for (name, value) in command.get_envs() {
            match value {
                Some(value) => shell.env(name, value),
                None => shell.env_remove(name),
            };
        }
        if let Some(folder) = command.get_current_dir() {
            shell.current_dir(folder);
        }
        shell.stdin(Stdio::piped()).stdout(Stdio::piped());
        shell.stderr(if script == ALONE { Stdio::piped() } else { Stdio::null() });
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut shell, 0);
        let (child, is_confined) = match self.reach {
            Some(reach) => confine::spawn(&mut shell, reach)?,
            None => (shell.spawn()?, false),
        };
        Ok(Guarded { child, lifeline: None, is_confined, has_ended: false })
    }
}

impl Guarded {
    /// Whether the kernel holds the child to its [`Reach`].
    pub fn is_confined(&self) -> bool {
        self.is_confined
    }

    /// What the child reads; once, and only from one to talk with. The child
    /// ends when this is dropped.
    pub fn input(&mut self) -> Option<ChildStdin> {
        self.child.stdin.take()
    }

    /// What the child writes; once.
    pub fn output(&mut self) -> Option<ChildStdout> {
        self.child.stdout.take()
    }

    /// What the child complains about; once.
    pub fn messages(&mut self) -> Option<ChildStderr> {
        self.child.stderr.take()
    }

    /// Waits for the end of the child, and returns all that it wrote.
    pub fn finish(mut self) -> io::Result<Output> {
        let messages = self.messages();
        let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
        std::thread::scope(|scope| -> io::Result<()> {
            let read = || messages.map_or(Ok(0), |mut pipe| pipe.read_to_end(&mut stderr));
            let other = std::thread::Builder::new().spawn_scoped(scope, read)?;
            self.output().map_or(Ok(0), |mut pipe| pipe.read_to_end(&mut stdout))?;
            let read = other.join();
            read.unwrap_or_else(|_| Err(io::Error::other("its messages cannot be read")))?;
            Ok(())
        })?;
        let status = self.child.wait()?;
        self.has_ended = true;
        Ok(Output { status, stdout, stderr })
    }

    /// The same, if the child ends in time and writes little; what goes beyond
    /// `most` bytes is lost. `None` if it does not end: then it is killed.
    pub fn finish_within(mut self, time: Duration, most: usize) -> io::Result<Option<Output>> {
        let (output, messages) = (self.output(), self.messages());
        std::thread::scope(move |scope| {
            let read = |name: &str| std::thread::Builder::new().name(name.to_owned());
            let output = read("output").spawn_scoped(scope, move || beginning(output, most))?;
            let messages =
                read("messages").spawn_scoped(scope, move || beginning(messages, most))?;
            let end = Instant::now() + time;
            let status = loop {
                match self.try_wait()? {
                    Some(status) => break Some(status),
                    None if Instant::now() >= end => break None,
                    None => std::thread::sleep(TICK),
                }
            };
            // Without anybody left to write, the readers come to an end.
            self.has_ended = false;
            drop(self);
            let text = |read: std::thread::ScopedJoinHandle<'_, Vec<u8>>| read.join();
            let (Ok(stdout), Ok(stderr)) = (text(output), text(messages)) else {
                return Err(io::Error::other("its output cannot be read"));
            };
            Ok(status.map(|status| Output { status, stdout, stderr }))
        })
    }

    /// How the child ended, if it has.
    pub fn try_wait(&mut self) -> io::Result<Option<ExitStatus>> {
        let status = self.child.try_wait()?;
        self.has_ended |= status.is_some();
        Ok(status)
    }
}

/// What comes first in a pipe; all of it is read.
fn beginning(pipe: Option<impl Read>, most: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Some(mut pipe) = pipe {
        // A pipe that breaks has ended.
        let _ = pipe.by_ref().take(most as u64).read_to_end(&mut bytes);
        let _ = io::copy(&mut pipe, &mut io::sink());
    }
    bytes
}

impl Drop for Guarded {
    fn drop(&mut self) {
        if !self.has_ended {
            kill_group(&self.child);
        }
        // It may have ended already; either way nothing is left to do.
        let _ = self.child.kill();
        let _ = self.child.wait();
        drop(self.lifeline.take());
    }
}

/// Kills the group that a child leads.
fn kill_group(child: &Child) {
    #[cfg(unix)]
    if let Ok(id) = i32::try_from(child.id())
        && let Some(group) = rustix::process::Pid::from_raw(id)
    {
        // Fails only if nobody is left in it.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
}

/// The file that a command name stands for, as shells look for it.
pub fn find_program(name: impl AsRef<OsStr>) -> Option<PathBuf> {
    let name = name.as_ref();
    if name.as_encoded_bytes().contains(&b'/') {
        return Some(PathBuf::from(name)).filter(|path| is_program(path));
    }
    let folders = std::env::var_os("PATH");
    let folders = folders.as_deref().unwrap_or(OsStr::new("/usr/bin:/bin"));
    std::env::split_paths(folders)
        .filter(|folder| folder.is_absolute())
        .map(|folder| folder.join(name))
        .find(|path| is_program(path))
}

fn is_program(path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        path.metadata().is_ok_and(|m| m.is_file() && m.permissions().mode() & 0o111 != 0)
    }
    #[cfg(not(unix))]
    path.is_file()
}
