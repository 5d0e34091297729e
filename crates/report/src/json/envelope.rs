//! What every result for scripts has, whatever command it is of: `schema`,
//! `verdict`, `properties`, `assumptions` and `stats`.

use parallax_base::peak_memory_bytes;
use parallax_evidence::Verdict;
use serde::Serialize;
use std::time::Duration;

/// The answers of a command that answers more than properties of programs.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Envelope {
    /// `holds`, `violated` or `unknown`: the worst of the answers.
    #[serde(serialize_with = "word")]
    #[cfg_attr(test, schemars(with = "String"))]
    pub verdict: Verdict,
    /// One entry for each thing that was asked.
    pub properties: Vec<RowJson>,
    /// What the answers rest on besides the evidence.
    pub assumptions: Vec<String>,
}

/// One answer.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RowJson {
    /// What was asked.
    pub name: String,
    /// `holds`, `violated` or `unknown`.
    #[serde(serialize_with = "word")]
    #[cfg_attr(test, schemars(with = "String"))]
    pub verdict: Verdict,
    /// Who accepted the evidence.
    pub checked_by: Vec<String>,
    /// Why it is open; `null` if it is not.
    pub reason: Option<String>,
}

/// What a command cost.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CostJson {
    /// Seconds, reading the files included.
    pub time_s: f64,
    /// The most memory the process held, in bytes.
    pub peak_memory_bytes: u64,
}

fn word<S: serde::Serializer>(verdict: &Verdict, out: S) -> Result<S::Ok, S::Error> {
    out.serialize_str(verdict.word())
}

impl Envelope {
    /// The answers with the worst of their verdicts, and what they rest on, each
    /// sentence once.
    pub fn new<'a>(
        properties: Vec<RowJson>,
        assumptions: impl IntoIterator<Item = &'a String>,
    ) -> Envelope {
        let mut once: Vec<String> = Vec::new();
        for sentence in assumptions {
            if !once.contains(sentence) {
                once.push(sentence.clone());
            }
        }
        let verdict = Verdict::worst(properties.iter().map(|row| row.verdict));
        Envelope { verdict, properties, assumptions: once }
    }
}

impl CostJson {
    /// What it has cost up to now.
    pub fn after(time: Duration) -> CostJson {
        CostJson { time_s: time.as_secs_f64(), peak_memory_bytes: peak_memory_bytes() }
    }
}
