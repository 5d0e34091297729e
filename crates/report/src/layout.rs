//! Where everything goes: a layered drawing of a graph.
//!
//! The method is that of Sugiyama, Tagawa and Toda (IEEE SMC 1981): break
//! cycles ([`ranks`]), put nodes on ranks, replace long edges by chains of
//! bends ([`layers`]), order each rank to have few crossings ([`order`]), then
//! choose coordinates ([`coords`], Brandes and Köpf, GD 2001). Edges are drawn
//! through their bends ([`route`]). Each connected part is drawn by itself;
//! parts and clusters are then set side by side ([`pack`]).
//!
//! An edge label is a bend with a width: room is made for it like for a node,
//! so labels cover nothing. All steps are iterative and deterministic.

mod coords;
mod layers;
mod order;
mod pack;
mod ranks;
mod route;

use crate::graph::{Graph, NodeKind};
use crate::metrics::{LINE, TextBlock};

/// A place in the picture, in pixels from the top left.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct Point {
    pub(crate) x: f64,
    pub(crate) y: f64,
}

impl Point {
    pub(crate) fn new(x: f64, y: f64) -> Point {
        Point { x, y }
    }

    fn plus(self, by: Point) -> Point {
        Point::new(self.x + by.x, self.y + by.y)
    }
}

/// A rectangle, by its top left corner.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct Frame {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

impl Frame {
    pub(crate) fn center(&self) -> Point {
        Point::new(self.x + self.width / 2.0, self.y + self.height / 2.0)
    }
}

/// One piece of a curve, from where the last one ended.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Piece {
    /// Straight to the point.
    Line(Point),
    /// A cubic Bézier curve: two control points and the end.
    Cubic(Point, Point, Point),
}

/// An edge: its curve, which ends at the arrowhead, and its label.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct EdgeCurve {
    /// Index into the edges of the graph.
    pub(crate) edge: usize,
    pub(crate) start: Point,
    pub(crate) pieces: Vec<Piece>,
    /// Where the arrow points at.
    pub(crate) tip: Point,
    /// Its direction, of length 1.
    pub(crate) heading: Point,
    /// Left end of the label's first line, vertically the middle of the block.
    pub(crate) label: Option<(Point, TextBlock)>,
}

/// A finished drawing.
#[derive(Clone, Debug, Default)]
pub(crate) struct Drawing {
    pub(crate) width: f64,
    pub(crate) height: f64,
    /// Box and text of each node, by node index.
    pub(crate) nodes: Vec<(Frame, TextBlock)>,
    pub(crate) edges: Vec<EdgeCurve>,
    /// Frame of each group that has nodes.
    pub(crate) groups: Vec<(usize, Frame)>,
}

/// Room to the left of an initial node for its entry arrow.
pub(crate) const ENTRY: f64 = 30.0;
/// Reach of a self loop to the right.
const LOOP: f64 = 26.0;
/// Space between a line and its label.
const BESIDE: f64 = 5.0;
/// Space inside a cluster's frame.
const PADDING: f64 = 16.0;
/// Height of a cluster's name.
pub(crate) const CAPTION: f64 = 24.0;

/// A node as the algorithm sees it: how far it reaches from its center.
#[derive(Clone, Copy, Debug)]
struct Extent {
    left: f64,
    right: f64,
    height: f64,
}

/// A connected part of the graph: nodes by global index, edges by index.
#[derive(Clone, Debug, Default)]
struct Part {
    group: Option<usize>,
    nodes: Vec<usize>,
    edges: Vec<usize>,
}

/// Text blocks and extents of the whole graph.
struct Sizes {
    nodes: Vec<TextBlock>,
    boxes: Vec<(f64, f64)>,
    extents: Vec<Extent>,
    labels: Vec<TextBlock>,
    /// Self loops of each node, in order.
    loops: Vec<Vec<usize>>,
}

/// Lays the graph out.
pub(crate) fn layout(graph: &Graph) -> Drawing {
    let sizes = measure(graph);
    let (parts, crossing) = split(graph);
    let mut drawing = Drawing {
        nodes: sizes.nodes.iter().map(|text| (Frame::default(), text.clone())).collect(),
        ..Drawing::default()
    };
    let placed: Vec<route::Placed> = parts.iter().map(|p| route::place(graph, &sizes, p)).collect();

    // Parts of one group share a frame; other parts stand alone.
    let mut blocks: Vec<(Option<usize>, Vec<usize>)> = Vec::new();
    for group in 0..graph.groups.len() {
        let members: Vec<usize> =
            (0..parts.len()).filter(|&p| parts[p].group == Some(group)).collect();
        if !members.is_empty() {
            blocks.push((Some(group), members));
        }
    }
    let alone = (0..parts.len()).filter(|&p| parts[p].group.is_none());
    blocks.extend(alone.map(|p| (None, vec![p])));

    let inner: Vec<pack::Packed> = blocks
        .iter()
        .map(|(_, members)| {
            let sizes: Vec<(f64, f64)> =
                members.iter().map(|&p| (placed[p].width, placed[p].height)).collect();
            pack::pack(&sizes, 30.0)
        })
        .collect();
    let outer: Vec<(f64, f64)> = blocks
        .iter()
        .zip(&inner)
        .map(|((group, _), packed)| match group {
            Some(g) => {
                let caption = TextBlock::new([graph.groups[*g].as_str()], 60, 1).width;
                let width = packed.width.max(caption) + 2.0 * PADDING;
                (width, packed.height + 2.0 * PADDING + CAPTION)
            }
            None => (packed.width, packed.height),
        })
        .collect();
    let places = pack::pack(&outer, 26.0);
    (drawing.width, drawing.height) = (places.width, places.height);

    for (block, (group, members)) in blocks.iter().enumerate() {
        let mut corner = places.at[block];
        if let Some(g) = group {
            let (width, height) = outer[block];
            drawing.groups.push((*g, Frame { x: corner.x, y: corner.y, width, height }));
            corner = corner.plus(Point::new(PADDING, PADDING + CAPTION));
        }
        for (&part, &at) in members.iter().zip(&inner[block].at) {
            placed[part].write(&mut drawing, corner.plus(at));
        }
    }
    for edge in crossing {
        let curve = route::direct(graph, &sizes, &drawing, edge);
        drawing.edges.push(curve);
    }
    drawing.edges.sort_by_key(|curve| curve.edge);
    drawing
}

/// Measures every text and derives the room each node needs.
fn measure(graph: &Graph) -> Sizes {
    let nodes: Vec<TextBlock> = graph
        .nodes
        .iter()
        .map(|node| TextBlock::new(node.lines.iter().map(String::as_str), 48, 14))
        .collect();
    let labels: Vec<TextBlock> = graph
        .edges
        .iter()
        .map(|edge| match edge.label.as_str() {
            "" => TextBlock::default(),
            label => TextBlock::new(label.split('\n'), 40, 8),
        })
        .collect();
    let mut loops = vec![Vec::new(); nodes.len()];
    for (index, edge) in graph.valid_edges().filter(|(_, e)| e.from == e.to) {
        loops[edge.from].push(index);
    }
    let mut ends = vec![(0usize, 0usize); nodes.len()];
    for (_, edge) in graph.valid_edges().filter(|(_, e)| e.from != e.to) {
        ends[edge.from].0 += 1;
        ends[edge.to].1 += 1;
    }
    let boxes: Vec<(f64, f64)> = graph
        .nodes
        .iter()
        .zip(&nodes)
        .zip(&ends)
        .map(|((node, text), (leaving, entering))| {
            // Octagons lose their corners, double lines some of the inside.
            let more =
                if matches!(node.kind, NodeKind::Error | NodeKind::Final) { 8.0 } else { 0.0 };
            // Arrowheads side by side need room, within reason.
            let heads = (12.0 * *leaving.max(entering) as f64 + 18.0).min(240.0);
            let width = (text.width + 22.0 + more).max(heads).max(44.0);
            (width, text.height.max(LINE) + 14.0 + more)
        })
        .collect();
    let extents = graph.nodes.iter().enumerate().map(|(n, node)| {
        let (width, height) = boxes[n];
        let reach = loops[n].iter().map(|&e| labels[e].width).fold(0.0, f64::max);
        let stack: f64 = loops[n].iter().map(|&e| route::loop_height(&labels[e])).sum();
        Extent {
            left: width / 2.0 + if node.initial { ENTRY } else { 0.0 },
            right: width / 2.0 + if loops[n].is_empty() { 0.0 } else { LOOP + BESIDE + reach },
            height: height.max(stack),
        }
    });
    Sizes { extents: extents.collect(), nodes, boxes, labels, loops }
}

/// The connected parts within groups, in order of their first node, and the
/// edges that lead from one group to another.
fn split(graph: &Graph) -> (Vec<Part>, Vec<usize>) {
    let mut parent: Vec<usize> = (0..graph.nodes.len()).collect();
    fn find(parent: &mut [usize], mut node: usize) -> usize {
        while parent[node] != node {
            parent[node] = parent[parent[node]];
            node = parent[node];
        }
        node
    }
    let inside = |from: usize, to: usize| graph.group_of(from) == graph.group_of(to);
    for (_, edge) in graph.valid_edges().filter(|(_, e)| inside(e.from, e.to)) {
        let (a, b) = (find(&mut parent, edge.from), find(&mut parent, edge.to));
        // The smaller index stays the root.
        parent[a.max(b)] = a.min(b);
    }
    let mut part_of = vec![usize::MAX; graph.nodes.len()];
    let mut parts: Vec<Part> = Vec::new();
    for node in 0..graph.nodes.len() {
        let root = find(&mut parent, node);
        if root == node {
            part_of[root] = parts.len();
            parts.push(Part { group: graph.group_of(node), ..Part::default() });
        }
        part_of[node] = part_of[root];
        parts[part_of[node]].nodes.push(node);
    }
    let mut crossing = Vec::new();
    for (index, edge) in graph.valid_edges() {
        if inside(edge.from, edge.to) {
            parts[part_of[edge.from]].edges.push(index);
        } else {
            crossing.push(index);
        }
    }
    (parts, crossing)
}

#[cfg(test)]
mod tests;
