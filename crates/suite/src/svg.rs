//! A shape as a small picture.
//!
//! Objects are drawn as a tree in the order linearization reaches them; null
//! pointers are dots, pointers to objects drawn already are dashed.

use parallax_containers::Shape;
use std::fmt::Write;

const WIDTH: f64 = 36.0;
const HEIGHT: f64 = 52.0;
const RADIUS: f64 = 13.0;

/// A place in the picture: an object, or the end of a null pointer.
struct Spot {
    object: Option<u32>,
    x: f64,
    depth: usize,
    parent: Option<usize>,
}

/// The picture of a shape.
pub fn shape_svg(shape: &Shape) -> String {
    let spots = place(shape);
    let deepest = spots.iter().map(|spot| spot.depth).max().unwrap_or(0);
    let widest = spots.iter().fold(0.0, |widest: f64, spot| widest.max(spot.x));
    let at = |spot: &Spot| (WIDTH * (spot.x + 0.7), HEIGHT * (spot.depth as f64 + 0.5));
    let mut out = String::new();
    let _ = writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{:.0}\" height=\"{:.0}\" font-family=\"sans-serif\" font-size=\"11\" text-anchor=\"middle\">",
        WIDTH * (widest + 1.4),
        HEIGHT * (deepest as f64 + 1.0)
    );
    for spot in &spots {
        if let Some(parent) = spot.parent {
            let ((x1, y1), (x2, y2)) = (at(&spots[parent]), at(spot));
            let _ = writeln!(
                out,
                "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"#555\"/>"
            );
        }
    }
    extra_pointers(&mut out, shape, &spots, &at);
    for spot in &spots {
        let (x, y) = at(spot);
        match spot.object {
            None => {
                let _ =
                    writeln!(out, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2\" fill=\"#999\"/>");
            }
            Some(object) => {
                let label = label(shape, object);
                let _ = writeln!(
                    out,
                    "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{RADIUS}\" fill=\"#eef3fb\" stroke=\"#335\"/>\n<text x=\"{x:.1}\" y=\"{:.1}\">{label}</text>",
                    y + 4.0
                );
            }
        }
    }
    out.push_str("</svg>\n");
    out
}

/// Pointers that are not edges of the drawn tree.
fn extra_pointers(
    out: &mut String,
    shape: &Shape,
    spots: &[Spot],
    at: &dyn Fn(&Spot) -> (f64, f64),
) {
    let spot_of = |object: u32| spots.iter().position(|spot| spot.object == Some(object));
    for (number, node) in shape.nodes.iter().enumerate() {
        let Some(from) = spot_of(number as u32) else { continue };
        for (_, target) in &node.pointers {
            let Some(to) = target.and_then(spot_of) else { continue };
            let is_tree = spots[to].parent == Some(from) || spots[from].parent == Some(to);
            if is_tree || from == to {
                continue;
            }
            let ((x1, y1), (x2, y2)) = (at(&spots[from]), at(&spots[to]));
            let bend = (x1 + x2) / 2.0 + (y2 - y1) * 0.2;
            let _ = writeln!(
                out,
                "<path d=\"M{x1:.1} {y1:.1} Q{bend:.1} {:.1} {x2:.1} {y2:.1}\" fill=\"none\" stroke=\"#a66\" stroke-dasharray=\"3 3\"/>",
                (y1 + y2) / 2.0 - (x2 - x1) * 0.2
            );
        }
    }
}

/// Gives every object a place, without recursion.
fn place(shape: &Shape) -> Vec<Spot> {
    let mut spots: Vec<Spot> = Vec::new();
    let mut drawn = vec![false; shape.nodes.len()];
    let mut next = 0.0;
    for root in shape.roots.iter().flatten() {
        if std::mem::replace(&mut drawn[*root as usize], true) {
            continue;
        }
        // Which pointers are edges of the tree is decided breadth first, as
        // linearization numbers the objects.
        let first = spots.len();
        spots.push(Spot { object: Some(*root), x: 0.0, depth: 0, parent: None });
        let mut at = first;
        while at < spots.len() {
            if let Some(node) = spots[at].object.and_then(|o| shape.nodes.get(o as usize)) {
                let parent_object = spots[at].parent.and_then(|parent| spots[parent].object);
                let depth = spots[at].depth + 1;
                for (_, target) in &node.pointers {
                    let object = match target {
                        None => None,
                        Some(object) if *target == parent_object || drawn[*object as usize] => {
                            continue;
                        }
                        Some(object) => {
                            drawn[*object as usize] = true;
                            Some(*object)
                        }
                    };
                    spots.push(Spot { object, x: 0.0, depth, parent: Some(at) });
                }
            }
            at += 1;
        }
        next = spread(&mut spots, first, next);
    }
    spots
}

/// Gives the spots from `first` on their columns; the next free column.
fn spread(spots: &mut [Spot], first: usize, mut next: f64) -> f64 {
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); spots.len()];
    for (at, spot) in spots.iter().enumerate().skip(first) {
        if let Some(parent) = spot.parent {
            children[parent].push(at);
        }
    }
    let mut stack = vec![(first, false)];
    while let Some((at, done)) = stack.pop() {
        match (children[at].as_slice(), done) {
            ([], _) => {
                spots[at].x = next;
                next += if spots[at].object.is_some() { 1.0 } else { 0.45 };
            }
            (below, true) => {
                let sum: f64 = below.iter().map(|child| spots[*child].x).sum();
                spots[at].x = sum / below.len() as f64;
            }
            (below, false) => {
                stack.push((at, true));
                stack.extend(below.iter().rev().map(|child| (*child, false)));
            }
        }
    }
    next + 0.5
}

/// The data of an object: at most two numbers.
fn label(shape: &Shape, object: u32) -> String {
    let Some(node) = shape.nodes.get(object as usize) else { return String::new() };
    let values: Vec<String> = node
        .data
        .iter()
        .take(2)
        .map(|(_, size, value)| {
            let unused = 64 - 8 * u32::from(*size);
            (((value << unused) as i64) >> unused).to_string()
        })
        .filter(|text| text.len() < 6)
        .collect();
    values.join(" ")
}
