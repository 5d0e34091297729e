//! What an editor shows of an answer.

use crate::documents::{Document, uri_of};
use parallax_report::{Digest, Entry, Place, Word};
use serde_json::{Value as Json, json};
use std::path::Path;

/// What can be asked of the server.
pub(crate) const COMMANDS: [&str; 3] = ["parallax.check", "parallax.harness", "parallax.report"];

/// Steps of a counterexample that are listed.
const STEPS: usize = 200;

fn digest(document: &Document) -> Option<Digest> {
    let file = document.path.to_string_lossy();
    document.answer.as_ref().map(|answer| Digest::of(&file, env!("CARGO_PKG_VERSION"), answer))
}

/// Whether a place is in the document.
fn is_here(document: &Document, place: &Place) -> bool {
    let path = Path::new(&place.file);
    let folder = document.path.parent().unwrap_or(Path::new("/"));
    path == document.path || folder.join(path) == document.path
}

/// A range of the protocol: lines from 0, columns in units of UTF-16.
fn range(document: &Document, place: &Place) -> Json {
    let point = |(line, column): (u64, u64)| {
        let line = line.saturating_sub(1);
        let before = usize::try_from(column.saturating_sub(1)).unwrap_or(usize::MAX);
        let text = if is_here(document, place) { document.line(line) } else { "" };
        let units: usize = match text.is_empty() {
            true => before,
            false => text.chars().take(before).map(char::len_utf16).sum(),
        };
        json!({ "line": line, "character": units })
    };
    json!({ "start": point(place.start), "end": point(place.end) })
}

fn location(document: &Document, place: &Place) -> Json {
    let folder = document.path.parent().unwrap_or(Path::new("/"));
    let uri = match is_here(document, place) {
        true => document.uri.clone(),
        false => uri_of(&folder.join(&place.file)),
    };
    json!({ "uri": uri, "range": range(document, place) })
}

/// The start of the document.
fn top() -> Json {
    json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 0, "character": 0 } })
}

/// What is wrong and what is open.
pub(crate) fn diagnostics(document: &Document) -> Vec<Json> {
    let Some(digest) = digest(document) else { return Vec::new() };
    let mut found = Vec::new();
    let place = |place: Option<&Place>| match place {
        Some(place) if is_here(document, place) => range(document, place),
        _ => top(),
    };
    for problem in &digest.problems {
        let help = problem.help.as_ref().map(|help| format!("\nhelp: {help}"));
        found.push(json!({
            "range": place(problem.place.as_ref()), "severity": if problem.is_error { 1 } else { 2 },
            "source": "parallax", "code": problem.code,
            "message": format!("{}{}", problem.message, help.unwrap_or_default()),
        }));
    }
    for entry in &digest.entries {
        let severity = match entry.word {
            Word::Holds => continue,
            Word::Violated => 1,
            Word::Unknown => 2,
        };
        let hint = entry.hint.as_ref().map(|hint| format!("\ntry: {hint}")).unwrap_or_default();
        let steps = entry.flow.iter().filter_map(|moment| {
            let values = moment.values.iter().map(|(name, value)| format!("{name} = {value}"));
            let values = values.collect::<Vec<_>>().join(", ");
            let colon = if values.is_empty() { "" } else { ": " };
            let at = location(document, moment.place.as_ref()?);
            Some(json!({ "location": at, "message": format!("{}{colon}{values}", moment.text) }))
        });
        found.push(json!({
            "range": place(entry.place.as_ref()), "severity": severity, "source": "parallax",
            "code": entry.name, "message": format!("{}{hint}", entry.message),
            "relatedInformation": steps.take(STEPS).collect::<Vec<_>>(),
        }));
    }
    found
}

/// The line of an entry in the document, from 0.
fn line_of(document: &Document, entry: &Entry) -> u64 {
    let place = entry.place.as_ref().filter(|place| is_here(document, place));
    place.map_or(0, |place| place.start.0.saturating_sub(1))
}

/// A verdict over every property.
pub(crate) fn lenses(document: &Document) -> Json {
    let Some(digest) = digest(document) else { return json!([]) };
    let lens = |entry: &Entry| {
        let sign = match entry.word {
            Word::Holds => "\u{2713}",
            Word::Violated => "\u{2717}",
            Word::Unknown => "?",
        };
        let line = line_of(document, entry);
        let at = json!({ "line": line, "character": 0 });
        json!({
            "range": { "start": at, "end": at },
            "command": {
                "title": format!("{sign} {}", entry.message), "command": "parallax.report",
                "arguments": [document.uri],
            },
        })
    };
    json!(digest.entries.iter().map(lens).collect::<Vec<_>>())
}

/// Evidence of the properties on a line, and what holds there.
pub(crate) fn hover(document: &Document, line: u64) -> Json {
    let Some(digest) = digest(document) else { return Json::Null };
    let mut parts: Vec<String> = Vec::new();
    for (place, text) in invariants(document) {
        if is_here(document, &place) && place.start.0 == line + 1 {
            parts.push(format!("always here:\n```c\n{text}\n```"));
        }
    }
    for entry in digest.entries.iter().filter(|entry| line_of(document, entry) == line) {
        let by = match entry.checked_by.as_slice() {
            [] => String::new(),
            list => format!(", accepted by {}", list.join(" and ")),
        };
        parts.push(format!("**{}**: {}{by}", entry.word.word(), entry.message));
    }
    match parts.is_empty() {
        true => Json::Null,
        false => json!({ "contents": { "kind": "markdown", "value": parts.join("\n\n") } }),
    }
}

/// What proofs say of lines.
fn invariants(document: &Document) -> Vec<(Place, String)> {
    let answer = document.answer.as_ref();
    let properties = answer.and_then(|a| a["properties"].as_array()).into_iter().flatten();
    let all = properties.filter_map(|property| property["invariants"].as_array()).flatten();
    all.filter_map(|known| Some((Place::of(&known["span"])?, known["text"].as_str()?.to_owned())))
        .collect()
}

/// What can be done about a range.
pub(crate) fn actions(document: &Document, at: &Json) -> Json {
    let (first, last) = (&at["start"]["line"], &at["end"]["line"]);
    let lines = first.as_u64().unwrap_or_default()..=last.as_u64().unwrap_or_default();
    let command = |title: &str, command: &str| {
        json!({ "title": title, "kind": "source", "command": {
            "title": title, "command": command, "arguments": [document.uri] } })
    };
    let mut found = vec![
        command("Check this file", "parallax.check"),
        command("Write a page about this file", "parallax.report"),
    ];
    let is_c = document.path.extension().is_some_and(|e| e == "c");
    let digest = digest(document);
    let is_violated = |d: &Digest| d.entries.iter().any(|entry| entry.word == Word::Violated);
    if is_c && digest.as_ref().is_some_and(is_violated) {
        found.push(command("Write a harness that reproduces the failure", "parallax.harness"));
    }
    for (place, text) in invariants(document).into_iter().filter(|_| is_c) {
        let line = place.start.0.saturating_sub(1);
        if !is_here(document, &place) || !lines.contains(&line) || text.contains('\n') {
            continue;
        }
        let of = document.line(line);
        let indent: String = of.chars().take_while(|c| c.is_whitespace()).collect();
        let at = json!({ "line": line, "character": 0 });
        let edit = json!({ "range": { "start": at, "end": at }, "newText": format!("{indent}assert({text});\n") });
        found.push(json!({
            "title": format!("Assert `{text}` before the loop"), "kind": "quickfix",
            "edit": { "changes": { document.uri.clone(): [edit] } },
        }));
    }
    json!(found)
}
