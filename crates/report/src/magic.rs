//! Whether procedures conform to transition systems.

use std::fmt::Write;
use std::time::Duration;

use parallax_evidence::Verdict;
use parallax_lts::{CeDag, Lts};
use serde::Serialize;

use crate::escape::visible;
use crate::json::{CostJson, Envelope, RowJson};
use crate::lts::render_dag;

/// Name and version of the format of [`MagicJson`].
pub const MAGIC_SCHEMA: &str = "parallax-magic/1";

/// An action of a procedure in a counterexample.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct MagicStep {
    /// The action.
    pub action: String,
    /// Where it is in the source: file, line and column.
    pub place: Option<String>,
    /// The text of that line.
    pub line: String,
    /// What was chosen since the action before: inputs, arguments, results.
    pub values: Vec<(String, String)>,
    /// The node of the counterexample.
    pub node: usize,
}

/// An answer, as it is shown.
#[derive(Clone, Debug)]
pub struct MagicReport<'a> {
    /// The question.
    pub name: String,
    /// `conforms`, `differs`, `deadlock` or `unknown`.
    pub verdict: &'static str,
    /// Why it is unknown.
    pub why: Option<String>,
    /// Who checked the evidence, and how many queries or steps that took.
    pub checked: Option<(String, u64)>,
    /// The counterexample: graph, system and specification.
    pub counterexample: Option<(&'a CeDag, &'a Lts, &'a Lts)>,
    /// What each procedure does in it.
    pub story: Vec<(String, Vec<MagicStep>)>,
    /// Places and values of the nodes of the counterexample.
    pub notes: Vec<(usize, Vec<String>)>,
    /// What the answer takes for granted, one sentence each.
    pub assumes: Vec<String>,
    /// The figures.
    pub figures: MagicFigures,
}

impl MagicReport<'_> {
    /// A question that nobody came to answer.
    pub fn open(name: String, why: String) -> MagicReport<'static> {
        MagicReport {
            name,
            verdict: Verdict::Unknown.word(),
            why: Some(why),
            checked: None,
            counterexample: None,
            story: Vec::new(),
            notes: Vec::new(),
            assumes: Vec::new(),
            figures: MagicFigures::default(),
        }
    }

    /// The answer as all commands give it.
    pub fn answer(&self) -> Verdict {
        match self.verdict {
            "conforms" => Verdict::Holds,
            "unknown" => Verdict::Unknown,
            _ => Verdict::Violated,
        }
    }
}

/// What a search cost.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct MagicFigures {
    /// Rounds of refinement.
    pub rounds: usize,
    /// Rounds that split joined states.
    pub splits: usize,
    /// Rounds that added predicates.
    pub refinements: usize,
    /// For each procedure: predicates in the end.
    pub predicates: Vec<usize>,
    /// For each procedure: predicates that were considered.
    pub candidates: Vec<usize>,
    /// For each procedure: states and transitions of its transition system.
    pub systems: Vec<(usize, usize)>,
    /// For each procedure: states after joining.
    pub joined: Vec<usize>,
    /// States of the largest composition that was built.
    pub largest: usize,
    /// States of the direct composition, if it was counted.
    pub direct: Option<usize>,
    /// Questions put to the solver.
    pub queries: u64,
    /// The predicates, procedure by procedure.
    pub texts: Vec<Vec<String>>,
    /// What each round refined.
    pub history: Vec<String>,
}

/// An answer as text.
pub fn render_magic(report: &MagicReport<'_>, verbose: bool) -> String {
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = write!(text, "  {}: {}", visible(&report.name), report.answer());
    if let Some((by, count)) = &report.checked {
        let what = if by == "interpreter" { "steps" } else { "queries" };
        let _ = write!(text, " ({}; checked by {}, {count} {what})", report.verdict, visible(by));
    }
    text.push('\n');
    if let Some(why) = &report.why {
        let _ = writeln!(text, "    {}", visible(why));
    }
    if let Some((dag, lts, spec)) = report.counterexample {
        for line in render_dag(dag, lts, spec).lines() {
            let _ = writeln!(text, "  {line}");
        }
        for (name, steps) in &report.story {
            let paths = report.story.iter().filter(|(other, _)| other == name).count();
            let _ = match steps.last().filter(|_| paths > 1) {
                Some(last) => writeln!(text, "    {} does, to [{}]:", visible(name), last.node),
                None => writeln!(text, "    {} does:", visible(name)),
            };
            for step in steps {
                for (name, value) in &step.values {
                    let _ = writeln!(text, "      with {} = {}", visible(name), visible(value));
                }
                let _ = write!(text, "      {}", visible(&step.action));
                if let Some(place) = &step.place {
                    let _ = write!(text, "  at {}", visible(place));
                    if !step.line.is_empty() {
                        let _ = write!(text, ": {}", visible(&step.line));
                    }
                }
                text.push('\n');
            }
        }
    }
    if !report.assumes.is_empty() {
        let _ = writeln!(text, "    assumes: {}", visible(&report.assumes.join("; ")));
    }
    if report.figures != MagicFigures::default() {
        let _ = writeln!(text, "    {}", figures(&report.figures));
    }
    if verbose {
        for (index, list) in report.figures.texts.iter().enumerate() {
            for predicate in list {
                let _ = writeln!(text, "    predicate {}: {}", index + 1, visible(predicate));
            }
        }
        for (index, line) in report.figures.history.iter().enumerate() {
            let _ = writeln!(text, "    round {}: {}", index + 1, visible(line));
        }
    }
    text
}

fn figures(f: &MagicFigures) -> String {
    let list =
        |values: &[usize]| values.iter().map(ToString::to_string).collect::<Vec<_>>().join("+");
    let states: Vec<usize> = f.systems.iter().map(|(states, _)| *states).collect();
    let mut line = format!(
        "{} rounds, {} of {} predicates, {} states, {} joined, {} composed",
        f.rounds,
        list(&f.predicates),
        list(&f.candidates),
        list(&states),
        list(&f.joined),
        f.largest
    );
    if let Some(direct) = f.direct {
        let _ = write!(line, " ({direct} directly)");
    }
    line
}

/// All answers for scripts.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct MagicJson {
    /// [`MAGIC_SCHEMA`].
    pub schema: &'static str,
    /// The answers in short.
    #[serde(flatten)]
    pub envelope: Envelope,
    /// What it cost.
    pub stats: CostJson,
    /// The name of the system.
    pub system: String,
    /// The answers.
    pub answers: Vec<MagicAnswerJson>,
    /// The most memory the process held, in bytes.
    pub peak_memory: u64,
}

/// What a procedure does.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct MagicStoryJson {
    /// The procedure.
    pub procedure: String,
    /// Its actions.
    pub steps: Vec<MagicStep>,
}

/// One answer.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct MagicAnswerJson {
    /// The question.
    pub question: String,
    /// `conforms`, `differs`, `deadlock` or `unknown`.
    pub verdict: &'static str,
    /// Why it is unknown.
    pub why: Option<String>,
    /// Who checked the evidence.
    pub checked_by: Option<String>,
    /// The visible actions of the counterexample, node by node.
    pub actions: Option<Vec<String>>,
    /// What each procedure does in it.
    pub story: Vec<MagicStoryJson>,
    /// What the answer takes for granted, one sentence each.
    pub assumptions: Vec<String>,
    /// The figures.
    pub figures: MagicFigures,
}

/// All answers for scripts.
pub fn magic_json(system: &str, reports: &[MagicReport<'_>], time: Duration) -> MagicJson {
    let story = |(procedure, steps): &(String, Vec<MagicStep>)| MagicStoryJson {
        procedure: procedure.clone(),
        steps: steps.clone(),
    };
    let one = |report: &MagicReport<'_>| MagicAnswerJson {
        question: report.name.clone(),
        verdict: report.verdict,
        why: report.why.clone(),
        checked_by: report.checked.as_ref().map(|(by, _)| by.clone()),
        actions: report.counterexample.map(|(dag, lts, _)| {
            let labels = dag.nodes.iter().map(|node| lts.label(node.action));
            labels.filter(|label| *label != "tau").map(str::to_owned).collect()
        }),
        story: report.story.iter().map(story).collect(),
        assumptions: report.assumes.clone(),
        figures: report.figures.clone(),
    };
    let row = |report: &MagicReport<'_>| RowJson {
        name: report.name.clone(),
        verdict: report.answer(),
        checked_by: report.checked.iter().map(|(by, _)| by.clone()).collect(),
        reason: report.why.clone(),
    };
    let rows = reports.iter().map(row).collect();
    let stats = CostJson::after(time);
    MagicJson {
        schema: MAGIC_SCHEMA,
        envelope: Envelope::new(rows, reports.iter().flat_map(|report| &report.assumes)),
        stats,
        system: system.to_owned(),
        answers: reports.iter().map(one).collect(),
        peak_memory: stats.peak_memory_bytes,
    }
}
