//! `parallax ltl`, and `check --ltl` from end to end.

mod support;

use insta::assert_snapshot;
use serde_json::Value;
use support::{COUNTER, Folder, Ran};

const TURNS: &str = "\
model turns;
var turn: 0..2 = 0, seen: 0..=3 = 0;
process P[i in 0..2] {
  location idle, busy;
  work: idle -> busy when turn == i;
  pass: busy -> idle do turn := 1 - i;
}
process Guest { look: when seen < 3 do seen := seen + 1; }
invariant one: !(P[0]@busy && P[1]@busy);
";

fn run(folder: &Folder, arguments: &str, formulas: &[&str]) -> Ran {
    let mut command = folder.command(arguments);
    for formula in formulas {
        command.arg("--ltl").arg(formula);
    }
    Ran::of(command.output().expect("the binary runs"))
}

fn ltl(folder: &Folder, formula: &str, rest: &[&str]) -> Ran {
    let mut command = folder.command("ltl");
    Ran::of(command.arg(formula).args(rest).output().expect("the binary runs"))
}

fn json(ran: &Ran) -> Value {
    serde_json::from_str(&ran.out).expect("one object")
}

#[test]
fn verdicts_and_exit_codes() {
    let folder = Folder::with("turns.plx", TURNS);
    let live = "[] <> P[0]@busy";
    assert_snapshot!(run(&folder, "check turns.plx", &["<> [] seen == 3 || true", live]).masked(), @"
    exit 0
    turns: holds
      <> [] seen == 3 || true  holds     ranking of 1 pair over 16 states (ltl; checked by interpreter)
      [] <> P[0]@busy          holds     ranking of 31 pairs over 16 states (ltl; checked by interpreter)
      assumes: runs that end stay in their last state
      used: [figures]
      next: parallax check turns.plx --ltl '<> [] seen == 3 || true' --ltl '[] <> P[0]@busy' --show proof
    ");
    assert_snapshot!(run(&folder, "check turns.plx -p one", &["done: <> seen == 3"]).masked(), @"
    exit 10
    turns: violated
      one                 holds     inductive-invariant of 3 regions (ase; checked by Z3 [version])
      done: <> seen == 3  violated  run of 4 steps for ever (ltl; checked by interpreter)
      assumes: runs that end stay in their last state
      used: [figures]
      next: parallax check turns.plx -p one --ltl 'done: <> seen == 3' -v

    counterexample to done: <> seen == 3: 0 steps, then 4 for ever
    inputs: none
    run:
      0  start                     P[0]@idle, P[1]@idle, turn = 0, seen = 0
    for ever:
      1  P[0].work  turns.plx:5:3  P[0]@busy
      2  P[0].pass  turns.plx:6:3  P[0]@idle, turn = 1
      3  P[1].work  turns.plx:5:3  P[1]@busy
      4  P[1].pass  turns.plx:6:3  P[1]@idle, turn = 0
    which breaks: <> (seen == 3)
    ");
    let found = json(&run(&folder, "check turns.plx --json", &["done: <> seen == 3"]));
    let property = &found["properties"][0];
    assert_eq!(property["name"], "done");
    assert_eq!(property["kind"], "ltl");
    assert_eq!(property["target"], Value::Null);
    assert_eq!(property["formula"], "<> (seen == 3)");
    assert_eq!(property["evidence"]["kind"], "lasso");
    assert_eq!(property["trace"]["cycle"], 0);
    assert_eq!(property["trace"]["steps"].as_array().map(Vec::len), Some(4));
    let proof = json(&run(&folder, "check turns.plx --json -v", &[live]));
    let ranking = &proof["properties"][0]["proof"]["ranking"];
    assert_eq!(proof["properties"][0]["evidence"]["kind"], "ranking");
    assert!(ranking["pairs"].as_array().is_some_and(|p| p.len() > 3), "{ranking}");
    assert!(ranking["blamed"].to_string().contains("P[0]@busy"), "{ranking}");
}

#[test]
fn pictures_and_files() {
    let folder = Folder::with("turns.plx", TURNS);
    let args = "check turns.plx --dot run.dot --svg run.svg --certificate run.json";
    assert_eq!(run(&folder, args, &["<> seen == 3", "[] <> P[0]@busy"]).code, 10);
    assert!(folder.read("run.dot").contains("style=bold"), "the cycle is drawn bold");
    assert!(folder.read("run.svg").contains("</svg>"));
    let formulas = ["<> seen == 3", "[] <> P[0]@busy"];
    assert_snapshot!(run(&folder, "certify turns.plx run.json", &formulas).masked(), @"
    exit 10
    turns: violated
      <> seen == 3     violated  run of 4 steps for ever (file; checked by interpreter)
      [] <> P[0]@busy  holds     ranking of 31 pairs over 16 states (file; checked by interpreter)
      assumes: runs that end stay in their last state
      used: [figures]
    ");
    // Another formula in the file: the evidence no longer fits.
    let other = folder.read("run.json").replace("\"<> seen == 3\"", "\"<> seen == 0\"");
    folder.write("other.json", other);
    assert_snapshot!(folder.run("certify turns.plx other.json").masked(), @"
    exit 65
    -- standard error
    error[P0021]: the evidence was made for another question: with `--ltl '<> seen == 0'`, `--ltl '[] <> P[0]@busy'`
     |
     = help: to ask what it answers, add: --ltl '<> seen == 0' --ltl '[] <> P[0]@busy'
    ");
    let formulas = ["<> seen == 0", "[] <> P[0]@busy"];
    assert_snapshot!(run(&folder, "certify turns.plx other.json", &formulas).masked(), @"
    exit 20
    turns: evidence rejected
      ltl: certificate rejected: target: the run satisfies the formula
      ltl_2: accepted, holds
    ");
}

#[test]
fn mistakes() {
    let folder = Folder::with("turns.plx", TURNS);
    folder.write("main.c", "int main(void) { return 0; }\n");
    assert_snapshot!(run(&folder, "check turns.plx", &["[] (P[0]@bussy -> <> turn)"]).masked(), @"
    exit 65
    -- standard error
    error[M0103]: process `P` has no location `bussy`
     --> <command line>:1:10
      |
    1 | [] (P[0]@bussy -> <> turn)
      |          ^^^^^
      |
      = help: did you mean `busy`?

    error[M0201]: expected `bool`, found `int`
     --> <command line>:1:22
      |
    1 | [] (P[0]@bussy -> <> turn)
      |                      ^^^^ this is `int`
      |
      = help: compare it with a number, as in `x != 0`
    ");
    assert_snapshot!(run(&folder, "check turns.plx", &["[] P[0]@busy -> ("]).masked(), @"
    exit 65
    -- standard error
    error[L0002]: expected a formula, found the end
     --> <command line>:1:18
      |
    1 | [] P[0]@busy -> (
      |                  ^
      |
      = help: an operand is missing here

    error[L0003]: `(` is never closed
     --> <command line>:1:17
      |
    1 | [] P[0]@busy -> (
      |                 ^
      |
      = help: close it with `)`
    ");
    assert_snapshot!(run(&folder, "check turns.plx", &["one: <> true"]).masked(), @"
    exit 65
    -- standard error
    error[M0101]: the property `one` is declared twice
     --> <command line>:1:1
      |
    1 | one: <> true
      | ^^^
      |
     ::: turns.plx:9:11
      |
    9 | invariant one: !(P[0]@busy && P[1]@busy);
      |           --- first declared here
    ");
    assert_snapshot!(run(&folder, "check main.c", &["<> true"]).masked(), @"
    exit 0
    main.c: holds
      <> true  holds     ranking of 3 pairs over 3 states (ltl; checked by interpreter)
      assumes: nothing
      used: [figures]
      next: parallax check main.c --ltl '<> true' --show proof
    ");
    assert_snapshot!(run(&folder, "check turns.plx --engine ase", &["<> true"]).masked(), @"
    exit 20
    turns: unknown
      <> true  unknown   unsupported: the engine does not answer questions of the kind `ltl` (none)
                         try: --engine auto
      assumes: runs that end stay in their last state
      used: [figures]
      next: parallax check turns.plx --ltl '<> true'
    ");
    assert_snapshot!(ltl(&folder, "a U (b", &[]).masked(), @"
    exit 65
    -- standard error
    error[L0003]: `(` is never closed
     --> <command line>:1:5
      |
    1 | a U (b
      |     ^
      |
      = help: close it with `)`
    ");
    assert_snapshot!(ltl(&folder, "a U b", &["--word", "{c}"]).masked(), @"
    exit 65
    -- standard error
    error[L0102]: `c` is no atom of the formula
     --> <command line>:1:2
      |
    1 | {c}
      |  ^
      |
      = help: its atoms are `a`, `b`

    error[L0101]: expected letters in parentheses, which come for ever
     --> <command line>:1:4
      |
    1 | {c}
      |    ^
      |
      = help: a word is, for instance, `{b}({a,b}{b})^w`
    ");
}

#[test]
fn an_engine_for_formulas_answers_nothing_else() {
    let folder = Folder::with("counter.plx", COUNTER);
    assert_snapshot!(folder.run("check counter.plx --engine ltl -p low").masked(), @"
    exit 20
    counter: unknown
      low  unknown   unsupported: the engine does not answer questions of the kind `invariant` (none)
                     try: --engine auto
      assumes: nothing
      used: [figures]
      next: parallax check counter.plx -p low
    ");
}

#[test]
fn limits_of_translation() {
    let folder = Folder::new();
    let parts: Vec<String> = (0..30).map(|i| format!("<> [] (a{i} || <> b{i})")).collect();
    let found = ltl(&folder, &parts.join(" && "), &["--negate", "--time", "1s"]);
    assert_eq!(found.code, 20, "{found:?}");
    assert!(found.out.contains("time limit reached in the phase `translate`"), "{found:?}");
    assert!(found.out.contains("--time"), "{found:?}");
}
