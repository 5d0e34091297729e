//! Programs with several threads, run by the interpreter: the same results as
//! compiled where the program determines them, all of several results where it
//! does not, over many orders of the threads.

use parallax_base::SourceMap;
use parallax_cfa::DataModel;
use parallax_cfa::run::{
    CheckSet, Interpreter, Options, Oracle, Outcome, Recorded, Report, Seeded,
};
use parallax_front_c::{Input, Loaded};
use std::collections::BTreeSet;
use std::process::Command;

const HEADER: &str = "#define _GNU_SOURCE\n#include <pthread.h>\n#include <semaphore.h>\n#include <sched.h>\n\
    #include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\n";

/// Declarations for programs that are only interpreted.
const PLAIN: &str = "typedef unsigned long pthread_t;
typedef struct { int cells[10]; } pthread_mutex_t, pthread_cond_t, pthread_rwlock_t, sem_t;
typedef int pthread_once_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **); void pthread_exit(void *); pthread_t pthread_self(void);
int pthread_mutex_lock(pthread_mutex_t *); int pthread_mutex_unlock(pthread_mutex_t *);
int pthread_mutex_trylock(pthread_mutex_t *); int sched_yield(void);
int pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *);
int pthread_rwlock_rdlock(pthread_rwlock_t *); int pthread_rwlock_wrlock(pthread_rwlock_t *);
int pthread_rwlock_unlock(pthread_rwlock_t *);
int sem_init(sem_t *, int, unsigned); int sem_wait(sem_t *); int sem_post(sem_t *);
void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);
void reach_error(void); void abort(void);
int pthread_mutex_init(pthread_mutex_t *, const void *);
";

fn load(name: &str, text: String, model: DataModel) -> Loaded {
    let mut sources = SourceMap::default();
    let options = parallax_front_c::Options { model, ..Default::default() };
    let loaded = parallax_front_c::load(&mut sources, &[Input::text(name, text)], &options);
    let loaded = loaded.expect("the program is correct");
    let known = |text: &str| text == "threads: destructor of a key";
    assert!(loaded.unsupported.iter().all(|(_, text)| known(text)), "{:?}", loaded.unsupported);
    loaded
}

fn run(loaded: &Loaded, oracle: &mut dyn Oracle) -> Report {
    let options = Options { checks: CheckSet::default(), max_steps: 200_000, ..Options::default() };
    Interpreter::new(&loaded.program, options).run(oracle)
}

/// How a program ends under many orders.
fn outcomes(text: &str, seeds: u64) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        let loaded = load("program.i", format!("{PLAIN}{text}"), model);
        for seed in 0..seeds {
            found.insert(run(&loaded, &mut Seeded::new(seed)).outcome.to_string());
        }
    }
    found
}

fn check(text: &str, expected: &[&str]) {
    let found = outcomes(text, 200);
    assert_eq!(found.iter().map(String::as_str).collect::<Vec<_>>(), expected, "{text}");
}

/// Where it does not matter who moves when: with every order the output and
/// the exit code of the compiled program.
fn same_as_compiled(name: &str, text: &str) {
    let text = format!("{HEADER}{text}");
    let folder =
        std::env::temp_dir().join(format!("parallax-threads-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let (source, binary) = (folder.join(format!("{name}.c")), folder.join(name));
    std::fs::write(&source, &text).expect("a file");
    let mut cc = Command::new("cc");
    let built = cc.args(["-pthread", "-w", "-o"]).arg(&binary).arg(&source);
    assert!(built.status().expect("a compiler").success(), "{name}");
    let native = Command::new(&binary).output().expect("it runs");
    let loaded = load(&format!("{name}.c"), text, DataModel::Lp64);
    let report = run(&loaded, &mut Recorded::default());
    let expected = (Outcome::Exit(native.status.code()), native.stdout);
    assert_eq!((report.outcome, report.output), expected, "{name}");
    for seed in 0..50 {
        let report = run(&loaded, &mut Seeded::new(seed));
        assert_eq!((report.outcome, report.output), expected, "{name}, seed {seed}");
    }
    std::fs::remove_dir_all(&folder).ok();
}

#[test]
fn increments_are_lost_without_a_lock() {
    let program = |before: &str, after: &str| {
        format!(
            "int x; pthread_mutex_t m;
            void *f(void *p) {{ {before} x++; {after} return 0; }}
            int main(void) {{
                pthread_t a, b; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, f, 0);
                pthread_join(a, 0); pthread_join(b, 0); return x; }}"
        )
    };
    check(&program("", ""), &["exit with 1", "exit with 2"]);
    check(&program("pthread_mutex_lock(&m);", "pthread_mutex_unlock(&m);"), &["exit with 2"]);
    check(
        &program("while (pthread_mutex_trylock(&m)) {}", "pthread_mutex_unlock(&m);"),
        &["exit with 2"],
    );
    check(&program("__VERIFIER_atomic_begin();", "__VERIFIER_atomic_end();"), &["exit with 2"]);
    check(
        &program("__sync_fetch_and_add(&x, 1); x = x; return 0;", ""),
        &["exit with 1", "exit with 2"],
    );
    check(&program("__sync_fetch_and_add(&x, 1); return 0;", ""), &["exit with 2"]);
}

#[test]
fn a_function_can_be_one_step() {
    let program = |name: &str| {
        format!(
            "int x, y; int {name}(int by) {{ x += by; if (by > 1) return x; y += by; return y; }}
            void *f(void *p) {{ {name}(1); return 0; }}
            int main(void) {{
                pthread_t t; pthread_create(&t, 0, f, 0);
                __VERIFIER_atomic_begin(); int a = x; {name}(0); int b = y; __VERIFIER_atomic_end();
                return a != b; }}"
        )
    };
    check(&program("__VERIFIER_atomic_both"), &["exit with 0"]);
    check(&program("both"), &["exit with 0", "exit with 1"]);
}

#[test]
fn reads_happen_once() {
    // Division sees the value that was checked; both sides of `==` are reads
    // of their own.
    check(
        "int d = 1; void *f(void *p) { d = 0; return 0; }
        int main(void) { pthread_t t; pthread_create(&t, 0, f, 0);
            int v = d; return v ? 8 / v : 8 / (d + 1); }",
        &["exit with 8"],
    );
    check(
        "int x; void *f(void *p) { x = 1; return 0; }
        int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); return x == x; }",
        &["exit with 0", "exit with 1"],
    );
    check(
        "int x, y; void *f(void *p) { x = 1; y = 1; return 0; }
        int main(void) { pthread_t t; pthread_create(&t, 0, f, 0);
            if (y && !x) reach_error(); return 0; }",
        &["exit with 0"],
    );
}

#[test]
fn a_value_reaches_the_thread_and_comes_back() {
    check(
        "void *f(void *p) { if (*(int *)p == 3) pthread_exit((void *)7L); return p; }
        int main(void) { int v = 3; pthread_t t; void *r; pthread_create(&t, 0, f, &v);
            pthread_join(t, &r); return (int)(long)r + (pthread_self() == t); }",
        &["exit with 7"],
    );
    // The run ends with `main`, unless `main` leaves alone.
    check(
        "void *f(void *p) { for (;;) {} }
        int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); return 4; }",
        &["exit with 4"],
    );
    check(
        "void *f(void *p) { reach_error(); return 0; }
        int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_exit(0); }",
        &["error: reach_error"],
    );
    check(
        "void *f(void *p) { return 0; }
        int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_exit(0); }",
        &["exit with 0"],
    );
    // A local object ends with its thread.
    check(
        "void *f(void *p) { int x = 5; *(int **)p = &x; return 0; }
        int main(void) { int *q; pthread_t t; pthread_create(&t, 0, f, &q);
            pthread_join(t, 0); return *q; }",
        &["undefined behavior: Access"],
    );
}

#[test]
fn nobody_moves() {
    let program = |first: &str, second: &str| {
        format!(
            "pthread_mutex_t a, b;
            void *f(void *p) {{ pthread_mutex_lock(&{first}); pthread_mutex_lock(&{second});
                pthread_mutex_unlock(&{second}); pthread_mutex_unlock(&{first}); return 0; }}
            int main(void) {{ pthread_t t; pthread_create(&t, 0, f, 0);
                pthread_mutex_lock(&a); pthread_mutex_lock(&b);
                pthread_mutex_unlock(&b); pthread_mutex_unlock(&a);
                pthread_join(t, 0); return 0; }}"
        )
    };
    check(&program("a", "b"), &["exit with 0"]);
    check(&program("b", "a"), &["deadlock", "exit with 0"]);
}

#[test]
fn readers_exclude_writers() {
    check(
        "int readers, writers; pthread_rwlock_t l;
        void *w(void *p) { pthread_rwlock_wrlock(&l); writers = 1; if (readers) reach_error();
            writers = 0; pthread_rwlock_unlock(&l); return 0; }
        void *r(void *p) { pthread_rwlock_rdlock(&l); __sync_fetch_and_add(&readers, 1);
            if (writers) reach_error(); __sync_fetch_and_sub(&readers, 1);
            pthread_rwlock_unlock(&l); return 0; }
        int main(void) { pthread_t a, b, c; pthread_create(&a, 0, r, 0);
            pthread_create(&b, 0, w, 0); pthread_create(&c, 0, r, 0);
            w(0); pthread_join(a, 0); pthread_join(b, 0); pthread_join(c, 0); return 0; }",
        &["exit with 0"],
    );
}

#[test]
fn programs_run_as_compiled() {
    same_as_compiled(
        "queue",
        r#"
        static int queue[4], count, first; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
        pthread_cond_t more = PTHREAD_COND_INITIALIZER, room = PTHREAD_COND_INITIALIZER;
        static void *produce(void *p) {
            for (int i = 1; i <= *(int *)p; i++) {
                pthread_mutex_lock(&m);
                while (count == 4) pthread_cond_wait(&room, &m);
                queue[(first + count++) % 4] = i * i;
                pthread_cond_signal(&more);
                pthread_mutex_unlock(&m);
            }
            return p;
        }
        int main(void) {
            int n = 20, sum = 0; pthread_t t; void *result;
            if (pthread_create(&t, NULL, produce, &n)) return 99;
            for (int i = 0; i < n; i++) {
                pthread_mutex_lock(&m);
                while (count == 0) pthread_cond_wait(&more, &m);
                int v = queue[first]; first = (first + 1) % 4; count--;
                pthread_cond_signal(&room);
                pthread_mutex_unlock(&m);
                printf("%d ", v); sum += v;
            }
            pthread_join(t, &result);
            printf("%d %d\n", sum, result == &n);
            return sum % 100;
        }"#,
    );
    same_as_compiled(
        "own",
        r#"
        static _Thread_local int own = 5; static __thread struct { int a[3]; int *p; } record;
        static pthread_key_t key; static pthread_once_t once = PTHREAD_ONCE_INIT;
        static void make(void) { pthread_key_create(&key, NULL); printf("once\n"); }
        static void *f(void *p) {
            pthread_once(&once, make);
            pthread_setspecific(key, p);
            for (int i = 0; i < *(int *)p; i++) { own++; record.a[i % 3] += i; record.p = &own; }
            int *sum = malloc(sizeof *sum);
            *sum = own + record.a[0] * 100 + *record.p * 10000 + *(int *)pthread_getspecific(key);
            return sum;
        }
        int main(void) {
            pthread_t t[3]; int n[3] = {3, 5, 8}; void *sum;
            for (int i = 0; i < 3; i++) pthread_create(&t[i], NULL, f, &n[i]);
            for (int i = 0; i < 3; i++) {
                pthread_join(t[i], &sum); printf("%d\n", *(int *)sum); free(sum);
            }
            printf("%d %d\n", own, record.p == NULL);
            return 0;
        }"#,
    );
    same_as_compiled(
        "turns",
        r#"
        static sem_t ping, pong; static pthread_barrier_t gate; static volatile int flag;
        static pthread_mutex_t again = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
        static int depth(int n) {
            pthread_mutex_lock(&again);
            int d = n ? 1 + depth(n - 1) : 0;
            pthread_mutex_unlock(&again);
            return d;
        }
        static void *f(void *p) {
            for (int i = 0; i < 3; i++) { sem_wait(&ping); printf("pong %d\n", i); sem_post(&pong); }
            flag = depth(4);
            pthread_barrier_wait(&gate);
            pthread_barrier_wait(&gate);
            return NULL;
        }
        int main(void) {
            pthread_t t; pthread_attr_t attr; pthread_attr_init(&attr);
            sem_init(&ping, 0, 0); sem_init(&pong, 0, 0); pthread_barrier_init(&gate, NULL, 2);
            pthread_create(&t, &attr, f, NULL);
            for (int i = 0; i < 3; i++) { printf("ping %d\n", i); sem_post(&ping); sem_wait(&pong); }
            while (!flag) sched_yield();
            printf("%d %d\n", flag, depth(2));
            int last = pthread_barrier_wait(&gate) == PTHREAD_BARRIER_SERIAL_THREAD;
            last = last + 1;
            pthread_barrier_wait(&gate);
            pthread_join(t, NULL);
            return 0;
        }"#,
    );
}
