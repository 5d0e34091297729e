//! What other tools read: JSON against the schemas of the repository, the stream of
//! events, SARIF, JUnit XML, annotations. (`parallax-report` reads SARIF and JUnit XML with
//! the libraries of others.)

mod support;

use jsonschema::Validator;
use serde_json::{Value, json};
use std::path::Path;
use support::{COUNTER, Folder, Ran};

fn schema(name: &str) -> Validator {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schemas");
    let path = folder.join(format!("{}.json", name.replace('/', "-")));
    let text = std::fs::read_to_string(&path).expect(name);
    let schema: Value = serde_json::from_str(&text).expect("a schema");
    jsonschema::validator_for(&schema).expect("a schema")
}

/// The one object of a run, which its own schema describes.
fn object(ran: &Ran) -> Value {
    let object: Value = serde_json::from_str(&ran.out).expect("an object");
    let name = object["schema"].as_str().expect("the name of a schema");
    let problems: Vec<String> = schema(name).iter_errors(&object).map(|e| e.to_string()).collect();
    assert!(problems.is_empty(), "{name}: {problems:?}\n{}", ran.out);
    object
}

const LOOP: &str = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int n = __VERIFIER_nondet_int(), i = 0;
  while (i < n) {
    i++;
    if (i == 3) { reach_error(); }
  }
  return 0;
}
";

const BUFFER: &str = "\
BUFFER = EMPTY, EMPTY = (put -> FULL), FULL = (get -> EMPTY).
progress GET = {get}
";

#[test]
fn json_is_what_its_schema_says() {
    let folder = Folder::with("counter.plx", COUNTER);
    folder.write("loop.c", LOOP);
    folder.write("bad.plx", "var x: int = ;\n");
    folder.write("buffer.lts", BUFFER);
    folder
        .write("max.smt2", "(declare-const x Int)\n(assert (< x 7))\n(maximize x)\n(check-sat)\n");
    let two = "(declare-const x Int)\n(declare-const y Int)\n(assert (and (< x 7) (< y x)))\n\
               (maximize x)\n(maximize y)\n(check-sat)\n(get-objectives)\n";
    folder.write("two.smt2", two);
    let check = |arguments: &str, name: &str, verdict: &str| {
        let result = object(&folder.run(arguments));
        assert_eq!(
            (&result["schema"], &result["verdict"]),
            (&json!(name), &json!(verdict)),
            "{arguments}"
        );
    };
    check("check counter.plx --json -v --certificate e.json", "parallax-result/1", "holds");
    check("certify counter.plx e.json --json", "parallax-result/1", "holds");
    check("check loop.c --json --engine cegar --show arg", "parallax-result/1", "violated");
    check("check counter.plx --ltl <>x==9 --json", "parallax-result/1", "violated");
    check("check bad.plx --json", "parallax-result/1", "error");
    check("check counter.plx --json --time 1ms", "parallax-result/1", "unknown");
    check("lts buffer.lts --json --certificate l.json", "parallax-lts/1", "holds");
    check("lts buffer.lts --json --storage diagrams", "parallax-lts/1", "holds");
    check("certify buffer.lts l.json --json", "parallax-certified/1", "holds");
    check("invariants loop.c --json", "parallax-invariants/1", "holds");
    check("optimize max.smt2 --json", "parallax-bounds/1", "holds");
    check("optimize two.smt2 --json", "parallax-optima/1", "holds");
    let automaton = object(&folder.run("ltl <>p --json"));
    assert_eq!(automaton["schema"], "parallax-ltl/1");
}

#[test]
fn events_tell_a_run() {
    let folder = Folder::with("loop.c", LOOP);
    assert_eq!(folder.run("check loop.c --engine cegar --events e.jsonl").code, 10);
    let schema = schema("parallax-events/1");
    let lines: Vec<Value> =
        folder.read("e.jsonl").lines().map(|l| serde_json::from_str(l).expect("JSON")).collect();
    for line in &lines {
        assert!(schema.is_valid(line), "{line}");
    }
    let words: Vec<&str> = lines.iter().filter_map(|l| l["event"].as_str()).collect();
    assert_eq!((words.first(), words.last()), (Some(&"start"), Some(&"end")));
    for word in ["begin", "round", "predicate", "answer"] {
        assert!(words.contains(&word), "{word}: {words:?}");
    }
    assert_eq!(lines[lines.len() - 1]["verdict"], "violated");
    assert!(lines.is_sorted_by_key(|l| l["t"].as_f64()));
}

#[test]
fn files_for_other_tools() {
    let folder = Folder::with("loop.c", LOOP);
    folder.write("bad.plx", "var x: int = ;\n");
    let check = |arguments: &str, code: i32, words: &[&str]| {
        let ran = folder.run(&format!("{arguments} --sarif s.sarif --junit j.xml"));
        assert_eq!(ran.code, code, "{arguments}: {ran:?}");
        let text = folder.read("s.sarif") + &folder.read("j.xml");
        for word in words {
            assert!(text.contains(word), "{arguments}: {word} in\n{text}");
        }
    };
    check("check loop.c", 10, &["\"codeFlows\"", "\"startLine\": 7", "failures=\"1\""]);
    check("check loop.c --json", 10, &["\"kind\": \"fail\""]);
    check("check bad.plx", 65, &["\"executionSuccessful\": false", "errors=\"1\""]);
    check(
        "check loop.c -p unreach-call --time 1ms",
        20,
        &["\"kind\": \"open\"", "type=\"unknown\""],
    );
    check("check loop.c --time 1ms", 20, &["\"kind\": \"open\"", "errors=\"1\""]);
    let ran = folder.run("check loop.c --sarif loop.c");
    assert_eq!(ran.code, 2, "{ran:?}");
    assert_eq!(folder.run("check loop.c --sarif a --junit a").code, 2);
}

#[test]
fn annotations_are_all_that_is_printed() {
    let folder = Folder::with("loop.c", LOOP);
    folder.write("bad.plx", "var x: int = ;\n");
    let ran = folder.run("check loop.c --format github");
    assert!(ran.out.starts_with("::error file=loop.c,line=7,"), "{ran:?}");
    assert_eq!((ran.code, ran.out.lines().count()), (10, 1));
    let ran = folder.run("check bad.plx --format github");
    assert!(ran.out.starts_with("::error file=bad.plx,line=1,"), "{ran:?}");
    assert_eq!(folder.run("check loop.c --format github --json").code, 2);
}
