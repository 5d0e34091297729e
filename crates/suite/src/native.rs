//! A written suite, compiled and run.

use parallax_child::{Guard, Guarded};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Which checks the compiler adds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sanitize {
    /// None.
    No,
    /// Addresses and undefined behavior.
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

/// Runs a command that ends with us.
fn run(command: &Command) -> io::Result<Output> {
    Guard::default().start(command).and_then(Guarded::finish)
}

/// Compiles a C file beside itself and runs it; an error says what failed.
pub fn run_native(file: &Path, sanitize: Sanitize) -> Result<NativeRun, String> {
    let program: PathBuf = file.with_extension("run");
    let mut compile = Command::new("cc");
    compile.arg("-g").arg("-w").arg("-o").arg(&program).arg(file).arg("-lm");
    if sanitize == Sanitize::Yes {
        compile.args(["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]);
    }
    let compiled = run(&compile).map_err(|error| format!("`cc` cannot be run: {error}"))?;
    if !compiled.status.success() {
        let text = String::from_utf8_lossy(&compiled.stderr);
        return Err(format!("`cc` rejects {}:\n{}", file.display(), text.trim_end()));
    }
    let mut tests = Command::new(std::path::absolute(&program).unwrap_or_else(|_| program.clone()));
    tests.env("ASAN_OPTIONS", "detect_leaks=0");
    let ran =
        run(&tests).map_err(|error| format!("{} cannot be run: {error}", program.display()))?;
    let text = String::from_utf8_lossy(&ran.stdout);
    let good = text.lines().filter(|line| line.starts_with("ok ")).count();
    let count = text
        .lines()
        .find_map(|line| line.strip_prefix("1.."))
        .and_then(|count| count.trim().parse().ok())
        .unwrap_or(0);
    Ok(NativeRun { good, count, messages: String::from_utf8_lossy(&ran.stderr).into_owned() })
}
