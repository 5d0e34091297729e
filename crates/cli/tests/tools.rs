//! `fmt`, `show`, `simulate`, `engines` and the help texts.

mod support;

use insta::assert_snapshot;
use support::{COUNTER, Folder};

#[test]
fn formatting() {
    let ugly = COUNTER.replace("  up: when x < N do", "up :when x<N   do");
    let folder = Folder::with("ugly.plx", &ugly);
    folder.write("fine.plx", COUNTER);
    folder.write("bad.plx", "process {");
    assert_snapshot!(folder.run("fmt --check fine.plx ugly.plx").masked(), @"
    exit 10
    ugly.plx
    ");
    assert_eq!(folder.read("ugly.plx"), ugly);
    assert_eq!(folder.run("fmt ugly.plx fine.plx").code, 0);
    assert_eq!(folder.read("ugly.plx"), COUNTER);
    assert_eq!(folder.run("fmt bad.plx").code, 65);
    assert_eq!(folder.read("bad.plx"), "process {");
    assert_eq!(folder.talk("fmt -", &ugly).out, COUNTER);
}

#[test]
fn showing() {
    let folder = Folder::with("counter.plx", COUNTER);
    assert_snapshot!(folder.run("show counter.plx -D N=7").masked(), @"
    exit 0
    model counter;

    var x: int = 0;

    process P {
      up: when x <= 6 do x := x + 1;
      down: when x == 7 do x := 0;
    }

    invariant low: x <= 7;
    reachable top: x == 7;
    deadlock_free deadlock_free;
    ");
    assert!(folder.run("show counter.plx --format dot").out.starts_with("digraph"));
    assert_eq!(folder.run("show counter.plx --format svg -o c.svg").out, "");
    assert!(folder.read("c.svg").contains("</svg>"));
}

#[test]
fn simulating_by_hand() {
    let folder = Folder::with(
        "lamp.plx",
        "\
model lamp;
enum Color { red, green }
var color: Color, level: 0..=9, seen: int = 0;
init level < 3;
process P {
  set: when level < 9 do level := any level..=9;
  look: do seen := any;
  flip: when color == red do color := green;
}
invariant dim: level < 5;
",
    );
    let input = "green\n7\ngreen\n2\n3\ns\nb\n7\n99\n?\nr\ng 0\n9\nno\n9\n-77\nq\n";
    assert_snapshot!(folder.talk("simulate lamp.plx", input).masked(), @"
    exit 0
    lamp: type ? for help
         open initial values: type a value, Enter for any, r for all at random
         color (red, green): green
         level (0 to 9): 7
         no initial state has these values
         open initial values: type a value, Enter for any, r for all at random
         color (red, green): green
         level (0 to 9): 2
      0  start: color = green, level = 2, seen = 0
      1) P.set (level = 2)
      2) P.set (level = 3)
      3) P.set (level = 4)
      4) P.set (level = 5)
      5) P.set (level = 6)
      6) P.set (level = 7)
      7) P.set (level = 8)
      8) P.set (level = 9)
      9) P.look (asks for values)
    > 3
      1  P.set (level = 4): level = 4
      1) P.set (level = 4)
      2) P.set (level = 5)
      3) P.set (level = 6)
      4) P.set (level = 7)
      5) P.set (level = 8)
      6) P.set (level = 9)
      7) P.look (asks for values)
    > s
         color = green
         level = 4
         seen = 0
    > b
      0  start: color = green, level = 2, seen = 0
      1) P.set (level = 2)
      2) P.set (level = 3)
      3) P.set (level = 4)
      4) P.set (level = 5)
      5) P.set (level = 6)
      6) P.set (level = 7)
      7) P.set (level = 8)
      8) P.set (level = 9)
      9) P.look (asks for values)
    > 7
      1  P.set (level = 8): level = 8
         invariant dim: violated here
      1) P.set (level = 8)
      2) P.set (level = 9)
      3) P.look (asks for values)
    > 99
         not possible here; type ? for help
    > ?
         NUMBER  take that step            r [N]  take N steps at random
         b       go back one step          g N    go to step N of the run
         s       show the whole state      i      start over
         q       quit                      Enter  show the steps again
    > r
      2  P.look (seen = -1): seen = -1
         invariant dim: violated here
      1) P.set (level = 8)
      2) P.set (level = 9)
      3) P.look (asks for values)
    > g 0
      0  start: color = green, level = 2, seen = 0
      1) P.set (level = 2)
      2) P.set (level = 3)
      3) P.set (level = 4)
      4) P.set (level = 5)
      5) P.set (level = 6)
      6) P.set (level = 7)
      7) P.set (level = 8)
      8) P.set (level = 9)
      9) P.look (asks for values)
    > 9
         seen (an integer): no
         not a value of the type
         not taken
      1) P.set (level = 2)
      2) P.set (level = 3)
      3) P.set (level = 4)
      4) P.set (level = 5)
      5) P.set (level = 6)
      6) P.set (level = 7)
      7) P.set (level = 8)
      8) P.set (level = 9)
      9) P.look (asks for values)
    > 9
         seen (an integer): -77
      1  P.look (seen = -77): seen = -77
      1) P.set (level = 2)
      2) P.set (level = 3)
      3) P.set (level = 4)
      4) P.set (level = 5)
      5) P.set (level = 6)
      6) P.set (level = 7)
      7) P.set (level = 8)
      8) P.set (level = 9)
      9) P.look (asks for values)
    > q
    ");
}

#[test]
fn simulating_at_random() {
    let folder = Folder::with("counter.plx", COUNTER);
    let first = folder.run("simulate counter.plx --random --steps 5 --seed 7");
    assert_snapshot!(first.masked(), @"
    exit 0
    counter (seed 7)
      0  start: x = 0
      1  P.up: x = 1
      2  P.up: x = 2
      3  P.up: x = 3
         reachable top: reached here
      4  P.down: x = 0
      5  P.up: x = 1
    ");
    let again = folder.run("simulate counter.plx --random --steps 5 --seed 7");
    assert_eq!(again.out, first.out);

    folder.write(
        "open.plx",
        "var x, y: int; init x > 1000 && y == x + 1; process P { go: when x > 0 do x := 0; }",
    );
    let ran = folder.run("simulate open.plx --random");
    assert_eq!(ran.code, 0);
    assert!(ran.out.contains("no step is possible"), "{ran:?}");
    folder.write(
        "none.plx",
        "var x: int; init x > 1 && x < 2; process P { go: when x > 0 do x := 0; }",
    );
    assert_eq!(folder.run("simulate none.plx --random").out, "there is no initial state\n");
    assert!(folder.talk("simulate none.plx", "\n").out.contains("there is no initial state"));
}

#[test]
fn help_and_version() {
    let folder = Folder::new();
    assert_snapshot!(folder.run("--help").masked(), @"
    exit 0
    A model checker that hands out no verdict without checked evidence

    Usage: parallax <COMMAND>

    Commands:
      check        Check the properties of a model or a C program
      certify      Check an evidence file against its model or C program
      simulate     Run a model step by step, or at random
      run          Run a C program with given or random inputs
      show         Show a model or C program as it is analyzed
      ltl          Translate a formula of linear temporal logic into a Büchi automaton
      lts          Compile, check and compare labelled transition systems (FSP, .aut)
      magic        Check C procedures against labelled transition systems (.magic)
      fmt          Lay out models in the one style
      optimize     Bound linear terms over the models of a formula (SMT-LIB)
      invariants   Find inductive invariants of the loops of a C program or a model
      testgen      Generate tests for a container in C
      lsp          Serve an editor, over the Language Server Protocol
      engines      List the engines
      completions  Print completions for a shell
      man          Write manual pages
      help         Print this message or the help of the given subcommand(s)

    Options:
      -h, --help     Print help
      -V, --version  Print version

    Exit codes: 0 holds, 10 violated, 20 unknown, 2 usage, 65 bad input, 70 internal error.
    Start with:  parallax check model.plx  or  parallax check program.c
    ");
    let engines = folder.run("engines").out;
    let names: Vec<_> = engines.lines().filter_map(|l| l.split_whitespace().next()).collect();
    assert_eq!(
        names,
        [
            "ase", "ur", "bmc", "cegar", "symba", "pdr", "cells", "modular", "kind", "explicit",
            "ltl", "rank"
        ]
    );
    assert_eq!(folder.run("--version").out, concat!("parallax ", env!("CARGO_PKG_VERSION"), "\n"));
    let help = folder.run("check --help").out;
    // The options of one engine, of calls and of other tools stand under headings of their own.
    let is_apart = |part: &&str| {
        let heads = ["Engine ", "Calling a function", "For other tools"];
        heads.iter().any(|head| part.starts_with(head))
    };
    let general = help.split("\n\n").filter(|part| !is_apart(part));
    let lines: usize = general.map(|part| part.lines().count() + 1).sum();
    assert!(lines <= 56, "{lines}: {help}");
}

#[test]
fn shells_and_man_know_every_command() {
    let folder = Folder::new();
    assert_eq!(folder.run("man pages").code, 0);
    let help = folder.run("help").out;
    let commands = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let commands = commands
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.split_whitespace().next());
    let commands: Vec<&str> = commands.filter(|word| *word != "help").collect();
    assert!(commands.len() > 12, "{help}");
    for command in commands {
        let page = folder.read(&format!("pages/parallax-{command}.1"));
        assert!(page.contains(".SH SYNOPSIS"), "{command}");
        assert_eq!(folder.run(&format!("help {command}")).code, 0, "{command}");
        for shell in ["bash", "zsh", "fish"] {
            let script = folder.run(&format!("completions {shell}")).out;
            assert!(script.contains(command), "{shell}: {command}");
        }
    }
}
