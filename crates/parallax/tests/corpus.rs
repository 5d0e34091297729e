//! The corpus and the models, with their known answers.
//!
//! `corpus/README.md` describes the annotations. A verdict that contradicts the
//! truth fails the test, whoever gives it; so does an engine that leaves open
//! what it is known to decide, and a truth that contradicts the list of all
//! reachable states. All failures are reported, not the first one.

#![expect(clippy::panic, reason = "a broken annotation fails the test")]

#[path = "support/settings.rs"]
mod settings;
mod support;

use parallax::{
    Budget, Check, EngineChoice, EngineConfig, Finding, Task, Verdict, Why, format_model, load_text,
};
use settings::{Setting, decided, named, settings};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use support::{reachable, reaches_target};

/// Time for questions that must be answered: ample, since machines differ.
const MUST: Duration = Duration::from_secs(60);

/// Time for questions that may stay open.
const MAY: Duration = Duration::from_millis(100);

/// What is known about a property.
#[derive(Clone, Debug, Default)]
struct Known {
    /// The truth; `None` if nobody knows it, so that every verdict is wrong.
    truth: Option<Verdict>,
    /// The settings that must find it.
    decided_by: Vec<String>,
    /// The kind of certificate that a setting must give.
    evidence: BTreeMap<String, String>,
}

/// A file, the constants to set, and what is known about its properties.
#[derive(Clone, Debug, Default)]
struct Case {
    path: PathBuf,
    constants: Vec<(String, String)>,
    known: BTreeMap<String, Known>,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// All models under a folder, in order.
fn models(folder: &str) -> Vec<PathBuf> {
    let (mut open, mut found) = (vec![root().join(folder)], Vec::new());
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder).expect("the folder is there") {
            let path = entry.expect("an entry can be read").path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|e| e == "plx") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn verdict(word: &str) -> Option<Verdict> {
    match word {
        "holds" => Some(Verdict::Holds),
        "violated" => Some(Verdict::Violated),
        "unknown" => None,
        _ => panic!("`{word}` is no truth: write `holds`, `violated` or `unknown`"),
    }
}

/// The names in a list.
fn deciders(list: &str) -> Vec<String> {
    let known: Vec<&str> = all_settings().iter().map(|setting| setting.0).collect();
    named(list, &known)
}

/// Reads `-D NAME=VALUE ...`.
fn constants(args: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut words = args.split_whitespace();
    while let Some(word) = words.next() {
        assert_eq!(word, "-D", "only `-D NAME=VALUE` is understood");
        let (name, value) = words.next().and_then(|w| w.split_once('=')).expect("NAME=VALUE");
        found.push((name.to_owned(), value.to_owned()));
    }
    found
}

/// Reads the annotations of a file of the corpus.
fn annotated(path: &Path) -> Case {
    let mut case = Case { path: path.to_owned(), ..Case::default() };
    let (mut general, mut special) = (Vec::new(), BTreeMap::new());
    let text = read(path);
    for line in text.lines().take_while(|line| line.starts_with("//")) {
        if let Some(truth) = line.strip_prefix("//~ ") {
            let (name, word) = truth.split_once(' ').expect("`//~ PROPERTY VERDICT`");
            let known = Known { truth: verdict(word), ..Known::default() };
            case.known.insert(name.to_owned(), known);
        } else if let Some(args) = line.strip_prefix("//@ args: ") {
            case.constants = constants(args);
        } else if let Some(list) = line.strip_prefix("//@ decided-by: ") {
            general = deciders(list);
        } else if let Some(rest) = line.strip_prefix("//@ decided-by ") {
            let (name, list) = rest.split_once(": ").expect("`//@ decided-by PROPERTY: ENGINES`");
            special.insert(name.to_owned(), deciders(list));
        } else if let Some(rest) = line.strip_prefix("//@ evidence ") {
            let (who, kind) = rest.split_once(": ").expect("`//@ evidence PROPERTY ENGINE: KIND`");
            let (name, setting) = who.split_once(' ').expect("`PROPERTY ENGINE`");
            let known = case.known.get_mut(name).expect("the truth comes before the evidence");
            let setting = deciders(setting).remove(0);
            known.evidence.insert(setting, kind.to_owned());
        } else {
            assert!(!line.starts_with("//@"), "{}: what is `{line}`?", path.display());
        }
    }
    for (name, known) in &mut case.known {
        known.decided_by = special.remove(name).unwrap_or_else(|| general.clone());
    }
    assert!(special.is_empty(), "{}: no truth for {special:?}", path.display());
    case
}

/// Reads the table of models: one row per property.
fn tabled() -> Vec<Case> {
    let mut cases: BTreeMap<(String, String), Case> = BTreeMap::new();
    let text = read(&root().join("corpus/models.tsv"));
    let rows = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    for row in rows.skip(1) {
        let cells: Vec<&str> = row.split('\t').collect();
        let [model, args, property, truth, list] = cells[..] else { panic!("five cells: {row}") };
        let key = (model.to_owned(), args.to_owned());
        let case = cases.entry(key).or_insert_with(|| Case {
            path: root().join("models").join(model),
            constants: constants(if args == "-" { "" } else { args }),
            known: BTreeMap::new(),
        });
        let known = Known { truth: verdict(truth), decided_by: deciders(list), ..Known::default() };
        case.known.insert(property.to_owned(), known);
    }
    cases.into_values().collect()
}

/// The truth by listing all states, where that can be done.
fn listed(task: &Task, name: &str) -> Option<Verdict> {
    let states = reachable(&task.program)?;
    let index = task.program.property(name)?.index();
    let reached = reaches_target(&task.program, index, &states);
    let wanted = task.program.properties.as_slice()[index].kind.wants_target();
    Some(if reached == wanted { Verdict::Holds } else { Verdict::Violated })
}

/// All engines in turn, as whoever names none has them.
const AUTO: &str = "auto";

/// The settings, and all engines in turn.
fn all_settings() -> Vec<Setting> {
    settings().into_iter().chain([(AUTO, AUTO, (|_| {}) as fn(&mut EngineConfig))]).collect()
}

fn choice(engine: &str) -> EngineChoice {
    match engine {
        AUTO => EngineChoice::Auto,
        _ => EngineChoice::Only(engine.into()),
    }
}

/// Everything that is wrong with a case.
fn check(case: &Case) -> Vec<String> {
    let text = read(&case.path);
    let name = case.path.strip_prefix(root()).unwrap_or(&case.path).display().to_string();
    let label = match case.constants.is_empty() {
        true => name.clone(),
        false => format!("{name} {:?}", case.constants),
    };
    let mut wrong = Vec::new();
    if format_model(&name, &text).ok().as_deref() != Some(&text) {
        wrong.push(format!("{name}: not in style; run `parallax fmt {name}`"));
    }
    let task = match load_text(&name, &text, &case.constants) {
        Ok(task) => task,
        Err(error) => return vec![format!("{label}: does not load: {error:?}")],
    };
    let asked: BTreeSet<&str> = task.program.properties.iter().map(|p| &*p.name).collect();
    for property in &asked {
        if !case.known.contains_key(*property) {
            wrong.push(format!("{label}: the truth about `{property}` is not given"));
        }
    }
    for (property, known) in &case.known {
        let excluded = property == "values" && known.truth == Some(Verdict::Holds);
        if !asked.contains(property.as_str()) {
            if !excluded {
                wrong.push(format!("{label}: there is no property `{property}`"));
            }
        } else if let Some(listed) = listed(&task, property)
            && known.truth != Some(listed)
        {
            wrong.push(format!("{label}: `{property}` {listed}, by listing all states"));
        }
    }
    for (setting, engine, adjust) in all_settings() {
        let mut config = EngineConfig::default();
        adjust(&mut config);
        let known = case.known.iter().filter(|(p, _)| asked.contains(p.as_str()));
        let (must, may): (Vec<_>, Vec<_>) =
            known.partition(|(_, k)| k.decided_by.iter().any(|s| s == setting));
        for (group, time) in [(must, MUST), (may, MAY)] {
            if group.is_empty() {
                continue;
            }
            let checked = Check::new(&task)
                .properties(group.iter().map(|(p, _)| (*p).clone()))
                .engine(choice(engine), config.clone())
                .budget(Budget::new(Some(time), None))
                .run();
            let checked = match checked {
                Ok(checked) => checked,
                Err(error) => {
                    wrong.push(format!("{label}, {setting}: {error}"));
                    continue;
                }
            };
            for answer in &checked.answers {
                let property = &*task.program.properties[answer.property].name;
                let verdict = answer.verdict(&task);
                let known = &case.known[property];
                let say = |what: String| format!("{label}, {setting}: `{property}` {what}");
                if let (Finding::Proved(proof), Some(kind)) =
                    (&answer.outcome.finding, known.evidence.get(setting))
                    && proof.kind().word() != kind
                {
                    wrong.push(say(format!("proved by {}, not {kind}", proof.kind().word())));
                }
                match &answer.outcome.finding {
                    Finding::Unknown(why @ Why::CertificateRejected(_)) => {
                        wrong.push(say(why.to_string()));
                    }
                    Finding::Unknown(why) if time == MUST => wrong.push(say(why.to_string())),
                    Finding::Unknown(_) => {}
                    _ if known.truth == Some(verdict) => {
                        let question = format!("{label}, {property}");
                        decided(&question, setting, answer.outcome.statistics.time);
                    }
                    _ => wrong.push(say(format!("{verdict}, which is not true"))),
                }
            }
        }
    }
    wrong
}

/// Checks all cases, several at a time.
fn check_all(cases: &[Case]) {
    let (next, wrong) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let found = check(case);
                    wrong.lock().expect("no thread panics here").extend(found);
                }
            });
        }
    });
    let mut wrong = wrong.into_inner().expect("no thread panics here");
    wrong.sort();
    assert!(wrong.is_empty(), "{} failures:\n  {}\n", wrong.len(), wrong.join("\n  "));
}

#[test]
fn the_corpus_is_answered_truly() {
    let cases: Vec<Case> = models("corpus/model").iter().map(|path| annotated(path)).collect();
    assert!(cases.len() >= 147, "the corpus has been lost");
    check_all(&cases);
}

#[test]
fn the_models_are_answered_truly() {
    let cases = tabled();
    for path in models("models") {
        let is_tabled = cases.iter().any(|case| case.path.file_name() == path.file_name());
        assert!(is_tabled, "corpus/models.tsv does not list {}", path.display());
    }
    check_all(&cases);
}

#[test]
fn wrong_annotations_are_noticed() {
    let path = root().join("models/ticket-broken.plx");
    let case = |property: &str, word: &str, decided_by: &str| {
        let decided_by = deciders(decided_by);
        let known = Known { truth: verdict(word), decided_by, ..Known::default() };
        let known = BTreeMap::from([(property.to_owned(), known)]);
        check(&Case { path: path.clone(), known, constants: Vec::new() })
    };
    assert!(case("mutex", "violated", "ase, ur").is_empty());
    assert!(case("mutex", "holds", "ase").iter().any(|w| w.contains("which is not true")));
    assert!(case("mutex", "unknown", "").iter().any(|w| w.contains("which is not true")));
    assert!(case("other", "holds", "").iter().any(|w| w.contains("is not given")));
    assert!(case("other", "holds", "").iter().any(|w| w.contains("there is no property")));
}
