//! Matching is neither too coarse nor too fine: the number of different shapes
//! is that of the known enumerations, counted here by other means.

use crate::load::container;
use parallax_containers::{Config, Match};
use std::collections::BTreeMap;

/// Shapes by the number of nodes; the container itself is one object.
fn shapes(name: &str, matching: Match, length: u32, header: usize) -> BTreeMap<usize, usize> {
    let config = Config { length, values: length, matching, ..Config::default() };
    let found = container(name, &[]).search(&config);
    assert_eq!(found.failure, None, "{name}");
    found.shape_counts.into_iter().map(|(objects, count)| (objects - header, count)).collect()
}

#[test]
fn search_trees_are_counted_by_catalan_numbers() {
    let catalan = [1, 1, 2, 5, 14, 42, 132, 429];
    for matching in [Match::Complete, Match::Subsumption] {
        let length = if matching == Match::Complete { 6 } else { 7 };
        let found = shapes("bintree", matching, length, 1);
        let found: Vec<usize> = found.into_values().collect();
        assert_eq!(found, catalan[..=length as usize], "{matching:?}");
    }
}

#[test]
fn avl_trees_are_counted() {
    // Trees of height h with n nodes, from pairs of subtrees whose heights
    // differ by at most one.
    let most = 7;
    let mut ways = vec![vec![0usize; most + 1]; most + 2];
    ways[0][0] = 1;
    if most > 0 {
        ways[1][1] = 1;
    }
    for h in 2..=most {
        for n in 1..=most {
            for left in 0..n {
                let right = n - 1 - left;
                ways[h][n] += ways[h - 1][left] * ways[h - 1][right]
                    + ways[h - 1][left] * ways[h - 2][right]
                    + ways[h - 2][left] * ways[h - 1][right];
            }
        }
    }
    let expected: Vec<usize> =
        (0..=most).map(|n| ways.iter().map(|by_size| by_size[n]).sum()).collect();
    assert_eq!(expected, [1, 1, 2, 1, 4, 6, 4, 17]);
    let found = shapes("avl", Match::Subsumption, most as u32, 0);
    assert_eq!(found.into_values().collect::<Vec<_>>(), expected);
}

#[test]
fn a_binomial_heap_has_one_shape_per_size() {
    let found = shapes("binheap", Match::Shape, 8, 1);
    assert_eq!(found, (0..=8).map(|n| (n, 1)).collect());
}

/// Red-black trees with n keys: by black height and color of the root.
fn red_black_trees(most: usize) -> Vec<usize> {
    let mut ways = vec![vec![[0usize; 2]; most + 2]; most + 1];
    ways[0][0][0] = 1;
    for n in 1..=most {
        for h in 0..=most {
            let mut counts = [0, 0];
            for left in 0..n {
                let right = n - 1 - left;
                counts[1] += ways[left][h][0] * ways[right][h][0];
                if h > 0 {
                    let any = |n: usize| ways[n][h - 1][0] + ways[n][h - 1][1];
                    counts[0] += any(left) * any(right);
                }
            }
            ways[n][h] = counts;
        }
    }
    ways.iter().map(|by_height| by_height.iter().map(|[black, _]| black).sum()).collect()
}

/// With subsumption a state is a red-black tree, whatever its keys are.
#[test]
fn red_black_trees_are_counted() {
    let trees = red_black_trees(6);
    let config =
        Config { length: 13, values: 13, matching: Match::Subsumption, ..Config::default() };
    let found = container("treemap", &[]).search(&config);
    for (keys, count) in trees.iter().enumerate() {
        assert_eq!(found.state_counts.get(&(keys + 1)), Some(count), "{keys} keys of {trees:?}");
    }
}

/// Lists: the complete states over k values are the words over k letters.
#[test]
fn lists_are_counted_as_words() {
    let config = Config { length: 4, values: 3, matching: Match::Complete, ..Config::default() };
    let found = container("dlist", &[]).search(&config);
    let states: Vec<usize> = found.levels.iter().map(|level| level.states).collect();
    assert_eq!(states, [1, 1 + 3, 1 + 3 + 9, 40, 121]);
    assert_eq!(found.shape_counts.values().sum::<usize>(), 5);
}
