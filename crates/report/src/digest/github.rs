//! Annotations: workflow commands that GitHub Actions reads from the output of a step.
//!
//! Text from outside can say nothing else than what it is: whatever a line could end
//! or begin with is escaped, as the runner asks for
//! (<https://docs.github.com/actions/reference/workflow-commands-for-github-actions>).

use super::{Digest, Entry, Place, Word};
use crate::run::count;
use std::fmt::Write;

/// The run as annotations, one line each: errors for violations and for input that
/// cannot be read, warnings for what is open, one notice for what holds.
pub fn annotations(digest: &Digest) -> String {
    let mut out = String::new();
    for problem in &digest.problems {
        let place = problem.place.as_ref();
        let word = if problem.is_error { "error" } else { "warning" };
        let help = problem.help.as_ref().map(|help| format!("\nhelp: {help}")).unwrap_or_default();
        let text = format!("{}{help}", problem.message);
        line(&mut out, word, &problem.code, place, &digest.file, &text);
    }
    for entry in &digest.entries {
        let word = match entry.word {
            Word::Violated => "error",
            Word::Unknown => "warning",
            Word::Holds => continue,
        };
        line(&mut out, word, &entry.name, entry.place.as_ref(), &digest.file, &said(entry));
    }
    let holds = digest.count(Word::Holds);
    if holds > 0 {
        let verb = if holds == 1 { "property holds" } else { "properties hold" };
        line(&mut out, "notice", "parallax", None, &digest.file, &format!("{holds} {verb}"));
    }
    out
}

/// What is said of an answer: the sentence, the size of the run, what to try.
fn said(entry: &Entry) -> String {
    let mut text = entry.message.clone();
    if let Some(hint) = &entry.hint {
        // Writing to a string cannot fail.
        let _ = write!(text, "\ntry: {hint}");
    }
    if entry.flow.len() > 1 {
        let _ = write!(text, "\ncounterexample of {}", count(entry.flow.len() - 1, "step"));
    }
    text
}

fn line(out: &mut String, word: &str, title: &str, place: Option<&Place>, file: &str, text: &str) {
    let mut place_text = String::new();
    if let Some(Place { start, end, .. }) = place {
        let _ = write!(place_text, ",line={},endLine={}", start.0, end.0);
        // The runner takes columns within one line only.
        if start.0 == end.0 {
            let _ = write!(place_text, ",col={},endColumn={}", start.1, end.1);
        }
    }
    let file = argument(place.map_or(file, |at| &at.file));
    let _ =
        writeln!(out, "::{word} file={file}{place_text},title={}::{}", argument(title), data(text));
}

/// A text as the message of a command.
fn data(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '%' => out.push_str("%25"),
            '\r' => out.push_str("%0D"),
            '\n' => out.push_str("%0A"),
            c if c.is_control() => out.push(char::REPLACEMENT_CHARACTER),
            c => out.push(c),
        }
    }
    out
}

/// A text as the value of an argument of a command.
fn argument(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
