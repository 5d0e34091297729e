//! The exact curve of the red-black tree: blocks and combinations by length.

use crate::load::container;
use parallax_engine_test::{Config, Goal, Match};

fn config(matching: Match, length: u32) -> Config {
    Config { length, values: length, matching, goal: Goal::Predicates, ..Config::default() }
}

/// Length, blocks, combinations.
const CURVE: &[(u32, usize, usize)] =
    &[(3, 14, 15), (4, 21, 22), (5, 31, 43), (6, 37, 55), (7, 39, 79), (8, 39, 93), (9, 39, 93)];

#[test]
fn complete_matching_hits_the_curve() {
    let treemap = container("treemap", &[]);
    for (length, blocks, combinations) in CURVE {
        let found = treemap.search(&config(Match::Complete, *length));
        let last = found.levels.last().expect("a level");
        assert_eq!((last.blocks, last.combinations), (*blocks, *combinations), "length {length}");
    }
}
