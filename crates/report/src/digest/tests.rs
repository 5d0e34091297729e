//! What other tools read, read by those tools' own libraries.

use super::*;
use serde_json::json;

fn span(file: &str, line: u64) -> Json {
    let point = |column: u64| json!({ "line": line, "column": column, "offset": 10 + column });
    json!({ "file": file, "start": point(3), "end": point(9) })
}

/// A C program with an answer of each kind and a run of `steps` steps.
fn sample(steps: usize) -> Digest {
    let step = |n: usize| {
        json!({ "function": "main", "depth": n % 3, "text": "x = <\"&'>", "value": n.to_string(),
                "span": span("src/a b.c", 4 + n as u64 % 5) })
    };
    let object = json!({
        "schema": "parallax-result/1", "verdict": "violated",
        "properties": [
            { "name": "overflow", "verdict": "holds", "reason": null, "span": span("a.c", 1),
              "evidence": { "kind": "inductive-invariant", "summary": "inductive-invariant of 2 regions",
                            "checked_by": ["Z3 5"] }, "stats": { "time_s": 0.25 } },
            { "name": "unreach-call", "verdict": "violated", "span": null, "reason": null,
              "evidence": { "kind": "trace", "summary": "run", "checked_by": ["interpreter"] },
              "run": { "text": "the assertion `x < 3` fails", "span": span("src/a b.c", 7),
                       "steps": (0..steps).map(step).collect::<Vec<_>>(),
                       "calls": [span("src/a b.c", 12)] },
              "stats": { "time_s": 1.5 } },
            { "name": "valid-deref", "verdict": "unknown", "span": null, "evidence": null,
              "reason": { "code": "time", "text": "time limit reached", "span": null,
                          "hint": "a longer --time" }, "stats": { "time_s": 3.0 } },
        ],
        "assumptions": ["`f` returns"], "stats": { "time_s": 4.75 },
    });
    Digest::of("src/a b.c", "1.2.3", &object)
}

#[test]
fn sarif_is_what_its_schema_says() {
    let digest = sample(3);
    let log: serde_sarif::sarif::Sarif =
        serde_json::from_str(&sarif(&digest)).expect("SARIF 2.1.0");
    let results = log.runs[0].results.as_ref().expect("results");
    let brief = |r: &serde_sarif::sarif::Result| {
        let kind = serde_json::to_value(r.kind.as_ref()).expect("a word");
        (kind.as_str().map(str::to_owned), r.rule_id.clone())
    };
    let brief: Vec<_> = results.iter().map(brief).collect();
    let pair = |kind: &str, rule: &str| (Some(kind.to_owned()), Some(rule.to_owned()));
    assert_eq!(
        brief,
        [pair("fail", "unreach-call"), pair("open", "valid-deref"), pair("pass", "overflow")]
    );
    let text: Json = serde_json::from_str(&sarif(&digest)).expect("JSON");
    let first = &text["runs"][0]["results"][0];
    assert_eq!(first["message"]["text"], "`unreach-call` is violated: the assertion `x < 3` fails");
    let place = &first["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "src/a%20b.c");
    assert_eq!(place["region"]["startLine"], 7);
    let steps = &first["codeFlows"][0]["threadFlows"][0]["locations"];
    assert_eq!(steps.as_array().map(Vec::len), Some(4));
    assert_eq!(first["stacks"][0]["frames"].as_array().map(Vec::len), Some(1));
}

#[test]
fn sarif_keeps_the_limits_of_github() {
    let text: Json = serde_json::from_str(&sarif(&sample(5000))).expect("JSON");
    let steps = &text["runs"][0]["results"][0]["codeFlows"][0]["threadFlows"][0]["locations"];
    let steps = steps.as_array().expect("steps");
    assert_eq!(steps.len(), 1000);
    assert_eq!(steps[250]["location"]["message"]["text"], "4002 steps are left out");
    assert_eq!(steps[999]["location"]["message"]["text"], "the assertion `x < 3` fails");
    let row = |n: usize| json!({ "name": format!("p{n}"), "verdict": if n == 29_999 { "violated" } else { "holds" } });
    let rows: Vec<Json> = (0..30_000).map(row).collect();
    let many = Digest::of("m.plx", "1", &json!({ "properties": rows }));
    let text: Json = serde_json::from_str(&sarif(&many)).expect("JSON");
    let run = &text["runs"][0];
    assert_eq!(run["results"].as_array().map(Vec::len), Some(25_000));
    assert_eq!(run["results"][0]["ruleId"], "p29999");
    let rules = run["tool"]["driver"]["rules"].as_array().expect("rules");
    assert!(rules.len() <= 25_000);
    for result in run["results"].as_array().expect("results") {
        let rule = result["ruleIndex"].as_u64().map(|index| &rules[index as usize]["id"]);
        assert_eq!(rule, Some(&result["ruleId"]));
    }
    let note = &run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"];
    assert_eq!(note, "5000 more answers are not listed");
}

#[test]
fn a_finding_is_known_again_when_lines_move() {
    let print = |digest: &Digest| {
        let text: Json = serde_json::from_str(&sarif(digest)).expect("JSON");
        text["runs"][0]["results"][0]["partialFingerprints"]["parallaxFinding/v1"].clone()
    };
    let known = print(&sample(3));
    let mut moved = sample(40);
    moved.entries[1].place.as_mut().expect("a place").start = (700, 1);
    assert_eq!(print(&moved), known);
    moved.entries[1].message = moved.entries[1].message.replace("x < 3", "x < -17");
    assert_eq!(print(&moved), known);
    let mut other = sample(3);
    other.entries[1].function = Some("other".to_owned());
    assert_ne!(print(&other), known);
}

#[test]
fn junit_is_read_back() {
    let report = quick_junit::Report::deserialize_from_str(&junit(&sample(2))).expect("JUnit");
    assert_eq!((report.tests, report.failures, report.errors), (3, 1, 1));
    let cases: Vec<_> =
        report.test_suites[0].test_cases.iter().map(|c| c.name.to_string()).collect();
    assert_eq!(cases, ["overflow", "unreach-call", "valid-deref"]);
}

#[test]
fn annotations_say_nothing_else() {
    let mut digest = sample(1);
    digest.entries[1].name = "a,b:c\n::error::x".to_owned();
    digest.entries[1].message = "100%\r\n::set-output name=x::y".to_owned();
    insta::assert_snapshot!(annotations(&digest), @"
    ::error file=src/a b.c,line=7,endLine=7,col=3,endColumn=9,title=a%2Cb%3Ac%0A%3A%3Aerror%3A%3Ax::100%25%0D%0A::set-output name=x::y%0Acounterexample of 1 step
    ::warning file=src/a b.c,title=valid-deref::`valid-deref` is unknown: time limit reached%0Atry: a longer --time
    ::notice file=src/a b.c,title=parallax::1 property holds
    ");
}

#[test]
fn input_that_cannot_be_read() {
    let object = json!({ "verdict": "error", "diagnostics": [
        { "code": "M0102", "severity": "error", "message": "no `y`", "labels": [span("m.plx", 2)],
          "help": "declare it" },
    ] });
    let digest = Digest::of("m.plx", "1", &object);
    insta::assert_snapshot!(annotations(&digest), @"::error file=m.plx,line=2,endLine=2,col=3,endColumn=9,title=M0102::no `y`%0Ahelp: declare it");
    let log: serde_sarif::sarif::Sarif = serde_json::from_str(&sarif(&digest)).expect("SARIF");
    let invocations = log.runs[0].invocations.as_ref().expect("an invocation");
    assert!(!invocations[0].execution_successful);
    let report = quick_junit::Report::deserialize_from_str(&junit(&digest)).expect("JUnit");
    assert_eq!((report.tests, report.errors), (1, 1));
}
