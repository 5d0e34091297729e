//! A short slice of the campaign: a few inputs of each kind, all answered truly.

use std::path::Path;
use std::process::Command;

/// Inputs of each kind.
const INPUTS: usize = 5;

#[test]
fn the_first_inputs_of_each_kind_are_answered_truly() {
    let fuzz = Path::new(env!("CARGO_BIN_EXE_fuzz"));
    let parallax = fuzz.with_file_name("parallax");
    assert!(parallax.is_file(), "run `cargo build --workspace --bin parallax` before");
    let z3 = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../third_party/z3/lib");
    let keep = std::env::temp_dir().join(format!("parallax-slice-{}", std::process::id()));
    let done = Command::new(fuzz)
        .args(["--inputs", &INPUTS.to_string(), "--for", "600", "--seed", "1", "--time", "2"])
        .arg("--parallax")
        .arg(&parallax)
        .arg("--keep")
        .arg(&keep)
        .env("LD_LIBRARY_PATH", z3)
        .output()
        .expect("the campaign runs");
    let text = String::from_utf8_lossy(&done.stdout);
    let error = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{text}{error}");
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split('\t').collect()).collect();
    let kinds: Vec<&str> = rows[1..rows.len() - 1].iter().map(|row| row[0]).collect();
    assert_eq!(kinds, ["c", "model", "lts", "magic", "optimize", "testgen"], "{text}");
    for row in &rows[1..rows.len() - 1] {
        // A model that cannot be listed does not count.
        let number = |column: usize| row[column].parse::<usize>().expect("a number");
        assert!(number(1) + 1 >= INPUTS && number(4) > 0 && number(5) == 0, "{text}");
    }
}
