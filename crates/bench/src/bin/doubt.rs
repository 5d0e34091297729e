//! `bench/doubt`: what it costs to doubt proofs, and what is left to trust, over
//! the C programs of the corpus.
//!
//! Every question that `corpus/c` has the truth of is asked in a process of its
//! own. The rows go to standard output: question, truth, verdict, engine, seconds
//! of the process, seconds that the attack and the second proof took, the passes
//! that the proof trusts. The summary on standard error says how many proofs
//! trust no pass, and how much doubt adds, as a share of the rest of the time, in
//! the median of the questions that were answered and of those that were proved.
//! The exit code is 1 if a verdict is not the truth.

use serde_json::Value;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;

const USAGE: &str = "\
usage: bench/doubt [--time SECONDS] [--parallax FILE] [PART]

  PART               only files with this text in their path below corpus/c
  --time SECONDS     a time limit for every question [default: 10]
  --parallax FILE    the binary to run; by default the one beside this one
";

/// What is asked, and what is true.
struct Question {
    name: String,
    files: Vec<PathBuf>,
    args: Vec<String>,
    property: String,
    truth: String,
}

/// What was said, and what it cost.
struct Said {
    verdict: String,
    engine: String,
    seconds: f64,
    doubt: f64,
    trusts: Vec<String>,
}

impl Said {
    /// What doubt adds to the rest.
    fn added(&self) -> f64 {
        self.doubt / (self.seconds - self.doubt).max(1e-3)
    }
}

/// The files below a folder that end in `.c`, in order.
fn sources(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let (mut open, mut found) = (vec![folder.to_owned()], Vec::new());
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|e| e == "c") {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// The questions of a file; `corpus/README.md` describes the annotations.
fn questions(root: &Path, path: &Path) -> io::Result<Vec<Question>> {
    let text = std::fs::read_to_string(path)?;
    let after = |mark: &str| text.lines().find_map(|line| line.strip_prefix(mark)).unwrap_or("");
    let others = after("//@ with: ").split_whitespace().map(|name| path.with_file_name(name));
    let files: Vec<PathBuf> = std::iter::once(path.to_owned()).chain(others).collect();
    let args: Vec<String> = after("//@ args: ").split_whitespace().map(str::to_owned).collect();
    let name = path.strip_prefix(root).unwrap_or(path).display().to_string();
    let truths = text.lines().filter_map(|line| line.strip_prefix("//~ ")?.split_once(' '));
    let question = |(property, truth): (&str, &str)| Question {
        name: name.clone(),
        files: files.clone(),
        args: args.clone(),
        property: property.to_owned(),
        truth: truth.trim().to_owned(),
    };
    Ok(truths.map(question).collect())
}

fn ask(parallax: &Path, question: &Question, limit: &str) -> io::Result<Said> {
    let start = Instant::now();
    let output = Command::new(parallax)
        .arg("check")
        .args(&question.files)
        .args(&question.args)
        .args(["-p", &question.property, "--json", "--time", limit])
        .output()?;
    let seconds = start.elapsed().as_secs_f64();
    let json: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let answer = &json["properties"][0];
    Ok(Said {
        verdict: json["verdict"].as_str().unwrap_or("crash").to_owned(),
        engine: text(&answer["engine"]),
        seconds,
        doubt: json["stats"]["doubt_s"].as_f64().unwrap_or_default(),
        trusts: answer["trusts"].as_array().into_iter().flatten().map(text).collect(),
    })
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}

fn table(parallax: &Path, limit: &str, part: &str) -> io::Result<ExitCode> {
    let root = PathBuf::from("corpus/c");
    let mut out = io::stdout().lock();
    writeln!(out, "file\tproperty\ttruth\tverdict\tengine\tseconds\tdoubt_seconds\ttrusts")?;
    let (mut answered, mut proved, mut bare, mut asked, mut wrong) = (vec![], vec![], 0, 0, 0);
    for path in sources(&root)?.iter().filter(|path| path.to_string_lossy().contains(part)) {
        for question in questions(&root, path)? {
            let said = ask(parallax, &question, limit)?;
            asked += 1;
            writeln!(
                out,
                "{}\t{}\t{}\t{}\t{}\t{:.3}\t{:.3}\t{}",
                question.name,
                question.property,
                question.truth,
                said.verdict,
                said.engine,
                said.seconds,
                said.doubt,
                said.trusts.join("; ")
            )?;
            out.flush()?;
            wrong += usize::from(said.verdict != question.truth && said.verdict != "unknown");
            if ["holds", "violated"].contains(&said.verdict.as_str()) {
                answered.push(said.added());
            }
            if said.verdict == "holds" {
                proved.push(said.added());
                bare += usize::from(said.trusts.is_empty());
            }
        }
    }
    writeln!(
        io::stderr(),
        "{asked} questions, {} answered, {wrong} wrong; {bare} of {} proofs trust no pass; \
         attacks and second proofs add {:.1} % in the median, {:.1} % in that of the proofs",
        answered.len(),
        proved.len(),
        100.0 * median(answered.clone()),
        100.0 * median(proved.clone()),
    )?;
    Ok(if wrong > 0 { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

fn run() -> Result<ExitCode, String> {
    let beside = std::env::current_exe().ok();
    let mut parallax = beside.map(|path| path.with_file_name("parallax")).unwrap_or_default();
    let (mut limit, mut part) = ("10s".to_owned(), String::new());
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let mut value = || args.next().ok_or_else(|| format!("{arg} needs a value"));
        match arg.as_str() {
            "--time" => limit = format!("{}s", value()?),
            "--parallax" => parallax = PathBuf::from(value()?),
            "--help" | "-h" => {
                let said = io::stdout().write_all(USAGE.as_bytes());
                return said.map(|()| ExitCode::SUCCESS).map_err(|error| error.to_string());
            }
            option if option.starts_with('-') => return Err(format!("no option {option}")),
            _ => part = arg,
        }
    }
    table(&parallax, &limit, &part).map_err(|error| error.to_string())
}

fn main() -> ExitCode {
    match run() {
        Ok(code) => code,
        Err(message) => {
            // If stderr is gone there is nobody to tell.
            let _ = writeln!(io::stderr(), "{message}");
            ExitCode::from(2)
        }
    }
}
