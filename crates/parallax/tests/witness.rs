//! Loop invariants in correctness witnesses hold of the programs they are about.
//!
//! Each invariant is put into its loop as an assertion; the program with it must
//! hold as well, and so must every random run.

use parallax::{
    Budget, CInputs, COptions, Check, EngineChoice, LoadOptions, Task, Verdict, breaks, c_witness,
    load_c, load_files, run_c,
};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

fn options() -> COptions {
    COptions { properties: vec!["unreach-call".into()], ..COptions::default() }
}

fn load(path: &Path) -> Task {
    let options = LoadOptions { c: options(), ..LoadOptions::default() };
    load_files(&[path.to_owned()], &options).expect("a C program")
}

/// The value behind a key of a line, without quotes.
fn field<'t>(line: &'t str, key: &str) -> Option<&'t str> {
    let text = line.trim().strip_prefix(key)?.strip_prefix(':')?.trim();
    Some(text.trim_matches(|c| c == '"' || c == '\''))
}

/// The invariants of a witness: line of the loop and expression. Long ones are
/// folded over several lines.
fn invariants(witness: &str) -> Vec<(usize, String)> {
    let mut found: Vec<(usize, String)> = Vec::new();
    let (mut line, mut depth) = (0, None);
    for text in witness.lines() {
        let indent = text.len() - text.trim_start().len();
        if depth.is_some_and(|depth| indent > depth) {
            let (_, value) = found.last_mut().expect("a value was begun");
            value.push(' ');
            value.push_str(text.trim());
            continue;
        }
        depth = None;
        if let Some(number) = field(text, "line") {
            line = number.parse().expect("a number");
        }
        if let Some(value) = field(text, "value") {
            let is_folded = value == ">-";
            depth = is_folded.then_some(indent);
            found.push((line, if is_folded { String::new() } else { value.to_owned() }));
        }
    }
    found
}

fn check(name: &str, text: &str, engine: &str, wanted: &[&str]) {
    let folder = std::env::temp_dir().join(format!("parallax-witness-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path: PathBuf = folder.join(format!("{name}.c"));
    std::fs::write(&path, text).expect("a file");
    let prove = |path: &Path| {
        let task = load(path);
        let checked = Check::new(&task)
            .engine(EngineChoice::Only(engine.into()), Default::default())
            .budget(Budget::new(Some(Duration::from_secs(60)), None))
            .run()
            .expect("a check");
        assert_eq!(checked.verdict(&task), Verdict::Holds, "{name}");
        c_witness(&task, &checked, SystemTime::UNIX_EPOCH).expect("a witness").expect("a proof")
    };
    let witness = prove(&path);
    let found = invariants(&witness);
    for wanted in wanted {
        assert!(found.iter().any(|(_, v)| v.contains(wanted)), "{name}: `{wanted}` in\n{witness}");
    }
    // The loops of these programs have their braces on the line of the keyword.
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for (line, value) in &found {
        let at = &mut lines[line - 1];
        assert!(at.contains("while") || at.contains("for"), "{name}: line {line} is no loop");
        *at = at.replacen('{', &format!("{{ if (!({value})) reach_error();"), 1);
    }
    let stronger = folder.join(format!("{name}-invariants.c"));
    std::fs::write(&stronger, lines.join("\n")).expect("a file");
    prove(&stronger);
    let program = load_c(&[stronger], &options()).expect("a C program");
    for seed in 0..50 {
        let inputs = CInputs { given: Vec::new(), seed: Some(seed), max_steps: 5_000 };
        let recording = run_c(&program, &inputs, true).expect("a run");
        assert!(!program.properties.iter().any(|p| breaks(p, &recording)), "{name}");
    }
    std::fs::remove_dir_all(&folder).ok();
}

#[test]
fn invariants_of_proofs_are_true_in_c() {
    let head = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n";
    check(
        "counter",
        &format!(
            "{head}int main(void) {{\n  int x = 0, y = 0;\n  while (x < 1000) {{\n    x++; y++;\n  }}\n  \
             if (x != y) reach_error();\n  return 0;\n}}\n"
        ),
        "symba",
        &["(long long)x == (long long)y"],
    );
    check(
        "called",
        &format!(
            "{head}static int rest;\nstatic void work(int n) {{\n  while (n > 0) {{\n    n--; rest = n;\n  }}\n  \
             if (n < 0) reach_error();\n}}\n\
             int main(void) {{\n  int n = __VERIFIER_nondet_int();\n  if (n < 0) return 0;\n  work(n);\n  return 0;\n}}\n"
        ),
        "cegar",
        &["n"],
    );
}
