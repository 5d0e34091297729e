//! Horn clauses as an input: `corpus/horn`, its truth and who finds it.
//!
//! Lines at the start of a file say what is known: `;~ PROPERTY VERDICT` and
//! `;@ decided-by: ENGINE, ...`. Every engine that is named must find the truth,
//! and nobody may find anything else. Each file is also written as clauses
//! again, which must mean the same.

use parallax::{
    Budget, Check, EngineChoice, EngineConfig, SolverConfig, Task, Verdict, engines, horn_clauses,
    load,
};
use std::path::{Path, PathBuf};
use std::time::Duration;

const MUST: Duration = Duration::from_secs(60);
const MAY: Duration = Duration::from_millis(300);

fn verdict(task: &Task, engine: &str, time: Duration) -> Verdict {
    let check = Check::new(task)
        .engine(EngineChoice::Only(engine.into()), EngineConfig::default())
        .budget(Budget::new(Some(time), None));
    check.run().expect("the check runs").answers[0].verdict(task)
}

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/horn");
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    let mut files: Vec<PathBuf> = entries.map(|e| e.expect("an entry").path()).collect();
    files.sort();
    files
}

#[test]
fn clauses_have_the_truth_that_is_said_of_them() {
    let mut asked = 0;
    for path in files() {
        let text = std::fs::read_to_string(&path).expect("a readable file");
        let said = |prefix: &str| text.lines().find_map(|line| line.strip_prefix(prefix));
        let truth = match said(";~ satisfiable ") {
            Some("holds") => Verdict::Holds,
            Some("violated") => Verdict::Violated,
            other => panic!("{}: {other:?} is no truth", path.display()),
        };
        let named = said(";@ decided-by: ").expect("somebody decides it");
        let named: Vec<&str> = named.split(',').map(str::trim).collect();
        let task = load(&path, &[]).expect("the clauses are right");
        for engine in engines(&EngineConfig::default()) {
            let name = engine.name();
            let must = named.contains(&name);
            if !must && name == "ltl" {
                continue;
            }
            let found = verdict(&task, name, if must { MUST } else { MAY });
            let fits = found == truth || (!must && found == Verdict::Unknown);
            assert!(fits, "{}: {name} says {found}", path.display());
            asked += 1;
        }
        let solver = SolverConfig::default();
        let again = horn_clauses(&task, None, &solver, &Budget::unlimited()).expect("clauses");
        let file = tempfile::Builder::new().suffix(".smt2").tempfile().expect("a file");
        std::fs::write(file.path(), again).expect("it can be written");
        let task = load(file.path(), &[]).expect("what is written can be read");
        assert_eq!(verdict(&task, named[0], MUST), truth, "{} again", path.display());
    }
    assert!(asked >= 20, "the corpus has only {asked} questions");
}
