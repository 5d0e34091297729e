//! Draws one connected part: runs the steps and bends the edges.
//!
//! Within the height of a rank an edge runs straight down, and it swings
//! sideways only between ranks, so it never covers a node.

use super::coords::{horizontal, vertical};
use super::layers::{DownEdge, Layered};
use super::order::reduce_crossings;
use super::ranks::{assign, back_edges};
use super::{BESIDE, Drawing, EdgeCurve, Extent, Frame, LOOP, Part, Piece, Point, Sizes};
use crate::graph::Graph;
use crate::metrics::TextBlock;

/// A part with coordinates of its own, from (0, 0).
#[derive(Clone, Debug, Default)]
pub(super) struct Placed {
    pub(super) width: f64,
    pub(super) height: f64,
    nodes: Vec<(usize, Frame)>,
    edges: Vec<EdgeCurve>,
}

impl Placed {
    /// Copies the part into the drawing, moved to `corner`.
    pub(super) fn write(&self, drawing: &mut Drawing, corner: Point) {
        for &(node, frame) in &self.nodes {
            let moved = Frame { x: frame.x + corner.x, y: frame.y + corner.y, ..frame };
            drawing.nodes[node].0 = moved;
        }
        drawing.edges.extend(self.edges.iter().map(|curve| EdgeCurve {
            start: curve.start.plus(corner),
            pieces: curve.pieces.iter().map(|p| p.moved(corner)).collect(),
            tip: curve.tip.plus(corner),
            label: curve.label.as_ref().map(|(at, text)| (at.plus(corner), text.clone())),
            ..*curve
        }));
    }
}

impl Piece {
    fn moved(self, by: Point) -> Piece {
        match self {
            Piece::Line(to) => Piece::Line(to.plus(by)),
            Piece::Cubic(a, b, to) => Piece::Cubic(a.plus(by), b.plus(by), to.plus(by)),
        }
    }
}

/// Lays out a connected part.
pub(super) fn place(graph: &Graph, sizes: &Sizes, part: &Part) -> Placed {
    let local = |node: usize| part.nodes.binary_search(&node).unwrap_or(0);
    let chosen: Vec<usize> =
        part.edges.iter().copied().filter(|&e| graph.edges[e].from != graph.edges[e].to).collect();
    let pairs: Vec<(usize, usize)> =
        chosen.iter().map(|&e| (local(graph.edges[e].from), local(graph.edges[e].to))).collect();
    let roots: Vec<usize> =
        (0..part.nodes.len()).filter(|&n| graph.nodes[part.nodes[n]].initial).collect();

    let back = back_edges(part.nodes.len(), &pairs, &roots);
    let flip = |(&(a, b), &back): (&(usize, usize), &bool)| if back { (b, a) } else { (a, b) };
    let down: Vec<(usize, usize)> = pairs.iter().zip(&back).map(flip).collect();
    let has_labels = chosen.iter().any(|&e| !sizes.labels[e].lines.is_empty());
    // With labels, nodes stand on even ranks and labels between them.
    let rank = assign(part.nodes.len(), &down, if has_labels { 2 } else { 1 });
    let down: Vec<DownEdge> = chosen
        .iter()
        .zip(&down)
        .map(|(&e, &(from, to))| DownEdge { from, to, label: label_extent(&sizes.labels[e]) })
        .collect();
    let extents: Vec<Extent> = part.nodes.iter().map(|&n| sizes.extents[n]).collect();
    let mut layered = Layered::new(&extents, &rank, &down);
    reduce_crossings(&mut layered, &roots);
    let x = horizontal(&layered);
    let (rank_y, height) = vertical(&layered, &x, has_labels);

    let frames: Vec<Frame> = (0..part.nodes.len())
        .map(|n| {
            let (width, height) = sizes.boxes[part.nodes[n]];
            Frame { x: x[n] - width / 2.0, y: rank_y[rank[n]] - height / 2.0, width, height }
        })
        .collect();
    let ports = ports(&layered, &frames, &x);
    let rank_height = rank_heights(&layered);
    let mut edges = Vec::with_capacity(part.edges.len());
    for (i, chain) in layered.chains.iter().enumerate() {
        let mut points = Vec::with_capacity(2 * chain.len());
        for (nth, &item) in chain.iter().enumerate() {
            let rank = layered.items[item].rank;
            let (top, bottom) =
                (rank_y[rank] - rank_height[rank] / 2.0, rank_y[rank] + rank_height[rank] / 2.0);
            if nth == 0 {
                points.push(Point::new(ports[i].0, frames[item].y + frames[item].height));
                points.push(Point::new(ports[i].0, bottom));
            } else if nth + 1 == chain.len() {
                points.push(Point::new(ports[i].1, top));
                points.push(Point::new(ports[i].1, frames[item].y));
            } else {
                points.push(Point::new(x[item], top));
                points.push(Point::new(x[item], bottom));
            }
        }
        if back[i] {
            points.reverse();
        }
        let label = layered.label_at[i].map(|item| {
            let at = Point::new(x[item] + BESIDE, rank_y[layered.items[item].rank]);
            (at, sizes.labels[chosen[i]].clone())
        });
        edges.push(curve(chosen[i], &points, label));
    }
    for (n, &node) in part.nodes.iter().enumerate() {
        self_loops(sizes, node, &frames[n], &mut edges);
    }
    let width =
        (0..layered.items.len()).map(|i| x[i] + layered.items[i].extent.right).fold(0.0, f64::max);
    Placed { width, height, nodes: part.nodes.iter().copied().zip(frames).collect(), edges }
}

/// The room of a label beside its line.
fn label_extent(label: &TextBlock) -> Option<Extent> {
    (!label.lines.is_empty()).then_some(Extent {
        left: 2.0,
        right: label.width + BESIDE,
        height: label.height,
    })
}

fn rank_heights(layered: &Layered) -> Vec<f64> {
    let height = |&i: &usize| layered.items[i].extent.height;
    layered.ranks.iter().map(|rank| rank.iter().map(height).fold(0.0, f64::max)).collect()
}

/// Where each edge leaves its upper and enters its lower node: straight where
/// it can, apart from the others, in the order of where the edges lead.
fn ports(layered: &Layered, frames: &[Frame], x: &[f64]) -> Vec<(f64, f64)> {
    let mut below: Vec<Vec<(f64, usize)>> = vec![Vec::new(); frames.len()];
    let mut above = below.clone();
    for (i, chain) in layered.chains.iter().enumerate() {
        let (first, last) = (chain[0], chain[chain.len() - 1]);
        // Two nodes without a bend between them meet half way.
        let half = (x[first] + x[last]) / 2.0;
        let toward = |item: usize| if chain.len() == 2 { half } else { x[item] };
        below[first].push((toward(chain[1]), i));
        above[last].push((toward(chain[chain.len() - 2]), i));
    }
    let mut result = vec![(0.0, 0.0); layered.chains.len()];
    for (node, frame) in frames.iter().enumerate() {
        for (side, upper) in [(&mut below[node], true), (&mut above[node], false)] {
            side.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            let goals: Vec<f64> = side.iter().map(|s| s.0).collect();
            for (&(_, edge), at) in side.iter().zip(spread(frame, &goals)) {
                if upper {
                    result[edge].0 = at;
                } else {
                    result[edge].1 = at;
                }
            }
        }
    }
    result
}

/// Places on a side of a frame, near the goals (which ascend) and apart from
/// each other: least squares by pooling neighbors that come too close.
fn spread(frame: &Frame, goals: &[f64]) -> Vec<f64> {
    let middle = frame.x + frame.width / 2.0;
    let reach = frame.width / 2.0 - 10.0;
    let spaces = goals.len().saturating_sub(1) as f64;
    let step = (2.0 * reach / spaces.max(1.0)).min(14.0);
    // Pools of (sum of weighted goals, weight, members), goals counted from
    // the place of the pool's first member.
    let mut pools: Vec<(f64, f64, usize)> = Vec::new();
    for (i, goal) in goals.iter().enumerate() {
        let off = goal - middle;
        // A line that can be straight counts more than one that cannot.
        let (off, weight) = if off.abs() <= reach {
            (off, 8.0)
        } else {
            (off.signum() * (step * (spaces / 2.0).max(1.0)).min(reach), 1.0)
        };
        let mut pool = ((off - i as f64 * step) * weight, weight, 1);
        while let Some(last) = pools.pop_if(|p| p.0 / p.1 >= pool.0 / pool.1) {
            pool = (pool.0 + last.0, pool.1 + last.1, pool.2 + last.2);
        }
        pools.push(pool);
    }
    let mut at = Vec::with_capacity(goals.len());
    for (sum, weight, members) in pools {
        for _ in 0..members {
            let i = at.len() as f64;
            // Members before and after need their room on the side, too.
            let low = -reach + i * step;
            let high = reach - (spaces - i) * step;
            at.push(middle + (sum / weight + i * step).clamp(low, high.max(low)));
        }
    }
    at
}

/// Joins points by straight lines where they are above each other, and by
/// curves with vertical ends elsewhere.
fn curve(edge: usize, points: &[Point], label: Option<(Point, TextBlock)>) -> EdgeCurve {
    let start = points.first().copied().unwrap_or_default();
    let mut at = start;
    let mut pieces: Vec<Piece> = Vec::new();
    for &to in &points[1..] {
        if (to.x - at.x).abs() < 0.05 {
            // Straight runs are one line.
            match pieces.last_mut() {
                Some(Piece::Line(end)) => *end = to,
                _ if (to.y - at.y).abs() > 0.05 => pieces.push(Piece::Line(to)),
                _ => {}
            }
        } else {
            let half = (at.y + to.y) / 2.0;
            pieces.push(Piece::Cubic(Point::new(at.x, half), Point::new(to.x, half), to));
        }
        at = to;
    }
    let heading = Point::new(0.0, if start.y <= at.y { 1.0 } else { -1.0 });
    EdgeCurve { edge, start, pieces, tip: at, heading, label }
}

/// Height of a self loop with its label.
pub(super) fn loop_height(label: &TextBlock) -> f64 {
    label.height.max(18.0) + 4.0
}

/// Loops on the right side of a node, one below the other.
fn self_loops(sizes: &Sizes, node: usize, frame: &Frame, edges: &mut Vec<EdgeCurve>) {
    let side = frame.x + frame.width;
    let total: f64 = sizes.loops[node].iter().map(|&e| loop_height(&sizes.labels[e])).sum();
    let mut y = frame.y + frame.height / 2.0 - total / 2.0;
    for &edge in &sizes.loops[node] {
        let label = &sizes.labels[edge];
        let height = loop_height(label);
        let middle = y + height / 2.0;
        y += height;
        // Ends stay on the node even where labels are taller than it.
        let inside = |at: f64| at.clamp(frame.y + 6.0, frame.y + frame.height - 6.0);
        let (out, back) = (inside(middle - 6.0), inside(middle + 6.0));
        let (start, tip) = (Point::new(side, out), Point::new(side, back));
        let far = side + LOOP;
        let top = Point::new(far, middle);
        let pieces = vec![
            Piece::Cubic(
                Point::new(side + LOOP * 0.6, out - 4.0),
                Point::new(far, middle - 7.0),
                top,
            ),
            Piece::Cubic(Point::new(far, middle + 7.0), Point::new(side + LOOP * 0.6, back), tip),
        ];
        let text =
            (!label.lines.is_empty()).then(|| (Point::new(far + BESIDE, middle), label.clone()));
        edges.push(EdgeCurve {
            edge,
            start,
            pieces,
            tip,
            heading: Point::new(-1.0, 0.0),
            label: text,
        });
    }
}

/// An edge between two groups: a straight line between the borders.
pub(super) fn direct(graph: &Graph, sizes: &Sizes, drawing: &Drawing, edge: usize) -> EdgeCurve {
    let (from, to) = (graph.edges[edge].from, graph.edges[edge].to);
    let (a, b) = (drawing.nodes[from].0, drawing.nodes[to].0);
    let (start, tip) = (border(&a, b.center()), border(&b, a.center()));
    let (dx, dy) = (tip.x - start.x, tip.y - start.y);
    let length = (dx * dx + dy * dy).sqrt().max(1e-9);
    let label = &sizes.labels[edge];
    // Beside the line, on the side that it does not lean to.
    let lift = (label.height / 2.0 + 2.0) * if dx * dy > 0.0 { -1.0 } else { 1.0 };
    let middle = Point::new((start.x + tip.x) / 2.0 + BESIDE, (start.y + tip.y) / 2.0 + lift);
    EdgeCurve {
        edge,
        start,
        pieces: vec![Piece::Line(tip)],
        tip,
        heading: Point::new(dx / length, dy / length),
        label: (!label.lines.is_empty()).then(|| (middle, label.clone())),
    }
}

/// Where the line from the middle of a frame to a point leaves the frame.
fn border(frame: &Frame, to: Point) -> Point {
    let middle = frame.center();
    let (dx, dy) = (to.x - middle.x, to.y - middle.y);
    let reach = |half: f64, d: f64| if d.abs() < 1e-9 { f64::INFINITY } else { half / d.abs() };
    let scale = reach(frame.width / 2.0, dx).min(reach(frame.height / 2.0, dy)).min(1.0);
    Point::new(middle.x + dx * scale, middle.y + dy * scale)
}
