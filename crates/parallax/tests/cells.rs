//! Proofs about an arbitrary element: what they are, that files carry them, and that
//! damaged ones are rejected.

use parallax::{
    Budget, Check, Checkers, EngineChoice, EngineConfig, Finding, LoadOptions, SolverConfig, Task,
    Verdict, certify_files, load_files, save_evidence,
};
use parallax_base::Id;
use parallax_evidence::{Certificate, Quantified};
use parallax_ir::{Program, Property};
use std::path::PathBuf;
use std::time::Duration;

fn path(name: &str) -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/c/arrays")).join(name)
}

/// A task and what `cells` says of it.
fn checked(name: &str) -> (Task, parallax::Checked) {
    let task = load_files(&[path(name)], &LoadOptions::default()).expect("the program is read");
    let checked = Check::new(&task)
        .engine(EngineChoice::Only("cells".into()), EngineConfig::default())
        .budget(Budget::new(Some(Duration::from_secs(60)), None))
        .run()
        .expect("engines do not fail");
    (task, checked)
}

/// The program of the one property, and what `cells` proves of it.
fn proof(name: &str) -> (Program, Id<Property>, Quantified) {
    let (task, checked) = checked(name);
    let answer = checked.answers.first().expect("one property is asked");
    let (about, property) = answer.about(&task);
    let Finding::Proved(certificate) = &answer.outcome.finding else {
        unreachable!("{name}: {:?}", answer.outcome.finding)
    };
    let Certificate::Quantified(quantified) = &**certificate else {
        unreachable!("{name}: a proof of another kind")
    };
    (about.program.clone(), property, quantified.clone())
}

fn accepts(program: &Program, property: Id<Property>, quantified: &Quantified) -> bool {
    let mut solver = SolverConfig::default().open().expect("Z3 starts");
    let certificate = Certificate::Quantified(quantified.clone());
    let budget = Budget::unlimited();
    parallax_certify::check(program, property, &certificate, &mut *solver, &budget).is_ok()
}

#[test]
fn damaged_proofs_are_rejected() {
    let (program, property, proof) = proof("fill.c");
    assert!(accepts(&program, property, &proof));
    let steps = program.transitions(&mut program.store.clone());
    let last = proof.picks[0].transition;
    let early = (0..steps.len() as u32).find(|t| *t != last).expect("another step");
    type Damage<'a> = (&'a str, Box<dyn Fn(&mut Quantified) + 'a>);
    let damages: Vec<Damage<'_>> = vec![
        ("nothing is picked", Box::new(|q| q.picks.clear())),
        ("another index is picked", Box::new(|q| q.picks[0].values[0] = q.set.store.int(0))),
        (
            "the next index is picked",
            Box::new(|q| {
                let one = q.set.store.int(1);
                q.picks[0].values[0] = q.set.store.add(q.picks[0].values[0], one);
            }),
        ),
        ("a step before the last one picks", Box::new(|q| q.picks[0].transition = early)),
        ("no step picks", Box::new(|q| q.picks[0].transition = u32::MAX)),
        (
            "a step picks twice",
            Box::new(|q| {
                let again = q.picks[0].clone();
                q.picks.push(again);
            }),
        ),
        (
            "what is picked depends on the constant",
            Box::new(|q| q.picks[0].values[0] = q.constants[0]),
        ),
        (
            "what is picked is known to nobody",
            Box::new(|q| {
                let sort = q.set.store.sort(q.constants[0]);
                q.picks[0].values[0] = q.set.store.fresh("any", sort);
            }),
        ),
        ("a value is missing", Box::new(|q| q.picks[0].values.clear())),
        (
            "the constant is a variable",
            Box::new(|q| {
                let numbers = program.variables.iter().map(|v| v.term);
                let sort = q.set.store.sort(q.constants[0]);
                q.constants[0] =
                    numbers.clone().find(|&v| q.set.store.sort(v) == sort).expect("a number");
            }),
        ),
        (
            "a constant is there twice",
            Box::new(|q| {
                let (constant, value) = (q.constants[0], q.picks[0].values[0]);
                q.constants.push(constant);
                q.picks[0].values.push(value);
            }),
        ),
    ];
    for (what, damage) in damages {
        let mut damaged = proof.clone();
        damage(&mut damaged);
        assert!(!accepts(&program, property, &damaged), "{what}");
    }
    for region in 0..proof.set.fragment.len() {
        let mut damaged = proof.clone();
        let gone = damaged.set.fragment.remove(region);
        let accepted = accepts(&program, property, &damaged);
        // Places that no run comes to may be left out.
        assert!(!accepted || proof.set.store.is_false(gone.formula) || region > 0, "{region}");
    }
}

#[test]
fn files_carry_proofs() {
    let checkers = Checkers::new(SolverConfig::default());
    let (options, budget) = (LoadOptions::default(), Budget::unlimited());
    let saved = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("cells.json");
    for (name, broken) in [("fill.c", "fill-broken.c"), ("largest.c", "largest-broken.c")] {
        let (task, checked) = checked(name);
        assert_eq!(checked.verdict(&task), Verdict::Holds, "{name}");
        let mut text = Vec::new();
        save_evidence(&task, &checked, &mut text).expect("evidence");
        std::fs::write(&saved, &text).expect("a file");
        let again = certify_files(&[path(name)], &options, &saved, &checkers, &budget);
        let (task, checked) = again.expect("the file is read");
        assert_eq!(checked.verdict(&task), Verdict::Holds, "{name}");
        if let Ok((task, checked)) =
            certify_files(&[path(broken)], &options, &saved, &checkers, &budget)
        {
            assert_ne!(checked.verdict(&task), Verdict::Holds, "{broken}");
        }
    }
}
