//! Problems of bounds: one run of `parallax optimize`, and what it should say.
//!
//! A folder holds problems (`.smt2`) and, if it is known, `reference.tsv`: a
//! line per template with file, template, status, minimum and maximum, where
//! `oo` is infinity and `epsilon` marks a strict bound.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::measure::{GRACE, collect, drain, wait};

/// The code of "stopped before anything was known".
const STOPPED: &str = "P0030";

/// The bounds of one template: minimum and maximum as text.
pub type Interval = (String, String);

/// What is known about a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reference {
    /// The formula has no model.
    Unsat,
    /// The bounds of each template, in order.
    Bounds(Vec<Interval>),
}

/// Reads a table of references, by file.
///
/// # Errors
/// The number of the first line that cannot be read.
pub fn parse_references(text: &str) -> Result<BTreeMap<String, Reference>, usize> {
    let mut all: BTreeMap<String, Reference> = BTreeMap::new();
    for (number, line) in text.lines().enumerate() {
        if line.starts_with('#') || line.trim().is_empty() {
            continue;
        }
        let cells: Vec<&str> = line.split('\t').collect();
        match cells.as_slice() {
            [_, _, "unknown", ..] => {}
            [file, _, "unsat", ..] => {
                all.insert((*file).to_owned(), Reference::Unsat);
            }
            [file, _, "sat", low, high] => {
                let empty = || Reference::Bounds(Vec::new());
                if let Reference::Bounds(list) = all.entry((*file).to_owned()).or_insert_with(empty)
                {
                    list.push(((*low).to_owned(), (*high).to_owned()));
                }
            }
            _ => return Err(number + 1),
        }
    }
    Ok(all)
}

/// What a run gave.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Bounded {
    /// `bounded`, `unsatisfiable`, `open`, or how it failed.
    pub status: String,
    /// Minimum and maximum of each template, in the form of references.
    pub bounds: Vec<Interval>,
    /// Wall-clock seconds of the whole process.
    pub seconds: f64,
    /// Seconds of reading and searching alone.
    pub search_seconds: f64,
    /// Figures by name.
    pub stats: BTreeMap<String, u64>,
}

impl Bounded {
    /// Whether the run agrees with what is known; `None` if nothing is, or if
    /// the run did not end.
    pub fn equals(&self, reference: Option<&Reference>) -> Option<bool> {
        match (self.status.as_str(), reference?) {
            ("unsatisfiable", known) => Some(*known == Reference::Unsat),
            ("bounded", Reference::Bounds(known)) => Some(*known == self.bounds),
            ("bounded", Reference::Unsat) => Some(false),
            _ => None,
        }
    }
}

/// Runs `parallax optimize` on a file.
///
/// # Errors
/// The binary cannot be started.
pub fn measure_bounds(
    parallax: &Path,
    file: &Path,
    engine: &str,
    limit: u64,
    pass_on: &[String],
) -> io::Result<Bounded> {
    let mut command = Command::new(parallax);
    command.arg("optimize").arg(file).args(["--engine", engine, "--json"]);
    command.args(["--time", &format!("{limit}s")]).args(pass_on);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let start = Instant::now();
    let mut child = command.spawn()?;
    let (stdout, stderr) = (drain(child.stdout.take()), drain(child.stderr.take()));
    let ended = wait(&mut child, start + Duration::from_secs(limit) + GRACE)?;
    let seconds = start.elapsed().as_secs_f64();
    let (stdout, stderr) = (collect(stdout), collect(stderr));
    if !ended {
        return Ok(Bounded { status: "overrun".into(), seconds, ..Bounded::default() });
    }
    Ok(Bounded { seconds, ..read(&stdout, &stderr) })
}

fn read(stdout: &str, stderr: &str) -> Bounded {
    let failed = |what: &str| Bounded { status: format!("error: {what}"), ..Bounded::default() };
    let Ok(result) = serde_json::from_str::<Value>(stdout) else {
        let last = stderr.lines().rev().find(|line| !line.trim().is_empty());
        return failed(last.unwrap_or("no output"));
    };
    let Some(status) = result["status"].as_str() else {
        // A search that was stopped before anything was known is no mistake.
        if result["diagnostics"][0]["code"] == STOPPED {
            return Bounded { status: "open".into(), ..Bounded::default() };
        }
        return failed(result["diagnostics"][0]["message"].as_str().unwrap_or("no status"));
    };
    let templates = result["templates"].as_array().cloned().unwrap_or_default();
    let time = |name: &str| result["times"][name].as_f64().unwrap_or(0.0);
    let stats = result["stats"].as_object().into_iter().flatten();
    Bounded {
        status: status.to_owned(),
        bounds: templates
            .iter()
            .map(|t| (end(&t["lower"], true), end(&t["upper"], false)))
            .collect(),
        seconds: 0.0,
        search_seconds: time("read_s") + time("search_s"),
        stats: stats.filter_map(|(name, n)| Some((name.clone(), n.as_u64()?))).collect(),
    }
}

/// A bound in the form of references.
fn end(bound: &Value, is_lower: bool) -> String {
    let value = bound["value"].as_str().unwrap_or("?");
    match (bound["kind"].as_str(), is_lower) {
        (Some("attained"), _) => value.to_owned(),
        (Some("supremum"), true) => format!("{value} + epsilon"),
        (Some("supremum"), false) => format!("{value} + -1*epsilon"),
        (Some("unbounded"), true) => "-1*oo".to_owned(),
        (Some("unbounded"), false) => "oo".to_owned(),
        _ => "?".to_owned(),
    }
}

/// The problems of a folder, by name.
///
/// # Errors
/// The folder cannot be read.
pub fn problems(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|e| e == "smt2") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_read_by_file() {
        let text = "# file\ttemplate\na.smt2\tx\tsat\t-1*oo\t3\na.smt2\ty\tsat\t0\too\n\
                    b.smt2\t-\tunsat\t\t\nc.smt2\t-\tunknown\t\t\n";
        let all = parse_references(text).expect("readable");
        assert_eq!(all.len(), 2);
        assert_eq!(all["b.smt2"], Reference::Unsat);
        let Reference::Bounds(bounds) = &all["a.smt2"] else { panic!("it has a model") };
        assert_eq!(bounds[1], ("0".into(), "oo".into()));
        assert_eq!(parse_references("a\tb"), Err(1));
    }

    #[test]
    fn answers_are_compared_with_references() {
        let json = r#"{"status":"bounded","templates":[{"lower":{"kind":"unbounded"},
            "upper":{"kind":"attained","value":"3"}}],"times":{"read_s":0.5,"search_s":1.0},
            "stats":{"queries":7}}"#;
        let run = read(json, "");
        let known = |low: &str| Reference::Bounds(vec![(low.into(), "3".into())]);
        assert_eq!(run.equals(Some(&known("-1*oo"))), Some(true));
        assert_eq!(run.equals(Some(&known("0"))), Some(false));
        assert_eq!(run.equals(Some(&Reference::Unsat)), Some(false));
        assert_eq!(run.equals(None), None);
        assert_eq!((run.search_seconds, run.stats["queries"]), (1.5, 7));
        assert_eq!(read("", "boom\n").status, "error: boom");
        let stopped = r#"{"diagnostics":[{"code":"P0030","message":"time limit reached"}]}"#;
        assert_eq!(read(stopped, "").status, "open");
        let broken = r#"{"diagnostics":[{"code":"S0001","message":"not closed"}]}"#;
        assert_eq!(read(broken, "").status, "error: not closed");
    }
}
