//! Proofs that are wrong although a checker accepted them do not survive.

use super::*;
use crate::{Answer, LoadOptions, load_files, load_text};
use parallax_base::{Id, Stop};
use parallax_evidence::Region;
use parallax_term::{Term, TermStore};
use std::sync::Arc;

/// The task of a C text.
fn c_task(name: &str, text: &str) -> Task {
    let folder = std::env::temp_dir().join(format!("parallax-attack-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join(name);
    std::fs::write(&path, text).expect("a file");
    load_files(&[path], &LoadOptions::default()).expect("a program")
}

/// What a checker that was deceived would hand out: all states with a formula
/// are closed.
fn deceived(task: &Task, formula: impl Fn(&mut TermStore) -> Term) -> Checked {
    let mut store = task.program.store.clone();
    let formula = formula(&mut store);
    let fragment = vec![Region { fixed: Vec::new(), formula }];
    let (points, prefix) = (Vec::new(), Vec::new());
    let set = ClosedSet { store, points, prefix, fragment, quotient: None };
    let mut answer = Answer::open(Id::new(0), "nobody", Stop::Cancelled.into());
    answer.outcome.finding = Finding::Proved(Box::new(Certificate::Closed(set)));
    Checked::new(task, vec![Arc::new(answer)], Duration::ZERO)
}

fn attacked(task: &Task, formula: impl Fn(&mut TermStore) -> Term) -> Result<Survived, Hit> {
    attack(task, &deceived(task, formula), Duration::from_secs(100), &SolverConfig::default())
}

const INPUT: &str = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);\n";

#[test]
fn inputs_are_guessed_from_the_program() {
    for (name, condition) in [
        ("constant.c", "x == 77"),
        ("beside.c", "x > 76 && x < 78"),
        ("limit.c", "x == -2147483647 - 1"),
        ("two.c", "x == 0 && __VERIFIER_nondet_int() == 12"),
    ] {
        let text = format!(
            "{INPUT}int main(void) {{ int x = __VERIFIER_nondet_int(); int y = 77;
             if ({condition}) reach_error(); return y; }}"
        );
        let hit = attacked(&c_task(name, &text), |store| store.bool(true)).expect_err(name);
        assert_eq!(hit.property, "unreach-call");
        assert!(hit.how.contains("reach_error"), "{}", hit.how);
        assert!(hit.again.contains("--input="), "{}", hit.again);
    }
}

#[test]
fn inputs_that_nobody_guesses_are_solved_for() {
    let text = format!(
        "{INPUT}int main(void) {{ int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
         if (x > 1234 && x < 100000 && 7919 * x + 31 == y) reach_error(); return 0; }}"
    );
    let task = c_task("solved.c", &text);
    let hit = attacked(&task, |store| store.bool(true)).expect_err("a hit");
    assert!(hit.how.contains("reach_error"), "{}", hit.how);
}

#[test]
fn what_really_holds_survives() {
    let text = format!(
        "{INPUT}int main(void) {{ int x = __VERIFIER_nondet_int();
         if (x > 5 && x < 5) reach_error(); return 0; }}"
    );
    let survived = attacked(&c_task("fine.c", &text), |store| store.bool(true)).expect("no hit");
    assert_eq!(survived.runs, RUNS);
}

#[test]
fn states_are_compared_with_invariants() {
    let text = format!(
        "{INPUT}int main(void) {{ unsigned i = 0; while (i < 10) i++;
         if (i != 10) reach_error(); return 0; }}"
    );
    let task = c_task("loop.c", &text);
    let variable = task.program.variables.iter().find(|v| v.name.starts_with('i'));
    let i = variable.expect("a variable `i`").term;
    let at_most = |bound: i64| {
        move |store: &mut TermStore| {
            let bound = store.int(bound);
            store.le(i, bound)
        }
    };
    let hit = attacked(&task, at_most(7)).expect_err("8 is reached");
    assert!(hit.how.contains("loop.c:2"), "{}", hit.how);
    let survived = attacked(&task, at_most(10)).expect("it holds");
    assert!(survived.states >= 11, "{survived:?}");
}

#[test]
fn models_are_run_too() {
    let text = "var x: int = 0; process P { go: when x < 3 do x := x + 1; }
                unreachable top: x == 3;";
    let task = load_text("m.plx", text, &[]).expect("a model");
    let hit = attacked(&task, |store| store.bool(true)).expect_err("3 is reached");
    assert!(hit.how.contains("must not be reached"), "{}", hit.how);
    assert_eq!(hit.again, "take: P.go, P.go, P.go");
    let text = text.replace("x == 3", "x == 4");
    let task = load_text("m.plx", &text, &[]).expect("a model");
    let hit = attacked(&task, |store| store.bool(false)).expect_err("the start is outside");
    assert!(hit.how.contains("certified"), "{}", hit.how);
    assert!(attacked(&task, |store| store.bool(true)).is_ok());
}
