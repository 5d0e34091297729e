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

/// The program with this number, of another kind: threads that take locks and give
/// them back, wait for each other, for semaphores and on a condition; some of them as
/// they should.
pub fn waiting(seed: u64) -> String {
    let mut random = Random(seed ^ 0x0077_6169_7469_6e67);
    let others = 1 + random.index(2);
    let mut text = HEADER.to_owned();
    text.push_str(WAITING);
    for thread in 0..others {
        let _ = writeln!(text, "void *f{thread}(void *arg) {{\n  int t = 0;");
        for _ in 0..2 {
            operation(&mut random, &mut text);
        }
        text.push_str("  return (void *)arg;\n}\n");
    }
    text.push_str("pthread_t id[2];\nint main(void) {\n  int t = 0;\n");
    let _ = writeln!(text, "  sem_init(&s, 0, {});", random.below(2));
    for thread in 0..others {
        let _ = writeln!(text, "  pthread_create(&id[{thread}], 0, f{thread}, 0);");
    }
    for _ in 0..2 {
        operation(&mut random, &mut text);
    }
    if random.chance(75) {
        for thread in 0..others {
            let _ = writeln!(text, "  pthread_join(id[{thread}], 0);");
        }
    }
    if random.chance(25) {
        text.push_str("  pthread_mutex_destroy(&m);\n");
    }
    text.push_str("  return 0;\n}\n");
    text
}

/// Declarations that those programs begin with besides.
const WAITING: &str = "typedef struct { int cells[12]; } pthread_cond_t;
typedef struct { int cells[8]; } sem_t;
pthread_mutex_t n; pthread_cond_t c; sem_t s;
int pthread_mutex_destroy(pthread_mutex_t *);
int pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *);
int pthread_cond_signal(pthread_cond_t *); int pthread_cond_broadcast(pthread_cond_t *);
int sem_init(sem_t *, int, unsigned); int sem_wait(sem_t *); int sem_post(sem_t *);
";

/// Something that may wait, or that somebody may wait for.
fn operation(random: &mut Random, text: &mut String) {
    let mut locks = ["m", "n"];
    if random.below(2) == 0 {
        locks.reverse();
    }
    let [first, second] = locks;
    let lock = |name: &str| format!("pthread_mutex_lock(&{name});");
    let unlock = |name: &str| format!("pthread_mutex_unlock(&{name});");
    let wake = random.pick(&["signal", "broadcast"]);
    let _ = match random.below(10) {
        0 | 1 => {
            let (a, b) = (lock(first), lock(second));
            writeln!(text, "  {a} {b} x = 1; {} {}", unlock(second), unlock(first))
        }
        2 => writeln!(text, "  {} x = 2; {}", lock(first), unlock(first)),
        3 => {
            let (a, b) = (lock("m"), unlock("m"));
            writeln!(text, "  {a} while (!y) pthread_cond_wait(&c, &m); y = 0; {b}")
        }
        4 => writeln!(text, "  {} pthread_cond_wait(&c, &m); {}", lock("m"), unlock("m")),
        5 => writeln!(text, "  {} y = 1; pthread_cond_{wake}(&c); {}", lock("m"), unlock("m")),
        6 => writeln!(text, "  sem_wait(&s); x = 3;"),
        7 => writeln!(text, "  x = 4; sem_post(&s);"),
        8 => {
            writeln!(text, "  t = pthread_mutex_trylock(&{first}); if (t == 0) {}", unlock(first))
        }
        // Now and then what nobody should do.
        _ => match random.below(4) {
            0 => writeln!(text, "  {}", unlock(first)),
            1 => writeln!(text, "  {}", lock(first)),
            2 => writeln!(text, "  if (x == 1) {}", lock(first)),
            _ => writeln!(text, "  t = x; if (t > 1) abort();"),
        },
    };
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
