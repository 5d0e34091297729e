//! Predicates and templates that the user gives, on models and on C.

use parallax::{
    COptions, Check, Encoding, EngineChoice, EngineConfig, Given, LoadOptions, Verdict, load_files,
};
use std::path::PathBuf;

const XY: &str = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
int g;
int down(int a, int b) { while (__VERIFIER_nondet_int()) { a--; b--; } return a < g && b > g; }
int main(void) {
  int x = 0, y = 0;
  while (__VERIFIER_nondet_int()) { x++; y++; }
  if (down(x, y)) reach_error();
  return 0;
}
";

fn checked(name: &str, text: &str, engine: &str, given: Given) -> Result<Verdict, String> {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("given");
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join(name);
    std::fs::write(&path, text).expect("a file");
    let c = COptions { encoding: Encoding::Integers, ..COptions::default() };
    let options = LoadOptions { given, c, ..LoadOptions::default() };
    let task = load_files(&[path], &options).map_err(|e| e.to_string())?;
    let mut config = EngineConfig::default();
    config.cegar.no_refine = true;
    let checked = Check::new(&task).engine(EngineChoice::Only(engine.into()), config).run();
    let checked = checked.map_err(|e| e.to_string())?;
    Ok(checked.verdict(&task))
}

fn predicates(texts: &[&str]) -> Given {
    Given { predicates: texts.iter().map(|t| (*t).to_owned()).collect(), ..Given::default() }
}

fn templates(texts: &[&str]) -> Given {
    Given { templates: texts.iter().map(|t| (*t).to_owned()).collect(), ..Given::default() }
}

#[test]
fn predicates_speak_of_the_variables_of_each_function() {
    let open = checked("alone.c", XY, "cegar", predicates(&["x == y"]));
    assert_eq!(open, Ok(Verdict::Unknown));
    let both = predicates(&["x == y", "a == b"]);
    assert_eq!(checked("both.c", XY, "cegar", both), Ok(Verdict::Holds));
    // C rounds toward zero, and a number is a condition.
    let odd = predicates(&["x == y && !(g / 2 > 0) || y % 2", "x == y", "a == b"]);
    assert_eq!(checked("odd.c", XY, "cegar", odd), Ok(Verdict::Holds));
}

#[test]
fn templates_are_bounded_on_models_and_on_c() {
    let model = "var x, y: int;\nprocess P {\n  location a, b;\n  begin: a -> b do x := 0, y := 0;\n  \
                 step: b -> b do x := x + 3, y := y + 7;\n}\nunreachable off: P@b && 7 * x != 3 * y;\n";
    assert_eq!(checked("line.plx", model, "symba", templates(&["7*x - 3*y"])), Ok(Verdict::Holds));
    let c = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
        int main(void) { int x = 0, y = 0;
        while (x < 1000 && __VERIFIER_nondet_int()) { x += 3; y += 7; }
        if (7 * x != 3 * y) reach_error(); return 0; }";
    assert_eq!(checked("line.c", c, "symba", templates(&["7*x - 3*y"])), Ok(Verdict::Holds));
}

#[test]
fn what_means_nothing_is_an_error() {
    let error = |given| checked("wrong.c", XY, "cegar", given).expect_err("an error");
    let nobody = "there is no integer variable `nosuch`";
    assert!(error(predicates(&["nosuch > 0"])).contains(nobody));
    assert!(error(predicates(&["x == nosuch"])).contains(nobody));
    assert!(error(predicates(&["x == a"])).contains("no function knows all of `a`, `x`"));
    assert!(error(predicates(&["x + 1"])).contains("it is a number"));
    assert!(error(predicates(&["x == y <=> x == 0"])).contains("`<=>` is not C"));
    assert!(error(templates(&["x - nosuch"])).contains("no loop knows"));
}
