//! C files that mean harm: they make the preprocessor read nothing that it was
//! not given, run nothing, and outlive nobody.

#![cfg(unix)]

mod support;

use std::os::unix::fs::symlink;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use support::{Folder, Ran, survivors};

const MAIN: &str = "int main(void) { return 0; }\n";

/// Whether this system holds children to what they may read.
fn has_landlock() -> bool {
    let ran = Folder::with("m.c", MAIN).run("check m.c -p overflow");
    assert_eq!(ran.code, 0, "{ran:?}");
    !ran.err.contains("no Landlock")
}

/// Runs a command that must end within 10 s and leave nobody behind.
fn run(folder: &Folder, arguments: &str) -> Ran {
    let mark = folder.mark();
    let start = Instant::now();
    let output = folder.command(arguments).env("PARALLAX_MARK", &mark).output();
    let ran = Ran::of(output.expect("the binary runs"));
    assert!(start.elapsed() < Duration::from_secs(10), "{arguments}: {:?}", start.elapsed());
    assert_eq!(survivors(&mark), Vec::<String>::new(), "{arguments}");
    ran
}

/// A file outside of all folders that are given.
fn secret(folder: &Folder) -> String {
    folder.write("secret.h", "int XYZZY = 42 +;\n#error XYZZY\n");
    folder.path("secret.h").display().to_string()
}

#[test]
fn files_out_of_reach_are_not_read_and_not_shown() {
    let folder = Folder::new();
    let secret = secret(&folder);
    std::fs::create_dir_all(folder.path("own/deep")).expect("a folder");
    symlink(&secret, folder.path("own/link.h")).expect("a link");
    let check = |text: &str| {
        folder.write("own/m.c", format!("{text}\n{MAIN}"));
        for arguments in ["check own/m.c -p overflow", "check own/m.c -p overflow --json"] {
            let ran = run(&folder, arguments);
            assert_eq!(ran.code, 65, "{text}: {ran:?}");
            assert!(!format!("{}{}", ran.out, ran.err).contains("XYZZY"), "{text}: {ran:?}");
        }
    };
    check(&format!("#include \"{secret}\""));
    check(&format!("#include <{secret}>"));
    check("#include \"../secret.h\"");
    check("#include \"deep/../../secret.h\"");
    check("#include \"link.h\"");
    check(&format!("#define FILE \"{secret}\"\n#include FILE"));
    check(&format!("#line 1 \"{secret}\"\n#error bad"));
    check(&format!("# 1 \"{secret}\" 1\nint x = ;"));
    check("#include </etc/passwd>\nint XYZZY_;");
    // What is given is read.
    folder.write("own/m.c", format!("#include \"../secret.h\"\n{MAIN}"));
    let ran = run(&folder, "check own/m.c -p overflow -I .");
    assert!(ran.code == 65 && ran.err.contains("XYZZY"), "{ran:?}");
    folder.write("given.h", "int y;\n");
    folder.write("own/m.c", format!("#include \"../given.h\"\n{MAIN}"));
    assert_eq!(run(&folder, "check own/m.c -p overflow -I .").code, 0);
    let ran = run(&folder, "check own/m.c -p overflow");
    assert!(ran.code == 65 && ran.err.contains("named with `-I`"), "{ran:?}");
}

#[test]
fn devices_have_no_end() {
    let folder = Folder::new();
    for device in ["/dev/zero", "/dev/random", "/dev/full", "/proc/self/environ"] {
        folder.write("m.c", format!("#include \"{device}\"\n{MAIN}"));
        let ran = run(&folder, "check m.c -p overflow --time 3s");
        assert!([20, 65].contains(&ran.code), "{device}: {ran:?}");
        assert!(ran.code == 65 || !has_landlock(), "{device}: {ran:?}");
        assert!(!ran.err.contains("PARALLAX_MARK"), "{device}: {ran:?}");
        folder.write("m.c", format!("#line 1 \"{device}\"\n#warning w\n{MAIN}"));
        assert_eq!(run(&folder, "check m.c -p overflow").code, 0, "{device}");
        folder.write("m.c", format!("# 1 \"{device}\" 1\n{MAIN}"));
        assert_eq!(run(&folder, "check m.c -p overflow").code, 0, "{device}");
    }
    for name in ["zero.c", "zero.i", "zero.plx", "zero.yml", "zero.json"] {
        symlink("/dev/zero", folder.path(name)).expect("a link");
        let ran = run(&folder, &format!("check {name} -p overflow --time 5s"));
        assert!([20, 65].contains(&ran.code), "{name}: {ran:?}");
    }
    assert_eq!(run(&folder, "check /dev/zero").code, 65);
}

#[test]
fn names_are_not_read_as_options() {
    let folder = Folder::new();
    // What compilers would read as further options.
    folder.write("o.c", "-DHIT -fplugin=./none.so\n");
    folder.write("inc", "-DHIT -fplugin=./none.so\n");
    let text = format!("#include \"own.h\"\n#ifdef HIT\n#error hit\n#endif\n{MAIN}");
    folder.write("own.h", "int own;\n");
    for name in ["@o.c", "-o.c", "-DHIT.c", "a b.c", "it's.c", "quote\".c", "$(touch x).c", "`x`.c"]
    {
        folder.write(name, &text);
        let output = folder.command("check -p overflow -- ").arg(name).output();
        let ran = Ran::of(output.expect("the binary runs"));
        assert_eq!(ran.code, 0, "{name}: {ran:?}");
        let output = folder.command("check -p overflow").arg(folder.path(name)).output();
        assert_eq!(Ran::of(output.expect("the binary runs")).code, 0, "{name}");
    }
    std::fs::create_dir(folder.path("@inc")).expect("a folder");
    folder.write("m.c", &text);
    assert_eq!(run(&folder, "check m.c -p overflow -I @inc").code, 0);
    let ran = run(&folder, "check m.c -p overflow -D @inc");
    assert!(ran.code == 65 && ran.err.contains("`@inc`"), "{ran:?}");
    assert_eq!(run(&folder, "check m.c -p overflow -U @inc").code, 65);
    assert_eq!(run(&folder, "check m.c -p overflow -D F(x)=x").code, 0);
    // A place in a file whose text was handed over.
    folder.write("@o.c", "int main(void) { return x; }\n");
    let ran = run(&folder, "check @o.c");
    assert!(ran.code == 65 && ran.err.contains("@o.c:1:25"), "{ran:?}");
}

/// Makes the preprocessor wait for ever.
fn waiting() -> Folder {
    let folder = Folder::with("m.c", format!("#include \"pipe.h\"\n{MAIN}"));
    let made = Command::new("mkfifo").arg(folder.path("pipe.h")).status();
    assert!(made.is_ok_and(|status| status.success()));
    folder
}

#[test]
fn a_preprocessor_that_waits_is_ended_in_time() {
    let folder = waiting();
    for command in ["check m.c", "certify m.c m.c", "invariants m.c"] {
        let start = Instant::now();
        let ran = run(&folder, &format!("{command} --time 700ms --json"));
        let expected = if command.starts_with("certify") { 65 } else { 20 };
        assert_eq!(ran.code, expected, "{command}: {ran:?}");
        assert!(start.elapsed() < Duration::from_millis(1700), "{:?}", start.elapsed());
        let result: serde_json::Value = serde_json::from_str(&ran.out).expect("one object");
        assert!(result["schema"].is_string(), "{ran:?}");
    }
}

#[test]
fn a_preprocessor_ends_with_us() {
    for signal in ["KILL", "TERM", "INT", "HUP", "QUIT"] {
        let folder = waiting();
        let mark = folder.mark();
        let mut command = folder.command("check m.c --time 60s");
        command.env("PARALLAX_MARK", &mark).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().expect("the binary runs");
        std::thread::sleep(Duration::from_millis(300));
        let id = child.id().to_string();
        let sent = Command::new("kill").args(["-s", signal, &id]).status();
        assert!(sent.is_ok_and(|s| s.success()), "{signal}");
        child.wait().expect("it ends");
        assert_eq!(survivors(&mark), Vec::<String>::new(), "{signal}");
    }
}

#[test]
fn text_that_grows_is_cut_off() {
    let folder = Folder::new();
    let mut text = String::from("#define A0 x x x x x x x x x x\n");
    for i in 1..=12 {
        let before = format!("A{}", i - 1);
        text.push_str(&format!("#define A{i} {}\n", [before.as_str(); 10].join(" ")));
    }
    folder.write("m.c", format!("{text}int A12;\n{MAIN}"));
    let ran = run(&folder, "check m.c -p overflow --time 4s --memory 1G");
    assert!([20, 65].contains(&ran.code), "{ran:?}");
    folder.write("self.h", "#include \"self.h\"\n");
    folder.write("m.c", format!("#include \"self.h\"\n{MAIN}"));
    assert_eq!(run(&folder, "check m.c -p overflow --time 5s").code, 65);
}
