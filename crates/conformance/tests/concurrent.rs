//! Procedures that run together, deadlocks, and proofs that are damaged.

#![expect(clippy::panic, reason = "an unexpected answer fails the test")]

mod support;

use parallax_base::Budget;
use parallax_certify::{check_conformance, check_refutation};
use parallax_conformance::{Config, Outcome};
use parallax_evidence::{ConformanceEvidence, ConformanceProof, ConformanceRefutation, RunStep};
use parallax_front_magic::Question;
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
        assert!(
            matches!(outcome, Outcome::Decided(ConformanceEvidence::Conforms(_))),
            "{outcome:?}"
        );
        assert!(statistics.direct.is_some_and(|direct| direct >= statistics.largest || !two_level));
    }
}

#[test]
fn a_server_that_answers_twice_is_found() {
    let twice = PINGPONG.replace("send_pong(served);", "send_pong(served); send_pong(0);");
    let mut bench = Bench::new("pingpong-twice", &twice, PINGPONG_SYSTEM);
    let (outcome, _) = bench.together(&Config::default());
    // Pong is shared: the second one waits for a client that does not.
    assert!(matches!(outcome, Outcome::Decided(ConformanceEvidence::Conforms(_))), "{outcome:?}");
    let (outcome, _) = bench.together(&Config { deadlock: true, ..Config::default() });
    let Outcome::Decided(ConformanceEvidence::Differs(refutation)) = &outcome else {
        panic!("{outcome:?}")
    };
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
    assert!(
        matches!(outcome, Outcome::Decided(ConformanceEvidence::Conforms(_))),
        "{outcome:?} {statistics:?}"
    );
}

/// A token goes round: procedures that wait for each other are where joined
/// states reach more than the states themselves.
fn ring(size: usize) -> (String, String) {
    let (mut c, mut system) = (String::new(), String::from("system ring { source \"program.c\";"));
    let mut turns = Vec::new();
    for node in 0..size {
        let before = (node + size - 1) % size;
        c += &format!("void pass{node}(void); void work{node}(void); void pass{before}(void);\n");
        let first = if node == 0 { String::new() } else { format!("pass{before}();") };
        let last = if node == 0 { format!("pass{before}();") } else { String::new() };
        c += &format!(
            "void node{node}(void) {{ for (;;) {{ {first} work{node}(); pass{node}(); {last} }} }}\n"
        );
        system += &format!(
            "procedure void node{node}(void) {{}} call void pass{node}(void) as pass{node};
             call void work{node}(void) as work{node};"
        );
        turns.push(format!("work{node} -> pass{node}"));
    }
    system += &format!("fsp {{ RING = ({} -> RING). }} specification RING; }}", turns.join(" -> "));
    (c, system)
}

#[test]
fn two_levels_compose_no_more_than_one() {
    for size in 2..=6 {
        let (c, system) = ring(size);
        let [two, one] = [true, false].map(|two_level| {
            let mut bench = Bench::new(&format!("ring-{size}-{two_level}"), &c, &system);
            let config = Config { two_level, ..Config::default() };
            let (outcome, statistics) = bench.together(&config);
            assert!(
                matches!(outcome, Outcome::Decided(ConformanceEvidence::Conforms(_))),
                "{outcome:?}"
            );
            statistics
        });
        assert!(two.largest <= one.largest, "{size}: {} and {}", two.largest, one.largest);
        let all: usize = two.rounds.iter().map(|round| round.composed).sum();
        assert!(all <= 8 * one.largest, "{size}: {all} in all rounds, {}", one.largest);
    }
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
    let Outcome::Decided(ConformanceEvidence::Conforms(proof)) = outcome else {
        panic!("it conforms")
    };
    let views = views(&components);
    let accepts = |proof: &ConformanceProof| {
        let budget = Budget::unlimited();
        check_conformance(&views, &hidden, &spec, proof, &mut support::solvers(&views), &budget)
            .is_ok()
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

/// A shared choice: the left decides before the answer is known, so the
/// counterexample has two branches.
const BRANCHES: &str = "
void a(void); void b(void); void c(void); int choose(void);
void left(void) { a(); if (choose()) b(); else c(); }
";

const BRANCHES_SYSTEM: &str = "
system branches {
    source \"program.c\";
    fsp {
        CHOICE = (pick -> (return {0} -> STOP | return {1} -> STOP)).
        SPEC = (a -> (pick -> b -> STOP) | a -> (pick -> c -> STOP)).
    }
    procedure void left(void) { }
    call void a(void) as a;
    call void b(void) as b;
    call void c(void) as c;
    assume int choose(void) { CHOICE; }
    specification SPEC;
}
";

/// Has a refutation damaged in every way we know; each must be noticed.
fn refuse_all(name: &str, c: &str, system: &str, machine: &str, config: &Config) {
    let mut bench = Bench::new(name, c, system);
    let spec = bench.machine(machine);
    let count = bench.system.procedures.len();
    let components: Vec<_> =
        (0..count).map(|index| bench.component(index, Question::Composition)).collect();
    let hidden = BTreeSet::new();
    let (outcome, _) = support::decide(&components, &hidden, &spec, config);
    let Outcome::Decided(ConformanceEvidence::Differs(found)) = outcome else {
        panic!("{name}: {outcome:?}")
    };
    let views = views(&components);
    let accepts = |found: &ConformanceRefutation| {
        check_refutation(&views, &hidden, &spec, found, &Budget::unlimited()).is_ok()
    };
    assert!(accepts(&found), "{name}");
    let mut damaged = 0;
    let mut refuse = |what: &str, change: &dyn Fn(&mut ConformanceRefutation)| {
        let mut copy = (*found).clone();
        change(&mut copy);
        assert!(!accepts(&copy), "{name}: {what}, damage {damaged} was not noticed");
        damaged += 1;
    };
    refuse("no runs", &|found| found.runs.clear());
    refuse("a program less", &|found| found.runs[0].truncate(count - 1));
    for number in 0..found.dag.nodes.len() {
        if !found.deadlock {
            refuse("an answer left out", &|found| {
                let children = &mut found.dag.nodes[number].children;
                if children.pop().is_none() {
                    children.push(0);
                }
            });
            refuse("another state", &|found| found.dag.nodes[number].right += 1);
        }
        refuse("a step back", &|found| found.dag.nodes[number].children.push(number));
        refuse("another action", &|found| {
            let other = found.composed.action("something else");
            found.dag.nodes[number].action = other;
        });
    }
    for path in 0..found.runs.len() {
        for (program, component) in components.iter().enumerate() {
            let run = &found.runs[path][program];
            refuse("another start", &|found| found.runs[path][program].initial.clear());
            for step in 0..run.steps.len() {
                let visible = component.actions[run.steps[step].edge].is_some();
                if visible {
                    refuse("a step left out", &|found| {
                        drop(found.runs[path][program].steps.remove(step));
                    });
                }
                refuse("a step twice", &|found| {
                    let step: RunStep = found.runs[path][program].steps[step].clone();
                    found.runs[path][program].steps.push(step);
                });
                refuse("another edge", &|found| found.runs[path][program].steps[step].edge += 99);
                refuse("another node", &|found| found.runs[path][program].steps[step].node += 99);
            }
        }
    }
    if found.runs.len() > 1 {
        refuse("branches that begin differently", &|found| {
            let run = &mut found.runs[0][0];
            run.steps.insert(0, RunStep { edge: 0, inputs: Vec::new(), node: 0 });
        });
    }
    refuse("the other kind", &|found| found.deadlock = !found.deadlock);
}

#[test]
fn damaged_refutations_are_rejected() {
    let plain = Config::default();
    let hasty = PINGPONG.replace("int answer = wait_pong();", "int answer = 0;");
    let hasty = hasty.replace("sent < 1000", "sent < 2");
    refuse_all("refuted-hasty", &hasty, PINGPONG_SYSTEM, "ROUNDS", &plain);
    let twice = PINGPONG.replace("send_pong(served);", "send_pong(served); send_pong(0);");
    let deadlock = Config { deadlock: true, ..Config::default() };
    refuse_all("refuted-twice", &twice, PINGPONG_SYSTEM, "ROUNDS", &deadlock);
    refuse_all("refuted-branches", BRANCHES, BRANCHES_SYSTEM, "SPEC", &plain);
}

/// An assertion that fails in one procedure is not held up by the others.
#[test]
fn an_error_of_one_procedure_needs_no_other() {
    let c = "
        #include <assert.h>
        void ping(void); void pong(void);
        void left(int n) { ping(); assert(n != 3); pong(); }
        void right(void) { ping(); pong(); }
    ";
    let system = "
        system two {
            source \"program.c\";
            fsp { SPEC = (ping -> pong -> STOP). }
            procedure void left(int n) { }
            procedure void right(void) { }
            call void ping(void) as ping;
            call void pong(void) as pong;
            specification SPEC;
        }
    ";
    let mut bench = Bench::new("error-alone", c, system);
    let (outcome, _) = bench.together(&Config::default());
    assert_eq!(actions(&outcome), ["ping", "*error* in left"], "{outcome:?}");
    let fine = c.replace("n != 3", "n == n");
    let mut bench = Bench::new("no-error-alone", &fine, system);
    let (outcome, _) = bench.together(&Config::default());
    assert!(matches!(outcome, Outcome::Decided(ConformanceEvidence::Conforms(_))), "{outcome:?}");
    // What is not modelled in one procedure stops the answer, not the procedure.
    let gap = c.replace("assert(n != 3);", "jmp_buf b; if (n == 3) longjmp(b, 1);");
    let gap = gap.replace("<assert.h>", "<setjmp.h>");
    let mut bench = Bench::new("gap-alone", &gap, system);
    let (outcome, _) = bench.together(&Config::default());
    assert!(matches!(outcome, Outcome::Unknown(_)), "{outcome:?}");
}
