//! `bench/symba`: bounds of templates, against the optimizer inside Z3.
//!
//! One row per file and engine, with the columns of Table 6.1 of the SYMBA
//! thesis. Our time is that of the whole process, check included; that of Z3
//! is reading and optimizing alone. Afterwards, on standard error: totals per
//! engine, and how often and how far an engine is faster than the better of
//! the two engines of Z3. Fails if a bound differs from the reference, or if
//! `auto` misses its marks: faster in geometric mean, never much slower.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use parallax_bench::{Bounded, Reference, measure_bounds, parse_references, problems};

const USAGE: &str = "\
Bounds the templates of all problems in a folder and compares with Z3.

Usage: bench/symba [OPTIONS] DIR [-- OPTION...]

  DIR                problems (.smt2), and reference.tsv if there is one
  --engines LIST     engines, separated by commas; by default auto
  --only NAME        files whose names contain this only
  --time SECONDS     a time limit for every run; by default 100
  --repeat N         run everything N times and take the least time
  --no-z3            do not run Z3
  --jobs N           run files that take over a second with N jobs as well
  --parallax FILE    the binary to run; by default the one beside this one
  OPTION             passed on to `parallax optimize`, such as --jobs 2
";

/// How much faster than Z3 `auto` must be in geometric mean.
const FACTOR: f64 = 5.0;
/// How much faster two jobs must be than one, on files over a second.
const JOBS_FACTOR: f64 = 1.6;
/// How much slower than Z3 it may be on a single file.
const SLACK: f64 = 1.1;

struct Arguments {
    folder: PathBuf,
    engines: Vec<String>,
    only: String,
    limit: u64,
    repeat: u64,
    with_z3: bool,
    jobs: Option<u64>,
    parallax: PathBuf,
    pass_on: Vec<String>,
}

fn main() -> ExitCode {
    match run() {
        Ok(code) => code,
        Err(message) => {
            // If stderr is gone there is nobody to tell.
            let _ = writeln!(io::stderr(), "symba: {message}");
            ExitCode::from(2)
        }
    }
}

fn parse(args: impl Iterator<Item = String>) -> Result<Option<Arguments>, String> {
    let here = std::env::current_exe().map_err(|e| e.to_string())?;
    let mut result = Arguments {
        folder: PathBuf::new(),
        engines: vec!["auto".into()],
        only: String::new(),
        limit: 100,
        repeat: 1,
        with_z3: true,
        jobs: None,
        parallax: here.with_file_name(format!("parallax{}", std::env::consts::EXE_SUFFIX)),
        pass_on: Vec::new(),
    };
    let mut args = args;
    while let Some(arg) = args.next() {
        let mut value = || args.next().ok_or_else(|| format!("{arg} needs a value"));
        let number = |text: String| text.parse::<u64>().map_err(|_| format!("`{text}`: no number"));
        match arg.as_str() {
            "--help" | "-h" => return Ok(None),
            "--engines" => result.engines = value()?.split(',').map(str::to_owned).collect(),
            "--only" => result.only = value()?,
            "--time" => result.limit = number(value()?)?,
            "--repeat" => result.repeat = number(value()?)?.max(1),
            "--no-z3" => result.with_z3 = false,
            "--jobs" => result.jobs = Some(number(value()?)?),
            "--parallax" => result.parallax = PathBuf::from(value()?),
            "--" => {
                result.pass_on = args.by_ref().collect();
            }
            option if option.starts_with('-') => return Err(format!("no option {option}")),
            _ if result.folder.as_os_str().is_empty() => result.folder = PathBuf::from(arg),
            _ => return Err(format!("unexpected `{arg}`")),
        }
    }
    if result.folder.as_os_str().is_empty() {
        return Err("a folder is missing; see --help".into());
    }
    Ok(Some(result))
}

/// What is added up for an engine.
#[derive(Default)]
struct Total {
    solved: usize,
    seconds: f64,
    queries: u64,
    pushes: u64,
    calls: u64,
    differing: Vec<String>,
    ratios: Vec<(f64, String)>,
    /// The same for several jobs against one.
    jobs_ratios: Vec<(f64, String)>,
}

/// The geometric mean of ratios, and the least with its file.
fn mean_and_least(ratios: &mut [(f64, String)]) -> Option<(f64, f64, &str)> {
    ratios.sort_by(|a, b| a.0.total_cmp(&b.0));
    let logs: f64 = ratios.iter().map(|(ratio, _)| ratio.ln()).sum();
    let mean = (logs / ratios.len() as f64).exp();
    let (least, slowest) = ratios.first()?;
    Some((mean, *least, slowest))
}

fn run() -> Result<ExitCode, String> {
    let mut out = io::stdout().lock();
    let mut say = |line: &str| {
        writeln!(out, "{line}").and_then(|()| out.flush()).map_err(|e| format!("stdout: {e}"))
    };
    let Some(arguments) = parse(std::env::args().skip(1))? else {
        say(USAGE.trim_end())?;
        return Ok(ExitCode::SUCCESS);
    };
    let unreadable = |e: io::Error| format!("{}: {e}", arguments.folder.display());
    let files = problems(&arguments.folder).map_err(unreadable)?;
    let table = arguments.folder.join("reference.tsv");
    let references = match std::fs::read_to_string(&table) {
        Ok(text) => parse_references(&text)
            .map_err(|line| format!("{}: line {line} makes no sense", table.display()))?,
        Err(_) => Default::default(),
    };
    say("file\ttemplates\tengine\tstatus\tequal_to_reference\tseconds\tz3_symba_seconds\t\
         z3_basic_seconds\tqueries\tglobal_pushes\tunbounded_calls")?;
    let mut totals: Vec<Total> = arguments.engines.iter().map(|_| Total::default()).collect();
    for file in &files {
        let name = file.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned());
        if !name.contains(&arguments.only) {
            continue;
        }
        let measure = |engine: &str, pass_on: &[String]| -> Result<Bounded, String> {
            let mut best: Option<Bounded> = None;
            for _ in 0..arguments.repeat {
                let run =
                    measure_bounds(&arguments.parallax, file, engine, arguments.limit, pass_on)
                        .map_err(|e| format!("{}: {e}", arguments.parallax.display()))?;
                let is_better = |old: &Bounded| {
                    (run.seconds, run.search_seconds) < (old.seconds, old.search_seconds)
                };
                if best.as_ref().is_none_or(is_better) {
                    best = Some(run);
                }
            }
            best.ok_or_else(|| String::from("nothing was run"))
        };
        let rivals: Vec<Option<f64>> = ["z3-symba", "z3-basic"]
            .into_iter()
            .map(|engine| {
                if !arguments.with_z3 {
                    return Ok(None);
                }
                let run = measure(engine, &[])?;
                // A search that did not end took at least the limit.
                let is_done = ["bounded", "unsatisfiable"].contains(&run.status.as_str());
                Ok(Some(if is_done { run.search_seconds } else { run.seconds }))
            })
            .collect::<Result<_, String>>()?;
        for (engine, total) in arguments.engines.iter().zip(&mut totals) {
            let run = measure(engine, &arguments.pass_on)?;
            let equal = run.equals(references.get(&name));
            let show = |seconds: Option<f64>| {
                seconds.map_or_else(|| String::from("-"), |s| format!("{s:.3}"))
            };
            let stat = |name: &str| run.stats.get(name).copied().unwrap_or(0);
            say(&format!(
                "{name}\t{}\t{engine}\t{}\t{}\t{:.3}\t{}\t{}\t{}\t{}\t{}",
                match (run.bounds.len(), references.get(&name)) {
                    (0, Some(Reference::Bounds(known))) => known.len(),
                    (count, _) => count,
                },
                run.status,
                equal.map_or("-", |e| if e { "yes" } else { "no" }),
                run.seconds,
                show(rivals[0]),
                show(rivals[1]),
                stat("queries"),
                stat("global_pushes"),
                stat("unbounded_calls"),
            ))?;
            total.seconds += run.seconds;
            total.solved += usize::from(["bounded", "unsatisfiable"].contains(&&*run.status));
            total.queries += stat("queries");
            total.pushes += stat("global_pushes");
            total.calls += stat("unbounded_calls");
            if equal == Some(false) || run.status.starts_with("error") {
                total.differing.push(name.clone());
            }
            let best = rivals.iter().flatten().copied().fold(f64::INFINITY, f64::min);
            if best.is_finite() {
                total.ratios.push((best / run.seconds, name.clone()));
            }
            if let Some(jobs) = arguments.jobs.filter(|_| run.seconds > 1.0) {
                let mut pass_on = arguments.pass_on.clone();
                pass_on.extend([String::from("--jobs"), jobs.to_string()]);
                let several = measure(engine, &pass_on)?;
                total.jobs_ratios.push((run.seconds / several.seconds, name.clone()));
            }
        }
    }
    Ok(summary(&arguments, totals))
}

/// Tells the totals; fails on wrong bounds and missed marks.
fn summary(arguments: &Arguments, totals: Vec<Total>) -> ExitCode {
    let mut err = io::stderr().lock();
    let mut tell = |line: String| {
        let _ = writeln!(err, "symba: {line}");
    };
    let mut is_bad = false;
    for (engine, mut total) in arguments.engines.iter().zip(totals) {
        tell(format!(
            "{engine}: {} solved in {:.1} s, {} queries, {} global pushes, {} unbounded calls",
            total.solved, total.seconds, total.queries, total.pushes, total.calls
        ));
        for name in &total.differing {
            is_bad = true;
            tell(format!("{engine}: {name} is wrong"));
        }
        if let Some((mean, least, slowest)) = mean_and_least(&mut total.ratios) {
            tell(format!(
                "{engine}: {mean:.2} times as fast as the better engine of Z3 in geometric mean, \
                 at least {least:.2} times ({slowest})"
            ));
            if engine == "auto" && (mean < FACTOR || least < 1.0 / SLACK) {
                is_bad = true;
                tell(format!(
                    "auto: the marks are {FACTOR} in geometric mean and 1/{SLACK} at least"
                ));
            }
        }
        let count = total.jobs_ratios.len();
        if let (Some(jobs), Some((mean, least, slowest))) =
            (arguments.jobs, mean_and_least(&mut total.jobs_ratios))
        {
            tell(format!(
                "{engine}: {jobs} jobs are {mean:.2} times as fast as one in geometric mean on \
                 {count} files over a second, at least {least:.2} times ({slowest})"
            ));
            if engine == "auto" && jobs == 2 && mean < JOBS_FACTOR {
                is_bad = true;
                tell(format!("auto: the mark is {JOBS_FACTOR} with two jobs"));
            }
        }
    }
    ExitCode::from(u8::from(is_bad))
}
