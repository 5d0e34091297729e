//! What the tests share: files of cases, diagnostics as text, trees as text.
//!
//! A file of cases holds inputs with what is expected of them:
//! ```text
//! ### name of the case
//! the input
//! ---
//! the expected output
//! ```
//! `UPDATE=1 cargo test` writes the present output into the files.

#![allow(dead_code, reason = "every test binary uses its own part")]

pub(crate) mod dump;
pub(crate) mod random;
pub(crate) mod reference;
pub(crate) mod tree;
pub(crate) mod typed;

use parallax_base::{Diagnostic, Severity, SourceMap};
use std::fmt::Write;
use std::path::PathBuf;

fn data(file: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests").join(file)
}

/// Runs every case of a file through `run` and compares.
pub(crate) fn check_cases(file: &str, run: impl Fn(&str) -> String) {
    let path = data(&format!("data/{file}"));
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

/// The sample models: name and text.
pub(crate) fn models() -> Vec<(String, String)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(data("models")).expect("the models are there") {
        let path = entry.expect("an entry can be read").path();
        let name = path.file_name().expect("a file has a name").to_string_lossy().into_owned();
        found.push((name, std::fs::read_to_string(&path).expect("a model can be read")));
    }
    found.sort();
    found
}

/// Diagnostics, one per paragraph: code, place and message, then labels and help.
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
        let first = &diagnostic.labels[0];
        let at = sources.place(first.span);
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
