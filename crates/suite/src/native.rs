//! A written suite, compiled and run.

use parallax_child::{NotBuilt, Reach, compile, execute};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// How long a suite may run.
const TIME: Duration = Duration::from_secs(600);

/// What the leak checker says where it cannot work.
const NO_LEAKS: &str = "LeakSanitizer has encountered a fatal error";

/// Which checks the compiler adds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sanitize {
    /// None.
    No,
    /// Addresses, leaks and undefined behavior.
    Yes,
}

/// How a run of a suite ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NativeRun {
    /// How many tests were good.
    pub good: usize,
    /// How many there are.
    pub count: usize,
    /// What a sanitizer or an assertion says.
    pub messages: String,
}

/// Compiles a C file beside itself and runs it; an error says what failed.
pub fn run_native(file: &Path, sanitize: Sanitize) -> Result<NativeRun, String> {
    let program: PathBuf = file.with_extension("run");
    let program = std::path::absolute(&program).unwrap_or(program);
    let mut words: Vec<&OsStr> = ["-g", "-w"].map(OsStr::new).to_vec();
    if sanitize == Sanitize::Yes {
        words.extend(["-fsanitize=address,undefined", "-fno-sanitize-recover=all"].map(OsStr::new));
    }
    words.extend([file.as_os_str(), OsStr::new("-lm")]);
    compile(words, &program, &Reach::new()).map_err(|error| match error {
        NotBuilt::NoCompiler => "there is no `cc`".to_owned(),
        NotBuilt::Rejected(text) => format!("`cc` rejects {}:\n{text}", file.display()),
        NotBuilt::Failed(text) => format!("`cc` cannot be run: {text}"),
    })?;
    let run = |leaks: &str| {
        let mut tests = Command::new(&program);
        tests.env("ASAN_OPTIONS", format!("detect_leaks={leaks}"));
        let ran = execute(&tests, TIME);
        let ran = ran.map_err(|e| format!("{} cannot be run: {e}", program.display()))?;
        ran.ok_or_else(|| format!("{} does not come to an end", program.display()))
    };
    let mut ran = run("1")?;
    // Leaks are found by looking at the process from outside, which some systems forbid.
    if String::from_utf8_lossy(&ran.stderr).contains(NO_LEAKS) {
        ran = run("0")?;
        ran.stderr.extend_from_slice(b"leaks were not looked for: the system does not allow it\n");
    }
    let text = String::from_utf8_lossy(&ran.stdout);
    let good = text.lines().filter(|line| line.starts_with("ok ")).count();
    let count = text
        .lines()
        .find_map(|line| line.strip_prefix("1.."))
        .and_then(|count| count.trim().parse().ok())
        .unwrap_or(0);
    Ok(NativeRun { good, count, messages: String::from_utf8_lossy(&ran.stderr).into_owned() })
}
