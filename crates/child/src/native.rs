//! C programs, compiled by the system's compiler and run in a sandbox.
//!
//! Both the compiler and the program get no input, no connection and little
//! time. The compiler reads what it is given and the system; the program reads
//! the system, and what the kernel says about processes, since sanitizers ask
//! for that. Both may change one folder, and nothing else.

use crate::{Guard, Reach, find_program};
use std::ffi::OsStr;
use std::io;
use std::path::Path;
use std::process::{Command, Output};
use std::time::Duration;

/// How long the compiler may take.
const COMPILES: Duration = Duration::from_secs(60);
/// Bytes of output that are kept.
const SIZE: usize = 1 << 20;

/// Why there is no program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NotBuilt {
    /// There is no `cc`.
    NoCompiler,
    /// What the compiler says.
    Rejected(String),
    /// It cannot be run, or takes too long.
    Failed(String),
}

/// Compiles files to a program; `words` are the options and files for `cc`.
pub fn compile(
    words: impl IntoIterator<Item = impl AsRef<OsStr>>,
    program: &Path,
    reads: &Reach,
) -> Result<(), NotBuilt> {
    let Some(cc) = find_program("cc") else { return Err(NotBuilt::NoCompiler) };
    let folder = program.parent().unwrap_or(Path::new("."));
    let mut reach = reads.clone();
    reach.add_system(&cc);
    reach.add_own(folder);
    let mut command = Command::new(cc);
    command.env("TMPDIR", folder).args(words).arg("-o").arg(program);
    match finish(&command, &reach, COMPILES) {
        Ok(Some(output)) if output.status.success() => Ok(()),
        Ok(Some(output)) => {
            let text = String::from_utf8_lossy(&output.stderr).trim_end().to_owned();
            Err(NotBuilt::Rejected(text))
        }
        Ok(None) => Err(NotBuilt::Failed("the compiler does not come to an end".to_owned())),
        Err(error) => Err(NotBuilt::Failed(error.to_string())),
    }
}

/// Runs a program that was compiled; `None` if it does not end in time.
pub fn execute(command: &Command, time: Duration) -> io::Result<Option<Output>> {
    let program = Path::new(command.get_program());
    let mut reach = Reach::new();
    reach.add_system(program);
    reach.add(Path::new("/proc"));
    reach.add_own(program.parent().unwrap_or(Path::new(".")));
    finish(command, &reach, time)
}

fn finish(command: &Command, reach: &Reach, time: Duration) -> io::Result<Option<Output>> {
    let seconds = Some(time.as_secs().saturating_add(1));
    let guard = Guard { seconds, memory: None, reach: Some(reach) };
    guard.start(command)?.finish_within(time, SIZE)
}
