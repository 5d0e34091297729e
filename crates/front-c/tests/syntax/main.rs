//! The lexer, the parser and the preprocessor: trees, messages, places, and
//! hostile input.
//!
//! A file of cases holds inputs with what is expected of them:
//! ```text
//! ### name of the case
//! the input
//! ---
//! the expected output
//! ```
//! `UPDATE=1 cargo test` writes the present output into the files.

#![expect(clippy::print_stdout, reason = "notes of a test")]

mod dump;
mod places;
mod robust;

use parallax_base::{Diagnostic, Diagnostics, Severity, SourceFile, SourceMap};
use parallax_front_c::ast::Unit;
use parallax_front_c::{on_large_stack, parse_unit};
use std::fmt::Write;
use std::path::PathBuf;

pub(crate) fn data(file: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/syntax/data").join(file)
}

/// Runs every case of a file through `run` and compares.
fn check_cases(file: &str, run: impl Fn(&str) -> String) {
    let path = data(file);
    let text = std::fs::read_to_string(&path).expect("the file of cases can be read");
    let (mut updated, mut failures) = (String::new(), String::new());
    let (preface, cases) = text.split_once("### ").expect("a file of cases has cases");
    updated.push_str(preface);
    for case in cases.split("\n### ") {
        let (name, body) = case.split_once('\n').expect("a case has a body");
        let (input, expected) = body.split_once("---\n").unwrap_or((body, ""));
        let found = run(input);
        if found.trim_end() != expected.trim_end() {
            let _ =
                writeln!(failures, "### {name}\n{input}--- expected\n{expected}--- found\n{found}");
        }
        let _ = write!(updated, "### {name}\n{input}---\n{}\n\n", found.trim_end());
    }
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, updated.trim_end().to_owned() + "\n")
            .expect("the file can be written");
    } else {
        assert!(failures.is_empty(), "{}:\n{failures}", path.display());
    }
}

/// Parses a text as it is.
pub(crate) fn parse(text: &str) -> (SourceMap, Unit, Diagnostics) {
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new("t.i", text));
    let (unit, found) = on_large_stack(|| parse_unit(&sources, file));
    (sources, unit, found)
}

/// Diagnostics as text: code, place and message, then labels and help.
pub(crate) fn show<'a>(
    sources: &SourceMap,
    all: impl IntoIterator<Item = &'a Diagnostic>,
) -> String {
    let mut out = String::new();
    for diagnostic in all {
        let word = match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        let at = sources.place(diagnostic.labels[0].span);
        let _ = writeln!(out, "{word}[{}] {at}: {}", diagnostic.code, diagnostic.message);
        for (i, label) in diagnostic.labels.iter().enumerate() {
            if i > 0 || !label.text.is_empty() {
                let at = sources.place(label.span);
                let code = sources.snippet(label.span).lines().next().unwrap_or("");
                let _ = writeln!(out, "  {at} `{code}`: {}", label.text);
            }
        }
        if let Some(help) = &diagnostic.help {
            let _ = writeln!(out, "  help: {help}");
        }
    }
    out
}

/// The tree of a text, after the messages about it.
fn tree(text: &str) -> String {
    let (sources, unit, found) = parse(text);
    show(&sources, found.iter()) + &dump::dump(&unit)
}

#[test]
fn expressions() {
    check_cases("expressions.txt", |text| tree(&format!("int v = {};", text.trim())));
}

#[test]
fn declarations() {
    check_cases("declarations.txt", tree);
}

#[test]
fn statements() {
    check_cases("statements.txt", |text| {
        let found = tree(&format!("void f(void) {{\n{text}}}"));
        found.lines().skip(2).map(|line| line.get(4..).unwrap_or(line).to_owned() + "\n").collect()
    });
}

#[test]
fn typedef_names_have_scopes() {
    check_cases("scopes.txt", tree);
}

#[test]
fn messages() {
    check_cases("messages.txt", |text| {
        let (sources, _, found) = parse(text);
        show(&sources, found.iter())
    });
}
