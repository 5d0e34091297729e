//! Invariants of loops: they are true, they are accepted, damaged they are not,
//! and symbolic abstraction is as precise as it should be.

mod support;

use parallax::invariants::{
    Analysis, Family, Found, INVARIANTS, InvariantError, InvariantOptions, Precision,
    find_invariants,
};
use parallax::{
    Blocks, Budget, CInputs, COptions, Checkers, Encoding, LoadOptions, Passes, SolverConfig,
    Verdict, breaks, certify_files, load_c, load_files, load_text, run_c, save_evidence,
};
use parallax_term::{Code, Scratch, Value};
use std::path::{Path, PathBuf};
use std::time::Duration;
use support::{random_model, reachable};

fn budget() -> Budget {
    Budget::new(Some(Duration::from_secs(60)), None)
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/c/invariants")
}

fn options(analysis: Analysis, family: Family) -> InvariantOptions {
    InvariantOptions { analysis, family, ..InvariantOptions::default() }
}

/// The invariants of a C program.
fn analyzed(path: &Path, analysis: Analysis, family: Family) -> Found {
    let blocks = match analysis {
        Analysis::Symbolic => Blocks::LoopFree,
        _ => Blocks::Single,
    };
    let c = COptions {
        encoding: Encoding::Integers,
        blocks,
        passes: Passes::Whole,
        ..COptions::default()
    };
    let task = load_files(&[path.to_owned()], &LoadOptions { c, ..LoadOptions::default() });
    let found = find_invariants(task.expect("it loads"), &options(analysis, family), &budget());
    found.expect("invariants")
}

/// All facts about the first loop, in order.
fn facts(found: &Found) -> Vec<String> {
    let mut facts = found.loops[0].facts.clone();
    facts.sort();
    facts
}

/// A line `//@ facts FAMILY: FACT; ...` of a file says what is found at its first
/// loop, among other things.
#[test]
fn invariants_of_the_corpus_are_what_they_should_be() {
    let mut asked = 0;
    for entry in std::fs::read_dir(folder()).expect("the folder is there") {
        let path = entry.expect("an entry").path();
        let text = std::fs::read_to_string(&path).expect("a text");
        for line in text.lines().filter_map(|line| line.strip_prefix("//@ facts ")) {
            let (family, wanted) = line.split_once(": ").expect("`//@ facts FAMILY: FACTS`");
            let family = match family {
                "intervals" => Family::Intervals,
                "octagons" => Family::Octagons,
                "affine" => Family::Affine,
                _ => panic!("`{family}` is no family of the corpus"),
            };
            let found = facts(&analyzed(&path, Analysis::Symbolic, family));
            for fact in wanted.split("; ") {
                let is_found = found.iter().any(|other| other == fact);
                assert!(is_found, "{}: no `{fact}` in {found:?}", path.display());
            }
            asked += 1;
        }
    }
    assert!(asked >= 4, "the annotations have been lost");
}

#[test]
fn whole_blocks_are_more_precise_than_statements() {
    // Between the two assignments the bound does not hold.
    let path = std::env::temp_dir().join(format!("parallax-precise-{}.c", std::process::id()));
    let text = "extern int any(void);\nint main(void) {\n  int x = 0, y = 0;\n  while (any()) {\n    \
                int t = any();\n    if (t < 0 || t > 9) t = 5;\n    x = t;\n    y = x - t;\n  }\n  \
                return x + y;\n}\n";
    std::fs::write(&path, text).expect("a file");
    let whole = analyzed(&path, Analysis::Symbolic, Family::Intervals);
    let parts = analyzed(&path, Analysis::Statements, Family::Intervals);
    let plain = analyzed(&path, Analysis::Plain, Family::Intervals);
    assert_eq!(plain.checked.verdict(&plain.task), Verdict::Holds);
    assert_ne!(plain.loops[0].compare(&parts.loops[0]), Precision::More);
    std::fs::remove_file(&path).ok();
    assert_eq!(whole.checked.verdict(&whole.task), Verdict::Holds);
    assert_eq!(parts.checked.verdict(&parts.task), Verdict::Holds);
    assert_eq!(facts(&whole), ["x <= 9", "x >= 0", "y == 0"]);
    assert_eq!(whole.loops[0].compare(&parts.loops[0]), Precision::More);
    assert_eq!(parts.loops[0].compare(&whole.loops[0]), Precision::Less);
    assert_eq!(whole.loops[0].compare(&whole.loops[0]), Precision::Equal);
}

/// The facts become assertions inside the loops; no run may break them.
#[test]
fn invariants_are_true_in_c() {
    let scratch = std::env::temp_dir().join(format!("parallax-facts-{}", std::process::id()));
    std::fs::create_dir_all(&scratch).expect("a folder");
    let mut told = 0;
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder())
        .expect("a folder")
        .map(|e| e.expect("an entry").path())
        .collect();
    paths.sort();
    for path in paths {
        let text = std::fs::read_to_string(&path).expect("text");
        if !text.contains("//~ unreach-call holds") {
            continue;
        }
        for (analysis, family) in
            [(Analysis::Symbolic, Family::Auto), (Analysis::Statements, Family::Octagons)]
        {
            let found = analyzed(&path, analysis, family);
            assert_eq!(found.checked.verdict(&found.task), Verdict::Holds, "{}", path.display());
            let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
            for one in &found.loops {
                let file = found.task.sources.get(one.span.file).expect("a file");
                let at = file.line_column(one.span.lo).line as usize - 1;
                if one.facts.is_empty() || !lines[at].ends_with('{') {
                    continue;
                }
                let all = one.facts.join(") && (");
                lines[at].push_str(&format!(" if (!(({all}))) reach_error();"));
                told += 1;
            }
            let stronger = scratch.join(path.file_name().expect("a name"));
            std::fs::write(&stronger, lines.join("\n")).expect("a file");
            let asked = vec!["unreach-call".into()];
            let options = COptions { properties: asked, ..COptions::default() };
            let program = load_c(&[stronger], &options).expect("a C program");
            for seed in 0..40 {
                let inputs = CInputs { given: Vec::new(), seed: Some(seed), max_steps: 5_000 };
                let recording = run_c(&program, &inputs, true).expect("a run");
                let broken = program.properties.iter().any(|p| breaks(p, &recording));
                assert!(!broken, "{} with {analysis:?}:\n{}", path.display(), lines.join("\n"));
            }
        }
    }
    std::fs::remove_dir_all(&scratch).ok();
    assert!(told > 8, "only {told} loops were looked at");
}

#[test]
fn relations_have_any_factors() {
    let affine =
        |name: &str| facts(&analyzed(&folder().join(name), Analysis::Symbolic, Family::Affine));
    assert_eq!(affine("twice.c")[0], "2 * (long long)x == (long long)y");
    assert_eq!(affine("wrapped-pair.c"), ["((long long)a - 3 * (long long)b) % 4294967296 == 0"]);
    assert_eq!(affine("stride.c")[0], "((long long)i) % 3 == 0");
    let path = folder().join("wrapped-pair.c");
    let found = analyzed(&path, Analysis::Symbolic, Family::Affine);
    assert_eq!(found.checked.verdict(&found.task), Verdict::Holds);
    let mut bytes = Vec::new();
    save_evidence(&found.task, &found.checked, &mut bytes).expect("memory takes all");
    let text = String::from_utf8(bytes).expect("JSON");
    // Only one modulus is closed under steps, and so is only one factor.
    for (good, bad) in
        [("4294967296", "8589934592"), ("4294967296", "65537"), ("(* (- 3) b)", "(* (- 5) b)")]
    {
        assert!(text.contains(good), "{text}");
        assert_ne!(certified(&path, &text.replace(good, bad)), Some(Verdict::Holds), "{bad}");
    }
    assert_eq!(certified(&path, &text), Some(Verdict::Holds));
}

/// What `certify` says of evidence about invariants; nothing if it makes no sense.
fn certified(path: &Path, text: &str) -> Option<Verdict> {
    let file = std::env::temp_dir().join(format!("parallax-affine-{}.json", std::process::id()));
    std::fs::write(&file, text).expect("a file");
    let c = COptions { properties: vec![INVARIANTS.into()], ..COptions::default() };
    let asked = LoadOptions { c, ..LoadOptions::default() };
    let checkers = Checkers::new(SolverConfig::default());
    let paths = [path.to_owned()];
    let verdict = certify_files(&paths, &asked, &file, &checkers, &budget());
    std::fs::remove_file(&file).ok();
    verdict.ok().map(|(task, checked)| checked.verdict(&task))
}

#[test]
fn evidence_is_accepted_and_damaged_evidence_is_not() {
    let path = folder().join("saturated.c");
    let found = analyzed(&path, Analysis::Symbolic, Family::Intervals);
    let mut bytes = Vec::new();
    save_evidence(&found.task, &found.checked, &mut bytes).expect("memory takes all");
    let text = String::from_utf8(bytes).expect("JSON");
    let file = std::env::temp_dir().join(format!("parallax-claims-{}.json", std::process::id()));
    let c = COptions { properties: vec![INVARIANTS.into()], ..COptions::default() };
    let asked = LoadOptions { c, ..LoadOptions::default() };
    let certify = |text: &str| {
        std::fs::write(&file, text).expect("a file");
        let checkers = Checkers::new(SolverConfig::default());
        certify_files(std::slice::from_ref(&path), &asked, &file, &checkers, &budget())
            .map(|(task, checked)| checked.verdict(&task))
    };
    assert_eq!(certify(&text).expect("it is read"), Verdict::Holds);
    // The claim is more than the regions say, or the regions are not closed.
    for (nth, _) in text.match_indices("(<= level 50)") {
        let mut damaged = text.clone();
        damaged.replace_range(nth..nth + 13, "(<= level 49)");
        assert_ne!(certify(&damaged).expect("it is read"), Verdict::Holds, "{damaged}");
    }
    assert!(text.matches("(<= level 50)").count() >= 2, "{text}");
    let nonsense = text.replace("(<= level 50)", "(<= nobody 50)");
    assert!(certify(&nonsense).is_err());
    std::fs::remove_file(&file).ok();
}

#[test]
fn templates_can_be_given() {
    let text = "var x: int = 0; var y: int = 0; var z: int = 7;
                process P { up: when x < 10 do x := x + 2, y := y + 1, z := z; }";
    let wanted = InvariantOptions {
        family: Family::Intervals,
        templates: vec!["x - 2*y".into()],
        ..InvariantOptions::default()
    };
    let task = load_text("pair.plx", text, &[]).expect("a model");
    let found = find_invariants(task.clone(), &wanted, &budget()).expect("invariants");
    assert!(found.loops[0].facts.contains(&"x == 2 * y".to_owned()), "{:?}", found.loops[0].facts);
    for (wrong, message) in [
        ("x + ", "expected the name of a variable at column 5"),
        ("x + w", "no loop knows all of the integer variables x, w"),
    ] {
        let wanted = InvariantOptions { templates: vec![wrong.into()], ..wanted.clone() };
        match find_invariants(task.clone(), &wanted, &budget()) {
            Err(InvariantError::Template { message: found, .. }) => assert_eq!(found, message),
            other => assert!(other.is_err(), "`{wrong}` was taken"),
        }
    }
}

/// Against all states that are really reached.
#[test]
fn invariants_of_random_models_hold() {
    let (mut seen, mut said) = (0, 0);
    for seed in 0..150 {
        let text = random_model(seed);
        let Ok(task) = load_text("random.plx", &text, &[]) else { continue };
        let Some(states) = reachable(&task.program) else { continue };
        for (analysis, family) in [
            (Analysis::Symbolic, Family::Intervals),
            (Analysis::Symbolic, Family::Octagons),
            (Analysis::Symbolic, Family::Affine),
            (Analysis::Symbolic, Family::Auto),
            (Analysis::Statements, Family::Octagons),
            (Analysis::Plain, Family::Intervals),
            (Analysis::Widened, Family::Intervals),
        ] {
            let found = find_invariants(task.clone(), &options(analysis, family), &budget());
            let found = found.expect("small models are analyzed");
            assert_eq!(found.checked.verdict(&found.task), Verdict::Holds, "{seed}: {text}");
            let program = &found.task.program;
            let target = program.properties.iter().last().expect("the claims").target;
            let slot = |term| program.slot(term);
            let code = Code::compile(&program.store, &[target], slot);
            let mut scratch = Scratch::default();
            for state in &states {
                let state: &[Value] = state;
                assert!(!code.test(state, &mut scratch), "{seed}, {analysis:?}: {state:?}\n{text}");
            }
            seen += 1;
            said += found.loops.iter().map(|l| l.facts.len()).sum::<usize>();
        }
    }
    assert!(seen > 100 && said > 300, "{seen} analyses with {said} facts");
}
