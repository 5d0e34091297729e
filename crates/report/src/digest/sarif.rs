//! SARIF 2.1.0 (OASIS, 2020), within the limits that GitHub's code scanning has.
//!
//! Every property that was asked is a rule, and every answer a result: of the kind
//! `pass`, `fail` or `open`. A counterexample is a code flow of one thread flow.
//! Fingerprints are made of the rule, the file, the function and the message, not of
//! lines or values, so a finding stays the same when text above it changes.

use super::{Digest, Entry, Moment, Place, Problem, Word};
use serde_json::{Map, Value as Json, json};
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The most results of a run that GitHub takes.
const RESULTS: usize = 25_000;

/// The most steps of a code flow that GitHub shows.
const STEPS: usize = 1_000;

/// The schema that the log names.
const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// The run as a SARIF log.
pub fn sarif(digest: &Digest) -> String {
    // What is wrong comes first: it must not be lost where there is a limit.
    let mut entries: Vec<&Entry> = digest.entries.iter().collect();
    entries.sort_by_key(|entry| match entry.word {
        Word::Violated => 0,
        Word::Unknown => 1,
        Word::Holds => 2,
    });
    let left_out = entries.len().saturating_sub(RESULTS);
    entries.truncate(RESULTS);
    let mut rules: Vec<&str> = Vec::new();
    let mut index = BTreeMap::new();
    for entry in &entries {
        index.entry(entry.name.as_str()).or_insert_with(|| {
            rules.push(&entry.name);
            rules.len() - 1
        });
    }
    let results = entries.iter();
    let results = results.map(|entry| result(digest, entry, index[entry.name.as_str()]));
    let rules = rules.iter().map(
        |name| json!({ "id": name, "shortDescription": { "text": format!("`{name}` holds") } }),
    );
    let mut notes: Vec<Json> = digest.problems.iter().map(|p| problem(digest, p)).collect();
    if left_out > 0 {
        let text = format!("{left_out} more answers are not listed");
        notes.push(json!({ "level": "warning", "message": { "text": text } }));
    }
    let log = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "Parallax",
                "version": digest.version,
                "semanticVersion": digest.version,
                "rules": rules.collect::<Vec<_>>(),
            } },
            "columnKind": "unicodeCodePoints",
            "invocations": [{
                "executionSuccessful": digest.problems.is_empty(),
                "toolExecutionNotifications": notes,
            }],
            "results": results.collect::<Vec<_>>(),
            "properties": { "assumptions": digest.assumptions },
        }],
    });
    // Serializing plain data cannot fail.
    serde_json::to_string_pretty(&log).unwrap_or_default() + "\n"
}

fn problem(digest: &Digest, of: &Problem) -> Json {
    json!({
        "level": if of.is_error { "error" } else { "warning" },
        "descriptor": { "id": of.code },
        "message": { "text": of.message },
        "locations": [place_of(digest, of.place.as_ref())],
    })
}

fn result(digest: &Digest, entry: &Entry, rule: usize) -> Json {
    let (kind, level) = match entry.word {
        Word::Holds => ("pass", "none"),
        Word::Violated => ("fail", "error"),
        Word::Unknown => ("open", "none"),
    };
    let mut text = entry.message.clone();
    if let Some(hint) = &entry.hint {
        let _ = write!(text, " (try {hint})");
    }
    let mut object = json!({
        "ruleId": entry.name,
        "ruleIndex": rule,
        "kind": kind,
        "level": level,
        "message": { "text": text },
        "locations": [place_of(digest, entry.place.as_ref())],
        "partialFingerprints": { "parallaxFinding/v1": fingerprint(digest, entry) },
        "properties": { "evidence": entry.evidence, "checkedBy": entry.checked_by },
    });
    if entry.word == Word::Violated && !entry.flow.is_empty() {
        object["codeFlows"] = json!([{ "threadFlows": [{ "locations": flow(digest, entry) }] }]);
    }
    if !entry.calls.is_empty() {
        let frame = |at: &Place| json!({ "location": location(at) });
        let frames: Vec<Json> = entry.calls.iter().rev().map(frame).collect();
        object["stacks"] = json!([{ "message": { "text": "calls" }, "frames": frames }]);
    }
    object
}

/// The steps of a run; of a long one the first and the last.
fn flow(digest: &Digest, entry: &Entry) -> Vec<Json> {
    let steps = entry.flow.len();
    let head = if steps > STEPS { STEPS / 4 } else { steps };
    let tail = if steps > STEPS { steps - (STEPS - head - 1) } else { steps };
    let mut found: Vec<Json> = Vec::new();
    for (index, moment) in entry.flow.iter().enumerate() {
        if index < head || index >= tail {
            found.push(step(digest, moment, index));
        } else if index == head {
            let text = format!("{} steps are left out", tail - head);
            let at = place_of(digest, moment.place.as_ref());
            found.push(json!({ "location": with_text(at, &text), "executionOrder": index + 1 }));
        }
    }
    found
}

fn step(digest: &Digest, moment: &Moment, index: usize) -> Json {
    let mut text = moment.text.clone();
    for (number, (name, value)) in moment.values.iter().enumerate() {
        let _ = write!(text, "{} {name} = {value}", if number == 0 { ":" } else { "," });
    }
    let at = place_of(digest, moment.place.as_ref());
    let mut found = json!({
        "location": with_text(at, &text), "executionOrder": index + 1, "nestingLevel": moment.depth,
        "importance": "essential",
    });
    if !moment.values.is_empty() {
        let pair = |(name, value): &(String, String)| (name.clone(), json!({ "text": value }));
        found["state"] = moment.values.iter().map(pair).collect::<Map<_, _>>().into();
    }
    found
}

/// A place, or the file as a whole: GitHub wants a place for everything.
fn place_of(digest: &Digest, place: Option<&Place>) -> Json {
    place.map_or_else(
        || {
            json!({ "physicalLocation": {
                "artifactLocation": { "uri": uri(&digest.file) }, "region": { "startLine": 1 },
            } })
        },
        location,
    )
}

fn location(at: &Place) -> Json {
    json!({ "physicalLocation": {
        "artifactLocation": { "uri": uri(&at.file) },
        "region": {
            "startLine": at.start.0, "startColumn": at.start.1,
            "endLine": at.end.0, "endColumn": at.end.1,
        },
    } })
}

fn with_text(mut location: Json, text: &str) -> Json {
    location["message"] = json!({ "text": text });
    location
}

/// A path as a reference of RFC 3986: what lies in the working folder stays relative.
fn uri(path: &str) -> String {
    let mut out = String::from(if path.starts_with('/') { "file://" } else { "" });
    // A first segment with a colon would be a scheme.
    let first = path.split('/').next().unwrap_or_default();
    if first.contains(':') {
        out.push_str("./");
    }
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                out.push(char::from(byte));
            }
            _ => {
                let _ = write!(out, "%{byte:02X}");
            }
        }
    }
    out
}

/// What a finding is known by from run to run.
fn fingerprint(digest: &Digest, entry: &Entry) -> String {
    let file = entry.place.as_ref().map_or(digest.file.as_str(), |at| &at.file);
    let function = entry.function.as_deref().unwrap_or_default();
    // The size of a run, or why a question is open, may change from day to day.
    // So may the values in a message.
    let what =
        if entry.function.is_some() { without_numbers(&entry.message) } else { String::new() };
    let mut hash = Sha256::new();
    for text in [entry.name.as_str(), file, function, &what] {
        hash.update(text.as_bytes());
        hash.update([0]);
    }
    let mut text = String::new();
    for byte in hash.finalize().iter().take(16) {
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// A text with every number replaced by one sign.
fn without_numbers(text: &str) -> String {
    let mut out = String::new();
    for part in text.split_inclusive(|c: char| !c.is_ascii_digit()) {
        let rest = part.trim_start_matches(|c: char| c.is_ascii_digit());
        if rest.len() < part.len() {
            // The sign of a number is part of it.
            out.truncate(out.trim_end_matches('-').len());
            out.push('#');
        }
        out.push_str(rest);
    }
    out
}
