//! `parallax lts` from end to end.

#![cfg(unix)]

mod support;

use support::Folder;

const TEXT: &str = "
CELL = (in -> out -> CELL).
||TWO = (CELL/{mid/out} || CELL/{mid/in})\\{mid}.
||THREE = (CELL/{mid/out} || CELL/{mid/in, low/out} || CELL/{low/in})\\{mid, low}.
property ORDER = (in -> out -> ORDER).
||CHECK = (TWO || ORDER).
progress OUT = {out}
STUCK = (in -> STOP).
";

#[test]
fn systems_are_compiled_minimized_and_compared() {
    let folder = Folder::with("cells.lts", TEXT);
    let two = folder.run("lts cells.lts -p TWO --minimize weak --json");
    assert_eq!(two.code, 0, "{}", two.err);
    let json: serde_json::Value = serde_json::from_str(&two.out).expect("JSON");
    assert_eq!((&json["states"], &json["holds"]), (&3.into(), &true.into()));
    let check = folder.run("lts cells.lts -p CHECK");
    assert_eq!(check.code, 10);
    assert!(check.out.contains("ERROR: in, tau, in"), "{}", check.out);
    let stuck = folder.run("lts cells.lts -p STUCK");
    assert_eq!(stuck.code, 10);
    assert!(stuck.out.contains("DEADLOCK (1 state): in"), "{}", stuck.out);
    assert!(stuck.out.contains("progress OUT: VIOLATED after: in"), "{}", stuck.out);
    assert_eq!(folder.run("lts cells.lts -p TWO --against THREE").code, 0);
    let three = folder.run("lts cells.lts -p THREE --against cells.lts:TWO --svg dag.svg");
    assert_eq!(three.code, 10);
    assert!(three.out.contains("does `in`; allowed is out"), "{}", three.out);
    assert!(folder.read("dag.svg").contains("<svg"));
    assert_eq!(folder.run("lts cells.lts -p THREE --against TWO --conformance traces").code, 10);
}

#[test]
fn aut_files_go_around() {
    let folder = Folder::with("cells.lts", TEXT);
    assert_eq!(folder.run("lts cells.lts -p CHECK --aut a.aut --dot a.dot").code, 10);
    assert!(folder.read("a.dot").starts_with("digraph"));
    let again = folder.run("lts a.aut --aut b.aut");
    assert!(again.out.contains("ERROR: in, tau, in"), "{}", again.out);
    assert_eq!(folder.read("a.aut"), folder.read("b.aut"));
    assert_eq!(folder.run("lts a.aut --against b.aut").code, 0);
    folder.write("c.aut", "des (0, 1, 1)\n(0, \"a\", 3)\n");
    let bad = folder.run("lts c.aut");
    assert_eq!(bad.code, 65);
    assert!(bad.err.contains("F0020") && bad.err.contains("c.aut:2:12"), "{}", bad.err);
}

#[test]
fn mistakes_have_places_and_limits_are_kept() {
    let folder = Folder::with("bad.lts", "P = (a -> Q).\n");
    let bad = folder.run("lts bad.lts");
    assert_eq!(bad.code, 65);
    assert!(bad.err.contains("F0003") && bad.err.contains("bad.lts:1:11"), "{}", bad.err);
    assert_eq!(folder.run("lts bad.lts -p NONE").code, 65);
    folder.write("huge.lts", "P = (a -> b -> c -> P). ||H = forall [i:1..40] p[i]:P.");
    let huge = folder.run("lts huge.lts --storage list --time 1s");
    assert_eq!(huge.code, 20);
    assert!(
        huge.out.contains("unknown\n  time limit reached in the phase `compose`"),
        "{}",
        huge.out
    );
    folder.write("ok.lts", TEXT);
    let list = folder.run("lts ok.lts --list");
    assert!(list.out.contains("property     ORDER"), "{}", list.out);
}

#[test]
fn evidence_is_written_checked_and_refused_when_it_is_damaged() {
    let folder = Folder::with("cells.lts", TEXT);
    for (command, code, damage) in [
        ("-p TWO --against THREE", 0, ("\"relation\":[[0,0],", "\"relation\":[[0,1],")),
        ("-p THREE --against TWO", 10, ("\"children\":[1", "\"children\":[2")),
        ("-p TWO --against THREE --conformance traces", 0, ("\"pairs\":[[0,0],", "\"pairs\":[")),
        (
            "-p THREE --against TWO --conformance traces",
            10,
            ("\"trace\":[[\"in\"", "\"trace\":[[\"out\""),
        ),
        ("-p CHECK", 10, ("\"path\":[[\"in\"", "\"path\":[[\"out\"")),
        ("-p STUCK", 10, ("\"states\":[1]", "\"states\":[0]")),
        ("-p TWO", 0, ("\"closed\":[0,", "\"closed\":[")),
    ] {
        let found = folder.run(&format!("lts cells.lts {command} --certificate evidence.json"));
        assert_eq!(found.code, code, "{command}: {}{}", found.out, found.err);
        let again = folder.run("certify cells.lts evidence.json");
        assert_eq!(again.code, code, "{command}: {}{}", again.out, again.err);
        let text = folder.read("evidence.json");
        let damaged = text.replace(damage.0, damage.1);
        assert_ne!(damaged, text, "{command}: {} is in {text}", damage.0);
        folder.write("damaged.json", damaged);
        let refused = folder.run("certify cells.lts damaged.json");
        assert!(refused.out.contains("unknown ("), "{command}: {}{}", refused.out, refused.err);
    }
    folder.write("damaged.json", folder.read("evidence.json").replace("no-deadlock", "no-lock"));
    let silent = folder.run("certify cells.lts damaged.json");
    assert_eq!(silent.code, 20, "{}{}", silent.out, silent.err);
    assert!(
        silent.out.contains("no-deadlock: unknown (the file is silent on it)"),
        "{}",
        silent.out
    );
}

/// A system that is too large to be compared pair by pair; the one state that
/// does `extra` is far from the first.
fn large(extra: bool) -> String {
    let mut seed = 2002u64;
    let mut random = |bound: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % bound
    };
    let mut edges = std::collections::BTreeSet::new();
    while edges.len() < 7500 {
        edges.insert((random(1500), ["a", "b"][random(2) as usize], random(1500)));
    }
    edges.extend(extra.then_some((777, "extra", 0)));
    let mut text = format!("des (1, {}, 1500)\n", edges.len());
    for (from, label, to) in edges {
        text += &format!("({from}, \"{label}\", {to})\n");
    }
    text
}

#[test]
fn processes_are_imported() {
    let folder = Folder::with("cell.aut", "des (0, 2, 2)\n(0, \"in\", 1)\n(1, \"out\", 0)\n");
    let text = "import CELL = \"cell.aut\"
        ||TWO = (CELL/{mid/out} || CELL/{mid/in})@{in, out}.
        assert LIVE = []<> out";
    folder.write("two.lts", text);
    let found = folder.run("lts two.lts --certificate e.json");
    assert_eq!(found.code, 0, "{}{}", found.out, found.err);
    assert!(found.out.contains("TWO: 4 states") && found.out.contains("LIVE: holds"));
    assert_eq!(folder.run("certify two.lts e.json").code, 0);
    for (file, code, message) in [
        ("../cell.aut", 65, "F0013"),
        ("/etc/hostname.aut", 65, "F0013"),
        ("cell.txt", 65, "F0013"),
        ("none.aut", 65, "none.aut"),
        ("bad.aut", 65, "bad.aut:1:1"),
    ] {
        folder.write("bad.aut", "nonsense\n");
        folder.write("two.lts", text.replace("cell.aut", file));
        let refused = folder.run("lts two.lts");
        assert_eq!(refused.code, code, "{file}: {}{}", refused.out, refused.err);
        assert!(refused.err.contains(message), "{file}: {}", refused.err);
    }
}

#[test]
fn formulas_are_checked_and_their_evidence_too() {
    let text = "P = (a -> b -> P | c -> P). fluent F = <a, b> initially 0
        assert LIVE = []<> b assert SAFE = [] !c assert KEEPS = <>[] F";
    let folder = Folder::with("f.lts", text);
    let found = folder.run("lts f.lts --certificate e.json");
    assert_eq!(found.code, 10, "{}{}", found.out, found.err);
    for line in [
        "assert LIVE: holds",
        "assert SAFE: VIOLATED, however it goes on: c",
        "assert KEEPS: VIOLATED: at the start\n  then for ever: a, b, c",
        "fair ranking, fair run",
    ] {
        assert!(found.out.contains(line), "{line} is in {}", found.out);
    }
    assert_eq!(folder.run("certify f.lts e.json").code, 10);
    let evidence = folder.read("e.json");
    for (old, new, name) in [
        ("\"cycle\":[[\"a\",1],[\"b\",0],", "\"cycle\":[", "SAFE"),
        ("{\"puts-off\":", "{\"puts-off\":9", "LIVE"),
        ("\"nodes\":[[0,0,0,", "\"nodes\":[[0,1,0,", "LIVE"),
    ] {
        let damaged = evidence.replacen(old, new, 1);
        assert_ne!(damaged, evidence, "{old} is in it");
        folder.write("damaged.json", damaged);
        let refused = folder.run("certify f.lts damaged.json");
        let line = format!("assert {name}: unknown (");
        assert!(refused.out.contains(&line), "{old}: {}{}", refused.out, refused.err);
    }
    folder.write("bad.lts", "P = (a -> P). assert A = <> F assert B = a U b U c");
    let bad = folder.run("lts bad.lts");
    assert!(bad.err.contains("parentheses around one of the two"), "{}", bad.err);
    folder.write("bad.lts", "P = (a -> P). assert A = <> F");
    let bad = folder.run("lts bad.lts");
    assert!(bad.err.contains("no fluent, formula or set `F`"), "{}", bad.err);
}

#[test]
fn large_systems_are_compared_by_blocks() {
    let folder = Folder::with("plain.aut", large(false));
    folder.write("extra.aut", large(true));
    for (left, right, code, kind, damage) in [
        ("plain", "extra", 0, "simulation by blocks", ("\"related\":[[[", "\"related\":[[],[[")),
        ("extra", "plain", 10, "distinguishing formula", ("[\"extra\",", "[\"a\",")),
    ] {
        let found = folder
            .run(&format!("lts {left}.aut --against {right}.aut --certificate e.json --svg f.svg"));
        assert_eq!(found.code, code, "{}{}", found.out, found.err);
        assert!(found.out.contains(kind), "{}", found.out);
        assert!(folder.read("f.svg").contains("<svg"));
        let again = folder.run(&format!("certify {left}.aut e.json"));
        assert_eq!(again.code, code, "{}{}", again.out, again.err);
        let text = folder.read("e.json");
        let damaged = text.replace(damage.0, damage.1);
        assert_ne!(damaged, text, "{} is in it", damage.0);
        folder.write("damaged.json", damaged);
        let refused = folder.run(&format!("certify {left}.aut damaged.json"));
        assert!(refused.out.contains("unknown ("), "{}{}", refused.out, refused.err);
        let json = folder.run(&format!("lts {left}.aut --against {right}.aut --json"));
        let json: serde_json::Value = serde_json::from_str(&json.out).expect("JSON");
        let compared = &json["conformance"];
        assert_eq!(compared["conforms"], code == 0);
        assert_eq!(compared["formula"].is_array(), code != 0, "{compared}");
    }
}
