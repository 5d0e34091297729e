//! Runs end within a second of their limits, and say why.

mod support;

use std::time::{Duration, Instant};
use support::{ENDLESS, Folder, Ran};

/// A run that has to end with `unknown` soon after `limit`.
fn check(ran: impl FnOnce() -> Ran, limit: Duration, reason: &str) {
    let start = Instant::now();
    let ran = ran();
    let time = start.elapsed();
    assert_eq!(ran.code, 20, "{ran:?}");
    let result: serde_json::Value = serde_json::from_str(&ran.out).expect("one object");
    assert_eq!(result["properties"][0]["reason"]["code"], reason, "{ran:?}");
    assert!(time < limit + Duration::from_secs(1), "{time:?}");
}

#[test]
fn the_time_limit() {
    let folder = Folder::with("m.plx", ENDLESS);
    for engine in ["ase", "auto"] {
        let arguments = format!("check m.plx --json --time 700ms --engine {engine}");
        check(|| folder.run(&arguments), Duration::from_millis(700), "time");
    }
    let counter = "var x: int = 0; process P { up: do x := x + 1; } invariant sane: x != -1;";
    let folder = Folder::with("m.plx", counter);
    let run = || folder.run("check m.plx --json --time 700ms --engine ur");
    check(run, Duration::from_millis(700), "time");
}

#[test]
fn a_hard_property_leaves_time_for_the_others() {
    let folder = Folder::with("m.plx", format!("{ENDLESS} reachable six: x == 6;"));
    let ran = folder.run("check m.plx --time 1s --json");
    let result: serde_json::Value = serde_json::from_str(&ran.out).expect("one object");
    assert_eq!(result["properties"][0]["verdict"], "unknown");
    assert_eq!(result["properties"][1]["verdict"], "holds");
    assert_eq!(ran.code, 20);
}

#[test]
fn the_memory_limit() {
    // A thousand million states before the one that is asked for.
    let full: Vec<String> = (0..9).map(|i| format!("a[{i}] == 9")).collect();
    let cells = format!(
        "var a: [9] 0..=9 = 0;
        process P[i in 0..9] {{ up: when a[i] < 9 do a[i] := a[i] + 1; }}
        unreachable full: {};",
        full.join(" && ")
    );
    let folder = Folder::with("m.plx", cells);
    let run = || folder.run("check m.plx --json --time 60s --memory 120M --engine ase");
    check(run, Duration::from_secs(50), "memory");
}

#[cfg(unix)]
#[test]
fn signals_end_a_run_cleanly() {
    use std::process::Stdio;
    let folder = Folder::with("m.plx", ENDLESS);
    for signal in ["INT", "TERM", "INT", "INT"] {
        let run = || {
            let mut command = folder.command("check m.plx --json --time 60s");
            let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
            let child = child.expect("the binary runs");
            std::thread::sleep(Duration::from_millis(500));
            let sent = std::process::Command::new("kill")
                .args(["-s", signal, &child.id().to_string()])
                .status();
            assert!(sent.is_ok_and(|s| s.success()));
            Ran::of(child.wait_with_output().expect("the binary ends"))
        };
        check(run, Duration::from_millis(500), "cancelled");
    }
}

/// `timeout` and terminals send a signal to one process and to its group.
#[cfg(unix)]
#[test]
fn a_second_signal_changes_nothing() {
    let folder = Folder::with("m.plx", ENDLESS);
    let output = std::process::Command::new("timeout")
        .args(["0.5", env!("CARGO_BIN_EXE_parallax"), "check", "m.plx", "--json"])
        .current_dir(folder.path("."))
        .output();
    let ran = Ran::of(output.expect("it runs"));
    let result: serde_json::Value = serde_json::from_str(&ran.out).expect("one object");
    assert_eq!(result["properties"][0]["reason"]["code"], "cancelled", "{ran:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn little_address_space_is_no_bug() {
    let folder = Folder::with("m.plx", ENDLESS);
    folder.write("c.c", "int main(void) { int x = 1; return x + 1; }\n");
    for command in ["check m.plx", "check c.c -p overflow", "run c.c", "invariants c.c"] {
        let mut codes = Vec::new();
        for space in [100_000, 150_000, 220_000, 400_000, 1_000_000, 4_000_000] {
            let time = if command.starts_with("run") { "" } else { "--time 500ms" };
            let output = std::process::Command::new("/bin/sh")
                .arg("-c")
                .arg(format!("ulimit -v {space}; exec \"$0\" {command} {time} --json"))
                .arg(env!("CARGO_BIN_EXE_parallax"))
                .current_dir(folder.path("."))
                .output();
            let ran = Ran::of(output.expect("it runs"));
            assert!([0, 20, 65].contains(&ran.code), "{command}, {space}: {ran:?}");
            let result: serde_json::Value = serde_json::from_str(&ran.out).expect("one object");
            assert!(result.is_object(), "{command}, {space}: {ran:?}");
            codes.push(ran.code);
        }
        let roomy = if command.contains("m.plx") { 20 } else { 0 };
        assert_eq!(codes.last(), Some(&roomy), "{command}: {codes:?}");
    }
}

#[test]
fn a_log_shows_signs_of_life() {
    let folder = Folder::with("m.plx", ENDLESS);
    let ran = folder.run("check m.plx --time 1500ms");
    let lines: Vec<&str> = ran.err.lines().collect();
    assert_eq!(lines.len(), 1, "{ran:?}");
    assert!(lines[0].contains("sane") && lines[0].contains("s left"), "{ran:?}");
}
