//! The exact curve of the red-black tree: blocks and combinations by length.

use crate::load::container;
use parallax_containers::{Config, Goal, Match};

fn config(matching: Match, length: u32) -> Config {
    Config { length, values: length, matching, goal: Goal::Predicates, ..Config::default() }
}

/// Length, blocks, combinations, and states of complete matching.
const CURVE: &[(u32, usize, usize, usize)] = &[
    (3, 14, 15, 11),
    (4, 21, 22, 25),
    (5, 31, 43, 72),
    (6, 37, 55, 185),
    (7, 39, 79, 537),
    (8, 39, 93, 1613),
    (9, 39, 93, 4709),
    (10, 39, 95, 13189),
];

#[test]
fn complete_matching_hits_the_curve() {
    let treemap = container("treemap", &[]);
    for (length, blocks, combinations, states) in CURVE {
        let found = treemap.search(&config(Match::Complete, *length));
        assert_eq!(found.failure, None);
        let last = found.levels.last().expect("a level");
        let figures = (last.blocks, last.combinations, last.states);
        assert_eq!(figures, (*blocks, *combinations, *states), "length {length}");
    }
}

#[test]
fn concrete_matching_hits_the_curve() {
    let treemap = container("treemap", &[]);
    for (length, blocks, combinations, _) in &CURVE[..4] {
        let found = treemap.search(&config(Match::Concrete, *length));
        let last = found.levels.last().expect("a level");
        assert_eq!((last.blocks, last.combinations), (*blocks, *combinations), "length {length}");
    }
}

/// One search shows all lengths: symbolic values need no bound.
#[test]
fn subsumption_hits_the_curve() {
    let treemap = container("treemap", &[]);
    let found = treemap.search(&config(Match::Subsumption, 12));
    assert_eq!(found.failure, None);
    assert_eq!(found.figures.unconfirmed, 0);
    let expected = CURVE.iter().map(|(l, b, c, _)| (*l, *b, *c));
    for (length, blocks, combinations) in expected.chain([(11, 39, 102), (12, 39, 104)]) {
        let level = found.levels.iter().find(|level| level.length == length).expect("a level");
        assert_eq!((level.blocks, level.combinations), (blocks, combinations), "length {length}");
    }
    // A state is a colored shape; the first one is the empty tree.
    let states =
        |length| found.levels.iter().find(|level| level.length == length).map(|level| level.states);
    assert_eq!((states(6), states(10), states(12)), (Some(28), Some(256), Some(1028)));
}

/// Every test of a suite adds coverage, and no shorter sequence would.
#[test]
fn tests_are_shortest_and_each_adds_coverage() {
    let treemap = container("treemap", &[]);
    let config = Config { goal: Goal::Blocks, ..config(Match::Complete, 7) };
    let found = treemap.search(&config);
    let lengths: Vec<usize> = found.tests.iter().map(|test| test.calls.len()).collect();
    assert!(lengths.is_sorted());
    let subject = treemap.subject(&config);
    let mut runner = parallax_containers::Runner::new(&subject);
    let mut covered = (0, 0);
    for test in &found.tests {
        assert_eq!(runner.replay(&test.calls).1, None);
        let coverage = &runner.machine.coverage;
        let blocks = coverage.blocks.iter().filter(|seen| **seen).count();
        let now = (coverage.probe_blocks.len(), blocks);
        let adds = now.0 > covered.0 || now.1 > covered.1;
        assert!(adds || test.calls.is_empty(), "{test:?} adds nothing");
        covered = now;
    }
    assert_eq!(covered.0, 39);
}

/// What one exhaustive technique covers, the others cover as well.
#[test]
fn exhaustive_techniques_agree() {
    for (name, length) in [("bintree", 5), ("binheap", 5), ("fibheap", 5), ("avl", 5)] {
        let of = container(name, &[]);
        let covered = |matching| {
            let found = of.search(&config(matching, length));
            let last = *found.levels.last().expect("a level");
            (last.blocks, last.branches, last.combinations)
        };
        let complete = covered(Match::Complete);
        assert_eq!(covered(Match::Subsumption), complete, "{name}");
        assert_eq!(covered(Match::Concrete), complete, "{name}");
    }
}
