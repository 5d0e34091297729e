//! `parallax optimize` on the command line: scripts, traces, refusals.

mod support;

use support::Folder;

const PLAN: &str = "(declare-const x Int) (declare-const y Int)
(assert (and (<= 0 x 4) (<= 0 y 4) (<= (+ x y) 5)))
(maximize x) (maximize y) (check-sat) (get-objectives)\n";

#[test]
fn replies_are_text_or_json() {
    let folder = Folder::with("plan.smt2", PLAN);
    let text = folder.run("optimize plan.smt2");
    assert_eq!(text.code, 0, "{text:?}");
    assert!(text.out.starts_with("sat\n(objectives\n (x 4)\n (y 1)\n)\n; checked by"), "{text:?}");
    let json = folder.run("optimize plan.smt2 --json");
    let result: serde_json::Value = serde_json::from_str(&json.out).expect("JSON");
    assert_eq!(result["schema"], "parallax-optima/1");
    let reply = &result["replies"][0];
    assert_eq!((&reply["status"], &reply["objectives"][1]["value"]), (&"sat".into(), &"1".into()));
}

#[test]
fn what_stays_open_is_not_called_an_optimum() {
    // A number without a bound beside machine words: nobody proves that.
    let text = "(declare-const a (_ BitVec 8)) (declare-const x Int)
                (assert (bvult a #x05)) (maximize x) (maximize a)
                (check-sat) (get-objectives)\n";
    let folder = Folder::with("open.smt2", text);
    let run = folder.run("optimize open.smt2 --time 1s");
    assert_eq!(run.code, 20, "{run:?}");
    assert!(run.out.starts_with("unknown\n"), "{run:?}");
    assert!(!run.out.contains("(x oo)"), "{run:?}");
}

#[test]
fn constants_are_objectives_too() {
    let text = "(declare-const x Int) (assert (< x 3)) (maximize 7) (maximize x) (check-sat)
                (get-objectives)\n";
    let folder = Folder::with("constant.smt2", text);
    let run = folder.run("optimize constant.smt2");
    assert!(run.out.starts_with("sat\n(objectives\n (7 7)\n (x 2)\n)"), "{run:?}");
}

#[test]
fn symbols_without_use_have_any_sort() {
    let text = "(declare-const a (_ BitVec 4)) (declare-const r Real) (declare-const i Int)
                (assert (>= r 2.5)) (minimize 3.5) (minimize r)
                (check-sat) (get-objectives) (get-model)\n";
    let folder = Folder::with("sorts.smt2", text);
    for engine in ["auto", "symba", "dnf", "qe", "z3-basic"] {
        let run = folder.run(&format!("optimize sorts.smt2 --engine {engine}"));
        let best = "sat\n(objectives\n (3.5 (/ 7.0 2.0))\n (r (/ 5.0 2.0))\n)\n";
        assert!(run.out.starts_with(best), "{engine}: {run:?}");
        assert!(run.out.contains("(define-fun i () Int 0)"), "{engine}: {run:?}");
        assert!(run.out.contains("(define-fun a () (_ BitVec 4) #x0)"), "{engine}: {run:?}");
    }
}

#[test]
fn a_template_may_ask_for_strict_inequalities() {
    let text = "(declare-const x Real) (declare-const z Real) (assert (>= x (- 5.0)))
                (assert-soft (and (< x 0.0) (= z 0.0)) :weight 3 :id cost)
                (maximize x) (check-sat) (get-objectives)\n";
    let folder = Folder::with("strict.smt2", text);
    for engine in ["auto", "symba", "dnf"] {
        let run = folder.run(&format!("optimize strict.smt2 --engine {engine}"));
        let best = "sat\n(objectives\n (cost 0)\n (x (- 0.0 epsilon))\n)\n";
        assert!(run.out.starts_with(best), "{engine}: {run:?}");
    }
}

#[test]
fn rules_are_shown_for_symba_alone() {
    let text = "(declare-const y Real) (declare-const k Real)
                (assert (=> (and (<= 1.0 y) (<= y 3.0)) (< y k)))\n";
    let folder = Folder::with("p.smt2", text);
    let run = folder.run("optimize p.smt2 --engine symba --trace");
    assert!(run.out.starts_with("INIT\n  M = {}\n  U = false\n  O = true\nGLOBALPUSH: p1 ="));
    assert!(run.out.contains("BOUNDED(y)\n"), "{run:?}");
    assert!(run.out.contains("(y:REAL) : [1,3]\n"), "{run:?}");
    for arguments in ["--trace", "--engine symba --trace --jobs 2"] {
        let refused = folder.run(&format!("optimize p.smt2 {arguments}"));
        assert_ne!(refused.code, 0, "{refused:?}");
        assert!(refused.err.contains("`--trace` shows the rules of `--engine symba`"));
    }
    let folder = Folder::with("plan.smt2", PLAN);
    let refused = folder.run("optimize plan.smt2 --engine symba --trace");
    assert!(refused.err.contains("this is a script with several questions"), "{refused:?}");
}

#[test]
fn evidence_is_written_checked_and_refused_when_it_is_damaged() {
    let folder = Folder::with("plan.smt2", PLAN);
    assert_eq!(folder.run("optimize plan.smt2 --certificate plan.json").code, 0);
    let again = folder.run("certify plan.smt2 plan.json");
    assert_eq!(again.code, 0, "{again:?}");
    assert!(
        again.out.starts_with("sat\n(objectives\n (x 4)\n (y 1)\n)\n; checked by"),
        "{again:?}"
    );
    let text = folder.read("plan.json");
    for (old, new, code) in [
        // A better value, with the model of the worse one; a model that is none.
        ("\"value\":\"4\"", "\"value\":\"5\"", 20),
        ("[4,1]", "[4,2]", 20),
        // The second objective, as if the first did not matter.
        ("\"value\":\"1\"", "\"value\":\"4\"", 20),
        // The other bound, a point that is not there, a template that is not there.
        ("upper", "lower", 20),
        ("\"point\":1", "\"point\":9", 65),
        ("\"template\":0", "\"template\":7", 65),
        ("{\"stages\":", "{\"front\":", 65),
    ] {
        assert!(text.contains(old), "{old} is not in {text}");
        folder.write("bad.json", text.replace(old, new));
        let bad = folder.run("certify plan.smt2 bad.json");
        assert_eq!(bad.code, code, "{old} {new} {bad:?}");
        assert!(!bad.out.contains("sat\n") || bad.out.contains("unknown"), "{bad:?}");
    }
    // Each on its own is another question than one after the other.
    folder.write("box.smt2", format!("(set-option :opt.priority box)\n{PLAN}"));
    assert_eq!(folder.run("optimize box.smt2 --certificate box.json").code, 0);
    assert_eq!(folder.run("certify box.smt2 box.json").code, 0);
    let other = folder.run("certify plan.smt2 box.json");
    assert_eq!(other.code, 20, "{other:?}");
    assert!(other.out.contains("the evidence answers another question"), "{other:?}");
    let two = format!("{PLAN}(check-sat)\n");
    folder.write("two.smt2", two);
    assert_eq!(folder.run("certify two.smt2 plan.json").code, 65);
}
