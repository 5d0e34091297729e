//! Scripts for optimizing solvers: random ones get the replies of Z3's own
//! optimizer and of enumeration, and what is not supported is refused.

use parallax::LoadError;
use parallax::optimize::{Optimize, load_problem_text};
use parallax::report::{OptimaReply, render_optima};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// Numbers that look random.
struct Random(u64);

impl Random {
    fn next(&mut self, below: i64) -> i64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        ((self.0 >> 33) as i64) % below
    }

    fn sum(&mut self) -> String {
        let parts: Vec<String> = ["x", "y", "z"]
            .map(|v| (self.next(5) - 2, v))
            .map(
                |(c, v)| if c < 0 { format!("(* (- {}) {v})", -c) } else { format!("(* {c} {v})") },
            )
            .to_vec();
        format!("(+ {})", parts.join(" "))
    }

    fn formula(&mut self) -> String {
        let one = |r: &mut Random| format!("(<= {} (- {} 6))", r.sum(), r.next(13));
        match self.next(3) {
            0 => format!("(or {} {})", one(self), one(self)),
            1 => format!("(=> {} {})", one(self), one(self)),
            _ => one(self),
        }
    }

    fn script(&mut self, priority: &str, softs: i64) -> String {
        let mut text = format!("(set-option :opt.priority {priority})\n");
        for v in ["x", "y", "z"] {
            text.push_str(&format!("(declare-const {v} Int) (assert (<= 0 {v} 5))\n"));
        }
        for _ in 0..3 {
            text.push_str(&format!("(assert {})\n", self.formula()));
        }
        for _ in 0..2 {
            let word = if self.next(2) == 0 { "maximize" } else { "minimize" };
            text.push_str(&format!("({word} {})\n", self.sum()));
        }
        for _ in 0..softs {
            let (formula, weight) = (self.formula(), 1 + self.next(4));
            text.push_str(&format!("(assert-soft {formula} :weight {weight} :id cost)\n"));
        }
        text
    }
}

fn replies(text: &str) -> Vec<OptimaReply> {
    let task = load_problem_text("p.smt2", text).expect("a script");
    Optimize::new(&task).run_script().expect("replies").report.replies
}

/// What Z3 prints: the word of each `check-sat`, and the values of objectives.
fn z3(text: &str) -> Vec<(String, Vec<String>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../third_party/z3");
    let own = (std::process::id(), std::thread::current().id());
    let file = std::env::temp_dir().join(format!("parallax-optima-{own:?}.smt2"));
    std::fs::write(&file, text).expect("a file");
    let output = Command::new(root.join("bin/z3"))
        .env("LD_LIBRARY_PATH", root.join("lib"))
        .arg(&file)
        .output()
        .expect("Z3 runs");
    std::fs::remove_file(&file).ok();
    let mut found: Vec<(String, Vec<String>)> = Vec::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        match line.trim() {
            word @ ("sat" | "unsat" | "unknown") => found.push((word.into(), Vec::new())),
            "(objectives" | ")" => {}
            objective => {
                // The value is what stands after the name.
                let inner = &objective[1..objective.len() - 1];
                let value = match inner.strip_suffix(')') {
                    Some(rest) => &inner[rest.rfind('(').expect("a list")..],
                    None => inner.rsplit(' ').next().expect("a word"),
                };
                found.last_mut().expect("a status").1.push(value.to_owned());
            }
        }
    }
    found
}

fn values(reply: &OptimaReply) -> Vec<String> {
    reply.objectives.iter().map(|o| o.value.clone()).collect()
}

#[test]
fn lexicographic_and_soft_optima_are_those_of_z3() {
    let mut random = Random(11);
    let (mut sat, mut unsat) = (0, 0);
    for nth in 0..60 {
        let text = random.script("lex", nth % 3) + "(check-sat) (get-objectives)";
        let (own, other) = (replies(&text), z3(&text));
        assert_eq!(own[0].status, other[0].0, "{text}");
        assert!(!own[0].checked_by.is_empty());
        if own[0].status == "sat" {
            assert_eq!(values(&own[0]), other[0].1, "{text}");
            sat += 1;
        } else {
            unsat += 1;
        }
    }
    assert!(sat > 30 && unsat > 0, "{sat} {unsat}");
}

#[test]
fn fronts_are_those_of_z3() {
    let mut random = Random(5);
    let mut points = 0;
    for _ in 0..25 {
        let text = random.script("pareto", 0);
        let own = replies(&format!("{text}(check-sat)")).remove(0);
        let asked = "(check-sat) (get-objectives)\n".repeat(40);
        let other = z3(&format!("{text}{asked}"));
        let front: BTreeSet<Vec<String>> = own.front.unwrap_or_default().into_iter().collect();
        let all = other.into_iter().take_while(|(word, _)| word == "sat");
        let all: BTreeSet<Vec<String>> = all.map(|(_, values)| values).collect();
        assert_eq!(front, all, "{text}");
        assert!(own.front_is_whole, "{text}");
        points += front.len();
    }
    assert!(points > 30, "{points}");
}

#[test]
fn words_are_optimized_as_numbers() {
    let mut random = Random(3);
    for _ in 0..15 {
        let (a, b, c) = (random.next(256), random.next(256), random.next(256));
        let word = if random.next(2) == 0 { "maximize" } else { "minimize" };
        let text = format!(
            "(declare-const a (_ BitVec 8)) (declare-const b (_ BitVec 8))
             (assert (bvule (bvmul a #x{a:02x}) (bvadd b #x{b:02x}))) (assert (bvult b #x{c:02x}))
             ({word} (bvxor a b)) (maximize b) (check-sat) (get-objectives)"
        );
        let best = |objective: &dyn Fn(u8, u8) -> i64| {
            let all = (0..=255u8).flat_map(|x| (0..=255u8).map(move |y| (x, y)));
            let models = all.filter(|&(x, y)| {
                x.wrapping_mul(a as u8) <= y.wrapping_add(b as u8) && i64::from(y) < c
            });
            models.max_by_key(|&(x, y)| objective(x, y))
        };
        let sign = if word == "maximize" { 1 } else { -1 };
        // The first objective counts more than all of the second.
        let found = best(&|x, y| sign * i64::from(x ^ y) * 1000 + i64::from(y));
        let own = replies(&text).remove(0);
        match found {
            None => assert_eq!(own.status, "unsat", "{text}"),
            Some((x, y)) => {
                assert_eq!(values(&own), [(x ^ y).to_string(), y.to_string()], "{text}");
            }
        }
    }
}

fn check(text: &str, expected: &str) {
    let task = load_problem_text("p.smt2", text).expect("a script");
    let report = Optimize::new(&task).run_script().expect("replies").report;
    let said = render_optima(&report);
    let said: Vec<&str> = said.lines().filter(|line| !line.starts_with(';')).collect();
    assert_eq!(said.join("\n"), expected, "{text}");
}

#[test]
fn scopes_assumptions_functions_and_models() {
    check(
        "(declare-const x Int) (assert (<= x 9)) (maximize x) (push) (assert (< x 5)) (check-sat)
         (get-objectives) (pop) (check-sat-assuming ((< x 7))) (get-model) (check-sat)
         (get-value (x (- x))) (echo \"done\")",
        "sat\n(objectives\n (x 4)\n)\nsat\n(\n  (define-fun x () Int 6)\n)\nsat\n((x 9)\n \
         ((- x) (- 9)))\ndone",
    );
    // A parameter is not the symbol of the same name, and calls nest.
    check(
        "(declare-const x Int) (declare-const y Int)
         (define-fun plus ((x Int)) Int (+ x y)) (define-fun twice ((y Int)) Int (plus (plus y)))
         (assert (= x 3)) (assert (= y 10)) (check-sat) (get-value ((twice x) (plus (plus 0))))",
        "sat\n(((twice x) 23)\n ((plus (plus 0)) 20))",
    );
    check(
        "(declare-const x Int) (assert (< x 0)) (assert (> x 0)) (check-sat) (get-model)",
        "unsat\n(error \"there is no model\")",
    );
    check(
        "(declare-const x Int) (declare-const y Int) (minimize x) (minimize y) (check-sat)
         (get-objectives)",
        "sat\n(objectives\n (x (* (- 1) oo))\n (y unknown)\n)",
    );
}

#[test]
fn what_is_not_supported_is_refused() {
    for (text, message) in [
        ("(declare-const x Int) (maximize x :lower 3)", "the attribute `:lower` is not supported"),
        (
            "(declare-const x Int) (maximize x) (get-unsat-core)",
            "`get-unsat-core` is not supported",
        ),
        ("(declare-fun f (Int) Int)", "functions without a definition are not supported"),
        ("(declare-const x Bool) (assert-soft x :weight (- 1))", "a weight is a number"),
        ("(set-option :opt.priority maxres)", "priorities are `lex`, `pareto`, `box`"),
        ("(pop)", "there is no scope to close"),
        ("(get-model)", "nothing was asked before this"),
        ("(declare-const x Int) (push) (maximize (* x x)) (check-sat)", "is not supported"),
        ("(declare-const f Float32)", "the sort `Float32` is not supported"),
        (
            "(declare-const y Int) (define-fun f ((a Int)) Int (+ a y))
             (assert (let ((y 3)) (< (f 1) y))) (check-sat)",
            "`y` means something else outside of this `let`",
        ),
        ("(define-fun f ((a Int)) Bool (+ a 1))", "this is Int, not Bool"),
    ] {
        match load_problem_text("p.smt2", text) {
            Err(LoadError::Invalid(invalid)) => {
                let said: Vec<String> =
                    invalid.diagnostics.iter().map(|d| d.message.clone()).collect();
                assert!(said.iter().any(|m| m.contains(message)), "{text}: {said:?}");
            }
            other => panic!("{text}: {:?}", other.map(|task| task.queries.len())),
        }
    }
}
