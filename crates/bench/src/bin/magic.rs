//! `bench/magic`: systems of C procedures, one row for each question.
//!
//! Every system is run as users do, in three ways: with a smallest set of
//! predicates and two levels of abstraction, with all predicates, and with one
//! level. The exit code is 1 if an answer is not the expected one.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;

use serde_json::Value;

/// Systems below `examples/magic`, and what their answers should be.
const ROWS: &[(&str, &str)] = &[
    ("driver", "conforms"),
    ("driver-broken", "differs"),
    ("semaphore", "conforms"),
    ("semaphore-broken", "differs"),
    ("client", "conforms"),
    ("client-broken", "differs"),
    ("server", "conforms"),
    ("server-broken", "differs"),
    ("handshake", "conforms"),
    ("handshake-broken", "differs"),
];

/// One run of the binary: the answers, seconds and megabytes.
struct Ran {
    answers: Vec<Value>,
    seconds: f64,
    megabytes: f64,
}

fn run(root: &Path, parallax: &Path, system: &str, options: &[&str]) -> io::Result<Ran> {
    let start = Instant::now();
    let output = Command::new(parallax)
        .arg("magic")
        .arg(root.join(format!("examples/magic/{system}.magic")))
        .args(["--json", "--time", "120s"])
        .args(options)
        .output()?;
    let seconds = start.elapsed().as_secs_f64();
    let json: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    let answers = json["answers"].as_array().cloned().unwrap_or_default();
    let megabytes = json["peak_memory"].as_f64().unwrap_or_default() / 1e6;
    Ok(Ran { answers, seconds, megabytes })
}

fn sum(value: &Value) -> u64 {
    let items = value.as_array().map(Vec::as_slice).unwrap_or_default();
    items.iter().map(|item| item.as_u64().or_else(|| item[0].as_u64()).unwrap_or(0)).sum()
}

fn table(root: &Path, parallax: &Path) -> io::Result<ExitCode> {
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "system\tquestion\tanswer\tpredicates\tall\tstates\tjoined\tcomposed\tone level\tdirect\t\
         rounds\tseconds\tMB"
    )?;
    let mut wrong = 0;
    for (system, expected) in ROWS {
        let two = run(root, parallax, system, &[])?;
        let all = run(root, parallax, system, &["--all-predicates"])?;
        let one = run(root, parallax, system, &["--one-level"])?;
        let found = two.answers.iter().any(|answer| answer["verdict"] == *expected);
        let clean = two
            .answers
            .iter()
            .all(|answer| answer["verdict"] == *expected || answer["verdict"] == "conforms");
        if !found || !clean {
            wrong += 1;
        }
        for (index, answer) in two.answers.iter().enumerate() {
            let figures = &answer["figures"];
            let other = |ran: &Ran, key: &str| -> Value {
                ran.answers.get(index).map(|a| a["figures"][key].clone()).unwrap_or_default()
            };
            writeln!(
                out,
                "{system}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{:.2}\t{:.0}",
                answer["question"].as_str().unwrap_or(""),
                answer["verdict"].as_str().unwrap_or(""),
                sum(&figures["predicates"]),
                sum(&other(&all, "predicates")),
                sum(&figures["systems"]),
                sum(&figures["joined"]),
                figures["largest"],
                other(&one, "largest"),
                figures["direct"],
                figures["rounds"],
                two.seconds,
                two.megabytes,
            )?;
        }
        out.flush()?;
    }
    Ok(if wrong > 0 { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

fn main() -> ExitCode {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let beside = std::env::current_exe().ok();
    let parallax = beside.map(|path| path.with_file_name("parallax")).unwrap_or_default();
    match table(&root, &parallax) {
        Ok(code) => code,
        Err(error) => {
            // If stderr is gone there is nobody to tell.
            let _ = writeln!(io::stderr(), "{error}");
            ExitCode::from(2)
        }
    }
}
