//! `bench/threads`: how many states partial-order reduction spares.
//!
//! Programs with four threads or processes, each asked twice by the same engine, once
//! with `--no-por`. One row for each program and engine: states with and without
//! reduction, how many times fewer, and the times of both. Of `cegar` the abstract
//! states are counted. The exit code is 1 if a verdict is wrong or depends on the
//! reduction.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use parallax_bench::{Figure, Figures, Measured, Row, Runner, measure};

const USAGE: &str = "\
Lists states with and without partial-order reduction, side by side.

usage: bench/threads [options] [NAME ...]

  --limit SECONDS   for each run [default: 60]
  --engine NAME     this engine only [default: explicit and cegar]
";

/// A program: name, file, constants, property, what is true.
type Program = (&'static str, &'static str, &'static [&'static str], &'static str, &'static str);

const PROGRAMS: [Program; 15] = [
    ("own work, then a counter", "own-then-counter.plx", &["N=4"], "counted", "holds"),
    ("the same, longer", "own-then-counter.plx", &["N=4", "WORK=8"], "counted", "holds"),
    ("the same, deadlocks", "own-then-counter.plx", &["N=4"], "deadlock_free", "holds"),
    ("the same without lock", "own-then-counter-broken.plx", &["N=4"], "counted", "violated"),
    ("bounded buffer, 2 + 2", "buffer.plx", &["P=2", "C=2"], "room", "holds"),
    ("bounded buffer, 3 + 3", "buffer.plx", &["P=3", "C=3"], "room", "holds"),
    ("file system, 4", "filesystem.plx", &["N=4"], "once", "holds"),
    ("file system, 6", "filesystem.plx", &["N=6", "INODES=6", "BLOCKS=12"], "once", "holds"),
    ("file system, 4 on 2", "filesystem.plx", &["N=4", "INODES=2"], "once", "holds"),
    ("pipeline of 4", "pipeline.plx", &["N=4"], "order", "holds"),
    ("philosophers, 4", "../../../models/philosophers.plx", &["N=4"], "deadlock_free", "holds"),
    ("philosophers, 9", "../../../models/philosophers.plx", &["N=9"], "deadlock_free", "holds"),
    ("philosophers, neighbors", "../../../models/philosophers.plx", &["N=9"], "neighbors", "holds"),
    ("bakery", "../../../models/bakery-bounded.plx", &[], "mutex", "holds"),
    (
        "own work, then a counter, in C",
        "../../c/threads/own-then-counter.c",
        &["N=4"],
        "unreach-call",
        "holds",
    ),
];

fn main() -> ExitCode {
    match run() {
        Ok(code) => code,
        Err(message) => {
            // If stderr is gone there is nobody to tell.
            let _ = writeln!(io::stderr(), "threads: {message}");
            ExitCode::from(2)
        }
    }
}

struct Options {
    limit: u64,
    engines: Vec<String>,
    names: Vec<String>,
}

/// `None` if help is wanted.
fn options() -> Result<Option<Options>, String> {
    let engines = ["explicit", "cegar"].map(str::to_owned).to_vec();
    let mut options = Options { limit: 60, engines, names: Vec::new() };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or_else(|| format!("{argument} wants a value"));
        match argument.as_str() {
            "--help" | "-h" => return Ok(None),
            "--limit" => options.limit = value()?.parse().map_err(|_| "a limit in seconds")?,
            "--engine" => options.engines = vec![value()?],
            name => options.names.push(name.to_owned()),
        }
    }
    Ok(Some(options))
}

fn row(program: &Program, engine: &str, limit: u64, reduce: bool) -> Row {
    let &(name, file, defines, property, expected) = program;
    let mut args = vec!["--engine".to_owned(), engine.to_owned()];
    args.extend((!reduce).then(|| "--no-por".to_owned()));
    Row {
        name: name.to_owned(),
        source: "growth".to_owned(),
        engine: engine.to_owned(),
        args,
        model: file.to_owned(),
        defines: defines.iter().map(|&d| d.to_owned()).collect(),
        property: property.to_owned(),
        expected: expected.to_owned(),
        limit,
        published: Figures::new(),
        published_seconds: None,
        label: "ours".to_owned(),
        demands: Vec::new(),
        note: String::new(),
    }
}

/// The states of a run that ended with the right answer.
fn states(measured: &Measured, row: &Row) -> Option<u64> {
    let figure = if row.engine == "cegar" { Figure::AbstractStates } else { Figure::States };
    let found = measured.figures.get(&figure).copied();
    found.filter(|_| measured.outcome.word() == row.expected)
}

fn run() -> Result<ExitCode, String> {
    let mut out = io::stdout().lock();
    let mut say = |line: &str| {
        writeln!(out, "{line}").and_then(|()| out.flush()).map_err(|e| format!("stdout: {e}"))
    };
    let Some(options) = options()? else {
        say(USAGE.trim_end())?;
        return Ok(ExitCode::SUCCESS);
    };
    let here = std::env::current_exe().map_err(|e| e.to_string())?;
    let parallax = here.with_file_name("parallax");
    let root = PathBuf::from("corpus/model/threads");
    let runner = Runner { parallax, root, limit: None };
    say(
        "program\tengine\tproperty\tverdict\tstates\tall_states\ttimes_fewer\tseconds\tall_seconds",
    )?;
    let mut wrong = false;
    for engine in &options.engines {
        let is_asked =
            |p: &&Program| options.names.is_empty() || options.names.iter().any(|n| n == p.0);
        for program in PROGRAMS.iter().filter(is_asked) {
            let [reduced, all] =
                [true, false].map(|reduce| row(program, engine, options.limit, reduce));
            let run = |row: &Row| {
                measure(&runner, row).map_err(|e| format!("{}: {e}", runner.parallax.display()))
            };
            let (less, more) = (run(&reduced)?, run(&all)?);
            let is_wrong = |m: &Measured| {
                ["holds", "violated"].contains(&m.outcome.word())
                    && m.outcome.word() != reduced.expected
            };
            wrong |= is_wrong(&less) || is_wrong(&more);
            let (few, many) = (states(&less, &reduced), states(&more, &all));
            let factor = few.zip(many).map(|(few, many)| many as f64 / few.max(1) as f64);
            let shown = |n: Option<u64>| n.map_or_else(|| "-".to_owned(), |n| n.to_string());
            let cells = [
                program.0.to_owned(),
                engine.clone(),
                reduced.property.clone(),
                less.outcome.word().to_owned(),
                shown(few),
                shown(many),
                factor.map_or_else(|| "-".to_owned(), |factor| format!("{factor:.1}")),
                format!("{:.2}", less.seconds),
                format!("{:.2}", more.seconds),
            ];
            say(&cells.join("\t"))?;
        }
    }
    Ok(ExitCode::from(u8::from(wrong)))
}
