//! The system files of the corpus, with their known answers.
//!
//! Every line `//~ PROCEDURE against MACHINE: VERDICT` is a question of the file,
//! and every question has a line. `//? QUESTION: TEXT` says that an assumption of the
//! answer begins so, `//! QUESTION: TEXT` that none does. With one level of abstraction and with two, the
//! answer is that one, and its evidence is accepted again from a file.

use parallax::magic::{MagicConfig, load_magic, write_proofs};
use parallax::{Budget, Checkers};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/magic");
    let all = std::fs::read_dir(folder).expect("the folder is there");
    let mut files: Vec<PathBuf> = all.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "magic"));
    files.sort();
    files
}

/// What is said with a mark about a question.
fn said<'t>(text: &'t str, mark: &'t str, question: &'t str) -> impl Iterator<Item = &'t str> {
    let lines = text.lines().filter_map(move |line| line.strip_prefix(mark)?.split_once(": "));
    lines.filter(move |(name, _)| *name == question).map(|(_, sentence)| sentence)
}

#[test]
fn system_files_are_answered_truly() {
    let files = files();
    assert!(files.len() >= 7, "the corpus has been lost");
    for path in files {
        let text = std::fs::read_to_string(&path).expect("a text");
        let lines = text.lines().filter_map(|line| line.strip_prefix("//~ ")?.rsplit_once(": "));
        let mut truth: BTreeMap<&str, &str> = lines.collect();
        let mut task = load_magic(&path).expect("a system");
        task.check_conditions(&Budget::unlimited()).expect("conditions that fit");
        for question in task.questions() {
            let expected = truth.remove(&*question.name);
            let expected = expected.unwrap_or_else(|| panic!("no truth for `{}`", question.name));
            for two_level in [true, false] {
                let config = MagicConfig { two_level, ..MagicConfig::default() };
                let budget = Budget::unlimited();
                let answer = task.answer(&question, &config, false, &budget).expect("an answer");
                let about = format!("{}: {}", path.display(), question.name);
                let report = answer.report();
                assert_eq!(report.verdict, expected, "{about}");
                for (mark, is_said) in [("//? ", true), ("//! ", false)] {
                    for sentence in said(&text, mark, &question.name) {
                        let found = report.assumes.iter().any(|a| a.starts_with(sentence));
                        assert_eq!(found, is_said, "{about}: {sentence}: {:?}", report.assumes);
                    }
                }
                let file = write_proofs(&[&answer], false).expect("evidence");
                let checkers = Checkers::default();
                let certified = task.certify(&question, &file, &checkers, &budget).expect("read");
                let certified = certified.unwrap_or_else(|why| panic!("{about}: {why}"));
                assert_eq!(certified.verdict, expected, "{about}, from a file");
            }
        }
        assert!(truth.is_empty(), "{}: nobody asks {truth:?}", path.display());
    }
}
