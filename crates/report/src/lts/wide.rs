//! What was found out about systems side by side whose states are not listed.

use super::{LTS_SCHEMA, LtsRow, count, listed};
use crate::escape::visible;
use crate::json::CostJson;
use parallax_evidence::Verdict;
use serde_json::{Value, json};
use std::time::Duration;

/// How a question is answered in the negative.
#[derive(Clone, Debug)]
pub enum WideRun {
    /// It is not.
    None,
    /// What is done on the way to what is wrong.
    Path(Vec<String>),
    /// What is done on the way into states where nothing wanted happens.
    Sink {
        /// The way.
        steps: Vec<String>,
        /// How many states there are.
        states: String,
    },
}

/// What there is to say about systems side by side.
#[derive(Clone, Debug)]
pub struct WideReport<'a> {
    /// The name of the whole.
    pub name: &'a str,
    /// The number of states that can be reached, `ERROR` aside.
    pub states: String,
    /// The number of nodes of their diagram.
    pub nodes: usize,
    /// The number of visible actions.
    pub actions: usize,
    /// The names of the components, and how many states they have.
    pub parts: Vec<(String, usize)>,
    /// The number of deadlocks.
    pub deadlocks: String,
    /// The answers, with runs.
    pub answers: Vec<(LtsRow<'a>, WideRun)>,
    /// The verdict on what was asked.
    pub verdict: Verdict,
    /// What the answers rest on besides the text.
    pub assumptions: &'a [String],
}

/// A number of states, which may be a large one.
fn states(number: &str) -> String {
    format!("{number} state{}", if number == "1" { "" } else { "s" })
}

/// The report as text.
pub fn render_wide(report: &WideReport<'_>) -> String {
    let nodes = count(report.nodes, "node");
    let actions = count(report.actions, "action");
    let name = visible(report.name);
    let mut lines =
        vec![format!("{name}: {} in a diagram of {nodes}, {actions}", states(&report.states))];
    let part = |(name, states): &(String, usize)| {
        format!("{} ({})", visible(name), count(*states, "state"))
    };
    let parts: Vec<String> = report.parts.iter().map(part).collect();
    lines.push(format!("  composed of {}", parts.join(", ")));
    for (row, run) in &report.answers {
        let property = visible(row.property);
        if row.rejected.is_some() {
            continue;
        }
        lines.push(match (row.property, run) {
            ("no-error", WideRun::Path(steps)) => format!("ERROR: {}", listed(steps)),
            ("no-error", _) => String::from("no ERROR"),
            ("no-deadlock", WideRun::Path(steps)) => {
                format!("DEADLOCK ({}): {}", states(&report.deadlocks), listed(steps))
            }
            ("no-deadlock", _) => String::from("no deadlock"),
            (_, WideRun::Sink { steps, states: many }) => {
                let (steps, many) = (listed(steps), states(many));
                format!("{property}: VIOLATED after: {steps}\n  for ever in {many}")
            }
            _ => format!("{property}: {}", row.verdict.word()),
        });
    }
    for assumption in report.assumptions {
        lines.push(format!("assumes: {assumption}"));
    }
    let mut kinds: Vec<&str> = Vec::new();
    for (row, _) in &report.answers {
        match &row.rejected {
            Some(why) => lines.push(format!("UNKNOWN: {}: {why}", visible(row.property))),
            None if !kinds.contains(&row.evidence) => kinds.push(row.evidence),
            None => {}
        }
    }
    lines.push(format!("checked: {}", kinds.join(", ")));
    lines.join("\n") + "\n"
}

/// The report for scripts. Counts are texts, since they may be too large for
/// numbers.
pub fn wide_json(report: &WideReport<'_>, time: Duration) -> Value {
    let row = |(row, run): &(LtsRow<'_>, WideRun)| {
        let (trace, sink) = match run {
            WideRun::None => (None, None),
            WideRun::Path(steps) => (Some(steps), None),
            WideRun::Sink { steps, states } => (Some(steps), Some(states)),
        };
        json!({
            "name": row.property, "verdict": row.verdict.word(), "evidence": row.evidence,
            "rejected": row.rejected, "trace": trace, "sink": sink,
        })
    };
    json!({
        "schema": LTS_SCHEMA,
        "name": report.name,
        "storage": "diagrams",
        "state_count": report.states,
        "nodes": report.nodes,
        "parts": report.parts,
        "deadlock_count": report.deadlocks,
        "holds": report.verdict == Verdict::Holds,
        "verdict": report.verdict.word(),
        "properties": report.answers.iter().map(row).collect::<Vec<_>>(),
        "assumptions": report.assumptions,
        "stats": CostJson::after(time),
    })
}
