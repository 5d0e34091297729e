//! Inductive, inductive over several steps, violated, and neither.

use super::*;
use parallax_base::{Budget, Id, SourceFile, SourceMap};
use parallax_evidence::Certificate;
use parallax_front_model::{Options, load};
use parallax_solver::SolverConfig;
use std::time::Duration;

/// Asks, has the evidence checked, and puts the answer in a few words.
fn check(text: &str, expected: &str) {
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new("m.plx", text));
    let program =
        load(&mut sources, file, &Options::default()).expect("the model is right").program;
    let budget = Budget::new(Some(Duration::from_secs(60)), None);
    let (property, solver) = (Id::new(0), SolverConfig::default());
    let resources = Resources { budget: &budget, solver: &solver, picture: false, reduce: true };
    let outcome = Kind::default().run(Question { program: &program, property }, resources);
    let answer = match &outcome.finding {
        Finding::Proved(certificate) => {
            let mut checker = solver.open().expect("Z3 starts");
            let checked =
                parallax_certify::check(&program, property, certificate, &mut *checker, &budget);
            assert!(checked.is_ok(), "{checked:?}\n{text}");
            damaged(&program, certificate, &budget);
            format!("proved with {}", outcome.statistics.iterations)
        }
        Finding::Reached(trace) => {
            let replayed = parallax_certify::replay(&program, property, trace);
            assert!(replayed.is_ok(), "{replayed:?}\n{text}");
            format!("reached in {}", trace.steps.len())
        }
        other => format!("{other:?}"),
    };
    assert!(answer.starts_with(expected), "{answer}\n{text}");
}

/// No region of a proof can be left out.
fn damaged(program: &parallax_ir::Program, certificate: &Certificate, budget: &Budget) {
    let Certificate::Closed(set) = certificate else { panic!("a closed set") };
    for lost in 0..set.fragment.len() {
        let mut damaged = set.clone();
        damaged.fragment.remove(lost);
        let mut checker = SolverConfig::default().open().expect("Z3 starts");
        let damaged = Certificate::Closed(damaged);
        let checked = parallax_certify::check(program, Id::new(0), &damaged, &mut *checker, budget);
        assert!(checked.is_err(), "without region {lost}");
    }
}

#[test]
fn as_many_steps_as_it_takes() {
    // The property is inductive as it stands.
    check(
        "model one; var x: int = 0; process P { step: when x < 10 do x := x + 1; }
         invariant low: x <= 10;",
        "proved with 1",
    );
    // From b == 7 one step leads to a == 7, and nothing leads to b == 7 but c == 7, to which
    // nothing leads.
    check(
        "model shift; var a: int = 0; var b: int = 0; var c: int = 0;
         process P { step: do a := b, b := c, c := if c == 0 then 10 else 0; } invariant never: a != 7;",
        "proved with 3",
    );
    // Inputs are eliminated.
    check(
        "model inputs; var a: int = 0; var b: int = 0;
         process P { step: do a := b, b := any; cut: when b > 5 do b := 0; }
         invariant never: a != a + 1;",
        "proved with 1",
    );
    check(
        "model run; var x: int = 0; process P { step: do x := x + 2; } invariant never: x != 6;",
        "reached in 3",
    );
    // A thousand steps would be enough.
    check(
        "model far; var x: int = 0; var y: int = 0;
         process P { step: do x := x + 1, y := y + 1; } invariant never: x != 1000 || y == x;",
        "Unknown(NoProgress",
    );
}
