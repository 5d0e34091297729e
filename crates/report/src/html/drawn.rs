//! Graphs of a page: nodes and edges with the lines of the source that they stand for.

use super::PagePlace;
use crate::cfa::placed_graph;
use crate::formula::Printer;
use crate::graph::{EdgeStyle, Graph};
use parallax_base::{SourceMap, Span};
use parallax_ir::Program;
use serde::Serialize;

/// A graph of a page.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize)]
pub struct PageGraph {
    /// What it shows.
    pub title: String,
    /// The property it belongs to, if it is one property's.
    pub property: Option<String>,
    /// The nodes.
    pub nodes: Vec<PageNode>,
    /// The arrows.
    pub edges: Vec<PageEdge>,
    /// Names of parts that nodes belong to.
    pub groups: Vec<String>,
    /// What to know.
    pub notes: Vec<String>,
}

/// A node.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PageNode {
    /// What is written in it.
    pub lines: Vec<String>,
    /// What it stands for, in a word.
    pub kind: &'static str,
    /// Whether runs begin here.
    pub initial: bool,
    /// The part it belongs to.
    pub group: Option<usize>,
    /// Where it is in the source.
    #[serde(flatten)]
    pub place: Option<PagePlace>,
}

/// An arrow.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PageEdge {
    /// The node it leaves.
    pub from: usize,
    /// The node it enters.
    pub to: usize,
    /// What is written beside it.
    pub label: String,
    /// `solid`, `dotted`, `dashed` or `bold`.
    pub style: &'static str,
    /// Where it is in the source.
    #[serde(flatten)]
    pub place: Option<PagePlace>,
}

fn style(of: EdgeStyle) -> &'static str {
    match of {
        EdgeStyle::Solid => "solid",
        EdgeStyle::Dotted => "dotted",
        EdgeStyle::Dashed => "dashed",
        EdgeStyle::Bold => "bold",
    }
}

/// The place of a span.
pub fn page_place(sources: &SourceMap, span: Span) -> Option<PagePlace> {
    let file = sources.get(span.file)?;
    let is_place = span.hi > span.lo || span.lo > 0;
    let line = file.line_column(span.lo).line;
    is_place.then(|| PagePlace { file: file.name().to_owned(), line })
}

impl From<&Graph> for PageGraph {
    fn from(graph: &Graph) -> PageGraph {
        let node = |node: &crate::graph::Node| PageNode {
            lines: node.lines.clone(),
            kind: node.kind.word(),
            initial: node.initial,
            group: node.group,
            place: None,
        };
        PageGraph {
            title: graph.title.clone(),
            property: None,
            nodes: graph.nodes.iter().map(node).collect(),
            edges: graph
                .valid_edges()
                .map(|(_, edge)| PageEdge {
                    from: edge.from,
                    to: edge.to,
                    label: edge.label.replace('\n', ", "),
                    style: style(edge.style),
                    place: None,
                })
                .collect(),
            groups: graph.groups.clone(),
            notes: graph.notes.clone(),
        }
    }
}

/// The control-flow automata of the program's own functions.
pub fn cfa_page_graph(program: &parallax_cfa::Program, sources: &SourceMap) -> PageGraph {
    let own = program.functions.iter().filter(|f| f.is_defined && !f.is_library);
    let names: Vec<String> = own.map(|f| f.name.to_string()).collect();
    let placed = placed_graph(program, sources, &names);
    let mut graph = PageGraph::from(&placed.graph);
    graph.title = String::from("Control flow");
    for (node, span) in graph.nodes.iter_mut().zip(&placed.nodes) {
        node.place = page_place(sources, *span);
    }
    for (edge, span) in graph.edges.iter_mut().zip(&placed.edges) {
        edge.place = page_place(sources, *span);
    }
    graph
}

/// The processes of a model, one graph.
pub fn process_page_graph(program: &Program, sources: &SourceMap) -> PageGraph {
    let mut graph = PageGraph { title: String::from("Processes"), ..PageGraph::default() };
    let mut printer = Printer::new(program, &program.store);
    for (group, process) in program.processes.iter().enumerate() {
        let first = graph.nodes.len();
        graph.groups.push(process.name.to_string());
        for (index, location) in process.locations.iter().enumerate() {
            graph.nodes.push(PageNode {
                lines: vec![format!("{}@{}", process.name, location.name)],
                kind: if location.is_final { "final" } else { "" },
                initial: index == process.initial.index(),
                group: Some(group),
                place: page_place(sources, location.span),
            });
        }
        for edge in &process.edges {
            let guard = printer.term(edge.guard);
            let label = match guard.as_str() {
                "true" => edge.name.to_string(),
                guard => format!("{} when {guard}", edge.name),
            };
            graph.edges.push(PageEdge {
                from: first + edge.source.index(),
                to: first + edge.target.index(),
                label,
                style: "solid",
                place: page_place(sources, edge.span),
            });
        }
    }
    graph
}
