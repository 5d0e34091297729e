//! Expressions with a result that depends on the order of evaluation: what the
//! interpreter may compute, over all choices, and what compilers do compute.

use crate::native::{compiled_by, interpreted_by};
use parallax_cfa::run::{Arbitrary, Oracle};
use parallax_cfa::{DataModel, Scalar, ScalarType};
use std::collections::BTreeSet;
use std::process::Command;

/// Functions with effects on each other.
const PRELUDE: &str = "
int printf(const char *, ...);
static int state, n, log_of, a[8];
static int add(void) { return state += 1; }
static int twice(void) { return state *= 2; }
static int grow(void) { return ++n; }
static int note(int digit) { return log_of = log_of * 10 + digit; }
static int two(int x, int y) { return x * 10 + y; }
static int set(int *p) { *p = 5; return 1; }
struct pair { int x, y; };
static struct pair make(int x) { struct pair p = {note(x), 0}; return p; }
static int join(struct pair p, struct pair q) { return p.x + q.x; }
";

/// A body that leaves something in `r`, and all that may be there.
const CASES: &[(&str, &[i64])] = &[
    ("state = 3; r = add() + twice();", &[12, 13]),
    ("state = 3; r = add() - twice() * 2;", &[-12, -5]),
    ("state = 3; r = two(add(), twice());", &[48, 76]),
    ("n = 1; a[n] = grow(); r = a[1] * 10 + a[2];", &[20, 2]),
    ("n = 1; r = n + grow();", &[3, 4]),
    ("n = 1; r = n + grow() + n;", &[4, 5, 6]),
    ("n = 1; n += grow(); r = n;", &[4]),
    ("n = 1; r = n++ - grow();", &[-2, 0]),
    ("n = 1; r = (n = 5) + grow();", &[7, 11]),
    ("log_of = 0; note(1) + note(2) + note(3); r = log_of;", &[123, 132, 213, 231, 312, 321]),
    ("log_of = 0; note(note(1)) + note(2); r = log_of;", &[112, 121, 231]),
    ("log_of = 0; r = (note(1), 5) + note(2);", &[7, 17]),
    ("int x = 0; r = set(&x) + x;", &[1, 6]),
    ("int i = 0; int b[2] = {i++, i++}; r = b[0] * 10 + b[1];", &[1, 10]),
    ("int i = 0; struct pair p = {.y = i++, .x = i}; r = p.x * 10 + p.y;", &[0, 10]),
    ("log_of = 0; r = join(make(1), make(2));", &[13, 23]),
    ("n = 1; r = n ? grow() + n : 0;", &[3, 4]),
    ("n = 1; if (grow() == n) r = 1; else r = 0;", &[0, 1]),
    ("n = 3; if (grow() - n > 0) n++; r = n;", &[4, 5]),
    ("n = 1; for (r = 0; r < 3; r += grow()) ; r = r * 10 + n;", &[53]),
];

fn text(body: &str) -> String {
    format!("{PRELUDE}int main(void) {{ int r = 0; {body} printf(\"%d\\n\", r); return 0; }}\n")
}

/// Chooses orders by the digits of a number.
struct Choices {
    bits: u64,
    asked: u32,
}

impl Oracle for Choices {
    fn input(&mut self, _name: &str, _ty: ScalarType) -> Option<Scalar> {
        None
    }

    fn arbitrary(&mut self, what: Arbitrary<'_>, ty: ScalarType) -> Scalar {
        let is_order =
            matches!(what, Arbitrary::Havoc(why) if why == parallax_front_c::lower::ORDER);
        let bit = if is_order { self.bits >> self.asked & 1 } else { 0 };
        self.asked += u32::from(is_order);
        Scalar { ty, bits: u128::from(bit) }
    }
}

/// The results of all choices.
fn results(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let (mut next, mut most) = (0, 0);
    while next < 1u64 << most {
        let mut oracle = Choices { bits: next, asked: 0 };
        found.insert(interpreted_by(text, DataModel::Lp64, &mut oracle).0);
        most = most.max(oracle.asked);
        assert!(most < 12, "too many choices:\n{text}");
        next += 1;
    }
    found
}

#[test]
fn results_that_depend_on_the_order() {
    let mut compilers = vec!["cc"];
    compilers.extend(["clang", "tcc"].into_iter().filter(|name| {
        Command::new(name).arg("--version").output().is_ok_and(|out| out.status.success())
    }));
    for (body, expected) in CASES {
        let text = text(body);
        let found = results(&text);
        let expected = expected.iter().map(|value| format!("{value}\n")).collect();
        assert_eq!(found, expected, "{body}");
        for compiler in &compilers {
            for level in ["-O0", "-O2"] {
                let native = compiled_by(compiler, &text, DataModel::Lp64, &[level]);
                let native = native.expect("the compiler takes the program");
                assert!(found.contains(&native), "{compiler} {level}: {native}{body}");
            }
        }
    }
}
