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

Each program with loops is analyzed with intervals: block by block with symbolic
abstraction, statement by statement, the same as textbooks have it, and that
without narrowing. Columns: how the invariants of the first compare with those
of the others loop by loop, and whether they prove the property.

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

const ANALYSES: [&str; 4] = ["symba", "statements", "plain", "widened"];

/// Comparisons of the first with the others.
const COMPARED: [&str; 3] = ["compare", "compare-plain", "compare-widened"];

fn table(collection: &Collection) -> io::Result<usize> {
    let mut out = io::stdout();
    let tasks = collection.tasks().map_err(io::Error::other)?;
    write!(out, "task")?;
    for analysis in &ANALYSES[1..] {
        for column in ["loops", "more", "less", "incomparable", "accepted", "seconds"] {
            write!(out, "\t{analysis}_{column}")?;
        }
    }
    for analysis in ANALYSES {
        write!(out, "\t{analysis}\t{analysis}_check_seconds")?;
    }
    writeln!(out)?;
    let mut sums = [Loops::default(); COMPARED.len()];
    let (mut programs, mut analyzed) = (0, [0; COMPARED.len()]);
    let mut columns = ANALYSES.map(|_| Column::default());
    let mut last = String::new();
    for task in &tasks {
        if task.path == last {
            continue;
        }
        last.clone_from(&task.path);
        let (root, limits) = (&collection.root, &collection.limits);
        let mut found = Vec::new();
        for analysis in COMPARED {
            let arguments = ["--analysis", analysis, "--templates", "intervals"];
            found.push(measure_loops(&collection.parallax, root, task, limits, &arguments)?);
        }
        if found.iter().any(|loops| loops.answered && loops.loops == 0) {
            continue;
        }
        programs += 1;
        let mut compared = String::new();
        for ((loops, sum), analyzed) in found.iter().zip(&mut sums).zip(&mut analyzed) {
            *analyzed += usize::from(loops.answered);
            sum.loops += loops.loops;
            sum.more += loops.more;
            sum.less += loops.less;
            sum.incomparable += loops.incomparable;
            sum.seconds += loops.seconds;
            compared.push_str(&format!(
                "\t{}\t{}\t{}\t{}\t{}\t{:.3}",
                loops.loops,
                loops.more,
                loops.less,
                loops.incomparable,
                if loops.accepted { "yes" } else { "no" },
                loops.seconds
            ));
        }
        let mut cells = Vec::new();
        for (analysis, column) in ANALYSES.iter().zip(&mut columns) {
            let arguments =
                ["--engine", "symba", "--templates", "intervals", "--analysis", analysis];
            let measured = check(collection, task, &arguments)?;
            column.note(task, &measured);
            cells.push(format!("{}\t{:.3}", measured.outcome.word(), measured.seconds));
        }
        writeln!(out, "{}{compared}\t{}", task.path, cells.join("\t"))?;
        out.flush()?;
    }
    let mut err = io::stderr();
    for ((analysis, sum), analyzed) in ANALYSES[1..].iter().zip(&sums).zip(analyzed) {
        writeln!(
            err,
            "{programs} programs with loops, {analyzed} analyzed, {} loops: against {analysis}, \
             symbolic abstraction is more precise on {} ({:.0} %), less on {}, incomparable on {}",
            sum.loops,
            sum.more,
            100.0 * sum.more as f64 / sum.loops.max(1) as f64,
            sum.less,
            sum.incomparable
        )?;
    }
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
