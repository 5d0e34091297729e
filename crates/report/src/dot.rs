//! Graphs in Graphviz's DOT language, for whoever has Graphviz at hand.

use std::fmt::Write;

use crate::escape::dot;
use crate::graph::{EdgeStyle, Graph, Node, NodeKind};

/// The graph as one `digraph`. Node ids are `n0`, `n1`, ... in order.
pub fn to_dot(graph: &Graph) -> String {
    let mut out = String::new();
    write_dot(&mut out, graph).map_or_else(|_| String::new(), |()| out)
}

fn write_dot(out: &mut String, graph: &Graph) -> std::fmt::Result {
    let title = dot([graph.title.as_str()], "\\n");
    writeln!(out, "digraph {title} {{")?;
    let caption =
        std::iter::once(graph.title.as_str()).chain(graph.notes.iter().map(String::as_str));
    writeln!(
        out,
        "  graph [label={}, labelloc=t];",
        dot(caption.filter(|l| !l.is_empty()), "\\n")
    )?;
    writeln!(out, "  node [shape=box, fontname=monospace, fontsize=11];")?;
    writeln!(out, "  edge [fontname=monospace, fontsize=10];")?;
    for (index, name) in graph.groups.iter().enumerate() {
        writeln!(out, "  subgraph cluster_{index} {{")?;
        writeln!(out, "    label={};", dot([name.as_str()], "\\n"))?;
        write_nodes(out, graph, Some(index), "    ")?;
        writeln!(out, "  }}")?;
    }
    write_nodes(out, graph, None, "  ")?;
    for (index, _) in graph.nodes.iter().enumerate().filter(|(_, n)| n.initial) {
        writeln!(out, "  start{index} [shape=point, label=\"\"];")?;
        writeln!(out, "  start{index} -> n{index};")?;
    }
    for (_, edge) in graph.valid_edges() {
        write!(out, "  n{} -> n{}", edge.from, edge.to)?;
        let mut attributes = Vec::new();
        if !edge.label.is_empty() {
            attributes.push(format!("label={}", dot(edge.label.split('\n'), "\\n")));
        }
        match edge.style {
            EdgeStyle::Solid => {}
            EdgeStyle::Dotted => attributes.push("style=dotted".into()),
            EdgeStyle::Dashed => attributes.push("style=dashed, constraint=false".into()),
            EdgeStyle::Bold => attributes.push("style=bold".into()),
        }
        if !attributes.is_empty() {
            write!(out, " [{}]", attributes.join(", "))?;
        }
        writeln!(out, ";")?;
    }
    writeln!(out, "}}")
}

fn write_nodes(
    out: &mut String,
    graph: &Graph,
    group: Option<usize>,
    indent: &str,
) -> std::fmt::Result {
    for (index, node) in graph.nodes.iter().enumerate() {
        if graph.group_of(index) == group {
            let label = dot(node.lines.iter().map(String::as_str), "\\n");
            writeln!(out, "{indent}n{index} [label={label}{}];", outline(node))?;
        }
    }
    Ok(())
}

fn outline(node: &Node) -> &'static str {
    match node.kind {
        NodeKind::Normal => "",
        NodeKind::Final => ", peripheries=2",
        NodeKind::Error => ", shape=octagon, penwidth=2",
        NodeKind::Covered => ", style=dashed",
        NodeKind::Core => ", penwidth=2",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::tests::mutex;

    #[test]
    fn every_kind_and_style_has_its_attribute() {
        insta::assert_snapshot!(to_dot(&mutex()), @r#"
        digraph "mutex \"quoted\" <1>" {
          graph [label="mutex \"quoted\" <1>\nsolid: exact", labelloc=t];
          node [shape=box, fontname=monospace, fontsize=11];
          edge [fontname=monospace, fontsize=10];
          subgraph cluster_0 {
            label="P[0]";
            n0 [label="idle"];
            n1 [label="waiting\nmine <= s", penwidth=2];
            n2 [label="critical", shape=octagon, penwidth=2];
          }
          subgraph cluster_1 {
            label="Q";
            n3 [label="idle", style=dashed];
            n4 [label="done", peripheries=2];
          }
          n5 [label="alone"];
          start0 [shape=point, label=""];
          start0 -> n0;
          start3 [shape=point, label=""];
          start3 -> n3;
          n0 -> n1 [label="take"];
          n1 -> n2 [label="enter\nmine <= s && t > 0", style=dotted];
          n2 -> n0 [label="leave", style=bold];
          n1 -> n1 [label="spin"];
          n3 -> n0 [style=dashed, constraint=false];
          n3 -> n4;
        }
        "#);
    }
}
