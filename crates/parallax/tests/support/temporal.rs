//! Random models with formulas, what engines say about them, and what is true.

use super::brute;
use super::support::{Conditions, random_model};
use parallax::{Budget, Check, EngineChoice, Finding, LoadError, Task, Verdict, load_model};
use parallax_base::Id;
use parallax_certify::check;
use parallax_evidence::Certificate;
use parallax_ir::{Program, Property, PropertyKind};
use parallax_solver::SolverConfig;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use std::time::Duration;

/// States of the models that brute force looks at.
const LIMIT: usize = 60;

/// The formulas that a program is asked.
pub(crate) fn formulas(program: &Program) -> Vec<Id<Property>> {
    let all = program.properties.iter_enumerated();
    all.filter(|(_, p)| p.kind == PropertyKind::Ltl).map(|(id, _)| id).collect()
}

/// What some engines find out about the formulas of a task.
pub(crate) fn verdicts_by(
    task: &Task,
    engine: EngineChoice,
    time: Duration,
) -> Vec<(Id<Property>, Finding, Verdict)> {
    let names = formulas(&task.program).into_iter();
    let names = names.map(|id| task.program.properties[id].name.to_string());
    let checked = Check::new(task)
        .properties(names)
        .engine(engine, Default::default())
        .budget(Budget::new(Some(time), None))
        .run()
        .expect("the check runs");
    let answers = checked.answers.iter();
    answers.map(|a| (a.property, a.outcome.finding.clone(), a.verdict(task))).collect()
}

/// Whether a formula holds, by brute force; `None` if there are too many states.
pub(crate) fn truth(program: &Program, property: Id<Property>) -> Option<Verdict> {
    let temporal = program.properties[property].temporal.as_ref().expect("a formula");
    let graph = brute::graph(program, temporal, LIMIT)?;
    let holds = brute::holds(&graph, temporal)?;
    Some(if holds { Verdict::Holds } else { Verdict::Violated })
}

/// A random formula over conditions of a model.
fn random(rng: &mut StdRng, model: &mut Conditions, size: usize) -> String {
    if size <= 1 {
        return match rng.random_range(0..12) {
            0 => "true".into(),
            _ => format!("\"{}\"", model.condition()),
        };
    }
    let left = rng.random_range(1..size);
    match rng.random_range(0..11) {
        0 => format!("!({})", random(rng, model, size - 1)),
        1 => format!("X ({})", random(rng, model, size - 1)),
        2 | 3 => format!("[] ({})", random(rng, model, size - 1)),
        4 | 5 => format!("<> ({})", random(rng, model, size - 1)),
        n => {
            let op = ["U", "R", "&&", "||", "->"][n - 6];
            format!("({}) {op} ({})", random(rng, model, left), random(rng, model, size - left))
        }
    }
}

/// A random model of few states with random formulas.
pub(crate) fn random_task(seed: u64) -> Option<Task> {
    let mut rng = StdRng::seed_from_u64(seed);
    let mut model = Conditions::new(seed);
    let text = random_model(seed);
    let mut asked: Vec<String> = Vec::new();
    for _ in 0..4 {
        let size = rng.random_range(1..7);
        asked.push(random(&mut rng, &mut model, size));
    }
    let task = match load_model("random.plx", &text, &[], &asked) {
        Ok(task) => task,
        // Nonsense that the front end refuses, rightly.
        Err(LoadError::Invalid(_)) => return None,
        Err(error) => unreachable!("seed {seed}: {error}\n{text}"),
    };
    let first = *formulas(&task.program).first()?;
    let temporal = task.program.properties[first].temporal.clone()?;
    brute::graph(&task.program, &temporal, LIMIT).map(|_| task)
}

/// Whether the checker takes this for a proof.
pub(crate) fn accepts(
    program: &Program,
    property: Id<Property>,
    certificate: &Certificate,
) -> bool {
    let mut solver = SolverConfig::default().open().expect("Z3 starts");
    check(program, property, certificate, &mut *solver, &Budget::unlimited()).is_ok()
}
