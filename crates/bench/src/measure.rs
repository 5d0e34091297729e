//! Runs one row in a child process and reads its answer.
//!
//! The time is that of the whole process: reading the model, searching, having
//! the evidence checked, printing. The memory is the peak the process reports
//! about itself.

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::row::{Figure, Figures, Row};
use crate::task::Task;

/// How much longer than its limit a process may take before it is ended.
pub(crate) const GRACE: Duration = Duration::from_secs(5);

/// How often a running process is looked at.
const PAUSE: Duration = Duration::from_millis(1);

/// How rows are run.
#[derive(Clone, Debug)]
pub struct Runner {
    /// The `parallax` binary.
    pub parallax: PathBuf,
    /// The folder that models are relative to.
    pub root: PathBuf,
    /// A time limit for all rows, in place of their own.
    pub limit: Option<u64>,
}

/// How a row ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// With an answer, `holds`, `violated` or `unknown`.
    Answered(String),
    /// Not within its time limit; the process was ended from outside.
    Overran,
    /// Without an answer: what the process left behind.
    Crashed(String),
}

impl Outcome {
    /// The word in the table.
    pub fn word(&self) -> &str {
        match self {
            Outcome::Answered(verdict) => verdict,
            Outcome::Overran => "overrun",
            Outcome::Crashed(_) => "crash",
        }
    }
}

/// What a run of a row gave.
#[derive(Clone, PartialEq, Debug)]
pub struct Measured {
    /// How it ended.
    pub outcome: Outcome,
    /// The kind of evidence, or the reason why there is none.
    pub evidence: String,
    /// Why it is open, as a sentence.
    pub reason: String,
    /// The engine that answered.
    pub engine: String,
    /// The figures compared with published ones.
    pub figures: Figures,
    /// Questions put to a solver, by the engine and by the checker.
    pub queries: Option<u64>,
    /// Wall-clock seconds of the whole process.
    pub seconds: f64,
    /// Peak memory in megabytes.
    pub memory_mb: Option<f64>,
    /// Seconds that attacks and second proofs took.
    pub doubt: f64,
    /// What the proof trusts beside its certificate.
    pub trusts: Vec<String>,
}

/// Runs a row.
///
/// # Errors
/// The binary cannot be started.
pub fn measure(runner: &Runner, row: &Row) -> io::Result<Measured> {
    let limit = runner.limit.unwrap_or(row.limit);
    let mut command = Command::new(&runner.parallax);
    command.current_dir(&runner.root).arg("check").arg(&row.model).args(&row.args);
    for define in &row.defines {
        command.args(["-D", define]);
    }
    command.args(["--property", &row.property]);
    run(command, limit, Some(&row.property))
}

/// What a task may use.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Wall-clock seconds.
    pub seconds: u64,
    /// Memory, as `parallax` reads it.
    pub memory: String,
}

/// Runs a task of the collection under `root`.
///
/// # Errors
/// The binary cannot be started.
pub fn measure_task(
    parallax: &Path,
    root: &Path,
    task: &Task,
    limits: &Limits,
    pass_on: &[String],
) -> io::Result<Measured> {
    let mut command = Command::new(parallax);
    command.arg("check").arg(root.join(&task.path));
    command.args(["--property", &task.property, "--data-model", &task.data_model]);
    command.args(["--memory", &limits.memory]).args(pass_on);
    run(command, limits.seconds, None)
}

/// Runs a check and reads the answer to a property, or to all of them.
fn run(mut command: Command, limit: u64, property: Option<&str>) -> io::Result<Measured> {
    command.args(["--json", "--time", &format!("{limit}s")]);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let start = Instant::now();
    let mut child = command.spawn()?;
    let stdout = drain(child.stdout.take());
    let stderr = drain(child.stderr.take());
    let ended = wait(&mut child, start + Duration::from_secs(limit) + GRACE)?;
    let seconds = start.elapsed().as_secs_f64();
    let (stdout, stderr) = (collect(stdout), collect(stderr));
    let mut measured = match ended {
        true => read_answer(&stdout, &stderr, property),
        false => Measured { outcome: Outcome::Overran, ..Measured::nothing() },
    };
    measured.seconds = seconds;
    Ok(measured)
}

pub(crate) type Drain = Option<thread::JoinHandle<Vec<u8>>>;

/// Reads a pipe to its end, so that the process never waits for us.
pub(crate) fn drain(pipe: Option<impl Read + Send + 'static>) -> Drain {
    let mut pipe = pipe?;
    Some(thread::spawn(move || {
        let mut bytes = Vec::new();
        // What was read before an error is all there is.
        let _ = pipe.read_to_end(&mut bytes);
        bytes
    }))
}

pub(crate) fn collect(drain: Drain) -> String {
    let bytes = drain.and_then(|thread| thread.join().ok()).unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Whether the process ended by itself before the deadline; it has ended after.
pub(crate) fn wait(child: &mut Child, deadline: Instant) -> io::Result<bool> {
    loop {
        if child.try_wait()?.is_some() {
            return Ok(true);
        }
        if Instant::now() > deadline {
            child.kill()?;
            child.wait()?;
            return Ok(false);
        }
        thread::sleep(PAUSE);
    }
}

impl Measured {
    fn nothing() -> Measured {
        Measured {
            outcome: Outcome::Crashed(String::new()),
            evidence: String::new(),
            reason: String::new(),
            engine: String::new(),
            figures: Figures::new(),
            queries: None,
            seconds: 0.0,
            memory_mb: None,
            doubt: 0.0,
            trusts: Vec::new(),
        }
    }
}

/// The answer to the property in what `parallax check --json` prints; without
/// one, to all of them: that of the first which the whole answer is about.
fn read_answer(stdout: &str, stderr: &str, property: Option<&str>) -> Measured {
    let crashed =
        |what: &str| Measured { outcome: Outcome::Crashed(what.to_owned()), ..Measured::nothing() };
    let Ok(result) = serde_json::from_str::<Value>(stdout) else {
        let last = stderr.lines().rev().find(|line| !line.trim().is_empty());
        return crashed(last.unwrap_or("no output"));
    };
    let mut answers = result["properties"].as_array().into_iter().flatten();
    let wanted = |answer: &&Value| match property {
        Some(name) => answer["name"] == name,
        None => answer["verdict"] == result["verdict"],
    };
    let Some(answer) = answers.find(wanted) else {
        // The time was up before anything could be asked.
        if property.is_none() && result["verdict"] == "unknown" {
            let outcome = Outcome::Answered("unknown".into());
            let (evidence, reason) = ("loading".to_owned(), "loading".to_owned());
            return Measured { outcome, evidence, reason, ..Measured::nothing() };
        }
        let message = result["diagnostics"][0]["message"].as_str();
        return crashed(message.unwrap_or("no answer to the property"));
    };
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let stats = &result["stats"];
    let figure = |f: Figure| Some((f, stats[f.word()].as_u64()?));
    Measured {
        outcome: Outcome::Answered(text(&answer["verdict"])),
        evidence: match &answer["evidence"]["kind"] {
            Value::String(kind) => kind.clone(),
            _ => text(&answer["reason"]["code"]),
        },
        reason: text(&answer["reason"]["text"]),
        engine: text(&answer["engine"]),
        figures: Figure::ALL.into_iter().filter_map(figure).collect(),
        queries: stats["solver_queries"].as_u64(),
        seconds: 0.0,
        memory_mb: stats["peak_memory_bytes"].as_f64().map(|bytes| bytes / 1e6),
        doubt: stats["doubt_s"].as_f64().unwrap_or_default(),
        trusts: answer["trusts"].as_array().into_iter().flatten().map(text).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(stdout: &str, expected: &str) {
        let m = read_answer(stdout, "thread 'main' panicked\n\n", Some("p"));
        let shown = format!("{:?} {:?} {:?} {:?}", m.outcome, m.evidence, m.figures, m.queries);
        assert_eq!(shown, expected);
    }

    #[test]
    fn answers_are_read_and_their_absence_is_a_crash() {
        check(
            r#"{"properties": [
                {"name": "q", "verdict": "violated", "evidence": {"kind": "trace"}},
                {"name": "p", "verdict": "holds", "evidence": {"kind": "enumeration"}}],
                "stats": {"iterations": 2, "states": 9, "solver_queries": 5}}"#,
            r#"Answered("holds") "enumeration" {Iterations: 2, States: 9} Some(5)"#,
        );
        check(
            r#"{"properties": [{"name": "p", "verdict": "unknown", "evidence": null,
                "reason": {"code": "time"}}], "stats": {}}"#,
            r#"Answered("unknown") "time" {} None"#,
        );
        check("", r#"Crashed("thread 'main' panicked") "" {} None"#);
        check(
            r#"{"verdict": "error", "diagnostics": [{"message": "no such thing"}]}"#,
            r#"Crashed("no such thing") "" {} None"#,
        );
    }
}
