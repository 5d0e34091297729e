//! The order of items on each rank: barycenters and swaps of neighbors.
//!
//! Ranks are swept down and up. Each sweep sorts a rank by the mean position
//! of the neighbors on the rank before, then swaps neighbors while that
//! removes crossings. The best order seen is kept.

use super::layers::Layered;

/// Swapping compares all pairs of edges of two items; above this many items it
/// is left out.
const SWAP_LIMIT: usize = 6_000;

/// Chooses the order of every rank.
pub(super) fn reduce_crossings(layered: &mut Layered, roots: &[usize]) {
    initial_order(layered, roots);
    let size = layered.items.len();
    let (sweeps, patience) = if size > 20_000 { (6, 2) } else { (24, 5) };
    let mut best = (crossings(layered), layered.ranks.clone());
    let mut idle = 0;
    for sweep in 0..sweeps {
        if best.0 == 0 || idle >= patience {
            break;
        }
        sort_by_barycenter(layered, sweep % 2 == 0);
        if size <= SWAP_LIMIT {
            swap_neighbors(layered);
        }
        let now = crossings(layered);
        if now < best.0 {
            best = (now, layered.ranks.clone());
            idle = 0;
        } else {
            idle += 1;
        }
    }
    layered.ranks = best.1;
}

/// Depth first from the roots, so that a tree has no crossings at once.
fn initial_order(layered: &mut Layered, roots: &[usize]) {
    let mut seen = vec![false; layered.items.len()];
    let mut by_rank: Vec<usize> = (0..layered.items.len()).collect();
    by_rank.sort_by_key(|&i| layered.items[i].rank);
    let mut stack: Vec<usize> = Vec::new();
    for &start in roots.iter().chain(&by_rank) {
        stack.push(start);
        while let Some(item) = stack.pop() {
            if std::mem::replace(&mut seen[item], true) {
                continue;
            }
            layered.ranks[layered.items[item].rank].push(item);
            stack.extend(layered.down[item].iter().rev().filter(|&&i| !seen[i]));
        }
    }
}

fn sort_by_barycenter(layered: &mut Layered, downwards: bool) {
    let mut position = layered.positions();
    let count = layered.ranks.len();
    for step in 1..count {
        let rank = if downwards { step } else { count - 1 - step };
        let neighbors = if downwards { &layered.up } else { &layered.down };
        let items = &mut layered.ranks[rank];
        let mean = |item: usize| {
            let near = &neighbors[item];
            let sum: usize = near.iter().map(|&i| position[i]).sum();
            sum as f64 / near.len() as f64
        };
        let mut movable: Vec<(f64, usize)> =
            items.iter().filter(|&&i| !neighbors[i].is_empty()).map(|&i| (mean(i), i)).collect();
        movable.sort_by(|a, b| a.0.total_cmp(&b.0));
        // Items without neighbors stay where they are.
        let mut next = movable.into_iter();
        for slot in items.iter_mut().filter(|i| !neighbors[**i].is_empty()) {
            if let Some((_, item)) = next.next() {
                *slot = item;
            }
        }
        for (i, &item) in items.iter().enumerate() {
            position[item] = i;
        }
    }
}

fn swap_neighbors(layered: &mut Layered) {
    let mut position = layered.positions();
    for _ in 0..4 {
        let mut improved = false;
        for rank in 0..layered.ranks.len() {
            for i in 1..layered.ranks[rank].len() {
                let (a, b) = (layered.ranks[rank][i - 1], layered.ranks[rank][i]);
                let cost = |x: usize, y: usize| {
                    pair_crossings(&layered.up[x], &layered.up[y], &position)
                        + pair_crossings(&layered.down[x], &layered.down[y], &position)
                };
                if cost(b, a) < cost(a, b) {
                    layered.ranks[rank].swap(i - 1, i);
                    (position[a], position[b]) = (i, i - 1);
                    improved = true;
                }
            }
        }
        if !improved {
            break;
        }
    }
}

/// Crossings between the edges of two items of a rank, left before right.
fn pair_crossings(left: &[usize], right: &[usize], position: &[usize]) -> usize {
    let crossed = |l: &usize| right.iter().filter(|r| position[**r] < position[*l]).count();
    left.iter().map(crossed).sum()
}

/// Crossings between all adjacent ranks: inversions counted with a Fenwick
/// tree (Barth, Jünger, Mutzel, GD 2002).
fn crossings(layered: &Layered) -> usize {
    let position = layered.positions();
    let mut total = 0;
    let mut ends = Vec::new();
    for rank in 1..layered.ranks.len() {
        let mut tree = vec![0usize; layered.ranks[rank].len() + 1];
        let mut inserted = 0;
        for &upper in &layered.ranks[rank - 1] {
            ends.clear();
            ends.extend(layered.down[upper].iter().map(|&i| position[i]));
            ends.sort_unstable();
            for &end in &ends {
                // Edges inserted so far that end further right.
                let mut at = end + 1;
                let mut not_right = 0;
                while at > 0 {
                    not_right += tree[at];
                    at &= at - 1;
                }
                total += inserted - not_right;
                let mut at = end + 1;
                while at < tree.len() {
                    tree[at] += 1;
                    at += at & at.wrapping_neg();
                }
                inserted += 1;
            }
        }
    }
    total
}

#[cfg(test)]
mod tests {
    use super::super::Extent;
    use super::super::layers::DownEdge;
    use super::*;

    fn check(rank: &[usize], edges: &[(usize, usize)], expected: usize) {
        let extent = Extent { left: 1.0, right: 1.0, height: 1.0 };
        let down: Vec<DownEdge> =
            edges.iter().map(|&(from, to)| DownEdge { from, to, label: None }).collect();
        let mut layered = Layered::new(&vec![extent; rank.len()], rank, &down);
        reduce_crossings(&mut layered, &[0]);
        assert_eq!(crossings(&layered), expected);
        let mut all: Vec<usize> = layered.ranks.concat();
        all.sort_unstable();
        assert_eq!(all, (0..layered.items.len()).collect::<Vec<_>>());
    }

    #[test]
    fn crossings_are_removed_where_possible() {
        check(&[0, 0, 1, 1], &[(0, 3), (1, 2)], 0);
        check(&[0, 0, 1, 1], &[(0, 2), (0, 3), (1, 2), (1, 3)], 1);
        check(&[0, 1, 1, 1, 2], &[(0, 1), (0, 2), (0, 3), (1, 4), (3, 4), (0, 4)], 0);
    }
}
