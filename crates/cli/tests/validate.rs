//! `check --validate`: witnesses that are right are confirmed, wrong ones are rejected.

mod support;

use support::{Folder, Ran};

const SUM: &str = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  int i = 0, s = 0;
  if (n < 0 || n > 1000) return 0;
  while (i < n) {
    i++;
    s += 2;
  }
  if (s != 2 * i) { reach_error(); }
  return 0;
}
";

const SWITCH: &str = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int pick(int x) { return x + 1; }
int main(void) {
  int x = __VERIFIER_nondet_int();
  int y = pick(x);
  for (int i = 0; i < 3; i++) {
    switch (y) {
      case 4: y = 7; break;
      case 7: y = 9; break;
      default: y = 0;
    }
  }
  if (x == 3)
    if (y == 0)
      reach_error();
  return 0;
}
";

/// The head of a witness by another tool.
fn head(kind: &str) -> String {
    format!(
        "- entry_type: \"{kind}\"\n  metadata:\n    format_version: \"2.0\"\n    \
         uuid: \"7\"\n    creation_time: \"2024-01-01T00:00:00Z\"\n    \
         producer: {{name: \"Other\", version: \"4.0\"}}\n    \
         task: {{input_files: [\"./a.c\"], specification: \"CHECK( init(main()), LTL(G ! call(reach_error())) )\", \
         data_model: \"LP64\", language: \"C\"}}\n  content:\n"
    )
}

fn invariant(kind: &str, line: u32, column: u32, value: &str) -> String {
    format!(
        "  - invariant:\n      type: {kind}\n      location: {{file_name: \"./a.c\", line: {line}, \
         column: {column}, function: main}}\n      value: \"{value}\"\n      format: c_expression\n"
    )
}

fn step(kind: &str, line: u32, column: u32, constraint: &str) -> String {
    let constraint = match constraint {
        "" => String::new(),
        text => format!(", constraint: {{value: \"{text}\", format: c_expression}}"),
    };
    format!(
        "  - segment:\n    - waypoint: {{type: {kind}, action: follow, location: {{file_name: a.c, \
         line: {line}, column: {column}}}{constraint}}}\n"
    )
}

/// What is said of a witness.
fn check(program: &str, witness: &str, code: i32, words: &[&str]) -> Ran {
    let folder = Folder::with("a.c", program);
    folder.write("w.yml", witness);
    let ran = folder.run("check a.c --validate w.yml --time 60s");
    assert_eq!(ran.code, code, "{witness}\n{ran:?}");
    for word in words {
        assert!(ran.out.contains(word) || ran.err.contains(word), "{word} in {ran:?}\n{witness}");
    }
    ran
}

#[test]
fn invariants_are_proved_or_broken() {
    let content = |list: &[String]| head("invariant_set") + &list.concat();
    let sum = invariant("loop_invariant", 7, 3, "(s == (2 * i)) && i >= 0");
    let inside = invariant("location_invariant", 9, 5, "i >= 1 && i <= n");
    check(
        SUM,
        &content(&[sum.clone(), inside.clone()]),
        0,
        &["correctness by Other 4.0: confirmed"],
    );
    let wrong = invariant("location_invariant", 9, 5, "i >= 2 && i <= n");
    let ran = check(SUM, &content(&[sum.clone(), wrong]), 10, &["rejected", "violated  i >= 2"]);
    assert!(ran.out.contains("`i >= 2 && i <= n at ./a.c:9:5` does not hold"), "{ran:?}");
    // What cannot be read is not confirmed.
    let odd = invariant("loop_invariant", 7, 3, "i = 0");
    check(SUM, &content(&[sum.clone(), odd]), 20, &["without effect"]);
    let nowhere = invariant("loop_invariant", 8, 5, "i >= 0");
    check(SUM, &content(&[sum.clone(), nowhere]), 20, &["no such place"]);
    check(SUM, &content(&[invariant("loop_invariant", 7, 3, "zz > 0")]), 20, &["`zz`"]);
    // True invariants do not make a wrong program right.
    check(
        &SUM.replace("s += 2", "s += 3"),
        &content(&[inside]),
        10,
        &["a run breaks the property"],
    );
    let injected = invariant("loop_invariant", 7, 3, "1), s = 2 * i, (1");
    check(&SUM.replace("s += 2", "s += 3"), &content(&[injected]), 10, &["a run breaks"]);
}

#[test]
fn a_label_is_not_passed_by() {
    let program = "extern void reach_error(void);\nint main(void) {\n  int x = 0;\n  goto l;\n  \
                   l: x = 1;\n  if (x != 1) reach_error();\n  return 0;\n}\n";
    let at =
        |column: u32| head("invariant_set") + &invariant("location_invariant", 5, column, "x == 5");
    check(program, &at(3), 20, &["no such place"]);
    check(program, &at(6), 10, &["does not hold in every run"]);
}

#[test]
fn runs_are_found_and_repeated() {
    let content = |list: &[String]| head("violation_sequence") + &list.concat();
    let target = step("target", 16, 7, "");
    let three = step("function_return", 5, 33, "\\\\result == 3");
    let four = step("function_return", 5, 33, "\\\\result == 4");
    let first = step("branching", 8, 5, "4");
    let second = step("branching", 8, 5, "7");
    let enter = step("function_enter", 6, 17, "");
    let known = step("assumption", 6, 3, "x > 2 && x < 4");
    let taken = step("branching", 14, 3, "true");
    let all = [three.clone(), enter, first.clone(), second.clone(), taken, target.clone()];
    check(SWITCH, &content(&all), 0, &["a violation by Other 4.0: confirmed", "a run follows it"]);
    check(SWITCH, &content(&[known, target.clone()]), 0, &["confirmed"]);
    check(SWITCH, &content(&[four, target.clone()]), 10, &["no run that follows it"]);
    check(
        SWITCH,
        &content(&[three.clone(), second, first, target.clone()]),
        10,
        &["no run that follows"],
    );
    check(&SWITCH.replace("y = 9", "y = 4"), &content(&[three, target]), 10, &["rejected"]);
    let nowhere = step("target", 12, 1, "");
    check(SWITCH, &content(&[nowhere]), 20, &["not as the witness says"]);
}

#[test]
fn steps_to_be_avoided() {
    let avoid = |value: &str| {
        head("violation_sequence")
            + "  - segment:\n    - waypoint: {type: assumption, action: avoid, location: {file_name: a.c, line: 6, column: 3}, constraint: {value: '"
            + value
            + "', format: c_expression}}\n    - waypoint: {type: target, action: follow, location: {file_name: a.c, line: 16, column: 7}}\n"
    };
    check(SWITCH, &avoid("x == 5"), 0, &["confirmed"]);
    // The run may only be missed: nothing is rejected.
    check(SWITCH, &avoid("x == 3"), 20, &["unknown"]);
}

#[test]
fn our_own_witnesses() {
    let folder = Folder::with("a.c", SWITCH);
    folder.write("b.c", SUM);
    assert_eq!(folder.run("check a.c --witness a.yml").code, 10);
    assert_eq!(folder.run("check a.c --validate a.yml").code, 0);
    assert_eq!(folder.run("check b.c --witness b.yml").code, 0);
    assert_eq!(folder.run("check b.c --validate b.yml").code, 0);
    let crossed = folder.run("check a.c --validate b.yml");
    assert_eq!(crossed.code, 10, "{crossed:?}");
    folder.write("c.yml", folder.read("a.yml").replace("LP64", "ILP32"));
    let other = folder.run("check a.c --validate c.yml");
    assert!(other.code == 65 && other.err.contains("--data-model ilp32"), "{other:?}");
    folder.write("d.yml", "nothing");
    assert_eq!(folder.run("check a.c --validate d.yml").code, 65);
    assert_eq!(folder.run("check a.c --validate a.yml --certificate e.json").code, 2);
}
