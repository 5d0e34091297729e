//! Searching containers, for tests of what is written about them.

#![allow(dead_code, reason = "each test binary uses a part")]

use parallax_base::{Budget, SourceFile, SourceMap};
use parallax_containers::{Config, Subject, parse_api, resolve, search};
use parallax_front_c as front;
use parallax_suite::Suite;
use std::path::{Path, PathBuf};
use std::process::Command;

pub(crate) fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/containers")
}

/// An empty folder.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// A tool that the test cannot do without; `make setup` sees to it.
pub(crate) fn needs(tool: &str) {
    let there = Command::new(tool).arg("--version").output().is_ok();
    assert!(there, "there is no `{tool}`, which this test needs");
}

/// Searches an example, and hands the suite over.
pub(crate) fn with_suite(
    name: &str,
    defines: &[&str],
    config: &Config,
    check: impl FnOnce(&Suite<'_>),
) {
    let path = examples().join(format!("{name}.c"));
    with_file(&path, defines, config, check);
}

/// Searches a container whose API is beside it, or in it.
pub(crate) fn with_file(
    path: &Path,
    defines: &[&str],
    config: &Config,
    check: impl FnOnce(&Suite<'_>),
) {
    let path = path.to_path_buf();
    let api = path.with_extension("toml");
    let (api, is_c) = if api.exists() { (api, false) } else { (path.clone(), true) };
    let api = std::fs::read_to_string(api).expect("an API");
    let mut sources = SourceMap::default();
    // As the tool does it: tests are sequences, and have one order.
    let mut options = front::Options { explore_orders: false, ..front::Options::default() };
    options.defines.push("PARALLAX_TESTGEN".into());
    options.defines.extend(defines.iter().map(|d| (*d).to_owned()));
    let input = front::Input::file(&path);
    let loaded = front::load(&mut sources, &[input], &options).expect("a program");
    let file = sources.add(SourceFile::new("api.toml", &*api));
    let api = parse_api(file, &api, is_c).and_then(|api| resolve(&api, &loaded.program));
    let api = api.expect("an API that fits");
    let subject =
        Subject::new(&loaded.program, api, config.goal, config.matching).expect("a subject");
    let found = search(&subject, config, &Budget::unlimited()).expect("a search");
    let defines: Vec<String> = defines.iter().map(|d| (*d).to_owned()).collect();
    check(&Suite {
        subject: &subject,
        found: &found,
        config,
        sources: &sources,
        files: &[path],
        defines: &defines,
    });
}
