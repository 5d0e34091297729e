//! Leaving out steps changes no verdict, and no checker believes that they may be
//! left out.
//!
//! Random models of several processes are asked with and without reduction, and held
//! against the list of all reachable states. Sets from which steps were left out at
//! random are claimed to be proofs of what is false, and must be rejected.
//! `PARALLAX_RANDOM_MODELS` says how many models, `PARALLAX_RANDOM_SEED` where they
//! begin.

mod support;

use parallax::{Budget, Check, EngineChoice, EngineConfig, Finding, Task, Verdict, load_text};
use parallax_base::Id;
use parallax_evidence::{Certificate, ClosedSet, Movers, Reduced};
use parallax_generate::{Random, processes};
use parallax_ir::{Choices, Interpreter, Program, PropertyKind, State};
use parallax_solver::SolverConfig;
use parallax_term::{Code, Scratch};
use std::collections::BTreeMap;
use std::time::Duration;
use support::{reachable, reaches_target};

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(default)
}

/// The models of this run that load and have few states.
fn models(default: u64) -> impl Iterator<Item = (u64, Task, Vec<State>)> {
    let first = setting("PARALLAX_RANDOM_SEED", 0);
    (first..first + setting("PARALLAX_RANDOM_MODELS", default)).filter_map(|seed| {
        let text = processes::model(seed);
        // Some assign what is always out of range.
        let task = load_text("random.plx", &text, &[]).ok()?;
        let states = reachable(&task.program)?;
        Some((seed, task, states))
    })
}

/// What an engine says of each property, with how many states it took.
fn asked(task: &Task, engine: &str, reduce: bool) -> Vec<(Verdict, Finding, u64)> {
    // Runs that never end are never all seen.
    let time = if engine == "bmc" { 300 } else { 10_000 };
    let checked = Check::new(task)
        .engine(EngineChoice::Only(engine.to_owned()), EngineConfig::default())
        .reduce(reduce)
        .budget(Budget::new(Some(Duration::from_millis(time)), None))
        .run()
        .expect("engines do not fail");
    let of = |a: &parallax::Answer| {
        (a.verdict(task), a.outcome.finding.clone(), a.outcome.statistics.states)
    };
    checked.answers.iter().map(|a| of(a)).collect()
}

#[test]
fn verdicts_are_those_of_all_orders() {
    let (mut asked_of, mut reduced, mut saved, mut decided) = (0u64, 0u64, 0u64, 0u64);
    for (seed, task, states) in models(80) {
        for (engine, reduce) in
            [("explicit", true), ("explicit", false), ("cegar", true), ("bmc", true)]
        {
            for (index, (verdict, finding, listed)) in
                asked(&task, engine, reduce).into_iter().enumerate()
            {
                let text =
                    || format!("seed {seed}, {engine}, {reduce}:\n{}", processes::model(seed));
                let property = &task.program.properties[Id::new(index)];
                let reached = reaches_target(&task.program, index, &states);
                let truth = match (reached, property.kind == PropertyKind::Reachable) {
                    (true, true) | (false, false) => Verdict::Holds,
                    _ => Verdict::Violated,
                };
                let is_open = verdict == Verdict::Unknown && engine != "explicit";
                let is_rejected =
                    matches!(finding, Finding::Unknown(parallax::Why::CertificateRejected(_)));
                assert!(
                    verdict == truth || is_open && !is_rejected,
                    "{}: {finding:?}\n{}",
                    property.name,
                    text()
                );
                asked_of += 1;
                decided += u64::from(!is_open);
                let kind = match &finding {
                    Finding::Proved(certificate) => certificate.kind().word(),
                    _ => "",
                };
                if kind.starts_with("reduced") {
                    reduced += 1;
                    if engine == "explicit" {
                        assert!(listed <= states.len() as u64, "{}", text());
                        saved += states.len() as u64 - listed;
                    }
                }
            }
        }
    }
    println!(
        "{decided} answers of {asked_of}, {reduced} by reduced sets, which saved {saved} states"
    );
    assert!(reduced * 5 > decided, "{reduced} of {decided}");
    assert!(decided * 10 > asked_of * 8, "{decided} of {asked_of}");
}

/// A set that is closed under the steps of processes that were chosen at random; if
/// no target is met on the way.
fn forged(program: &Program, target: &Code, random: &mut Random) -> Option<Reduced> {
    let mut interpreter = Interpreter::new(program);
    let mut scratch = Scratch::default();
    let mut points = interpreter.initial_states();
    let mut known: BTreeMap<State, usize> = points.iter().cloned().zip(0..).collect();
    let mut movers = Vec::new();
    let mut next_of: Vec<Vec<usize>> = Vec::new();
    let count = program.processes.len() as u64;
    let mut at = 0;
    while at < points.len() {
        let state = points[at].clone();
        if target.test(&state, &mut scratch) {
            return None;
        }
        let group: Vec<u32> = match random.chance(20) {
            true => (0..count as u32).collect(),
            false => (0..count as u32).filter(|_| random.below(count) == 0).collect(),
        };
        let is_all = group.len() as u64 == count;
        let mut next = Vec::new();
        for t in interpreter.candidates(&state) {
            let parts = &interpreter.transitions()[t].moves;
            if !parts.iter().any(|m| group.contains(&(m.process.index() as u32)))
                || !interpreter.is_enabled(&state, t)
            {
                continue;
            }
            let Choices::All(all) = interpreter.choices(&state, t, 100) else { return None };
            for inputs in all {
                let state = interpreter.fire(&state, t, &inputs);
                let new = known.len();
                let number = *known.entry(state.clone()).or_insert(new);
                if number == new {
                    points.push(state);
                }
                next.push(number);
            }
        }
        movers.push((!is_all).then(|| group.into_boxed_slice()));
        next_of.push(next);
        at += 1;
    }
    // The best ranks there are.
    let mut ranks: Vec<Option<u32>> =
        movers.iter().map(|m: &Option<Box<[u32]>>| m.is_none().then_some(0)).collect();
    for _ in 0..points.len() {
        for state in 0..points.len() {
            let least = next_of[state].iter().filter_map(|&n| ranks[n]).min();
            ranks[state] = ranks[state].or(least.map(|rank| rank + 1));
        }
    }
    let movers = movers.into_iter().zip(ranks);
    let movers = movers.map(|(processes, rank)| Movers { processes, rank: rank.unwrap_or(9) });
    let set = ClosedSet {
        store: program.store.clone(),
        points,
        prefix: Vec::new(),
        fragment: Vec::new(),
        quotient: None,
    };
    Some(Reduced { set, points: movers.collect(), fragment: Vec::new() })
}

#[test]
fn no_proof_of_what_is_false_is_accepted() {
    let (mut tried, mut accepted) = (0u64, 0u64);
    for (seed, task, states) in models(300) {
        let program = &task.program;
        let mut random = Random(seed);
        for (id, property) in program.properties.iter_enumerated() {
            let is_false = reaches_target(program, id.index(), &states);
            let target = Code::compile(&program.store, &[property.target], |t| program.slot(t));
            for _ in 0..6 {
                let Some(reduced) = forged(program, &target, &mut random) else { continue };
                let mut solver = SolverConfig::default().open().expect("Z3 starts");
                let certificate = Certificate::Reduced(reduced);
                let judged = parallax_certify::check(
                    program,
                    id,
                    &certificate,
                    &mut *solver,
                    &Budget::unlimited(),
                );
                tried += u64::from(is_false);
                accepted += u64::from(judged.is_ok());
                let text =
                    || format!("seed {seed}, {}:\n{}", property.name, processes::model(seed));
                assert!(!(is_false && judged.is_ok()), "{}", text());
            }
        }
    }
    println!("{tried} false claims were rejected, {accepted} true ones were accepted");
    assert!(tried >= 300 && accepted > 0, "{tried} false, {accepted} accepted");
}

fn accepts(program: &Program, property: usize, certificate: &Certificate) -> bool {
    let mut solver = SolverConfig::default().open().expect("Z3 starts");
    let (property, budget) = (Id::new(property), Budget::unlimited());
    parallax_certify::check(program, property, certificate, &mut *solver, &budget).is_ok()
}

#[test]
fn what_is_damaged_is_rejected() {
    let mut rejected = 0;
    let mut random = Random(7);
    for (seed, task, _) in models(60) {
        for engine in ["explicit", "bmc"] {
            for (index, (_, finding, _)) in asked(&task, engine, true).into_iter().enumerate() {
                let Finding::Proved(certificate) = finding else { continue };
                let mut damaged: Vec<Certificate> = Vec::new();
                match *certificate {
                    Certificate::Reduced(reduced) => {
                        // Every point is an initial state or follows another one.
                        let mut fewer = reduced.clone();
                        let at = random.index(fewer.points.len());
                        fewer.set.points.remove(at);
                        fewer.points.remove(at);
                        let mut uneven = reduced.clone();
                        uneven.points.pop();
                        let mut strange = reduced.clone();
                        strange.points[at].processes = Some([77].into());
                        let mut more = reduced;
                        more.set.prefix = vec![parallax_evidence::Region {
                            fixed: Vec::new(),
                            formula: more.set.store.bool(true),
                        }];
                        damaged.extend([fewer, uneven, strange, more].map(Certificate::Reduced));
                    }
                    Certificate::Unrolling(tree) if !tree.movers.is_empty() => {
                        // Every node is there because a run gets to it.
                        let mut fewer = tree.clone();
                        fewer.steps.pop();
                        let mut strange = tree.clone();
                        strange.movers[0].1 = [77].into();
                        let mut twice = tree;
                        twice.movers.push(twice.movers[0].clone());
                        damaged.extend([fewer, strange, twice].map(Certificate::Unrolling));
                    }
                    _ => continue,
                }
                for certificate in damaged {
                    let text = || format!("seed {seed}, {index}:\n{}", processes::model(seed));
                    assert!(!accepts(&task.program, index, &certificate), "{}", text());
                    rejected += 1;
                }
            }
        }
    }
    println!("{rejected} damaged proofs were rejected");
    assert!(rejected > 100);
}

/// The states that `explicit` lists of a model, with and without reduction.
fn sizes(text: &str) -> (u64, u64) {
    let task = load_text("small.plx", text, &[]).expect("the model is right");
    let [less, all] = [true, false].map(|reduce| {
        let (verdict, _, states) = asked(&task, "explicit", reduce).swap_remove(0);
        assert_eq!(verdict, Verdict::Holds, "{text}");
        states
    });
    (less, all)
}

#[test]
fn what_commutes_has_one_order() {
    // Sums do not depend on the order, although both write the same variable.
    let sum = "var x: int = 0; process P[i in 0..2] { var v: 0..=3 = 0;
        add: when v < 3 do x := x + i + 1, v := v + 1; } invariant p: x <= 9;";
    assert_eq!(sizes(sum), (7, 16));
    // Products and sums do.
    let mixed = "var x: int = 1; process P { var v: 0..=3 = 0;
        add: when v < 3 do x := x + 1, v := v + 1; }
        process Q { var v: 0..=3 = 0; twice: when v < 3 do x := 2 * x, v := v + 1; }
        invariant p: x <= 99;";
    let (less, all) = sizes(mixed);
    assert_eq!(less, all);
    // Whoever has the lock moves alone; who takes it first is seen.
    let lock = "var free: bool = true, x: int = 0; process P[i in 0..2] {
        var v: int = 0; location start, out, a, b, c, final done;
        work: start -> out do v := i;
        enter: out -> a when free do free := false; first: a -> b do x := 2 * x + v;
        second: b -> c do x := x + 1; leave: c -> done do free := true; }
        invariant p: x <= 99;";
    let (less, all) = sizes(lock);
    assert!(less < all && less >= 14, "{less} of {all}");
}

#[test]
fn nobody_is_put_off_for_ever() {
    // `P` could go round for ever while `Q` never moves: the ignoring problem.
    let circle = "process P { location a, b; go: a -> b; back: b -> a; }
        process Q { location a, b; go: a -> b; } invariant p: !Q@b;";
    let task = load_text("circle.plx", circle, &[]).expect("the model is right");
    for engine in ["explicit", "cegar", "bmc"] {
        let (verdict, finding, _) = asked(&task, engine, true).swap_remove(0);
        assert_eq!(verdict, Verdict::Violated, "{engine}: {finding:?}");
    }
}
