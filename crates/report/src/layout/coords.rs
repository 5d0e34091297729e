//! Coordinates of items: U. Brandes and B. Köpf, Fast and Simple Horizontal
//! Coordinate Assignment, GD 2001.
//!
//! Items are aligned with their median neighbor above or below, preferring
//! left or right, which gives four drawings; each item takes the mean of its
//! two middle positions. Deviation: blocks are compacted by longest paths in
//! the graph of blocks rather than by classes, which avoids the errors of the
//! original compaction (erratum: arXiv 2008.01252) and takes sizes into
//! account. Every one of the four drawings keeps the distances, so the mean
//! does.

use super::layers::Layered;

/// Space between two items of a rank.
fn gap(layered: &Layered, left: usize, right: usize) -> f64 {
    let between = match (layered.items[left].bend, layered.items[right].bend) {
        (true, true) => 14.0,
        (true, false) | (false, true) => 18.0,
        (false, false) => 26.0,
    };
    layered.items[left].extent.right + between + layered.items[right].extent.left
}

/// The horizontal position of every item.
pub(super) fn horizontal(layered: &Layered) -> Vec<f64> {
    let position = layered.positions();
    let conflicts = conflicts(layered, &position);
    let mut drawings: Vec<(Vec<f64>, bool)> = Vec::new();
    for from_above in [true, false] {
        for from_left in [true, false] {
            let root = align(layered, &position, &conflicts, from_above, from_left);
            drawings.push((compact(layered, &root, from_left), from_left));
        }
    }
    let bounds = |xs: &[f64]| {
        let low = |(i, x): (usize, &f64)| x - layered.items[i].extent.left;
        let high = |(i, x): (usize, &f64)| x + layered.items[i].extent.right;
        let min = xs.iter().enumerate().map(low).fold(f64::INFINITY, f64::min);
        let max = xs.iter().enumerate().map(high).fold(f64::NEG_INFINITY, f64::max);
        (min, max)
    };
    let all: Vec<(f64, f64)> = drawings.iter().map(|(xs, _)| bounds(xs)).collect();
    let narrowest = all.iter().copied().min_by(|a, b| (a.1 - a.0).total_cmp(&(b.1 - b.0)));
    let Some(narrowest) = narrowest else { return Vec::new() };
    for ((xs, from_left), own) in drawings.iter_mut().zip(&all) {
        let shift = if *from_left { narrowest.0 - own.0 } else { narrowest.1 - own.1 };
        xs.iter_mut().for_each(|x| *x += shift);
    }
    let mut result: Vec<f64> = (0..layered.items.len())
        .map(|i| {
            let mut four = [0, 1, 2, 3].map(|d: usize| drawings[d].0[i]);
            four.sort_by(f64::total_cmp);
            (four[1] + four[2]) / 2.0
        })
        .collect();
    let left = bounds(&result).0;
    result.iter_mut().for_each(|x| *x -= left);
    result
}

/// Edges that cross the inner part of a long edge: they must not be aligned,
/// so that long edges are straight. Sorted pairs of upper and lower item.
fn conflicts(layered: &Layered, position: &[usize]) -> Vec<(usize, usize)> {
    let inner_above = |item: usize| {
        let above = *layered.up[item].first()?;
        (layered.items[item].bend && layered.items[above].bend).then(|| position[above])
    };
    let mut found = Vec::new();
    for pair in layered.ranks.windows(2) {
        let (upper, lower) = (&pair[0], &pair[1]);
        let (mut low, mut scanned) = (0, 0);
        for (i, &item) in lower.iter().enumerate() {
            let inner = inner_above(item);
            if inner.is_none() && i + 1 < lower.len() {
                continue;
            }
            let high = inner.unwrap_or(upper.len().saturating_sub(1));
            for &checked in &lower[scanned..=i] {
                for &above in &layered.up[checked] {
                    let outside = position[above] < low || position[above] > high;
                    if outside && inner_above(checked).is_none() {
                        found.push((above, checked));
                    }
                }
            }
            scanned = i + 1;
            low = high;
        }
    }
    found.sort_unstable();
    found
}

/// Joins items into vertical blocks; returns the block's representative of
/// every item.
fn align(
    layered: &Layered,
    position: &[usize],
    conflicts: &[(usize, usize)],
    from_above: bool,
    from_left: bool,
) -> Vec<usize> {
    let mut root: Vec<usize> = (0..layered.items.len()).collect();
    let ranks = layered.ranks.len();
    let mut near: Vec<usize> = Vec::new();
    for step in 1..ranks {
        let rank = &layered.ranks[if from_above { step } else { ranks - 1 - step }];
        let neighbors = if from_above { &layered.up } else { &layered.down };
        // Position of the last neighbor used; alignments must not cross.
        let mut last: Option<usize> = None;
        for i in 0..rank.len() {
            let item = rank[if from_left { i } else { rank.len() - 1 - i }];
            near.clear();
            near.extend(&neighbors[item]);
            near.sort_unstable_by_key(|&n| position[n]);
            if near.is_empty() {
                continue;
            }
            let (low, high) = ((near.len() - 1) / 2, near.len() / 2);
            let medians = if from_left { [low, high] } else { [high, low] };
            for median in medians {
                let other = near[median];
                let edge = if from_above { (other, item) } else { (item, other) };
                let beyond = match last {
                    None => true,
                    Some(l) if from_left => position[other] > l,
                    Some(l) => position[other] < l,
                };
                if beyond && conflicts.binary_search(&edge).is_err() {
                    root[item] = root[other];
                    last = Some(position[other]);
                    break;
                }
            }
        }
    }
    root
}

/// Places blocks as far to the left (or right) as distances allow, then closes
/// gaps towards their neighbors.
fn compact(layered: &Layered, root: &[usize], from_left: bool) -> Vec<f64> {
    let count = layered.items.len();
    // Mirrored for the right: positions grow from right to left.
    let mut after: Vec<Vec<(usize, f64)>> = vec![Vec::new(); count];
    let mut missing = vec![0usize; count];
    for rank in &layered.ranks {
        for pair in rank.windows(2) {
            let distance = gap(layered, pair[0], pair[1]);
            let (first, second) = if from_left { (pair[0], pair[1]) } else { (pair[1], pair[0]) };
            after[root[first]].push((root[second], distance));
            missing[root[second]] += 1;
        }
    }
    let is_block = |i: usize| root[i] == i;
    let mut order: Vec<usize> = (0..count).filter(|&i| is_block(i) && missing[i] == 0).collect();
    let mut x = vec![0.0f64; count];
    let mut done = 0;
    while let Some(&block) = order.get(done) {
        done += 1;
        for &(next, distance) in &after[block] {
            x[next] = x[next].max(x[block] + distance);
            missing[next] -= 1;
            if missing[next] == 0 {
                order.push(next);
            }
        }
    }
    for &block in order.iter().rev() {
        let room = after[block].iter().map(|&(next, d)| x[next] - d).fold(f64::INFINITY, f64::min);
        if room.is_finite() {
            x[block] = x[block].max(room);
        }
    }
    let sign = if from_left { 1.0 } else { -1.0 };
    (0..count).map(|i| sign * x[root[i]]).collect()
}

/// Middle of every rank. Ranks move apart where edges go far to the side.
pub(super) fn vertical(layered: &Layered, x: &[f64], has_labels: bool) -> (Vec<f64>, f64) {
    let heights: Vec<f64> = layered
        .ranks
        .iter()
        .map(|rank| rank.iter().map(|&i| layered.items[i].extent.height).fold(0.0, f64::max))
        .collect();
    let base = if has_labels { 18.0 } else { 38.0 };
    let mut middle = Vec::with_capacity(heights.len());
    let mut y = 0.0;
    for (rank, height) in heights.iter().enumerate() {
        middle.push(y + height / 2.0);
        y += height;
        if rank + 1 < heights.len() {
            let reach = layered.ranks[rank]
                .iter()
                .flat_map(|&i| layered.down[i].iter().map(move |&d| (x[i] - x[d]).abs()))
                .fold(0.0, f64::max);
            y += base + (reach * 0.05).min(30.0);
        }
    }
    (middle, y)
}

#[cfg(test)]
mod tests {
    use super::super::Extent;
    use super::super::layers::DownEdge;
    use super::super::order::reduce_crossings;
    use super::*;

    #[test]
    fn distances_are_kept_and_long_edges_are_straight() {
        let extent = Extent { left: 20.0, right: 30.0, height: 10.0 };
        // A ladder with a long edge from the top to the bottom.
        let rank = [0, 1, 1, 2, 2, 3, 3, 4];
        let edges = [(0, 1), (0, 2), (1, 3), (2, 4), (3, 5), (4, 6), (5, 7), (6, 7), (0, 7)];
        let down = edges.map(|(from, to)| DownEdge { from, to, label: None });
        let mut layered = Layered::new(&[extent; 8], &rank, &down);
        reduce_crossings(&mut layered, &[0]);
        let x = horizontal(&layered);
        for rank in &layered.ranks {
            for pair in rank.windows(2) {
                assert!(x[pair[1]] - x[pair[0]] >= gap(&layered, pair[0], pair[1]) - 1e-6);
            }
        }
        let long = &layered.chains[8];
        assert!(long[1..long.len() - 1].windows(2).all(|w| x[w[0]] == x[w[1]]), "{x:?}");
    }
}
