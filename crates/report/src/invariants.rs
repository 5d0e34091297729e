//! Invariants of loops: text, JSON and a picture.

use crate::escape::visible;
use crate::graph::Graph;
use crate::json::{CostJson, Envelope, RowJson};
use crate::show::program_graph;
use crate::verdict::remedy;
use crate::{Run, RunJson, run_json};
use parallax_base::{SourceMap, Span};
use parallax_evidence::{Finding, Verdict};
use parallax_ir::Program;
use serde::Serialize;
use std::fmt::Write;

/// Name and version of the format.
pub const INVARIANTS_SCHEMA: &str = "parallax-invariants/1";

/// A loop and what holds at its head.
#[derive(Clone, Debug)]
pub struct LoopReport<'a> {
    /// Where it stands.
    pub span: Span,
    /// Its function, or where the processes are.
    pub name: &'a str,
    /// Which copy of the loop it is, from 0.
    pub copy: usize,
    /// Whether a run may come here.
    pub is_reached: bool,
    /// Which location of each process it is.
    pub place: &'a [usize],
    /// What holds.
    pub facts: &'a [String],
    /// What another analysis says, and how the first compares.
    pub other: Option<OtherReport<'a>>,
}

/// What another analysis says of a loop.
#[derive(Clone, Debug)]
pub struct OtherReport<'a> {
    /// Whether a run may come here.
    pub is_reached: bool,
    /// What holds.
    pub facts: &'a [String],
    /// How the first analysis compares.
    pub comparison: &'static str,
}

/// The loops of a program, and the answer to the property that all invariants
/// hold.
#[derive(Clone, Debug)]
pub struct InvariantsReport<'a> {
    /// The check of the invariants.
    pub run: Run<'a>,
    /// The files that the loops stand in.
    pub sources: &'a SourceMap,
    /// How bounds were carried along steps.
    pub analysis: &'static str,
    /// Which templates were bounded.
    pub family: &'static str,
    /// Whether templates were left out.
    pub is_cut: bool,
    /// The loops.
    pub loops: Vec<LoopReport<'a>>,
}

/// The processes of a program, with what holds at their loops. What holds where
/// several processes are is written below the picture.
pub fn invariants_graph(program: &Program, report: &InvariantsReport<'_>) -> Graph {
    let mut graph = program_graph(program);
    graph.title = format!("{}: invariants", program.name);
    for of in &report.loops {
        let holds = if of.is_reached { of.facts } else { &[String::from("no run comes here")] };
        match of.place {
            [at] if *at < graph.nodes.len() => graph.nodes[*at].lines.extend_from_slice(holds),
            _ => graph.notes.push(format!("{}: {}", of.name, holds.join(", "))),
        }
    }
    graph
}

/// The same as JSON.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct InvariantsJson {
    /// [`INVARIANTS_SCHEMA`].
    pub schema: &'static str,
    /// The answers in short.
    #[serde(flatten)]
    pub envelope: Envelope,
    /// What it cost.
    pub stats: CostJson,
    /// How bounds were carried along steps.
    pub analysis: &'static str,
    /// Which templates were bounded.
    pub templates: &'static str,
    /// Whether templates were left out.
    pub templates_left_out: bool,
    /// The loops.
    pub loops: Vec<LoopJson>,
    /// The check of the invariants.
    pub check: RunJson,
}

/// A loop as JSON.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LoopJson {
    /// The file.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
    /// Its function, or where the processes are.
    pub at: String,
    /// Which copy of the loop it is, from 0.
    pub copy: usize,
    /// Whether a run may come here.
    pub reached: bool,
    /// What holds.
    pub invariant: Vec<String>,
    /// What the other analysis says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other: Option<OtherJson>,
}

/// What another analysis says, as JSON.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct OtherJson {
    /// Whether a run may come here.
    pub reached: bool,
    /// What holds.
    pub invariant: Vec<String>,
    /// How the first analysis compares.
    pub comparison: &'static str,
}

/// Invariants as JSON.
pub fn invariants_json(report: &InvariantsReport<'_>) -> InvariantsJson {
    let loops = report.loops.iter().map(|l| {
        let (file, line, column) = place(report.sources, l.span);
        LoopJson {
            file,
            line,
            column,
            at: l.name.to_owned(),
            copy: l.copy,
            reached: l.is_reached,
            invariant: l.facts.to_vec(),
            other: l.other.as_ref().map(|other| OtherJson {
                reached: other.is_reached,
                invariant: other.facts.to_vec(),
                comparison: other.comparison,
            }),
        }
    });
    let check = run_json(&report.run, false);
    let rows = report.run.answers.iter().zip(&check.properties).map(|(answer, p)| RowJson {
        name: p.name.clone(),
        verdict: answer.verdict(report.run.program),
        checked_by: answer.checked_by.to_vec(),
        reason: p.reason.as_ref().map(|reason| reason.text.clone()),
    });
    InvariantsJson {
        schema: INVARIANTS_SCHEMA,
        envelope: Envelope::new(rows.collect(), &check.assumptions),
        stats: CostJson::after(report.run.statistics.time),
        analysis: report.analysis,
        templates: report.family,
        templates_left_out: report.is_cut,
        loops: loops.collect(),
        check,
    }
}

fn place(sources: &SourceMap, span: Span) -> (String, u32, u32) {
    let Some(file) = sources.get(span.file) else { return (String::new(), 0, 0) };
    let at = file.line_column(span.lo);
    (file.name().to_owned(), at.line, at.column)
}

/// Invariants as text.
pub fn render_invariants(report: &InvariantsReport<'_>) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let count = match report.loops.len() {
        0 => String::from("no loop"),
        1 => String::from("1 loop"),
        n => format!("{n} loops"),
    };
    let accepted = report.run.verdict() == Verdict::Holds;
    let by: Vec<&str> =
        report.run.answers.iter().flat_map(|a| a.checked_by.iter().map(String::as_str)).collect();
    let word = match (accepted, by.first()) {
        (true, Some(by)) => format!("accepted by {by}"),
        (true, None) => String::from("accepted"),
        (false, _) => String::from("not accepted"),
    };
    let name = visible(&report.run.program.name);
    let _ = writeln!(
        out,
        "{name}: {count}, invariants {word} ({}, templates: {})",
        report.analysis, report.family
    );
    for l in &report.loops {
        let (_, line, column) = place(report.sources, l.span);
        let copy = if l.copy > 0 { format!(", call {}", l.copy + 1) } else { String::new() };
        let _ = writeln!(out, "  {line}:{column} in {}{copy}", visible(l.name));
        facts(&mut out, l.is_reached, l.facts);
        if let Some(other) = &l.other {
            let _ = writeln!(out, "    statement by statement ({}):", said(other.comparison));
            facts(&mut out, other.is_reached, other.facts);
        }
    }
    for answer in &report.run.answers {
        if let Finding::Unknown(why) = &answer.outcome.finding {
            let remedy = remedy(&report.run, answer).map(|text| format!(" ({text})"));
            let why = why.to_string();
            let _ = writeln!(out, "  unknown: {}{}", visible(&why), remedy.unwrap_or_default());
        }
    }
    if report.is_cut {
        let _ = writeln!(out, "  note: there were too many templates; some were left out");
    }
    for assumption in &report.run.assumptions {
        let _ = writeln!(out, "  assumes: {}", visible(assumption));
    }
    out
}

/// The comparison from the side of the other analysis.
fn said(comparison: &str) -> &str {
    match comparison {
        "more precise" => "less precise",
        "less precise" => "more precise",
        same => same,
    }
}

fn facts(out: &mut String, is_reached: bool, facts: &[String]) {
    if !is_reached {
        let _ = writeln!(out, "    never reached");
    } else if facts.is_empty() {
        let _ = writeln!(out, "    nothing beyond the types");
    }
    for fact in facts.iter().filter(|_| is_reached) {
        let _ = writeln!(out, "    {}", visible(fact));
    }
}
