//! What is written compiles with plain `cc`, passes, and covers the lines that
//! the search says: compared with `gcov`, line by line.

mod support;

use parallax_containers::{Config, Goal, Match, line_cover};
use parallax_suite::{
    Sanitize, TestCompOptions, c_failure, c_suite, coverage_listing, run_native, shape_svg,
    suite_json, test_comp,
};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use support::{examples, folder, needs, with_file, with_suite};

fn run(folder: &Path, command: &str, arguments: &[&str]) -> String {
    let output =
        Command::new(command).args(arguments).current_dir(folder).output().expect("a command");
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command} {arguments:?}: {error}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The lines of a file that `gcov` knows: whether each was executed.
fn gcov(folder: &Path, file: &str) -> BTreeMap<u32, bool> {
    run(folder, "cc", &["--coverage", "-O0", "-c", "suite.c", "-o", "suite.o"]);
    run(folder, "cc", &["--coverage", "suite.o", "-o", "suite"]);
    run(folder, "./suite", &[]);
    run(folder, "gcov", &["suite.o"]);
    let text = std::fs::read_to_string(folder.join(format!("{file}.gcov"))).expect("a listing");
    let mut lines: BTreeMap<u32, bool> = BTreeMap::new();
    for line in text.lines() {
        let mut parts = line.splitn(3, ':');
        let (Some(count), Some(number)) = (parts.next(), parts.next()) else { continue };
        let Ok(number) = number.trim().parse::<u32>() else { continue };
        if number > 0 && count.trim() != "-" {
            *lines.entry(number).or_default() |= !count.contains("####");
        }
    }
    lines
}

#[test]
fn the_same_lines_as_gcov() {
    needs("cc");
    needs("gcov");
    for (name, length, goal, matching) in [
        ("treemap", 7, Goal::Blocks, Match::Complete),
        ("treemap", 5, Goal::Predicates, Match::Subsumption),
        ("bintree", 4, Goal::Branches, Match::Complete),
        ("binheap", 5, Goal::Blocks, Match::Complete),
        ("fibheap", 5, Goal::Blocks, Match::Shape),
        ("dlist", 3, Goal::Branches, Match::Complete),
        ("avl", 5, Goal::Predicates, Match::Complete),
        ("skiplist", 4, Goal::Blocks, Match::Complete),
        ("hashtable", 4, Goal::Blocks, Match::Random),
    ] {
        let config = Config {
            length,
            values: length,
            matching,
            goal,
            operations: 2000,
            ..Config::default()
        };
        with_suite(name, &[], &config, |suite| {
            let folder = folder(&format!("gcov-{name}"));
            std::fs::write(folder.join("suite.c"), c_suite(suite, "suite.c")).expect("a file");
            let path = examples().join(format!("{name}.c"));
            std::fs::copy(&path, folder.join(format!("{name}.c"))).expect("a copy");
            let theirs = gcov(&folder, &format!("{name}.c"));
            // What is reported.
            let cover = line_cover(suite.subject, &suite.found.coverage, suite.sources);
            let ours: &BTreeMap<u32, bool> = cover
                .files
                .iter()
                .find(|(file, _)| {
                    suite.sources.get(**file).is_some_and(|f| f.name().ends_with(".c"))
                })
                .map(|(_, lines)| lines)
                .expect("lines of the container");
            let mut compared = 0;
            for (line, executed) in ours {
                if let Some(there) = theirs.get(line) {
                    assert_eq!(executed, there, "{name}.c:{line}");
                    compared += 1;
                }
            }
            // Both know nearly all lines with code; the rest are headers of
            // functions, braces, and macros that stand for nothing natively.
            assert!(compared * 10 >= ours.len() * 7, "{name}: {compared} of {} lines", ours.len());
        });
    }
}

#[test]
fn suites_pass_natively_under_sanitizers() {
    needs("cc");
    for (name, goal) in [
        ("treemap", Goal::Predicates),
        ("fibheap", Goal::Predicates),
        ("dlist", Goal::Predicates),
        ("avl", Goal::Branches),
        ("hashtable", Goal::Branches),
        ("skiplist", Goal::Blocks),
    ] {
        let config = Config { length: 4, values: 4, goal, ..Config::default() };
        with_suite(name, &[], &config, |suite| {
            let folder = folder(&format!("native-{name}"));
            let file = folder.join("suite.c");
            std::fs::write(&file, c_suite(suite, "suite.c")).expect("a file");
            let ran = run_native(&file, Sanitize::Yes).expect("a run");
            assert_eq!((ran.good, ran.count), (suite.found.tests.len(), ran.good), "{ran:?}");
            assert!(ran.count > 2, "{name}");
        });
    }
}

/// A container whose type has no tag, made in each way.
#[test]
fn types_without_a_name_are_written() {
    needs("cc");
    let folder = folder("nameless");
    let program = "
        #include <stdlib.h>
        typedef struct { int top; int items[4]; } stack;
        void stack_init(stack *s) { s->top = 0; }
        stack *stack_new(void) { stack *s = malloc(sizeof *s); s->top = 0; return s; }
        int stack_push(stack *s, int x) {
            if (s->top == 4) return 0;
            s->items[s->top++] = x;
            return 1;
        }
        int stack_pop(stack *s) { return s->top == 0 ? -1 : s->items[--s->top]; }";
    let operations = "[[operation]]\ncall = \"stack_push\"\n[[operation]]\ncall = \"stack_pop\"\n";
    for (at, new) in ["new = \"stack_init\"", "new = \"stack_new\"", ""].iter().enumerate() {
        let file = folder.join(format!("stack{at}.c"));
        std::fs::write(&file, program).expect("a file");
        let api = format!("[container]\n{new}\n{operations}");
        std::fs::write(file.with_extension("toml"), api).expect("a file");
        let config = Config { length: 5, values: 2, goal: Goal::Branches, ..Config::default() };
        with_file(&file, &[], &config, |suite| {
            let file = folder.join(format!("suite{at}.c"));
            std::fs::write(&file, c_suite(suite, "suite.c")).expect("a file");
            let ran = run_native(&file, Sanitize::No).expect("a run");
            assert_eq!((ran.good, ran.count), (suite.found.tests.len(), ran.good), "{ran:?}");
        });
    }
}

#[test]
fn failures_fail_natively() {
    needs("cc");
    for (name, length) in [("dlist", 3), ("bintree", 6), ("hashtable", 4)] {
        let config = Config { length, values: length.max(4), ..Config::default() };
        with_suite(name, &["SEEDED_BUG"], &config, |suite| {
            let failure = suite.found.failure.as_ref().expect("the bug");
            let file = folder(&format!("failure-{name}")).join("failure.c");
            std::fs::write(&file, c_failure(suite, failure, "failure.c")).expect("a file");
            let ran = run_native(&file, Sanitize::Yes).expect("a run");
            assert_eq!((ran.good, ran.count), (0, 1), "{name}");
            assert!(!ran.messages.is_empty(), "{name}");
        });
    }
}

/// The tests of Test-Comp, run by a driver with a tiny source of inputs.
#[test]
fn test_comp_inputs_drive_the_driver() {
    needs("cc");
    let config = Config { length: 4, values: 4, ..Config::default() };
    with_suite("treemap", &[], &config, |suite| {
        let folder = folder("test-comp");
        let options =
            TestCompOptions { program: "driver.c".into(), time: "2026-01-31T12:00:00Z".into() };
        let files = test_comp(suite, &options);
        assert_eq!(files.len(), 2 + suite.found.tests.len());
        for (name, text) in &files {
            std::fs::write(folder.join(name), text).expect("a file");
        }
        let harness = "
            #include <stdio.h>
            #include <stdlib.h>
            int __VERIFIER_nondet_int(void) { int x; if (scanf(\"%d\", &x) != 1) abort(); return x; }
            void reach_error(void) { abort(); }";
        std::fs::write(folder.join("harness.c"), harness).expect("a file");
        run(&folder, "cc", &["driver.c", "harness.c", "-o", "driver"]);
        let (_, last) = files.last().expect("a test");
        let inputs: Vec<&str> = last
            .lines()
            .filter_map(|line| line.trim().strip_prefix("<input>")?.strip_suffix("</input>"))
            .collect();
        assert!(inputs.len() > 4, "{last}");
        let line = format!("echo {} | ./driver", inputs.join(" "));
        run(&folder, "sh", &["-c", &line]);
        let metadata = &files[1].1;
        assert!(metadata.contains("<programhash>") && metadata.contains("@BASICBLOCKENTRY"));
    });
}

#[test]
fn json_listing_and_pictures_say_the_same() {
    let config = Config { length: 5, values: 5, goal: Goal::Predicates, ..Config::default() };
    with_suite("treemap", &[], &config, |suite| {
        let json = suite_json(suite);
        assert_eq!(json["coverage"]["probes"], 31);
        assert_eq!(json["coverage"]["combinations"], 43);
        assert_eq!(json["tests"].as_array().map(Vec::len), Some(suite.found.tests.len()));
        assert_eq!(json["levels"][5]["states"], 72);
        let listing = coverage_listing(suite);
        assert!(listing.contains("combinations of predicates 43"), "{listing}");
        assert!(listing.lines().any(|line| line.starts_with("+ ")));
        let shapes: usize = suite.found.shape_counts.values().sum();
        assert_eq!(suite.found.shapes.len(), shapes);
        for shape in &suite.found.shapes {
            let svg = shape_svg(shape);
            let nodes = svg.matches("<text").count();
            assert_eq!(nodes, shape.nodes.len(), "{svg}");
            assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
        }
    });
}
