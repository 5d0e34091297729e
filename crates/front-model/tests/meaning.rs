//! Elaboration on files of cases: programs, errors, warnings.

mod support;

use parallax_base::{SourceFile, SourceMap};
use parallax_front_model::{Loaded, Options, load};
use support::{check_cases, dump, models, show};

/// Loads a model; lines `//-D NAME=VALUE` override constants.
fn loaded(text: &str) -> (SourceMap, Result<Loaded, parallax_base::Diagnostics>) {
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new("m.plx", text));
    let define = |line: &str| {
        let (name, value) = line.strip_prefix("//-D ")?.split_once('=')?;
        Some((name.to_owned(), value.to_owned()))
    };
    let defines = text.lines().filter_map(define).collect();
    let options = Options { defines, ..Options::default() };
    let result = load(&mut sources, file, &options);
    if let Ok(loaded) = &result {
        assert_eq!(loaded.program.validate(), Ok(()), "{text}");
    }
    (sources, result)
}

fn program(text: &str) -> String {
    match loaded(text) {
        (_, Ok(loaded)) => dump::program(&loaded.program),
        (sources, Err(errors)) => show(&sources, errors.iter()),
    }
}

fn messages(text: &str) -> String {
    match loaded(text) {
        (sources, Ok(loaded)) => show(&sources, loaded.warnings.iter()) + "fine\n",
        (sources, Err(errors)) => show(&sources, errors.iter()),
    }
}

#[test]
fn programs() {
    check_cases("programs.txt", program);
}

#[test]
fn names_and_constants() {
    check_cases("names.txt", messages);
}

#[test]
fn types() {
    check_cases("types.txt", messages);
}

#[test]
fn processes_and_updates() {
    check_cases("processes.txt", messages);
}

#[test]
fn warnings() {
    check_cases("warnings.txt", messages);
}

#[test]
fn value_errors() {
    check_cases("values.txt", program);
}

#[test]
fn the_models_load_without_warnings() {
    for (name, text) in models() {
        assert_eq!(messages(&text), "fine\n", "{name}");
    }
}
