//! The functions of a program, each checked alone: one row for each.

use crate::diagnostics::Look;
use crate::escape::{clip, visible};
use crate::metrics::columns;
use crate::run::{Run, evidence_summary};
use crate::verdict::painted;
use parallax_evidence::Verdict;
use std::fmt::Write;

/// Columns of the name of a function.
const NAME: usize = 40;

/// What is known of a function.
#[derive(Clone, PartialEq, Debug)]
pub struct FunctionRow {
    /// Its name.
    pub name: String,
    /// The worst of its verdicts.
    pub verdict: Verdict,
    /// Why it is not better.
    pub note: String,
    /// What the verdicts rest on.
    pub assumptions: Vec<String>,
}

impl FunctionRow {
    /// The row of a function that was checked.
    pub fn of(name: &str, run: &Run<'_>) -> FunctionRow {
        let verdict = run.verdict();
        let is_cause = |a: &&crate::run::Answer<'_>| {
            a.verdict(run.program) == verdict && verdict != Verdict::Holds
        };
        let note = |a: &crate::run::Answer<'_>| {
            let what = match a.verdict(run.program) {
                Verdict::Violated => String::new(),
                _ => format!(": {}", evidence_summary(&a.outcome.finding)),
            };
            format!("{}{what}", a.title(run.program))
        };
        let notes: Vec<String> = run.answers.iter().filter(is_cause).map(note).collect();
        FunctionRow {
            name: name.to_owned(),
            verdict,
            note: notes.join(", "),
            assumptions: run.assumptions.clone(),
        }
    }
}

/// A table of functions, with what the verdicts rest on.
pub fn render_functions(subject: &str, rows: &[FunctionRow], look: Look) -> String {
    let mut out = String::new();
    let count = |verdict| rows.iter().filter(|row| row.verdict == verdict).count();
    let all = [Verdict::Violated, Verdict::Unknown, Verdict::Holds];
    let parts = all.into_iter().filter(|v| count(*v) > 0);
    let parts: Vec<String> = parts.map(|v| format!("{} {}", count(v), v.word())).collect();
    let noun = if rows.len() == 1 { "function" } else { "functions" };
    // Writing to a string cannot fail.
    let _ = writeln!(
        out,
        "{}: {} {noun}: {}",
        visible(subject),
        rows.len(),
        if parts.is_empty() { String::from("none") } else { parts.join(", ") }
    );
    let name = |row: &FunctionRow| visible(&clip(&row.name, NAME)).into_owned();
    let width = rows.iter().map(|row| columns(&name(row))).max().unwrap_or(0);
    for row in rows {
        let name = name(row);
        let pad = " ".repeat(width - columns(&name));
        let word = painted(row.verdict, &format!("{:8}", row.verdict.word()), look);
        let note = visible(&clip(&row.note, 120)).into_owned();
        let line = format!("  {name}{pad}  {word}  {note}");
        let _ = writeln!(out, "{}", line.trim_end());
    }
    let mut once: Vec<&str> = Vec::new();
    for row in rows {
        let own = format!("`{}` is called once", row.name);
        for sentence in row.assumptions.iter().filter(|s| !s.starts_with(&own)) {
            if !once.contains(&&**sentence) {
                once.push(sentence);
            }
        }
    }
    let each = "each function is called once, with any arguments within the bounds of its driver";
    once.insert(0, each);
    let _ = writeln!(out, "  assumes: {}", visible(&clip(&once.join("; "), 1000)));
    out
}
