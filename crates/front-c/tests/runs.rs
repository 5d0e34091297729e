//! Small programs run by the interpreter: what they print, how they end.

use parallax_base::SourceMap;
use parallax_cfa::DataModel;
use parallax_cfa::run::{
    CheckKind, CheckSet, Interpreter, Options, Outcome, Recorded, Report, Seeded,
};
use parallax_front_c::Input;

const HEADER: &str =
    "int printf(const char *, ...); void *malloc(unsigned long); void free(void *);
void *calloc(unsigned long, unsigned long); void *realloc(void *, unsigned long);
void *memcpy(void *, const void *, unsigned long); void *alloca(unsigned long);
int sprintf(char *, const char *, ...); int puts(const char *); int putchar(int);
void exit(int); void abort(void); void reach_error(void);
int __VERIFIER_nondet_int(void); unsigned char __VERIFIER_nondet_uchar(void);
";

fn run(body: &str, model: DataModel, inputs: &[i128], checks: CheckSet) -> Report {
    let text = format!("{HEADER}{body}").replace(
        "unsigned long",
        if model == DataModel::Ilp32 { "unsigned" } else { "unsigned long" },
    );
    let mut sources = SourceMap::default();
    let options = parallax_front_c::Options { model, ..Default::default() };
    let loaded = parallax_front_c::load(&mut sources, &[Input::text("program.i", text)], &options)
        .expect("the program is correct");
    let options = Options { checks, max_steps: 100_000, ..Options::default() };
    Interpreter::new(&loaded.program, options).run(&mut Recorded::new(inputs.to_vec()))
}

/// Runs the body of `main` in both data models, with all checks.
fn check(body: &str, expected: Outcome) {
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        let report = run(&format!("int main(void) {{ {body} }}"), model, &[], CheckSet::all());
        assert_eq!(report.outcome, expected, "{model:?} {body}");
    }
}

#[test]
fn what_is_defined_runs() {
    let fine = |body: &str| check(body, Outcome::Exit(Some(0)));
    fine("int a[3] = {1, 2, 3}; int *p = a + 3; return p - a - 3;");
    fine(
        "int x = 5; char *p = (char *)&x; unsigned long n = (unsigned long)p; return *(int *)n - 5;",
    );
    fine(
        "int *p = malloc(12); p[2] = 0; int *q = realloc(p, 400); int r = q[2]; free(q); return r;",
    );
    fine("int *p = calloc(4, 4); int r = p[3]; free(p); free(0); return r;");
    fine("int n = 4; int a[n][n]; a[3][3] = 7; return a[3][3] - 7 + (sizeof a != 64);");
    fine("for (int i = 0; i < 50; i++) { char *p = alloca(1000); p[999] = 1; } return 0;");
    // Pointers keep their object when bytes are copied, by the library or by hand.
    fine("int x = 3, *p = &x, *q; memcpy(&q, &p, sizeof p); return *q - 3;");
    fine(
        "int x = 3, *p = &x, *q; for (unsigned i = 0; i < sizeof p; i++) \
          ((char *)&q)[i] = ((char *)&p)[i]; return *q - 3;",
    );
    fine("struct s { int *p; int k; } a, b; int x = 9; a.p = &x; a.k = 1; b = a; return *b.p - 9;");
}

#[test]
fn what_is_undefined_ends_the_run() {
    use CheckKind::{
        Access, Callable, Division, FloatConversion, Free, Initialized, Overflow, Shift,
    };
    let bad = |body: &str, kind| check(body, Outcome::Undefined(kind));
    bad("int a[3] = {0}; int i = 3; return a[i];", Access);
    bad("int a[3], b[3] = {0}; int *p = a; return p[&b[0] - a];", Access);
    bad("int *p = 0; return *p;", Access);
    bad("int *p = malloc(4); free(p); *p = 1; return 0;", Access);
    bad("int *p; { int x = 1; p = &x; } return *p;", Access);
    bad("char *s = \"text\"; s[0] = 'T'; return 0;", Access);
    bad("char a[4]; memcpy(a, \"long text\", 8); return 0;", Access);
    bad("int *p = malloc(4); free(p); free(p); return 0;", Free);
    bad("int *p = malloc(8); free(p + 1); return 0;", Free);
    bad("int x; free(&x); return 0;", Free);
    bad("int x; return x;", Initialized);
    bad("int *p = malloc(4); return *p;", Initialized);
    bad("int x = 2147483647; return x + 1;", Overflow);
    bad("int x = -2147483647 - 1; return -x;", Overflow);
    bad("int x = -2147483647 - 1, y = -1; return x / y;", Overflow);
    bad("int x = 65536; return x * x;", Overflow);
    bad("int x = 0; return 1 / x;", Division);
    bad("int x = 0; return 1 % x;", Division);
    bad("int x = 32; return 1 << x;", Shift);
    bad("int x = -1; return 1 >> x;", Shift);
    bad("double x = 3e9; return (int)x;", FloatConversion);
    bad("int (*f)(int) = (int (*)(int))main; return f(3);", Callable);
    bad("int (*f)(void) = 0; return f();", Callable);
    bad("unsigned long n = 0; int *p = (int *)(n + 8); return *p;", Access);
}

#[test]
fn overflow_wraps_if_not_asked_for() {
    let body = "int main(void) { int x = 2147483647; x++; return x == -2147483647 - 1; }";
    let report = run(body, DataModel::Lp64, &[], CheckSet::default());
    assert_eq!(report.outcome, Outcome::Exit(Some(1)));
}

#[test]
fn formats_are_those_of_the_library() {
    let prints = |body: &str, expected: &str| {
        for model in [DataModel::Lp64, DataModel::Ilp32] {
            let body = format!("int main(void) {{ {body} return 0; }}");
            let report = run(&body, model, &[], CheckSet::default());
            assert_eq!(report.outcome, Outcome::Exit(Some(0)), "{body}");
            assert_eq!(String::from_utf8_lossy(&report.output), expected, "{model:?} {body}");
        }
    };
    prints(r#"printf("%d|%5d|%-5d|%05d|%+d|% d", 1, 2, 3, 4, 5, 6);"#, "1|    2|3    |00004|+5| 6");
    prints(
        r#"printf("%u %x %X %#x %o %#o", -1, 255, 255, 255, 8, 8);"#,
        "4294967295 ff FF 0xff 10 010",
    );
    prints(
        r#"printf("%hhd %hd %lld %llu", 300, 70000, -5ll, -1ll);"#,
        "44 4464 -5 18446744073709551615",
    );
    prints(
        r#"printf("%s|%6s|%-6s|%.2s|%c", "abc", "de", "fg", "hij", 'k');"#,
        "abc|    de|fg    |hi|k",
    );
    prints(r#"printf("%*d|%-*d|%.*f", 4, 7, 4, 8, 2, 1.005);"#, "   7|8   |1.00");
    prints(
        r#"printf("%f %e %g %G", 1.5, 12345.678, 1e-10, 1e20);"#,
        "1.500000 1.234568e+04 1e-10 1E+20",
    );
    prints(r#"printf("%.3d|%.0d|%8.3f|%%", 5, 0, -2.5);"#, "005||  -2.500|%");
    prints(r#"printf("%Lg %p %zu", 0.1L, (void *)0, sizeof(int));"#, "0.1 (nil) 4");
    prints(
        r#"puts("one"); putchar('2'); char b[20]; sprintf(b, "<%d>", 3); printf("%s", b);"#,
        "one\n2<3>",
    );
}

#[test]
fn inputs_and_ends() {
    let read = "int main(void) { int a = __VERIFIER_nondet_int(); \
        unsigned char b = __VERIFIER_nondet_uchar(); if (a + b == 300) reach_error(); \
        if (a == 7) abort(); if (a == 8) exit(1); return a; }";
    let outcome = |inputs: &[i128]| run(read, DataModel::Lp64, inputs, CheckSet::all()).outcome;
    assert_eq!(outcome(&[3, 4]), Outcome::Exit(Some(3)));
    assert_eq!(outcome(&[3]), Outcome::OutOfInputs);
    assert_eq!(outcome(&[7, 0]), Outcome::Halt);
    assert_eq!(outcome(&[8, 0]), Outcome::Halt);
    // An input is taken modulo the width of its type.
    assert_eq!(outcome(&[-5, 255 + 256]), Outcome::Exit(Some(-5)));
    assert!(matches!(outcome(&[200, 100]), Outcome::Error(_)));
    let endless = "int main(void) { for (;;); }";
    assert_eq!(run(endless, DataModel::Lp64, &[], CheckSet::all()).outcome, Outcome::StepLimit);
    let deep = "int f(int n) { return f(n + 1) + 1; } int main(void) { return f(0); }";
    let report = run(deep, DataModel::Ilp32, &[], CheckSet::all());
    assert!(matches!(report.outcome, Outcome::StepLimit | Outcome::DepthLimit));
}

#[test]
fn leaks_are_told_apart() {
    let body = "struct n { struct n *next; }; static struct n *kept; int main(void) { \
        kept = malloc(sizeof *kept); kept->next = malloc(sizeof *kept); kept->next->next = 0; \
        malloc(5); free(malloc(6)); return 0; }";
    let report = run(body, DataModel::Lp64, &[], CheckSet::all());
    let leaks: Vec<(u64, bool)> = report.leaks.iter().map(|l| (l.size, l.reachable)).collect();
    assert_eq!(leaks, [(8, true), (8, true), (5, false)]);
}

#[test]
fn equal_seeds_give_equal_runs() {
    let body = "int main(void) { int sum = 0, x; for (int i = 0; i < 20; i++) \
        sum = sum * 31 + __VERIFIER_nondet_int(); printf(\"%d %d\", sum, x); return 0; }";
    let mut sources = SourceMap::default();
    let input = Input::text("program.i", format!("{HEADER}{body}"));
    let loaded =
        parallax_front_c::load(&mut sources, &[input], &parallax_front_c::Options::default())
            .expect("the program is correct");
    let interpreter = Interpreter::new(&loaded.program, Options::default());
    let [first, second, third] =
        [1, 1, 2].map(|seed| interpreter.run(&mut Seeded::new(seed)).output);
    assert_eq!(first, second);
    assert_ne!(first, third);
}
