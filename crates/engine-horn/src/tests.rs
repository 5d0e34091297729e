//! Answers on small programs, and what becomes of a solver that misbehaves.

use crate::{Pdr, PdrConfig};
use parallax_base::{Budget, Id, SourceFile, SourceMap};
use parallax_engine::{Engine, Question, Resources};
use parallax_evidence::{Certificate, Finding};
use parallax_front_model::{Options, load};
use parallax_ir::Program;
use parallax_solver::{PipeCommand, SolverConfig};
use std::time::Duration;

fn program(text: &str) -> Program {
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new("m.plx", text));
    load(&mut sources, file, &Options::default()).expect("the model is right").program
}

fn finding(program: &Program, command: Option<PipeCommand>, budget: &Budget) -> Finding {
    let question = Question { program, property: Id::new(0) };
    let solver = SolverConfig::default();
    let resources = Resources { budget, solver: &solver, picture: false, reduce: true };
    Pdr { config: PdrConfig { command } }.run(question, resources).finding
}

/// Asks, has the evidence checked, and puts the answer in a few words.
fn check(text: &str, expected: &str) {
    let (program, budget) = (program(text), Budget::new(Some(Duration::from_secs(60)), None));
    let property = Id::new(0);
    let answer = match finding(&program, None, &budget) {
        Finding::Proved(certificate) => {
            let mut solver = SolverConfig::default().open().expect("Z3 starts");
            let checked =
                parallax_certify::check(&program, property, &certificate, &mut *solver, &budget);
            assert!(checked.is_ok(), "{checked:?}\n{text}");
            String::from("proved")
        }
        Finding::Reached(trace) => {
            let replayed = parallax_certify::replay(&program, property, &trace);
            assert!(replayed.is_ok(), "{replayed:?}\n{text}");
            format!("reached in {}", trace.steps.len())
        }
        other => format!("{other:?}"),
    };
    assert_eq!(answer, expected, "{text}");
}

const SUM: &str = "model sum; var x: int = 0; var y: int = 0; process P { location a, b;
    step: a -> a when x < 1000000 do x := x + 1, y := y + 2;
    done: a -> b when x >= 1000000; } invariant even: P@b => y == 2000000;";

#[test]
fn models_are_proved_and_refuted() {
    check(SUM, "proved");
    check(&SUM.replace("y == 2000000", "y == 2000001").replace("1000000", "7"), "reached in 8");
    check(
        "model two; var turn: 0..=1 = 0; var sum: int = 0;
         process P { location a; go: a -> a when turn == 0 do turn := 1, sum := sum + 3; }
         process Q { location a; go: a -> a when turn == 1 do turn := 0, sum := sum - 3; }
         invariant bound: sum >= 0 && sum <= 3;",
        "proved",
    );
    check(
        "model none; var x: int; process P { location a, b; go: a -> b when x < x; }
         unreachable never: P@b;",
        "proved",
    );
}

/// What is said when a shell script stands in the place of the solver.
fn rogue(script: &str, time: Duration, expected: &str) {
    let program = program(SUM);
    let arguments = vec![String::from("-c"), script.to_owned()];
    let command = PipeCommand { program: "/bin/sh".into(), arguments };
    let said = match finding(&program, Some(command), &Budget::new(Some(time), None)) {
        Finding::Unknown(why) => why.to_string(),
        Finding::Proved(certificate) => {
            let budget = Budget::unlimited();
            let mut solver = SolverConfig::default().open().expect("Z3 starts");
            let property = Id::new(0);
            let checked =
                parallax_certify::check(&program, property, &certificate, &mut *solver, &budget);
            format!("accepted: {}", checked.is_ok())
        }
        other => format!("{other:?}"),
    };
    assert!(said.contains(expected), "{script}: {said}");
}

#[test]
fn a_process_that_misbehaves_costs_an_answer_and_nothing_else() {
    let long = Duration::from_secs(30);
    rogue("kill -9 $$", long, "the solver process ended without an answer");
    rogue("kill -ABRT $$", long, "the solver process ended without an answer");
    rogue("sleep 1000", Duration::from_millis(700), "time limit reached");
    rogue("echo rubbish; cat", long, "a strange answer: rubbish");
    rogue("echo '(error \"out of memory\")'; cat", long, "out of memory");
    rogue("echo unknown; echo '(:reason-unknown \"tired\")'; cat", long, "tired");
    rogue("echo sat; echo 'nonsense'; cat", long, "the solution cannot be read");
    let exists =
        "echo sat; echo '((define-fun a ((x Int) (y Int)) Bool (exists ((z Int)) (< x z))))'; cat";
    rogue(exists, long, "quantifiers");
    // A refutation without a derivation, and one that is a lie.
    rogue("echo unsat; cat", long, "its steps are lost");
    let lie = "while read line; do case \"$line\" in *check-sat*) echo unsat;; \
               *query*) echo sat; echo '((_ hyper-res 0) (asserted x) query!0)';; esac; done";
    rogue(lie, long, "no step of the program");
}

#[test]
fn a_solution_that_is_none_is_not_accepted() {
    let solution = |formula: &str| {
        format!("echo sat; echo '((define-fun a ((x Int) (y Int)) Bool {formula}))'; cat")
    };
    let long = Duration::from_secs(30);
    rogue(&solution("(= y (* 2 x))"), long, "accepted: false");
    rogue(&solution("false"), long, "accepted: false");
    rogue(&solution("true"), long, "accepted: false");
    let right = "(and (= y (* 2 x)) (<= x 1000000))";
    let both = format!(
        "echo sat; echo '((define-fun a ((x Int) (y Int)) Bool {right}) \
         (define-fun b ((y Int)) Bool (= y 2000000)))'; cat"
    );
    rogue(&both, long, "accepted: true");
}

#[test]
fn damaged_solutions_are_rejected() {
    let program = program(SUM);
    let budget = Budget::unlimited();
    let Finding::Proved(certificate) = finding(&program, None, &budget) else {
        panic!("the model is proved");
    };
    let Certificate::Closed(set) = *certificate else { panic!("a closed set") };
    for lost in 0..set.fragment.len() {
        let mut damaged = set.clone();
        damaged.fragment.remove(lost);
        let mut solver = SolverConfig::default().open().expect("Z3 starts");
        let damaged = Certificate::Closed(damaged);
        let checked =
            parallax_certify::check(&program, Id::new(0), &damaged, &mut *solver, &budget);
        assert!(checked.is_err(), "without region {lost}");
    }
}
