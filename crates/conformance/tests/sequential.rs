//! Single procedures against their targets.

mod support;

use parallax_conformance::{Config, Outcome};
use parallax_evidence::ConformanceEvidence;
use support::{Bench, actions};

const TUTORIAL: &str = "
int foo(void); int bar(void);
int my_proc(int x) {
    int y;
    if (x == 0) {
        y = foo();
        if (y > 0) return 10; else return 20;
    } else {
        y = bar();
        if (y < 0) return 30; else return 40;
    }
}
";

const TUTORIAL_SYSTEM: &str = "
system tutorial {
    source \"program.c\";
    fsp {
        FOO = (call_foo -> (return {$0 > 0} -> STOP | return {$0 <= 0} -> STOP)).
        BAR = (call_bar -> return {$0 != 7} -> STOP).
        S1 = (call_foo -> (return {$0 == 10} -> STOP | return {$0 == 20} -> STOP)).
        S2 = (call_bar -> (return {30} -> STOP | return {40} -> STOP)).
        WRONG = (call_bar -> return {30} -> STOP).
    }
    procedure int my_proc(int x) {
        target when ($1 == 0) S1;
        target when (x != 0) TARGET;
    }
    assume int foo(void) { FOO; }
    assume int bar(void) { BAR; }
}
";

#[test]
fn the_tutorial_conforms_case_by_case() {
    let system = TUTORIAL_SYSTEM.replace("TARGET", "S2");
    let mut bench = Bench::new("tutorial", TUTORIAL, &system);
    for index in 0..2 {
        let (outcome, statistics) = bench.target(index, &Config::default());
        assert!(
            matches!(outcome, Outcome::Decided(ConformanceEvidence::Conforms(_))),
            "{outcome:?} {statistics:?}"
        );
    }
}

#[test]
fn a_return_that_is_not_allowed_is_found() {
    let system = TUTORIAL_SYSTEM.replace("TARGET", "WRONG");
    let mut bench = Bench::new("tutorial-wrong", TUTORIAL, &system);
    let (outcome, _) = bench.target(1, &Config::default());
    assert_eq!(actions(&outcome), ["call_bar", "return{otherwise}"]);
}

const LOCKS: &str = "
extern int __VERIFIER_nondet_int(void);
void acquire(void); void release(void);
int work(int n) {
    int held = 0;
    int i;
    for (i = 0; i < n; i++) {
        if (!held && i % 2 == 0) { acquire(); held = 1; }
        if (held RELEASED) { release(); held = 0; }
    }
    if (held) release();
    return 0;
}
";

const LOCKS_SYSTEM: &str = "
system locks {
    source \"program.c\";
    fsp { LOCK = (lock -> unlock -> LOCK | return {0} -> STOP). }
    procedure int work(int n) { target LOCK; }
    call void acquire(void) as lock;
    call void release(void) as unlock;
}
";

#[test]
fn locks_alternate() {
    let mut bench = Bench::new("locks", &LOCKS.replace("RELEASED", "&& i % 3 == 0"), LOCKS_SYSTEM);
    let (outcome, statistics) = bench.target(0, &Config::default());
    assert!(matches!(outcome, Outcome::Decided(ConformanceEvidence::Conforms(_))), "{outcome:?}");
    assert!(statistics.predicates[0] >= 1);
    let (plain, accumulated) = bench.target(0, &Config { minimize: false, ..Config::default() });
    assert!(matches!(plain, Outcome::Decided(ConformanceEvidence::Conforms(_))));
    assert!(statistics.predicates[0] <= accumulated.predicates[0]);
}

#[test]
fn a_lock_that_is_taken_twice_is_found() {
    let broken = LOCKS.replace("RELEASED", "&& i % 3 == 0").replace("held = 1;", "");
    let mut bench = Bench::new("locks-broken", &broken, LOCKS_SYSTEM);
    let (outcome, _) = bench.target(0, &Config::default());
    assert_eq!(actions(&outcome), ["lock", "return{0}"], "it is left locked");
}

#[test]
fn a_procedure_may_be_its_own_assumption() {
    let c = "
        void open(void); void close(void);
        int walk(int depth) {
            if (depth <= 0) return 0;
            open();
            int below = walk(depth - 1);
            if (below == 0) { close(); return 0; }
            return 1;
        }";
    let system = "
        system recursive {
            source \"program.c\";
            fsp {
                // Whatever the depth: something may be opened, and then is closed.
                WALK = (return {0} -> STOP | open -> BODY),
                BODY = (close -> BODY | open -> BODY | return {0} -> STOP).
            }
            procedure int walk(int depth) { target WALK; }
            call void open(void) as open;
            call void close(void) as close;
        }";
    let mut bench = Bench::new("recursive", c, system);
    let (outcome, _) = bench.target(0, &Config::default());
    assert!(matches!(outcome, Outcome::Decided(ConformanceEvidence::Conforms(_))), "{outcome:?}");
    let wrong = c.replace("close(); return 0;", "return 2;");
    let mut bench = Bench::new("recursive-wrong", &wrong, system);
    let (outcome, _) = bench.target(0, &Config::default());
    assert!(actions(&outcome).ends_with(&["return{otherwise}".to_owned()]), "{outcome:?}");
}

#[test]
fn pointers_are_followed() {
    let c = "
        struct box { int a; int b; };
        void hit(void);
        int look(struct box *p, int which) {
            int *q = which ? &p->a : &p->b;
            p->a = 0; p->b = 0;
            *q = 1;
            if (p->a + p->b != 1) hit();
            if (which && p->b) hit();
            return p->a;
        }";
    let system = "
        system pointers {
            source \"program.c\";
            fsp { QUIET = (return {$0 == 1} -> STOP | return {$0 == 0} -> STOP). }
            procedure int look(struct box *p, int which) { target QUIET; }
            call void hit(void) as hit;
        }";
    let mut bench = Bench::new("pointers", c, system);
    let (outcome, _) = bench.target(0, &Config::default());
    assert!(matches!(outcome, Outcome::Decided(ConformanceEvidence::Conforms(_))), "{outcome:?}");
    let mut bench = Bench::new("pointers-wrong", &c.replace("which && p->b", "p->b"), system);
    let (outcome, _) = bench.target(0, &Config::default());
    assert_eq!(actions(&outcome), ["hit"]);
}

#[test]
fn a_recursive_call_may_change_static_objects() {
    let c = "
        void hit(void);
        static int level;
        int walk(int depth) {
            if (depth <= 0) { level = 7; return 0; }
            level = 1;
            walk(depth - 1);
            if (level != 1) hit();
            return 0;
        }";
    let system = "
        system effects {
            source \"program.c\";
            fsp { QUIET = (return {0} -> STOP). }
            procedure int walk(int depth) { target QUIET; }
            call void hit(void) as hit;
        }";
    let mut bench = Bench::new("effects", c, system);
    let (outcome, _) = bench.target(0, &Config::default());
    assert_eq!(actions(&outcome), ["hit"], "{outcome:?}");
}
