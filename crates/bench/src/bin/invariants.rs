//! `bench/invariants`: invariants by symbolic abstraction against the analysis
//! statement by statement (Table 6.2 of Li's thesis), and inside refinement.
//!
//! One row per task to standard output, tab-separated, as they come; the summary
//! to standard error. The exit code is 1 if a verdict is wrong.

use parallax_bench::{
    Collection, Figure, Loops, Measured, Outcome, Task, measure_loops, measure_task,
};
use std::io::{self, Write};
use std::process::ExitCode;

const USAGE: &str = "\
usage: bench/invariants ROOT INDEX [options] [-- arguments of parallax check]

Each program with loops is analyzed twice, with intervals: block by block with
symbolic abstraction, and statement by statement. Columns: how their invariants
compare loop by loop, and whether they prove the property.

  --inside         instead: `cegar` without invariants, with invariants as
                   facts, and with their bounds as predicates
";

fn main() -> ExitCode {
    match run() {
        Ok(code) => code,
        Err(message) => {
            // If stderr is gone there is nobody to tell.
            let _ = writeln!(io::stderr(), "{message}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<ExitCode, String> {
    let collection = Collection::read(USAGE, &["--inside"])?;
    let wrong = match collection.flags.is_empty() {
        true => table(&collection).map_err(|e| e.to_string())?,
        false => inside(&collection).map_err(|e| e.to_string())?,
    };
    Ok(if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

fn check(collection: &Collection, task: &Task, arguments: &[&str]) -> io::Result<Measured> {
    let mut all: Vec<String> = arguments.iter().map(|a| (*a).to_owned()).collect();
    all.extend(collection.pass_on.iter().cloned());
    measure_task(&collection.parallax, &collection.root, task, &collection.limits, &all)
}

/// Whether a verdict is right; `None` if there is none.
fn judged(task: &Task, measured: &Measured) -> Option<bool> {
    match &measured.outcome {
        Outcome::Answered(verdict) if verdict != "unknown" => Some(verdict == task.expected()),
        _ => None,
    }
}

/// Sums of a column.
#[derive(Default)]
struct Column {
    solved: usize,
    wrong: usize,
    seconds: f64,
    iterations: u64,
}

impl Column {
    fn note(&mut self, task: &Task, measured: &Measured) {
        match judged(task, measured) {
            Some(true) => self.solved += 1,
            Some(false) => self.wrong += 1,
            None => {}
        }
        self.seconds += measured.seconds;
        self.iterations += measured.figures.get(&Figure::Iterations).copied().unwrap_or(0);
    }
}

const ANALYSES: [&str; 2] = ["symba", "statements"];

fn table(collection: &Collection) -> io::Result<usize> {
    let mut out = io::stdout();
    let tasks = collection.tasks().map_err(io::Error::other)?;
    writeln!(
        out,
        "task\tloops\tmore\tless\tincomparable\taccepted\tseconds\tsymba\tsymba_seconds\t\
         statements\tstatements_seconds"
    )?;
    let mut sums = Loops::default();
    let (mut programs, mut analyzed) = (0, 0);
    let mut columns = [Column::default(), Column::default()];
    let mut last = String::new();
    for task in &tasks {
        if task.path == last {
            continue;
        }
        last.clone_from(&task.path);
        let arguments = ["--analysis", "compare", "--templates", "intervals"];
        let (root, limits) = (&collection.root, &collection.limits);
        let loops = measure_loops(&collection.parallax, root, task, limits, &arguments)?;
        if loops.answered && loops.loops == 0 {
            continue;
        }
        programs += 1;
        analyzed += usize::from(loops.answered);
        sums.loops += loops.loops;
        sums.more += loops.more;
        sums.less += loops.less;
        sums.incomparable += loops.incomparable;
        sums.seconds += loops.seconds;
        let mut cells = Vec::new();
        for (analysis, column) in ANALYSES.iter().zip(&mut columns) {
            let arguments =
                ["--engine", "symba", "--templates", "intervals", "--analysis", analysis];
            let measured = check(collection, task, &arguments)?;
            column.note(task, &measured);
            cells.push(format!("{}\t{:.3}", measured.outcome.word(), measured.seconds));
        }
        writeln!(
            out,
            "{}\t{}\t{}\t{}\t{}\t{}\t{:.3}\t{}",
            task.path,
            loops.loops,
            loops.more,
            loops.less,
            loops.incomparable,
            if loops.accepted { "yes" } else { "no" },
            loops.seconds,
            cells.join("\t")
        )?;
        out.flush()?;
    }
    let mut err = io::stderr();
    let share = |n: usize| 100.0 * n as f64 / sums.loops.max(1) as f64;
    writeln!(
        err,
        "{programs} programs with loops, {analyzed} analyzed, {} loops: symbolic abstraction is \
         more precise on {} ({:.0} %), less on {}, incomparable on {}",
        sums.loops,
        sums.more,
        share(sums.more),
        sums.less,
        sums.incomparable
    )?;
    for (analysis, column) in ANALYSES.iter().zip(&columns) {
        writeln!(
            err,
            "{analysis}: {} programs proved by invariants alone, {} wrong, {:.0} s",
            column.solved, column.wrong, column.seconds
        )?;
    }
    Ok(columns.iter().map(|c| c.wrong).sum())
}

const MODES: [&str; 3] = ["none", "symba", "symba-predicates"];

fn inside(collection: &Collection) -> io::Result<usize> {
    let mut out = io::stdout();
    let tasks = collection.tasks().map_err(io::Error::other)?;
    write!(out, "task\texpected")?;
    for mode in MODES {
        write!(out, "\t{mode}\t{mode}_iterations\t{mode}_seconds")?;
    }
    writeln!(out)?;
    let mut columns: Vec<Column> = MODES.iter().map(|_| Column::default()).collect();
    for task in &tasks {
        write!(out, "{}\t{}", task.path, task.expected())?;
        for (mode, column) in MODES.iter().zip(&mut columns) {
            let measured = check(collection, task, &["--engine", "cegar", "--invariants", mode])?;
            column.note(task, &measured);
            let iterations = measured.figures.get(&Figure::Iterations).copied().unwrap_or(0);
            let verdict = measured.outcome.word();
            write!(out, "\t{verdict}\t{iterations}\t{:.3}", measured.seconds)?;
        }
        writeln!(out)?;
        out.flush()?;
    }
    let mut err = io::stderr();
    for (mode, column) in MODES.iter().zip(&columns) {
        writeln!(
            err,
            "--invariants {mode}: {} of {} solved, {} wrong, {} iterations, {:.0} s",
            column.solved,
            tasks.len(),
            column.wrong,
            column.iterations,
            column.seconds
        )?;
    }
    Ok(columns.iter().map(|c| c.wrong).sum())
}
