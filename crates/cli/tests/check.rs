//! `check` and `certify`: verdicts, exit codes, files.

mod support;

use insta::assert_snapshot;
use support::{COUNTER, Folder};

#[test]
fn a_proof() {
    let folder = Folder::with("counter.plx", COUNTER);
    assert_snapshot!(folder.run("check counter.plx").masked(), @"
    exit 0
    counter: holds
      low            holds     enumeration of 4 states (ase; checked by interpreter)
      top            holds     run of 3 steps (ase; checked by interpreter)
      deadlock_free  holds     enumeration of 4 states (ase; checked by interpreter)
      assumes: nothing
      used: [figures]
      next: parallax check counter.plx --show proof
    ");
}

#[test]
fn a_counterexample() {
    let folder = Folder::with("counter.plx", COUNTER);
    folder.write("low.plx", COUNTER.replace("x <= N", "x < N"));
    assert_snapshot!(folder.run("check low.plx -p low -D N=2").masked(), @"
    exit 10
    counter: violated
      low  violated  run of 2 steps (ase; checked by interpreter)
      assumes: constants N = 2
      used: [figures]
      next: parallax check low.plx -D N=2 -p low -v

    counterexample to low: 2 steps
    inputs: none
    run:
      0  start               x = 0
      1  P.up   low.plx:5:3  x = 1
      2  P.up   low.plx:5:3  x = 2
    which reaches: x > 1
    ");
    assert_snapshot!(folder.run("check low.plx -p low -D N=2 -v").masked(), @"
    exit 10
    counter: violated
      low  violated  run of 2 steps (ase; checked by interpreter)
      assumes: constants N = 2
      used: [figures]
      next: parallax simulate low.plx -D N=2

    counterexample to low: 2 steps
    inputs: none
    run:
      0  start               x = 0
      1  P.up   low.plx:5:3  x = 1
         | up: when x < N do x := x + 1;
      2  P.up   low.plx:5:3  x = 2
         | up: when x < N do x := x + 1;
    which reaches: x > 1
    ");
}

#[test]
fn an_unknown_names_its_reason() {
    let folder = Folder::with(
        "any.plx",
        "\
model guess;
var x: int = 0;
process P { go: do x := any; }
invariant big: x * x * x != 15;
",
    );
    assert_snapshot!(folder.run("check any.plx --engine ur").masked(), @"
    exit 20
    guess: unknown
      big  unknown   unsupported: unbounded input in `P.go` (ur)
                     at any.plx:3:13; try: `ur` runs concrete states; use `--engine ase`, which executes symbolically
      assumes: nothing
      used: [figures]
      next: parallax check any.plx
    ");
}

#[test]
fn the_worst_property_decides() {
    let check = |properties: &str, arguments: &str, expected: i32| {
        let model =
            format!("var x: int = 0; process P {{ go: when x < 3 do x := x + 1; }} {properties}");
        let ran = Folder::with("m.plx", model).run(&format!("check m.plx {arguments}"));
        assert_eq!(ran.code, expected, "{properties}: {ran:?}");
    };
    check("invariant a: x <= 3;", "", 0);
    check("reachable a: x == 3;", "", 0);
    check("reachable a: x == 4;", "", 10);
    check("invariant a: x <= 3; invariant b: x <= 2;", "", 10);
    check("invariant a: x <= 3; invariant b: x <= 2;", "--property a", 0);
    check("invariant a: x <= 3; invariant b: x <= 2;", "-p a -p b", 10);
    check("deadlock_free;", "", 10);
    check("invariant a: x <= 3;", "--engine all", 0);
    check("invariant a: x <= 2;", "--engine all", 10);
    check("invariant a: x <= 3;", "--engine ase --search per-path", 0);
    check("invariant a: x <= 3;", "--engine ase --search plain", 0);
    check("invariant a: x <= 3;", "--engine ur --order dfs", 0);
    check("invariant a: x <= 3;", "--engine nobody", 2);
    check("invariant a: x <= 3;", "--property b", 2);
    check("invariant a: x <= 3;", "-D x=1", 65);
    check("invariant a: y <= 3;", "", 65);
    check("", "", 65);
}

#[test]
fn what_is_not_checked_is_assumed() {
    let folder = Folder::with(
        "r.plx",
        "\
model r;
var x: 0..=3 = 0, y: 0..=9 = 0;
process P { go: do x := (x + y) % 5; up: when y < 9 do y := y + 1; }
invariant small: x < 5;
",
    );
    let assumed = |arguments: &str| {
        let ran = folder.run(arguments);
        let line = ran.out.lines().find(|l| l.contains("assumes:")).unwrap_or("").trim().to_owned();
        (ran.code, line)
    };
    let line = "assumes: values stay in their ranges (property `values`: not checked)";
    assert_eq!(assumed("check r.plx -p small"), (0, line.to_owned()));
    let line = "assumes: values stay in their ranges (property `values`: violated)";
    assert_eq!(assumed("check r.plx"), (10, line.to_owned()));
}

#[test]
fn evidence_goes_through_a_file() {
    let folder = Folder::with("counter.plx", COUNTER);
    assert_eq!(folder.run("check counter.plx -D N=4 --certificate e.json").code, 0);
    assert_snapshot!(folder.run("certify counter.plx e.json -D N=4").masked(), @"
    exit 0
    counter: holds
      low            holds     enumeration of 5 states (file; checked by interpreter)
      top            holds     run of 4 steps (file; checked by interpreter)
      deadlock_free  holds     enumeration of 5 states (file; checked by interpreter)
      assumes: constants N = 4
      used: [figures]
    ");

    // Evidence on some properties only.
    assert_eq!(folder.run("check counter.plx -p top --certificate part.json").code, 0);
    assert_snapshot!(folder.run("certify counter.plx part.json").masked(), @"
    exit 20
    counter: unknown
      low            unknown   no evidence: the file says nothing about it (file)
                               try: a file that `check --certificate` writes for it
      top            holds     run of 3 steps (file; checked by interpreter)
      deadlock_free  unknown   no evidence: the file says nothing about it (file)
                               try: a file that `check --certificate` writes for it
      assumes: nothing
      used: [figures]
    ");
    assert_eq!(folder.run("certify counter.plx part.json -p top").code, 0);

    // A point less: no longer closed under steps.
    let evidence = folder.read("e.json");
    folder.write("hole.json", evidence.replacen("[2,0],", "", 1));
    assert_snapshot!(folder.run("certify counter.plx hole.json -D N=4").masked(), @"
    exit 20
    counter: evidence rejected
      low: certificate rejected: step: `P.up` leaves the certificate from x = 1, P@ = 0
      top: accepted, holds
      deadlock_free: accepted, holds
    ");

    // The program changed.
    folder.write("other.plx", COUNTER.replace("x < N", "x <= N"));
    assert_eq!(folder.run("certify other.plx e.json -D N=4").code, 20);
    folder.write("fewer.plx", COUNTER.replace("deadlock_free;", ""));
    assert_snapshot!(folder.run("certify fewer.plx e.json -D N=4").masked(), @"
    exit 65
    -- standard error
    error[P0020]: the evidence does not fit the program: there is no property `deadlock_free`
    ");
    folder.write("cut.json", &evidence[..evidence.len() / 2]);
    assert_eq!(folder.run("certify counter.plx cut.json").code, 65);
    assert_eq!(folder.run("certify counter.plx missing.json").code, 65);
    assert_eq!(folder.run("certify counter.plx counter.plx").code, 65);
}

#[test]
fn pictures_and_queries_are_written() {
    // Unbounded, so that a proof needs abstraction and the solver.
    let folder = Folder::with(
        "m.plx",
        "\
var x: int = 0, y: int = 0;
process P { up: do x := x + 1, y := y + 1; down: when x > 0 do x := x - 1, y := y - 1; }
invariant same: x == y;
",
    );
    let ran = folder.run("check m.plx --dot a.dot --svg a.svg --record queries");
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(folder.read("a.dot").starts_with("digraph"));
    assert!(folder.read("a.svg").contains("<svg"));
    assert!(folder.read("queries/query-000000.smt2").contains("(check-sat)"));
    assert_eq!(folder.run("check m.plx --dot nowhere/a.dot").code, 65);
}

#[test]
fn a_second_solver_is_asked_if_there_is_one() {
    let folder = Folder::with(
        "m.plx",
        "\
var x: int = 0, y: int = 0;
process P { grow: do y := y + 1; follow: when x < y do x := x + 1; }
invariant order: x <= y;
",
    );
    let ran = folder.run("check m.plx --cross-check");
    match ran.code {
        0 => assert!(ran.out.contains("checked by Z3") && ran.out.contains(", "), "{ran:?}"),
        _ => assert!(ran.err.contains("no second solver was found"), "{ran:?}"),
    }
}

#[test]
fn the_same_input_gives_the_same_output() {
    let folder = Folder::with("counter.plx", COUNTER);
    let masked = || folder.run("check counter.plx --show proof").masked();
    assert_eq!(masked(), masked());
}

#[test]
fn what_is_proved_helps_with_what_is_left() {
    let folder = Folder::with(
        "parity.plx",
        "model parity;\nvar x: int = 0;\nprocess P { a: do x := x + 2; b: do x := x - 4; \
         c: do x := x - 6; }\ninvariant even: x % 2 == 0;\nunreachable seven: x == 7;\n",
    );
    let found = folder.run("check parity.plx --time 60s");
    assert_eq!(found.code, 0, "{}{}", found.out, found.err);
    assert!(found.out.contains("seven  holds"), "{}", found.out);
}

/// The figures of the first property.
fn figures(folder: &Folder, options: &str) -> (u64, u64) {
    let ran = folder.run(&format!("check ticket.plx {options} --json"));
    assert_eq!(ran.code, 0, "{ran:?}");
    let json: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
    let stats = &json["properties"][0]["stats"];
    let figure = |name: &str| stats[name].as_u64().expect("a figure");
    (figure("iterations"), figure("predicates"))
}

#[test]
fn predicates_are_given_to_every_engine_that_has_some() {
    let models = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let text = std::fs::read_to_string(models.join("ticket.plx")).expect("a model");
    let folder = Folder::with("ticket.plx", text);
    // Two expressions that no search finds by itself.
    let given = "--predicate t==s+5 --predicate t==s+6";
    for engine in ["ase", "cegar"] {
        let plain = figures(&folder, &format!("--engine {engine}"));
        let more = figures(&folder, &format!("--engine {engine} {given}"));
        assert!(more.1 > plain.1, "{engine}: {plain:?}, {more:?}");
    }
    for engine in ["bmc", "symba", "pdr", "modular", "kind", "explicit", "ltl", "rank"] {
        let ran = folder.run(&format!("check ticket.plx --engine {engine} {given}"));
        assert_eq!(ran.code, 2, "{ran:?}");
        assert!(ran.err.contains("`--predicate` is for `ase`, `ur` and `cegar`"), "{ran:?}");
    }
    assert_eq!(folder.run("check ticket.plx --no-initial-predicates").code, 2);
}

#[test]
fn a_search_may_begin_without_predicates() {
    let folder = Folder::with("ticket.plx", COUNTER);
    let (rounds, _) = figures(&folder, "-p low --engine ur");
    let (more, found) = figures(&folder, "-p low --engine ur --no-initial-predicates");
    assert!(more > rounds, "{rounds} rounds, then {more}");
    let given = "--no-initial-predicates --predicate x==3 --predicate x==2";
    assert!(figures(&folder, &format!("-p low --engine ur {given}")).1 > 0, "{found}");
}
