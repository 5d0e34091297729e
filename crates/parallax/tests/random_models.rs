//! Engines against brute force on random small models.
//!
//! The number of models is 500, or `PARALLAX_RANDOM_MODELS`; the first seed
//! is 0, or `PARALLAX_RANDOM_SEED`. A verdict that contradicts the list of all
//! reachable states fails the test; so does an engine that leaves more open
//! than it used to.

#[path = "support/settings.rs"]
#[expect(dead_code, reason = "nothing is annotated here")]
mod settings;
mod support;

use parallax::{Budget, Check, EngineChoice, EngineConfig, LoadError, Verdict, load_text};
use parallax_base::Severity;
use parallax_ir::PropertyKind;
use settings::settings;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use support::{random_model, reachable, reaches_target};

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(default)
}

#[derive(Default, Debug, Clone)]
struct Score {
    asked: u64,
    decided: u64,
}

/// Checks one model; returns a description of what is wrong, if anything.
fn check_model(seed: u64, scores: &Mutex<Vec<Score>>) -> Result<bool, String> {
    let text = random_model(seed);
    let task = match load_text("random.plx", &text, &[]) {
        Ok(task) => task,
        // An assignment that is always out of range: the front end is right.
        Err(LoadError::Invalid(invalid))
            if invalid
                .diagnostics
                .iter()
                .all(|d| d.code == "M0307" || d.severity == Severity::Warning) =>
        {
            return Ok(false);
        }
        Err(error) => return Err(format!("seed {seed} does not load: {error:?}\n{text}")),
    };
    let Some(states) = reachable(&task.program) else { return Ok(false) };
    // The truth once more, by an evaluator that never saw the text.
    let known = parallax_generate::model::truth(&parallax_generate::model::model(seed));
    for (index, (label, name, adjust)) in settings().into_iter().enumerate() {
        let mut config = EngineConfig::default();
        adjust(&mut config);
        // Runs that never end are never all seen: more time would not help `bmc`.
        let slow = matches!(name, "bmc" | "cegar" | "symba" | "pdr" | "modular" | "kind");
        let time = Duration::from_millis(if slow { 200 } else { 2000 });
        let budget = Budget::new(Some(time), None);
        let checked = Check::new(&task)
            .engine(EngineChoice::Only(name.into()), config)
            .budget(budget)
            .run()
            .map_err(|e| format!("seed {seed}, {label}: {e}\n{text}"))?;
        for answer in &checked.answers {
            let property = &task.program.properties[answer.property];
            let reached = reaches_target(&task.program, answer.property.index(), &states);
            let truth = match (reached, property.kind == PropertyKind::Reachable) {
                (true, true) | (false, false) => Verdict::Holds,
                _ => Verdict::Violated,
            };
            let is_asked = property.name.as_ref() == "p";
            if is_asked && known.is_some_and(|holds| holds != (truth == Verdict::Holds)) {
                return Err(format!("seed {seed}: the interpreter says {truth}\n{text}"));
            }
            let verdict = answer.verdict(&task);
            if verdict != Verdict::Unknown && verdict != truth {
                return Err(format!(
                    "seed {seed}, {label}: {} is {verdict}, truth is {truth}\n{text}",
                    property.name
                ));
            }
            if let parallax::Finding::Unknown(why @ parallax::Why::CertificateRejected(_)) =
                &answer.outcome.finding
            {
                return Err(format!("seed {seed}, {label}: {why}\n{text}"));
            }
            let mut scores =
                scores.lock().expect("no test thread panics while it holds the scores");
            scores[index].asked += 1;
            scores[index].decided += u64::from(verdict != Verdict::Unknown);
        }
    }
    Ok(true)
}

#[test]
fn no_engine_contradicts_brute_force() {
    let (count, first) =
        (setting("PARALLAX_RANDOM_MODELS", 500), setting("PARALLAX_RANDOM_SEED", 0));
    let (next, used) = (AtomicU64::new(first), AtomicU64::new(0));
    let scores = Mutex::new(vec![Score::default(); settings().len()]);
    let failures = Mutex::new(Vec::new());
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while used.load(Ordering::Relaxed) < count
                    && failures.lock().is_ok_and(|f| f.len() < 3)
                {
                    match check_model(next.fetch_add(1, Ordering::Relaxed), &scores) {
                        Ok(true) => drop(used.fetch_add(1, Ordering::Relaxed)),
                        Ok(false) => {}
                        Err(what) => failures.lock().expect("no panic").push(what),
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().expect("no panic");
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
    let scores = scores.into_inner().expect("no panic");
    for (score, (label, ..)) in scores.iter().zip(settings()) {
        println!("{label}: {} of {} decided", score.decided, score.asked);
    }
    let share = |name: &str| {
        let at = settings().iter().position(|setting| setting.0 == name).expect("it is an engine");
        scores[at].decided as f64 / scores[at].asked.max(1) as f64
    };
    assert!(share("ase") > 0.995, "the default search leaves too much open: {scores:?}");
    assert!(share("bmc") > 0.5, "`bmc` leaves too much open: {scores:?}");
    assert!(share("cegar") > 0.9, "`cegar` leaves too much open: {scores:?}");
}
