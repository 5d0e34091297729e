//! Children end with whoever started them, keep their limits and their reach.

#![cfg(unix)]

use parallax_child::{Guard, Guarded, Reach, find_program};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, ExitStatus};
use std::time::{Duration, Instant};

fn shell(script: &str) -> Command {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", script]);
    command
}

/// Output and end of a command.
fn run(guard: &Guard<'_>, command: &Command) -> (String, ExitStatus) {
    let output = guard.start(command).and_then(Guarded::finish).expect("it runs");
    (String::from_utf8(output.stdout).expect("text"), output.status)
}

/// Whether a process is there and is not a zombie.
fn is_alive(id: &str) -> bool {
    let status = fs::read_to_string(format!("/proc/{}/stat", id.trim())).unwrap_or_default();
    let state = status.rsplit(')').next().unwrap_or("").trim_start().chars().next();
    state.is_some_and(|state| state != 'Z')
}

fn ends_soon(id: &str) -> bool {
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(5) {
        if !is_alive(id) {
            return true;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    false
}

#[test]
fn output_and_status_come_through() {
    let (text, status) = run(&Guard::default(), &shell("echo \"$1$X\"; read -r x || exit 7"));
    assert_eq!((text.as_str(), status.code()), ("\n", Some(7)));
    let mut command = shell("echo \"$0|$1|$X|$PWD\"");
    command.args(["@a b", "'"]).env("X", "y").current_dir("/");
    let (text, status) = run(&Guard::default(), &command);
    assert_eq!((text.as_str(), status.code()), ("@a b|'|y|/\n", Some(0)));
    let much = shell("i=0; while [ $i -lt 9999 ]; do echo $i; echo $i >&2; i=$((i + 1)); done");
    let output = Guard::default().start(&much).and_then(Guarded::finish).expect("it runs");
    assert_eq!((output.stdout.len(), output.stderr.len()), (48_885, 48_885));
    let missing = Guard::default().start(&Command::new("no such program"));
    assert!(missing.is_err_and(|error| error.kind() == std::io::ErrorKind::NotFound));
}

#[test]
fn a_dropped_child_is_gone_with_its_children() {
    let mut guarded =
        Guard::default().start(&shell("sleep 100 & echo $!; sleep 100")).expect("it starts");
    let mut id = String::new();
    BufReader::new(guarded.output().expect("a pipe")).read_line(&mut id).expect("text");
    assert!(is_alive(&id), "{id}");
    drop(guarded);
    assert!(ends_soon(&id), "{id}");
}

#[test]
fn a_child_to_talk_with() {
    let mut guarded = Guard::default()
        .talk(&shell("sleep 100 & echo $!; while read -r x; do echo \"<$x>\"; done"))
        .expect("it starts");
    let mut output = BufReader::new(guarded.output().expect("a pipe"));
    let mut input = guarded.input().expect("a pipe");
    let mut id = String::new();
    output.read_line(&mut id).expect("text");
    for word in ["one", "two"] {
        writeln!(input, "{word}").expect("it listens");
        let mut line = String::new();
        output.read_line(&mut line).expect("it answers");
        assert_eq!(line, format!("<{word}>\n"));
    }
    // The end of the pipe is the end of the group.
    drop(input);
    assert!(ends_soon(&id), "{id}");
}

#[test]
fn limits_are_kept() {
    let guard = Guard { seconds: Some(1), ..Guard::default() };
    let start = Instant::now();
    let (_, status) = run(&guard, &shell("while :; do :; done"));
    assert!(!status.success());
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
    let guard = Guard { memory: Some(64 << 20), ..Guard::default() };
    let (text, status) = run(&guard, &shell("ulimit -d; exit 3"));
    assert_eq!((text.trim(), status.code()), ("65536", Some(3)));
}

#[test]
fn what_is_out_of_reach_is_not_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let inside = folder.path().join("inside");
    fs::create_dir(&inside).expect("a folder");
    fs::write(inside.join("a"), "given\n").expect("a file");
    fs::write(folder.path().join("b"), "secret\n").expect("a file");
    std::os::unix::fs::symlink(folder.path().join("b"), inside.join("link")).expect("a link");
    let made = Command::new("mkfifo").arg(inside.join("pipe")).status();
    assert!(made.is_ok_and(|status| status.success()));
    let mut reach = Reach::new();
    reach.add(&inside);
    // For ourselves, in any case.
    let read = |path: &Path| reach.read(path, 100);
    assert_eq!(read(&inside.join("a")).as_deref(), Some(&b"given\n"[..]));
    assert_eq!(reach.read(&inside.join("a"), 3), None);
    for path in ["link", "../b", "pipe", ".", "missing", "/dev/zero", "/etc/passwd"] {
        assert_eq!(read(&inside.join(path)), None, "{path}");
    }
    // For a child, where the kernel can.
    reach.add_system(&find_program("sh").expect("a shell"));
    let guard = Guard { reach: Some(&reach), ..Guard::default() };
    let cat = |name: &str| {
        let mut command = Command::new("cat");
        command.arg(name).current_dir(&inside);
        run(&guard, &command)
    };
    let guarded = guard.start(&shell("sleep 100")).expect("it starts");
    if guarded.is_confined() {
        assert_eq!(cat("a").0, "given\n");
        for name in ["link", "../b", "/etc/passwd", "/dev/zero"] {
            let (text, status) = cat(name);
            assert_eq!(text, "", "{name}");
            assert!(!status.success(), "{name}");
        }
        let (_, status) = run(&guard, &shell(&format!("echo x > {}/c", inside.display())));
        assert!(!status.success() && !inside.join("c").exists());
    }
    // We are not confined ourselves.
    assert_eq!(fs::read_to_string(folder.path().join("b")).expect("a file"), "secret\n");
}

#[test]
fn programs_are_found() {
    assert!(find_program("sh").is_some_and(|path| path.is_absolute()));
    assert_eq!(find_program("no such program"), None);
    assert_eq!(find_program("/etc/passwd"), None);
}
