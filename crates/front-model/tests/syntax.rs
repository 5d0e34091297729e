//! Parser and formatter on files of cases and on the sample models.

mod support;

use parallax_base::{SourceFile, SourceMap};
use parallax_front_model::{format, parse};
use support::{check_cases, models, show, tree};

fn diagnostics(text: &str) -> String {
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new("m", text));
    let (_, found) = parse(file, text);
    show(&sources, found.iter())
}

/// The tree of a text that parses.
fn tree(text: &str) -> String {
    let (model, found) = parse(parallax_base::FileId(0), text);
    assert!(!found.has_errors(), "{}\n{text}", diagnostics(text));
    tree::model(&model)
}

#[test]
fn syntax_errors() {
    check_cases("syntax.txt", diagnostics);
}

#[test]
fn trees() {
    check_cases("trees.txt", tree);
}

#[test]
fn layout() {
    check_cases("format.txt", |text| {
        let once = format(text).unwrap_or_else(|_| diagnostics(text));
        assert_eq!(format(&once).unwrap_or_default(), once, "formatting again changes nothing");
        assert_eq!(tree(&once), tree(text));
        once
    });
}

#[test]
fn the_models_are_laid_out_canonically() {
    for (name, text) in models() {
        assert_eq!(format(&text).ok().as_ref(), Some(&text), "{name}");
    }
}
