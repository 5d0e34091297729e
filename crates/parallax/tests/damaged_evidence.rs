//! Evidence damaged on purpose must be rejected.
//!
//! Certificates of random models are damaged at random. The list of all
//! reachable states says whether the damage is real: a certificate that no
//! longer holds some reachable state proves nothing, whatever else it says.
//! At least 1,000 such certificates have to be rejected, and 1,000 runs with a
//! wrong value, step or length. A tree of all runs has no node too many, so
//! each change of it has to be rejected.

mod support;

use parallax::{Budget, Check, EngineChoice, EngineConfig, Finding, Task, load, load_text};
use parallax_base::Id;
use parallax_evidence::{
    Certificate, ClosedSet, EvidenceFile, Region, Trace, Unrolling, UnrollingStep,
};
use parallax_ir::{Program, State};
use parallax_solver::SolverConfig;
use parallax_term::{Code, Int, Scratch, Value};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use std::path::Path;
use std::time::Duration;
use support::{random_model, reachable};

const WANTED: usize = 1000;

/// Time for the properties of one model.
const TIME: Duration = Duration::from_millis(500);

/// The engines whose certificates are sets of states.
const MATCHING: [&str; 2] = ["ase", "ur"];

/// The findings of some engines on all properties of a task.
fn findings(task: &Task, engines: &[&str]) -> Vec<(usize, Finding)> {
    let mut found = Vec::new();
    for &engine in engines {
        let checked = Check::new(task)
            .engine(EngineChoice::Only(engine.to_owned()), EngineConfig::default())
            .budget(Budget::new(Some(TIME), None))
            .run()
            .expect("engines do not fail");
        let pairs = checked.answers.iter();
        found.extend(pairs.map(|a| (a.property.index(), a.outcome.finding.clone())));
    }
    found
}

fn shift(value: &Value, rng: &mut StdRng) -> Value {
    match value {
        Value::Bool(b) => Value::Bool(!b),
        Value::Int(i) => Value::Int(i + &Int::from(rng.random_range(1..4))),
        _ => Value::int(0),
    }
}

/// Takes an element out at random; false if there is none.
fn drop_one<T>(items: &mut Vec<T>, rng: &mut StdRng) -> bool {
    if items.is_empty() {
        return false;
    }
    items.swap_remove(rng.random_range(0..items.len()));
    true
}

/// The set of states behind a proof.
fn closed(finding: Finding) -> Option<ClosedSet> {
    match finding {
        Finding::Proved(certificate) => match *certificate {
            Certificate::Closed(set) => Some(set),
            _ => None,
        },
        _ => None,
    }
}

/// One random change of a certificate; false if it does not apply.
fn damage(certificate: &mut ClosedSet, program: &Program, rng: &mut StdRng) -> bool {
    match rng.random_range(0..6) {
        0 => drop_one(&mut certificate.points, rng),
        1 => drop_one(&mut certificate.prefix, rng),
        2 => {
            certificate.quotient = None;
            drop_one(&mut certificate.fragment, rng)
        }
        3 => {
            // One more conjunct in some region.
            let numbers =
                program.variables.iter().filter(|v| v.domain.sort() == parallax_term::Sort::Int);
            let variables: Vec<_> = numbers.map(|v| v.term).collect();
            let all = certificate.prefix.iter_mut().chain(&mut certificate.fragment);
            let mut regions: Vec<&mut Region> = all.collect();
            if regions.is_empty() {
                return false;
            }
            let index = rng.random_range(0..regions.len());
            let store = &mut certificate.store;
            let variable = variables[rng.random_range(0..variables.len())];
            let bound = store.int(rng.random_range(-3..3));
            let atom = store.le(variable, bound);
            let literal = if rng.random_bool(0.5) { atom } else { store.not(atom) };
            regions[index].formula = store.and([regions[index].formula, literal]);
            true
        }
        4 => {
            let all = certificate.prefix.iter_mut().chain(&mut certificate.fragment);
            let mut regions: Vec<&mut Region> = all.filter(|r| !r.fixed.is_empty()).collect();
            if regions.is_empty() {
                return false;
            }
            let index = rng.random_range(0..regions.len());
            let slot = rng.random_range(0..regions[index].fixed.len());
            let value = &mut regions[index].fixed[slot].1;
            *value = shift(value, rng);
            true
        }
        _ => {
            if certificate.points.is_empty() {
                return false;
            }
            let index = rng.random_range(0..certificate.points.len());
            let mut values = certificate.points[index].to_vec();
            let slot = rng.random_range(0..values.len());
            values[slot] = shift(&values[slot], rng);
            certificate.points[index] = State::new(values);
            true
        }
    }
}

/// Whether the certified states hold every reachable one, by evaluation.
fn covers(certificate: &ClosedSet, program: &Program, states: &[State]) -> bool {
    let compile = |r: &Region| Code::compile(&certificate.store, &[r.formula], |t| program.slot(t));
    let regions: Vec<(&Region, Code)> =
        certificate.prefix.iter().chain(&certificate.fragment).map(|r| (r, compile(r))).collect();
    let mut scratch = Scratch::default();
    states.iter().all(|state| {
        certificate.points.contains(state)
            || regions.iter().any(|(region, code)| {
                region.fixed.iter().all(|(v, value)| state[v.index()] == *value)
                    && code.test(state, &mut scratch)
            })
    })
}

fn accepts(program: &Program, property: usize, certificate: &Certificate) -> bool {
    let mut solver = SolverConfig::default().open().expect("Z3 starts");
    let property = Id::new(property);
    let budget = Budget::unlimited();
    parallax_certify::check(program, property, certificate, &mut *solver, &budget).is_ok()
}

#[test]
fn damaged_certificates_are_rejected() {
    let mut rng = StdRng::seed_from_u64(7);
    let mut rejected = 0;
    for seed in 1_000_000.. {
        let text = random_model(seed);
        let Ok(task) = load_text("random.plx", &text, &[]) else { continue };
        let Some(states) = reachable(&task.program) else { continue };
        for (property, finding) in findings(&task, &MATCHING) {
            let Some(certificate) = closed(finding) else { continue };
            assert!(covers(&certificate, &task.program, &states), "seed {seed}");
            for _ in 0..8 {
                let mut damaged = certificate.clone();
                if !damage(&mut damaged, &task.program, &mut rng)
                    || covers(&damaged, &task.program, &states)
                {
                    continue;
                }
                let damaged = Certificate::Closed(damaged);
                assert!(!accepts(&task.program, property, &damaged), "seed {seed}:\n{text}");
                rejected += 1;
            }
        }
        if rejected >= WANTED {
            break;
        }
    }
}

#[test]
fn a_bisimilar_structure_without_one_of_its_steps_is_rejected() {
    let mut rejected = 0;
    for seed in 2_000_000.. {
        let text = random_model(seed);
        let Ok(task) = load_text("random.plx", &text, &[]) else { continue };
        if reachable(&task.program).is_none() {
            continue;
        }
        for (property, finding) in findings(&task, &MATCHING) {
            let Some(certificate) = closed(finding) else { continue };
            let edges = certificate.quotient.clone().unwrap_or_default();
            for (i, edge) in edges.iter().enumerate().take(4) {
                // With several targets the transition is still listed.
                let alike = |e: &&parallax_evidence::QuotientEdge| {
                    (e.source, e.transition) == (edge.source, edge.transition)
                };
                if edges.iter().filter(alike).count() > 1 {
                    continue;
                }
                let mut damaged = certificate.clone();
                damaged.quotient.as_mut().expect("it has edges").remove(i);
                let damaged = Certificate::Closed(damaged);
                assert!(!accepts(&task.program, property, &damaged), "seed {seed}:\n{text}");
                rejected += 1;
            }
        }
        if rejected >= 200 {
            break;
        }
    }
}

/// The tree without a node and all that is below it.
fn cut(tree: &Unrolling, node: usize) -> Unrolling {
    let mut numbers = vec![Some(0)];
    let mut steps = Vec::new();
    for (step, id) in tree.steps.iter().zip(1..) {
        let parent = numbers[step.parent as usize].filter(|_| id != node);
        numbers.push(parent.map(|parent| {
            steps.push(UnrollingStep { parent, ..*step });
            steps.len() as u32
        }));
    }
    Unrolling { steps, ..Unrolling::default() }
}

/// One random change of a tree.
fn damage_tree(tree: &Unrolling, transitions: usize, rng: &mut StdRng) -> Unrolling {
    let at = rng.random_range(0..tree.steps.len());
    let mut damaged = tree.clone();
    let step = &mut damaged.steps[at];
    match rng.random_range(0..4) {
        0 => return cut(tree, at + 1),
        // The last node is a leaf.
        1 => drop(damaged.steps.pop()),
        2 if transitions > 1 => {
            let other = step.transition as usize + rng.random_range(1..transitions);
            step.transition = (other % transitions) as u32;
        }
        _ if at > 0 => {
            step.parent = (step.parent + rng.random_range(1..=at as u32)) % (at as u32 + 1)
        }
        _ => step.parent = 1,
    }
    damaged
}

#[test]
fn a_tree_of_all_runs_without_one_of_its_nodes_is_rejected() {
    let mut rng = StdRng::seed_from_u64(10);
    let mut rejected = 0;
    for seed in 4_000_000.. {
        let text = random_model(seed);
        let Ok(task) = load_text("random.plx", &text, &[]) else { continue };
        let transitions = task.program.transitions(&mut task.program.store.clone()).len();
        for (property, finding) in findings(&task, &["bmc"]) {
            let Finding::Proved(certificate) = finding else { continue };
            let Certificate::Unrolling(tree) = *certificate else { continue };
            for _ in 0..if tree.steps.is_empty() { 0 } else { 8 } {
                let damaged = Certificate::Unrolling(damage_tree(&tree, transitions, &mut rng));
                assert!(!accepts(&task.program, property, &damaged), "seed {seed}:\n{text}");
                rejected += 1;
            }
        }
        if rejected >= WANTED {
            break;
        }
    }
}

/// Changes a value of a state that a step led to: the step has one effect.
fn damage_trace(trace: &mut Trace, rng: &mut StdRng) {
    let at = rng.random_range(0..trace.steps.len());
    let mut values = trace.steps[at].state.to_vec();
    let slot = rng.random_range(0..values.len());
    values[slot] = shift(&values[slot], rng);
    trace.steps[at].state = State::new(values);
}

#[test]
fn damaged_runs_are_rejected() {
    let mut rng = StdRng::seed_from_u64(8);
    let mut rejected = 0;
    for seed in 3_000_000.. {
        let text = random_model(seed);
        let Ok(task) = load_text("random.plx", &text, &[]) else { continue };
        for (property, finding) in findings(&task, &MATCHING) {
            let Finding::Reached(trace) = finding else { continue };
            let replay = |t: &Trace| parallax_certify::replay(&task.program, Id::new(property), t);
            assert!(replay(&trace).is_ok());
            for _ in 0..6 {
                let mut damaged = (*trace).clone();
                if rng.random_bool(0.2) && damaged.steps.pop().is_some() {
                    // One step less may still end in a target, if the last
                    // step started in one; engines stop at the first.
                    assert!(replay(&damaged).is_err(), "seed {seed}:\n{text}");
                    rejected += 1;
                    continue;
                }
                if !damaged.steps.is_empty() {
                    damage_trace(&mut damaged, &mut rng);
                    assert!(replay(&damaged).is_err(), "seed {seed}:\n{text}");
                    rejected += 1;
                }
            }
        }
        if rejected >= WANTED {
            break;
        }
    }
}

#[test]
fn evidence_for_one_model_does_not_pass_for_its_broken_twin() {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let pairs =
        [("ticket", "mutex"), ("mesi", "coherent"), ("bakery", "mutex"), ("mutex", "mutex")];
    for (name, property) in pairs {
        let safe = load(&models.join(format!("{name}.plx")), &[]).expect("the model is right");
        let broken = load(&models.join(format!("{name}-broken.plx")), &[]).expect("right as well");
        let checked = Check::new(&safe).properties([property.into()]).run().expect("it is checked");
        let mut file = Vec::new();
        parallax::save_evidence(&safe, &checked, &mut file).expect("written to memory");
        // The twin calls itself otherwise; the rest of the file is left as it is.
        let text = String::from_utf8(file).expect("JSON is text");
        let text = text.replace(
            &format!("\"{}\"", safe.program.name),
            &format!("\"{}\"", broken.program.name),
        );
        let Ok(file) = EvidenceFile::parse(text.as_bytes()) else { continue };
        let Ok(decoded) = file.decode(&broken.program) else { continue };
        for (property, finding) in decoded {
            if let Finding::Proved(certificate) = finding {
                assert!(!accepts(&broken.program, property.index(), &certificate), "{name}");
            }
        }
    }
}

#[test]
fn bytes_changed_in_a_file_never_make_it_prove_something_false() {
    // The claim is false of this model, so no file may pass for it.
    let text = "var x: int = 0; process P { up: when x < 3 do x := x + 1; } invariant low: x <= 3;";
    let wrong = text.replace("x <= 3", "x <= 2");
    let task = load_text("m.plx", text, &[]).expect("the model is right");
    let victim = load_text("m.plx", &wrong, &[]).expect("right as well");
    let checked = Check::new(&task).run().expect("it is checked");
    let mut file = Vec::new();
    parallax::save_evidence(&task, &checked, &mut file).expect("written to memory");
    let mut rng = StdRng::seed_from_u64(9);
    for _ in 0..1000 {
        let mut bytes = file.clone();
        for _ in 0..rng.random_range(0..3) {
            let at = rng.random_range(0..bytes.len());
            bytes[at] = b"0123456789-[]{},:\"()<=xyz "[rng.random_range(0..26)];
        }
        let Ok(parsed) = EvidenceFile::parse(&bytes) else { continue };
        let Ok(decoded) = parsed.decode(&victim.program) else { continue };
        for (property, finding) in decoded {
            match finding {
                Finding::Proved(certificate) => {
                    assert!(!accepts(&victim.program, property.index(), &certificate));
                }
                Finding::Reached(_) | Finding::Executed(_) | Finding::Unknown(_) => {}
            }
        }
    }
}
