//! Formulas on states that are not listed: regions and terms that fall, against
//! brute force on random models, and damaged on purpose.

#[path = "support/ltl.rs"]
mod brute;
mod support;
#[path = "support/temporal.rs"]
mod temporal;

use parallax::{Budget, EngineChoice, Finding, Task, Verdict, load_model};
use parallax_certify::{Claim, judge};
use parallax_evidence::{Certificate, Descent, Trace};
use parallax_solver::SolverConfig;
use parallax_term::{Sort, Term, TermStore, Value};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use std::time::Duration;
use temporal::{accepts, random_task, truth, verdicts_by};

/// What the engine `rank` says of the formulas of a task.
fn ranked(task: &Task) -> Vec<(parallax_base::Id<parallax_ir::Property>, Finding, Verdict)> {
    verdicts_by(task, EngineChoice::Only("rank".into()), Duration::from_secs(4))
}

fn descent(finding: &Finding) -> Option<&Descent> {
    match finding {
        Finding::Proved(certificate) => match &**certificate {
            Certificate::Descent(descent) => Some(descent),
            _ => None,
        },
        _ => None,
    }
}

#[test]
fn verdicts_agree_with_brute_force_on_random_models() {
    let (mut seed, mut used, mut yes, mut no) = (5000, 0, 0, 0);
    while used < 40 {
        seed += 1;
        let Some(task) = random_task(seed) else { continue };
        used += 1;
        for (property, finding, verdict) in ranked(&task) {
            let Some(truth) = truth(&task.program, property) else { continue };
            if matches!(finding, Finding::Unknown(_)) {
                continue;
            }
            let text = &task.program.properties[property].temporal.as_ref().expect("it").text;
            assert_eq!(verdict, truth, "seed {seed}: {text}");
            *(if truth == Verdict::Holds { &mut yes } else { &mut no }) += 1;
        }
    }
    assert!(yes > 20 && no > 20, "{yes} hold, {no} are violated");
}

/// One random change of a descent.
fn damage(descent: &mut Descent, rng: &mut StdRng) {
    let pick = |rng: &mut StdRng, n: usize| rng.random_range(0..n.max(1));
    let at = pick(rng, descent.nodes.len());
    let Descent { store, nodes, obligations } = descent;
    let Some(node) = nodes.get_mut(at) else { return };
    match rng.random_range(0..7) {
        0 => drop(nodes.remove(at)),
        1 => {
            let column = pick(rng, node.measure.len());
            if let Some(term) = node.measure.get_mut(column) {
                *term = store.int(rng.random_range(0..3));
            }
        }
        2 => node.blamed = rng.random_bool(0.7).then(|| rng.random_range(0..12)),
        3 => node.region.formula = store.bool(rng.random_bool(0.5)),
        4 => drop(node.region.fixed.pop()),
        5 => node.obligations = pick(rng, obligations.len()) as u32,
        _ => {
            let set = pick(rng, obligations.len());
            obligations[set].pop();
        }
    }
}

/// However a descent is bent, a formula that some run breaks is never proved.
#[test]
fn damaged_descents_prove_nothing_false() {
    let mut rng = StdRng::seed_from_u64(11);
    let (mut seed, mut tried) = (6000, 0);
    while tried < 400 {
        seed += 1;
        let Some(task) = random_task(seed) else { continue };
        let found = ranked(&task);
        for (property, _, verdict) in &found {
            if *verdict != Verdict::Violated {
                continue;
            }
            for descent in found.iter().filter_map(|(_, finding, _)| descent(finding)) {
                for _ in 0..10 {
                    let mut bent = descent.clone();
                    for _ in 0..rng.random_range(0..4) {
                        damage(&mut bent, &mut rng);
                    }
                    tried += 1;
                    let bent = Certificate::Descent(bent);
                    assert!(!accepts(&task.program, *property, &bent), "seed {seed}");
                }
            }
        }
    }
}

/// A run that never comes back to a state, damaged in every single place.
#[test]
fn every_part_of_a_recurrence_matters() {
    let text = "var x: int = 0, y: int; process P { location a, b; \
                go: a -> a when y != 0 do x := x + 1, y := any; out: a -> b when y == 0; \
                stay: b -> b do x := x + 2; }";
    let formulas = ["<> P@b", "[] (P@b -> <> x < 10)"].map(str::to_owned);
    let task = load_model("m.plx", text, &[], &formulas).expect("a model");
    for (property, finding, verdict) in ranked(&task) {
        assert_eq!(verdict, Verdict::Violated);
        let Finding::Reached(trace) = finding else { unreachable!("a run") };
        let accepted = |trace: &Trace| {
            let claim = Claim::Reached { program: &task.program, property, trace };
            judge(&claim, &mut || SolverConfig::default().open(), &Budget::unlimited()).is_ok()
        };
        assert!(accepted(&trace) && trace.recurrence.is_some());
        let changed = |change: &dyn Fn(&mut Trace)| {
            let mut bent = (*trace).clone();
            change(&mut bent);
            accepted(&bent)
        };
        assert!(!changed(&|t| t.recurrence = None), "states do not come back");
        assert!(!changed(&|t| t.cycle = None), "a finite run breaks nothing");
        assert!(!changed(&|t| t.cycle = Some(t.steps.len())), "nothing is repeated");
        for i in 0..trace.steps.len() {
            assert!(!changed(&|t| drop(t.steps.remove(i))), "without step {i}");
            assert!(!changed(&|t| t.steps[i].transition += 1), "another step {i}");
            assert!(
                !changed(&|t| t.steps[i].state = t.last().clone()) || i + 1 == trace.steps.len()
            );
            assert!(!changed(&|t| t.steps[i].inputs.push(Value::int(0))), "an input at {i}");
        }
        let region = |make: &dyn Fn(&mut TermStore, &[Term]) -> Term| {
            changed(&|t| {
                let symbols: Vec<Term> = task.program.variables.iter().map(|v| v.term).collect();
                let recurrence = t.recurrence.as_mut().expect("one");
                recurrence.region = make(&mut recurrence.store, &symbols);
            })
        };
        assert!(!region(&|store, _| store.bool(true)), "from everywhere");
        assert!(!region(&|store, _| store.bool(false)), "from nowhere");
        let stranger = |store: &mut TermStore, _: &[Term]| store.fresh("other", Sort::Bool);
        assert!(!region(&stranger), "of what is no variable");
        let number = |_: &mut TermStore, symbols: &[Term]| symbols[0];
        assert!(!region(&number), "no formula");
        // Only the first turn.
        let once = |store: &mut TermStore, symbols: &[Term]| {
            let state = trace.state(trace.cycle.expect("a cycle")).expect("a state");
            let values = symbols.iter().zip(state.iter());
            let values: Vec<_> = values.map(|(&s, v)| (s, store.constant(v.clone()))).collect();
            let parts: Vec<Term> = values.into_iter().map(|(s, v)| store.eq(s, v)).collect();
            store.and(parts)
        };
        assert!(!region(&once), "from a single state");
    }
}

/// A proof that a counter runs out, damaged in every single place.
#[test]
fn every_part_of_a_descent_matters() {
    let text = "var n: int; process P { location w, b; \
                down: w -> w when n > 0 do n := n - 1; out: w -> b when n <= 0; }";
    let task = load_model("m.plx", text, &[], &["<> P@b".to_owned()]).expect("a model");
    let found = ranked(&task);
    let (property, finding, Verdict::Holds) = &found[0] else { unreachable!("it holds") };
    let descent = descent(finding).expect("a descent");
    let accepted =
        |descent: Descent| accepts(&task.program, *property, &Certificate::Descent(descent));
    assert!(accepted(descent.clone()));
    let changed = |change: &dyn Fn(&mut Descent)| {
        let mut bent = descent.clone();
        change(&mut bent);
        accepted(bent)
    };
    for i in 0..descent.nodes.len() {
        assert!(!changed(&|d| drop(d.nodes.remove(i))), "without node {i}");
        assert!(!changed(&|d| d.nodes[i].region.fixed.clear()), "node {i} is everywhere");
        assert!(!changed(&|d| d.nodes[i].region.formula = d.store.bool(false)), "{i} is empty");
        assert!(!changed(&|d| d.nodes[i].measure.truncate(1)), "a shorter measure at {i}");
        assert!(!changed(&|d| d.nodes[i].obligations = 7), "node {i} owes nothing known");
    }
    let same = |d: &mut Descent| {
        for node in &mut d.nodes {
            node.measure.iter_mut().for_each(|term| *term = d.store.int(1));
        }
    };
    assert!(!changed(&same), "nothing falls");
    let no_bound = |d: &mut Descent| {
        for node in &mut d.nodes {
            for term in &mut node.measure {
                let below = d.store.int(-1_000_000);
                *term = d.store.add(*term, below);
            }
        }
    };
    assert!(!changed(&no_bound), "it falls below 0");
    assert!(!changed(&|d| d.obligations[0].clear()), "nothing is owed");
    assert!(!changed(&|d| d.obligations[0].push(1000)), "no part of the formula");
}
