//! Runs of C programs as evidence: a script is accepted exactly if the run breaks
//! the property that it is said to break. The truth is told by a formula over the
//! inputs that was written by hand beside each program.

use parallax_base::{Budget, SourceMap};
use parallax_certify::{Claim, judge};
use parallax_cfa::run::{Given, Script};
use parallax_cfa::{CProperty, Program, Scalar, ScalarType};
use parallax_front_c::{Input, Options, load};
use parallax_solver::SolverError;

const HEADER: &str = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
void *malloc(unsigned long); void free(void *);
";

fn program(body: &str) -> Program {
    let text = format!("{HEADER}int main(void) {{ {body} return 0; }}");
    let input = Input::text("program.i", text);
    let mut sources = SourceMap::default();
    load(&mut sources, &[input], &Options::default()).expect("a program").program
}

fn is_accepted(program: &Program, property: &CProperty, script: &Script) -> bool {
    let claim = Claim::Executed { program, property, script };
    let mut nobody = || Err(SolverError::Silent { program: "none".into() });
    judge(&claim, &mut nobody, &Budget::unlimited()).is_ok()
}

/// What a run with the inputs `x` and `y` does wrong, if anything.
type Truth = fn(i64, i64) -> Option<CProperty>;

const XY: &str = "int x = __VERIFIER_nondet_int(); int y = __VERIFIER_nondet_int();";

const PROGRAMS: [(&str, Truth); 6] = [
    ("if (3 * x + y == 7) reach_error();", |x, y| (3 * x + y == 7).then_some(CProperty::Errors)),
    ("if (x > 2) { y = y / (x - 4); }", |x, _| (x == 4).then_some(CProperty::Division)),
    ("int a[5]; a[0] = 0; if (x >= 0) a[x + 2] = y;", |x, _| (x > 2).then_some(CProperty::Deref)),
    ("int *p = malloc(8); if (x != y) free(p); if (x == 1) free(p);", |x, y| match (x, x == y) {
        (1, false) => Some(CProperty::Free),
        (1, true) | (_, false) => None,
        _ => Some(CProperty::Track),
    }),
    ("if (y > 4) { x = 2147483647 - x + 1; } (void)(1 << (y > 5 ? 40 : 1));", |x, y| {
        match (x, y) {
            (i64::MIN..=0, 5..) => Some(CProperty::Overflow),
            (_, 6..) => Some(CProperty::Shift),
            _ => None,
        }
    }),
    ("int z; if (x < y) z = 1; if (x + y == 3 && z) x = 0;", |x, y| {
        (x + y == 3 && x >= y).then_some(CProperty::Initialized)
    }),
];

const PROPERTIES: [CProperty; 8] = [
    CProperty::Errors,
    CProperty::Division,
    CProperty::Deref,
    CProperty::Free,
    CProperty::Track,
    CProperty::Overflow,
    CProperty::Shift,
    CProperty::Initialized,
];

/// A run that overflows wraps and goes on for whoever does not ask.
fn is_so(truth: Truth, property: &CProperty, x: i64, y: i64) -> bool {
    let first = truth(x, y);
    let goes_on = first == Some(CProperty::Overflow) && *property == CProperty::Shift && y > 5;
    first.as_ref() == Some(property) || goes_on
}

#[test]
fn a_run_counts_exactly_if_it_breaks_the_property() {
    let (mut accepted, mut rejected) = (0, 0);
    for (body, truth) in PROGRAMS {
        let program = program(&format!("{XY} {body}"));
        for (x, y) in (-6..=6).flat_map(|x| (-6..=6).map(move |y| (x, y))) {
            for property in &PROPERTIES {
                let script = Script::Inputs(vec![x.into(), y.into()]);
                let expected = is_so(truth, property, x, y);
                let found = is_accepted(&program, property, &script);
                assert_eq!(found, expected, "{body} with {x}, {y}: {property}");
                *(if found { &mut accepted } else { &mut rejected }) += 1;
            }
        }
    }
    assert!(accepted > 100 && rejected > 5_000, "{accepted} accepted, {rejected} rejected");
}

#[test]
fn damaged_scripts_are_rejected() {
    // Variables with static storage begin as zero, so only inputs are asked for.
    let program = program(
        "static int x, y; x = __VERIFIER_nondet_int(); y = __VERIFIER_nondet_int();
         if (x == 5 && y == -2) reach_error();",
    );
    let errors = CProperty::Errors;
    let int = |value| Scalar::int(ScalarType::INT, value);
    let play = |given: Vec<Given>| {
        is_accepted(&program, &errors, &Script::Choices { arguments: Vec::new(), given })
    };
    let (x, y) = (Given::Input(int(5)), Given::Input(int(-2)));
    assert!(play(vec![x.clone(), y.clone()]));
    assert!(play(vec![x.clone(), y.clone(), y.clone()]), "what nobody asks for does no harm");
    assert!(!play(vec![]), "no inputs");
    assert!(!play(vec![x.clone()]), "an input is missing");
    assert!(!play(vec![y.clone(), x.clone()]), "another order");
    assert!(!play(vec![Given::Arbitrary(int(5)), y.clone()]), "no input");
    assert!(!play(vec![Given::Contents(vec![5, 0, 0, 0]), y.clone()]), "no input");
    assert!(!play(vec![Given::CallBack(None), y.clone()]), "no input");
    let short = ScalarType::Int { bits: 16, signed: true };
    assert!(!play(vec![Given::Input(Scalar::int(short, 5)), y]), "another type");
    for length in 0..2 {
        let short = vec![5, -2].into_iter().take(length).collect();
        assert!(!is_accepted(&program, &errors, &Script::Inputs(short)), "{length} inputs");
    }
}

#[test]
fn a_run_without_end_is_no_evidence() {
    let program = program("for (;;) { }");
    assert!(!is_accepted(&program, &CProperty::Errors, &Script::Inputs(Vec::new())));
}
