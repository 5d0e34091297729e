//! Where the ways of a branch meet again: immediate postdominators.
//!
//! K. D. Cooper, T. J. Harvey, K. Kennedy, *A Simple, Fast Dominance
//! Algorithm*, 2001, on the reversed graph. Operations after which nothing
//! follows lead to the end, as returns do. Where the only end is an error, a run
//! may also go on for ever; that counts as a way to the end, for else the error
//! would lie on every way and no branch would decide about it.

use crate::{Function, Location, Op};
use parallax_base::Id;

/// For each location, the first one that every way from it to the end of the
/// function passes; `None` if that is the end itself, or if no way ends.
pub(super) fn postdominators(function: &Function) -> Vec<Option<Id<Location>>> {
    let count = function.locations.len();
    let end = count;
    // Edges of the reversed graph: from where control arrives to where it left.
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); count + 1];
    let mut after: Vec<Vec<usize>> = vec![Vec::new(); count + 1];
    for edge in &function.edges {
        let target = match edge.op {
            Op::Error(_) | Op::Halt(_) | Op::Unsupported(_) => end,
            _ => edge.target.index(),
        };
        before[target].push(edge.source.index());
        after[edge.source.index()].push(target);
    }
    let exit = function.exit.index();
    before[end].push(exit);
    after[exit].push(end);
    for location in without_good_end(function, &before) {
        before[end].push(location);
        after[location].push(end);
    }

    let order = postorder(&before, end);
    let mut rank = vec![usize::MAX; count + 1];
    for (number, &node) in order.iter().enumerate() {
        rank[node] = number;
    }
    let mut above: Vec<Option<usize>> = vec![None; count + 1];
    above[end] = Some(end);
    let mut changed = true;
    while changed {
        changed = false;
        for &node in order.iter().rev().filter(|&&n| n != end) {
            let mut meet: Option<usize> = None;
            for &next in &after[node] {
                if above[next].is_some() {
                    meet = Some(meet.map_or(next, |m| intersect(&above, &rank, m, next)));
                }
            }
            if meet.is_some() && above[node] != meet {
                above[node] = meet;
                changed = true;
            }
        }
    }
    let place = |node: usize| above[node].filter(|&n| n != end).map(Id::new);
    (0..count).map(place).collect()
}

/// The locations from which neither a return nor a halt can be reached.
fn without_good_end(function: &Function, before: &[Vec<usize>]) -> Vec<usize> {
    let mut good = vec![false; function.locations.len()];
    let halts = function.edges.iter().filter(|e| matches!(e.op, Op::Halt(_)));
    let mut open: Vec<usize> = halts.map(|e| e.source.index()).collect();
    open.push(function.exit.index());
    while let Some(location) = open.pop() {
        if !std::mem::replace(&mut good[location], true) {
            open.extend(before[location].iter().filter(|&&l| !good[l]));
        }
    }
    (0..good.len()).filter(|&l| !good[l]).collect()
}

fn intersect(above: &[Option<usize>], rank: &[usize], mut a: usize, mut b: usize) -> usize {
    while a != b {
        while rank[a] < rank[b] {
            a = above[a].unwrap_or(b);
        }
        while rank[b] < rank[a] {
            b = above[b].unwrap_or(a);
        }
    }
    a
}

/// The nodes that can be reached from `start`, children before parents.
fn postorder(next: &[Vec<usize>], start: usize) -> Vec<usize> {
    let mut order = Vec::new();
    let mut seen = vec![false; next.len()];
    let mut open = vec![(start, 0)];
    seen[start] = true;
    while let Some((node, child)) = open.pop() {
        match next[node].get(child) {
            Some(&target) => {
                open.push((node, child + 1));
                if !seen[target] {
                    seen[target] = true;
                    open.push((target, 0));
                }
            }
            None => order.push(node),
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Edge;
    use parallax_base::{IdVec, Span};
    use std::sync::Arc;

    /// A function from pairs of locations; `exit` is its last location.
    fn function(count: usize, edges: &[(usize, usize)], errors: &[usize]) -> Function {
        let location = || Location::at(Span::default());
        let edge = |source: usize, target: usize, op: Op| Edge {
            source: Id::new(source),
            target: Id::new(target),
            op,
            span: Span::default(),
            branch: None,
        };
        let plain = edges.iter().map(|&(a, b)| edge(a, b, Op::Skip));
        let failing = errors.iter().map(|&a| edge(a, a, Op::Error("e".into())));
        Function {
            name: Arc::from("f"),
            ty: Id::new(0),
            parameters: Vec::new(),
            is_defined: true,
            is_library: false,
            locations: (0..count).map(|_| location()).collect::<IdVec<_>>(),
            edges: plain.chain(failing).collect(),
            entry: Id::new(0),
            exit: Id::new(count - 1),
            span: Span::default(),
        }
    }

    #[test]
    fn ways_meet_where_they_must() {
        let check = |count, edges: &[(usize, usize)], errors: &[usize], expected: &[i32]| {
            let found = postdominators(&function(count, edges, errors));
            let found: Vec<i32> =
                found.iter().map(|l| l.map_or(-1, |l| l.index() as i32)).collect();
            assert_eq!(found, expected);
        };
        // A branch, a loop, a branch with an error, an endless loop.
        check(5, &[(0, 1), (0, 2), (1, 3), (2, 3), (3, 4)], &[], &[3, 3, 3, 4, -1]);
        check(4, &[(0, 1), (1, 2), (2, 1), (1, 3)], &[], &[1, 3, 1, -1]);
        check(4, &[(0, 1), (0, 2), (2, 3)], &[1], &[-1, -1, 3, -1]);
        check(3, &[(0, 1), (1, 0)], &[], &[-1, -1, -1]);
        // An endless loop that a branch may leave by an error.
        check(4, &[(0, 1), (0, 2), (2, 0)], &[1], &[-1, -1, -1, -1]);
    }
}
