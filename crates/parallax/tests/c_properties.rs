//! The verdict on a property of a C program does not depend on what else is asked.
//!
//! Every program of the corpus is asked for each property alone and for all of
//! them together. What goes to the engines must be the same, term for term, and
//! so must what comes out of a short search.

use parallax::{
    Answer, Budget, COptions, Check, Checked, EngineChoice, EngineConfig, Finding, LoadOptions,
    Task, Verdict, Why, load_files,
};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// Everything that is answered and needs no name.
const ASKED: [&str; 3] = ["all", "valid-memtrack", "valid-memcleanup"];

/// Time for one property.
const EACH: Duration = Duration::from_millis(80);

/// Time for one property whose answers differ: what was open may only have been
/// slow, whatever it gave as its reason.
const AGAIN: Duration = Duration::from_secs(4);

fn programs() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/c");
    let (mut open, mut files) = (vec![root], Vec::new());
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder).expect("the folder is there") {
            let path = entry.expect("an entry can be read").path();
            if path.is_dir() { open.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    files
}

fn load(path: &Path, properties: &[&str]) -> Task {
    let properties = properties.iter().map(|p| (*p).to_owned()).collect();
    let c = COptions { properties, ..COptions::default() };
    load_files(&[path.to_owned()], &LoadOptions { c, ..LoadOptions::default() })
        .expect("a C program")
}

fn check(task: &Task, each: Duration) -> Checked {
    let time = each * task.program.properties.len() as u32;
    Check::new(task)
        .engine(EngineChoice::Only("bmc".into()), EngineConfig::default())
        .budget(Budget::new(Some(time), None))
        .doubt(false)
        .run()
        .expect("an answer, if only an open one")
}

/// The verdict; an open question is told apart by whether time was short.
fn verdict(task: &Task, answer: &Answer) -> &'static str {
    match (answer.verdict(task), &answer.outcome.finding) {
        (Verdict::Unknown, Finding::Unknown(Why::Unsupported { .. })) => "not covered",
        (Verdict::Unknown, Finding::Unknown(Why::Stopped(_))) => "out of time",
        (verdict, _) => verdict.word(),
    }
}

/// The program over terms: stores that were made in the same way give the same
/// numbers to the same terms.
fn shape(task: &Task) -> String {
    let program = &task.program;
    format!("{:?}", (&program.variables, &program.processes, &program.init, &program.properties))
}

/// What is different if everything is asked at once.
fn compare(path: &Path) -> Vec<String> {
    let mut wrong = Vec::new();
    let together = load(path, &ASKED);
    let all = check(&together, EACH);
    for answer in &all.answers {
        let name = &together.program.properties[answer.property].name;
        let alone = load(path, &[name]);
        let part = &together.parts[answer.property.index()];
        let say = |what: &str| format!("{}, {name}: {what}", path.display());
        if shape(part) != shape(&alone) {
            wrong.push(say("another program over terms"));
        }
        let (mut one, mut other) = (only(&alone, EACH), verdict(&together, answer));
        if differ(one, other) {
            one = only(&alone, AGAIN);
        }
        if differ(one, other) && is_open(other) {
            let again = check(&together, AGAIN);
            let same = again.answers.iter().find(|a| a.property == answer.property);
            other = verdict(&together, same.expect("the same properties are asked"));
        }
        if differ(one, other) {
            wrong.push(say(&format!("alone {one}, with others {other}")));
        }
    }
    wrong
}

/// The verdict on the only property.
fn only(task: &Task, each: Duration) -> &'static str {
    verdict(task, &check(task, each).answers[0])
}

/// Whether two verdicts cannot both be right; too little time excuses all.
fn differ(one: &str, other: &str) -> bool {
    one != other && one != "out of time" && other != "out of time"
}

fn is_open(verdict: &str) -> bool {
    !matches!(verdict, "holds" | "violated")
}

#[test]
fn a_verdict_does_not_depend_on_what_else_is_asked() {
    let programs = programs();
    let (next, wrong) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(path) = programs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let found = compare(path);
                    wrong.lock().expect("no thread panics here").extend(found);
                }
            });
        }
    });
    let mut wrong = wrong.into_inner().expect("no thread panics here");
    wrong.sort();
    assert!(wrong.is_empty(), "{} differences:\n  {}\n", wrong.len(), wrong.join("\n  "));
}
