//! The page of the book about the language: its examples mean what it says, it
//! knows every diagnostic, and the formatter leaves its models alone.

mod support;

use parallax_base::{SourceFile, SourceMap};
use parallax_front_model::{Options, format, load};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use support::show;

fn here() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn page() -> String {
    let path = here().join("../../docs/book/src/language.md");
    std::fs::read_to_string(path).expect("the page is there")
}

/// The fenced models of the page: what stands behind the fence, and the text.
fn examples(page: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if let Some(info) = line.strip_prefix("```plx") {
            let text: Vec<&str> = lines.by_ref().take_while(|l| *l != "```").collect();
            found.push((info.trim().to_owned(), text.join("\n") + "\n"));
        }
    }
    found
}

#[test]
fn examples_mean_what_the_page_says() {
    for (info, text) in examples(&page()) {
        let mut sources = SourceMap::default();
        let file = sources.add(SourceFile::new("example.plx", text.as_str()));
        let found: Vec<_> = match load(&mut sources, file, &Options::default()) {
            Ok(loaded) => loaded.warnings.iter().cloned().collect(),
            Err(errors) => errors.iter().cloned().collect(),
        };
        let shown = show(&sources, &found);
        match info.strip_prefix("error=") {
            Some(code) => assert!(found.iter().any(|d| d.code == code), "{code}:\n{text}{shown}"),
            None => {
                assert!(found.is_empty(), "{text}{shown}");
                assert_eq!(format(&text).ok(), Some(text), "the layout is canonical");
            }
        }
    }
}

/// All codes in the sources.
fn codes(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            codes(&path, found);
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("a source file");
        for (at, _) in text.match_indices("\"M0") {
            found.insert(text[at + 1..at + 6].to_owned());
        }
    }
}

#[test]
fn every_diagnostic_is_on_the_page() {
    let mut used = BTreeSet::new();
    codes(&here().join("src"), &mut used);
    let page = page();
    let listed: BTreeSet<String> =
        page.lines().filter_map(|l| l.strip_prefix("### M")).map(|c| format!("M{c}")).collect();
    assert_eq!(used, listed);
}
