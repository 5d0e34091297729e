//! What is shown thread by thread, and what is not.

use super::Modular;
use parallax_base::{Budget, Id, SourceFile, SourceMap};
use parallax_engine::{Engine, Question, Resources};
use parallax_evidence::{Certificate, Finding};
use parallax_front_model::{Options, load};
use parallax_solver::SolverConfig;
use std::time::Duration;

fn check(text: &str, holds: bool) {
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new("m.plx", text));
    let program =
        load(&mut sources, file, &Options::default()).expect("the model is right").program;
    let budget = Budget::new(Some(Duration::from_secs(20)), None);
    let solver = SolverConfig::default();
    let resources = Resources { budget: &budget, solver: &solver, picture: false, reduce: true };
    let question = Question { program: &program, property: Id::new(0) };
    let outcome = Modular::default().run(question, resources);
    match outcome.finding {
        Finding::Proved(certificate) => {
            assert!(holds, "{text}");
            let Certificate::Closed(set) = &*certificate else { panic!("a closed set") };
            assert_eq!(set.fragment.len(), 1);
            let mut fresh = solver.open().expect("Z3 starts");
            let judged = parallax_certify::check(
                &program,
                Id::new(0),
                &certificate,
                &mut *fresh,
                &Budget::unlimited(),
            );
            assert!(judged.is_ok(), "{judged:?}\n{text}");
        }
        Finding::Unknown(why) => assert!(!holds, "{why}\n{text}"),
        other => panic!("an annotation or nothing, not {other:?}"),
    }
}

/// A lock by test and set around a counter that is 0 outside.
const LOCK: &str = "model lock; var free: bool = true, x: int = 0;
    process P[i in 0..3] {
      location out, a, b;
      enter: out -> a when free do free := false;
      up: a -> b do x := x + 1;
      leave: b -> out do x := 0, free := true;
    }
    invariant p: x < 2;";

#[test]
fn a_lock_needs_to_say_who_is_inside() {
    // Without knowing that at most one is inside, nobody knows what `x` is.
    check(LOCK, true);
    check(&LOCK.replace("when free do free", "do free"), false);
}

#[test]
fn what_is_not_so_is_not_shown() {
    let counter = "model counter; var x: int = 0;
        process P[i in 0..2] { var y: int = 0; location a, b, c;
          read: a -> b do y := x;
          write: b -> c do x := y + 1; }
        invariant p: x <= 2;";
    check(counter, true);
    check(&counter.replace("x <= 2", "P[0]@c && P[1]@c => x == 2"), false);
}

#[test]
fn steps_together_keep_both_annotations() {
    let meeting = "model meeting; action meet; var n: int = 0;
        process P { location a, b; go: [meet] a -> b do n := n + 1; }
        process Q { location a, b; go: [meet] a -> b; }
        invariant p: Q@b => n == 1;";
    check(meeting, true);
    check(&meeting.replace("n == 1", "n == 2"), false);
}
