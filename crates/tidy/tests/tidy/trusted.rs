//! What must be trusted: the table in `SOUNDNESS.md` against the files of the checker, and who may
//! knock at its door.

use std::fs;

use crate::assert_none;
use crate::tree::{File, files, root};

/// The names in backquotes of a cell.
fn names(cell: &str) -> Vec<&str> {
    cell.split('`').skip(1).step_by(2).collect()
}

#[test]
fn the_table_of_claims_counts_the_lines_of_the_checker() {
    let text = fs::read_to_string(root().join("SOUNDNESS.md")).expect("SOUNDNESS.md");
    let folder = root().join("crates/certify/src");
    let mut violations = Vec::new();
    let mut listed = Vec::new();
    for row in text.lines().filter(|line| line.starts_with("| ")) {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let Some(count) = cells.get(4).and_then(|cell| cell.parse::<usize>().ok()) else {
            continue;
        };
        let files = names(cells[3]);
        let lines = |file: &&str| {
            fs::read_to_string(folder.join(file)).map_or(0, |text| text.lines().count())
        };
        let sum: usize = files.iter().map(lines).sum();
        if sum != count {
            violations.push(format!("`{}`: {count} lines are said, {sum} are there", cells[1]));
        }
        listed.extend(files.into_iter().map(str::to_owned));
    }
    assert!(listed.len() > 8, "the table is there");
    let all = fs::read_dir(&folder).expect("a folder").flatten();
    for entry in all.filter(|entry| entry.path().is_file()) {
        let name = entry.file_name().to_string_lossy().into_owned();
        if !["lib.rs", "claim.rs"].contains(&&*name) && !listed.contains(&name) {
            violations.push(format!("`{name}` is in no row"));
        }
    }
    assert_none("the table of claims in SOUNDNESS.md", violations);
}

/// Only one file of the tool hands evidence to the checker.
#[test]
fn there_is_one_door_and_one_way_to_it() {
    let mut violations = Vec::new();
    for File { path, text } in files() {
        let is_code = path.starts_with("crates/") && path.ends_with(".rs");
        let is_free = path.contains("/tests") || path.starts_with("crates/certify/");
        if !is_code || is_free || path == "crates/parallax/src/accept.rs" {
            continue;
        }
        for name in ["check(", "replay(", "judge(", "check_conformance", "check_refutation"] {
            if text.contains(&format!("parallax_certify::{name}")) {
                violations.push(format!("{path}: `{name}`"));
            }
        }
        for line in text.lines().filter(|line| line.contains("use parallax_certify::")) {
            if line.trim() != "use parallax_certify::Claim;" {
                violations.push(format!("{path}: {}", line.trim()));
            }
        }
    }
    assert_none("ways around the door of the checker", violations);
}
