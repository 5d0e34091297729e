//! What the language does, claim by claim, run by the interpreter with every
//! check on: the compiled program keeps the same claims.

use parallax_base::SourceMap;
use parallax_cfa::DataModel;
use parallax_cfa::run::{CheckSet, Interpreter, Options as RunOptions, Outcome, Recorded};
use parallax_front_c::{Input, Options, load};

/// Declarations, statements, and what must hold after them.
const CLAIMS: &[(&str, &str, &str)] = &[
    // Values and sequencing of assignments.
    ("", "unsigned char c; int v = (c = 300);", "v == 44 && c == 44"),
    ("", "int x = 3; int v = x++ + 10; int w = ++x;", "v == 13 && w == 5 && x == 5"),
    ("", "int x = 5; int y = x = x + 1;", "y == 6 && x == 6"),
    (
        "",
        "int a[3] = {1, 2, 3}, *p = a; *p++ = 7; *p++ += 10;",
        "a[0] == 7 && a[1] == 12 && p == a + 2",
    ),
    ("int g = 5; int set(int v) { g = v; return v; }", "g += set(7);", "g == 14"),
    (
        "int g = 1, a[9]; int set(int v) { g = v; return v; }",
        "a[g] = set(3);",
        "a[1] == 3 && a[3] == 0",
    ),
    (
        "int i; int *next(void) { static int a[4]; return &a[i++]; }",
        "*next() += 5; (*next())++;",
        "i == 2",
    ),
    (
        "int n; int t(int v) { n = n * 10 + v; return v; }",
        "int r = (t(0) && t(1)) || (t(2) && t(3));",
        "r == 1 && n == 23",
    ),
    (
        "int n; int t(int v) { n = n * 10 + v; return v; }",
        "int r = t(0) ? t(1) : t(2);",
        "r == 2 && n == 2",
    ),
    ("", "int x = 1; int y = (x = 4, x + 1);", "y == 5"),
    ("", "int z = 0, x = z ?: 5, y = x ?: 9;", "x == 5 && y == 5"),
    ("", "signed char c = 127; c++; short s = -32768; s--;", "c == -128 && s == 32767"),
    ("", "_Bool b = 0.5; b += 5; int old = b--;", "old == 1 && b == 0"),
    (
        "",
        "unsigned short u = 0; u--; int s = -17;",
        "u == 65535 && s >> 2 == -5 && s / 4 == -4 && s % 4 == -1",
    ),
    (
        "",
        "int i = 7.9; float f = 16777217; double d = -2.5; int n = d;",
        "i == 7 && f == 16777216 && n == -2",
    ),
    // Bit-fields.
    (
        "struct b { signed a : 3; unsigned c : 5; int d : 7; };",
        "struct b s = {0}; int v = (s.a = 5), w = (s.c = 37), x = (s.d -= 100);",
        "v == -3 && w == 5 && x == 28",
    ),
    (
        "struct b { unsigned a : 4; } g;",
        "struct b *p = &g; p->a = 15; int v = p->a++; int w = ++p->a;",
        "v == 15 && w == 1",
    ),
    // Records.
    (
        "struct p { int x, y; }; struct p mk(int a) { struct p p = {a, a + 1}; return p; }",
        "int v = mk(4).y; struct p q = v ? mk(1) : mk(2), r; r = q; r.x += 5;",
        "v == 5 && q.x == 1 && r.x == 6 && r.y == 2",
    ),
    (
        "struct v { int a[3]; }; struct v mk(int k) { struct v v = {{k, k, k + 2}}; return v; }",
        "int x = mk(3).a[2];",
        "x == 5",
    ),
    (
        "struct p { int x, y; }; int sum(struct p a, struct p b) { a.x += 100; return a.x + b.y; }",
        "struct p s = {1, 2}; int v = sum(s, (struct p){7, 8});",
        "v == 109 && s.x == 1",
    ),
    (
        "union u { int i; unsigned char b[4]; };",
        "union u u; u.i = 0x01020304;",
        "u.b[0] == 4 && u.b[3] == 1",
    ),
    ("struct f { int n; int d[]; }; static struct f g = {2, {5, 6}};", "", "g.d[1] == 6"),
    // Initial values.
    (
        "int m[3][4] = {{1, 2}, [2] = {[3] = 9}}; int *p = &m[2][3]; char t[] = \"hello\", *s = t + 2;",
        "",
        "m[0][1] == 2 && m[1][0] == 0 && *p == 9 && *s == 'l' && sizeof t == 6",
    ),
    (
        "",
        "int a[100] = {[3 ... 7] = 2, [50] = 4}; int s = 0; for (int i = 0; i < 100; i++) s += a[i];",
        "s == 14",
    ),
    (
        "int one(void) { return 1; }",
        "int a[40] = {one(), 2, [30] = one() + 5}; struct { int x, y, z; } s = {.y = one()};",
        "a[0] == 1 && a[1] == 2 && a[30] == 6 && a[39] == 0 && s.x == 0 && s.y == 1 && s.z == 0",
    ),
    (
        "",
        "char m[3][4] = {\"ab\", {'x'}, \"long\"};",
        "m[0][2] == 0 && m[1][1] == 0 && m[2][3] == 'g'",
    ),
    ("int count(void) { static int k = 3; return k++; }", "count(); count();", "count() == 5"),
    (
        "struct q { struct { short h; char c; } in[3]; union { int i; float f; }; } t[4] = {[1] = {.in[2].h = 7, .i = 9}, [3].in[0].c = 3};",
        "",
        "t[1].in[2].h == 7 && t[1].i == 9 && t[3].in[0].c == 3 && t[0].i == 0",
    ),
    // Control flow.
    (
        "int duff(int n) { int r = 0, k = (n + 3) / 4; switch (n % 4) { case 0: do { r += 1; case 3: r += 10; case 2: r += 100; case 1: r += 1000; } while (--k > 0); } return r; }",
        "",
        "duff(1) == 1000 && duff(4) == 1111 && duff(7) == 2221",
    ),
    (
        "int sw(int x) { int r = 0; switch (x) { default: r = 9; break; case 1: r = 1; case 2: r += 2; break; case 5 ... 8: { int z = 4; r = z; if (0) { case 10: z = 7; r = z; } } } return r; }",
        "",
        "sw(0) == 9 && sw(1) == 3 && sw(2) == 2 && sw(7) == 4 && sw(10) == 7",
    ),
    (
        "int f(int n) { int s = 0; { int i = 0; again: if (i < n) { int q = i * i; s += q; i++; goto again; } } goto inside; { int q = 7; inside: q = 3; s += q; } return s; }",
        "",
        "f(5) == 33",
    ),
    (
        "int f(int n) { static void *t[] = {&&a, &&b, &&c}; int r = 0; goto *t[n]; a: r += 1; b: r += 10; c: r += 100; return r; }",
        "",
        "f(0) == 111 && f(1) == 110 && f(2) == 100",
    ),
    (
        "int f(int n) { int r = 0; for (int i = 0; i < n; i++) { int q[i + 1]; q[i] = i; if (i == 2) continue; if (i == 5) break; r += q[i]; } return r; }",
        "",
        "f(8) == 8",
    ),
    ("", "int i = 10; while (i --> 0) if (i == 5) goto end; end:;", "i == 5"),
    ("", "int w = ({ int t = 2; ({ int u = t * 3; u + 1; }) + t; });", "w == 9"),
    (
        "int main2(void) { } int f(int a) { if (a) return 4; return 3; }",
        "",
        "f(1) == 4 && f(0) == 3",
    ),
    (
        "int even(int n); int odd(int n) { return n ? even(n - 1) : 0; } int even(int n) { return n ? odd(n - 1) : 1; }",
        "",
        "even(10) && odd(7)",
    ),
    // Arrays, pointers, functions.
    (
        "int f(int n) { int a[n][n + 1]; for (int i = 0; i < n; i++) for (int j = 0; j <= n; j++) a[i][j] = i * 10 + j; return a[n - 1][n] + (int)(sizeof a / sizeof a[0]); }",
        "",
        "f(3) == 26",
    ),
    (
        "int f(int n, int m[n][n]) { return m[n - 1][n - 2]; }",
        "int m[3][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}; int (*row)[3] = m + 1;",
        "f(3, m) == 8 && (*row)[1] == 5 && *(*(m + 1) + 2) == 6 && row - m == 1",
    ),
    (
        "int add(int a, int b) { return a + b; } int sub(int a, int b) { return a - b; } typedef int (*op)(int, int); op ops[2] = {add, sub}; op pick(int k) { return ops[k]; }",
        "",
        "pick(1)(5, 3) == 2 && (*ops[0])(2, 2) == 4 && (&add)(1, 1) == 2 && (ops[1] ? ops[1] : ops[0])(9, 1) == 8",
    ),
    ("int old(a, b) int a; char b; { return a + b; }", "", "old(3, 4) == 7"),
    (
        "int sum(int n, ...) { __builtin_va_list l, k; __builtin_va_start(l, n); __builtin_va_copy(k, l); int s = 0; while (n--) s += __builtin_va_arg(l, int); s += __builtin_va_arg(k, int); __builtin_va_end(l); __builtin_va_end(k); return s; }",
        "",
        "sum(3, 1, 2, 3) == 7",
    ),
    (
        "",
        "int v = 5; int *p = &(int){7}; p = v ? p : &v; struct s { int a; } *q = &(struct s){8};",
        "*p == 7 && q->a == 8 && ((int[]){1, 2, 3})[1] == 2",
    ),
    ("", "char *p = __builtin_alloca(4); p[3] = 'x';", "p[3] == 'x'"),
    // Builtins.
    (
        "",
        "int r; int o = __builtin_add_overflow(2147483647, 1, &r); unsigned u; int p = __builtin_mul_overflow(3u, 5u, &u);",
        "o == 1 && r == -2147483647 - 1 && p == 0 && u == 15",
    ),
    (
        "int x = 4;",
        "int a = __sync_fetch_and_add(&x, 3), b = __sync_add_and_fetch(&x, 1), c = __sync_bool_compare_and_swap(&x, 8, 2), d = __sync_lock_test_and_set(&x, 6);",
        "a == 4 && b == 8 && c == 1 && d == 2 && x == 6",
    ),
];

fn outcome(declarations: &str, body: &str, model: DataModel) -> (Outcome, String) {
    let text = format!(
        "extern void reach_error(void);\n{declarations}\nint main(void) {{\n{body}\nreturn 0;\n}}\n"
    );
    let options = Options { model, ..Options::default() };
    let mut sources = SourceMap::default();
    let loaded = load(&mut sources, &[Input::text("t.i", text)], &options).expect(body);
    assert!(loaded.unsupported.is_empty(), "{body}: {:?}", loaded.unsupported);
    let options = RunOptions { checks: CheckSet::all(), ..RunOptions::default() };
    let report = Interpreter::new(&loaded.program, options).run(&mut Recorded::new(Vec::new()));
    let place = report.position.map_or(String::new(), |at| sources.place(at.span));
    (report.outcome, place)
}

#[test]
fn programs_keep_the_claims_of_the_language() {
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        for (declarations, before, claim) in CLAIMS {
            let body = format!("{before}\nif (!({claim})) reach_error();");
            let (outcome, place) = outcome(declarations, &body, model);
            let text = format!("{model:?} {declarations}\n{body}\nat {place}");
            assert_eq!(outcome, Outcome::Exit(Some(0)), "{text}");
        }
    }
}

#[test]
fn undefined_behavior_is_found_where_it_happens() {
    for (declarations, body) in [
        ("int x = 2147483647;", "x++;"),
        ("int x = -2147483647 - 1;", "x = -x;"),
        ("int x = -2147483647 - 1, y = -1;", "x /= y;"),
        ("int x = -2147483647 - 1, y = -1;", "x %= y;"),
        ("int x;", "x = 1 / x;"),
        ("int x = 32;", "x = 1 << x;"),
        ("int x = -1;", "x = 1 >> x;"),
        ("double d = 1e20;", "int x = d;"),
        ("int a[3], i = 3;", "a[i] = 1;"),
        ("int *p;", "*p = 1;"),
        ("int *p; int dangle(void) { int x = 1; p = &x; return x; }", "dangle(); *p = 2;"),
        ("int *p;", "{ int x = 1; p = &x; } *p = 2;"),
        ("", "int x; if (x) x = 1;"),
        ("", "int a[2]; a[0] = 1; return a[1];"),
        ("int c = 1;", "int x; if (!c) x = 1; int y = c && x;"),
        ("void f(int a) {} void (*p)(int);", "p(1);"),
        ("int x = 1;", "if (x) __builtin_unreachable();"),
        ("", "goto in; { int x = 1; in: return x; }"),
    ] {
        let (outcome, _) = outcome(declarations, body, DataModel::Lp64);
        assert!(matches!(outcome, Outcome::Undefined(_)), "{declarations} {body}: {outcome}");
    }
}

#[test]
fn guarded_operations_are_defined() {
    for (declarations, body) in [
        ("int x;", "if (x != 0 && 1 / x > 0) x = 2;"),
        ("int *p;", "int y = p ? *p : 3;"),
        ("int *p;", "int y = !p || *p;"),
        ("int a[3], i = 3;", "if (i < 3 && a[i]) i = 0;"),
        ("int c;", "int x; if (c) x = 1; int y = c && x;"),
        ("", "int x, y; x = y = 1; return x - y;"),
        ("int x = 2147483647;", "x = x + 0u; unsigned u = x; u += u;"),
        ("int a[3];", "int *p = a + 3; return p - a == 3 ? 0 : 1;"),
    ] {
        let (outcome, place) = outcome(declarations, body, DataModel::Lp64);
        assert!(matches!(outcome, Outcome::Exit(_)), "{declarations} {body}: {outcome} {place}");
    }
}
