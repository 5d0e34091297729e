//! `bench/cegar`: verification tasks with limits, one row each.
//!
//! Every task is a process of its own, one after the other. The rows go to
//! standard output as comma-separated values as they come; the summary goes to
//! standard error. The exit code is 1 if a verdict is wrong.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::process::ExitCode;

use parallax_bench::{Collection, Figure, Measured, Outcome, Task, measure_task, quantile_plot};

const USAGE: &str = "\
usage: bench/cegar ROOT INDEX [options] [-- arguments of parallax check]

  --svg FILE       write a quantile plot
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

#[derive(Default)]
struct Score {
    tasks: usize,
    solved: usize,
    wrong: usize,
    seconds: Vec<f64>,
    memory: Vec<f64>,
    proofs: usize,
    /// Proofs that trust no pass over the program.
    bare: usize,
    /// What attacks and second proofs add to the time of a proof, in parts of it.
    doubts: Vec<f64>,
}

impl Score {
    fn note(&mut self, task: &Task, measured: &Measured) {
        self.tasks += 1;
        let Outcome::Answered(verdict) = &measured.outcome else { return };
        if verdict == task.expected() {
            self.solved += 1;
            self.seconds.push(measured.seconds);
            self.memory.extend(measured.memory_mb);
            if verdict == "holds" {
                self.proofs += 1;
                self.bare += usize::from(measured.trusts.is_empty());
                self.doubts.push(measured.doubt / (measured.seconds - measured.doubt).max(1e-3));
            }
        } else if verdict != "unknown" {
            self.wrong += 1;
        }
    }

    fn line(&mut self, name: &str) -> String {
        let logs: f64 = self.seconds.iter().map(|s| s.ln()).sum();
        let mean = (logs / self.seconds.len().max(1) as f64).exp();
        self.memory.sort_by(f64::total_cmp);
        let at = (self.memory.len() * 95 / 100).min(self.memory.len().saturating_sub(1));
        let memory = self.memory.get(at).copied().unwrap_or_default();
        let share = 100.0 * self.solved as f64 / self.tasks.max(1) as f64;
        format!(
            "{name}: {} of {} solved ({share:.0} %), {} wrong, geometric mean {mean:.2} s, \
             95 % below {memory:.0} MB",
            self.solved, self.tasks, self.wrong
        )
    }

    /// What doubting the proofs costs and gives.
    fn doubt(&mut self) -> String {
        self.doubts.sort_by(f64::total_cmp);
        let median = self.doubts.get(self.doubts.len() / 2).copied().unwrap_or_default();
        format!(
            "{} of {} proofs trust no pass; attacks and second proofs add {:.0} % in the median",
            self.bare,
            self.proofs,
            100.0 * median
        )
    }
}

fn run() -> Result<ExitCode, String> {
    let arguments = Collection::read(USAGE, &[])?;
    let tasks = arguments.tasks()?;
    let mut out = io::stdout();
    let failed = |e: io::Error| e.to_string();
    let columns = "task,group,expected,verdict,evidence,engine,seconds,memory_mb,iterations,predicates,queries,doubt_seconds,trusts";
    writeln!(out, "{columns}").map_err(failed)?;
    let mut scores: BTreeMap<String, Score> = BTreeMap::new();
    let mut all = Score::default();
    for task in &tasks {
        let measured = measure_task(
            &arguments.parallax,
            &arguments.root,
            task,
            &arguments.limits,
            &arguments.pass_on,
        )
        .map_err(failed)?;
        let figure = |f: Figure| measured.figures.get(&f).map_or(String::new(), u64::to_string);
        writeln!(
            out,
            "{},{},{},{},{},{},{:.3},{:.0},{},{},{},{:.3},{}",
            task.path,
            task.group,
            task.expected(),
            measured.outcome.word(),
            measured.evidence,
            measured.engine,
            measured.seconds,
            measured.memory_mb.unwrap_or_default(),
            figure(Figure::Iterations),
            figure(Figure::Predicates),
            measured.queries.map_or(String::new(), |q| q.to_string()),
            measured.doubt,
            measured.trusts.join("; "),
        )
        .map_err(failed)?;
        out.flush().map_err(failed)?;
        scores.entry(task.group.clone()).or_default().note(task, &measured);
        all.note(task, &measured);
    }
    let mut err = io::stderr();
    for (group, score) in &mut scores {
        writeln!(err, "{}", score.line(group)).map_err(failed)?;
    }
    writeln!(err, "{}", all.line("all")).map_err(failed)?;
    writeln!(err, "{}", all.doubt()).map_err(failed)?;
    if let Some(path) = &arguments.svg {
        let title = format!("{} of {} tasks solved", all.solved, all.tasks);
        let limit = arguments.limits.seconds as f64;
        let plot = quantile_plot(&title, all.seconds.clone(), all.tasks, limit);
        std::fs::write(path, plot).map_err(|e| format!("{}: {e}", path.display()))?;
    }
    Ok(if all.wrong == 0 { ExitCode::SUCCESS } else { ExitCode::from(1) })
}
