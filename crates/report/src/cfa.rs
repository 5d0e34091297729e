//! C programs in their program form: a listing and a graph per function.

use std::fmt::Write;

use parallax_base::{Id, SourceMap, Span};
use parallax_cfa::{Edge as Step, Function, Location, Op, Printer, Program};

use crate::escape::{clip, visible};
use crate::graph::{Edge, EdgeStyle, Graph, Node, NodeKind};
use crate::metrics::columns;

/// Characters of an operation in a listing.
const LISTED: usize = 400;
/// Characters of an operation beside an arrow.
const DRAWN: usize = 60;

/// Which functions are shown: the defined ones with these names, or all.
fn chosen<'a>(
    program: &'a Program,
    names: &'a [String],
) -> impl Iterator<Item = &'a Function> + use<'a> {
    let wanted = move |f: &&Function| names.is_empty() || names.iter().any(|n| **n == *f.name);
    program.functions.iter().filter(|f| f.is_defined).filter(wanted)
}

/// The program as a listing: every location with the operations that leave it.
/// With `names`, these functions only.
pub fn show_cfa(program: &Program, sources: &SourceMap, names: &[String]) -> String {
    let mut out = String::new();
    write_program(&mut out, program, sources, names).map_or_else(|_| String::new(), |()| out)
}

fn write_program(
    out: &mut String,
    program: &Program,
    sources: &SourceMap,
    names: &[String],
) -> std::fmt::Result {
    let mut printer = Printer::new(program);
    printer.limit = LISTED;
    if names.is_empty() {
        write_outside(out, program, &printer)?;
    }
    for (index, function) in chosen(program, names).enumerate() {
        if index > 0 || !out.is_empty() {
            writeln!(out)?;
        }
        let header = visible(&header(program, function, &printer)).into_owned();
        writeln!(out, "{header}  // {}", visible(&sources.place(function.span)))?;
        let mut rows: Vec<[String; 4]> = Vec::new();
        let leaving = leaving(function);
        for (id, location) in function.locations.iter_enumerated() {
            let mut name = location_name(function, id);
            if let Some(label) = &location.label {
                let _ = write!(name, " {}:", visible(label));
            }
            if location.loop_head.is_some() {
                name.push_str(" (loop)");
            }
            if leaving[id.index()].is_empty() {
                rows.push([name.clone(), String::new(), String::new(), String::new()]);
            }
            for &edge in &leaving[id.index()] {
                let text = visible(&clip(&printer.op(&edge.op), LISTED)).into_owned();
                let to = match edge.op {
                    Op::Halt(_) | Op::Error(_) | Op::Unsupported(_) => String::new(),
                    _ => format!("-> {}", location_name(function, edge.target)),
                };
                let place = visible(&sources.place(edge.span)).into_owned();
                rows.push([std::mem::take(&mut name), text, to, place]);
            }
        }
        // One long operation must not push all the others to the right.
        let width = |column: usize, most: usize| {
            let widths = rows.iter().map(|r| columns(&r[column]));
            widths.filter(|&w| w <= most).max().unwrap_or(0)
        };
        let (names, texts, targets) = (width(0, 40), width(1, 60), width(2, 20));
        for [name, text, to, place] in &rows {
            let line = format!(
                "  {}  {}  {}  {place}",
                padded(name, names),
                padded(text, texts),
                padded(to, targets)
            );
            writeln!(out, "{}", line.trim_end())?;
        }
    }
    Ok(())
}

/// What is declared outside of functions, and functions without a body.
fn write_outside(out: &mut String, program: &Program, printer: &Printer<'_>) -> std::fmt::Result {
    for (id, variable) in program.variables.iter_enumerated().filter(|(_, v)| v.owner.is_none()) {
        if variable.name.is_empty() || variable.name.starts_with('$') {
            continue;
        }
        let text = printer.declaration(variable.ty, printer.variable(id));
        writeln!(out, "{};", visible(&text))?;
    }
    for function in program.functions.iter().filter(|f| !f.is_defined) {
        let text = printer.declaration(function.ty, &function.name);
        writeln!(out, "extern {};", visible(&text))?;
    }
    Ok(())
}

/// A function as its definition begins, parameters named.
fn header(program: &Program, function: &Function, printer: &Printer<'_>) -> String {
    let parameters: Vec<String> = function
        .parameters
        .iter()
        .map(|&p| printer.declaration(program.variables[p].ty, printer.variable(p)))
        .collect();
    let result = match program.types.get(function.ty) {
        parallax_cfa::Type::Function(ty) => printer.ty(ty.result),
        _ => String::new(),
    };
    let list = if parameters.is_empty() { "void".to_owned() } else { parameters.join(", ") };
    format!("{result} {}({list})", function.name)
}

fn location_name(function: &Function, id: Id<Location>) -> String {
    match id {
        id if id == function.exit => String::from("exit"),
        id => id.index().to_string(),
    }
}

/// The edges of a function by the location they leave.
fn leaving(function: &Function) -> Vec<Vec<&Step>> {
    let mut leaving: Vec<Vec<&Step>> = vec![Vec::new(); function.locations.len()];
    for edge in &function.edges {
        leaving[edge.source.index()].push(edge);
    }
    leaving
}

/// The program as a graph, one frame per function. With `names`, these
/// functions only.
pub fn cfa_graph(program: &Program, sources: &SourceMap, names: &[String]) -> Graph {
    placed_graph(program, sources, names).graph
}

/// A graph with the places of its nodes and edges.
pub(crate) struct Placed {
    pub(crate) graph: Graph,
    pub(crate) nodes: Vec<Span>,
    pub(crate) edges: Vec<Span>,
}

/// The same graph, with places.
pub(crate) fn placed_graph(program: &Program, sources: &SourceMap, names: &[String]) -> Placed {
    let (mut nodes, mut edges) = (Vec::new(), Vec::new());
    let mut printer = Printer::new(program);
    printer.limit = 4 * DRAWN;
    let mut graph = Graph::default();
    for function in chosen(program, names) {
        let group = graph.groups.len();
        let first = graph.nodes.len();
        graph.groups.push(header(program, function, &printer));
        for (id, location) in function.locations.iter_enumerated() {
            nodes.push(location.span);
            let mut lines = vec![location_name(function, id)];
            lines.extend(location.label.as_ref().map(|label| format!("{label}:")));
            lines.extend(location.loop_head.map(|_| "loop".to_owned()));
            graph.nodes.push(Node {
                lines,
                kind: if id == function.exit { NodeKind::Final } else { NodeKind::Normal },
                initial: id == function.entry,
                group: Some(group),
            });
        }
        for edge in &function.edges {
            let line = sources
                .get(edge.span.file)
                .map_or(String::new(), |f| format!("{}: ", f.line_column(edge.span.lo).line));
            let mut target = first + edge.target.index();
            let kind = match &edge.op {
                Op::Error(_) => Some((NodeKind::Error, "error")),
                Op::Unsupported(_) => Some((NodeKind::Covered, "unsupported")),
                Op::Halt(_) => Some((NodeKind::Final, "end")),
                _ => None,
            };
            // Nothing follows such an operation: its arrow gets an end of its own.
            if let Some((kind, word)) = kind {
                target = graph.nodes.len();
                nodes.push(edge.span);
                graph.nodes.push(Node { kind, group: Some(group), ..Node::new(word) });
            }
            let label = clip(&printer.op(&edge.op), DRAWN).into_owned();
            let style = match edge.op {
                Op::Check(_) => EdgeStyle::Dotted,
                _ => EdgeStyle::Solid,
            };
            let from = first + edge.source.index();
            edges.push(edge.span);
            graph.edges.push(Edge { style, ..Edge::new(from, target, line + &label) });
        }
    }
    graph.notes.push("dotted: a check of what C leaves undefined".to_owned());
    Placed { graph, nodes, edges }
}

fn padded(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(columns(text))))
}
