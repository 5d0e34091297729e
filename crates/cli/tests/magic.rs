//! `parallax magic` and `parallax certify` on system files, from end to end.

#![cfg(unix)]

mod support;

use support::Folder;

const C: &str = "
void acquire(void); void release(void);
int work(int n) {
    int held = 0, i;
    for (i = 0; i < n; i++) {
        if (!held) { acquire(); held = 1; } else { release(); held = 0; }
    }
    if (held) release();
    return 0;
}
";

const SYSTEM: &str = "
system locks {
    source \"work.c\";
    fsp { LOCK = (lock -> unlock -> LOCK | return {0} -> STOP). }
    procedure int work(int n) { target LOCK; }
    call void acquire(void) as lock;
    call void release(void) as unlock;
}
";

fn folder(c: &str, system: &str) -> Folder {
    let folder = Folder::with("work.c", c);
    folder.write("locks.magic", system);
    folder
}

#[test]
fn a_proof_is_written_checked_and_refused_when_it_is_damaged() {
    let folder = folder(C, SYSTEM);
    let found = folder.run("magic locks.magic --certificate proof.json --json");
    assert_eq!(found.code, 0, "{}{}", found.out, found.err);
    let json: serde_json::Value = serde_json::from_str(&found.out).expect("JSON");
    assert_eq!(json["answers"][0]["verdict"], "conforms");
    assert_eq!(folder.run("certify locks.magic proof.json").code, 0);
    let proof = folder.read("proof.json");
    for (old, new) in [
        ("\"relation\":[[", "\"relation\":[],\"lost\":[["),
        ("\"question\":\"work", "\"question\":\"play"),
        ("\\\"unlock\\\"", "\\\"lock\\\""),
        ("\"procedure\":\"work\"", "\"procedure\":\"rest\""),
        ("parallax-conformance/2", "parallax-conformance/0"),
        (" held", " i"),
    ] {
        let damaged = proof.replace(old, new);
        assert_ne!(damaged, proof, "{old} is in the proof: {proof}");
        folder.write("damaged.json", damaged);
        let refused = folder.run("certify locks.magic damaged.json");
        assert_eq!(refused.code, 20, "{old} -> {new}: {}", refused.out);
    }
    // The proof is about this program, not about another one.
    folder.write("work.c", C.replace("if (held) release();", ""));
    assert_eq!(folder.run("certify locks.magic proof.json").code, 20);
}

#[test]
fn a_counterexample_says_what_was_allowed_instead() {
    let folder = folder(&C.replace("if (held) release();", ""), SYSTEM);
    let found = folder.run("magic locks.magic --svg dag.svg");
    assert_eq!(found.code, 10, "{}{}", found.out, found.err);
    assert!(found.out.contains("does `return{0}`; allowed is unlock"), "{}", found.out);
    let picture = folder.read("dag.svg");
    assert!(picture.contains("<svg") && picture.contains("work.c:6:"), "{picture}");
    let traces = folder.run("magic locks.magic --conformance traces");
    assert_eq!(traces.code, 10);
}

/// Every step has its line, and what the environment chose is there, in text and
/// for scripts.
#[test]
fn a_counterexample_has_places_and_values() {
    let c = "void acquire(void); void release(void); int ask(int n);
static int depth = 3;
int work(int n) {
    if (n > 40)
        return -1;
    acquire();
    if (ask(n) == 17)
        depth = 0;
    if (depth == 0)
        return 0;
    release();
    return 0;
}";
    let system = SYSTEM
        .replace("LOCK = (", "ASK = (ask -> return {} -> STOP). LOCK = (")
        .replace("| return {0}", "| ask -> LOCK | return {0 - 1} -> STOP | return {0}")
        .replace("lock -> unlock -> LOCK", "lock -> HELD")
        .replace("-> STOP). }", "-> STOP), HELD = (ask -> HELD | unlock -> LOCK). }")
        .replace("call void release", "assume int ask(int n) { ASK; } call void release");
    let folder = folder(c, &system);
    let found = folder.run("magic locks.magic");
    assert_eq!(found.code, 10, "{}{}", found.out, found.err);
    for line in [
        "lock  at work.c:6:5: acquire();",
        "ask  at work.c:7:9: if (ask(n) == 17)",
        "with result of `ask(n)` = 17",
        "return{0}  at work.c:10:9",
    ] {
        assert!(found.out.contains(line), "{line} is in {}", found.out);
    }
    let json: serde_json::Value =
        serde_json::from_str(&folder.run("magic locks.magic --json").out).expect("JSON");
    let steps = &json["answers"][0]["story"][0]["steps"];
    assert_eq!(steps[0]["action"], "lock");
    assert_eq!(steps[0]["place"], "work.c:6:5");
    assert!(steps[0]["values"].as_array().is_some_and(|v| v.iter().any(|v| v[0] == "n")));
    assert_eq!(steps[1]["line"], "if (ask(n) == 17)");
}

/// What a procedure does is written as FSP, and can be its target.
#[test]
fn an_abstraction_is_read_off_the_code() {
    let folder = folder(C, SYSTEM);
    let found = folder.run("magic locks.magic --extract work");
    assert_eq!(found.code, 0, "{}{}", found.out, found.err);
    assert!(found.out.contains("work conforms to this"), "{}", found.out);
    let system = SYSTEM.replace("target LOCK;", "target WORK;");
    let system = system.replace("fsp {", &format!("fsp {{ {}", found.out));
    folder.write("own.magic", system);
    let own = folder.run("magic own.magic --certificate own.json");
    assert_eq!(own.code, 0, "{}{}", own.out, own.err);
    assert!(own.out.contains("work against WORK: holds (conforms;"), "{}", own.out);
    assert_eq!(folder.run("certify own.magic own.json").code, 0);
    let none = folder.run("magic locks.magic --extract play");
    assert_eq!(none.code, 20);
    assert!(none.err.contains("no procedure `play`"), "{}", none.err);
    // A failing assertion has no form in FSP.
    let failing = C.replace("return 0;", "if (n == 7) __VERIFIER_error(); return 0;");
    folder.write("work.c", format!("void __VERIFIER_error(void); {failing}"));
    let failing = folder.run("magic locks.magic --extract work");
    assert!(failing.err.contains("*error* in work"), "{}{}", failing.out, failing.err);
}

/// What is suggested can be typed.
#[test]
fn hints_name_options_that_exist() {
    let folder = folder(C, SYSTEM);
    let stopped = folder.run("magic locks.magic --time 1ms");
    assert_eq!(stopped.code, 20, "{}", stopped.out);
    let words = stopped.out.split_whitespace().map(|w| w.trim_matches([',', '.']));
    let options: Vec<&str> = words.filter(|word| word.starts_with("--")).collect();
    assert!(!options.is_empty(), "{}", stopped.out);
    let help = folder.run("magic --help").out;
    for option in options {
        assert!(help.contains(option), "{option} is in {help}");
    }
}

#[test]
fn a_counterexample_is_checked_from_a_file() {
    let folder = folder(&C.replace("if (held) release();", ""), SYSTEM);
    assert_eq!(folder.run("magic locks.magic --certificate differs.json").code, 10);
    let again = folder.run("certify locks.magic differs.json");
    assert_eq!(again.code, 10, "{}{}", again.out, again.err);
    assert!(again.out.contains("violated (differs; checked by interpreter"), "{}", again.out);
    let text = folder.read("differs.json");
    for (old, new) in [
        ("\"action\":\"lock\"", "\"action\":\"unlock\""),
        ("\"children\":[1]", "\"children\":[]"),
        ("\"deadlock\":false", "\"deadlock\":true"),
        ("\"runs\":[[", "\"runs\":[[],["),
    ] {
        let damaged = text.replacen(old, new, 1);
        assert_ne!(damaged, text, "{old} is in the file: {text}");
        folder.write("damaged.json", damaged);
        let refused = folder.run("certify locks.magic damaged.json");
        assert_eq!(refused.code, 20, "{old} -> {new}: {}{}", refused.out, refused.err);
    }
    // It is a counterexample of this program, not of another one.
    folder.write("work.c", C);
    assert_eq!(folder.run("certify locks.magic differs.json").code, 20);
}

#[test]
fn conditions_that_overlap_are_refused() {
    let cases = "target when (n > 0) LOCK; target when (n >= 0) LOCK;";
    let folder = folder(C, &SYSTEM.replace("target LOCK;", cases));
    let refused = folder.run("magic locks.magic");
    assert_eq!(refused.code, 65);
    assert!(refused.err.contains("F0033"), "{}", refused.err);
    let cases = "target when (n > 0) LOCK; target when (n <= 0) LOCK;";
    folder.write("locks.magic", SYSTEM.replace("target LOCK;", cases));
    assert_eq!(folder.run("magic locks.magic").code, 0);
    folder.write("locks.magic", SYSTEM.replace("target LOCK;", "target NONE;"));
    assert!(folder.run("magic locks.magic").err.contains("F0031"));
    folder.write("locks.magic", "system x { procedure }");
    assert!(folder.run("magic locks.magic").err.contains("locks.magic:1:"));
}

/// Where several statements return, the one that was executed is named, also if
/// they return the same, or nothing, or lie in a loop.
#[test]
fn a_counterexample_names_the_return_that_was_executed() {
    let c = "void acquire(void); void release(void);
int same(int n) {
    if (n > 10)
        return 1;
    return 1;
}
void none(int n) {
    if (n > 5)
        return;
    if (n < 2) { acquire(); return; }
    acquire(); release();
}
int loop(int n) {
    for (int i = 0; i < 3; i++) {
        if (i == n)
            return 7;
        if (i + 4 == n)
            return 7;
    }
    return 0;
}
static int inner(int x) { if (x) return 3; return 4; }
int through(int n) {
    if (inner(n) == 3)
        return 0;
    return inner(n);
}
";
    let system = "system locks {
    source \"work.c\";
    fsp {
        ZERO = (return {0} -> STOP).
        PAIR = (lock -> unlock -> return {} -> STOP | lock -> return {} -> STOP).
    }
    procedure int same(int n) { target ZERO; }
    procedure void none(int n) { target when (n > 1) PAIR; target when (n <= 1) PAIR; }
    procedure int loop(int n) { target when (n < 4) ZERO; target when (n >= 4) ZERO; }
    procedure int through(int n) { target ZERO; }
    call void acquire(void) as lock;
    call void release(void) as unlock;
}";
    let folder = folder(c, system);
    let found = folder.run("magic locks.magic --json");
    assert_eq!(found.code, 10, "{}{}", found.out, found.err);
    let json: serde_json::Value = serde_json::from_str(&found.out).expect("JSON");
    let answers = json["answers"].as_array().expect("answers");
    let mut places = Vec::new();
    for answer in answers.iter().filter(|answer| answer["verdict"] == "differs") {
        let steps = answer["story"][0]["steps"].as_array().expect("steps");
        let last = steps.last().expect("a step");
        let values = last["values"].as_array().expect("values");
        let n = values.iter().find(|value| value[0] == "n").map(|value| value[1].as_str());
        let n: i64 = n.flatten().and_then(|n| n.parse().ok()).expect("a value of n");
        let place = last["place"].as_str().expect("a place").to_owned();
        let line: u32 = place.split(':').nth(1).and_then(|line| line.parse().ok()).expect("a line");
        // What C does with this value.
        let expected = match places.len() {
            0 => {
                if n > 10 {
                    4
                } else {
                    5
                }
            }
            1 => 9,
            2 => 16,
            3 => 18,
            _ => 26,
        };
        assert_eq!(line, expected, "{place} with n = {n} in {}", found.out);
        places.push(line);
    }
    assert_eq!(places.len(), 5, "{}", found.out);
}
