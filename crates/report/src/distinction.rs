//! Formulas that tell labelled transition systems apart, as text, as a picture
//! and for scripts.

use std::fmt::Write;

use parallax_lts::{Distinction, Lts};
use parallax_simulate::{Comparison, Conformance};

use crate::escape::visible;
use crate::graph::{Edge, Graph, Node, NodeKind};
use crate::lts::{dag_graph, lts_graph};

/// More conjunctions than this are not shown in text.
const MOST: usize = 40;

/// What the system can do and the specification cannot, one line for each
/// conjunction.
pub(crate) fn render_formula(formula: &Distinction, lts: &Lts) -> String {
    let mut text = String::new();
    let shown = formula.nodes.iter().enumerate().filter(|(_, node)| !node.is_empty());
    for (number, node) in shown.clone().take(MOST) {
        let conjunct = |&(action, next): &(u32, usize)| {
            let label = visible(lts.label(action));
            match formula.nodes.get(next).is_some_and(|node| !node.is_empty()) {
                true => format!("`{label}` and then [{next}]"),
                false => format!("`{label}`"),
            }
        };
        let all: Vec<String> = node.iter().map(conjunct).collect();
        // Writing to a string does not fail.
        let _ = writeln!(text, "  [{number}] can do {}", all.join("; can also do "));
    }
    let count = shown.count();
    if count > MOST {
        let _ = writeln!(text, "  and {} more", count - MOST);
    }
    text
}

/// The formula for scripts.
pub(crate) fn formula_json(formula: &Distinction, lts: &Lts) -> Vec<Vec<(String, usize)>> {
    let conjunct = |&(action, next): &(u32, usize)| (lts.label(action).to_owned(), next);
    formula.nodes.iter().map(|node| node.iter().map(conjunct).collect()).collect()
}

/// How a system differs from its specification as a graph; the system itself, if
/// it does not.
pub fn simulation_graph(found: &Comparison, lts: &Lts, spec: &Lts) -> Graph {
    match found {
        Comparison::Pairs(found) => match &found.conformance {
            Conformance::Differs(dag) => dag_graph(dag, lts, spec),
            Conformance::Conforms(_) => lts_graph(lts),
        },
        Comparison::Related(_) => lts_graph(lts),
        Comparison::Distinguished(formula) => formula_graph(formula, lts, spec),
    }
}

fn formula_graph(formula: &Distinction, lts: &Lts, spec: &Lts) -> Graph {
    let title = format!("{} is not simulated by {}", visible(lts.name()), visible(spec.name()));
    let note = "all of the edges of a node can be done; the specification cannot do the first node";
    let mut graph = Graph { title, notes: vec![note.to_owned()], ..Graph::default() };
    for (number, node) in formula.nodes.iter().enumerate() {
        let kind = if node.is_empty() { NodeKind::Final } else { NodeKind::Normal };
        let line = if node.is_empty() { "anything".to_owned() } else { format!("[{number}]") };
        graph.nodes.push(Node { kind, initial: number == 0, ..Node::new(line) });
    }
    for (number, node) in formula.nodes.iter().enumerate() {
        for &(action, next) in node {
            let label = visible(lts.label(action)).into_owned();
            graph.edges.push(Edge::new(number, next, label));
        }
    }
    graph
}
