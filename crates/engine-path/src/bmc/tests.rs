//! What is found and proved on small programs, and what it costs.

use super::*;
use parallax_base::{Budget, Event, Id, Observer, SourceFile, SourceMap, Stop};
use parallax_evidence::Certificate;
use parallax_front_model::{Options, load};
use parallax_ir::Program;
use parallax_solver::SolverConfig;
use std::sync::{Arc, Mutex};
use std::time::Duration;

fn program(text: &str) -> Program {
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new("m.plx", text));
    load(&mut sources, file, &Options::default()).expect("the model is right").program
}

fn outcome(program: &Program, config: BmcConfig, budget: &Budget) -> Outcome {
    let question = Question { program, property: Id::new(0) };
    let solver = SolverConfig::default();
    let resources = Resources { budget, solver: &solver, picture: false, reduce: true };
    Bmc { config }.run(question, resources)
}

/// How often the solver was asked matters only if it was not.
fn some(queries: u64) -> &'static str {
    if queries == 0 { "no" } else { "some" }
}

/// Runs the engine, has the evidence checked, and puts the answer in a few
/// words: what was found, how large the tree is, whether the solver was asked
/// by the search and by the checker.
fn answer(text: &str) -> String {
    let (program, budget) = (program(text), Budget::unlimited());
    let outcome = outcome(&program, BmcConfig { depth: Some(100) }, &budget);
    let asked = some(outcome.statistics.solver_queries);
    let property = Id::new(0);
    match &outcome.finding {
        Finding::Proved(certificate) => {
            let Certificate::Unrolling(tree) = &**certificate else { return "?".into() };
            let mut solver = SolverConfig::default().open().expect("Z3 starts");
            let checked =
                parallax_certify::check(&program, property, certificate, &mut *solver, &budget);
            let checked = some(checked.expect("the proof is right").queries);
            let (depth, size) = (tree.depth(), tree.steps.len() + 1);
            format!("proved: depth {depth}, {size} nodes, {asked} and {checked} queries")
        }
        Finding::Reached(trace) => {
            let replayed = parallax_certify::replay(&program, property, trace);
            assert!(replayed.is_ok(), "{replayed:?}");
            format!("reached: {} steps, {asked} queries", trace.steps.len())
        }
        Finding::Executed(_) => String::from("a run of a C program"),
        Finding::Unknown(why) => format!("{why}; {}", outcome.history[0].reason),
    }
}

#[test]
fn answers_and_their_cost() {
    let check = |text: &str, expected: &str| assert_eq!(answer(text), expected, "{text}");
    // All is constant: nothing is asked.
    check(
        "var x: int = 0; process P { up: when x < 9 do x := x + 1; } invariant low: x <= 9;",
        "proved: depth 9, 10 nodes, no and no queries",
    );
    check(
        "var x: int = 0; process P { up: when x < 9 do x := x + 1; } invariant low: x < 7;",
        "reached: 7 steps, no queries",
    );
    // The number of steps depends on the initial value.
    check(
        "var n: 0..4; var x: int = 0;
         process P { up: when x < n do x := x + 1; } invariant low: x <= n;",
        "proved: depth 3, 4 nodes, some and some queries",
    );
    // The shortest run is found, though a longer one comes first in the text.
    check(
        "var x: int = 0; process P {
           location a, b, c, d;
           a -> b; b -> c; c -> d do x := 1; a -> d do x := 1; }
         unreachable one: x == 1;",
        "reached: 1 steps, no queries",
    );
    // An input that the solver has to find.
    check(
        "var x: int = 0; process P {
           location a, b, c;
           a -> b do x := any 0..1000; b -> c when x * x == 144 do x := 1 - x; }
         unreachable low: x == -11;",
        "reached: 2 steps, some queries",
    );
    // A state that comes back ends a run.
    check(
        "var x: 0..3 = 0; process P { go: do x := (x + 1) % 3; } invariant low: x < 3;",
        "proved: depth 3, 4 nodes, no and no queries",
    );
    // Runs that come back to the same states in turns all end.
    check(
        "var x: 0..4 = 0; process P { a: do x := (x + 1) % 4; b: do x := (x + 2) % 4; }
         invariant low: x < 4;",
        "proved: depth 3, 9 nodes, no and no queries",
    );
    // Ways that differ in the order of steps only come together, whoever chooses.
    check(
        "var x: int = 0; var y: int = 0; var z: int = 0;
         process P { location p, q, r; p -> q do y := any; q -> r do x := x + y; }
         process Q { location p, q; p -> q do x := x + 1, z := 1; }
         invariant low: z <= 1;",
        "proved: depth 3, 6 nodes, no and no queries",
    );
    // No initial state, no run.
    check(
        "var x: int; init x > 0 && x < 0; process P { go: do x := x + 1; } invariant f: x == 0;",
        "proved: depth 0, 1 nodes, some and some queries",
    );
    // Runs without end.
    check(
        "var x: int = 0; process P { up: do x := x + 1; } invariant low: x >= 0;",
        "no progress: runs of more than 100 steps are not looked at; \
         no run of up to 100 steps was found to reach it",
    );
}

/// Two ways to one state, under conditions that exclude each other.
const TWO_WAYS: &str = "var x: int; var y: int = 0; process P {
    location a, b, c;
    up: a -> b when x > 0 do y := 1;
    down: a -> b when x <= 0 do y := 1;
    done: b -> c when x == -5 do y := 2; }";

#[test]
fn a_state_is_the_same_under_no_more_conditions_only() {
    let reached = format!("{TWO_WAYS} unreachable two: y == 2;");
    assert_eq!(answer(&reached), "reached: 2 steps, some queries");
    let program = program(&format!("{TWO_WAYS} invariant two: y <= 2;"));
    let budget = Budget::unlimited();
    let outcome = outcome(&program, BmcConfig::default(), &budget);
    let Finding::Proved(certificate) = outcome.finding else { panic!("it holds") };
    let Certificate::Unrolling(tree) = *certificate else { panic!("all runs end") };
    assert_eq!(tree.steps.len(), 3);
    // The step from the second node cannot be left to the first, which lacks it too.
    let mut cut = tree.clone();
    cut.steps.pop();
    let check = |tree| {
        let mut solver = SolverConfig::default().open().expect("Z3 starts");
        let certificate = Certificate::Unrolling(tree);
        parallax_certify::check(&program, Id::new(0), &certificate, &mut *solver, &budget)
    };
    assert!(check(tree).is_ok());
    assert!(check(cut).is_err());
}

#[test]
fn shared_actions_and_interleavings() {
    let text = "action sync; var x: int = 0;
        process P { location a, b, c; a -> b do x := x + 1; [sync] b -> c; }
        process Q { location a, b, c; a -> b do x := 2 * x; [sync] b -> c do x := x + 10; }
        unreachable both: x == 12;";
    assert_eq!(answer(text), "reached: 3 steps, no queries");
    assert_eq!(answer(&text.replace("12", "13")), "proved: depth 3, 7 nodes, no and no queries");
}

#[test]
fn limits_are_kept_and_told() {
    let program = program(
        "var x: int; process P { up: when x > 0 do x := x + 1; } invariant low: x * x >= x;",
    );
    let budget = Budget::new(Some(Duration::from_millis(200)), None);
    let stopped = outcome(&program, BmcConfig::default(), &budget);
    assert!(matches!(stopped.finding, Finding::Unknown(Why::Stopped(Stop::Time))));
    assert!(budget.elapsed() < Duration::from_secs(20));
    assert!(stopped.history[0].reason.starts_with("no run of up to"));
    budget.stop(Stop::Cancelled);
    let cancelled = outcome(&program, BmcConfig::default(), &budget);
    assert!(matches!(cancelled.finding, Finding::Unknown(Why::Stopped(Stop::Cancelled))));
}

#[derive(Default)]
struct Listener(Mutex<Vec<Event>>);

impl Observer for Listener {
    fn notice(&self, event: Event) {
        self.0.lock().expect("no panic").push(event);
    }
}

#[test]
fn the_observer_hears_of_every_depth_and_runs_repeat_themselves() {
    let program = program(
        "var x: 0..=9; var y: int = 0; process P { up: when x > y do y := y + 1; }
         invariant low: y <= 9;",
    );
    let listen = || {
        let (listener, solver) = (Arc::new(Listener::default()), SolverConfig::default());
        let budget = Budget::unlimited().observed(Arc::clone(&listener) as _);
        let resources =
            Resources { budget: &budget, solver: &solver, picture: false, reduce: true };
        let question = Question { program: &program, property: Id::new(0) };
        let outcome = Bmc::default().run(question, resources);
        assert!(matches!(outcome.finding, Finding::Proved(_)));
        let heard = listener.0.lock().expect("no panic");
        heard.clone()
    };
    let heard = listen();
    let depths = heard.iter().filter(|e| matches!(e, Event::Iteration { .. })).count();
    assert_eq!(depths, 10);
    assert_eq!(heard, listen());
}
