//! The engine `pdr` and Horn clauses from end to end: the executable is its own
//! solver process.

mod support;

use support::Folder;

const EVEN: &str = "\
(set-logic HORN)
(declare-fun even (Int) Bool)
(assert (forall ((x Int)) (=> (= x 0) (even x))))
(assert (forall ((x Int)) (=> (even x) (even (+ x 2)))))
(assert (forall ((x Int)) (=> (and (even x) (= x 8)) false)))
(check-sat)
";

#[test]
fn clauses_are_read_answered_and_certified() {
    let folder = Folder::with("even.smt2", EVEN);
    let ran = folder.run("check even.smt2 --engine pdr").masked();
    assert!(ran.contains("exit 10") && ran.contains("run of 6 steps (pdr;"), "{ran}");
    let odd = EVEN.replace("(= x 8)", "(= x (- 8))");
    let folder = Folder::with("odd.smt2", &odd);
    let ran = folder.run("check odd.smt2 --engine pdr --certificate e.json").masked();
    assert!(ran.contains("exit 0") && ran.contains("(pdr; checked by"), "{ran}");
    let ran = folder.run("certify odd.smt2 e.json").masked();
    assert!(ran.contains("exit 0"), "{ran}");
}

#[test]
fn what_is_no_step_is_refused_with_its_code() {
    let twice = EVEN.replace("(=> (even x) (even", "(=> (and (even x) (even (* 3 x))) (even");
    let ran = Folder::with("twice.smt2", &twice).run("check twice.smt2").masked();
    assert!(ran.contains("exit 65") && ran.contains("H0002"), "{ran}");
    let broken = EVEN.replace("(= x 8)", "(odd x)");
    let ran = Folder::with("broken.smt2", &broken).run("check broken.smt2").masked();
    assert!(ran.contains("exit 65") && ran.contains("H0001"), "{ran}");
}

#[test]
fn the_clauses_of_a_program_mean_the_same() {
    let program = "model m; var x: int = 0; process P { step: when x < 50 do x := x + 1; }
        invariant low: x <= 50; invariant lower: x < 50;";
    let folder = Folder::with("m.plx", program);
    let ran = folder.run("show --chc m.plx").masked();
    assert!(ran.contains("exit 2") && ran.contains("`low`, `lower`"), "{ran}");
    for (property, exit) in [("low", "exit 0"), ("lower", "exit 10")] {
        let shown =
            folder.run(&format!("show --chc --property {property} m.plx -o {property}.smt2"));
        assert!(shown.masked().contains("exit 0"));
        let ran = folder.run(&format!("check {property}.smt2 --engine pdr")).masked();
        assert!(ran.contains(exit), "{property}: {ran}");
    }
}
