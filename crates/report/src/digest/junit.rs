//! JUnit XML: what was asked as test cases. There is no standard; this is the part that
//! all readers share (`testsuites`, `testsuite`, `testcase`, `failure`, `error`).
//!
//! A violation is a failure. What is open is an error: a test that did not come to an
//! answer must not look like one that passed or was left out on purpose.

use super::{Digest, Entry, Word};
use std::fmt::Write;

/// The run as XML.
pub fn junit(digest: &Digest) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = write(&mut out, digest);
    out
}

fn write(out: &mut String, digest: &Digest) -> std::fmt::Result {
    let (violated, open) = (digest.count(Word::Violated), digest.count(Word::Unknown));
    let (tests, errors) =
        (digest.entries.len() + digest.problems.len(), open + digest.problems.len());
    let counts = format!(
        "tests=\"{tests}\" failures=\"{violated}\" errors=\"{errors}\" time=\"{:.3}\"",
        digest.time_s
    );
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(out, "<testsuites name=\"parallax\" {counts}>")?;
    let file = xml(&digest.file);
    writeln!(out, "  <testsuite name=\"{file}\" {counts} disabled=\"0\">")?;
    for problem in &digest.problems {
        writeln!(out, "    <testcase name=\"{}\" classname=\"{file}\">", xml(&problem.code))?;
        let (message, text) = (xml(&problem.message), xml(&problem.message));
        writeln!(out, "      <error message=\"{message}\" type=\"error\">{text}</error>")?;
        writeln!(out, "    </testcase>")?;
    }
    for entry in &digest.entries {
        let time = entry.time_s.map(|s| format!(" time=\"{s:.3}\"")).unwrap_or_default();
        let name = xml(&entry.name);
        write!(out, "    <testcase name=\"{name}\" classname=\"{file}\"{time}")?;
        let element = match entry.word {
            Word::Holds => {
                writeln!(out, "/>")?;
                continue;
            }
            Word::Violated => "failure",
            Word::Unknown => "error",
        };
        let (message, word) = (xml(&entry.message), entry.word.word());
        writeln!(
            out,
            ">\n      <{element} message=\"{message}\" type=\"{word}\">{}</{element}>",
            xml(&told(entry))
        )?;
        writeln!(out, "    </testcase>")?;
    }
    writeln!(out, "  </testsuite>\n</testsuites>")
}

/// The answer with its run, one step on a line.
fn told(entry: &Entry) -> String {
    let mut text = entry.message.clone();
    if let Some(hint) = &entry.hint {
        let _ = write!(text, "\ntry: {hint}");
    }
    for moment in &entry.flow {
        let place = moment.place.as_ref();
        let place = place.map(|at| format!("{}:{}: ", at.file, at.start.0)).unwrap_or_default();
        let values = moment.values.iter().map(|(name, value)| format!(" {name} = {value}"));
        let _ = write!(text, "\n{place}{}{}", moment.text, values.collect::<Vec<_>>().join(","));
    }
    text
}

/// Text as XML takes it. Characters that XML 1.0 does not have are replaced.
fn xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(character),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => {
                out.push(char::REPLACEMENT_CHARACTER);
            }
            c => out.push(c),
        }
    }
    out
}
