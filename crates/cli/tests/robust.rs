//! Bad input is a clear error or a correct answer, never a panic.

mod support;

use support::{COUNTER, Folder};

#[test]
fn bad_input() {
    let check = |name: &str, content: &[u8], code: i32, message: &str| {
        let folder = Folder::with("m.plx", content);
        for command in ["check m.plx --time 20s", "show m.plx", "simulate m.plx --random"] {
            let ran = folder.run(command);
            assert!([0, code].contains(&ran.code), "{name}: {command}: {}", ran.err);
            assert!(ran.code == 0 || ran.err.contains(message), "{name}: {command}: {}", ran.err);
            let hidden = |c: char| c.is_control() && c != '\n';
            assert!(!ran.err.contains(hidden) && !ran.out.contains(hidden), "{name}: {command}");
        }
        assert_eq!(folder.run("check m.plx --time 20s").code, code, "{name}");
    };
    let deep = format!(
        "var x: int = 0; invariant a: {}x{} == 0;",
        "(".repeat(1_000_000),
        ")".repeat(1_000_000)
    );
    check("a million parentheses", deep.as_bytes(), 65, "nested more than");
    check("parentheses only", "(".repeat(1_000_000).as_bytes(), 65, "error");
    let bang = format!("var x: bool = true; invariant a: {}x;", "!".repeat(1_000_000));
    check("a million negations", bang.as_bytes(), 65, "nested more than");
    let sum = format!("var x: int = 0; invariant a: x == x{};", " + 1 - 1".repeat(100_000));
    check("a sum of many parts", sum.as_bytes(), 0, "");
    let junk: Vec<u8> =
        (0..200_000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    check("binary junk", &junk, 65, "is not text");
    check("control characters", b"\x00\x1b[31m\x07 model \x7f", 65, "error");
    let digits = "7".repeat(10_000);
    let long = format!(
        "const N = {digits}; var x: int = N; process P {{ go: when x == N do x := x - 1; }} invariant a: x > 0;"
    );
    check("long literals", long.as_bytes(), 0, "");
    check(
        "cyclic constants",
        b"const A = B; const B = A; invariant a: A == 0;",
        65,
        "depends on itself",
    );
    check(
        "a huge family",
        b"process P[i in 0..1000000000] { go: when true; } invariant a: true;",
        65,
        "1000000",
    );
    check("a huge array", b"var a: [1000000000] int; invariant a: true;", 65, "error");
    check("nothing", b"", 65, "no property");
    check("a byte order mark", b"\xef\xbb\xbfvar x: int = 0; invariant a: x == 0;", 0, "");
}

#[test]
fn no_file() {
    let folder = Folder::with("counter.txt", COUNTER);
    std::fs::create_dir(folder.path("folder.plx")).expect("a folder");
    let check = |arguments: &str, code: i32, message: &str| {
        let ran = folder.run(arguments);
        assert_eq!(ran.code, code, "{arguments}: {ran:?}");
        assert!(ran.err.contains(message), "{arguments}: {ran:?}");
    };
    check("check missing.plx", 65, "cannot read `missing.plx`");
    check("check folder.plx", 65, "cannot read `folder.plx`");
    check("check counter.txt", 65, "models end in `.plx`");
    check("check", 2, "Usage");
    check("chekc counter.txt", 2, "check");
    check("check counter.txt --time 0s", 2, "such as");
    check("check counter.txt --memory much", 2, "such as");
    check("check counter.txt -D N", 2, "NAME=VALUE");
    check("fmt missing.plx", 65, "cannot read");
}

#[test]
fn names_do_not_reach_the_terminal_as_they_are() {
    let folder = Folder::new();
    let name = "a\u{1b}[31mb\u{202e}.plx";
    for text in [COUNTER, "var x: int = ;"] {
        folder.write(name, text);
        let output = folder.command("check").arg(name).output().expect("the binary runs");
        let ran = support::Ran::of(output);
        let hidden = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
        assert!(!ran.out.contains(hidden) && !ran.err.contains(hidden), "{ran:?}");
    }
}

/// 50 MB in release builds, a tenth of it in debug builds.
#[test]
fn a_large_file() {
    let lines = if cfg!(debug_assertions) { 200_000 } else { 2_000_000 };
    let padding = "// a line of no importance\n".repeat(lines);
    let folder = Folder::with("m.plx", format!("{padding}{COUNTER}"));
    let ran = folder.run("check m.plx --time 60s");
    assert_eq!(ran.code, 0, "{ran:?}");
    folder.write("m.plx", padding.repeat(1 + (64 << 20) / padding.len()));
    let ran = folder.run("check m.plx");
    assert_eq!(ran.code, 65);
    assert!(ran.err.contains("larger than 64 MiB"), "{ran:?}");
}
