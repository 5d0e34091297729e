//! What every drawing must keep, on graphs of many forms.

use super::*;
use crate::graph::{Edge, Node};

/// A small generator, so that the graphs are the same everywhere.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        (self.0 >> 33) as usize % limit
    }
}

fn random(nodes: usize, edges: usize, groups: usize, labels: bool, seed: u64) -> Graph {
    let mut dice = Dice(seed);
    let mut graph = Graph::default();
    graph.groups.extend((0..groups).map(|g| format!("group {g}")));
    for n in 0..nodes {
        let mut node = Node::new("n".repeat(1 + dice.below(12)));
        node.initial = n == 0 || dice.below(20) == 0;
        node.group = (groups > 0).then(|| n * groups / nodes);
        graph.nodes.push(node);
    }
    for e in 0..edges {
        let from = dice.below(nodes);
        // Mostly near, so that groups have edges inside.
        let to = if dice.below(4) > 0 { (from + dice.below(5)) % nodes } else { dice.below(nodes) };
        let label =
            if labels && e % 3 > 0 { "label ".repeat(1 + dice.below(3)) } else { "".into() };
        graph.edges.push(Edge::new(from, to, label));
    }
    graph
}

fn overlap(a: &Frame, b: &Frame) -> bool {
    let apart = |a: f64, size_a: f64, b: f64, size_b: f64| a + size_a <= b || b + size_b <= a;
    !apart(a.x, a.width, b.x, b.width) && !apart(a.y, a.height, b.y, b.height)
}

/// Nodes, and labels of edges within a group, cover nothing and are inside.
fn check(graph: &Graph) {
    let drawing = layout(graph);
    assert_eq!(drawing.edges.len(), graph.edges.len());
    let mut frames: Vec<Frame> = drawing.nodes.iter().map(|(frame, _)| *frame).collect();
    for curve in &drawing.edges {
        let edge = &graph.edges[curve.edge];
        assert!(!curve.pieces.is_empty());
        if graph.group_of(edge.from) != graph.group_of(edge.to) {
            continue;
        }
        assert_eq!(curve.label.is_some(), !edge.label.is_empty());
        frames.extend(curve.label.iter().map(|(at, text)| Frame {
            x: at.x,
            y: at.y - text.height / 2.0,
            width: text.width,
            height: text.height,
        }));
    }
    for (i, a) in frames.iter().enumerate() {
        assert!(a.x >= -1e-6 && a.y >= -1e-6, "{a:?}");
        assert!(a.x + a.width <= drawing.width + 1e-6, "{a:?}");
        assert!(a.y + a.height <= drawing.height + 1e-6, "{a:?}");
        let hit = frames[..i].iter().position(|b| overlap(a, b));
        assert_eq!(hit, None, "{a:?} covers {:?}", hit.map(|h| &frames[h]));
    }
}

#[test]
fn nothing_covers_anything() {
    for seed in 0..60 {
        let nodes = 1 + seed as usize % 25;
        check(&random(nodes, nodes * 2, 0, seed % 2 == 0, seed));
        check(&random(nodes, nodes, 3, true, seed));
    }
}

#[test]
fn arrows_end_at_the_borders_of_their_nodes() {
    let graph = random(12, 30, 0, true, 7);
    let drawing = layout(&graph);
    let near = |p: Point, f: &Frame| {
        let x = p.x - f.x.max(p.x.min(f.x + f.width));
        let y = p.y - f.y.max(p.y.min(f.y + f.height));
        x.abs() + y.abs() < 0.1
    };
    for curve in &drawing.edges {
        let edge = &graph.edges[curve.edge];
        assert!(near(curve.start, &drawing.nodes[edge.from].0), "{edge:?}");
        assert!(near(curve.tip, &drawing.nodes[edge.to].0), "{edge:?}");
    }
}

#[test]
fn large_graphs_of_every_form_are_drawn_and_drawn_alike() {
    let count = 5_000;
    let mut chain = Graph::default();
    for n in 0..count {
        chain.nodes.push(Node::new("c"));
        // Every node leads back to the first: the sum of lengths is quadratic.
        chain.edges.push(Edge::new(n, 0, "back"));
        chain.edges.push(Edge::new(n, (n + 1) % count, "on"));
    }
    let mut star = Graph { nodes: vec![Node::new("s"); count], ..Graph::default() };
    star.edges.extend((1..count).map(|n| Edge::new(0, n, "")));
    let lonely = Graph { nodes: vec![Node::new("l"); count], ..Graph::default() };
    for graph in [chain, star, lonely, random(count, 2 * count, 0, true, 1)] {
        let (first, second) = (layout(&graph), layout(&graph));
        assert_eq!(first.edges, second.edges);
        assert_eq!(first.nodes, second.nodes);
    }
}
