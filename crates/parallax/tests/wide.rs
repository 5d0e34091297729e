//! Systems side by side by decision diagrams, with the listed states as the
//! oracle: on the corpus, and on random processes. Evidence goes through a file,
//! where it is also damaged: no damage makes a wrong answer.

use parallax::lts::{
    CompositionSettings, Loaded, LtsChecked, LtsOptions, LtsTask, Safety, Storage, WideChecked,
    WideTask, certify_wide, check_lts, check_wide, load_lts, load_system,
};
use parallax::{Budget, Verdict};
use parallax_generate::Random;
use serde_json::Value;
use std::fmt::Write;
use std::path::{Path, PathBuf};

fn options(process: &str, storage: Storage) -> LtsOptions {
    LtsOptions { process: Some(process.to_owned()), storage, ..LtsOptions::default() }
}

fn listed(file: &Path, process: &str) -> (LtsTask, LtsChecked) {
    let budget = Budget::unlimited();
    let task = load_lts(file, &options(process, Storage::List), &budget).expect("a system");
    let checked = check_lts(&task, None, &budget).expect("no limit");
    (task, checked)
}

fn wide(file: &Path, process: &str) -> (WideTask, WideChecked) {
    let budget = Budget::unlimited();
    let loaded = load_system(file, &options(process, Storage::Diagrams), &budget);
    let Loaded::Wide(task) = loaded.expect("a system") else {
        unreachable!("diagrams were asked for")
    };
    let checked = check_wide(&task, &budget).expect("no limit");
    (task, checked)
}

/// The verdicts on what both are asked.
fn compare(file: &Path, process: &str) -> Vec<(String, Verdict)> {
    let (task, truth) = listed(file, process);
    let (wide_task, found) = wide(file, process);
    let place = format!("{}, {process}", file.display());
    let mut verdicts = Vec::new();
    for answer in &truth.answers {
        if answer.property.starts_with("assert ") {
            continue;
        }
        let other = found.answers.iter().find(|other| other.property == answer.property);
        let other = other.expect("all are asked");
        let what = format!("{place}: {} {:?}", answer.property, other.evidence);
        assert_eq!(answer.verdict(), other.verdict(), "{what}");
        assert_ne!(answer.verdict(), Verdict::Unknown, "{what}");
        verdicts.push((answer.property.clone(), answer.verdict()));
    }
    let report = found.report(&wide_task);
    let Safety { error, deadlocks, .. } = &truth.safety;
    if error.is_none() {
        assert_eq!(report.states, task.lts.state_count().to_string(), "{place}");
    }
    assert_eq!(report.deadlocks, deadlocks.to_string(), "{place}");
    verdicts
}

#[test]
fn diagrams_agree_with_lists_on_the_corpus() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/lts");
    let mut asked = Vec::new();
    let entries = std::fs::read_dir(folder).expect("a folder");
    let mut files: Vec<PathBuf> = entries.map(|e| e.expect("an entry").path()).collect();
    files.sort();
    for file in files.iter().filter(|file| file.extension().is_some_and(|end| end == "lts")) {
        let text = std::fs::read_to_string(file).expect("a file");
        let lines = text.lines().filter_map(|line| line.strip_prefix("//~ "));
        let mut processes: Vec<&str> = lines.filter_map(|line| line.split(' ').next()).collect();
        processes.dedup();
        for process in processes {
            asked.extend(compare(file, process));
        }
    }
    assert!(asked.len() >= 30, "{} answers", asked.len());
}

/// Three processes that share actions, may end, get stuck or go wrong, with
/// progress properties of both forms; one composition hides an action.
fn random_text(random: &mut Random) -> String {
    let labels = ["a", "b", "c", "d", "e"];
    let mut text = String::new();
    for process in 0..3 {
        let states = 1 + random.index(4);
        let target = |random: &mut Random| match random.index(16) {
            0 => "STOP".to_owned(),
            1 | 2 => "END".to_owned(),
            3 if process == 0 => "ERROR".to_owned(),
            _ => format!("Q{}", random.index(states)),
        };
        write!(text, "P{process} = Q0").expect("a string");
        for state in 0..states {
            write!(text, ",\nQ{state} = (").expect("a string");
            for choice in 0..1 + random.index(3) {
                let bar = if choice == 0 { "" } else { " | " };
                let label = random.pick(&labels);
                write!(text, "{bar}{label} -> {}", target(random)).expect("a string");
            }
            text.push(')');
        }
        text += ".\n";
    }
    text += "||ALL = (P0 || P1 || P2).\n||SOME = (P0 || P1 || P2)\\{e}.\n";
    let mut pick = || random.pick(&labels).to_owned();
    writeln!(text, "progress ONE = {{{}}}", pick()).expect("a string");
    writeln!(text, "progress TWO = if {{{}}} then {{{}}}", pick(), pick()).expect("a string");
    text
}

/// Changes something somewhere in a tree of JSON.
fn damage(random: &mut Random, value: &mut Value) {
    match value {
        Value::Array(list) if !list.is_empty() => {
            let place = random.index(list.len());
            match random.index(6) {
                0 => drop(list.remove(place)),
                1 => {
                    let other = list[random.index(list.len())].clone();
                    list[place] = other;
                }
                _ => damage(random, &mut list[place]),
            }
        }
        Value::Object(map) if !map.is_empty() => {
            let keys: Vec<String> = map.keys().cloned().collect();
            let key = &keys[random.index(keys.len())];
            if let Some(part) = map.get_mut(key) {
                damage(random, part);
            }
        }
        Value::Number(_) => *value = Value::from(random.index(5)),
        Value::Null if random.index(2) == 0 => {}
        _ => {}
    }
}

#[test]
fn random_systems_have_the_same_answers_and_damage_is_found() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("random.lts");
    let budget = Budget::unlimited();
    let (mut seen, mut rejected) = (std::collections::BTreeMap::new(), 0);
    for seed in 0..300 {
        let mut random = Random(seed);
        std::fs::write(&file, random_text(&mut random)).expect("written");
        for process in ["ALL", "SOME"] {
            let truth = compare(&file, process);
            for (property, verdict) in &truth {
                *seen.entry((property.clone(), verdict.word())).or_insert(0) += 1;
            }
            let (task, checked) = wide(&file, process);
            let settings =
                CompositionSettings { process: Some(process.to_owned()), minimize_parts: false };
            let whole = checked.certificate(&task, settings).expect("JSON");
            let load = |options: &LtsOptions| {
                let options = LtsOptions { storage: Storage::Diagrams, ..options.clone() };
                match load_system(&file, &options, &budget)? {
                    Loaded::Wide(task) => Ok(task),
                    Loaded::Listed(_) => unreachable!("diagrams were asked for"),
                }
            };
            let verdicts = |text: &str| -> Option<Vec<(String, Verdict)>> {
                let found = certify_wide(load, text, &budget).expect("it loads")?;
                let verdict = |(name, answer): (String, Result<parallax::lts::WideAnswer, _>)| {
                    (name, answer.map_or(Verdict::Unknown, |answer| answer.verdict()))
                };
                Some(found.ok()?.1.into_iter().map(verdict).collect())
            };
            assert_eq!(verdicts(&whole).as_ref(), Some(&truth), "seed {seed}, {process}");
            for _ in 0..10 {
                let mut bent: Value = serde_json::from_str(&whole).expect("JSON");
                damage(&mut random, &mut bent["answers"]);
                for (known, found) in
                    truth.iter().zip(verdicts(&bent.to_string()).unwrap_or_default())
                {
                    let is_open = found.1 == Verdict::Unknown;
                    assert!(is_open || found == *known, "seed {seed}, {process}: {bent}");
                    rejected += usize::from(is_open);
                }
            }
        }
    }
    // Every question is answered both ways, and much damage is none at all.
    for property in ["no-error", "no-deadlock", "progress ONE", "progress TWO"] {
        for word in ["holds", "violated"] {
            let count = seen.get(&(property.to_owned(), word)).copied().unwrap_or(0);
            assert!(count >= 20, "{property} {word}: {count}, {seen:?}");
        }
    }
    assert!(rejected >= 1000, "{rejected} damaged answers were rejected");
}
