//! The C programs of the corpus and the examples, with their known answers.
//!
//! `corpus/README.md` describes the annotations. The truth is held against the
//! concrete interpreter (no run with random inputs may break what holds; a
//! program without inputs must break what it breaks) and against every engine
//! in both encodings of integers. What is answered is certified again from a
//! file.

#![expect(clippy::panic, reason = "a broken annotation fails the test")]

#[path = "support/settings.rs"]
#[expect(dead_code, reason = "encodings are varied here, not options")]
mod settings;

use parallax::{
    Budget, CInputs, COptions, CProgram, CRunEnd, Check, Checked, Checkers, DataModel, Encoding,
    EngineChoice, EngineConfig, Finding, Known, LoadOptions, Native, Request, SolverConfig, Task,
    Verdict, certify_files, engines, load_c, load_files, run_c, run_natively, save_evidence,
};
use parallax_cfa::Op;
use parallax_task::c_task;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// Time for questions that must be answered: ample, since machines differ.
const MUST: Duration = Duration::from_secs(120);

/// Time for questions that may stay open.
const MAY: Duration = Duration::from_millis(100);

/// Random runs per question, and the steps of each.
const RUNS: u64 = 20;
const STEPS: u64 = 20_000;

/// Settings with machine words in the place of integers.
const VECTORS: [(&str, &str); 5] = [
    ("ase-bv", "ase"),
    ("bmc-bv", "bmc"),
    ("cegar-bv", "cegar"),
    ("kind-bv", "kind"),
    ("pdr-bv", "pdr"),
];

/// The engines with their encodings, under the names that annotations use.
fn encoded() -> Vec<(&'static str, &'static str, Encoding)> {
    let all = engines(&EngineConfig::default());
    let plain = all.iter().map(|e| (e.name(), e.name(), Encoding::Integers));
    let other = [("cegar-invariants", "cegar", Encoding::Integers)];
    let vectors = VECTORS.map(|(name, engine)| (name, engine, Encoding::Vectors));
    plain.chain(other).chain(vectors).collect()
}

/// A question about a program.
#[derive(Clone, Debug)]
struct Case {
    label: String,
    files: Vec<PathBuf>,
    options: COptions,
    truth: Verdict,
    decided_by: Vec<String>,
    /// Whether a compiler sees the violation, too.
    native: bool,
    /// What the file says is not modelled: a run may end there.
    not_modelled: Vec<String>,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn verdict(word: &str) -> Verdict {
    match word {
        "holds" => Verdict::Holds,
        "violated" => Verdict::Violated,
        _ => panic!("`{word}` is no truth: write `holds` or `violated`"),
    }
}

/// The names in a list.
fn listed(list: &str) -> Vec<String> {
    let known: Vec<&str> = encoded().iter().map(|setting| setting.0).collect();
    settings::named(list, &known)
}

/// Reads `-D NAME=VALUE`, `-I DIR`, `--data-model MODEL`, and calls of functions.
fn options(args: &str, folder: &Path, property: &str) -> COptions {
    let mut options = COptions { properties: vec![property.to_owned()], ..COptions::default() };
    let mut words = args.split_whitespace();
    while let Some(word) = words.next() {
        let call = options.call.as_mut();
        match (word, call) {
            ("--null-arguments", Some(call)) => {
                call.null = true;
                continue;
            }
            ("--free-globals", Some(call)) => {
                call.free_globals = true;
                continue;
            }
            _ => {}
        }
        let value = words.next().unwrap_or_else(|| panic!("`{word}` needs a value"));
        match word {
            "--function" => options.call = Some(Request::call(value)),
            "--assume" | "--elements" | "--unwind-data" => {
                let call = options.call.as_mut().expect("`--function` comes first");
                let number = || value.parse().expect("a number");
                match word {
                    "--assume" => call.assume.push(value.to_owned()),
                    "--elements" => call.elements = number(),
                    _ => call.links = number() as u32,
                }
            }
            "-D" => options.defines.push(value.to_owned()),
            "-I" => options.includes.push(folder.join(value)),
            "--data-model" => {
                options.model = Some(match value {
                    "ilp32" => DataModel::Ilp32,
                    "lp64" => DataModel::Lp64,
                    _ => panic!("`{value}` is no data model"),
                });
            }
            _ => panic!("`{word}` is not understood"),
        }
    }
    options
}

/// The C files of the corpus, each with the annotations at its start.
fn files() -> Vec<(PathBuf, Vec<String>)> {
    let (mut open, mut files) = (vec![root().join("corpus/c")], Vec::new());
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder).expect("the folder is there") {
            let path = entry.expect("an entry can be read").path();
            if path.is_dir() { open.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    let annotations = |path: PathBuf| {
        let text = read(&path);
        let lines = text.lines().take_while(|line| line.starts_with("//"));
        let lines = lines.map(str::to_owned).collect();
        (path, lines)
    };
    files.into_iter().map(annotations).collect()
}

/// What follows a mark.
fn find<'l>(lines: &'l [String], mark: &str) -> Option<&'l str> {
    lines.iter().find_map(|line| line.strip_prefix(mark))
}

/// Why a property is `unknown`.
fn reasons(lines: &[String], property: &str) -> Vec<String> {
    let said = lines.iter().filter_map(|line| line.strip_prefix("//? "));
    let said = said.filter_map(|line| line.split_once(' '));
    said.filter(|(asked, _)| *asked == property).map(|(_, text)| text.to_owned()).collect()
}

/// A file of the corpus and those that belong to it.
fn together(path: &Path, lines: &[String]) -> Vec<PathBuf> {
    let others = find(lines, "//@ with: ").unwrap_or("");
    let others = others.split_whitespace().map(|name| path.with_file_name(name));
    std::iter::once(path.to_owned()).chain(others).collect()
}

/// Asks a formula of linear temporal logic.
fn with_formula(mut options: COptions, formula: &str) -> COptions {
    options.properties.clear();
    options.formulas.push(formula.to_owned());
    options
}

/// The questions of the corpus.
fn annotated() -> Vec<Case> {
    let mut cases = Vec::new();
    for (path, lines) in files() {
        let find = |mark: &str| find(&lines, mark);
        let args = find("//@ args: ").unwrap_or("");
        for truth in lines.iter().filter_map(|line| line.strip_prefix("//~ltl ")) {
            let mut words = truth.splitn(3, ' ');
            let mut next = || words.next().expect("`//~ltl VERDICT ENGINES FORMULA`");
            let (word, list, formula) = (next(), next(), next());
            let name = path.strip_prefix(root()).unwrap_or(&path).display();
            cases.push(Case {
                label: format!("{name}, {formula}"),
                files: together(&path, &lines),
                options: with_formula(options(args, Path::new(""), ""), formula),
                truth: verdict(word),
                decided_by: listed(list),
                native: false,
                not_modelled: Vec::new(),
            });
        }
        for truth in lines.iter().filter_map(|line| line.strip_prefix("//~ ")) {
            let (property, word) = truth.split_once(' ').expect("`//~ PROPERTY VERDICT`");
            let own = find(&format!("//@ decided-by {property}: "));
            let list = own.or_else(|| find("//@ decided-by: ")).unwrap_or("");
            let name = path.strip_prefix(root()).unwrap_or(&path).display();
            cases.push(Case {
                label: format!("{name}, {property}"),
                files: together(&path, &lines),
                options: options(args, Path::new(""), property),
                truth: verdict(word),
                decided_by: listed(list),
                native: find(&format!("//@ native {property}: no")).is_none(),
                not_modelled: reasons(&lines, property),
            });
        }
    }
    cases
}

/// The questions about the examples: a table.
fn tabled() -> Vec<Case> {
    let folder = root().join("examples/c");
    let text = read(&root().join("corpus/c.tsv"));
    let rows = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    let case = |row: &str| {
        let cells: Vec<&str> = row.split('\t').collect();
        let [files, args, property, truth, list] = cells[..] else { panic!("five cells: {row}") };
        Case {
            label: format!("{files} {args}, {property}"),
            files: files.split(' ').map(|file| folder.join(file)).collect(),
            options: options(if args == "-" { "" } else { args }, &folder, property),
            truth: verdict(truth),
            decided_by: listed(list),
            native: true,
            not_modelled: Vec::new(),
        }
    };
    rows.skip(1).map(case).collect()
}

/// Whether the program decides by itself what it does.
fn is_determined(c: &CProgram) -> bool {
    // With several threads, what happens is up to who moves when.
    !c.program.has_threads()
        && c.program.functions.iter().all(|f| {
            f.edges.iter().all(|e| match &e.op {
                Op::Input { .. } | Op::Havoc { .. } => false,
                Op::Call { callee: parallax_cfa::Callee::Direct(f), .. } => {
                    c.program.functions[*f].is_defined
                }
                _ => true,
            })
        })
}

/// What random runs say against the truth.
fn run(case: &Case) -> Vec<String> {
    let c = match load_c(&case.files, &case.options) {
        Ok(c) => c,
        Err(error) => return vec![format!("{}: does not load: {error:?}", case.label)],
    };
    let mut wrong = Vec::new();
    let mut is_broken = false;
    for seed in 0..RUNS {
        let inputs = CInputs { given: Vec::new(), seed: Some(seed), max_steps: STEPS };
        let recording = run_c(&c, &inputs, true).expect("random inputs make sense");
        let breaks = c.properties.iter().any(|p| parallax::breaks(p, &recording));
        is_broken |= breaks;
        let end = CRunEnd::of(&recording);
        if breaks && case.truth == Verdict::Holds {
            let outcome = &recording.report.outcome;
            wrong.push(format!("{}: a run breaks it, seed {seed}: {outcome}", case.label));
            break;
        }
        if end == CRunEnd::Open && recording.report.steps < STEPS {
            let how = recording.report.outcome.to_string();
            if !case.not_modelled.iter().any(|reason| how.contains(reason)) {
                wrong.push(format!("{}: a run ends by {how}", case.label));
            }
            break;
        }
    }
    let must_break = case.truth == Verdict::Violated && is_determined(&c);
    let is_open = ["uninitialized", "arbitrary/"].iter().any(|part| case.label.contains(part));
    if must_break && !is_broken && !is_open {
        wrong.push(format!("{}: no run breaks it", case.label));
    }
    wrong
}

/// Formulas are asked of models, too, so they stand beside what is said of C.
fn load_options(c: COptions) -> LoadOptions {
    LoadOptions { formulas: c.formulas.clone(), c, ..LoadOptions::default() }
}

/// What engines say against the truth.
fn check(case: &Case) -> Vec<String> {
    let (mut wrong, mut seen) = (Vec::new(), false);
    // The program is read once, and turned into terms once for each encoding.
    let mut tasks: Vec<(Encoding, Task)> = Vec::new();
    for encoding in [Encoding::Integers, Encoding::Vectors] {
        let options = COptions { encoding, ..case.options.clone() };
        match load_c(&case.files, &options).and_then(c_task) {
            Ok(task) => tasks.push((encoding, task)),
            Err(error) => return vec![format!("{}: does not load: {error:?}", case.label)],
        }
    }
    for (setting, engine, encoding) in encoded() {
        let (_, task) = tasks.iter().find(|(of, _)| *of == encoding).expect("both are there");
        let must = case.decided_by.iter().any(|s| s == setting);
        // Without a formula, `ltl` is asked nothing.
        if engine == "ltl" && case.options.formulas.is_empty() {
            continue;
        }
        let mut config = EngineConfig::default();
        if setting == "cegar-invariants" {
            config.cegar.invariants = Known::Facts;
        }
        let checked = Check::new(task)
            .engine(EngineChoice::Only(engine.into()), config)
            .budget(Budget::new(Some(if must { MUST } else { MAY }), None))
            // Second proofs take time; those of one engine are enough to be certified.
            .doubt(setting == "cegar")
            .run();
        let say = |what: &str| format!("{}, {setting}: {what}", case.label);
        let checked = match checked {
            Ok(checked) => checked,
            Err(error) => {
                wrong.push(say(&error.to_string()));
                continue;
            }
        };
        match checked.verdict(task) {
            verdict if verdict == case.truth => {
                settings::decided(&case.label, setting, checked.statistics.time);
                wrong.extend(certify(case, task, &checked).map(|what| say(&what)));
                if case.native && !std::mem::replace(&mut seen, true) {
                    wrong.extend(natively(task, &checked).map(|what| say(&what)));
                }
            }
            Verdict::Unknown if !must => {}
            Verdict::Unknown => {
                let found = &checked.answers[0].outcome.finding;
                let why =
                    if let Finding::Unknown(why) = found { why.to_string() } else { String::new() };
                wrong.push(say(&format!("not decided: {why}")));
            }
            verdict => wrong.push(say(&format!("{verdict}, which is not true"))),
        }
    }
    wrong
}

/// Whether a violation happens when the program is compiled and run; if not,
/// what happens instead. Values that a harness cannot set excuse it.
fn natively(task: &Task, checked: &Checked) -> Option<String> {
    match run_natively(task, checked)? {
        Native::Reproduced(_) => None,
        Native::Otherwise(_, unset) if unset > 0 => None,
        Native::NotSeen(why) if why.starts_with("no compiler notices") => None,
        other => Some(format!("natively {other}")),
    }
}

/// Whether the evidence is worth the same in a file, to somebody who asks the
/// same question; if not, what is wrong.
fn certify(case: &Case, task: &Task, checked: &Checked) -> Option<String> {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let nth = NEXT.fetch_add(1, Ordering::Relaxed);
    let name = format!("parallax-corpus-{}-{nth}.json", std::process::id());
    let path = std::env::temp_dir().join(name);
    let mut bytes = Vec::new();
    save_evidence(task, checked, &mut bytes).expect("memory takes all");
    std::fs::write(&path, bytes).expect("a file");
    let options = load_options(case.options.clone());
    let checkers = Checkers::new(SolverConfig::default());
    let budget = Budget::new(Some(MUST), None);
    let certified = certify_files(&case.files, &options, &path, &checkers, &budget);
    std::fs::remove_file(&path).ok();
    match certified.map(|(task, checked)| checked.verdict(&task)) {
        Ok(verdict) if verdict == case.truth => None,
        Ok(verdict) => Some(format!("its evidence is certified as {verdict}")),
        Err(error) => Some(format!("its evidence is not certified: {error}")),
    }
}

/// Looks at all cases, several at a time.
fn all(cases: &[Case], look: fn(&Case) -> Vec<String>) {
    let (next, wrong) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let found = look(case);
                    wrong.lock().expect("no thread panics here").extend(found);
                }
            });
        }
    });
    let mut wrong = wrong.into_inner().expect("no thread panics here");
    wrong.sort();
    assert!(wrong.is_empty(), "{} failures:\n  {}\n", wrong.len(), wrong.join("\n  "));
}

fn cases() -> Vec<Case> {
    let mut cases = annotated();
    assert!(cases.len() >= 400, "the corpus has been lost");
    cases.extend(tabled());
    // While a file is written, the others can wait.
    if let Ok(part) = std::env::var("PARALLAX_CORPUS") {
        cases.retain(|case| case.label.contains(&part));
    }
    cases
}

#[test]
fn runs_of_c_programs_keep_to_the_truth() {
    all(&cases(), run);
}

#[test]
fn c_programs_are_answered_truly() {
    all(&cases(), check);
}

/// Asks `bmc`, and says what is wrong with the answer.
fn said(path: &Path, lines: &[String], property: &str, text: &str, open: bool) -> Vec<String> {
    let args = find(lines, "//@ args: ").unwrap_or("");
    let c = options(args, Path::new(""), property);
    let loaded = load_files(&together(path, lines), &LoadOptions { c, ..LoadOptions::default() });
    let say = |what: String| vec![format!("{}, {property}: {what}", path.display())];
    let task = match loaded {
        Ok(task) => task,
        Err(error) => return say(format!("does not load: {error:?}")),
    };
    let checked = Check::new(&task)
        .engine(EngineChoice::Only("bmc".into()), EngineConfig::default())
        .budget(Budget::new(Some(MUST), None))
        .run();
    let checked = match checked {
        Ok(checked) => checked,
        Err(error) => return say(error.to_string()),
    };
    let found = match (open, &checked.answers[0].outcome.finding) {
        (true, Finding::Unknown(why)) => why.to_string(),
        (true, _) => return say("answered".to_owned()),
        (false, _) => checked.assumptions.join("; "),
    };
    if found.contains(text) { Vec::new() } else { say(format!("it says {found}")) }
}

#[test]
fn what_is_not_modelled_and_what_is_assumed_is_said() {
    let mut wrong = Vec::new();
    for (path, lines) in files() {
        for line in lines.iter().filter_map(|line| line.strip_prefix("//? ")) {
            let (property, text) = line.split_once(' ').expect("`//? PROPERTY REASON`");
            wrong.extend(said(&path, &lines, property, text, true));
        }
        for line in lines.iter().filter_map(|line| line.strip_prefix("//@ assumes ")) {
            let (property, text) = line.split_once(": ").expect("`//@ assumes PROPERTY: TEXT`");
            wrong.extend(said(&path, &lines, property, text, false));
        }
    }
    assert!(wrong.is_empty(), "{} failures:\n  {}\n", wrong.len(), wrong.join("\n  "));
}

#[test]
fn every_example_is_tabled() {
    let tabled = tabled();
    for entry in std::fs::read_dir(root().join("examples/c")).expect("the folder is there") {
        let path = entry.expect("an entry can be read").path();
        if path.extension().is_some_and(|e| e == "c") {
            let known = tabled.iter().any(|c| c.files.iter().any(|f| f.ends_with(&path)));
            assert!(known, "corpus/c.tsv does not list {}", path.display());
        }
    }
}
