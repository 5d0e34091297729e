//! `certify` answers the question of the command line, whatever the file says.

#![cfg(unix)]

mod support;

use insta::assert_snapshot;
use support::{COUNTER, Folder};

/// Breaks `unreach-call`, unless a macro makes the error harmless.
const BROKEN: &str = "\
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x == 7) reach_error();
  return 0;
}
int other(void) { return 0; }
";

#[test]
fn settings_come_from_the_command_line() {
    let folder = Folder::with("broken.c", BROKEN);
    std::fs::create_dir(folder.path("inc")).expect("a folder");
    let question = "-p unreach-call -p overflow -D reach_error=harmless -D N -U unix -I inc \
         --data-model ilp32 --entry main --malloc-may-fail";
    let ran = folder.run(&format!("check broken.c {question} --certificate e.json"));
    assert_eq!(ran.code, 0, "{ran:?}");
    assert_eq!(folder.run(&format!("certify broken.c e.json {question}")).code, 0);
    assert_snapshot!(folder.run("certify broken.c e.json").masked(), @"
    exit 65
    -- standard error
    error[P0021]: the evidence was made for another question: with `-D reach_error=harmless`, `-D N`, `-U unix`, `-I inc`, `--data-model ilp32`, `--malloc-may-fail`
     |
     = help: to ask what it answers, add: -D reach_error=harmless -D N -U unix -I inc --data-model ilp32 --malloc-may-fail
    ");
    // One setting at a time is left out, changed or added.
    let check = |from: &str, to: &str, help: &str| {
        let other = question.replace(from, to);
        assert_ne!(other, question);
        for json in ["", "--json"] {
            let ran = folder.run(&format!("certify broken.c e.json {other} {json}"));
            assert_eq!(ran.code, 65, "{other}: {ran:?}");
            assert!(format!("{}{}", ran.out, ran.err).contains(help), "{other}: {ran:?}");
        }
    };
    check("-D reach_error=harmless", "", "add: -D reach_error=harmless");
    check("-D reach_error=harmless -D N", "-D N -D reach_error=harmless", "replace:");
    check("-D N", "-D N -D M=2", "leave out: -D M=2");
    check("-D N", "-D M", "replace: -D M  by: -D N");
    check("-U unix", "", "add: -U unix");
    check("-I inc", "", "add: -I inc");
    check("-I inc", "-I .", "replace: -I .  by: -I inc");
    check("--data-model ilp32", "", "add: --data-model ilp32");
    check("--entry main", "--entry other", "add: --entry main");
    check("--malloc-may-fail", "", "add: --malloc-may-fail");
    // The same folder under another name is the same folder.
    let other = question.replace("-I inc", "-I ./inc/");
    assert_eq!(folder.run(&format!("certify broken.c e.json {other}")).code, 0);
}

#[test]
fn edited_settings_do_not_change_the_question() {
    let folder = Folder::with("broken.c", BROKEN);
    let made = "check broken.c -p unreach-call -D reach_error=harmless --certificate e.json";
    assert_eq!(folder.run(made).code, 0);
    let evidence = folder.read("e.json");
    let certify = |from: &str, to: &str| {
        assert!(evidence.contains(from), "{evidence}");
        folder.write("edited.json", evidence.replace(from, to));
        folder.run("certify broken.c edited.json -p unreach-call").code
    };
    assert_eq!(certify("\"define\":\"reach_error=harmless\"", "\"undefine\":\"x\""), 65);
    assert_eq!(certify("\"define\":\"reach_error=harmless\"", "\"entry\":\"other\""), 65);
    // A file that hides how it was made is about another program.
    assert_eq!(certify(",\"define\":\"reach_error=harmless\"", ""), 65);
    assert_eq!(certify("\"lp64\",\"define\":\"reach_error=harmless\"", "\"lp64\""), 65);
}

#[test]
fn properties_that_were_not_asked_do_not_cut_runs_short() {
    // If `step` is forbidden, no run of that property gets beyond its first call.
    let text = "extern void reach_error(void); void step(void) {}
        int main(void) { step(); reach_error(); return 0; }";
    let folder = Folder::with("cut.c", text);
    let ran = folder.run("check cut.c -p unreach-call(step) -p unreach-call --certificate e.json");
    assert_eq!(ran.code, 10, "{ran:?}");
    for question in ["-p unreach-call", "-p unreach-call(step) -p unreach-call"] {
        let ran = folder.run(&format!("certify cut.c e.json {question}"));
        assert_eq!(ran.code, 10, "{ran:?}");
        assert!(ran.out.contains("violated  run"), "{ran:?}");
        assert!(!ran.out.contains("holds"), "{ran:?}");
    }
}

#[test]
fn silence_is_no_proof() {
    let folder = Folder::with("broken.c", BROKEN);
    assert_eq!(folder.run("check broken.c -p overflow --certificate e.json").code, 0);
    let ran = folder.run("certify broken.c e.json -p overflow -p unreach-call");
    assert_eq!(ran.code, 20, "{ran:?}");
    assert!(ran.out.contains("unreach-call  unknown   no evidence"), "{ran:?}");
    let ran = folder.run("certify broken.c e.json -p overflow -p unreach-call --json");
    let result: serde_json::Value = serde_json::from_str(&ran.out).expect("one object");
    assert_eq!(result["verdict"], "unknown");
    assert_eq!(result["properties"][1]["reason"]["code"], "no-evidence");
    // Nor are claims on what nobody can answer.
    assert_eq!(folder.run("check broken.c -p coverage-branches --certificate t.json").code, 20);
    let forged = folder.read("e.json").replace("\"overflow\"", "\"coverage-branches\"");
    folder.write("t.json", forged);
    assert_ne!(folder.run("certify broken.c t.json -p coverage-branches").code, 0);
    // A claim beyond what the file says it was made for.
    let claim = "\"properties\":[{\"name\":\"unreach-call\",\"claim\":\"unreachable\",\
         \"certificate\":{\"kind\":\"unrolling\",\"tree\":[]}},";
    let forged = folder.read("e.json").replace("\"properties\":[", claim);
    folder.write("f.json", forged);
    assert_ne!(folder.run("certify broken.c f.json -p overflow -p unreach-call").code, 0);
    // A model is asked all its properties.
    folder.write("counter.plx", COUNTER);
    assert_eq!(folder.run("check counter.plx -p low --certificate low.json").code, 0);
    assert_eq!(folder.run("certify counter.plx low.json -p low").code, 0);
    assert_eq!(folder.run("certify counter.plx low.json").code, 20);
    assert_eq!(folder.run("certify counter.plx low.json -p low --ltl <>(x==3)").code, 20);
    assert_eq!(folder.run("certify counter.plx low.json -p low -D N=2").code, 65);
}

#[test]
fn programs_of_several_files() {
    let folder = Folder::with(
        "a.c",
        "int limit(void); extern void reach_error(void);
        int main(void) { if (limit() != 3) reach_error(); return 0; }",
    );
    folder.write("b.c", "int limit(void) { return 3; }");
    let ran = folder.run("check a.c b.c --certificate proof.json");
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.out.contains("next: parallax certify a.c b.c proof.json"), "{ran:?}");
    assert_eq!(folder.run("certify a.c b.c proof.json").code, 0);
    assert_eq!(folder.run("certify a.c b.c -p unreach-call proof.json").code, 0);
    assert_ne!(folder.run("certify a.c proof.json").code, 0);
    assert_eq!(folder.run("certify proof.json").code, 2);
    folder.write("b.c", "int limit(void) { return 4; }");
    assert_ne!(folder.run("certify a.c b.c proof.json").code, 0);
    // A task says what is asked, for both commands.
    folder.write("b.c", "int limit(void) { return 3; }");
    folder.write("p.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n");
    folder.write(
        "t.yml",
        "format_version: '2.0'\ninput_files: [a.c, b.c]\nproperties:\n  \
         - property_file: p.prp\noptions: {language: C, data_model: ILP32}\n",
    );
    assert_eq!(folder.run("check t.yml --certificate t.json").code, 0);
    assert_eq!(folder.run("certify t.yml t.json").code, 0);
    let ran = folder.run("certify a.c b.c t.json");
    assert_eq!(ran.code, 65, "{ran:?}");
    assert!(ran.err.contains("--data-model ilp32"), "{ran:?}");
}

/// What is not covered is shown not to be reached; a proof that leaves it out
/// answers nothing that can be asked.
#[test]
fn gaps_are_part_of_the_evidence() {
    let corpus = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/c");
    for name in ["functions/table.c", "recursion/followed.c"] {
        let text = std::fs::read(corpus.join(name)).expect("a file of the corpus");
        let folder = Folder::with("g.c", text);
        let question = "g.c -p unreach-call";
        let ran = folder.run(&format!("check {question} --certificate e.json --engine bmc"));
        assert_eq!(ran.code, 0, "{name}: {ran:?}");
        assert_eq!(folder.run(&format!("certify {question} e.json")).code, 0, "{name}");
        let evidence = folder.read("e.json");
        let less =
            evidence.replace("\"name\":\"unreach-call\"", "\"name\":\"unreach-call, gaps aside\"");
        assert_ne!(less, evidence);
        folder.write("less.json", less);
        let ran = folder.run(&format!("certify {question} less.json"));
        assert_eq!(ran.code, 20, "{name}: {ran:?}");
    }
}

/// A cell that loses what it held when it is copied over, and once it holds 2,
/// forgets that it is full.
const CELL: &str = r#"
#include <stdlib.h>
/*@ testgen
[container]
new = "make"
delete = "destroy"
invariant = "sane"
[[operation]]
call = "put"
arguments = ["container", "value"]
*/
struct cell { int *at, full; };
struct cell *make(void) { return calloc(1, sizeof(struct cell)); }
void destroy(struct cell *c) { free(c->at); free(c); }
int sane(struct cell *c) { return !c->full == !c->at; }
void put(struct cell *c, int value) {
  free(c->at);
  c->at = malloc(sizeof *c->at);
  if (c->at) *c->at = value;
  c->full = value != 2;
}
"#;

#[test]
fn a_sequence_that_fails() {
    let folder = Folder::with("cell.c", CELL);
    assert_eq!(folder.run("testgen cell.c --certificate e.json").code, 10);
    let evidence = std::fs::read_to_string(folder.path("e.json")).expect("evidence");
    assert_snapshot!(evidence, @r#"{"schema":"parallax-failure-evidence/1","calls":[{"operation":"put","values":[2]}],"end":null,"leaks":false}"#);
    assert_snapshot!(folder.run("certify cell.c e.json").masked(), @"
    exit 10
    no sequence fails  violated  put(2) (checked by C interpreter, 39 steps)
    ");
    // The program is the one that is named now, and the calls are calls of its API.
    let mended = CELL.replace("value != 2", "c->at != 0");
    std::fs::write(folder.path("mended.c"), mended).expect("a file");
    assert_snapshot!(folder.run("certify mended.c e.json").masked(), @"
    exit 20
    no sequence fails  unknown  evidence rejected: target: an independent run does not fail: exit with 0
    ");
    for (from, to) in [
        ("[2]", "[1]"),
        ("[2]", "[]"),
        ("[2]", "[2,2]"),
        ("[2]", "[-1]"),
        ("\"put\"", "\"get\""),
        ("false", "true"),
        ("null", "\"halt\""),
        ("null", "\"steps\""),
        ("null", "\"never\""),
        ("\"calls\"", "\"called\""),
    ] {
        let damaged = evidence.replace(from, to);
        assert_ne!(damaged, evidence, "{from}");
        std::fs::write(folder.path("e.json"), damaged).expect("a file");
        let ran = folder.run("certify cell.c e.json");
        // A run that fails anyway may be called by another name.
        let is_true = ["true", "\"halt\"", "\"steps\""].contains(&to);
        assert_eq!(ran.code, if is_true { 10 } else { 20 }, "{to}: {ran:?}");
    }
    std::fs::write(folder.path("e.json"), evidence).expect("a file");
    assert_eq!(folder.run("certify cell.c e.json -p unreach-call").code, 2);
    assert_eq!(folder.run("certify cell.c e.json --api cell.c").code, 65);
}
