//! Graphs as plain data, before anybody decides how to draw them.
//!
//! Meaning never hangs on color: every [`NodeKind`] and [`EdgeStyle`] has a
//! shape, a line style and a word of its own in each renderer.

/// What a node stands for, which decides its outline.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum NodeKind {
    /// An ordinary location or state: one thin line.
    #[default]
    Normal,
    /// A valid end: double line.
    Final,
    /// The property fails here: octagon with a thick line.
    Error,
    /// Not expanded because another state stands for it: dashed line.
    Covered,
    /// Belongs to the part that carries the proof: thick line.
    Core,
}

impl NodeKind {
    /// The word for this kind, empty for the ordinary one.
    pub fn word(self) -> &'static str {
        match self {
            NodeKind::Normal => "",
            NodeKind::Final => "final",
            NodeKind::Error => "error",
            NodeKind::Covered => "covered",
            NodeKind::Core => "core",
        }
    }
}

/// How an edge is drawn.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum EdgeStyle {
    /// An ordinary or exact transition.
    #[default]
    Solid,
    /// An inexact transition: some states of the source cannot take it.
    Dotted,
    /// Not a transition: one node stands for another.
    Dashed,
    /// An edge to be noticed, such as a step of a counterexample.
    Bold,
}

/// A box with lines of text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Node {
    /// What is written in it, line by line; the first line is its name.
    pub lines: Vec<String>,
    /// What it stands for.
    pub kind: NodeKind,
    /// Whether runs begin here; drawn as a small arrow from a dot.
    pub initial: bool,
    /// Index into [`Graph::groups`].
    pub group: Option<usize>,
}

impl Node {
    /// An ordinary node with one line.
    pub fn new(line: impl Into<String>) -> Node {
        Node { lines: vec![line.into()], ..Node::default() }
    }
}

/// An arrow between two nodes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edge {
    /// Index of the source in [`Graph::nodes`].
    pub from: usize,
    /// Index of the target in [`Graph::nodes`].
    pub to: usize,
    /// What is written beside it; `\n` separates lines, empty for none.
    pub label: String,
    /// How it is drawn.
    pub style: EdgeStyle,
}

impl Edge {
    /// A solid arrow.
    pub fn new(from: usize, to: usize, label: impl Into<String>) -> Edge {
        Edge { from, to, label: label.into(), style: EdgeStyle::Solid }
    }
}

/// A directed multigraph with labels.
///
/// Edges whose ends are not nodes and groups that do not exist are ignored by
/// every renderer.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Graph {
    /// One line above the picture.
    pub title: String,
    /// The nodes; edges refer to them by index.
    pub nodes: Vec<Node>,
    /// The arrows.
    pub edges: Vec<Edge>,
    /// Names of the clusters, each drawn as a frame around its nodes.
    pub groups: Vec<String>,
    /// Lines below the picture, such as a legend.
    pub notes: Vec<String>,
}

impl Graph {
    /// The edges with both ends present, with their index.
    pub(crate) fn valid_edges(&self) -> impl Iterator<Item = (usize, &Edge)> {
        let count = self.nodes.len();
        self.edges.iter().enumerate().filter(move |(_, e)| e.from < count && e.to < count)
    }

    /// The group of a node, if it exists.
    pub(crate) fn group_of(&self, node: usize) -> Option<usize> {
        self.nodes[node].group.filter(|&g| g < self.groups.len())
    }

    /// Joins edges with the same ends and style into one whose label lists
    /// theirs line by line. The first of them keeps its place.
    pub fn join_parallel_edges(&mut self) {
        let mut first = std::collections::BTreeMap::new();
        let mut joined: Vec<Edge> = Vec::new();
        for edge in self.edges.drain(..) {
            let key = (edge.from, edge.to, edge.style);
            match first.get(&key) {
                None => {
                    first.insert(key, joined.len());
                    joined.push(edge);
                }
                Some(&at) => {
                    let label = &mut joined[at].label;
                    if !edge.label.is_empty() && !label.split('\n').any(|l| l == edge.label) {
                        if !label.is_empty() {
                            label.push('\n');
                        }
                        label.push_str(&edge.label);
                    }
                }
            }
        }
        self.edges = joined;
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A small graph with every kind of node and edge.
    pub(crate) fn mutex() -> Graph {
        let node = |line: &str, kind, group| Node {
            lines: line.split('\n').map(str::to_owned).collect(),
            kind,
            initial: line.starts_with("idle"),
            group: Some(group),
        };
        Graph {
            title: "mutex \"quoted\" <1>".into(),
            nodes: vec![
                node("idle", NodeKind::Normal, 0),
                node("waiting\nmine <= s", NodeKind::Core, 0),
                node("critical", NodeKind::Error, 0),
                node("idle", NodeKind::Covered, 1),
                node("done", NodeKind::Final, 1),
                Node::new("alone"),
            ],
            edges: vec![
                Edge::new(0, 1, "take"),
                Edge { style: EdgeStyle::Dotted, ..Edge::new(1, 2, "enter\nmine <= s && t > 0") },
                Edge { style: EdgeStyle::Bold, ..Edge::new(2, 0, "leave") },
                Edge::new(1, 1, "spin"),
                Edge { style: EdgeStyle::Dashed, ..Edge::new(3, 0, "") },
                Edge::new(3, 4, ""),
                Edge::new(3, 99, "dangling"),
            ],
            groups: vec!["P[0]".into(), "Q".into()],
            notes: vec!["solid: exact".into()],
        }
    }

    #[test]
    fn parallel_edges_join_by_ends_and_style() {
        let dotted = Edge { style: EdgeStyle::Dotted, ..Edge::new(0, 1, "d") };
        let mut graph = Graph {
            nodes: vec![Node::new("a"), Node::new("b")],
            edges: vec![
                Edge::new(0, 1, "t1"),
                dotted.clone(),
                Edge::new(1, 0, "t2"),
                Edge::new(0, 1, "t3"),
                Edge::new(0, 1, "t1"),
            ],
            ..Graph::default()
        };
        graph.join_parallel_edges();
        let expected = vec![Edge::new(0, 1, "t1\nt3"), dotted, Edge::new(1, 0, "t2")];
        assert_eq!(graph.edges, expected);
    }
}
