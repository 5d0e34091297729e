//! Procedures that run together, deadlocks, and proofs that are damaged.

mod support;

use parallax_base::Budget;
use parallax_certify::check_conformance;
use parallax_engine_magic::{Config, Outcome};
use parallax_evidence::ConformanceProof;
use parallax_front_magic::Question;
use parallax_solver::{Solver, Z3};
use std::collections::BTreeSet;
use support::{Bench, actions, views};

const PINGPONG: &str = "
void send_ping(void); int wait_pong(void); int wait_ping(void); void send_pong(int n);
int client(void) {
    int sent = 0;
    while (sent < 1000) {
        send_ping();
        int answer = wait_pong();
        if (answer < 0) return 1;
        sent = sent + 1;
    }
    return 0;
}
int server(void) {
    int served = 0;
    for (;;) {
        int got = wait_ping();
        if (got == 0) continue;
        served = served + 1;
        send_pong(served);
    }
}
";

const PINGPONG_SYSTEM: &str = "
system pingpong {
    source \"program.c\";
    fsp {
        WAITPONG = (pong -> return {$0 >= 0} -> STOP).
        WAITPING = (ping -> return {1} -> STOP).
        ROUNDS = (ping -> pong -> ROUNDS | finish -> STOP).
    }
    procedure int client(void) { returns finish; }
    procedure int server(void) { }
    call void send_ping(void) as ping;
    assume int wait_pong(void) { WAITPONG; }
    assume int wait_ping(void) { WAITPING; }
    call void send_pong(int n) as pong;
    specification ROUNDS;
}
";

#[test]
fn two_procedures_talk() {
    for two_level in [true, false] {
        let mut bench = Bench::new(&format!("pingpong-{two_level}"), PINGPONG, PINGPONG_SYSTEM);
        let config = Config { two_level, ..Config::default() };
        let (outcome, statistics) = bench.together(&config);
        assert!(matches!(outcome, Outcome::Conforms(_)), "{outcome:?}");
        assert!(statistics.direct.is_some_and(|direct| direct >= statistics.largest || !two_level));
    }
}

#[test]
fn a_server_that_answers_twice_is_found() {
    let twice = PINGPONG.replace("send_pong(served);", "send_pong(served); send_pong(0);");
    let mut bench = Bench::new("pingpong-twice", &twice, PINGPONG_SYSTEM);
    let (outcome, _) = bench.together(&Config::default());
    // Pong is shared: the second one waits for a client that does not.
    assert!(matches!(outcome, Outcome::Conforms(_)), "{outcome:?}");
    let (outcome, _) = bench.together(&Config { deadlock: true, ..Config::default() });
    let Outcome::Differs(refutation) = &outcome else { panic!("{outcome:?}") };
    assert!(refutation.deadlock);
    assert_eq!(actions(&outcome), ["ping", "pong"]);
}

#[test]
fn a_client_that_does_not_wait_is_found() {
    let hasty = PINGPONG.replace("int answer = wait_pong();", "int answer = 0;");
    let hasty = hasty.replace("sent < 1000", "sent < 2");
    let mut bench = Bench::new("pingpong-hasty", &hasty, PINGPONG_SYSTEM);
    let (outcome, _) = bench.together(&Config::default());
    assert_eq!(actions(&outcome), ["ping", "pong", "ping", "finish"]);
}

#[test]
fn freedom_from_deadlock_is_proved() {
    let c = "void up(void); void down(void); void a(void); void b(void);
        void left(void) { for (;;) { down(); a(); up(); } }
        void right(void) { for (;;) { down(); b(); up(); } }
        void semaphore(void) { int free = 1; for (;;) {
            if (free) { down(); free = 0; } else { up(); free = 1; } } }";
    let system = |order: &str| {
        format!(
            "system mutex {{
                source \"program.c\";
                fsp {{ FREE = (l.down -> a -> l.up -> FREE | r.down -> b -> r.up -> FREE).
                       SEM_DOWN = (l.down -> return {{}} -> STOP | r.down -> return {{}} -> STOP).
                       SEM_UP = (l.up -> return {{}} -> STOP | r.up -> return {{}} -> STOP). }}
                {order}
            }}"
        )
    };
    // The processes use names of their own for the shared semaphore.
    let c = c
        .replace(
            "void left(void) { for (;;) { down(); a(); up(); } }",
            "void l_down(void); void l_up(void); void r_down(void); void r_up(void);
             void left(void) { for (;;) { l_down(); a(); l_up(); } }",
        )
        .replace(
            "void right(void) { for (;;) { down(); b(); up(); } }",
            "void right(void) { for (;;) { r_down(); b(); r_up(); } }",
        );
    let calls = "
        procedure void left(void) {}
        procedure void right(void) {}
        procedure void semaphore(void) {}
        specification FREE;";
    // Alphabets are per procedure: each system states what it uses.
    let text = system(&format!(
        "call void l_down(void) as l.down; call void l_up(void) as l.up;
         call void r_down(void) as r.down; call void r_up(void) as r.up;
         call void a(void) as a; call void b(void) as b;
         assume void down(void) {{ SEM_DOWN; }} assume void up(void) {{ SEM_UP; }} {calls}"
    ));
    let mut bench = Bench::new("mutex", &c, &text);
    let (outcome, statistics) = bench.together(&Config { deadlock: true, ..Config::default() });
    assert!(matches!(outcome, Outcome::Conforms(_)), "{outcome:?} {statistics:?}");
}

/// Every way to damage the proof of a small system is noticed.
#[test]
fn damaged_proofs_are_rejected() {
    let mut bench = Bench::new("damaged", PINGPONG, PINGPONG_SYSTEM);
    let spec = bench.machine("ROUNDS");
    let components =
        [bench.component(0, Question::Composition), bench.component(1, Question::Composition)];
    let hidden = BTreeSet::new();
    let (outcome, _) = support::decide(&components, &hidden, &spec, &Config::default());
    let Outcome::Conforms(proof) = outcome else { panic!("it conforms") };
    let views = views(&components);
    let accepts = |proof: &ConformanceProof| {
        let mut open = || Box::new(Z3::new()) as Box<dyn Solver>;
        let budget = Budget::unlimited();
        check_conformance(&views, &hidden, &spec, proof, &mut open, &budget).is_ok()
    };
    assert!(accepts(&proof));
    let mut damaged = 0;
    let mut refuse = |change: &dyn Fn(&mut ConformanceProof)| {
        let mut copy = (*proof).clone();
        change(&mut copy);
        assert!(!accepts(&copy), "damage {damaged} was not noticed");
        damaged += 1;
    };
    refuse(&|proof| proof.covers.truncate(1));
    refuse(&|proof| proof.relation.clear());
    for index in 0..proof.relation.len() {
        refuse(&|proof| drop(proof.relation.remove(index)));
        refuse(&|proof| proof.relation[index].1 = 99);
        refuse(&|proof| proof.relation[index].0.truncate(1));
    }
    for (cover, component) in components.iter().enumerate() {
        for index in 0..proof.covers[cover].formulas.len() {
            // The state before the first one matches all that the first does.
            let start = component.program.processes.iter().next().expect("one").initial;
            if proof.covers[cover].formulas[index].0 == start {
                continue;
            }
            refuse(&|proof| _ = proof.covers[cover].formulas.remove(index));
            refuse(&|proof| {
                let store = &mut proof.covers[cover].store;
                proof.covers[cover].formulas[index].2 = store.bool(false);
            });
        }
        let transitions = proof.covers[cover].abstraction.transition_count();
        assert!(transitions > 0);
        for state in proof.covers[cover].abstraction.states() {
            for index in 0..proof.covers[cover].abstraction.edges(state).len() {
                refuse(&|proof| {
                    let lts = &mut proof.covers[cover].abstraction;
                    let mut edges = lts.edges(state).to_vec();
                    edges.remove(index);
                    lts.set_edges(state, edges);
                });
            }
        }
    }
    assert!(damaged > 20, "{damaged}");
}
