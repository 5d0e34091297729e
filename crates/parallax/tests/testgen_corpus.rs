//! The containers of the corpus, with how long their sequences may be before one
//! fails.
//!
//! A line `//~ LENGTH holds` or `//~ LENGTH violated` says whether a sequence of at
//! most so many operations fails. Every technique is asked; none may report a
//! failure where there is none, and those that lose no state must find it where
//! there is one. What is found is confirmed by an independent run.

use parallax::testgen::suite::Suite;
use parallax::testgen::{Match, TestgenConfig, load_container};
use parallax::{Budget, COptions};
use std::path::{Path, PathBuf};

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/testgen");
    let all = std::fs::read_dir(folder).expect("the folder is there");
    let mut files: Vec<PathBuf> = all.map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    files
}

/// Whether a sequence fails; `None` if the technique does not suit the container.
fn fails(path: &Path, length: u32, matching: Match) -> Option<bool> {
    let files = [path.to_owned()];
    let container = load_container(&files, None, &COptions::default()).expect("a container");
    // A million operations at random add nothing here.
    let config =
        TestgenConfig { length, values: 2, matching, operations: 2_000, ..Default::default() };
    let subject = container.subject(&config).ok()?;
    let found = container.search(&subject, &config, &Budget::unlimited()).expect("a result");
    let failure = found.failure.clone();
    let suite = Suite {
        subject: &subject,
        found: &found,
        config: &config,
        sources: &container.program.sources,
        files: &files,
        defines: &container.defines,
    };
    if let Some(failure) = &failure {
        container.confirm(&suite, failure).expect("another run fails, too");
    }
    Some(failure.is_some())
}

#[test]
fn sequences_fail_where_they_should_and_nowhere_else() {
    let files = files();
    assert_eq!(files.len(), 7, "the corpus has been lost, or has a new file");
    for path in files {
        let text = std::fs::read_to_string(&path).expect("a text");
        for line in text.lines().filter_map(|line| line.strip_prefix("//~ ")) {
            let (length, verdict) = line.split_once(' ').expect("`//~ LENGTH VERDICT`");
            let length = length.parse().expect("a number");
            let truth = match verdict {
                "holds" => false,
                "violated" => true,
                _ => panic!("`{verdict}` is no truth"),
            };
            for matching in Match::ALL {
                let Some(found) = fails(&path, length, matching) else { continue };
                let loses = !matching.is_exhaustive();
                let about = format!("{}, {length}, {}", path.display(), matching.name());
                assert!(found == truth || loses && !found, "{about}: {found}");
            }
        }
    }
}
