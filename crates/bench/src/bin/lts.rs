//! `bench/lts`: what costs grow with, on systems that are generated.
//!
//! Rings of procedures that pass a token on, without data and with, are checked
//! with two levels of abstraction, within half a minute, and with one; the ratio
//! of composed states must not exceed 1. One level may need more than its time.
//! Random pairs of transition systems are compared by weak simulation within 10
//! seconds and 500 MB, and systems of 100,000 states that have a bisimulation
//! quotient of a thousand within a minute; the ratio is that of the time to the
//! time of the row before. The exit code is 1 if a row is not as it should be.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::Instant;

use parallax_generate::Random;
use serde_json::Value;

/// The C text and the system file of a ring; the procedures may have data that
/// says what comes next, and count silently.
fn ring(size: usize, data: bool) -> (String, String) {
    let (mut c, mut items, mut turns) = (String::new(), String::new(), Vec::new());
    for node in 0..size {
        let before = (node + size - 1) % size;
        // Writing to a string does not fail.
        let _ =
            writeln!(c, "void pass{node}(void); void pass{before}(void); void work{node}(void);");
        let own = format!("work{node}(); pass{node}();");
        let (first, turn) = match (data, node) {
            (false, 0) => ("", format!("{own} pass{before}();")),
            (false, _) => ("", format!("pass{before}(); {own}")),
            (true, _) => {
                let first = if node == 0 { "int k, phase = 0;" } else { "int k, phase = 2;" };
                let count = "for (k = 0; k < 5;) if (k % 2) k += 1; else k += 3;";
                let work = format!("if (k >= 5 && phase == 0) {{ work{node}(); phase = 1; }}");
                let pass = format!("if (phase == 1) {{ pass{node}(); phase = 2; }}");
                let wait = format!("if (phase == 2) {{ pass{before}(); phase = 0; }}");
                (first, format!("{wait} {count} {work} {pass}"))
            }
        };
        let _ = writeln!(c, "void node{node}(void) {{ {first} for (;;) {{ {turn} }} }}");
        let _ = writeln!(items, "procedure void node{node}(void) {{}}");
        let _ = writeln!(items, "call void pass{node}(void) as pass{node};");
        let _ = writeln!(items, "call void work{node}(void) as work{node};");
        turns.push(format!("work{node} -> pass{node}"));
    }
    let turns = turns.join(" -> ");
    let specification = format!("fsp {{ RING = ({turns} -> RING). }} specification RING;");
    (c, format!("system ring {{ source \"ring.c\"; {specification} {items} }}"))
}

/// A system in the Aldebaran format: a random one of `classes` states, each of
/// which is there `copies` times.
fn system(seed: u64, classes: usize, copies: usize, labels: &[&str], edges: usize) -> String {
    let mut random = Random(seed);
    let mut found: BTreeSet<(usize, &str, usize)> = BTreeSet::new();
    for _ in 0..edges {
        let (from, to) = (random.index(classes), random.index(classes));
        let label = labels[random.index(labels.len())];
        for copy in 0..copies {
            found.insert((from + classes * copy, label, to + classes * random.index(copies)));
        }
    }
    let mut text = format!("des (0, {}, {})\n", found.len(), classes * copies);
    for (from, label, to) in found {
        // Writing to a string does not fail.
        let _ = writeln!(text, "({from}, \"{label}\", {to})");
    }
    text
}

fn run(parallax: &Path, folder: &Path, arguments: &[&str]) -> io::Result<(Value, f64)> {
    let start = Instant::now();
    let output =
        Command::new(parallax).current_dir(folder).args(arguments).arg("--json").output()?;
    let seconds = start.elapsed().as_secs_f64();
    Ok((serde_json::from_slice(&output.stdout).unwrap_or_default(), seconds))
}

fn rings(parallax: &Path, folder: &Path, out: &mut impl Write) -> io::Result<bool> {
    writeln!(out, "ring\tdata\tcomposed\tone level\tratio\tseconds\tone level")?;
    let mut fine = true;
    for (data, size) in [false, true].iter().flat_map(|data| (3..=9).map(move |size| (*data, size)))
    {
        let (c, text) = ring(size, data);
        std::fs::write(folder.join("ring.c"), c)?;
        std::fs::write(folder.join("ring.magic"), text)?;
        let mut asked = vec!["magic", "ring.magic", "--time", "30s"];
        let (two, seconds) = run(parallax, folder, &asked)?;
        asked.push("--one-level");
        let (one, other) = run(parallax, folder, &asked)?;
        let states = |json: &Value| {
            let answer = &json["answers"][0];
            answer["figures"]["largest"].as_u64().filter(|_| answer["verdict"] == "conforms")
        };
        let name = if data { "yes" } else { "no" };
        let Some(two) = states(&two) else {
            writeln!(out, "{size}\t{name}\tno answer")?;
            fine = false;
            continue;
        };
        let Some(one) = states(&one) else {
            writeln!(out, "{size}\t{name}\t{two}\t-\t-\t{seconds:.2}\t-")?;
            continue;
        };
        let ratio = two as f64 / one as f64;
        writeln!(out, "{size}\t{name}\t{two}\t{one}\t{ratio:.3}\t{seconds:.2}\t{other:.2}")?;
        fine &= ratio <= 1.0;
    }
    Ok(fine)
}

fn pairs(parallax: &Path, folder: &Path, out: &mut impl Write) -> io::Result<bool> {
    writeln!(out, "states\tclasses\tlabels\tconforms\tpairs\tseconds\tratio")?;
    let mut fine = true;
    let rows: &[(usize, usize, &[&str])] = &[
        (500, 1, &["a", "b"]),
        (1000, 1, &["a", "b"]),
        (2000, 1, &["a", "b"]),
        (4000, 1, &["a", "b"]),
        (1000, 1, &["a", "b", "c", "tau"]),
        (2000, 1, &["a", "b", "c", "tau"]),
        (4000, 1, &["a", "b", "c", "tau"]),
        (1000, 10, &["a", "b"]),
        (1000, 100, &["a", "b"]),
    ];
    let mut last = None;
    for &(classes, copies, labels) in rows {
        for (seed, name) in [(1, "left.aut"), (2, "right.aut")] {
            let text = system(seed, classes, copies, labels, 5 * classes);
            std::fs::write(folder.join(name), text)?;
        }
        let limit = if copies > 1 { "60s" } else { "10s" };
        let limits = ["--time", limit, "--memory", "500MB"];
        let arguments = [&["lts", "left.aut", "--against", "right.aut"], &limits[..]].concat();
        let (json, seconds) = run(parallax, folder, &arguments)?;
        let found = &json["conformance"];
        fine &= found["conforms"].is_boolean();
        let ratio = last.map_or_else(String::new, |last: f64| format!("{:.1}", seconds / last));
        last = Some(seconds);
        writeln!(
            out,
            "{}\t{classes}\t{}\t{}\t{}\t{seconds:.2}\t{ratio}",
            classes * copies,
            labels.join(" "),
            found["conforms"],
            found["pairs"]
        )?;
    }
    Ok(fine)
}

fn main() -> ExitCode {
    let beside = std::env::current_exe().ok();
    let parallax = beside.map(|path| path.with_file_name("parallax")).unwrap_or_default();
    let folder = std::env::temp_dir().join(format!("parallax-lts-{}", std::process::id()));
    let work = || -> io::Result<bool> {
        std::fs::create_dir_all(&folder)?;
        let mut out = io::stdout().lock();
        let rings = rings(&parallax, &folder, &mut out)?;
        Ok(pairs(&parallax, &folder, &mut out)? && rings)
    };
    let done = work();
    // A folder that stays behind does no harm.
    let _ = std::fs::remove_dir_all(&folder);
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            // Nothing can be done about a closed pipe.
            let _ = writeln!(io::stderr(), "bench/lts: {error}");
            ExitCode::FAILURE
        }
    }
}
