//! `bench/testgen`: coverage, length, time and memory of the techniques of test
//! generation on the containers, beside the published figures.
//!
//! Every row is one process. A row with an exact figure that is missed ends in
//! an exit code that says so; rows of lossy techniques are reported as they are.

#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]

use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

const HELP: &str = "\
Runs the rows of bench/testgen.tsv and prints them beside the published figures.

  --parallax FILE   the binary
  --root DIR        the repository
  --only SUBJECT    rows of this subject only
  --time SECONDS    limit per row [default: 60]
";

struct Row {
    subject: String,
    goal: String,
    technique: String,
    length: String,
    values: String,
    exact: Option<u64>,
    published: Vec<String>,
}

struct Options {
    parallax: PathBuf,
    root: PathBuf,
    only: Option<String>,
    time: u64,
}

fn options() -> Result<Options, String> {
    let mut options = Options {
        parallax: "target/release/parallax".into(),
        root: ".".into(),
        only: None,
        time: 60,
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or(format!("{argument} needs a value"));
        match argument.as_str() {
            "--parallax" => options.parallax = value()?.into(),
            "--root" => options.root = value()?.into(),
            "--only" => options.only = Some(value()?),
            "--time" => options.time = value()?.parse().map_err(|_| "--time needs a number")?,
            _ => return Err(HELP.to_owned()),
        }
    }
    Ok(options)
}

fn rows(text: &str) -> Vec<Row> {
    text.lines()
        .filter(|line| !line.starts_with('#') && !line.trim().is_empty())
        .map(|line| {
            let cells: Vec<&str> = line.split('\t').collect();
            let cell = |at: usize| (*cells.get(at).unwrap_or(&"-")).to_owned();
            Row {
                subject: cell(0),
                goal: cell(1),
                technique: cell(2),
                length: cell(3),
                values: cell(4),
                exact: cell(5).parse().ok(),
                published: (6..10).map(cell).collect(),
            }
        })
        .collect()
}

fn measure(options: &Options, row: &Row) -> Result<Value, String> {
    let folder = options.root.join("examples/containers");
    let output = Command::new(&options.parallax)
        .arg("testgen")
        .arg(folder.join(format!("{}.c", row.subject)))
        .arg("--api")
        .arg(folder.join(format!("{}.toml", row.subject)))
        .args(["--length", &row.length, "--values", &row.values])
        .args(["--match", &row.technique, "--coverage", &row.goal])
        .args(["--shapes", "0", "--json", "--time", &format!("{}s", options.time)])
        .output()
        .map_err(|error| format!("{} cannot be run: {error}", options.parallax.display()))?;
    let text = String::from_utf8_lossy(&output.stdout);
    serde_json::from_str(&text).map_err(|error| format!("no JSON: {error}: {text}"))
}

fn main() -> ExitCode {
    let options = match options() {
        Ok(options) => options,
        Err(message) => {
            println!("{message}");
            return ExitCode::from(2);
        }
    };
    let file = options.root.join("bench/testgen.tsv");
    let Ok(text) = std::fs::read_to_string(&file) else {
        println!("cannot read {}", file.display());
        return ExitCode::from(2);
    };
    println!(
        "subject\tgoal\ttechnique\tcoverage\tlength\tseconds\tMB\toperations\tper second\tpublished: coverage\tlength\tseconds\tMB"
    );
    let mut missed = 0;
    let mut best: BTreeMap<(String, String), (u64, u64)> = BTreeMap::new();
    for row in rows(&text) {
        if options.only.as_ref().is_some_and(|only| *only != row.subject) {
            continue;
        }
        let found = match measure(&options, &row) {
            Ok(found) => found,
            Err(message) => {
                println!("{}\t{}\t{}\t{message}", row.subject, row.goal, row.technique);
                missed += 1;
                continue;
            }
        };
        // What the search reached; the suite also covers what ends a container.
        let reached = found["levels"].as_array().and_then(|levels| levels.last());
        let reached = reached.unwrap_or(&serde_json::Value::Null);
        let coverage = match row.goal.as_str() {
            "blocks" => &reached["blocks"],
            _ => &reached["combinations"],
        };
        let covered = coverage.as_u64().unwrap_or(0);
        let seconds = found["seconds"].as_f64().unwrap_or(0.0);
        let operations = found["figures"]["operations"].as_u64().unwrap_or(0);
        let stopped = if found["stopped"].is_null() { "" } else { " (stopped)" };
        let wrong = row.exact.is_some_and(|exact| exact != covered);
        missed += u32::from(wrong);
        println!(
            "{}\t{}\t{}\t{covered}{}\t{}{stopped}\t{seconds:.2}\t{}\t{operations}\t{:.0}\t{}",
            row.subject,
            row.goal,
            row.technique,
            if wrong { " MISSED" } else { "" },
            row.length,
            found["memory"].as_u64().unwrap_or(0) >> 20,
            operations as f64 / seconds.max(0.001),
            row.published.join("\t")
        );
        let entry = best.entry((row.subject, row.goal)).or_default();
        let exhaustive = matches!(row.technique.as_str(), "concrete" | "complete" | "subsumption");
        let slot = if exhaustive { &mut entry.0 } else { &mut entry.1 };
        *slot = covered.max(*slot);
    }
    println!("\nsubject\tgoal\tbest exhaustive\tbest lossy");
    for ((subject, goal), (exhaustive, lossy)) in &best {
        println!("{subject}\t{goal}\t{exhaustive}\t{lossy}");
    }
    if missed > 0 {
        println!("\n{missed} row(s) missed their figure");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}
