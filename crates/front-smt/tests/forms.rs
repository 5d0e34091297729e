//! Both forms of problems, and what is said about broken ones.

use parallax_base::{SourceFile, SourceMap};
use parallax_front_smt::load;
use parallax_ir::{Sides, TemplateProblem};

fn read(text: &str) -> Result<TemplateProblem, Vec<String>> {
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new("p.smt2", text));
    load(&sources, file).map(|loaded| loaded.problem).map_err(|diagnostics| {
        let place = |d: &parallax_base::Diagnostic| {
            format!("{} {}: {}", sources.place(d.labels[0].span), d.code, d.message)
        };
        diagnostics.iter().map(place).collect()
    })
}

/// Templates and formula as text.
fn shown(text: &str) -> (Vec<String>, String) {
    let problem = read(text).expect("a problem");
    let show = |t| problem.store.smtlib(t);
    (problem.templates.iter().map(|t| show(t.term)).collect(), show(problem.formula))
}

fn check(text: &str, expected: &[&str]) {
    assert_eq!(read(text).map(|_| ()), Err(expected.iter().map(|s| (*s).to_owned()).collect()));
}

const THESIS: &str = "(declare-const x Real) (declare-const y Real)
    (declare-const k1 Real) (declare-const k2 Real)
    (assert (=> (and (and (<= 1.0 y) (<= y 3.0)) (or (and (<= 1.0 x) (<= x 3.0)) (>= x 4.0)))
                (and (< y k1) (< (+ x y) k2))))";

#[test]
fn the_form_of_the_thesis_has_both_sides() {
    let problem = read(THESIS).expect("a problem");
    assert!(problem.templates.iter().all(|t| t.sides == Sides::Both));
    assert_eq!(problem.wanted().len(), 4);
    let (templates, formula) = shown(THESIS);
    assert_eq!(templates, ["y", "(+ x y)"]);
    assert!(!formula.contains("k1"), "{formula}");
}

#[test]
fn the_implication_is_found_behind_lets_and_as_a_disjunction() {
    let declared = "(declare-fun x () Real) (declare-fun k () Real)";
    let plain = shown(&format!("{declared} (assert (=> (<= x 3.0) (< x k)))"));
    for text in [
        "(assert (let ((a (<= x 3.0))) (let ((b (< x k))) (=> a b))))",
        "(assert (let ((a (<= x 3.0))) (let ((b (and (< x k)))) (let ((c (=> a b))) c))))",
        "(assert (! (or (not (<= x 3.0)) (and (<= x k))) :named goal))",
        "(assert (=> (<= x (~ (- 3.0))) (> k x)))",
        "(assert (=> (<= x 3.0) (<= x 4.0) (>= k x)))",
    ] {
        let (templates, formula) = shown(&format!("{declared} {text}"));
        assert_eq!(templates, plain.0, "{text}");
        assert!(formula.contains("x") && !formula.contains('k'), "{formula}");
    }
}

#[test]
fn objectives_have_one_side_and_implications_among_them_are_formulas() {
    let problem = read(
        "(set-logic QF_LIRA) (declare-const i Int) (declare-const r Real)
         (define-fun sum () Real (+ (to_real i) r))
         (assert (=> (< 0 i) (< r 2.5))) (assert (<= i 7))
         (set-option :opt.priority box)
         (maximize sum) (minimize i) (check-sat) (get-objectives) (exit) (nonsense",
    );
    assert_eq!(problem.map(|_| ()), Err(vec!["p.smt2:5:74 S0001: `(` is never closed".into()]));
    let problem = read(
        "(set-option :opt.priority box)
         (declare-const i Int) (declare-const r Real) (assert (=> (< 0 i) (< i 2)))
         (maximize (+ i r)) (minimize i) (exit) (nonsense)",
    )
    .expect("a problem");
    let sides: Vec<Sides> = problem.templates.iter().map(|t| t.sides).collect();
    assert_eq!(sides, [Sides::Upper, Sides::Lower]);
    assert_eq!(problem.symbols.len(), 2);
}

#[test]
fn mistakes_have_their_place() {
    check("(assert (< x 1))", &["p.smt2:1:12 S0005: `x` is not known"]);
    check("(assert\n  (< 1 2)", &["p.smt2:1:1 S0001: `(` is never closed"]);
    check(
        "(declare-const a (_ BitVec 0))",
        &["p.smt2:1:18 S0003: the sort `(_ BitVec 0)` is not supported"],
    );
    check(
        "(declare-const a Int)\n(declare-const a Real)\n(reset)\n(maximize (* a a))",
        &[
            "p.smt2:2:16 S0004: `a` is declared twice",
            "p.smt2:3:1 S0002: the command `reset` is not supported",
        ],
    );
    check(
        "(declare-const x Real) (declare-const k Real)\n\
         (assert (=> (or (<= (* (- 2) x) 1.0)\n (<= (* 2.0 x (+ x 1.0)) 3.0)) (< x k)))",
        &["p.smt2:3:6 S0006: `(* x (+ x 1.0))` is not linear arithmetic"],
    );
    check(
        "(declare-fun f (Int) Int)",
        &["p.smt2:1:14 S0002: functions without a definition are not supported"],
    );
    check(
        "(declare-const a Int) (assert (< a 1))",
        &["p.smt2:1:39 S0007: nothing is to be bounded"],
    );
    check(
        "(declare-const a Int) (assert (+ a 1))",
        &["p.smt2:1:31 S0005: an assertion must be a truth value"],
    );
    check(
        "(declare-const a Bool) (maximize a)",
        &["p.smt2:1:34 S0005: an objective must be a number"],
    );
    check(
        "(declare-const a Int) (assert (=> (< a 1) (< a a)))",
        &["p.smt2:1:43 S0008: the bound of a template must be a symbol that occurs nowhere else"],
    );
    check("42", &["p.smt2:1:1 S0002: a command is expected here"]);
}

#[test]
fn depth_needs_no_stack() {
    let depth = 200_000;
    let deep = "(not ".repeat(depth) + "(<= x 1.0)" + &")".repeat(depth);
    let text = format!("(declare-const x Real) (assert {deep}) (maximize x)");
    assert_eq!(shown(&text).0, ["x"]);
    let lets =
        "(let ((a (+ x 1.0))) ".repeat(depth) + "(=> (<= x 1.0) (< x k))" + &")".repeat(depth);
    let text = format!("(declare-const x Real) (declare-const k Real) (assert {lets})");
    assert_eq!(shown(&text).0, ["x"]);
    let sums = "(+ 1.0 ".repeat(depth) + "x" + &")".repeat(depth);
    let text = format!("(declare-const x Real) (assert (<= {sums} 1.0)) (maximize x)");
    assert_eq!(shown(&text).0, ["x"]);
}
