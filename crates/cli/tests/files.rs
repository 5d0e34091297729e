//! Files that are written: whole or not at all, where it was meant, and nothing
//! is done in vain.

#![cfg(unix)]

mod support;

use std::os::unix::fs::{PermissionsExt, symlink};
use support::{COUNTER, ENDLESS, Folder, Ran};

const BROKEN: &str = "#include \"own.h\"\nextern void reach_error(void);
int main(void) { if (own() > 2) reach_error(); return 0; }\n";

/// A folder in which every command has something to read.
fn folder() -> Folder {
    let folder = Folder::with("m.plx", COUNTER);
    folder.write("broken.c", BROKEN);
    folder.write("own.h", "int own(void);\n");
    folder.write("endless.plx", ENDLESS);
    folder.write("a.lts", "P = (a -> b -> P).\n");
    folder
}

/// Names in the folder, sorted.
fn names(folder: &Folder) -> Vec<String> {
    let entries = std::fs::read_dir(folder.path(".")).expect("a folder");
    let names = entries.map(|e| e.expect("an entry").file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

/// A command that is refused at once and changes nothing.
fn refused(folder: &Folder, arguments: &str, code: i32, message: &str) {
    let before: Vec<_> = names(folder).iter().map(|n| std::fs::read(folder.path(n)).ok()).collect();
    let start = std::time::Instant::now();
    for json in ["", " --json"] {
        let ran = folder.run(&format!("{arguments}{json}"));
        assert_eq!(ran.code, code, "{arguments}: {ran:?}");
        assert!(format!("{}{}", ran.out, ran.err).contains(message), "{arguments}: {ran:?}");
        if !json.is_empty() {
            let _: serde_json::Value = serde_json::from_str(&ran.out).expect("one object");
        }
    }
    assert!(start.elapsed().as_secs() < 5, "{arguments}");
    let after: Vec<_> = names(folder).iter().map(|n| std::fs::read(folder.path(n)).ok()).collect();
    assert_eq!(before, after, "{arguments}");
}

#[test]
fn what_cannot_be_written_is_refused_before_the_work() {
    let folder = folder();
    std::fs::create_dir(folder.path("taken")).expect("a folder");
    // The question is an open problem: an answer would not come in time.
    for output in ["--certificate", "--dot", "--svg", "--witness"] {
        let check = |path: &str, message: &str| {
            refused(&folder, &format!("check endless.plx {output} {path}"), 65, message);
        };
        check("/dev/full", "cannot write `/dev/full`: No space left");
        check("nowhere/x", "its folder does not exist");
        check("m.plx/x", "cannot write");
        check("taken", "it is a folder");
        check(".", "not the name of a file");
        check("/proc/x", "cannot write `/proc/x`");
    }
    refused(&folder, "check endless.plx --harness m.plx/x", 65, "cannot write `m.plx/x`");
    refused(&folder, "check endless.plx --record /proc/x", 65, "cannot write `/proc/x`");
    refused(&folder, "invariants broken.c --certificate /dev/full", 65, "No space left");
    refused(&folder, "lts a.lts --aut /dev/full", 65, "No space left");
    refused(&folder, "ltl a --dot /dev/full", 65, "No space left");
    refused(&folder, "testgen broken.c --out m.plx/x", 65, "cannot write");
    // A file that must not change.
    folder.write("fixed.json", "old");
    let fixed = std::fs::Permissions::from_mode(0o444);
    std::fs::set_permissions(folder.path("fixed.json"), fixed).expect("ours");
    refused(&folder, "check endless.plx --certificate fixed.json", 65, "ermission denied");
}

#[test]
fn inputs_links_and_other_outputs_are_spared() {
    let folder = folder();
    symlink("m.plx", folder.path("link.plx")).expect("a link");
    symlink("victim", folder.path("link.json")).expect("a link");
    symlink(".", folder.path("here")).expect("a link");
    std::fs::hard_link(folder.path("m.plx"), folder.path("hard.plx")).expect("a link");
    folder.write("p.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n");
    let over = "which is read";
    refused(&folder, "check m.plx --certificate m.plx", 2, over);
    refused(&folder, "check m.plx --dot ./m.plx", 2, over);
    refused(&folder, "check m.plx --svg here/m.plx", 2, over);
    refused(&folder, "check m.plx --svg hard.plx", 2, over);
    refused(&folder, "check link.plx --svg m.plx", 2, over);
    refused(&folder, "check broken.c --certificate own.h", 2, over);
    refused(&folder, "check broken.c -p p.prp --witness p.prp", 2, over);
    refused(&folder, "invariants broken.c --certificate own.h", 2, over);
    refused(&folder, "lts a.lts --aut a.lts", 2, over);
    let system = "system s { source \"broken.c\"; fsp \"a.lts\"; }\n";
    folder.write("s.magic", system);
    for file in ["s.magic", "broken.c", "a.lts"] {
        refused(&folder, &format!("magic s.magic --certificate {file}"), 2, over);
    }
    refused(&folder, "check m.plx --certificate link.json", 65, "symbolic link");
    refused(&folder, "check m.plx --certificate link.plx", 2, over);
    assert!(!folder.path("victim").exists());
    refused(&folder, "check m.plx --dot x --svg x", 2, "two outputs have the name `x`");
    refused(&folder, "check m.plx --dot x --svg here/x", 2, "two outputs");
    std::fs::create_dir(folder.path("suite")).expect("a folder");
    folder.write("suite/suite.c", BROKEN);
    refused(&folder, "testgen suite/suite.c --out suite", 2, over);
    folder.write(
        "suite/harness.c",
        "extern void reach_error(void); int main(void) { reach_error(); }",
    );
    refused(&folder, "check suite/harness.c --harness suite", 2, over);
    let ran = folder.run("fmt link.plx");
    assert!(ran.code == 0 || ran.err.contains("symbolic link"), "{ran:?}");
    assert!(std::fs::symlink_metadata(folder.path("link.plx")).is_ok_and(|m| m.is_symlink()));
}

#[test]
fn files_are_replaced_as_a_whole() {
    let folder = folder();
    folder.write("e.json", "old");
    let private = std::fs::Permissions::from_mode(0o600);
    std::fs::set_permissions(folder.path("e.json"), private).expect("ours");
    let before = names(&folder);
    assert_eq!(folder.run("check m.plx --certificate e.json").code, 0);
    assert!(folder.read("e.json").starts_with("{\"schema\""));
    let mode = std::fs::metadata(folder.path("e.json")).expect("a file").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    assert_eq!(names(&folder), before, "nothing else is left");
}

#[test]
fn devices_are_written_to() {
    let folder = folder();
    let ran = folder.run("check m.plx --certificate /dev/stdout");
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.out.contains("counter: holds") && ran.out.contains("{\"schema\""), "{ran:?}");
    let ran = folder.run("check m.plx --certificate /dev/stderr --dot /dev/null");
    assert!(ran.code == 0 && ran.err.contains("{\"schema\""), "{ran:?}");
    // A file behind it is not written from its start.
    let out = std::fs::File::create(folder.path("out")).expect("a file");
    let mut command = folder.command("check m.plx --certificate /dev/stdout");
    assert!(command.stdout(out).status().is_ok_and(|status| status.success()));
    let text = folder.read("out");
    assert!(text.starts_with("counter: holds") && text.contains("{\"schema\""), "{text}");
    let device = std::fs::symlink_metadata("/dev/stdout").expect("a device");
    assert!(device.is_symlink());
    // A result that does not arrive is no success.
    let full = std::fs::File::options().write(true).open("/dev/full").expect("a device");
    let output = folder.command("check m.plx").stdout(full).output().expect("it runs");
    let ran = Ran::of(output);
    assert_eq!(ran.code, 65, "{ran:?}");
}
