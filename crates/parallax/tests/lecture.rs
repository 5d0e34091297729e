//! The exercises of lecture 5 (A. Gupta, *Program verification*, 2016): the
//! abstract reachability graphs of given predicates.

#![expect(clippy::panic, reason = "an answer of another kind fails the test")]

use parallax::{
    Abstraction, Budget, Check, Covering, EngineChoice, EngineConfig, Finding, Given, LoadOptions,
    Mode, SolverConfig, Task, Why, abstract_relation, load_files, show_abstraction,
};
use parallax_evidence::{Outcome, ReachabilityGraph, Standing};
use std::collections::BTreeMap;
use std::path::Path;

/// A program of the lecture with predicates.
fn loaded(file: &str, predicates: &[&str]) -> Task {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("two folders up");
    let path = root.join("examples/lecture").join(file);
    let predicates = predicates.iter().map(|&p| p.to_owned()).collect();
    let given = Given { predicates, ..Given::default() };
    let options = LoadOptions { given, ..LoadOptions::default() };
    load_files(&[path], &options).expect("a program")
}

/// What `cegar` makes of a program with these predicates and no others.
fn explored(file: &str, predicates: &[&str], set: fn(&mut EngineConfig)) -> Outcome {
    let task = loaded(file, predicates);
    let mut config = EngineConfig::default();
    config.cegar.no_refine = true;
    set(&mut config);
    let check = Check::new(&task).engine(EngineChoice::Only("cegar".into()), config).picture(true);
    let checked = check.run().expect("a check");
    checked.answers[0].outcome.clone()
}

/// The graphs of the lecture: predicates that are true, every state and step.
fn as_printed(config: &mut EngineConfig) {
    config.cegar.abstraction = Abstraction::Implied;
    config.cegar.covering = Covering::Equal;
}

/// The signs at each location, sorted.
fn signs(graph: &ReachabilityGraph) -> BTreeMap<String, Vec<&str>> {
    let mut found: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for node in &graph.nodes {
        let at = found.entry(node.fixed[0].1.to_string()).or_default();
        at.extend(node.bits.iter().map(String::as_str));
    }
    for rows in found.values_mut() {
        rows.sort_unstable();
        rows.dedup();
    }
    found
}

/// Compares the graph of given predicates: the signs at `l1` and `l2`, how many
/// steps it has, and the signs of the node that leads to the error.
fn check(predicates: &[&str], l1: &[&str], l2: &[&str], steps: usize, error_from: Option<&str>) {
    let outcome = explored("xy.plx", predicates, as_printed);
    let graph = outcome.graph.expect("a picture was asked for");
    let found = signs(&graph);
    assert_eq!(found["1"], l1, "{predicates:?}");
    assert_eq!(found["2"], l2, "{predicates:?}");
    // One state at `l0`, and one at the error if it is reached.
    let others = 1 + usize::from(error_from.is_some());
    assert_eq!(graph.size(), (l1.len() + l2.len() + others, steps), "{predicates:?}");
    let target = graph.nodes.iter().find(|n| n.standing == Standing::Target);
    let from = target.and_then(|n| n.parent).map(|(p, _)| graph.nodes[p as usize].bits[0].as_str());
    assert_eq!(from, error_from, "{predicates:?}");
    assert_eq!(graph.is_spurious, error_from.is_some());
    match (error_from, outcome.finding) {
        (None, Finding::Proved(_)) => {}
        (Some(_), Finding::Unknown(Why::NoProgress(text))) => {
            assert!(text.contains("P.rho1 P.rho2"), "{text}");
        }
        (_, other) => panic!("{predicates:?}: {other:?}"),
    }
}

#[test]
fn exercise_5_2() {
    let predicates = ["x >= 0", "y <= 0", "x >= 1"];
    check(&predicates, &["101", "110"], &["000", "010", "100", "101", "110"], 11, Some("000"));
}

#[test]
fn example_5_3_is_told_in_the_history() {
    let outcome = explored("xy.plx", &["x >= 0", "y <= 0", "x >= 1"], as_printed);
    let path = outcome.history[0].path.as_ref().expect("a path");
    let steps: Vec<&str> = path.steps.iter().map(|(step, _)| &**step).collect();
    assert_eq!(steps, ["P.rho1", "P.rho2", "P.rho3", "P.rho4", "P.rho4", "P.rho5"]);
    assert_eq!((&*path.start, path.end, path.len()), ("P@l0", 6, 6));
    assert_eq!(&*path.steps[5].1, "P@error");
}

#[test]
fn exercise_5_4() {
    let predicates = ["x >= 0", "y <= 0", "x >= 1", "y <= 1"];
    let l2 = ["0000", "0101", "1000", "1010", "1011", "1101"];
    check(&predicates, &["1010", "1011", "1101"], &l2, 14, Some("0000"));
}

#[test]
fn exercise_5_5() {
    let predicates = ["x >= 0", "y <= 0", "x >= 1", "y <= x"];
    check(&predicates, &["1011", "1101"], &["0001", "0101", "1001", "1011", "1101"], 10, None);
}

#[test]
fn example_5_1() {
    let outcome = explored("sign.plx", &["x < 0", "x == 0", "x > 0"], as_printed);
    assert!(matches!(outcome.finding, Finding::Proved(_)), "{:?}", outcome.finding);
    let graph = outcome.graph.expect("a picture was asked for");
    assert_eq!(graph.size(), (2, 2));
    assert_eq!(signs(&graph)["1"], ["001"]);
}

#[test]
fn exercise_5_7_with_the_atoms_of_its_invariant() {
    let predicates = ["z == 10 * w", "w >= 0", "x >= 0", "x <= y", "y <= 100 * x"];
    let outcome = explored("four.plx", &predicates, |_| {});
    assert!(matches!(outcome.finding, Finding::Proved(_)), "{:?}", outcome.finding);
}

#[test]
fn exercise_5_7_unaided() {
    for (file, mode) in [
        ("four.plx", Mode::Predicates),
        ("four.plx", Mode::Impact),
        ("four.c", Mode::Predicates),
        ("xy.plx", Mode::Impact),
    ] {
        let set = match mode {
            Mode::Impact => |config: &mut EngineConfig| {
                config.cegar.no_refine = false;
                config.cegar.mode = Mode::Impact;
            },
            Mode::Predicates => |config: &mut EngineConfig| config.cegar.no_refine = false,
        };
        let outcome = explored(file, &[], set);
        assert!(matches!(outcome.finding, Finding::Proved(_)), "{file}: {:?}", outcome.finding);
    }
}

/// What the predicates make of a set of states of a model.
fn abstraction(file: &str, set: &str, predicates: &[&str]) -> String {
    let texts = std::iter::once(set).chain(predicates.iter().copied());
    let task = loaded(file, &texts.collect::<Vec<_>>());
    let (set, rest) = task.predicates.split_first().expect("a set");
    let (solver, budget) = (SolverConfig::default(), Budget::unlimited());
    show_abstraction(&task, *set, rest, &solver, &budget).expect("an abstraction")
}

#[test]
fn example_5_2_alpha_of_a_point_and_of_a_circle() {
    let predicates = ["x <= 1", "-x - y <= -1", "y <= 5"];
    let point = abstraction("plane.plx", "x == 0 && y == 0", &predicates);
    assert!(point.contains("alpha  [101]"), "{point}");
    let circle = "(x - 1) * (x - 1) + (y - 3) * (y - 3) == 1";
    let circle = abstraction("plane.plx", circle, &predicates);
    assert!(circle.contains("alpha  [011]"), "{circle}");
    // Between two integers lies nothing, between two reals something.
    let between = abstraction("plane.plx", "x > 0", &["x >= 1", "x >= 0"]);
    assert!(between.contains("alpha  [01]"), "{between}");
}

#[test]
fn example_5_1_the_relation_beforehand() {
    let task = loaded("sign.plx", &["x < 0", "x == 0", "x > 0"]);
    let (solver, budget) = (SolverConfig::default(), Budget::unlimited());
    let relation = abstract_relation(&task, &task.predicates, &solver, &budget);
    let relation = relation.expect("a relation");
    // Bits: negative, zero, positive; nothing known is 0.
    let printed: Vec<(u32, u32)> =
        relation.steps.iter().filter(|s| s.0 == 0).map(|s| (s.1, s.2)).collect();
    assert_eq!(printed, [(0, 4), (1, 4), (2, 4), (4, 4)]);
    let third: Vec<(u32, u32)> =
        relation.steps.iter().filter(|s| s.0 == 2).map(|s| (s.1, s.2)).collect();
    assert_eq!(third, [(0, 1), (1, 1)]);
    assert_eq!(relation.states, 4);
}

#[test]
fn refinement_finds_the_relation_of_the_counters() {
    let outcome = explored("xy.plx", &[], |config| config.cegar.no_refine = false);
    assert!(matches!(outcome.finding, Finding::Proved(_)), "{:?}", outcome.finding);
    let all: Vec<&String> = outcome.history.iter().flat_map(|r| &r.predicates).collect();
    assert!(all.iter().any(|p| p.contains('x') && p.contains('y')), "{all:?}");
    // No location is visited more often than the path needs.
    assert!(outcome.statistics.iterations <= 3, "{}", outcome.statistics.iterations);
}
