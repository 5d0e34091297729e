//! The engine `bmc` from end to end: a proof, a run, a file, an open question.

mod support;

use insta::assert_snapshot;
use support::{ENDLESS, Folder};

/// Counts down from any start below 4.
const DOWN: &str = "\
model down;
var n: 0..4;
var x: int = 0;
process P {
  location begin, going;
  begin -> going do x := n;
  down: going -> going when x > 0 do x := x - 1;
}
invariant low: x < 4;
";

#[test]
fn a_proof_by_unrolling_goes_through_a_file() {
    let folder = Folder::with("down.plx", DOWN);
    let ran = folder.run("check down.plx --engine bmc --show proof --certificate e.json");
    assert_snapshot!(ran.masked(), @"
    exit 0
    down: holds
      low  holds     unrolling of 1 path of up to 4 steps (bmc; checked by Z3 [version])
      assumes: nothing
      used: [figures]
      next: parallax certify down.plx e.json

    proof of low: unrolling of 1 path of up to 4 steps
    1 path, which no run leaves, free of the target:
      P.begin->going; P.down (3 times)
    ");
    let evidence = folder.read("e.json");
    assert!(evidence.contains(r#""kind":"unrolling","tree":[[0,0],[1,1],[2,1],[3,1]]"#));
    assert_snapshot!(folder.run("certify down.plx e.json").masked(), @"
    exit 0
    down: holds
      low  holds     unrolling of 1 path of up to 4 steps (file; checked by Z3 [version])
      assumes: nothing
      used: [figures]
    ");
    folder.write("short.json", evidence.replace(",[3,1]]", "]"));
    assert_snapshot!(folder.run("certify down.plx short.json").masked(), @"
    exit 20
    down: evidence rejected
      low: certificate rejected: step: `P.down` leaves the tree
    ");
    folder.write("twice.json", evidence.replace("[3,1]]", "[2,1]]"));
    assert_snapshot!(folder.run("certify down.plx twice.json").masked(), @"
    exit 20
    down: evidence rejected
      low: certificate rejected: malformed evidence: node 4 occurs twice
    ");
    folder.write("wild.json", evidence.replace("[3,1]]", "[9,1]]"));
    assert_eq!(folder.run("certify down.plx wild.json").code, 20);
}

#[test]
fn a_shortest_run() {
    let folder = Folder::with("down.plx", DOWN.replace("x < 4", "!(n == 3 && x == 1)"));
    assert_snapshot!(folder.run("check down.plx --engine bmc").masked(), @"
    exit 10
    down: violated
      low  violated  run of 3 steps (bmc; checked by interpreter)
      assumes: nothing
      used: [figures]
      next: parallax check down.plx -v

    counterexample to low: 3 steps
    inputs:
      start: n = 3
    run:
      0  start                         P@begin, n = 3, x = 0
      1  P.begin->going  down.plx:6:3  P@going, x = 3
      2  P.down          down.plx:7:3  x = 2
      3  P.down          down.plx:7:3  x = 1
    which reaches: n == 3 && x == 1
    ");
}

#[test]
fn an_open_question_says_how_far_the_search_came() {
    let folder = Folder::with("endless.plx", ENDLESS);
    let ran = folder.run("check endless.plx --engine bmc --time 1s");
    assert_eq!(ran.code, 20);
    assert!(ran.out.contains("time limit reached (bmc)"), "{ran:?}");
    assert!(ran.out.contains("no run of up to "), "{ran:?}");
}
