//! Recursive C programs: proofs with contracts, and contracts that are wrong.
//!
//! The truth about random programs comes from running them with every input.

#![expect(clippy::panic, reason = "a case that cannot be set up fails the test")]

use parallax::{
    Budget, COptions, CertifyError, Check, Checked, Checkers, ContractClaim, EngineChoice, Finding,
    LoadOptions, SolverConfig, Task, Verdict, certify_files, load_files, save_evidence,
    with_contracts,
};
use parallax_cfa::run::{Interpreter, Options, Outcome, Recorded};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

fn corpus(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/c/recursion").join(name)
}

fn asked() -> LoadOptions {
    let c = COptions { properties: vec!["unreach-call".into()], ..COptions::default() };
    LoadOptions { c, ..LoadOptions::default() }
}

fn load(path: &Path) -> Task {
    load_files(&[path.to_owned()], &asked()).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn certified(path: &Path, evidence: &Path) -> Result<(Task, Checked), CertifyError> {
    let checkers = Checkers::new(SolverConfig::default());
    certify_files(&[path.to_owned()], &asked(), evidence, &checkers, &budget(60))
}

fn budget(seconds: u64) -> Budget {
    Budget::new(Some(Duration::from_secs(seconds)), None)
}

fn claim(function: &str, requires: &[&str], ensures: &[&str]) -> ContractClaim {
    let own = |list: &[&str]| list.iter().map(|s| (*s).to_owned()).collect();
    ContractClaim { function: function.into(), requires: own(requires), ensures: own(ensures) }
}

/// What the engines make of a program with contracts.
fn judged(name: &str, contracts: &[ContractClaim]) -> Verdict {
    let task = load(&corpus(name));
    let made = with_contracts(&task, "unreach-call", contracts).expect("the contracts fit");
    let checked = Check::new(&made).budget(budget(20)).run().expect("a check");
    checked.verdict(&made)
}

#[test]
fn true_contracts_prove() {
    let check = |name: &str, contracts: &[ContractClaim]| {
        assert_eq!(judged(name, contracts), Verdict::Holds, "{name}");
    };
    check("identity.c", &[claim("identity", &[], &[r"\result == n"])]);
    check(
        "mccarthy.c",
        &[claim(
            "ninety_one",
            &[],
            &[r"n <= 100 || \result == n - 10", r"101 <= n || \result == 91"],
        )],
    );
    let parity =
        |f: &str, off: &str| claim(f, &["0 <= n"], &[&format!(r"\result == n{off} (mod 2)")]);
    check("even-odd.c", &[parity("is_even", " + 1"), parity("is_odd", "")]);
    // One contract is enough where the other function is only on the way.
    check("even-odd.c", &[parity("is_even", " + 1")]);
    check("inside.c", &[claim("down", &["n <= bound"], &[])]);
    check("endless.c", &[claim("forever", &[], &["1 <= 0"])]);
}

#[test]
fn wrong_contracts_prove_nothing() {
    let check = |name: &str, contracts: &[ContractClaim]| {
        assert_eq!(judged(name, contracts), Verdict::Unknown, "{name}: {contracts:?}");
    };
    // Too strong: the body does not keep them.
    check("identity.c", &[claim("identity", &[], &[r"\result == n", "n <= 5"])]);
    check("identity.c", &[claim("identity", &["n <= 5"], &[r"\result == n"])]);
    check("mccarthy-broken.c", &[claim("ninety_one", &[], &[r"\result == 91"])]);
    check("mccarthy-broken.c", &[claim("ninety_one", &["n <= 101"], &[r"\result == 91"])]);
    check("mccarthy-broken.c", &[claim("ninety_one", &[], &["1 <= 0"])]);
    check("counter-broken.c", &[claim("walk", &[], &["steps != 12"])]);
    check("counter-broken.c", &[claim("walk", &["steps <= 5"], &["steps <= 11"])]);
    check("global-changed.c", &[claim("deepest", &[], &[r"last == n"])]);
    check("global-changed.c", &[claim("deepest", &[], &[r"last == \old(last)"])]);
    check("fibonacci-broken.c", &[claim("fibonacci", &[], &[r"n <= \result"])]);
    check("wraps.c", &[claim("up", &[], &[r"\result != 200"])]);
    check("wraps.c", &[claim("up", &["n <= 55"], &[r"\result != 200"])]);
    // What is required is checked for the calls inside as well.
    check("inside-broken.c", &[claim("down", &["depth <= 19"], &[])]);
    check("inside-broken.c", &[claim("down", &["depth <= 5"], &[])]);
    // Too weak for the property.
    check("identity.c", &[claim("identity", &[], &[])]);
    check("even-odd.c", &[claim("is_even", &["0 <= n"], &[r"\result <= 1"])]);
    check("inside.c", &[claim("down", &[], &[])]);
}

#[test]
fn what_contracts_cannot_stand_for_is_refused() {
    let check = |name: &str, function: &str, expected: &str| {
        let task = load(&corpus(name));
        let contract = claim(function, &[], &["1 <= 0"]);
        let error = with_contracts(&task, "unreach-call", &[contract]).expect_err("refused");
        assert!(error.to_string().contains(expected), "{name}: {error}");
    };
    check("pointer-argument.c", "fill", "not numbers");
    check("frame-pointer.c", "poke", "pointer");
    check("through-pointer.c", "first", "`next`");
    check("undefined-inside.c", "walk", "`touch`, which is not defined");
    check("identity.c", "main", "does not recur");
    check("identity.c", "nobody", "no single function");
}

/// A temporary folder with a file in it.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("parallax-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a temporary folder");
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What is left behind is a small file.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn evidence_files_with_contracts_are_checked_from_scratch() {
    let folder = Folder::new("contracts");
    let mut rejected = 0;
    for (name, right, wrong) in [
        ("mccarthy.c", "== 91", "== 92"),
        ("identity.c", "== n", "== n + 1"),
        ("gcd.c", "1 <= a", "2 <= a"),
        ("counter.c", "+ n (mod", "+ 2 * n (mod"),
        ("inside.c", "n <= bound", "n <= bound + 1"),
    ] {
        let path = corpus(name);
        let task = load(&path);
        let checked = Check::new(&task).budget(budget(60)).run().expect("a check");
        assert_eq!(checked.verdict(&task), Verdict::Holds, "{name}");
        let mut text = Vec::new();
        save_evidence(&task, &checked, &mut text).expect("memory takes all");
        let text = String::from_utf8(text).expect("evidence is text");
        let file = folder.0.join("evidence.json");
        let certify = |text: &str| {
            std::fs::write(&file, text).expect("a file");
            certified(&path, &file)
        };
        let (task, checked) = certify(&text).expect("it fits");
        assert_eq!(checked.verdict(&task), Verdict::Holds, "{name}");
        assert!(text.contains(right), "{name}: {text}");
        // A program with another contract may have other transitions; then
        // the file does not even fit.
        if let Ok((task, checked)) = certify(&text.replace(right, wrong)) {
            assert_eq!(checked.verdict(&task), Verdict::Unknown, "{name}: a wrong contract");
            rejected += 1;
        }
        assert!(certify(&text.replace("\"function\":\"", "\"function\":\"x")).is_err(), "{name}");
    }
    assert!(rejected >= 3, "{rejected} wrong contracts were looked at");
}

#[test]
fn evidence_files_with_inputs_are_run_again() {
    let folder = Folder::new("inputs");
    let path = corpus("counter-broken.c");
    let task = load(&path);
    let checked = Check::new(&task).budget(budget(60)).run().expect("a check");
    assert_eq!(checked.verdict(&task), Verdict::Violated);
    assert!(matches!(checked.answers[0].outcome.finding, Finding::Executed(_)));
    let mut text = Vec::new();
    save_evidence(&task, &checked, &mut text).expect("memory takes all");
    let text = String::from_utf8(text).expect("evidence is text");
    let file = folder.0.join("evidence.json");
    for (inputs, expected) in
        [("[11]", Verdict::Violated), ("[12]", Verdict::Unknown), ("[]", Verdict::Unknown)]
    {
        assert!(text.contains("\"inputs\":[11]"));
        std::fs::write(&file, text.replace("[11]", inputs)).expect("a file");
        let (task, checked) = certified(&path, &file).expect("it fits");
        assert_eq!(checked.verdict(&task), expected, "{inputs}");
    }
}

/// Random programs with recursion over small numbers.
struct Writer {
    rng: StdRng,
}

impl Writer {
    fn pick<'a>(&mut self, items: &[&'a str]) -> &'a str {
        items[self.rng.random_range(0..items.len())]
    }

    fn value(&mut self) -> String {
        let number = self.rng.random_range(0..6).to_string();
        let value = self.pick(&["n", "a", "g", "r", "NUMBER"]);
        value.replace("NUMBER", &number)
    }

    fn expression(&mut self) -> String {
        let (left, right) = (self.value(), self.value());
        match self.rng.random_range(0..4) {
            0 => left,
            _ => format!("{left} {} {right}", self.pick(&["+", "-", "^", "+"])),
        }
    }

    fn condition(&mut self) -> String {
        format!("{} {} {}", self.value(), self.pick(&["<", "==", ">", "!="]), self.value())
    }

    fn statement(&mut self, callee: &str) -> String {
        let (value, condition) = (self.expression(), self.condition());
        match self.rng.random_range(0..9) {
            0 => format!("g = {value};"),
            1 => format!("if ({condition}) g++;"),
            2 => format!("if ({condition}) return {value};"),
            3 => format!("if ({condition}) exit(0);"),
            4 => format!("if ({condition}) {{ r = {value}; }} else {{ a = r; }}"),
            5 => format!("if ({condition} && {}) reach_error();", self.condition()),
            6 => format!("if ({condition}) {callee}(n - 1, {value});"),
            _ => format!("r = {callee}(n - 1, {value});"),
        }
    }

    fn program(&mut self) -> String {
        let mut text = String::from(
            "extern void reach_error(void); extern void exit(int);\n\
             extern unsigned char __VERIFIER_nondet_uchar(void);\n\
             unsigned char g; unsigned char h(unsigned char n, unsigned char a);\n",
        );
        for (name, other) in [("f", "h"), ("h", "f")] {
            let base = self.value().replace('r', "n");
            let _ = write!(
                text,
                "unsigned char {name}(unsigned char n, unsigned char a) {{\n  unsigned char r = 0;\n  if (n == 0) return {base};\n"
            );
            for _ in 0..self.rng.random_range(1..4) {
                let callee = if self.rng.random_range(0..3) == 0 { other } else { name };
                let statement = self.statement(callee);
                let _ = writeln!(text, "  {statement}");
            }
            let result = self.expression();
            let _ = writeln!(text, "  return {result};\n}}");
        }
        let (limit, a) = (self.rng.random_range(1..9), self.rng.random_range(0..4));
        let asked = self.condition().replace('a', "0").replace('n', "x");
        let _ = writeln!(
            text,
            "int main(void) {{\n  unsigned char x = __VERIFIER_nondet_uchar();\n  \
             if (x > {limit}) return 0;\n  unsigned char r = f(x, {a});\n  \
             if ({asked} && r != g) reach_error();\n  return 0;\n}}"
        );
        text
    }
}

/// Whether some input breaks the property; `None` if a run does not end.
fn is_broken(task: &Task) -> Option<bool> {
    let c = task.origin.c().expect("a C program");
    let options = Options { max_steps: 2_000_000, ..Options::default() };
    let interpreter = Interpreter::new(&c.source.program, options);
    let mut broken = false;
    for input in 0..=255 {
        match interpreter.run(&mut Recorded::new(vec![input])).outcome {
            Outcome::Error(_) => broken = true,
            Outcome::Exit(_) | Outcome::Halt => {}
            _ => return None,
        }
    }
    Some(broken)
}

/// Random contracts: most are wrong, some are right.
fn contracts(writer: &mut Writer) -> Vec<ContractClaim> {
    let mut made = Vec::new();
    for function in ["f", "h"] {
        let mut clause = |values: &[&str]| {
            let (left, right) = (writer.pick(values), writer.pick(values));
            let relation = writer.pick(&["<=", "==", "!=", "<="]);
            let number = writer.rng.random_range(0..9);
            match writer.rng.random_range(0..3) {
                0 => format!("{left} {relation} {right}"),
                1 => format!("{left} {relation} {number}"),
                _ => format!("n {relation} {number} || {left} <= {right}"),
            }
        };
        let requires: Vec<String> = (0..2).map(|_| clause(&["n", "a", "g"])).collect();
        let late = ["n", "a", "g", r"\result", r"\old(g)"];
        let mut ensures: Vec<String> = (0..3).map(|_| clause(&late)).collect();
        if writer.rng.random_range(0..6) == 0 {
            ensures.push("1 <= 0".to_owned());
        }
        made.push(ContractClaim { function: function.to_owned(), requires, ensures });
    }
    made
}

#[test]
fn random_recursive_programs_are_answered_truly() {
    let folder = Folder::new("random");
    let rounds: u64 =
        std::env::var("PARALLAX_ROUNDS").ok().and_then(|n| n.parse().ok()).unwrap_or(25);
    let (mut truths, mut decided) = ([0, 0], [0, 0]);
    for seed in 0..rounds {
        let mut writer = Writer { rng: StdRng::seed_from_u64(seed) };
        let text = writer.program();
        let path = folder.0.join(format!("p{seed}.c"));
        std::fs::write(&path, &text).expect("a file");
        let task = load(&path);
        let Some(broken) = is_broken(&task) else { continue };
        truths[usize::from(broken)] += 1;
        let checked = Check::new(&task).budget(budget(4)).run().expect("a check");
        let verdict = checked.verdict(&task);
        let wrong = if broken { Verdict::Holds } else { Verdict::Violated };
        assert_ne!(verdict, wrong, "seed {seed}:\n{text}");
        decided[usize::from(broken)] += usize::from(verdict != Verdict::Unknown);
        if !broken {
            continue;
        }
        // Whatever the contracts say, a broken program is never proved.
        for _ in 0..4 {
            let contracts = contracts(&mut writer);
            let Ok(made) = with_contracts(&task, "unreach-call", &contracts) else { continue };
            let engine = EngineChoice::Only("bmc".into());
            let check = Check::new(&made).engine(engine, Default::default()).budget(budget(2));
            let verdict = check.run().expect("a check").verdict(&made);
            assert_eq!(verdict, Verdict::Unknown, "seed {seed}, {contracts:?}:\n{text}");
        }
    }
    println!("hold: {} of {}, broken: {} of {}", decided[0], truths[0], decided[1], truths[1]);
    assert!(truths[0] > 0 && truths[1] > 0 && decided[0] > 0 && decided[1] > 0);
}
