//! Graphs as plain text: each node with the edges that leave it.

use std::fmt::Write;

use crate::escape::visible;
use crate::graph::{EdgeStyle, Graph};

/// The graph as an indented list. Nodes are numbered as in [`Graph::nodes`].
///
/// `--label->` is solid, `..label.>` dotted, `~~label~>` dashed,
/// `==label=>` bold.
pub fn to_text(graph: &Graph) -> String {
    let mut out = String::new();
    write_text(&mut out, graph).map_or_else(|_| String::new(), |()| out)
}

fn write_text(out: &mut String, graph: &Graph) -> std::fmt::Result {
    if !graph.title.is_empty() {
        writeln!(out, "{}", visible(&graph.title))?;
    }
    let mut leaving: Vec<Vec<usize>> = vec![Vec::new(); graph.nodes.len()];
    for (index, edge) in graph.valid_edges() {
        leaving[edge.from].push(index);
    }
    let groups = (0..graph.groups.len()).map(Some).chain([None]);
    for group in groups {
        if let Some(g) = group {
            writeln!(out, "{}:", visible(&graph.groups[g]))?;
        }
        for index in (0..graph.nodes.len()).filter(|&n| graph.group_of(n) == group) {
            write_node(out, graph, index, &leaving[index])?;
        }
    }
    for note in &graph.notes {
        writeln!(out, "{}", visible(note))?;
    }
    Ok(())
}

fn write_node(
    out: &mut String,
    graph: &Graph,
    index: usize,
    leaving: &[usize],
) -> std::fmt::Result {
    let node = &graph.nodes[index];
    let name = node.lines.first().map(String::as_str).unwrap_or("");
    let words = [if node.initial { "initial" } else { "" }, node.kind.word()];
    let words: Vec<&str> = words.into_iter().filter(|w| !w.is_empty()).collect();
    let tail = if words.is_empty() { String::new() } else { format!("  ({})", words.join(", ")) };
    writeln!(out, "  [{index}] {}{tail}", visible(name))?;
    for line in node.lines.iter().skip(1) {
        writeln!(out, "      {}", visible(line))?;
    }
    for &edge in leaving {
        let edge = &graph.edges[edge];
        let (tail, head) = match edge.style {
            EdgeStyle::Solid => ("--", "->"),
            EdgeStyle::Dotted => ("..", ".>"),
            EdgeStyle::Dashed => ("~~", "~>"),
            EdgeStyle::Bold => ("==", "=>"),
        };
        let label = edge.label.split('\n').map(visible).collect::<Vec<_>>().join("; ");
        let label = if label.is_empty() { label } else { format!(" {label} ") };
        writeln!(out, "      {tail}{label}{head} [{}]", edge.to)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::tests::mutex;

    #[test]
    fn nodes_with_words_and_edges_with_styles() {
        insta::assert_snapshot!(to_text(&mutex()), @r#"
        mutex "quoted" <1>
        P[0]:
          [0] idle  (initial)
              -- take -> [1]
          [1] waiting  (core)
              mine <= s
              .. enter; mine <= s && t > 0 .> [2]
              -- spin -> [1]
          [2] critical  (error)
              == leave => [0]
        Q:
          [3] idle  (initial, covered)
              ~~~> [0]
              ---> [4]
          [4] done  (final)
          [5] alone
        solid: exact
        "#);
    }
}
