//! Runs `parallax invariants` on a task and reads what it says of loops.

use crate::measure::{GRACE, Limits, collect, drain, wait};
use crate::task::Task;
use serde_json::Value;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How two analyses compare on the loops of a program.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Loops {
    /// Whether there was an answer in time.
    pub answered: bool,
    /// Whether the checker accepted it.
    pub accepted: bool,
    /// Loops that were compared.
    pub loops: usize,
    /// Loops where the first analysis is more precise.
    pub more: usize,
    /// Loops where it is less precise.
    pub less: usize,
    /// Loops where each has a better bound.
    pub incomparable: usize,
    /// Wall-clock seconds.
    pub seconds: f64,
}

/// Runs the command with these arguments.
///
/// # Errors
/// The binary cannot be started.
pub fn measure_loops(
    parallax: &Path,
    root: &Path,
    task: &Task,
    limits: &Limits,
    arguments: &[&str],
) -> io::Result<Loops> {
    let mut command = Command::new(parallax);
    command.arg("invariants").arg(root.join(&task.path));
    command.args(["--data-model", &task.data_model, "--memory", &limits.memory]);
    command.args(["--json", "--time", &format!("{}s", limits.seconds)]).args(arguments);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let start = Instant::now();
    let mut child = command.spawn()?;
    let (stdout, stderr) = (drain(child.stdout.take()), drain(child.stderr.take()));
    let ended = wait(&mut child, start + Duration::from_secs(limits.seconds) + GRACE)?;
    let seconds = start.elapsed().as_secs_f64();
    let (stdout, _) = (collect(stdout), collect(stderr));
    let mut found = Loops { seconds, ..Loops::default() };
    if ended && let Ok(result) = serde_json::from_str::<Value>(&stdout) {
        read(&result, &mut found);
    }
    Ok(found)
}

fn read(result: &Value, found: &mut Loops) {
    let Some(loops) = result["loops"].as_array() else { return };
    found.answered = true;
    found.accepted = result["check"]["verdict"] == "holds";
    for one in loops {
        let comparison = one["other"]["comparison"].as_str();
        found.loops += usize::from(comparison.is_some());
        match comparison {
            Some("more precise") => found.more += 1,
            Some("less precise") => found.less += 1,
            Some("incomparable") => found.incomparable += 1,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparisons_are_counted() {
        let text = r#"{"check": {"verdict": "holds"}, "loops": [
            {"other": {"comparison": "more precise"}}, {"other": {"comparison": "equal"}}, {}]}"#;
        let mut found = Loops::default();
        read(&serde_json::from_str(text).expect("JSON"), &mut found);
        let wanted = Loops { answered: true, accepted: true, loops: 2, more: 1, ..found };
        assert_eq!(found, wanted);
    }
}
