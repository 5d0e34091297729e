//! Abstract reachability graphs as text and as pictures.
//!
//! As in lecture notes on predicate abstraction: a node holds its location, the
//! truth of the predicates and the abstract state; nodes that another one
//! covers are leaves, and the path to the target is marked.

use std::fmt::Write;

use parallax_evidence::{ArgNode, ReachabilityGraph, Standing};
use parallax_ir::{Program, Property, Role};

use crate::escape::{clip, visible};
use crate::formula::Printer;
use crate::graph::{Edge, EdgeStyle, Graph, Node, NodeKind};
use crate::run::{count, title};
use crate::state::assignment;

/// Characters of a formula on a line.
const FORMULA: usize = 300;

/// Sets of signs on a line.
const ROWS: usize = 16;

/// The deepest indentation.
const DEPTH: usize = 40;

/// Nodes in a picture.
const DRAWN: usize = 400;

/// What the renderers share.
struct View<'a> {
    program: &'a Program,
    graph: &'a ReachabilityGraph,
    printer: Printer<'a>,
    names: Vec<String>,
}

impl<'a> View<'a> {
    fn new(program: &'a Program, graph: &'a ReachabilityGraph) -> View<'a> {
        let transitions = program.transitions(&mut program.store.clone());
        let names = transitions.into_iter().map(|t| visible(&t.name).into_owned()).collect();
        View { program, graph, printer: Printer::new(program, &graph.store), names }
    }

    fn step(&self, transition: u32) -> &str {
        self.names.get(transition as usize).map_or("?", String::as_str)
    }

    /// Where control is.
    fn place(&self, node: &ArgNode) -> String {
        self.assignments(node, true).join(", ")
    }

    /// Locations, or the other values.
    fn assignments(&self, node: &ArgNode, control: bool) -> Vec<String> {
        let shown = node.fixed.iter().filter_map(|(id, value)| {
            let variable = self.program.variables.get(*id)?;
            let is_control = matches!(variable.role, Role::Control(_));
            (is_control == control).then(|| assignment(self.program, variable, value)).flatten()
        });
        shown.collect()
    }

    /// The abstract state, part by part.
    fn state(&mut self, node: &ArgNode) -> Vec<String> {
        let mut parts = self.assignments(node, false);
        parts.extend(self.printer.conjuncts(node.state));
        parts
    }

    fn predicates(&mut self) -> Vec<String> {
        let graph = self.graph;
        graph.predicates.iter().map(|&p| self.printer.term(p)).collect()
    }

    fn legend(&self) -> &'static str {
        match self.graph.only_implied {
            true => "1 true, 0 not known to be true",
            false => "1 true, 0 false, * open, - not tracked",
        }
    }
}

/// The signs of a state in brackets, empty if there are none.
fn signs(node: &ArgNode) -> String {
    let more = if node.bits.len() > ROWS { " ..." } else { "" };
    let rows: Vec<&str> = node.bits.iter().take(ROWS).map(String::as_str).collect();
    if rows.is_empty() { String::new() } else { format!("[{}{more}]", rows.join(" ")) }
}

/// The graph as a tree. At most `max_nodes` nodes are shown.
pub fn render_arg(
    program: &Program,
    property: &Property,
    graph: &ReachabilityGraph,
    max_nodes: usize,
) -> String {
    let mut out = String::new();
    let mut view = View::new(program, graph);
    write_arg(&mut out, &mut view, property, max_nodes).map_or_else(|_| String::new(), |()| out)
}

fn write_arg(
    out: &mut String,
    view: &mut View<'_>,
    property: &Property,
    max_nodes: usize,
) -> std::fmt::Result {
    let graph = view.graph;
    let covered = graph.nodes.iter().filter(|n| matches!(n.standing, Standing::Covered(_)));
    write!(out, "abstract reachability graph of {}: ", visible(title(property)))?;
    write!(out, "{}, {} covered", count(graph.nodes.len(), "node"), covered.count())?;
    match graph.removed {
        0 => writeln!(out)?,
        removed => writeln!(out, "; refinement has cut off {removed}")?,
    }
    if !graph.predicates.is_empty() {
        let predicates = view.predicates().join(", ");
        writeln!(out, "predicates: {}", clip(&predicates, 2 * FORMULA))?;
        writeln!(out, "signs: {}", view.legend())?;
    }
    write_tree(out, view, max_nodes)?;
    write_places(out, view)?;
    let (states, steps) = graph.size();
    let (states, steps) = (count(states, "state"), count(steps, "step"));
    writeln!(out, "equal states counted once: {states}, {steps}")?;
    if !graph.path.is_empty() {
        let path: Vec<String> = graph.path.iter().map(|n| format!("#{n}")).collect();
        let what = if graph.is_spurious { "no run" } else { "a run" };
        writeln!(out, "the path marked `>` is {what}: {}", clip(&path.join(" "), FORMULA))?;
    }
    Ok(())
}

fn write_tree(out: &mut String, view: &mut View<'_>, max_nodes: usize) -> std::fmt::Result {
    let graph = view.graph;
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); graph.nodes.len()];
    let mut open = Vec::new();
    for (index, node) in graph.nodes.iter().enumerate() {
        match node.parent.and_then(|(parent, _)| children.get_mut(parent as usize)) {
            Some(siblings) => siblings.push(index),
            None => open.push((index, 0)),
        }
    }
    open.reverse();
    let mut shown = 0;
    while let Some((index, depth)) = open.pop() {
        if shown == max_nodes {
            writeln!(out, "  ... and {} more", graph.nodes.len() - shown)?;
            break;
        }
        shown += 1;
        let node = &graph.nodes[index];
        let mark = if graph.path.contains(&(index as u32)) { ">" } else { " " };
        write!(out, "{mark} {}#{index} {}", "  ".repeat(depth.min(DEPTH)), view.place(node))?;
        let signs = signs(node);
        if !signs.is_empty() {
            write!(out, " {signs}")?;
        }
        let state = view.state(node).join(" && ");
        if !state.is_empty() {
            write!(out, " {}", clip(&state, FORMULA))?;
        }
        if let Some((_, transition)) = node.parent {
            write!(out, ", by {}", view.step(transition))?;
        }
        match node.standing {
            Standing::Expanded => writeln!(out)?,
            Standing::Covered(by) => writeln!(out, ", covered by #{by}")?,
            Standing::Target => writeln!(out, ", target")?,
            Standing::Open => writeln!(out, ", not explored")?,
        }
        open.extend(children[index].iter().rev().map(|&child| (child, depth + 1)));
    }
    Ok(())
}

/// Which signs occur at which location.
fn write_places(out: &mut String, view: &View<'_>) -> std::fmt::Result {
    let mut places: Vec<(String, Vec<&str>)> = Vec::new();
    for node in view.graph.nodes.iter().filter(|n| !n.bits.is_empty()) {
        let place = view.place(node);
        let at = match places.iter().position(|(known, _)| *known == place) {
            Some(at) => at,
            None => {
                places.push((place, Vec::new()));
                places.len() - 1
            }
        };
        for row in &node.bits {
            if !places[at].1.contains(&row.as_str()) {
                places[at].1.push(row);
            }
        }
    }
    if !places.is_empty() {
        writeln!(out, "by location:")?;
    }
    for (place, rows) in places {
        let text = rows.join(" ");
        writeln!(out, "  {place}: {}", clip(&text, FORMULA))?;
    }
    Ok(())
}

/// The graph to be drawn: coverings are dashed, the path to the target is bold.
pub fn arg_graph(program: &Program, graph: &ReachabilityGraph) -> Graph {
    let mut view = View::new(program, graph);
    let drawn = graph.nodes.len().min(DRAWN);
    let (mut nodes, mut edges) = (Vec::new(), Vec::new());
    let is_step = |from: u32, to: usize| {
        graph.path.windows(2).any(|pair| pair[0] == from && pair[1] as usize == to)
    };
    for (index, node) in graph.nodes[..drawn].iter().enumerate() {
        let mut lines = vec![format!("#{index} {}", view.place(node))];
        lines.extend(Some(signs(node)).filter(|s| !s.is_empty()));
        lines.extend(view.state(node));
        let kind = match node.standing {
            Standing::Covered(_) => NodeKind::Covered,
            Standing::Target => NodeKind::Error,
            Standing::Expanded | Standing::Open => NodeKind::Normal,
        };
        nodes.push(Node { lines, kind, initial: node.parent.is_none(), group: None });
        if let Some((parent, transition)) = node.parent {
            let bold = is_step(parent, index);
            let style = if bold { EdgeStyle::Bold } else { EdgeStyle::Solid };
            edges.push(Edge { style, ..Edge::new(parent as usize, index, view.step(transition)) });
        }
        if let Standing::Covered(by) = node.standing {
            edges.push(Edge { style: EdgeStyle::Dashed, ..Edge::new(index, by as usize, "") });
        }
    }
    let mut notes = Vec::new();
    if !graph.predicates.is_empty() {
        notes.push(format!("predicates: {}", clip(&view.predicates().join(", "), FORMULA)));
        notes.push(format!("signs: {}", view.legend()));
    }
    if edges.iter().any(|e| e.style == EdgeStyle::Dashed) {
        notes.push("dashed edge: covered by".to_owned());
    }
    if !graph.path.is_empty() {
        let what = if graph.is_spurious { "is no run" } else { "is a run" };
        notes.push(format!("bold edge: on the path to the target, which {what}"));
    }
    if drawn < graph.nodes.len() {
        notes.push(format!("{} are left out", count(graph.nodes.len() - drawn, "node")));
    }
    let title = format!("{}: abstract reachability graph", program.name);
    Graph { title, nodes, edges, notes, ..Graph::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::ticket;
    use parallax_base::Id;
    use parallax_term::Value;

    /// Three nodes of the ticket program: one covered, one that meets the target.
    pub(crate) fn small(program: &Program) -> ReachabilityGraph {
        let mut store = program.store.clone();
        let variables = &program.variables;
        let (t, s) = (variables[Id::new(0)].term, variables[Id::new(1)].term);
        let predicate = store.le(t, s);
        let other = store.not(predicate);
        let (control, phase) = (Id::new(3), Id::new(2));
        let node = |parent, at: i64, state, bits: &[&str], standing| ArgNode {
            parent,
            fixed: vec![(control, Value::int(at)), (phase, Value::int(1))],
            state,
            bits: bits.iter().map(|b| (*b).to_owned()).collect(),
            standing,
        };
        let both = store.bool(true);
        ReachabilityGraph {
            nodes: vec![
                node(None, 0, both, &[], Standing::Expanded),
                node(Some((0, 0)), 1, both, &["1", "0"], Standing::Expanded),
                node(Some((1, 3)), 1, predicate, &["1"], Standing::Covered(1)),
                node(Some((1, 1)), 2, other, &["0"], Standing::Target),
            ],
            store,
            predicates: vec![predicate],
            only_implied: false,
            path: vec![0, 1, 3],
            is_spurious: true,
            removed: 7,
        }
    }

    #[test]
    fn a_tree_with_a_covering_and_a_marked_path() {
        let program = ticket();
        let graph = small(&program);
        let property = &program.properties[Id::new(0)];
        insta::assert_snapshot!(render_arg(&program, property, &graph, 10), @"
        abstract reachability graph of mutex: 4 nodes, 1 covered; refinement has cut off 7
        predicates: t <= s
        signs: 1 true, 0 false, * open, - not tracked
        > #0 P[0]@idle phase = busy
        >   #1 P[0]@waiting [1 0] phase = busy, by P[0].take
              #2 P[0]@waiting [1] phase = busy && t <= s, by P[0].tick|P[1].tick, covered by #1
        >     #3 P[0]@critical [0] phase = busy && t > s, by P[0].enter, target
        by location:
          P[0]@waiting: 1 0
          P[0]@critical: 0
        equal states counted once: 4 states, 3 steps
        the path marked `>` is no run: #0 #1 #3
        ");
        let text = render_arg(&program, property, &graph, 2);
        assert!(text.contains("  ... and 2 more\n"), "{text}");
    }

    #[test]
    fn a_picture_with_dashed_and_bold_edges() {
        let program = ticket();
        let picture = arg_graph(&program, &small(&program));
        insta::assert_snapshot!(crate::to_dot(&picture), @r##"
        digraph "ticket: abstract reachability graph" {
          graph [label="ticket: abstract reachability graph\npredicates: t <= s\nsigns: 1 true, 0 false, * open, - not tracked\ndashed edge: covered by\nbold edge: on the path to the target, which is no run", labelloc=t];
          node [shape=box, fontname=monospace, fontsize=11];
          edge [fontname=monospace, fontsize=10];
          n0 [label="#0 P[0]@idle\nphase = busy"];
          n1 [label="#1 P[0]@waiting\n[1 0]\nphase = busy"];
          n2 [label="#2 P[0]@waiting\n[1]\nphase = busy\nt <= s", style=dashed];
          n3 [label="#3 P[0]@critical\n[0]\nphase = busy\nt > s", shape=octagon, penwidth=2];
          start0 [shape=point, label=""];
          start0 -> n0;
          n0 -> n1 [label="P[0].take", style=bold];
          n1 -> n2 [label="P[0].tick|P[1].tick"];
          n2 -> n1 [style=dashed, constraint=false];
          n1 -> n3 [label="P[0].enter", style=bold];
        }
        "##);
        let svg = crate::to_svg(&picture);
        for class in ["edge dashed", "edge bold", "box error", "box covered"] {
            assert!(svg.contains(class), "{class}");
        }
    }
}
