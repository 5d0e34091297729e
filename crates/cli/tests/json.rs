//! `--json`: one object on standard output, whatever happens.

mod support;

use serde_json::Value;
use support::{COUNTER, Folder, Ran};

/// The one object of a run.
fn object(ran: &Ran) -> Value {
    assert_eq!(ran.out.lines().count(), 1, "{ran:?}");
    serde_json::from_str(&ran.out).expect("an object")
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

#[test]
fn the_schema() {
    let folder = Folder::with("counter.plx", COUNTER.replace("x <= N", "x < N"));
    let ran = folder.run("check counter.plx --json");
    let result = object(&ran);
    assert_eq!(ran.code, 10);
    assert_eq!(result["schema"], "parallax-result/1");
    assert_eq!(result["verdict"], "violated");
    assert_eq!(
        keys(&result),
        ["assumptions", "model", "next", "properties", "schema", "stats", "verdict"]
    );
    let figures = [
        "abstract_states",
        "attack_runs",
        "attack_states",
        "doubt_s",
        "iterations",
        "peak_memory_bytes",
        "predicates",
        "solver_queries",
        "states",
        "time_s",
    ];
    assert_eq!(keys(&result["stats"]), figures);
    let verdicts: Vec<_> = result["properties"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|p| (p["name"].as_str(), p["verdict"].as_str(), p["evidence"]["kind"].as_str()))
        .collect();
    assert_eq!(
        verdicts,
        [
            (Some("low"), Some("violated"), Some("trace")),
            (Some("top"), Some("holds"), Some("trace")),
            (Some("deadlock_free"), Some("holds"), Some("enumeration")),
        ]
    );
    let low = &result["properties"][0];
    for key in ["name", "verdict", "engine", "reason", "evidence", "trace"] {
        assert!(keys(low).contains(&key), "{key}");
    }
    assert_eq!(low["evidence"]["checked_by"][0], "interpreter");
    assert_eq!(low["trace"]["steps"].as_array().map(Vec::len), Some(3));
}

#[test]
fn errors_are_objects_too() {
    let folder = Folder::with("bad.plx", "var x: int = ;\ninvariant a: y;\n");
    let check = |arguments: &str, code: i32, verdict: &str| {
        let ran = folder.run(arguments);
        let result = object(&ran);
        assert_eq!(ran.code, code, "{arguments}: {ran:?}");
        assert_eq!(result["verdict"], verdict, "{arguments}: {ran:?}");
        assert!(result["diagnostics"][0]["message"].is_string(), "{arguments}: {ran:?}");
        assert_eq!(ran.err, "", "{arguments}");
    };
    check("check bad.plx --json", 65, "error");
    check("check missing.plx --json", 65, "error");
    check("check bad.plx --json --time soon", 2, "error");
    check("check --json", 2, "error");
    check("certify bad.plx missing.json --json", 65, "error");
    folder.write("good.plx", COUNTER);
    check("check good.plx --json -p nothing", 2, "error");
    check("certify good.plx bad.plx --json", 65, "error");
}

#[test]
fn a_file_that_cannot_be_written_is_an_object_too() {
    let folder = Folder::with("counter.plx", COUNTER);
    for path in [".", "nowhere/e.json", "counter.plx/e.json"] {
        let ran = folder.run(&format!("check counter.plx --json --certificate {path}"));
        assert_eq!((object(&ran)["verdict"].as_str(), ran.code), (Some("error"), 65), "{path}");
    }
}

#[test]
fn rejected_evidence_is_unknown() {
    let folder = Folder::with("counter.plx", COUNTER);
    assert_eq!(folder.run("check counter.plx -p low --certificate e.json").code, 0);
    folder.write("e.json", folder.read("e.json").replacen("[2,0],", "", 1));
    let ran = folder.run("certify counter.plx e.json --json");
    assert_eq!(ran.code, 20);
    let result = object(&ran);
    assert_eq!(result["properties"][0]["reason"]["code"], "certificate-rejected");
    assert_eq!(result["properties"][0]["reason"]["hint"], Value::Null);
}
