//! Random procedures against random specifications, whose truth is known: see
//! `parallax_generate::procedure`.

mod support;

use parallax_conformance::{Config, Outcome};
use parallax_evidence::ConformanceEvidence;
use parallax_generate::procedure::task;
use support::Bench;

/// Procedures that are tried.
const TRIES: u64 = 120;

#[test]
fn random_procedures_are_answered_truly() {
    let (mut conform, mut differ, mut branching) = (0, 0, 0);
    for seed in 0..TRIES {
        let task = task(seed);
        let mut bench = Bench::new(&format!("random-{seed}"), &task.program, &task.system);
        let (outcome, _) = bench.target(0, &Config::default());
        let shown = || format!("seed {seed}: {}\n{}\n{outcome:?}", task.program, task.system);
        match &outcome {
            Outcome::Decided(ConformanceEvidence::Conforms(_)) => {
                assert!(task.conforms, "{}", shown());
                conform += 1;
            }
            Outcome::Decided(ConformanceEvidence::Differs(found)) => {
                assert!(!task.conforms, "{}", shown());
                differ += 1;
                branching += usize::from(found.runs.len() > 1);
            }
            Outcome::Unknown(_) => panic!("{}", shown()),
        }
    }
    println!("{conform} conform, {differ} differ, {branching} of them by several paths");
    assert!(conform > 30 && differ > 30 && branching > 3, "{conform}, {differ}, {branching}");
}
