//! Small functions and their automata, as text.
//!
//! One line per edge: source, operation, target. `*` marks loop heads, `name:`
//! labels. Locations are numbered as they are.

use crate::{Input, Options, load};
use parallax_base::SourceMap;
use parallax_cfa::{DataModel, Printer, Program, validate};

fn program(text: &str, model: DataModel) -> Program {
    let options = Options { model, entry: "none".into(), ..Options::default() };
    let mut sources = SourceMap::default();
    let loaded = load(&mut sources, &[Input::text("t.i", text)], &options).expect("it is C");
    assert_eq!(validate(&loaded.program), Vec::<String>::new(), "{text}");
    loaded.program
}

/// The first function as text.
fn listing(program: &Program) -> String {
    let printer = Printer::new(program);
    let function = program.functions.iter().next().expect("there is a function");
    let mut out = String::new();
    for edge in &function.edges {
        let location = &function.locations[edge.source];
        let head = if location.loop_head.is_some() { "*" } else { "" };
        let label = location.label.as_ref().map_or(String::new(), |l| format!("{l}: "));
        let (from, to) = (edge.source.index(), edge.target.index());
        out += &format!("{label}{from}{head} {} {to}\n", printer.op(&edge.op));
    }
    out
}

#[track_caller]
fn check(text: &str, expected: &str) {
    let found = listing(&program(text, DataModel::Lp64));
    let wanted: String =
        expected.lines().map(str::trim).filter(|l| !l.is_empty()).flat_map(|l| [l, "\n"]).collect();
    assert!(found == wanted, "{text}\nfound:\n{found}\nexpected:\n{wanted}");
}

#[test]
fn operators_have_their_checks() {
    check(
        "int f(int a, int b) { return a + b; }",
        "
            0 check: a + b does not overflow 2
            2 return a + b 1
        ",
    );
    check(
        "int f(int a, unsigned char c) { return c * 256 + (a & 7); }",
        "
            0 return (int)c * 256 + (a & 7) 1
        ",
    );
    check(
        "int f(int a) { return a / 2 + 7 % a; }",
        "
            0 check: a is not zero 2
            2 check: a / 2 + 7 % a does not overflow 3
            3 return a / 2 + 7 % a 1
        ",
    );
    check(
        "int f(unsigned a) { return a << 40u - a; }",
        "
            0 check: a << 40U - a shifts by an amount below the width 2
            2 return (int)(a << 40U - a) 1
        ",
    );
    check(
        "long f(double d) { return d; }",
        "
            0 check: (long)d fits 2
            2 return (long)d 1
        ",
    );
}

#[test]
fn accesses_are_steps_or_pointers() {
    check(
        "int f(int *p, int i) { return p[i]++; }",
        "
            0 check: p[(long)i] can be read 2
            2 check: p[(long)i] was written before 3
            3 $t0 = p[(long)i] 4
            4 check: $t0 + 1 does not overflow 5
            5 check: p[(long)i] can be written 6
            6 p[(long)i] = $t0 + 1 7
            7 return $t0 1
        ",
    );
    check(
        "struct s { int a; int b[3]; }; int f(struct s *p, int i) { struct s t = *p; return \
         t.b[i] + t.b[2]; }",
        "
            0 struct s t 2
            2 check: *p can be read 3
            3 t = *p 4
            4 check: t.b[i] can be read 5
            5 check: t.b[i] was written before 6
            6 check: t.b[2L] was written before 7
            7 check: t.b[i] + t.b[2L] does not overflow 8
            8 return t.b[i] + t.b[2L] 1
        ",
    );
    check(
        "struct b { int x : 3; }; int f(struct b *p, int v) { return p->x = v; }",
        "
            0 check: p->x can be written 2
            2 $t0 = v 3
            3 p->x = $t0 4
            4 return $t0 << 29 >> 29 1
        ",
    );
    check(
        "int f(volatile int *p) { return *p + *p; }",
        "
            0 check: *p can be read 2
            2 check: *p was written before 3
            3 $t0 = *p 4
            4 check: *p can be read 5
            5 check: *p was written before 6
            6 $t1 = *p 7
            7 check: $t0 + $t1 does not overflow 8
            8 return $t0 + $t1 1
        ",
    );
}

#[test]
fn operands_are_saved_before_effects() {
    check(
        "int g(void); int x; int f(void) { return x + g(); }",
        "
            0 $t0 = x 2
            2 $t1 = g() 3
            3 check: $t0 + $t1 does not overflow 4
            4 return $t0 + $t1 1
        ",
    );
    check(
        "int g(void); int x; int f(void) { x += g(); return x; }",
        "
            0 $t0 = g() 2
            2 check: x + $t0 does not overflow 3
            3 x = x + $t0 4
            4 return x 1
        ",
    );
    check(
        "int g(void); int a[9]; int i; void f(void) { a[i] = g(); }",
        "
            0 $t0 = i 2
            2 $t1 = g() 3
            3 check: a[$t0] can be written 4
            4 a[$t0] = $t1 5
            5 return 1
        ",
    );
}

#[test]
fn logic_stays_whole_without_checks() {
    check(
        "int f(int a, int b) { return a && b; }",
        "
            0 return a != 0 ? b != 0 : 0 1
        ",
    );
    check(
        "int f(int *p) { return p && *p > 3; }",
        "
            0 [p != NULL] 2
            0 [p == NULL] 6
            2 check: *p can be read 3
            3 check: *p was written before 4
            4 [*p > 3] 5
            4 [*p <= 3] 6
            5 $t0 = 1 7
            6 $t0 = 0 7
            7 return $t0 1
        ",
    );
    check(
        "int f(int a, int b) { int m = a > b ? a : b; return m; }",
        "
            0 int m 2
            2 m = a > b ? a : b 3
            3 return m 1
        ",
    );
}

#[test]
fn reads_are_checked_unless_written_on_every_way() {
    check(
        "int f(int a) { int x; if (a) x = 1; return x; }",
        "
            0 int x 2
            2 [a != 0] 3
            2 [a == 0] 4
            3 x = 1 4
            4 check: x was written before 5
            5 return x 1
        ",
    );
    check(
        "int f(int a) { int x; if (a) x = 1; else x = 2; return x; }",
        "
            0 int x 2
            2 [a != 0] 3
            2 [a == 0] 4
            3 x = 1 5
            4 x = 2 5
            5 return x 1
        ",
    );
}

#[test]
fn loops() {
    check(
        "int f(int n) { int s = 0; while (n > 0) { if (n == 5) break; s++; n--; } return s; }",
        "
            0 int s 2
            2 s = 0 3
            3* [n > 0] 4
            3* [n <= 0] 9
            4 [n == 5] 9
            4 [n != 5] 5
            5 check: s + 1 does not overflow 6
            6 s = s + 1 7
            7 check: n - 1 does not overflow 8
            8 n = n - 1 3
            9 return s 1
        ",
    );
    check(
        "void f(int n) { do { int k = n; n = k; if (n) continue; } while (0); }",
        "
            1* int k 3
            3 k = n 4
            4 n = k 5
            5 [n != 0] 6
            5 [n == 0] 7
            6 end of k 2
            7 end of k 2
            2 return 0
        ",
    );
}

#[test]
fn switch_and_jumps_keep_life_times() {
    check(
        "int f(int n) { switch (n) { case 1: n = 2; case 3: { int k; case 4: k = 1; return k; \
         } default: n = 9; } return n; }",
        "
            3 n = 2 4
            4 int k 5
            5 k = 1 6
            6 return k 1
            7 n = 9 2
            0 [n == 1] 3
            0 [n != 1] 8
            8 [n == 3] 4
            8 [n != 3] 9
            9 [n == 4] 10
            9 [n != 4] 7
            10 int k 5
            2 return n 1
        ",
    );
    check(
        "int f(int n) { { int k = 1; if (n) goto out; n = k; } out: return n; }",
        "
            0 int k 2
            2 k = 1 3
            3 [n != 0] 4
            3 [n == 0] 5
            5 n = k 6
            6 end of k 7
            out: 7 return n 1
            4 end of k 7
        ",
    );
    check(
        "int f(int n) { static void *t[] = { &&a, &&b }; goto *t[n]; a: return 1; b: return \
         2; }",
        "
            0 check: t[n] can be read 2
            a: 3 return 1 1
            b: 4 return 2 1
            2 [t[n] == (void *)0x1] 3
            2 [t[n] != (void *)0x1] 5
            5 [t[n] == (void *)0x2] 4
            5 [t[n] != (void *)0x2] 6
            6 check: control does not arrive here 7
            7 halt 8
        ",
    );
}

#[test]
fn objects() {
    check(
        r#"int f(void) { char s[] = "ab"; return s[1]; }"#,
        "
            0 char s[3] 2
            2 s[0L] = 97 3
            3 s[1L] = 98 4
            4 s[2L] = 0 5
            5 return (int)s[1L] 1
        ",
    );
    check(
        "struct s { int a, b; }; struct s g(void); int f(void) { return g().b; }",
        "
            0 $t0 = g() 2
            2 check: $t0.b was written before 3
            3 return $t0.b 1
        ",
    );
    check(
        "int f(int n) { int a[n]; a[0] = 1; return a[0] + (int)sizeof a; }",
        "
            0 $t0 = (unsigned long)n 2
            2 int a[*] of $t0 * 4UL bytes 3
            3 check: a[0L] can be written 4
            4 a[0L] = 1 5
            5 check: a[0L] can be read 6
            6 check: a[0L] + (int)($t0 * 4UL) does not overflow 7
            7 return a[0L] + (int)($t0 * 4UL) 1
        ",
    );
    check(
        "int f(int n) { return ({ int t = n; t * 2; }); }",
        "
            0 int t 2
            2 t = n 3
            3 check: t * 2 does not overflow 4
            4 $t0 = t * 2 5
            5 end of t 6
            6 return $t0 1
        ",
    );
}

#[test]
fn library_and_environment() {
    check(
        "void *malloc(unsigned long); void free(void *); void f(void) { int *p = malloc(4); \
         *p = 1; free(p); }",
        "
            0 int *p 2
            2 $t0 = $allocate(4UL) 3
            3 p = (int *)$t0 4
            4 check: *p can be written 5
            5 *p = 1 6
            6 check: (void *)p can be freed 7
            7 $free((void *)p) 8
            8 end of p 9
            9 return 1
        ",
    );
    check(
        "void __VERIFIER_assume(int); unsigned __VERIFIER_nondet_uint(void); void \
         reach_error(void); void f(void) { unsigned x = __VERIFIER_nondet_uint(); \
         __VERIFIER_assume(x > 3); if (x == 9) reach_error(); }",
        "
            0 unsigned int x 2
            2 x = __VERIFIER_nondet_uint() 3
            3 [x > 3U] 6
            3 [x <= 3U] 4
            4 blocked 5
            6 [x == 9U] 7
            6 [x != 9U] 8
            7 error: reach_error 9
            8 end of x 10
            10 return 1
        ",
    );
    check(
        "int f(int (*g)(int), int a) { return g(a); }",
        "
            0 check: g is a function of this type 2
            2 $t0 = (*g)(a) 3
            3 return $t0 1
        ",
    );
    check(
        r#"void f(int *p) { __asm__("x" : "=r"(*p) : "r"(p) : "memory"); }"#,
        "
            0 unsupported: inline assembly that may write memory 2
            2 check: *p can be written 3
            3 *p = any (inline assembly) 4
            4 return 1
        ",
    );
    check(
        "int f(int a) { if (a) __builtin_unreachable(); return a; }",
        "
            0 [a != 0] 2
            0 [a == 0] 3
            2 check: control does not arrive here 4
            4 halt 5
            3 return a 1
        ",
    );
}

#[test]
fn addresses_are_taken_only_where_they_escape() {
    let taken = |text: &str| -> Vec<String> {
        let program = program(text, DataModel::Lp64);
        let taken = program.variables.iter().filter(|v| v.address_taken);
        taken.map(|v| v.name.to_string()).collect()
    };
    let none: [String; 0] = [];
    assert_eq!(taken("int f(int i) { int a[9] = {0}; return a[i] + *(a + 2) + *&a[1]; }"), none);
    assert_eq!(
        taken("struct s { int m[4]; }; int f(struct s p, int i) { return (&p)->m[i]; }"),
        none
    );
    assert_eq!(taken("int *f(void) { static int x, y; y = x; return &x; }"), ["x"]);
    assert_eq!(taken("void g(int *); void f(void) { int a[2], b; g(a); b = a[0]; }"), ["a"]);
}

#[test]
fn sizes_follow_the_data_model() {
    let edges = |model| listing(&program("long f(long *p) { return p[1] + sizeof p; }", model));
    assert!(edges(DataModel::Lp64).contains("8UL"));
    assert!(edges(DataModel::Ilp32).contains("4U"));
}

#[test]
fn what_is_not_modelled_has_a_place() {
    let text =
        "int setjmp(int *); int g(int *b) { return setjmp(b); } int main(void) { return 0; }";
    let load_with = |entry: &str| {
        let options = Options { entry: entry.into(), ..Options::default() };
        let mut sources = SourceMap::default();
        load(&mut sources, &[Input::text("t.i", text)], &options).expect("it is C").unsupported
    };
    assert!(load_with("main").is_empty());
    let found = load_with("g");
    assert_eq!(found.len(), 1);
    assert_eq!(&*found[0].1, "setjmp");
    assert_eq!(&text[found[0].0.range()], "setjmp(b)");
}

#[test]
fn long_chains_are_walked() {
    let sum = vec!["x"; 20_000].join(" + ");
    let both = vec!["x"; 20_000].join(" && ");
    let ladder: String = (0..20_000).map(|i| format!("if (x == {i}) y = {i}; else ")).collect();
    let cases: String = (0..20_000).map(|i| format!("case {i}: ")).collect();
    let text = format!(
        "unsigned f(unsigned x) {{ unsigned y = 0; y = {sum}; if ({both}) y++; {ladder} y = 1; \
         switch (x) {{ {cases} y = 2; }} return y; }}"
    );
    assert_eq!(program(&text, DataModel::Lp64).functions.len(), 1);
}
