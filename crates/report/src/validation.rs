//! What became of a witness, for people and for scripts.

use crate::escape::{clip, visible};
use crate::json::{CostJson, Envelope, RowJson};
use parallax_evidence::Verdict;
use serde::Serialize;
use std::fmt::Write;
use std::time::Duration;

/// Name and version of the format of [`ValidationJson`].
pub const VALIDATION_SCHEMA: &str = "parallax-validation/1";

/// Characters of an invariant that are shown.
const WIDTH: usize = 100;

/// What is said of a witness.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Judgement {
    /// It is right.
    Confirmed,
    /// It is wrong.
    Rejected,
    /// It was not decided.
    Unknown,
}

impl Judgement {
    /// The word in reports.
    pub fn word(self) -> &'static str {
        match self {
            Judgement::Confirmed => "confirmed",
            Judgement::Rejected => "rejected",
            Judgement::Unknown => "unknown",
        }
    }

    /// The verdict on the statement that the witness is right.
    pub fn verdict(self) -> Verdict {
        match self {
            Judgement::Confirmed => Verdict::Holds,
            Judgement::Rejected => Verdict::Violated,
            Judgement::Unknown => Verdict::Unknown,
        }
    }
}

/// Something a witness rests on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Validated {
    /// An invariant with its place, or a property.
    pub name: String,
    /// Whether it holds.
    pub verdict: Verdict,
    /// Who accepted the evidence.
    pub checked_by: Vec<String>,
    /// Why it is open.
    pub reason: Option<String>,
}

/// What became of a witness.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ValidationReport {
    /// Who made it.
    pub producer: String,
    /// Whether it claims that the property holds.
    pub is_correctness: bool,
    /// What is said of it.
    pub judgement: Judgement,
    /// Why, in a sentence.
    pub why: String,
    /// What it rests on.
    pub rows: Vec<Validated>,
    /// What a reader should know besides.
    pub notes: Vec<String>,
    /// What the answers rest on besides the evidence.
    pub assumptions: Vec<String>,
}

/// [`ValidationReport`] for scripts.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ValidationJson {
    /// [`VALIDATION_SCHEMA`].
    pub schema: &'static str,
    /// `confirmed`, `rejected` or `unknown`.
    pub witness: &'static str,
    /// `correctness` or `violation`.
    pub claim: &'static str,
    /// Who made it.
    pub producer: String,
    /// Why, in a sentence.
    pub why: String,
    /// What a reader should know besides.
    pub notes: Vec<String>,
    /// `holds` if it is confirmed, `violated` if it is rejected.
    pub verdict: &'static str,
    /// What it rests on: invariants with their places, and properties.
    pub properties: Vec<RowJson>,
    /// What the answers rest on besides the evidence.
    pub assumptions: Vec<String>,
    /// What it cost.
    pub stats: CostJson,
}

/// The report as data for JSON.
pub fn validation_json(report: &ValidationReport, time: Duration) -> ValidationJson {
    let row = |row: &Validated| RowJson {
        name: row.name.clone(),
        verdict: row.verdict,
        checked_by: row.checked_by.clone(),
        reason: row.reason.clone(),
    };
    let rows = report.rows.iter().map(row).collect();
    let Envelope { properties, assumptions, .. } = Envelope::new(rows, &report.assumptions);
    ValidationJson {
        schema: VALIDATION_SCHEMA,
        witness: report.judgement.word(),
        claim: if report.is_correctness { "correctness" } else { "violation" },
        producer: report.producer.clone(),
        why: report.why.clone(),
        notes: report.notes.clone(),
        verdict: report.judgement.verdict().word(),
        properties,
        assumptions,
        stats: CostJson::after(time),
    }
}

/// The report as text.
pub fn render_validation(report: &ValidationReport) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = write_validation(&mut out, report);
    out
}

fn write_validation(out: &mut String, report: &ValidationReport) -> std::fmt::Result {
    let claim = if report.is_correctness { "correctness" } else { "a violation" };
    let by = match report.producer.as_str() {
        "" => String::new(),
        name => format!(" by {}", visible(name)),
    };
    writeln!(out, "witness of {claim}{by}: {}", report.judgement.word())?;
    if !report.why.is_empty() {
        writeln!(out, "  {}", visible(&report.why))?;
    }
    for row in &report.rows {
        let by = match row.checked_by.as_slice() {
            [] => String::new(),
            list => format!(" (checked by {})", list.join(" and ")),
        };
        let name = visible(&row.name);
        write!(out, "  {:<8}  {}{by}", row.verdict.word(), clip(&name, WIDTH))?;
        match &row.reason {
            Some(why) => writeln!(out, ": {}", visible(why))?,
            None => writeln!(out)?,
        }
    }
    for note in &report.notes {
        writeln!(out, "  note: {}", visible(note))?;
    }
    for sentence in &report.assumptions {
        writeln!(out, "  assumes: {}", visible(sentence))?;
    }
    Ok(())
}
