//! The files of the repository: a walk that needs no version control, so that an unpacked archive
//! can be tested as well as a clone.
//!
//! Invariant: paths are relative to the root, use `/`, and come in sorted order.

use std::fs;
use std::path::{Path, PathBuf};

/// Folders that hold nothing of ours.
const FOREIGN: [&str; 4] = [".git", "node_modules", "target", "third_party"];

/// One text file of the repository.
pub(crate) struct File {
    /// Path relative to the root.
    pub(crate) path: String,
    /// The whole content.
    pub(crate) text: String,
}

impl File {
    pub(crate) fn has_extension(&self, extension: &str) -> bool {
        Path::new(&self.path).extension().is_some_and(|e| e == extension)
    }

    /// Lines with their numbers, counted from one.
    pub(crate) fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        self.text.lines().enumerate().map(|(index, line)| (index + 1, line))
    }
}

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).expect("this crate is in crates/tidy").to_path_buf()
}

/// Paths of all files of the repository.
pub(crate) fn paths() -> Vec<String> {
    let root = root();
    let mut found = Vec::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a readable folder") {
            let entry = entry.expect("a readable entry");
            let kind = entry.file_type().expect("an entry with a type");
            let name = entry.file_name();
            // In a second work tree `.git` is a file.
            if FOREIGN.iter().any(|f| name == *f) {
                continue;
            }
            if kind.is_dir() {
                folders.push(entry.path());
            } else if kind.is_file() {
                let path = entry.path();
                let path = path.strip_prefix(&root).expect("a path under the root");
                found.push(path.to_str().expect("a path in UTF-8").replace('\\', "/"));
            }
        }
    }
    found.sort();
    found
}

/// All text files of the repository; what is not UTF-8 is left out.
pub(crate) fn files() -> Vec<File> {
    let read = |path: String| {
        let bytes = fs::read(root().join(&path)).ok()?;
        let text = String::from_utf8(bytes).ok()?;
        Some(File { path, text })
    };
    paths().into_iter().filter_map(read).collect()
}

#[test]
fn the_walk_finds_this_file_and_no_foreign_one() {
    let paths = paths();
    assert!(paths.iter().any(|p| p == "crates/tidy/tests/tidy/tree.rs"));
    assert!(!paths.iter().any(|p| FOREIGN.iter().any(|f| p.starts_with(&format!("{f}/")))));
}
