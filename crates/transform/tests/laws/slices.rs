//! Slices of programs that never return keep the branches before an error, and
//! the errors.

use crate::{load, run};
use parallax_cfa::run::Outcome;
use parallax_cfa::{Check, Op, Program};
use parallax_transform::inline::{Limits, inline};
use parallax_transform::points_to::{self, PointsTo};
use parallax_transform::slice;

/// The slice of an inlined program for its errors.
fn sliced(text: &str) -> Program {
    let limits = Limits { recursion: 1, edges: 10_000, ..Limits::default() };
    let inlined = inline(&load("endless", text), &limits).expect("a small program");
    let points_to = PointsTo::analyze(&inlined.program, &points_to::Options::default());
    let is_error = |op: &Op| matches!(op, Op::Error(_));
    slice(&inlined.program, &points_to, &is_error).expect("a start function").program
}

#[test]
fn an_error_in_an_endless_loop_depends_on_its_branches() {
    let check = |body: &str, error: bool| {
        let head = "extern int __VERIFIER_nondet_int(void); extern void abort(void);\n\
                    void reach_error(void) { }\n";
        let text = format!("{head}int main(void) {{ int x = 0, y = 0; {body} }}");
        for inputs in [[0, 0, 0], [1, 0, 1], [1, 1, 1]] {
            let found = run(&sliced(&text), &inputs);
            assert_eq!(matches!(found, Outcome::Error(_)), error, "{body}: {found}");
        }
    };
    // The error is the only end.
    check("while (1) { if (x == 1) reach_error(); }", false);
    check(
        "while (1) { x = __VERIFIER_nondet_int(); if (x == 1) y = 1; if (x != y && x == 1) reach_error(); }",
        false,
    );
    check(
        "for (;;) { switch (x) { case 0: x = 2; break; case 2: x = 0; break; default: reach_error(); } }",
        false,
    );
    check(
        "while (1) { if (x < 4) { x++; y = x; } else { y = y - 1; } if (y == 1 && x == 4) reach_error(); }",
        true,
    );
    check(
        "while (1) { if (y == 3) { x = 1; } y++; if (y < 0) x = 0; if (x == 1) { x = 2; reach_error(); } }",
        true,
    );
    check(
        "while (1) { while (y < 3) { y++; } while (1) { y++; if (y > 9) break; } if (y == 10) reach_error(); }",
        true,
    );
    // There is a good end as well.
    check("while (1) { if (y > 3) abort(); y++; if (x == 1) reach_error(); }", false);
    check("while (1) { if (y > 3) abort(); y++; if (y == 2) reach_error(); }", true);
    // One side of a branch goes on for ever.
    check("if (x == 0) { stop: goto stop; } reach_error();", false);
    check(
        "if (x == 0) { while (1) { y++; if (y < 0 && x > 0) reach_error(); } } reach_error();",
        false,
    );
}

/// Random statements over four variables, with loops that end and that do not.
struct Jumps {
    state: u64,
    text: String,
}

impl Jumps {
    fn below(&mut self, limit: u64) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 11) % limit
    }

    fn variable(&mut self) -> &'static str {
        ["x", "y", "z", "w"][self.below(4) as usize]
    }

    fn block(&mut self, level: u32, in_loop: bool) {
        for _ in 0..1 + self.below(3) {
            let (a, b, n) = (self.variable(), self.variable(), self.below(6));
            let kind = if level > 3 { self.below(5) } else { self.below(11) };
            match kind {
                0 => self.text.push_str(&format!("{a} = {b} + {n};\n")),
                1 => self.text.push_str(&format!("{a}++;\n")),
                2 => self.text.push_str(&format!("if ({a} == {n} && {b} > 3) reach_error();\n")),
                3 => self.text.push_str(&format!("{a} = __VERIFIER_nondet_int();\n")),
                4 if in_loop => {
                    let jump = ["break", "continue"][self.below(2) as usize];
                    self.text.push_str(&format!("if ({a} > {n}) {jump};\n"));
                }
                4 => self.text.push_str(&format!("if ({a} == 9) abort();\n")),
                5 | 6 => {
                    self.text.push_str(&format!("if ({a} < {b}) {{\n"));
                    self.block(level + 1, in_loop);
                    self.text.push_str("} else {\n");
                    self.block(level + 1, in_loop);
                    self.text.push_str("}\n");
                }
                7 => {
                    self.text.push_str(&format!("while ({a} < {n}) {{ {a}++;\n"));
                    self.block(level + 1, true);
                    self.text.push_str("}\n");
                }
                8 => {
                    self.text.push_str(&format!("while (1) {{ if ({a}++ > {n}) break;\n"));
                    self.block(level + 1, true);
                    self.text.push_str("}\n");
                }
                9 => self.text.push_str(&format!("if ({a} == 7) {{ for (;;) {b}++; }}\n")),
                _ => self.text.push_str(&format!("if ({a} == 3) return {b};\n")),
            }
        }
    }
}

#[test]
fn slices_of_random_endless_programs_keep_their_errors() {
    let mut errors = 0;
    for seed in 1..400u64 {
        let mut jumps =
            Jumps { state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1, text: String::new() };
        jumps.block(0, false);
        let before = std::mem::take(&mut jumps.text);
        jumps.block(0, true);
        jumps.block(0, true);
        let text = format!(
            "extern int __VERIFIER_nondet_int(void); extern void abort(void);\n\
             void reach_error(void) {{ }}\n\
             int main(void) {{ int x = 0, y = 1, z = 2, w = 3;\n{before}while (1) {{\n{}}} }}\n",
            jumps.text
        );
        let (program, part) = (load("endless", &text), sliced(&text));
        // With the same input again and again it does not matter which are kept.
        for input in [0, 1, 4, 7, 9] {
            let inputs = [input; 1000];
            if let Outcome::Error(expected) = run(&program, &inputs) {
                errors += 1;
                let found = run(&part, &inputs);
                assert_eq!(found, Outcome::Error(expected), "inputs {input}:\n{text}");
            }
        }
    }
    assert!(errors > 100, "only {errors} runs fail");
}

/// A slice without its checks: what lives may not matter to it, and then it says
/// of no pointer but null that it leads nowhere.
pub(crate) fn unchecked(mut program: Program) -> Program {
    for id in program.functions.ids() {
        let edges = &mut program.functions[id].edges;
        for edge in edges.ids() {
            let op = &mut edges[edge].op;
            if matches!(op, Op::Check(Check::Access { .. } | Check::AccessBytes { .. })) {
                *op = Op::Skip;
            }
        }
    }
    program
}

/// Random functions over variables of their own and of all, which call each
/// other: results that are used and not, pointers to what is whose, ends of the
/// run deep inside.
fn calls(seed: u64) -> String {
    let mut jumps =
        Jumps { state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1, text: String::new() };
    let mut text = String::from(
        "extern int __VERIFIER_nondet_int(void); extern void abort(void);\n\
         void reach_error(void) { }\n\
         struct pair { int x, y; };\n\
         static int g = 1, h = 2; static int *p = &g; static struct pair s;\n",
    );
    for number in 0..4 {
        let head = ["int", "int", "void", "struct pair"][number];
        text.push_str(&format!(
            "static {head} f{number}(int x, int *q) {{\nint y = g, z = x, w = 3;\n"
        ));
        for _ in 0..1 + jumps.below(3) {
            jumps.block(2, false);
            let body = std::mem::take(&mut jumps.text);
            let other = jumps.below(number as u64 + 1);
            let call = |arguments: &str| match other {
                _ if number == 0 => format!("h += x; s.y = h; if (x == {other} + 5) abort();\n"),
                2 => format!("f2({arguments});\n"),
                3 => format!("s = f3({arguments});\n"),
                n if n == number as u64 => format!("if (x > 0 && x < 4) f{n}(x - 1, q);\n"),
                n => format!("z = f{n}({arguments});\n"),
            };
            let (a, b) = (jumps.variable(), jumps.variable());
            let more = match jumps.below(6) {
                0 => call(&format!("{a}, &{b}")),
                1 => call(&format!("{b}, q")),
                2 => call("h, p"),
                3 => format!("p = {};\n", ["&g", "&h", "q", "&s.x"][jumps.below(4) as usize]),
                4 => format!("*q = {a} + s.y; g = {b};\n"),
                _ => format!("h = *q; s.x = {a};\n"),
            };
            let body = match (number, body.contains("return")) {
                // What these return is not a number.
                (2 | 3, true) => String::from("x++;\n"),
                _ => body,
            };
            text.push_str(&body);
            text.push_str(&more);
        }
        text.push_str(
            ["return y + *q;", "return z;", "", "struct pair r = { x, h }; return r;"][number],
        );
        text.push_str("\n}\n");
    }
    text.push_str(
        "int main(void) { int x = __VERIFIER_nondet_int(), y = 0;\n\
         for (int i = 0; i < 3; i++) { y = f1(x, &y); f2(i, p); s = f3(y, &g);\n\
         if (g == 3 || h == 5) reach_error(); if (s.y > 4 && *p == 2) reach_error(); } }\n",
    );
    text
}

#[test]
fn slices_across_calls_keep_the_errors_of_random_programs() {
    let (mut errors, mut smaller) = (0, 0);
    for seed in 1..600u64 {
        let text = calls(seed);
        let program = load("calls", &text);
        let points_to = PointsTo::analyze(&program, &points_to::Options::default());
        let is_error = |op: &Op| matches!(op, Op::Error(_));
        let part = slice(&program, &points_to, &is_error).expect("a start function");
        let found = parallax_cfa::validate(&part.program);
        assert!(found.is_empty(), "{found:?}\n{text}");
        let edges: usize = program.functions.iter().map(|f| f.edges.len()).sum();
        let checkless = unchecked(part.program);
        smaller += usize::from(part.kept < edges);
        // With the same input again and again it does not matter which are kept.
        for input in [0, 1, 4, 7, 9] {
            let inputs = [input; 1000];
            if let Outcome::Error(expected) = run(&program, &inputs) {
                errors += 1;
                let found = run(&checkless, &inputs);
                assert_eq!(found, Outcome::Error(expected), "inputs {input}:\n{text}");
            }
        }
    }
    assert!(errors > 300 && smaller > 300, "{errors} runs fail, {smaller} slices are smaller");
}
