//! Runs with random limits, signals and kills: each ends in time, says so in one
//! JSON object, and leaves no process behind.
//!
//! A few runs here; `PARALLAX_CAMPAIGN=1000` asks for more.

#![cfg(target_os = "linux")]

mod support;

use std::io::Read;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use support::{COUNTER, ENDLESS, Folder, survivors};

/// Runs without further notice.
const RUNS: u64 = 60;

/// How long after its limit, or after a signal, a run may go on.
const LATE: Duration = Duration::from_secs(1);

/// More states than memory holds.
const CELLS: &str = "var a: [9] 0..=9 = 0;
    process P[i in 0..9] { up: when a[i] < 9 do a[i] := a[i] + 1; }
    invariant low: a[0] <= 9;";

/// A loop that engines work on for long.
const LOOP: &str = "extern void reach_error(void); extern unsigned __VERIFIER_nondet_uint(void);
    int main(void) {
      unsigned x = __VERIFIER_nondet_uint(), y = 1;
      while (x > 1) { if (x % 2) x = 3 * x + 1; else x /= 2; y *= 3; }
      if (y % 2 == 0) reach_error();
      return 0;
    }";

const PROBLEM: &str = "(set-logic QF_LIA)(declare-fun x () Int)(declare-fun y () Int)
    (assert (and (<= 0 x) (<= x (* 3 y)) (<= (+ x y) 100)))
    (maximize x)(maximize (+ x y))(check-sat)";

/// What is run, with `--json` and limits.
const COMMANDS: [&str; 17] = [
    "check endless.plx",
    "check endless.plx --engine ase",
    "check endless.plx --engine bmc",
    "check cells.plx --engine ase",
    "check cells.plx --engine ur",
    "check counter.plx",
    "check loop.c",
    "check loop.c -p all --engine cegar",
    "check waiting.c",
    "check fifo.plx",
    "certify counter.plx proof.json",
    "invariants loop.c --templates octahedra",
    "optimize problem.smt2",
    "lts system.lts",
    "ltl []((a->(b||c))&&<>d&&<>[]h)&&<>(a&&[]b)&&([]<>e-><>[]f)",
    "magic semaphore.magic",
    "testgen treemap.c --api treemap.toml --length 12",
];

/// Numbers that look random.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) % bound
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len() as u64) as usize]
    }
}

fn folder() -> Folder {
    let folder = Folder::with("endless.plx", ENDLESS);
    folder.write("cells.plx", CELLS);
    folder.write("counter.plx", COUNTER);
    folder.write("loop.c", LOOP);
    folder.write("waiting.c", "#include \"pipe.h\"\nint main(void) { return 0; }\n");
    folder.write("problem.smt2", PROBLEM);
    folder.write("system.lts", "P = (a -> b -> P). ||S = (x:P || y:P || z:P || w:P).\n");
    for name in ["containers/treemap.c", "containers/treemap.toml"]
        .into_iter()
        .chain(["magic/semaphore.c", "magic/semaphore.magic"])
    {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name);
        let own = name.split('/').next_back().unwrap_or(name);
        folder.write(own, std::fs::read(path).expect("an example"));
    }
    for pipe in ["pipe.h", "fifo.plx"] {
        let made = Command::new("mkfifo").arg(folder.path(pipe)).status();
        assert!(made.is_ok_and(|status| status.success()));
    }
    assert_eq!(folder.run("check counter.plx --certificate proof.json").code, 0);
    for command in COMMANDS {
        let ran = folder.run(&format!("{command} --json --time 300ms"));
        assert!([0, 10, 20].contains(&ran.code), "{command}: {ran:?}");
    }
    folder
}

/// Whom a signal is sent to.
#[derive(Clone, Copy, PartialEq, Debug)]
enum To {
    /// The process that was started.
    First,
    /// The process that does the work.
    Worker,
    /// The last process that the worker started.
    Last,
}

/// The processes below one.
fn below(id: u32) -> Vec<u32> {
    let text = std::fs::read_to_string(format!("/proc/{id}/task/{id}/children"));
    let direct = text.unwrap_or_default();
    direct.split_whitespace().filter_map(|id| id.parse().ok()).collect()
}

fn aim(first: u32, to: To) -> u32 {
    let worker = below(first).first().copied();
    match to {
        To::First => first,
        To::Worker => worker.unwrap_or(first),
        To::Last => {
            let mut last = worker.unwrap_or(first);
            while let Some(&next) = below(last).last() {
                last = next;
            }
            last
        }
    }
}

/// Whether a process has its handlers for signals.
fn is_ready(id: u32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
    let caught = caught.and_then(|text| u64::from_str_radix(text.trim(), 16).ok()).unwrap_or(0);
    caught & (1 << 14) != 0
}

/// One run; what is wrong with it.
fn run(folder: &Folder, number: u64) -> Option<String> {
    let mut dice = Dice(number.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5eed);
    for _ in 0..4 {
        dice.below(2);
    }
    let command = dice.one(&COMMANDS);
    let time = Duration::from_millis(50 + dice.below(1200));
    let memory = (dice.below(3) == 0).then(|| 30 + dice.below(300));
    let space = (dice.below(3) == 0).then(|| 90_000 + dice.below(900_000));
    let signal = match dice.below(3) {
        0 => None,
        _ => Some((
            dice.one(&["TERM", "INT", "HUP", "KILL", "TERM", "INT"]),
            [To::First, To::First, To::Worker, To::Last][dice.below(4) as usize],
            Duration::from_millis(dice.below(time.as_millis() as u64 + 200)),
        )),
    };
    let memory = memory.map_or_else(String::new, |m| format!(" --memory {m}M"));
    let line = format!("{command} --json --time {}ms{memory}", time.as_millis());
    let limit = space.map_or_else(String::new, |space| format!("ulimit -v {space}; "));
    let label = format!("run {number}: {limit}{line}, {signal:?}");
    let mark = format!("{}-{number}-", folder.mark());
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", &format!("{limit}exec \"$@\""), "sh", env!("CARGO_BIN_EXE_parallax")]);
    shell.args(line.split_whitespace()).current_dir(folder.path("."));
    shell.env("PARALLAX_MARK", &mark).env_remove("RUST_BACKTRACE");
    shell.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let start = Instant::now();
    let mut child = shell.spawn().expect("a shell");
    let mut output = child.stdout.take().expect("a pipe");
    let reader = std::thread::spawn(move || {
        let mut text = String::new();
        output.read_to_string(&mut text).map(|_| text)
    });
    let mut end = start + time;
    if let Some((signal, to, after)) = signal {
        while !is_ready(child.id()) && child.try_wait().is_ok_and(|ended| ended.is_none()) {
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(after);
        let target = aim(child.id(), to);
        // Whoever ended already cannot be told.
        let _ = Command::new("kill")
            .args(["-s", signal, &target.to_string()])
            .stderr(Stdio::null())
            .status();
        if to == To::First {
            end = end.min(Instant::now());
        }
    }
    let status = child.wait().expect("it ends");
    let late = Instant::now().saturating_duration_since(end);
    let text = reader.join().expect("a thread").unwrap_or_default();
    let left = survivors(&mark);
    let killed = matches!(signal, Some(("KILL", To::First, _)));
    wrong(status, &text, killed)
        .or_else(|| {
            if late > LATE {
                return Some(format!("it ended {late:?} after its end"));
            }
            (!left.is_empty()).then(|| format!("it left {left:?}"))
        })
        .map(|what| format!("{label}: {what}"))
}

/// What is wrong with the result of a run.
fn wrong(status: ExitStatus, text: &str, killed: bool) -> Option<String> {
    if killed && status.code().is_none() {
        return None;
    }
    if !status.code().is_some_and(|code| [0, 10, 20, 65].contains(&code)) {
        return Some(format!("it ended with {status}: {text}"));
    }
    let mut objects = serde_json::Deserializer::from_str(text).into_iter::<serde_json::Value>();
    match (objects.next(), objects.next()) {
        (Some(Ok(object)), None) if object.is_object() => None,
        _ => Some(format!("it printed {text:?}")),
    }
}

#[test]
fn runs_end_in_time_with_an_answer_and_leave_nobody() {
    let runs = std::env::var("PARALLAX_CAMPAIGN").ok().and_then(|n| n.parse().ok()).unwrap_or(RUNS);
    let (folder, next, failures) = (folder(), AtomicU64::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= runs {
                        return;
                    }
                    failures.lock().expect("nobody panics").extend(run(&folder, number));
                }
            });
        }
    });
    let failures = failures.into_inner().expect("nobody panics");
    assert!(failures.is_empty(), "{} of {runs}:\n{}", failures.len(), failures.join("\n"));
}
