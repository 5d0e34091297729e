//! C programs from the command line to files and back.

mod support;

use insta::assert_snapshot;
use std::process::Command;
use support::Folder;

const LOCK: &str = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static int held;
static void take(int n) {
  if (held && n == 7)
    reach_error();
  held = 1;
}
int main(void) {
  int unrelated = 0;
  for (int i = 0; i < 3; i++)
    unrelated += i;
  take(0);
  int n = __VERIFIER_nondet_int();
  take(n);
  return unrelated;
}
";

const SUM: &str = "\
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
  return a + b > 0;
}
";

#[test]
fn a_counterexample_shows_what_matters() {
    let folder = Folder::with("lock.c", LOCK);
    let ran = folder.run("check lock.c --engine bmc");
    assert_snapshot!(ran.masked(), @"
    exit 10
    lock.c: violated
      unreach-call  violated  run of 1 step (bmc; checked by interpreter, C interpreter)
      assumes: not asked: signed arithmetic wraps
      used: [figures]
      next: parallax check lock.c --harness harness

    counterexample to unreach-call:
    inputs:
      1  __VERIFIER_nondet_int() = 7  at lock.c:14:11
    run: 7 of 30 steps matter
      in main (lock.c):
      13 |   take(0);                          calls take
      in take (lock.c), called at lock.c:13:3:
       5 |   if (held && n == 7)               held && n == 7: false
       7 |   held = 1;                         held = 1
      back in main:
      14 |   int n = __VERIFIER_nondet_int();  n = 7
      15 |   take(n);                          calls take
      in take (lock.c), called at lock.c:15:3:
       5 |   if (held && n == 7)               held && n == 7: true
       6 |     reach_error();
    error[unreach-call]: `reach_error` is called
      --> lock.c:6:5
       |
     6 |     reach_error();
       |     ^^^^^^^^^^^^^
    ...
    15 |   take(n);
       |   ------- called from `main` here
    ");
    let json = folder.run("check lock.c --engine bmc --json").out;
    let json: serde_json::Value = serde_json::from_str(&json).expect("one object");
    let run = &json["properties"][0]["run"];
    assert_eq!(run["inputs"][0]["value"], "7");
    assert_eq!(run["inputs"][0]["span"]["start"]["line"], 14);
    assert_eq!(run["end"], "unreach-call");
    assert_eq!(run["span"]["start"]["line"], 6);
}

#[test]
fn properties_by_name_by_file_and_by_task() {
    let folder = Folder::with("sum.c", SUM);
    let line = |formula: &str| format!("CHECK( init(main()), LTL({formula}) )\n");
    folder.write("overflow.prp", line("G ! overflow"));
    folder.write("race.prp", line("G ! data-race"));
    folder.write("bad.prp", "CHECK me");
    let task = "format_version: '2.0'\ninput_files: sum.c\nproperties:\n  \
                - property_file: overflow.prp\n    expected_verdict: true\n\
                options:\n  language: C\n  data_model: ILP32\n";
    folder.write("task.yml", task);
    let commands = "[{\"directory\": \".\", \"file\": \"sum.c\", \"arguments\": [\"cc\"]}]";
    folder.write("compile_commands.json", commands);
    let check = |arguments: &str, code: i32, text: &str| {
        let ran = folder.run(&format!("check {arguments} --engine bmc"));
        assert_eq!(ran.code, code, "{arguments}: {ran:?}");
        assert!(format!("{}{}", ran.out, ran.err).contains(text), "{arguments}: {ran:?}");
    };
    check("sum.c -p overflow", 10, "overflow  violated");
    check("sum.c --spec overflow.prp", 10, "overflow  violated");
    check("task.yml", 10, "overflow  violated");
    check("compile_commands.json -p overflow", 10, "overflow  violated");
    check("sum.c -p division", 0, "division  holds");
    check("sum.c -p race.prp", 0, "no-data-race  holds");
    check("sum.c -p coverage-branches", 20, "unsupported: property `coverage-branches`");
    check("sum.c", 65, "P0013");
    check("sum.c -p nothing", 2, "P0010");
    check("sum.c -p unreach-label(L)", 2, "the program has no labels");
    folder.write("labels.c", "int main(void) { A: B: return 0; C: return 1; }\n");
    check("labels.c -p unreach-label(D)", 2, "the labels are A, B, C");
    check("labels.c -p unreach-label(A)", 10, "unreach-label(A)  violated");
    check("labels.c -p unreach-label(C)", 0, "unreach-label(C)  holds");
    check("sum.c -p bad.prp", 65, "P0007");
    check("sum.c -p missing.prp", 65, "P0002");
    check("missing.c", 65, "C0001");
    folder.write("m.plx", support::COUNTER);
    check("sum.c m.plx", 2, "P0008");
    folder.write("broken.c", "int main(void) { return x + ; }\n");
    check("broken.c", 65, "C0020");
}

#[test]
fn runs_with_inputs() {
    let folder = Folder::with("lock.c", LOCK);
    assert_snapshot!(folder.run("run lock.c --input 8").masked(), @"
    exit 0
    -- standard error
    exit with 3 after 32 steps
    ");
    assert_snapshot!(folder.run("run lock.c --input 7").masked(), @"
    exit 10
    -- standard error
    error[unreach-call]: `reach_error` is called
      --> lock.c:6:5
       |
     6 |     reach_error();
       |     ^^^^^^^^^^^^^
    ...
    15 |   take(n);
       |   ------- called from `main` here
    error: reach_error after 30 steps
    ");
    folder.write("inputs.txt", "0x7\n");
    assert_eq!(folder.run("run lock.c --inputs inputs.txt").code, 10);
    assert_eq!(folder.run("run lock.c").code, 20);
    assert_eq!(folder.run("run lock.c --input x").code, 2);
    assert_eq!(folder.run("run lock.c --seed 1").code, 0);
    folder.write("hello.c", "int printf(const char *, ...);\nint main(void) { printf(\"%d-%s\\n\", 42, \"x\"); return 3; }\n");
    let ran = folder.run("run hello.c");
    assert_eq!((ran.code, ran.out.as_str()), (0, "42-x\n"));
    assert!(ran.err.contains("exit with 3"), "{ran:?}");
    folder.write("wrap.c", "int main(void) { int x = 2147483647; return x + 1 < 0 ? 5 : 6; }\n");
    assert!(folder.run("run wrap.c").err.contains("exit with 5"));
    assert_eq!(folder.run("run wrap.c -p overflow").code, 10);
}

#[test]
fn automata() {
    let folder = Folder::with("lock.c", LOCK);
    assert_snapshot!(folder.run("show --cfa --function take lock.c").masked(), @"
    exit 0
    void take(int n)  // lock.c:4:13
      0     [held != 0 ? n == 7 : 0]     -> 2     lock.c:5:7
            [!(held != 0 ? n == 7 : 0)]  -> 3     lock.c:5:7
      exit
      2     error: reach_error                    lock.c:6:5
      3     held = 1                     -> 5     lock.c:7:3
      4
      5     return                       -> exit  lock.c:4:13
    ");
    assert!(folder.run("show --cfa --dot lock.c").out.starts_with("digraph"));
    assert_eq!(folder.run("show --cfa --svg lock.c -o l.svg").out, "");
    assert!(folder.read("l.svg").contains("</svg>"));
}

/// Compiles a harness with its program by the command in it, and runs it.
fn reproduce(folder: &Folder, program: &str, text: &str, property: &str) -> Option<i32> {
    folder.write(program, text);
    let ran = folder.run(&format!("check {program} -p {property} --engine bmc --harness h"));
    assert_eq!(ran.code, 10, "{ran:?}");
    let harness = folder.read("h/harness.c");
    let command = harness.lines().find_map(|line| line.strip_prefix(" *   cc "));
    let command = command.expect("a command in the file");
    let mut cc = Command::new("cc");
    let cc = cc.current_dir(folder.path("")).args(command.split_whitespace());
    let built = cc.output().expect("there is a compiler");
    if !built.status.success() {
        let messages = String::from_utf8_lossy(&built.stderr).into_owned();
        // Sanitizers are a part of compilers that may be missing.
        assert!(command.contains("-fsanitize"), "{messages}");
        return None;
    }
    let run = Command::new(folder.path("h/reproduce")).output().expect("it runs");
    run.status.code()
}

#[test]
fn harnesses_reproduce_failures() {
    let folder = Folder::new();
    assert_eq!(reproduce(&folder, "lock.c", LOCK, "unreach-call"), Some(86));
    // An error function with a body of its own.
    let own = LOCK.replace("extern void reach_error(void);", "void reach_error(void) {}");
    assert_eq!(reproduce(&folder, "own.c", &own, "unreach-call"), Some(86));
    let asserts = "#include <assert.h>\nextern unsigned char __VERIFIER_nondet_uchar(void);\n\
                   int main(void) { assert(__VERIFIER_nondet_uchar() != 200); return 0; }\n";
    assert_eq!(reproduce(&folder, "asserts.c", asserts, "unreach-call"), Some(86));
    let floats = "extern double __VERIFIER_nondet_double(void);\nextern void reach_error(void);\n\
                  int main(void) { double d = __VERIFIER_nondet_double();\n\
                  if (d > 0.1 && d < 0.2 && d != 0.125) reach_error(); return 0; }\n";
    assert_eq!(reproduce(&folder, "floats.c", floats, "unreach-call"), Some(86));
    let bounds = "extern unsigned __VERIFIER_nondet_uint(void);\nint main(void) { int a[4] = {0};\n\
                  unsigned i = __VERIFIER_nondet_uint(); return i < 5 ? a[i] : 0; }\n";
    for (name, text, property) in
        [("sum.c", SUM, "overflow"), ("bounds.c", bounds, "memory-safety")]
    {
        match reproduce(&folder, name, text, property) {
            Some(code) => assert_eq!(code, 86, "{name}"),
            None => eprintln!("note: no sanitizers, {name} was not reproduced"),
        }
    }
}

#[test]
fn a_native_run_is_not_stopped_by_what_is_not_checked() {
    let folder = Folder::new();
    let text = "extern void *malloc(unsigned long);\nint main(void) { char *p = malloc(8);\n\
                *(int *)(p + 2) = 7; return 0; }\n";
    folder.write("kept.c", text);
    let ran = folder.run("check kept.c -p memory-cleanup --native");
    assert_eq!(ran.code, 10, "{ran:?}");
    // Sanitizers are a part of compilers that may be missing.
    let is_said = ran.out.contains("native run: reproduced: memory is not freed at the end");
    assert!(is_said || ran.out.contains("native run: not run"), "{ran:?}");
}

#[test]
fn witnesses_have_their_form() {
    let folder = Folder::with("lock.c", LOCK);
    assert_eq!(folder.run("check lock.c --engine bmc --witness w.yml").code, 10);
    let text = folder.read("w.yml");
    let content = text.split_once("  content:\n").expect("content").1;
    assert_snapshot!(content, @r#"
    - segment:
      - waypoint:
          type: branching
          action: follow
          location:
            file_name: lock.c
            line: 5
            column: 3
            function: take
          constraint:
            value: "false"
    - segment:
      - waypoint:
          type: function_return
          action: follow
          location:
            file_name: lock.c
            line: 14
            column: 33
            function: main
          constraint:
            value: \result == 7
            format: acsl_expression
    - segment:
      - waypoint:
          type: branching
          action: follow
          location:
            file_name: lock.c
            line: 5
            column: 3
            function: take
          constraint:
            value: "true"
    - segment:
      - waypoint:
          type: target
          action: follow
          location:
            file_name: lock.c
            line: 6
            column: 5
            function: take
    "#);
    for (key, value) in [
        ("entry_type", "violation_sequence"),
        ("format_version", "\"2.0\""),
        ("data_model", "LP64"),
        ("language", "C"),
        ("specification", "CHECK( init(main()), LTL(G ! call(reach_error())) )"),
    ] {
        assert!(text.contains(&format!("{key}: {value}\n")), "{text}");
    }
    let fine = LOCK.replace("n == 7", "n == 7 && n == 8");
    folder.write("fine.c", fine);
    assert_eq!(folder.run("check fine.c --witness w.yml").code, 0);
    assert!(folder.read("w.yml").contains("entry_type: invariant_set"));
}
