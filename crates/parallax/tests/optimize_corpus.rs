//! The scripts for optimizing solvers in the corpus, with their known replies.
//!
//! A file has a line `;~ REPLY` for each of its `check-sat`: the status and the
//! values of the objectives, or `front` and the points of the front in order; or
//! one line `;~ refused`.

use parallax::optimize::{Optimize, load_problem};
use parallax::report::OptimaReply;
use std::path::{Path, PathBuf};

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/optimize");
    let all = std::fs::read_dir(folder).expect("the folder is there");
    let mut files: Vec<PathBuf> = all.map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    files
}

/// A reply as annotations have it.
fn line(reply: &OptimaReply) -> String {
    let mut words = vec![reply.status.to_owned()];
    match &reply.front {
        Some(points) => {
            let mut points: Vec<String> = points.iter().map(|point| point.join(" ")).collect();
            points.sort();
            words.push(format!("front {}", points.join(", ")));
        }
        None => words.extend(reply.objectives.iter().map(|objective| objective.value.clone())),
    }
    words.join(" ")
}

#[test]
fn scripts_are_answered_truly() {
    let files = files();
    assert_eq!(files.len(), 13, "the corpus has been lost, or has a new file");
    for path in files {
        let text = std::fs::read_to_string(&path).expect("a text");
        let truth: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix(";~ ")).collect();
        let about = path.display();
        let task = match load_problem(&path) {
            Ok(task) => task,
            Err(_) => {
                assert_eq!(truth, ["refused"], "{about}");
                continue;
            }
        };
        let replies = Optimize::new(&task).run_script().expect("replies").report.replies;
        let found: Vec<String> = replies.iter().map(line).collect();
        assert_eq!(found, truth, "{about}");
        for reply in &replies {
            assert!(reply.is_final() && !reply.checked_by.is_empty(), "{about}: {reply:?}");
        }
    }
}
