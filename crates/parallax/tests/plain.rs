//! Proofs that trust no pass over the program: they are found, written down,
//! and checked on the plain program; the others name what they trust.

use parallax::{
    Budget, COptions, Check, Checkers, LoadOptions, Passes, SolverConfig, Verdict, certify_files,
    load_files, save_evidence,
};
use std::path::PathBuf;

/// Slicing, folding, dead code and ranges all have something to do.
const SUM: &str = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
int seen[10];
int main(void) {
  int n = __VERIFIER_nondet_int(), i = 0, s = 0, seven = 7;
  if (n < 0 || n > 1000) return 0;
  while (i < n) { seen[i % 10] = i; s += 2; i++; }
  if (s != 2 * i || seven != 7) reach_error();
  return 0;
}
";

fn file(name: &str, text: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("plain");
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join(name);
    std::fs::write(&path, text).expect("a file");
    path
}

/// What a checked file says about its one property: verdict and what is trusted.
fn certified(path: &PathBuf, evidence: &[u8]) -> Result<(Verdict, usize), String> {
    let saved = file("evidence.json", "");
    std::fs::write(&saved, evidence).expect("a file");
    let checkers = Checkers::new(SolverConfig::default());
    let files = std::slice::from_ref(path);
    let budget = Budget::unlimited();
    certify_files(files, &LoadOptions::default(), &saved, &checkers, &budget)
        .map(|(task, checked)| {
            let trusts = checked.answers.iter().map(|answer| answer.trusts(&task).len()).sum();
            (checked.verdict(&task), trusts)
        })
        .map_err(|e| e.to_string())
}

#[test]
fn a_proof_with_passes_names_them() {
    let path = file("sum.c", SUM);
    let task = load_files(&[path], &LoadOptions::default()).expect("a program");
    let mut checked = Check::new(&task).run().expect("a check");
    assert_eq!(checked.verdict(&task), Verdict::Holds);
    // Whether there is a second proof depends on the time.
    let answer = std::sync::Arc::make_mut(&mut checked.answers[0]);
    answer.plain = None;
    let trusts = answer.trusts(&task);
    for pass in ["constant folding", "dead code", "slicing"] {
        assert!(trusts.contains(&pass), "{trusts:?}");
    }
}

#[test]
fn a_plain_proof_is_checked_on_the_plain_program() {
    let path = file("plain.c", SUM);
    let c = COptions { passes: Passes::Plain, ..COptions::default() };
    let options = LoadOptions { c, ..LoadOptions::default() };
    let plain = load_files(std::slice::from_ref(&path), &options).expect("a program");
    let proof = Check::new(&plain).run().expect("a check");
    assert_eq!(proof.verdict(&plain), Verdict::Holds);
    assert!(proof.answers[0].trusts(&plain).is_empty());
    let mut own = Vec::new();
    save_evidence(&plain, &proof, &mut own).expect("evidence");
    assert_eq!(certified(&path, &own), Ok((Verdict::Holds, 0)));

    // The same as a second proof beside one with passes.
    let files = std::slice::from_ref(&path);
    let task = load_files(files, &LoadOptions::default()).expect("a program");
    let mut checked = Check::new(&task).run().expect("a check");
    let mut second = (*proof.answers[0]).clone();
    second.task = Some(std::sync::Arc::new(plain.clone()));
    std::sync::Arc::make_mut(&mut checked.answers[0]).plain = Some(second.into());
    let mut evidence = Vec::new();
    save_evidence(&task, &checked, &mut evidence).expect("evidence");
    assert_eq!(certified(&path, &evidence), Ok((Verdict::Holds, 0)));

    // A proof of one program is none of the other.
    let text = String::from_utf8(evidence).expect("text");
    assert!(text.contains("\"passes\":\"none\""), "{text}");
    let other = text.replace("\"passes\":\"none\",", "");
    assert!(!matches!(certified(&path, other.as_bytes()), Ok((Verdict::Holds, _))));
    let unknown = text.replace("\"passes\":\"none\"", "\"passes\":\"some\"");
    assert!(certified(&path, unknown.as_bytes()).is_err());
    let wrong = text.replacen("(<= ", "(>= ", 1);
    assert_ne!(wrong, text);
    assert!(!matches!(certified(&path, wrong.as_bytes()), Ok((Verdict::Holds, _))));
}
