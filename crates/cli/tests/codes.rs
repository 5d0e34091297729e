//! Every code of a message is explained on the page of codes, and none else is.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("two folders up").into()
}

/// Words such as `C0123` that stand between two of `around` in a text.
fn codes(text: &str, around: char) -> BTreeSet<String> {
    let is_code = |word: &&str| {
        let digits = word.strip_prefix(['C', 'F', 'P', 'T']);
        digits.is_some_and(|d| d.len() == 4 && d.bytes().all(|b| b.is_ascii_digit()))
    };
    text.split(around).map(str::trim).filter(is_code).map(str::to_owned).collect()
}

/// The codes in the sources of a crate.
fn used(folder: &str) -> BTreeSet<String> {
    let (mut open, mut found) = (vec![root().join(folder)], BTreeSet::new());
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).expect("a readable folder") {
            let path = entry.expect("a readable entry").path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                found.extend(codes(&fs::read_to_string(&path).expect("text"), '"'));
            }
        }
    }
    found
}

#[test]
fn every_code_is_explained() {
    let page = fs::read_to_string(root().join("docs/book/src/c-errors.md")).expect("the page");
    let explained = codes(&page, '|');
    let mut used_codes = used("crates/front-c/src");
    used_codes.extend(used("crates/cli/src"));
    used_codes.extend(used("crates/front-fsp/src"));
    used_codes.extend(used("crates/front-magic/src"));
    used_codes.extend(used("crates/containers/src"));
    used_codes.extend(used("crates/parallax/src"));
    let missing: Vec<_> = used_codes.difference(&explained).collect();
    let stale: Vec<_> = explained.difference(&used_codes).collect();
    assert!(missing.is_empty() && stale.is_empty(), "missing {missing:?}, stale {stale:?}");
}
