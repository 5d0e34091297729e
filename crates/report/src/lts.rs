//! Labelled transition systems: what was found out about them, their pictures,
//! and how two of them differ.

use std::fmt::Write;

use crate::distinction::render_formula;
use crate::escape::visible;
use crate::graph::{Edge, EdgeStyle, Graph, Node, NodeKind};
use parallax_evidence::Verdict;
use parallax_lts::{Action, CeDag, Lts, ProgressViolation, Safety, TAU};
use parallax_simulate::{Comparison, Conformance, Contained};

mod json;
mod wide;

pub use json::{
    LtsAssertionJson, LtsConformanceJson, LtsJson, LtsNodeJson, LtsProgressJson, LtsPropertyJson,
    lts_json,
};
pub use wide::{WideReport, WideRun, render_wide, wide_json};

/// Name and version of the format of [`LtsJson`].
pub const LTS_SCHEMA: &str = "parallax-lts/1";

/// More actions of a trace than this are not shown in text.
const MAX_TRACE: usize = 60;

/// How two systems compare.
#[derive(Clone, Copy, Debug)]
pub enum Compared<'a> {
    /// By weak simulation.
    Simulation(&'a Comparison),
    /// By trace containment.
    Traces(&'a Contained),
}

impl Compared<'_> {
    /// Whether the first conforms to the second.
    pub fn conforms(&self) -> bool {
        match self {
            Compared::Simulation(Comparison::Pairs(found)) => {
                matches!(found.conformance, Conformance::Conforms(_))
            }
            Compared::Simulation(found) => matches!(found, Comparison::Related(_)),
            Compared::Traces(traces) => traces.counterexample.is_none(),
        }
    }
}

/// A run that breaks a formula.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AssertionRun {
    /// What is done first.
    pub steps: Vec<Action>,
    /// After so many of these the formula is broken however the run goes on.
    pub settled: Option<usize>,
    /// What is done for ever; nothing if the run has ended.
    pub cycle: Vec<Action>,
}

/// An answer about a system.
#[derive(Clone, Debug)]
pub struct LtsRow<'a> {
    /// What was asked.
    pub property: &'a str,
    /// The answer.
    pub verdict: Verdict,
    /// The kind of its evidence.
    pub evidence: &'static str,
    /// Why the evidence was not accepted.
    pub rejected: Option<String>,
}

/// What there is to say about a system.
#[derive(Clone, Debug)]
pub struct LtsReport<'a> {
    /// The system.
    pub lts: &'a Lts,
    /// Names, states and transitions of what it is composed of.
    pub parts: &'a [(String, usize, usize)],
    /// Deadlocks and errors.
    pub safety: &'a Safety,
    /// The progress properties, and how they fail.
    pub progress: &'a [(String, Option<ProgressViolation>)],
    /// The formulas, and runs that break them.
    pub assertions: &'a [(String, Option<AssertionRun>)],
    /// Whether it was minimized, and how large it was before.
    pub minimized: Option<(&'static str, usize, usize)>,
    /// The specification and how it compares.
    pub compared: Option<(&'a Lts, Compared<'a>)>,
    /// The verdict on what was asked.
    pub verdict: Verdict,
    /// What the answers rest on besides the text.
    pub assumptions: &'a [String],
    /// All answers, with what the checker says of their evidence.
    pub answers: Vec<LtsRow<'a>>,
}

impl LtsReport<'_> {
    /// Whether nothing is wrong.
    pub fn holds(&self) -> bool {
        self.safety.holds()
            && self.progress.iter().all(|(_, violation)| violation.is_none())
            && self.assertions.iter().all(|(_, run)| run.is_none())
            && self.compared.is_none_or(|(_, compared)| compared.conforms())
    }
}

fn count(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

fn size(states: usize, transitions: usize) -> String {
    format!("{}, {}", count(states, "state"), count(transitions, "transition"))
}

fn trace(lts: &Lts, actions: &[Action]) -> String {
    let labels: Vec<&str> = actions.iter().map(|&action| lts.label(action)).collect();
    listed(&labels)
}

/// The actions of a trace, if there are not too many.
fn listed(labels: &[impl AsRef<str>]) -> String {
    if labels.is_empty() {
        return String::from("at the start");
    }
    let shown = labels.iter().take(MAX_TRACE).map(|label| visible(label.as_ref()).into_owned());
    let mut text = shown.collect::<Vec<_>>().join(", ");
    if labels.len() > MAX_TRACE {
        // Writing to a string does not fail.
        let _ = write!(text, ", and {} more", labels.len() - MAX_TRACE);
    }
    text
}

/// The report as text.
pub fn render_lts(report: &LtsReport<'_>) -> String {
    let lts = report.lts;
    let mut lines = Vec::new();
    lines.push(format!(
        "{}: {}, {}",
        visible(lts.name()),
        size(lts.state_count(), lts.transition_count()),
        count(lts.alphabet().count(), "action")
    ));
    if let Some((kind, states, transitions)) = report.minimized {
        lines.push(format!("  minimized ({kind}) from {}", size(states, transitions)));
    }
    if report.parts.len() > 1 {
        let part = |(name, states, _): &(String, usize, usize)| {
            format!("{} ({})", visible(name), count(*states, "state"))
        };
        let parts: Vec<String> = report.parts.iter().map(part).collect();
        lines.push(format!("  composed of {}", parts.join(", ")));
    }
    let safety = report.safety;
    match &safety.error {
        Some(actions) => lines.push(format!("ERROR: {}", trace(lts, actions))),
        None => lines.push(String::from("no ERROR")),
    }
    match &safety.deadlock {
        Some(first) => {
            let many = count(safety.deadlocks, "state");
            lines.push(format!("DEADLOCK ({many}): {}", trace(lts, &first.trace)));
        }
        None => lines.push(String::from("no deadlock")),
    }
    for (name, violation) in report.progress {
        let name = visible(name);
        match violation {
            None => lines.push(format!("progress {name}: holds")),
            Some(v) => {
                lines.push(format!("progress {name}: VIOLATED after: {}", trace(lts, &v.trace)));
                let actions: Vec<_> =
                    v.actions.iter().map(|&a| visible(lts.label(a)).into_owned()).collect();
                let states = count(v.states.len(), "state");
                lines.push(format!("  for ever in {states}: {{{}}}", actions.join(", ")));
            }
        }
    }
    for (name, run) in report.assertions {
        lines.push(render_assertion(lts, name, run.as_ref()));
    }
    if let Some((spec, compared)) = report.compared {
        lines.push(render_compared(lts, spec, compared));
    }
    for assumption in report.assumptions {
        lines.push(format!("assumes: {assumption}"));
    }
    let rejected = |row: &&LtsRow<'_>| row.rejected.is_some();
    match report.answers.iter().filter(rejected).count() {
        0 => lines.push(format!("checked: {}", checked(report))),
        _ => {
            for row in report.answers.iter().filter(rejected) {
                let why = row.rejected.as_deref().unwrap_or_default();
                lines.push(format!("UNKNOWN: evidence rejected: {}: {why}", visible(row.property)));
            }
        }
    }
    lines.join("\n") + "\n"
}

fn render_assertion(lts: &Lts, name: &str, run: Option<&AssertionRun>) -> String {
    let name = visible(name);
    let Some(run) = run else { return format!("assert {name}: holds") };
    if let Some(count) = run.settled {
        let steps = trace(lts, &run.steps[..count]);
        return format!("assert {name}: VIOLATED, however it goes on: {steps}");
    }
    let line = format!("assert {name}: VIOLATED: {}", trace(lts, &run.steps));
    match run.cycle.is_empty() {
        true => format!("{line}\n  where it ends"),
        false => format!("{line}\n  then for ever: {}", trace(lts, &run.cycle)),
    }
}

/// The kinds of evidence that were accepted, each once.
fn checked(report: &LtsReport<'_>) -> String {
    let mut kinds: Vec<&str> = Vec::new();
    for row in &report.answers {
        if !kinds.contains(&row.evidence) {
            kinds.push(row.evidence);
        }
    }
    kinds.join(", ")
}

fn render_compared(lts: &Lts, spec: &Lts, compared: Compared<'_>) -> String {
    let (name, other) = (visible(lts.name()), visible(spec.name()));
    match compared {
        Compared::Simulation(Comparison::Related(relation)) => {
            let (pairs, (one, two)) = (relation.pairs(), relation.blocks());
            let blocks = format!("{pairs} pairs in {one} and {two} blocks of states");
            format!("{name} is simulated by {other}: a relation of {blocks}")
        }
        Compared::Simulation(Comparison::Distinguished(formula)) => {
            let text = render_formula(formula, lts);
            format!("{name} is NOT simulated by {other}, which cannot do [0]:\n{}", text.trim_end())
        }
        Compared::Simulation(Comparison::Pairs(found)) => match &found.conformance {
            Conformance::Conforms(relation) => {
                format!("{name} is simulated by {other}: a relation of {} pairs", relation.len())
            }
            Conformance::Differs(dag) => {
                let text = render_dag(dag, lts, spec);
                format!("{name} is NOT simulated by {other}:\n{}", text.trim_end())
            }
        },
        Compared::Traces(found) => match &found.counterexample {
            None => {
                format!("all traces of {name} are traces of {other}: {} sets", found.sets.len())
            }
            Some(steps) => {
                let actions: Vec<Action> = steps.iter().map(|step| step.0).collect();
                format!("a trace of {name} is NOT one of {other}: {}", trace(lts, &actions))
            }
        },
    }
}

/// What the specification can do in a state, silent steps aside.
fn offers(spec: &Lts, state: u32) -> String {
    let mut open = vec![state];
    let mut seen = std::collections::BTreeSet::from([state]);
    let mut labels = std::collections::BTreeSet::new();
    while let Some(at) = open.pop() {
        for edge in spec.edges(at) {
            if edge.action != TAU {
                labels.insert(visible(spec.label(edge.action)).into_owned());
            } else if seen.insert(edge.target) {
                open.push(edge.target);
            }
        }
    }
    if labels.is_empty() {
        return String::from("nothing");
    }
    labels.into_iter().collect::<Vec<_>>().join(", ")
}

/// A counterexample as text: what the system does, and what the specification
/// allows instead.
pub fn render_dag(dag: &CeDag, lts: &Lts, spec: &Lts) -> String {
    let mut text = String::new();
    // Silent steps that are matched in one way only are passed over.
    let quiet = |number: usize| {
        let node = &dag.nodes[number];
        node.action == TAU && node.children.len() == 1
    };
    let shown = |mut number: usize| {
        while quiet(number) {
            number = dag.nodes[number].children[0];
        }
        number
    };
    for (number, node) in dag.nodes.iter().enumerate().filter(|(number, _)| !quiet(*number)) {
        let action = visible(lts.label(node.action));
        let place = format!("  [{number}] state {} against state {}", node.left, node.right);
        // Writing to a string does not fail.
        let _ = if node.children.is_empty() {
            let instead = offers(spec, node.right);
            writeln!(text, "{place}: does `{action}`; allowed is {instead}")
        } else {
            let next: std::collections::BTreeSet<usize> =
                node.children.iter().map(|&child| shown(child)).collect();
            let next: Vec<String> = next.iter().map(|c| format!("[{c}]")).collect();
            writeln!(text, "{place}: does `{action}`; matched only by {}", next.join(", "))
        };
    }
    text
}

/// A counterexample as a graph; an action that nobody matches is a dangling
/// edge.
pub fn dag_graph(dag: &CeDag, lts: &Lts, spec: &Lts) -> Graph {
    dag_graph_with(dag, lts, spec, &[])
}

/// The same with lines about the actions of some nodes.
pub fn dag_graph_with(dag: &CeDag, lts: &Lts, spec: &Lts, notes: &[(usize, Vec<String>)]) -> Graph {
    let mut graph = Graph {
        title: format!("{} is not simulated by {}", visible(lts.name()), visible(spec.name())),
        notes: vec![String::from("pairs of states; error: what the specification does not allow")],
        ..Graph::default()
    };
    for (number, node) in dag.nodes.iter().enumerate() {
        let mut lines = vec![
            format!("({}, {})", node.left, node.right),
            format!("allowed: {}", offers(spec, node.right)),
        ];
        let own = notes.iter().filter(|(noted, _)| *noted == number).flat_map(|(_, all)| all);
        lines.extend(own.map(|line| visible(line).into_owned()));
        graph.nodes.push(Node { lines, initial: number == 0, ..Node::default() });
    }
    for (number, node) in dag.nodes.iter().enumerate() {
        let label = visible(lts.label(node.action)).into_owned();
        for &child in &node.children {
            graph.edges.push(Edge::new(number, child, label.clone()));
        }
        if node.children.is_empty() {
            let target = graph.nodes.len();
            let kind = NodeKind::Error;
            graph.nodes.push(Node { kind, ..Node::new(format!("state {}", node.target)) });
            let style = EdgeStyle::Bold;
            graph.edges.push(Edge { style, ..Edge::new(number, target, label) });
        }
    }
    graph
}

/// A system as a graph.
pub fn lts_graph(lts: &Lts) -> Graph {
    let node = |state: u32| {
        let (kind, line) = if lts.error() == Some(state) {
            (NodeKind::Error, String::from("ERROR"))
        } else if lts.end() == Some(state) {
            (NodeKind::Final, String::from("END"))
        } else {
            (NodeKind::Normal, state.to_string())
        };
        Node { kind, initial: state == lts.initial(), ..Node::new(line) }
    };
    let mut graph = Graph {
        title: visible(lts.name()).into_owned(),
        nodes: lts.states().map(node).collect(),
        ..Graph::default()
    };
    for state in lts.states() {
        for edge in lts.edges(state) {
            let label = visible(lts.label(edge.action)).into_owned();
            let style = if edge.action == TAU { EdgeStyle::Dotted } else { EdgeStyle::Solid };
            let (from, to) = (state as usize, edge.target as usize);
            graph.edges.push(Edge { style, ..Edge::new(from, to, label) });
        }
    }
    graph.join_parallel_edges();
    if lts.states().any(|s| lts.edges(s).iter().any(|e| e.action == TAU)) {
        graph.notes.push(String::from("dotted: silent"));
    }
    graph
}
