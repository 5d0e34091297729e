//! Random C programs with two or three threads: a few accesses to shared
//! variables each, some of them under a lock or in an atomic section, and an
//! assertion in one of the threads. All runs end, and all values are small.
//!
//! What such a program may do is found by running it with all orders of its
//! threads, or with many; who runs it is up to the caller.

use crate::Random;
use std::fmt::Write as _;

/// Declarations that the programs begin with.
const HEADER: &str = "typedef unsigned long pthread_t;
typedef struct { int cells[10]; } pthread_mutex_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
int pthread_mutex_lock(pthread_mutex_t *); int pthread_mutex_unlock(pthread_mutex_t *);
int pthread_mutex_trylock(pthread_mutex_t *);
void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);
_Bool __VERIFIER_nondet_bool(void); void abort(void); void reach_error(void);
pthread_mutex_t m;
int x, y, z = 1, a[2];
int *p = &x;
";

const SHARED: [&str; 5] = ["x", "y", "z", "a[0]", "*p"];

/// The program with this number.
pub fn program(seed: u64) -> String {
    let mut random = Random(seed ^ 0x7468_7265_6164);
    let others = 1 + usize::from(random.chance(33));
    let length = if others == 1 { 3 } else { 2 };
    let asserts = random.index(others + 1);
    let mut text = HEADER.to_owned();
    for thread in 0..others {
        let _ = writeln!(text, "void *f{thread}(void *arg) {{\n  int t = 0, u = 0;");
        statements(&mut random, &mut text, length);
        if asserts == thread + 1 {
            assertion(&mut random, &mut text);
        }
        text.push_str("  return (void *)arg;\n}\n");
    }
    text.push_str("int main(void) {\n  pthread_t id[2]; int t = 0, u = 0;\n");
    if random.below(2) == 0 {
        statement(&mut random, &mut text, 0);
    }
    for thread in 0..others {
        let _ = writeln!(text, "  pthread_create(&id[{thread}], 0, f{thread}, 0);");
    }
    if others == 1 {
        statements(&mut random, &mut text, length);
    }
    if random.below(2) == 0 {
        for thread in 0..others {
            let _ = writeln!(text, "  pthread_join(id[{thread}], 0);");
        }
    }
    if asserts == 0 {
        assertion(&mut random, &mut text);
    }
    text.push_str("  return 0;\n}\n");
    text
}

fn statements(random: &mut Random, text: &mut String, count: usize) {
    for _ in 0..count {
        statement(random, text, 1);
    }
}

fn statement(random: &mut Random, text: &mut String, depth: usize) {
    let target = random.pick(&SHARED);
    let source = random.pick(&SHARED);
    let constant = random.below(3);
    let _ = match random.below(if depth > 0 { 12 } else { 5 }) {
        0 | 1 => writeln!(text, "  {target} = {constant};"),
        2 => writeln!(text, "  t = {source};"),
        3 => writeln!(text, "  {target} = t + {constant};"),
        4 => writeln!(text, "  u = {source}; {target} = u + 1;"),
        5 => writeln!(text, "  if ({source} == {constant}) {target} = {constant} + 1;"),
        6 => writeln!(text, "  t = __VERIFIER_nondet_bool();"),
        7 => writeln!(text, "  if ({source} > {constant}) abort();"),
        8 => writeln!(text, "  p = &{};", random.pick(&["x", "y"])),
        9 => section(random, text, "__VERIFIER_atomic_begin();", "__VERIFIER_atomic_end();"),
        10 => section(random, text, "pthread_mutex_lock(&m);", "pthread_mutex_unlock(&m);"),
        _ => section(
            random,
            text,
            "if (pthread_mutex_trylock(&m) == 0) {",
            "pthread_mutex_unlock(&m); }",
        ),
    };
}

fn section(random: &mut Random, text: &mut String, begin: &str, end: &str) -> std::fmt::Result {
    writeln!(text, "  {begin}")?;
    statement(random, text, 0);
    statement(random, text, 0);
    writeln!(text, "  {end}")
}

fn assertion(random: &mut Random, text: &mut String) {
    let (left, right) = (random.pick(&SHARED), random.pick(&["t", "u", "x", "y"]));
    let relation = random.pick(&["==", "!=", "<=", ">"]);
    let constant = random.below(4);
    let _ = match random.below(2) {
        0 => writeln!(text, "  if ({left} {relation} {constant}) reach_error();"),
        _ => writeln!(text, "  if ({left} == {constant} && {right} {relation} 2) reach_error();"),
    };
}
