//! Formulas that are invariants, on models with infinitely many states.

use parallax::{
    Budget, Check, Checkers, LoadOptions, SolverConfig, Verdict, certify_files, load_files,
    save_evidence,
};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

const MODEL: &str = "var x: int = 0;
process P {
  location loop, error;
  up: loop -> loop do x := x + 2;
  fail: loop -> error when x == 7;
}
";

/// A file that no other test writes.
fn file(name: &str, text: &[u8]) -> PathBuf {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed).to_string();
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("always").join(number);
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join(name);
    std::fs::write(&path, text).expect("a file");
    path
}

/// What a check says about a formula, and the evidence it leaves.
fn checked(formula: &str) -> (Verdict, Vec<u8>) {
    let path = file("model.plx", MODEL.as_bytes());
    let options = LoadOptions { formulas: vec![formula.to_owned()], ..LoadOptions::default() };
    let task = load_files(&[path], &options).expect("a model");
    let budget = Budget::new(Some(std::time::Duration::from_secs(60)), None);
    let checked = Check::new(&task).budget(budget).run().expect("a check");
    let mut evidence = Vec::new();
    save_evidence(&task, &checked, &mut evidence).expect("evidence");
    (checked.verdict(&task), evidence)
}

fn certified(formula: &str, evidence: &[u8]) -> Option<Verdict> {
    let path = file("again.plx", MODEL.as_bytes());
    let saved = file("evidence.json", evidence);
    let options = LoadOptions { formulas: vec![formula.to_owned()], ..LoadOptions::default() };
    let checkers = Checkers::new(SolverConfig::default());
    let budget = Budget::unlimited();
    let found = certify_files(&[path], &options, &saved, &checkers, &budget);
    found.ok().map(|(task, checked)| checked.verdict(&task))
}

#[test]
fn formulas_about_all_times_are_invariants() {
    for (formula, truth) in [
        ("[] !P@error", Verdict::Holds),
        ("[] x >= 0 && [] (P@loop || x == 7)", Verdict::Holds),
        ("[] x <= 10", Verdict::Violated),
        // These are not; terms fall along all runs, or a run that breaks it never leaves a
        // region.
        ("[] <> P@loop", Verdict::Holds),
        ("<> x > 3", Verdict::Holds),
        ("<> x < 0", Verdict::Violated),
    ] {
        let (verdict, evidence) = checked(formula);
        assert_eq!(verdict, truth, "{formula}");
        assert_eq!(certified(formula, &evidence), Some(truth), "{formula}");
    }
}

#[test]
fn evidence_for_another_formula_is_none() {
    let (_, evidence) = checked("[] !P@error");
    let text = String::from_utf8(evidence).expect("text");
    assert!(text.contains("\"formula\":\"invariant\""), "{text}");
    let damaged = [
        text.replace("\"formula\":\"invariant\",", ""),
        text.replace("\"formula\":\"invariant\"", "\"formula\":\"fair\""),
        text.replace("\"formula\":\"invariant\"", "\"passes\":\"none\""),
        text.replace("(mod x 2)", "(mod x 3)"),
    ];
    for other in damaged {
        assert_ne!(other, text);
        assert_ne!(certified("[] !P@error", other.as_bytes()), Some(Verdict::Holds));
    }
    // A formula that is no invariant is not proved by one.
    let other = text.replace("[] !P@error", "<> !P@error");
    assert_ne!(certified("<> !P@error", other.as_bytes()), Some(Verdict::Holds));
}
