//! Which crate may depend on which: the table of the architecture, compared with what cargo reads
//! from the manifests, and with the code map of `ARCHITECTURE.md`.
//!
//! To add a crate: add its row here and its section to the code map. To add an arrow: add it to the
//! row; the table itself must point downwards, so an arrow that goes up or sideways cannot be added.

use std::collections::BTreeSet;
use std::process::Command;

use serde_json::Value;

use crate::assert_none;
use crate::tree::{File, files, root};

/// One crate: its folder under `crates/`, its layer, and all crates it may depend on directly.
struct Row {
    folder: &'static str,
    layer: u8,
    may_use: &'static [&'static str],
}

const fn row(folder: &'static str, layer: u8, may_use: &'static [&'static str]) -> Row {
    Row { folder, layer, may_use }
}

/// The layers. `certify` uses no domain and no engine; front ends and `report` use no solver; engine
/// crates do not use each other; the command line reaches engines only through the façade.
const LAYERS: &[Row] = &[
    row("base", 0, &[]),
    row("child", 0, &[]),
    row("generate", 0, &[]),
    row("term", 1, &[]),
    row("cfa", 2, &["base", "ltl"]),
    row("search", 1, &["base"]),
    row("ltl", 1, &["base"]),
    row("lts", 1, &["base"]),
    row("front-fsp", 2, &["base", "lts", "ltl"]),
    row("simulate", 2, &["base", "lts"]),
    row("front-c", 3, &["base", "cfa", "child"]),
    row("transform", 3, &["base", "cfa"]),
    row("testgen-derive", 0, &[]),
    row("testgen", 1, &["testgen-derive"]),
    row("machine", 3, &["base", "cfa"]),
    row("containers", 5, &["base", "cfa", "machine"]),
    row("suite", 6, &["base", "child", "cfa", "machine", "containers"]),
    row("solver", 2, &["base", "term", "child"]),
    row("horn", 2, &["base", "term"]),
    row("simplex", 2, &["base", "term"]),
    row("ir", 2, &["base", "term", "ltl"]),
    row("interpolate", 3, &["base", "term", "solver", "search", "simplex"]),
    row("lra", 4, &["base", "term", "evidence", "search", "simplex"]),
    row("buchi", 2, &["base", "ltl"]),
    row("encode", 4, &["base", "term", "ir", "cfa", "transform"]),
    row("evidence", 3, &["base", "term", "ir", "lts", "ltl"]),
    row("certify", 4, &["base", "term", "ltl", "cfa", "ir", "evidence", "solver", "lts"]),
    row("diagrams", 4, &["base", "lts", "evidence"]),
    row("fluents", 4, &["base", "ltl", "lts", "evidence"]),
    row("contract", 5, &["base", "term", "ir", "cfa", "transform", "encode", "solver"]),
    row("domain", 4, &["base", "term", "ir", "solver"]),
    row("front-model", 4, &["base", "term", "ltl", "ir"]),
    row("front-smt", 4, &["base", "term", "ir"]),
    row("front-horn", 4, &["base", "term", "ir", "horn"]),
    row(
        "front-magic",
        5,
        &["base", "term", "ir", "cfa", "lts", "front-c", "front-fsp", "transform", "encode"],
    ),
    row("optimize", 5, &["base", "term", "ir", "evidence", "solver", "domain", "simplex", "lra"]),
    row("engine", 5, &["base", "term", "ir", "evidence", "solver", "domain"]),
    row("report", 5, &["base", "term", "ltl", "lts", "simulate", "buchi", "cfa", "ir", "evidence"]),
    row("invariant", 6, &["base", "term", "ir", "evidence", "solver", "domain", "optimize"]),
    row(
        "task",
        6,
        &[
            "base",
            "child",
            "term",
            "ltl",
            "ir",
            "cfa",
            "front-c",
            "front-model",
            "front-horn",
            "transform",
            "encode",
            "evidence",
            "report",
        ],
    ),
    row(
        "engine-ltl",
        7,
        &["base", "term", "ltl", "buchi", "ir", "evidence", "solver", "invariant", "engine"],
    ),
    row(
        "engine-abs",
        7,
        &[
            "base",
            "term",
            "ir",
            "evidence",
            "solver",
            "interpolate",
            "domain",
            "optimize",
            "invariant",
            "engine",
        ],
    ),
    row(
        "conformance",
        7,
        &["base", "term", "ir", "lts", "simulate", "solver", "interpolate", "evidence", "domain"],
    ),
    row(
        "engine-horn",
        7,
        &["base", "term", "ir", "horn", "evidence", "solver", "domain", "invariant", "engine"],
    ),
    row(
        "engine-path",
        7,
        &["base", "term", "ir", "evidence", "solver", "domain", "invariant", "engine"],
    ),
    row(
        "parallax",
        8,
        &[
            "base",
            "task",
            "term",
            "ltl",
            "lts",
            "simulate",
            "diagrams",
            "front-fsp",
            "front-magic",
            "conformance",
            "buchi",
            "cfa",
            "front-c",
            "transform",
            "encode",
            "ir",
            "evidence",
            "solver",
            "certify",
            "contract",
            "front-smt",
            "optimize",
            "engine",
            "engine-path",
            "fluents",
            "engine-ltl",
            "engine-abs",
            "engine-horn",
            "invariant",
            "containers",
            "suite",
            "report",
        ],
    ),
    row("lsp", 6, &["child", "report"]),
    row("cli", 9, &["base", "term", "ir", "parallax", "lsp"]),
    row("bench", 10, &["generate"]),
    row("tidy", 10, &[]),
];

/// The only crate that may link the solver library.
const Z3_OWNER: &str = "solver";

/// A dependency as the manifest states it.
struct Arrow {
    from: String,
    /// The folder of a crate of ours, or the package name of another.
    to: String,
    /// What code calls it.
    name: String,
    ours: bool,
    for_tests: bool,
}

/// The manifests as cargo reads them.
fn metadata() -> Value {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--format-version", "1", "--offline"])
        .current_dir(root())
        .output()
        .expect("cargo metadata runs");
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "cargo metadata failed: {error}");
    serde_json::from_slice(&output.stdout).expect("cargo metadata prints JSON")
}

fn packages(metadata: &Value) -> &[Value] {
    metadata["packages"].as_array().expect("a list of packages")
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a string")
}

/// The folder of a package of ours: `parallax-<folder>`, or `parallax` for the façade.
fn folder(package: &str) -> &str {
    package.strip_prefix("parallax-").unwrap_or(package)
}

fn arrows(metadata: &Value) -> Vec<Arrow> {
    let mut arrows = Vec::new();
    for package in packages(metadata) {
        for dependency in package["dependencies"].as_array().expect("a list of dependencies") {
            let name = text(&dependency["name"]);
            let ours = dependency["path"].is_string();
            let called = dependency["rename"].as_str().unwrap_or(name);
            arrows.push(Arrow {
                from: folder(text(&package["name"])).to_owned(),
                to: if ours { folder(name).to_owned() } else { name.to_owned() },
                name: called.replace('-', "_"),
                ours,
                for_tests: dependency["kind"] == "dev",
            });
        }
    }
    arrows
}

/// What is wrong with an arrow, if anything. Tests may use any crate that is not on a higher layer.
fn objection(arrow: &Arrow) -> Option<String> {
    let Arrow { from, to, .. } = arrow;
    if !arrow.ours {
        let is_z3 = to == "z3" || to.starts_with("z3-");
        return (is_z3 && from != Z3_OWNER)
            .then(|| format!("{from} -> {to}: only {Z3_OWNER} may link the solver library"));
    }
    let engine = |name: &str| name.starts_with("engine-");
    if engine(from) && engine(to) {
        return Some(format!("{from} -> {to}: engine crates do not use each other"));
    }
    let find = |name: &str| LAYERS.iter().find(|row| row.folder == name);
    let (Some(source), Some(target)) = (find(from), find(to)) else {
        return Some(format!("{from} -> {to}: not in the table of layers"));
    };
    let allowed = if arrow.for_tests {
        target.layer <= source.layer
    } else {
        source.may_use.contains(&target.folder)
    };
    (!allowed).then(|| format!("{from} -> {to}: the table of layers has no such arrow"))
}

#[test]
fn dependencies_follow_the_table() {
    let objections = arrows(&metadata()).iter().filter_map(objection).collect();
    assert_none("dependency arrows between crates", objections);
}

/// Whether a line of code, comments aside, has the name of a crate in it.
fn names(code: &str, name: &str) -> bool {
    let word = |c: char| c.is_alphanumeric() || c == '_';
    let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    lines.into_iter().any(|line| line.split(|c| !word(c)).any(|found| found == name))
}

#[test]
fn arrows_are_used() {
    let (arrows, files) = (arrows(&metadata()), files());
    let mut violations = Vec::new();
    for row in LAYERS {
        let declared = |to: &str| {
            arrows.iter().any(|a| a.from == row.folder && a.to == to && a.ours && !a.for_tests)
        };
        let idle = row.may_use.iter().filter(|to| !declared(to));
        violations.extend(idle.map(|to| format!("{} -> {to}: in the table alone", row.folder)));
    }
    for arrow in &arrows {
        let home = format!("crates/{}/", arrow.from);
        let source = format!("{home}src/");
        let uses = |file: &File| {
            let place = if arrow.for_tests { &home } else { &source };
            file.path.starts_with(place)
                && file.has_extension("rs")
                && names(&file.text, &arrow.name)
        };
        if !files.iter().any(uses) {
            violations.push(format!("{} -> {}: in the manifest alone", arrow.from, arrow.to));
        }
    }
    assert_none("arrows that nothing uses", violations);
    assert!(names("use parallax_ir::Id;", "parallax_ir"));
    assert!(!names("use parallax_irs;\n// parallax_ir", "parallax_ir"));
}

#[test]
fn headers_name_the_layer_of_the_table() {
    let wrong = files().into_iter().filter_map(|file| {
        let folder = file.path.strip_prefix("crates/")?.strip_suffix("/src/lib.rs")?;
        let said = file.text.strip_prefix("//! Layer ")?.split([':', ',']).next()?.to_owned();
        let row = LAYERS.iter().find(|row| row.folder == folder)?;
        (said != row.layer.to_string()).then(|| format!("{}: {said}, not {}", file.path, row.layer))
    });
    assert_none("layers in headers", wrong.collect());
}

#[test]
fn the_table_points_downwards() {
    let mut violations = Vec::new();
    for row in LAYERS {
        for used in row.may_use {
            if !LAYERS.iter().any(|r| r.folder == *used && r.layer < row.layer) {
                violations.push(format!("{} -> {used}", row.folder));
            }
        }
    }
    assert_none("arrows to the same or a higher layer", violations);
}

#[test]
fn forbidden_arrows_are_noticed() {
    let check = |from: &str, to: &str, ours: bool, for_tests: bool, expected: bool| {
        let (from, to, name) = (from.to_owned(), to.to_owned(), String::new());
        let arrow = Arrow { from, to, name, ours, for_tests };
        assert_eq!(objection(&arrow).is_some(), expected, "{} -> {}", arrow.from, arrow.to);
    };
    check("ir", "term", true, false, false);
    check("term", "ir", true, false, true);
    check("certify", "domain", true, false, true);
    check("certify", "engine", true, true, true);
    check("engine-path", "certify", true, true, false);
    check("engine-path", "engine-abs", true, true, true);
    check("front-model", "solver", true, false, true);
    check("engine", "z3", false, false, true);
    check("engine", "z3-sys", false, true, true);
    check("solver", "z3", false, false, false);
    check("cli", "engine-path", true, false, true);
    check("base", "nowhere", true, false, true);
}

#[test]
fn crates_have_the_names_and_lints_of_the_house() {
    let metadata = metadata();
    let mut violations = Vec::new();
    for package in packages(&metadata) {
        let name = text(&package["name"]);
        let manifest = text(&package["manifest_path"]).replace('\\', "/");
        if !manifest.ends_with(&format!("/crates/{}/Cargo.toml", folder(name))) {
            violations.push(format!("{name}: the folder should have the name of the package"));
        }
        let content = std::fs::read_to_string(&manifest).expect("a readable manifest");
        if !content.contains("[lints]\nworkspace = true") {
            violations.push(format!("{name}: does not take the lints of the workspace"));
        }
    }
    assert_none("crate manifests", violations);
}

#[test]
fn table_and_code_map_list_exactly_the_crates() {
    let metadata = metadata();
    let crates: BTreeSet<&str> =
        packages(&metadata).iter().map(|package| folder(text(&package["name"]))).collect();
    let table: BTreeSet<&str> = LAYERS.iter().map(|row| row.folder).collect();
    assert_eq!(table, crates, "the table of layers (left) and the crates (right)");

    let architecture = std::fs::read_to_string(root().join("ARCHITECTURE.md"))
        .expect("ARCHITECTURE.md is readable");
    let mapped: Vec<&str> = architecture
        .lines()
        .filter_map(|line| line.strip_prefix("### `crates/")?.strip_suffix('`'))
        .collect();
    let unique: BTreeSet<&str> = mapped.iter().copied().collect();
    assert_eq!(unique, crates, "the code map of ARCHITECTURE.md (left) and the crates (right)");
    assert_eq!(unique.len(), mapped.len(), "a crate has two sections in the code map");
}

#[test]
fn engine_crates_and_no_others_have_engines() {
    let implements = |file: &File| {
        let code = file.text.lines().map(str::trim_start);
        code.filter(|line| line.starts_with("impl")).any(|line| line.contains(" Engine for "))
    };
    let files = files();
    let mut violations = Vec::new();
    for row in LAYERS {
        let home = format!("crates/{}/src/", row.folder);
        let has = files.iter().any(|file| {
            let tests = file.path.ends_with("tests.rs");
            file.path.starts_with(&home) && !tests && implements(file)
        });
        if has != row.folder.starts_with("engine-") {
            violations.push(format!("{}: {}", row.folder, if has { "an engine" } else { "none" }));
        }
    }
    assert_none("crates with engines are called so", violations);
}
