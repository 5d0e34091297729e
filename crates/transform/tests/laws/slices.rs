//! Slices of programs that never return keep the branches before an error.

use crate::{load, run};
use parallax_cfa::run::Outcome;
use parallax_cfa::{Op, Program};
use parallax_transform::inline::{Limits, inline};
use parallax_transform::points_to::{self, PointsTo};
use parallax_transform::slice;

/// The slice of an inlined program for its errors.
fn sliced(text: &str) -> Program {
    let limits = Limits { recursion: 1, edges: 10_000 };
    let inlined = inline(&load("endless", text), &limits).expect("a small program");
    let points_to = PointsTo::analyze(&inlined.program, &points_to::Options::default());
    let is_error = |op: &Op| matches!(op, Op::Error(_));
    slice(&inlined.program, &points_to, &is_error).expect("a start function").program
}

#[test]
fn an_error_in_an_endless_loop_depends_on_its_branches() {
    let check = |body: &str| {
        let head = "extern int __VERIFIER_nondet_int(void); extern void abort(void);\n\
                    void reach_error(void) { }\n";
        let text = format!("{head}int main(void) {{ int x = 0, y = 0; {body} }}");
        for inputs in [[0, 0, 0], [1, 0, 1], [1, 1, 1]] {
            let found = run(&sliced(&text), &inputs);
            assert!(!matches!(found, Outcome::Error(_)), "{body}: {found}");
        }
    };
    // The error is the only end.
    check("while (1) { if (x == 1) reach_error(); }");
    check(
        "while (1) { x = __VERIFIER_nondet_int(); if (x == 1) y = 1; if (x != y && x == 1) reach_error(); }",
    );
    check(
        "for (;;) { switch (x) { case 0: x = 2; break; case 2: x = 0; break; default: reach_error(); } }",
    );
    // There is a good end as well.
    check("while (1) { if (y > 3) abort(); y++; if (x == 1) reach_error(); }");
    // One side of a branch goes on for ever.
    check("if (x == 0) { stop: goto stop; } reach_error();");
    check("if (x == 0) { while (1) { y++; if (y < 0 && x > 0) reach_error(); } } reach_error();");
}
