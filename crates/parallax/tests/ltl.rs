//! Formulas of linear temporal logic about models: against brute force on
//! random models, on the rows of `corpus/ltl.tsv`, and with evidence that is
//! damaged or does not belong there.

#[path = "support/ltl.rs"]
mod brute;
mod support;
#[path = "support/temporal.rs"]
mod temporal;

use parallax::{
    EngineChoice, Fairness, Finding, LoadOptions, Task, Verdict, Why, load_files, load_model,
};
use parallax_base::Id;
use parallax_certify::replay;
use parallax_evidence::{Certificate, ClosedSet, RankedNode, Ranking, Trace};
use parallax_ir::{Property, State};
use parallax_term::Value;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use std::path::{Path, PathBuf};
use std::time::Duration;
use temporal::{accepts, random_task, truth, verdicts_by};

/// What all engines find out about the formulas of a task.
fn verdicts(task: &Task, time: Duration) -> Vec<(Id<Property>, Finding, Verdict)> {
    verdicts_by(task, EngineChoice::Auto, time)
}

#[test]
fn verdicts_agree_with_brute_force_on_random_models() {
    let (mut seed, mut used, mut yes, mut no) = (0, 0, 0, 0);
    while used < 150 {
        seed += 1;
        let Some(task) = random_task(seed) else { continue };
        used += 1;
        for (property, finding, verdict) in verdicts(&task, Duration::from_secs(20)) {
            let Some(truth) = truth(&task.program, property) else { continue };
            let text = &task.program.properties[property].temporal.as_ref().expect("it").text;
            let why = match &finding {
                Finding::Unknown(why) => why.to_string(),
                _ => String::new(),
            };
            assert_eq!(verdict, truth, "seed {seed}: {text} {why}");
            *(if truth == Verdict::Holds { &mut yes } else { &mut no }) += 1;
        }
    }
    assert!(yes > 80 && no > 80, "{yes} hold, {no} are violated");
}

/// Evidence for one formula, given for another one, proves nothing false.
#[test]
fn evidence_for_another_formula_is_no_evidence() {
    let (mut seed, mut crossed) = (1000, 0);
    while crossed < 60 {
        seed += 1;
        let Some(task) = random_task(seed) else { continue };
        let found = verdicts(&task, Duration::from_secs(20));
        for (asked, _, verdict) in &found {
            let Some(truth) = truth(&task.program, *asked) else { continue };
            assert_eq!(*verdict, truth);
            for (other, finding, _) in &found {
                let accepted = match finding {
                    Finding::Proved(certificate) => {
                        accepts(&task.program, *asked, certificate).then_some(Verdict::Holds)
                    }
                    Finding::Reached(trace) => {
                        replay(&task.program, *asked, trace).is_ok().then_some(Verdict::Violated)
                    }
                    _ => None,
                };
                crossed += usize::from(asked != other);
                assert!(accepted.is_none_or(|a| a == truth), "seed {seed}");
            }
        }
    }
}

/// One random change of a ranking.
fn damage(ranking: &mut Ranking, rng: &mut StdRng) {
    let pick = |rng: &mut StdRng, n: usize| rng.random_range(0..n.max(1));
    match rng.random_range(0..6) {
        0 if !ranking.nodes.is_empty() => {
            let at = pick(rng, ranking.nodes.len());
            ranking.nodes.remove(at);
        }
        1 if !ranking.nodes.is_empty() => {
            let (at, ranks) = (pick(rng, ranking.nodes.len()), ranking.blamed.len());
            ranking.nodes[at].rank = pick(rng, ranks) as u32;
        }
        2 if !ranking.blamed.is_empty() => {
            let at = pick(rng, ranking.blamed.len());
            let part = pick(rng, 12) as u32;
            ranking.blamed[at] = rng.random_bool(0.7).then_some(part);
        }
        3 if !ranking.states.is_empty() => {
            let (a, b) = (pick(rng, ranking.states.len()), pick(rng, ranking.states.len()));
            ranking.states[a] = ranking.states[b].clone();
        }
        4 if !ranking.obligations.is_empty() => {
            let at = pick(rng, ranking.obligations.len());
            ranking.obligations[at].pop();
        }
        _ => {
            let at = pick(rng, ranking.nodes.len());
            if let Some(node) = ranking.nodes.get_mut(at) {
                node.obligations = pick(rng, ranking.obligations.len()) as u32;
            }
        }
    }
}

/// However a ranking is bent, a formula that some run breaks is never proved.
#[test]
fn damaged_rankings_prove_nothing_false() {
    let mut rng = StdRng::seed_from_u64(7);
    let (mut seed, mut tried) = (2000, 0);
    while tried < 3000 {
        seed += 1;
        let Some(task) = random_task(seed) else { continue };
        let found = verdicts(&task, Duration::from_secs(20));
        let rankings: Vec<&Ranking> = found
            .iter()
            .filter_map(|(_, finding, _)| match finding {
                Finding::Proved(certificate) => match &**certificate {
                    Certificate::Ranking(ranking) => Some(ranking),
                    _ => None,
                },
                _ => None,
            })
            .collect();
        for (property, _, verdict) in &found {
            if *verdict != Verdict::Violated {
                continue;
            }
            for ranking in &rankings {
                for _ in 0..20 {
                    let mut bent = (*ranking).clone();
                    for _ in 0..rng.random_range(1..4) {
                        damage(&mut bent, &mut rng);
                    }
                    tried += 1;
                    let bent = Certificate::Ranking(bent);
                    assert!(!accepts(&task.program, *property, &bent), "seed {seed}");
                }
            }
        }
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn example(name: &str, formulas: &[&str]) -> Task {
    let path = root().join(name);
    let text = std::fs::read_to_string(&path).expect("a readable model");
    let formulas: Vec<String> = formulas.iter().map(|f| (*f).to_owned()).collect();
    load_model(name, &text, &[], &formulas).expect("a model and formulas")
}

/// A proof of the semaphore example, damaged in every single place.
#[test]
fn every_part_of_a_ranking_matters() {
    let task = example("examples/ltl/semaphore.plx", &["[] (P[0]@critical -> <> free)"]);
    let [(property, finding, Verdict::Holds)] = &verdicts(&task, Duration::from_secs(20))[..]
    else {
        unreachable!("the formula holds")
    };
    let Finding::Proved(certificate) = finding else { unreachable!("a proof") };
    let Certificate::Ranking(ranking) = &**certificate else { unreachable!("a ranking") };
    let accepted =
        |ranking: Ranking| accepts(&task.program, *property, &Certificate::Ranking(ranking));
    assert!(accepted(ranking.clone()));
    for i in 0..ranking.nodes.len() {
        let mut bent = ranking.clone();
        bent.nodes.remove(i);
        assert!(!accepted(bent), "without node {i}");
        // A rank above that of the pairs it comes from, or that of the pairs
        // it leads to.
        let top = ranking.blamed.len() as u32;
        let mut bent = ranking.clone();
        bent.nodes[i].rank = top;
        bent.blamed.push(None);
        assert!(!accepted(bent), "node {i} on top, nobody blamed");
        let mut bent = ranking.clone();
        bent.nodes.push(RankedNode { rank: 0, ..bent.nodes[i] });
        assert!(!accepted(bent), "node {i} twice");
    }
    for (i, blamed) in ranking.blamed.iter().enumerate() {
        for part in [None, Some(0), Some(99)] {
            let mut bent = ranking.clone();
            bent.blamed[i] = part;
            assert!(blamed.is_none() || part == *blamed || !accepted(bent), "blame {i}");
        }
    }
    for i in 0..ranking.states.len() {
        let mut values = ranking.states[i].to_vec();
        values[0] = Value::int(77);
        let mut bent = ranking.clone();
        bent.states[i] = State::new(values);
        assert!(!accepted(bent), "state {i} changed");
        let mut bent = ranking.clone();
        bent.states[i] = State::new(Vec::new());
        assert!(!accepted(bent), "state {i} is none");
    }
    let mut bent = ranking.clone();
    bent.obligations[0].push(1000);
    assert!(!accepted(bent), "an obligation that is no part");
    assert!(!accepted(Ranking::default()));
}

/// A run against the semaphore example, damaged in every single place.
#[test]
fn every_part_of_a_lasso_matters() {
    let task = example("examples/ltl/semaphore.plx", &["[] (P[0]@waiting -> <> P[0]@critical)"]);
    let [(property, finding, Verdict::Violated)] = &verdicts(&task, Duration::from_secs(20))[..]
    else {
        unreachable!("the formula is violated")
    };
    let Finding::Reached(trace) = finding else { unreachable!("a run") };
    let accepted = |trace: &Trace| replay(&task.program, *property, trace).is_ok();
    assert!(accepted(trace));
    let changed = |change: &dyn Fn(&mut Trace)| {
        let mut bent = (**trace).clone();
        change(&mut bent);
        accepted(&bent)
    };
    assert!(!changed(&|t| t.cycle = None), "a finite run breaks nothing");
    for cycle in (0..10).filter(|c| Some(*c) != trace.cycle) {
        assert!(!changed(&|t| t.cycle = Some(cycle)), "cycle {cycle}");
    }
    for i in 0..trace.steps.len() {
        assert!(!changed(&|t| drop(t.steps.remove(i))), "without step {i}");
        assert!(!changed(&|t| t.steps[i].transition += 1), "another step {i}");
        assert!(!changed(&|t| t.steps[i].state = t.initial.clone()), "another state {i}");
        assert!(!changed(&|t| t.steps[i].inputs.push(Value::int(0))), "an input at {i}");
    }
    assert!(!changed(&|t| t.initial = t.last().clone()), "another beginning");
}

/// Evidence about states says nothing about runs, and the other way round.
#[test]
fn kinds_of_evidence_are_not_confused() {
    let formulas = ["[] (P[0]@critical -> <> free)", "[] (P[0]@waiting -> <> P[0]@critical)"];
    let task = example("examples/ltl/semaphore.plx", &formulas);
    let program = &task.program;
    let mutex = program.property("mutex").expect("it is there");
    for (property, finding, _) in verdicts(&task, Duration::from_secs(20)) {
        match finding {
            Finding::Proved(ranking) => assert!(!accepts(program, mutex, &ranking)),
            Finding::Reached(trace) => {
                assert!(replay(program, mutex, &trace).is_err());
                let finite = Trace { cycle: None, ..(*trace).clone() };
                assert!(replay(program, property, &finite).is_err());
            }
            _ => unreachable!("both are decided"),
        }
        // All states, none of which is in the target `false` of a formula.
        let points = support::reachable(program).expect("few states");
        let store = program.store.clone();
        let all = ClosedSet { store, points, prefix: vec![], fragment: vec![], quotient: None };
        let all = Certificate::Closed(all);
        assert!(accepts(program, mutex, &all));
        assert!(!accepts(program, property, &all));
    }
}

/// The rows of `corpus/ltl.tsv`: model, constants, formula, truth.
#[test]
fn the_corpus() {
    let table = std::fs::read_to_string(root().join("corpus/ltl.tsv")).expect("a readable table");
    let mut failures = Vec::new();
    let mut rows = 0;
    for row in table.lines().filter(|l| !l.starts_with('#')).skip(1) {
        let [model, args, formula, truth_text] = row.split('\t').collect::<Vec<_>>()[..] else {
            unreachable!("not four columns: {row}")
        };
        rows += 1;
        let options = options(args, formula);
        let task = load_files(&[root().join(model)], &options);
        let task = task.unwrap_or_else(|e| unreachable!("{model}: {e:?}"));
        let found = verdicts(&task, Duration::from_secs(30));
        let (property, finding, verdict) = &found[0];
        if let Some(truth) = truth(&task.program, *property)
            && truth.word() != truth_text
        {
            failures.push(format!("{row}: brute force says {truth}"));
        }
        if verdict.word() != truth_text {
            failures.push(format!("{row}: {verdict}, {}", parallax_summary(finding)));
        }
    }
    assert!(rows > 20, "{rows} rows");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// `N=3`, `fair:P` and `strongly-fair:P`, as the command line has them.
fn options(args: &str, formula: &str) -> LoadOptions {
    let mut options = LoadOptions { formulas: vec![formula.to_owned()], ..LoadOptions::default() };
    for arg in args.split_whitespace() {
        match (arg.split_once('='), arg.split_once(':')) {
            (Some((name, value)), _) => {
                options.constants.push((name.to_owned(), value.to_owned()));
            }
            (None, Some(("fair", name))) => options.fair.push((name.to_owned(), Fairness::Weak)),
            (None, Some(("strongly-fair", name))) => {
                options.fair.push((name.to_owned(), Fairness::Strong));
            }
            (None, _) => assert_eq!(arg, "-", "an argument"),
        }
    }
    options
}

fn parallax_summary(finding: &Finding) -> String {
    match finding {
        Finding::Unknown(why) => why.to_string(),
        _ => String::from("with evidence"),
    }
}

/// State spaces without an end, and choices without bounds.
#[test]
fn what_cannot_be_listed_is_unknown_with_a_place() {
    let reason = |model: &str, formula: &str, time: u64| {
        let task = load_model("m.plx", model, &[], &[formula.to_owned()]).expect("a model");
        let ltl = EngineChoice::Only("ltl".into());
        let found = verdicts_by(&task, ltl, Duration::from_secs(time));
        match &found[0].1 {
            Finding::Unknown(why @ Why::Unsupported { place, .. }) => {
                format!("{why} at {}", place.map_or("-".into(), |p| task.sources.place(p)))
            }
            Finding::Unknown(why) => why.to_string(),
            _ => found[0].2.to_string(),
        }
    };
    let open = "var x: int; process P { go: do x := x; }";
    assert_eq!(
        reason(open, "[] x == x", 20),
        "unsupported: too many initial states to list at m.plx:1:5"
    );
    let any = "var x: int = 0;\nprocess P { go: do x := any; }";
    assert_eq!(
        reason(any, "[] x == 0 U x < 0", 20),
        "unsupported: unbounded input in `P.go` at m.plx:2:13"
    );
    let counter = "var x: int = 0; process P { up: do x := x + 1; }";
    assert_eq!(
        reason(counter, "[] x >= 0", 60),
        "unsupported: more than 1024000 states, and no end: `x` has no bound at m.plx:1:5"
    );
    // A run that breaks a formula and closes to a cycle is found all the same.
    let cyclic = "var x: int = 0; process P { up: do x := x + 1; stay: when x > 2 do x := x; }";
    assert_eq!(reason(cyclic, "<> x > 100", 20), "violated");
}
