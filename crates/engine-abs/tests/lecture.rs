//! The worked program of the lecture, and what each way of `cegar` makes of it.
//!
//! `l0 -> l1` sets `x` and `y` to 0, `l1` counts both up, `l2` counts both
//! down; an error is `x < 0` and `y > 0` at `l2`. Refinement with `y <= k`
//! unrolls the loop for ever; `y <= x` proves it at once.

use parallax_base::{Budget, SourceFile, SourceMap};
use parallax_engine::{Engine, Question, Resources};
use parallax_engine_abs::{Abstraction, Cegar, CegarConfig, Mode, Order, Refiner, Track};
use parallax_evidence::{Finding, Outcome};
use parallax_front_model::{Options, load};
use parallax_ir::Program;
use parallax_solver::SolverConfig;
use std::time::Duration;

const XY: &str = "
    var x, y: int;
    process P {
      location l0, l1, l2;
      start: l0 -> l1 do x := 0, y := 0;
      up: l1 -> l1 do x := x + 1, y := y + 1;
      turn: l1 -> l2;
      down: l2 -> l2 do x := x - 1, y := y - 1;
    }
    unreachable bad: P@l2 && x < 0 && y > 0;";

/// The same, but the second loop forgets to count `y` down.
const BROKEN: &str = "
    var x, y: int;
    process P {
      location l0, l1, l2;
      start: l0 -> l1 do x := 0, y := 0;
      up: l1 -> l1 do x := x + 1, y := y + 1;
      turn: l1 -> l2;
      down: l2 -> l2 do x := x - 1;
    }
    unreachable bad: P@l2 && x < 0 && y > 0;";

/// A lock that is taken and given back, with a counter beside it.
const LOCK: &str = "
    var held: bool = false; var n: int = 0;
    process P {
      location idle, busy;
      take: idle -> busy do held := true, n := n + 1;
      give: busy -> idle do held := false;
    }
    unreachable bad: P@busy && !held;";

fn program(text: &str) -> Program {
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new("m.plx", text.to_owned()));
    load(&mut sources, file, &Options::default()).expect("the model is right").program
}

/// Runs `cegar`; evidence is checked, and `None` is an open question.
fn run(text: &str, config: CegarConfig, time: Duration) -> (Option<bool>, Outcome) {
    let program = program(text);
    let property = program.property("bad").expect("the model has the property");
    let (budget, solver) = (Budget::new(Some(time), None), SolverConfig::default());
    let resources = Resources { budget: &budget, solver: &solver, picture: false, reduce: true };
    let outcome = Cegar { config }.run(Question { program: &program, property }, resources);
    let holds = match &outcome.finding {
        Finding::Proved(certificate) => {
            let mut solver = solver.open().expect("Z3 starts");
            let unlimited = Budget::unlimited();
            let accepted =
                parallax_certify::check(&program, property, certificate, &mut *solver, &unlimited);
            assert!(accepted.is_ok(), "{accepted:?}");
            Some(true)
        }
        Finding::Reached(trace) => {
            let accepted = parallax_certify::replay(&program, property, trace);
            assert!(accepted.is_ok(), "{accepted:?}");
            Some(false)
        }
        _ => None,
    };
    (holds, outcome)
}

const AMPLE: Duration = Duration::from_secs(60);

#[test]
fn the_good_refinement_needs_no_unrolling() {
    for order in [Order::Dfs, Order::Bfs, Order::Rpo] {
        for abstraction in [Abstraction::Cartesian, Abstraction::Boolean] {
            for eager in [false, true] {
                let config = CegarConfig { order, abstraction, eager, ..CegarConfig::default() };
                let (holds, outcome) = run(XY, config, AMPLE);
                assert_eq!(holds, Some(true), "{order:?} {abstraction:?} {eager}");
                assert_eq!(outcome.statistics.iterations, 2);
                assert_eq!(outcome.statistics.predicates, 1);
                // The path start, turn is excluded by "y <= x".
                assert_eq!(outcome.history.len(), 1);
                assert_eq!(outcome.history[0].predicates, ["x < y"]);
            }
        }
    }
}

#[test]
fn each_method_shows_its_predicates() {
    let first = |refiner| {
        let config = CegarConfig { refiner, track: Track::Predicates, ..CegarConfig::default() };
        let (_, outcome) = run(XY, config, Duration::from_secs(5));
        outcome.history[0].predicates.clone()
    };
    // The core of start, turn is one of the two guards; it is tracked as it stands.
    assert_eq!(first(Refiner::Syntactic), ["y <= 0"]);
    // Before turn the same guard is the weakest condition.
    assert_eq!(first(Refiner::Preconditions), ["y <= 0"]);
    assert_eq!(first(Refiner::Interpolants), ["x < y"]);
}

#[test]
fn a_run_is_found_and_replayed() {
    for mode in [Mode::Predicates, Mode::Impact] {
        let config = CegarConfig { mode, ..CegarConfig::default() };
        assert_eq!(run(BROKEN, config, AMPLE).0, Some(false), "{mode:?}");
    }
}

#[test]
fn truth_values_are_tracked_by_value() {
    let (holds, outcome) = run(LOCK, CegarConfig::default(), AMPLE);
    assert_eq!(holds, Some(true));
    assert_eq!(outcome.history.len(), 1);
    assert_eq!(outcome.history[0].predicates, ["held"]);
    let config = CegarConfig { mode: Mode::Impact, ..CegarConfig::default() };
    assert_eq!(run(LOCK, config, AMPLE).0, Some(true));
}

#[test]
fn lazy_abstraction_builds_fewer_nodes_than_eager() {
    // A long way to where predicates are needed.
    let way: String = (0..8).map(|i| format!("s{i}: l{i} -> l{}; ", i + 1)).collect();
    let names: Vec<String> = (0..11).map(|i| format!("l{i}")).collect();
    let text = format!(
        "var a, b, c: int; process P {{ location {}; {way} \
         set: l8 -> l9 do a := 1, b := 2, c := 3; go: l9 -> l10; }} \
         unreachable bad: P@l10 && (a != 1 || b != 2 || c != 3);",
        names.join(", ")
    );
    let nodes = |eager| {
        let config = CegarConfig { eager, track: Track::Predicates, ..CegarConfig::default() };
        let (holds, outcome) = run(&text, config, AMPLE);
        assert_eq!(holds, Some(true));
        outcome.statistics.states
    };
    let (lazy, eager) = (nodes(false), nodes(true));
    assert!(lazy < eager, "lazy {lazy}, eager {eager}");
}
