//! Runs the binary in an empty folder and masks what changes from run to run.

#![allow(dead_code, reason = "each test file uses a part of this")]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// A folder of its own for each test, removed in the end.
pub(crate) struct Folder(PathBuf);

/// What a run of the binary left.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Folder {
    pub(crate) fn new() -> Folder {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let nth = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("parallax-cli-test-{}-{nth}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).expect("a temporary folder");
        Folder(path)
    }

    /// A folder with one file.
    pub(crate) fn with(name: &str, content: impl AsRef<[u8]>) -> Folder {
        let folder = Folder::new();
        folder.write(name, content);
        folder
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), content).expect("a writable folder");
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        Path::join(&self.0, name)
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).expect("a file that was written")
    }

    /// A word that no other test uses.
    pub(crate) fn mark(&self) -> String {
        self.0.file_name().expect("a name").to_string_lossy().into_owned()
    }

    /// The binary, to be run in this folder.
    pub(crate) fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_parallax"));
        command.current_dir(&self.0).args(arguments.split_whitespace());
        command.env_remove("NO_COLOR").env_remove("RUST_BACKTRACE").stdin(Stdio::null());
        command
    }

    /// Runs the binary with arguments that are separated by blanks.
    pub(crate) fn run(&self, arguments: &str) -> Ran {
        Ran::of(self.command(arguments).output().expect("the binary runs"))
    }

    /// Runs the binary with something to read.
    pub(crate) fn talk(&self, arguments: &str, input: &str) -> Ran {
        let mut command = self.command(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the binary runs");
        let mut stdin = child.stdin.take().expect("a pipe");
        stdin.write_all(input.as_bytes()).expect("somebody reads");
        drop(stdin);
        Ran::of(child.wait_with_output().expect("the binary ends"))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A folder that stays behind does no harm.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

impl Ran {
    pub(crate) fn of(output: std::process::Output) -> Ran {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("output is text");
        let code = output.status.code().unwrap_or(-1);
        Ran { code, out: text(output.stdout), err: text(output.stderr) }
    }

    /// Exit code and both outputs, figures and versions masked.
    pub(crate) fn masked(&self) -> String {
        let mut text = format!("exit {}\n", self.code);
        for line in self.out.lines().filter(|line| !line.starts_with("  trusts: ")) {
            text.push_str(&masked(line));
            text.push('\n');
        }
        if !self.err.is_empty() {
            text.push_str("-- standard error\n");
            text.push_str(&self.err);
        }
        text
    }
}

fn masked(line: &str) -> String {
    if line.starts_with("  used: ") {
        return "  used: [figures]".to_owned();
    }
    match line.split_once("Z3 ") {
        Some((before, after)) => {
            let version = |c: char| c.is_ascii_digit() || c == '.';
            format!("{before}Z3 [version]{}", after.trim_start_matches(version))
        }
        None => line.to_owned(),
    }
}

/// The command lines of processes that have `mark` in their environment and do
/// not end within two seconds.
pub(crate) fn survivors(mark: &str) -> Vec<String> {
    let start = std::time::Instant::now();
    loop {
        let found: Vec<String> = std::fs::read_dir("/proc")
            .into_iter()
            .flatten()
            .filter_map(|entry| {
                let folder = entry.ok()?.path();
                let environment = std::fs::read(folder.join("environ")).ok()?;
                let is_ours = environment.windows(mark.len()).any(|part| part == mark.as_bytes());
                let command = std::fs::read_to_string(folder.join("cmdline")).unwrap_or_default();
                is_ours.then(|| command.replace('\0', " "))
            })
            .collect();
        if found.is_empty() || start.elapsed().as_secs() >= 2 {
            return found;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
}

/// A counter up to `N` with a property of each kind.
pub(crate) const COUNTER: &str = "\
model counter;
const N = 3;
var x: int = 0;
process P {
  up: when x < N do x := x + 1;
  down: when x == N do x := 0;
}
invariant low: x <= N;
reachable top: x == N;
deadlock_free;
";

/// A walk whose return to its start is an open problem of number theory.
pub(crate) const ENDLESS: &str = "\
model endless;
var start, x: int;
init start > 4 && x == start;
process P {
  location begin, going;
  half: begin, going -> going when x % 2 == 0 do x := x / 2;
  triple: begin, going -> going when x % 2 == 1 do x := 3 * x + 1;
}
unreachable sane: P@going && x == start;
";
