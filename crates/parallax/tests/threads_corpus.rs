//! Programs with threads whose answers are known: `corpus/threads.tsv`.
//!
//! A row names a program, its macros, a property, what is true, and the engines that must
//! find it. What is said passes `certify`, as always; what is violated is repeated by the
//! interpreter on the program as written.

use parallax::{
    Budget, COptions, Check, EngineChoice, EngineConfig, LoadOptions, Verdict, load_files,
};
use std::path::Path;
use std::time::Duration;

/// Time for each question: ample, since machines differ.
const TIME: Duration = Duration::from_secs(120);

#[test]
fn programs_with_threads_are_answered_truly() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
    let table = std::fs::read_to_string(root.join("threads.tsv")).expect("the table");
    let mut failures = Vec::new();
    for row in table.lines().skip(1) {
        let cells: Vec<&str> = row.split('\t').collect();
        let [file, defines, property, truth, engines] = cells[..] else {
            failures.push(format!("five cells are wanted: {row}"));
            continue;
        };
        let c = COptions {
            properties: vec![property.to_owned()],
            defines: defines.split_whitespace().map(str::to_owned).collect(),
            ..COptions::default()
        };
        let options = LoadOptions { c, ..LoadOptions::default() };
        let path = root.join("threads").join(file);
        let task = load_files(&[path], &options).expect("a C program");
        for engine in engines.split(", ") {
            let choice = match engine {
                "auto" => EngineChoice::Auto,
                _ => EngineChoice::Only(engine.into()),
            };
            let checked = Check::new(&task)
                .engine(choice, EngineConfig::default())
                .budget(Budget::new(Some(TIME), None))
                .run()
                .expect("an answer");
            let answer = &checked.answers[0];
            let found = answer.verdict(&task);
            let expected = match truth {
                "holds" => Verdict::Holds,
                _ => Verdict::Violated,
            };
            if found != expected {
                let finding = format!("{:?}", answer.outcome.finding);
                let finding: String = finding.chars().take(200).collect();
                failures.push(format!("{row}: {engine} says {found:?}: {finding}"));
            }
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}
