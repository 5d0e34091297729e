//! The language, construct by construct: what each program prints when it is
//! interpreted is what it prints when it is compiled, for both data models.

#![expect(clippy::panic, clippy::print_stderr, reason = "a difference fails the test")]

#[path = "../differential/native.rs"]
mod native;

use native::{compiled, first_difference, has_ilp32, interpreted};
use parallax_cfa::DataModel;

const PRELUDE: &str = "int printf(const char *, ...);\n";

/// The text with every `P(x)` replaced by a call that prints `x`.
fn expanded(body: &str) -> String {
    let mut text = PRELUDE.to_owned();
    let mut rest = body;
    while let Some(at) = rest.find("P(") {
        let (before, after) = rest.split_at(at);
        let mut depth = 0;
        let end = after.char_indices().find_map(|(i, c)| {
            depth += i32::from(c == '(') - i32::from(c == ')');
            (c == ')' && depth == 0).then_some(i)
        });
        let end = end.expect("closed");
        let operand = &after[2..end];
        text.push_str(before);
        text.push_str(&format!("printf(\"%lld\\n\", (long long)({operand}))"));
        rest = &after[end + 1..];
    }
    text.push_str(rest);
    text
}

/// Runs a program both ways; the body of `main` is the last part.
fn check(declarations: &str, body: &str) {
    let text = expanded(&format!("{declarations}\nint main(void) {{ {body} return 0; }}\n"));
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        if model == DataModel::Ilp32 && !has_ilp32() {
            eprintln!("note: `cc -m32` does not work here; only LP64 is compared");
            continue;
        }
        let Some(expected) = compiled(&text, model, &["-O0"]) else { continue };
        let (found, _) = interpreted(&text, model);
        if let Some((one, other)) = first_difference(&expected, &found) {
            let line = expected.lines().zip(found.lines()).take_while(|(a, b)| a == b).count();
            panic!("line {line}: compiled {one}, interpreted {other}, {model:?}, in\n{text}");
        }
    }
}

#[test]
fn bit_fields() {
    check(
        "struct s { unsigned long long u : 40; long long i : 40; unsigned long long v : 33;
                    unsigned long w : 32; unsigned long long x : 31; int n : 5; unsigned m : 5; } s;",
        "P(s.u - 1 < 0); P(s.u - 1); P(s.u - 1L < 0); s.u = (1ULL << 40) - 1; P(s.u == -1);
         P(s.u == -1LL); P(s.u << 4); P(~s.u); P(-s.u); s.v = (1ULL << 33) - 1; P(s.v + s.u);
         P(s.v * 4u); s.i = -1; P(s.i < s.u); P(s.i + s.u); P(s.i < 1u); P(s.w - 1); P(s.w - 1 < 0);
         P(s.x - 1 < 0); P(1 ? s.u : -1); P(0 ? s.u : -1); P((s.u = 0) - 1); P(s.u-- - 1);
         s.i = (1LL << 39) - 1; P(s.i + 1); P(s.i << 1); s.u = 5; s.u += 1ULL << 39; s.u *= 3; P(s.u);
         s.n = 17; P(s.n); P(s.n++); P(s.n); s.m = 33; P(s.m); P(--s.m); P(--s.m); P(s.m - 40 < 0);
         P((s.m = 40)); P(s.n = s.m);",
    );
}

#[test]
fn old_style_functions() {
    check(
        "int f(c, x, s) char c; float x; short s; { return c * 100 + (int)(x * 10) + s; }
         g(a) { return a + 1; }
         int h(float, unsigned char); int h(x, c) float x; unsigned char c; { return x * 2 + c; }
         int k() { return 4; }",
        "P(f(300, 1.5, 70000)); P(f('a', 2.25f, -1)); P(g(4)); P(h(1.75, 257)); P(k());",
    );
}

#[test]
fn initializers() {
    check(
        "struct p { int x, y; }; struct q { char name[6]; struct p p[3]; union { int i; char c[8]; } u; };
         struct q a = { \"abc\", { 1, 2, [2] = { .y = 5 } }, { .c = \"hi\" } };
         int m[3][4] = { { 1 }, 2, 3, [2][1] = 7 }; int r[] = { [2 ... 4] = 9, 1, [0] = 3 };
         const char *names[] = { \"one\", [3] = \"four\" }; char exact[3] = \"xyz\";
         struct { int n; short f[]; } flexible = { 2, { 7, 8 } };
         int *address = &m[1][2]; long distance = (char *)&a.p[1] - (char *)0 == 0;
         double numbers[] = { 1, .5, 1e10, -0.0, 0x1p-3 }; unsigned char wrapped = 300;",
        "P(a.name[2]); P(a.name[4]); P(a.p[0].y); P(a.p[1].x); P(a.p[2].x); P(a.p[2].y); P(a.u.c[1]);
         int i, j; for (i = 0; i < 3; i++) for (j = 0; j < 4; j++) P(m[i][j]);
         P(sizeof r / sizeof *r); for (i = 0; i < 6; i++) P(r[i]); P(names[3][1]); P(names[1] == 0);
         P(exact[2]); P(flexible.f[1]); P(*address); P(sizeof names); P(numbers[1] * 100); P(wrapped);
         struct q b = a; b.p[2].y++; P(a.p[2].y); P(b.p[2].y); struct p c = { .y = 4 }, *d = &(struct p){ 8, 9 };
         P(c.x); P(d->y); P(((struct p){ 1, c.y }).y); int local[5] = { 1, [3] = i }; P(local[2]); P(local[3]);
         char text[8] = \"ab\"; P(text[7]); struct p list[] = { { 1 }, { 2, 3 }, c }; P(list[1].y + list[2].y);
         static int kept = 5; P(kept);",
    );
}

#[test]
fn control_flow() {
    check(
        "int f(int x) { switch (x) { case 1: x += 10; case 2 ... 4: x += 100; break; default: x = -1;
           case 9: x--; } return x; }
         int duff(int n) { int s = 0; switch (n % 4) { do { case 0: s++; case 3: s += 10; case 2: s += 100;
           case 1: s += 1000; } while ((n -= 4) > 0); } return s; }
         int jump(int n) { void *to[] = { &&a, &&b, &&c }; goto *to[n]; a: return 1; b: n += 5; c: return n; }
         int label(int n) { { __label__ out; if (n) goto out; n = 7; out: n++; } return n; }",
        "int i, n = 0; for (i = 0; i < 11; i++) P(f(i)); P(duff(7)); P(duff(12)); P(jump(0)); P(jump(1)); P(jump(2));
         P(label(0)); P(label(5)); again: if (n++ < 3) goto again; P(n);
         for (int i = 0;; i++) { if (i == 2) continue; if (i > 4) break; P(i); }
         do { n--; } while (n > 1 && n != 2); P(n); P(({ int t = n; if (t) t *= 2; t; })); P(n ?: 5); P(0 ?: 5);
         int s = 0; for (int a = 0, b = 9; a < b; a++, b--) s += a * b; P(s); P((n = 3, n + 1));",
    );
}

#[test]
fn run_time_lengths_and_types() {
    check(
        "int sum(int n, int m, int a[n][m]) { int s = 0; for (int i = 0; i < n; i++) for (int j = 0; j < m; j++)
           s += a[i][j] * (i + 1); return s + sizeof a[0]; }
         typedef struct { char a; double b; } pair;",
        "int n = 3; int a[n][n + 1]; for (int i = 0; i < n; i++) for (int j = 0; j <= n; j++) a[i][j] = i + j;
         P(sizeof a); P(sizeof(int[n++])); P(n); P(sum(3, 4, a)); typedef int row[n]; row r; n = 10; P(sizeof r);
         P(sizeof(row)); __auto_type z = 1.5f; P(sizeof z); __typeof__(a[0][0]) q = 3; P(q);
         P(_Generic(n, long: 1, int: 2)); P(sizeof(pair)); P(__builtin_offsetof(pair, b)); P(_Alignof(pair));
         P(sizeof(char[n][2])); int (*p)[4] = (void *)a; P(p[1][2]); P((char *)(p + 1) - (char *)p);",
    );
}

#[test]
fn builtins() {
    check(
        "int i = 5; unsigned u; long l = 7; _Bool b;",
        "P(__builtin_add_overflow(2147483647, 1, &i)); P(i); P(__builtin_sub_overflow(1u, 2u, &l)); P(l);
         P(__builtin_mul_overflow(65536, 65536, &u)); P(u); P(__builtin_add_overflow_p(100, 100, (signed char)0));
         P(__builtin_saddl_overflow(1, 2, &l)); P(l); P(__builtin_clz(1)); P(__builtin_ctzll(16)); P(__builtin_popcountl(-1));
         P(__builtin_parity(7)); P(__builtin_bswap32(0x12345678)); P(__builtin_bswap16(0x1234)); P(__builtin_ffs(8)); P(__builtin_ffs(0));
         P(__builtin_expect(l > 2, 1)); P(__builtin_constant_p(3)); P(__builtin_isnan(0.0 / 0.0)); P(__builtin_isinf_sign(-1 / 0.0));
         P(__builtin_fabs(-2.5) * 2); P(__builtin_isless(1.0, 2.0)); P(__builtin_strlen(\"hello\")); P(__builtin_isunordered(1.0, 2.0));
         i = 5; P(__sync_fetch_and_add(&i, 3)); P(__sync_sub_and_fetch(&i, 1)); P(__sync_bool_compare_and_swap(&i, 7, 9)); P(i);
         P(__sync_val_compare_and_swap(&i, 1, 2)); P(__sync_lock_test_and_set(&i, 4)); P(__atomic_load_n(&i, 5));
         P(__atomic_fetch_or(&i, 3, 5)); P(__atomic_exchange_n(&i, 1, 5)); int e = 2;
         P(__atomic_compare_exchange_n(&i, &e, 6, 0, 5, 5)); P(e); P(i); __atomic_store_n(&i, 8, 5); P(i);
         P(__atomic_add_fetch(&i, 2, 5)); int *p = __builtin_alloca(8); p[1] = 3; P(p[1]);",
    );
}

#[test]
fn conversions_and_pointers() {
    check(
        "struct n { struct n *next; int v; }; union u { float f; unsigned bits; unsigned char c[4]; };
         enum e { A = -1, B, C = 10 }; enum w { W = 3 }; int twice(int x) { return 2 * x; }
         struct pair { int a; char b; }; struct pair make(int a) { struct pair p = { a, 'x' }; return p; }
         int apply(int (*f)(int), int x) { return (*f)(x) + f(x); }
         int count(int n, ...) { __builtin_va_list l; int s = 0; __builtin_va_start(l, n);
           while (n--) s += __builtin_va_arg(l, int); s += (int)__builtin_va_arg(l, double); __builtin_va_end(l); return s; }
         char *const_name(void) { return (char *)__func__; }",
        "struct n x = { 0, 1 }, y = { &x, 2 }; P(y.next->v); P((&y)->next == &x); union u z; z.f = 1.5f; P(z.bits); P(z.c[3]);
         enum e e = A; P(e < 0); enum w w = W; P(w - 4 < 0); P(apply(twice, 4)); P(apply(&twice, 1)); P(make(3).b); P(make(6).a);
         P(count(3, 1, 2, 3, 4.5)); int a[5] = { 1, 2, 3, 4, 5 }, *p = a + 1; P(p[-1]); P(*p++); P(*++p); P(p - a); P(2[a]);
         P(&a[4] - p); P(p > a); P(!p); char c = 200; P(c); unsigned char uc = -1; P(uc); P((signed char)0x180); P(-1 < 1u);
         P((unsigned short)-1 + 1); short s = 32767; s++; P(s); P((_Bool)0.5); P((int)-2.9); P(1 << 31 < 0); P(-7 / 2); P(-7 % 3);
         P(5 > 3 > 1); P(~0u >> 28); P((long long)1 << 40); P(0x80000000 > 0); P('a' + '\\377'); P(sizeof('a')); float f = 0.1f;
         P(f == 0.1); P(f == 0.1f); c += 100; P(c); uc >>= 1; P(uc); P(const_name()[0]); long double ld = 1.0l / 3; P(ld * 3000000000.0l);
         void *v = a; P(((int *)v)[2]); P((char *)&a[1] - (char *)a);",
    );
}
