//! `bench/cegar`: verification tasks with limits, one row each.
//!
//! Every task is a process of its own, one after the other. The rows go to
//! standard output as comma-separated values as they come; the summary goes to
//! standard error. The exit code is 1 if a verdict is wrong.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use parallax_bench::{
    Figure, Limits, Measured, Outcome, Task, measure_task, parse_tasks, quantile_plot, sample,
};

const USAGE: &str = "\
usage: bench/cegar ROOT INDEX [options] [-- arguments of parallax check]

ROOT is a collection of C programs, INDEX its list of tasks: tab-separated path,
property, expected verdict (true, false), data model, group; the first line
names the columns.

  --groups A,B,..  only groups whose name begins with one of these
  --property P     only tasks with this property [default: unreach-call]
  --sample N       so many tasks, drawn at random
  --seed S         the seed of the draw [default: 1]
  --time SECONDS   limit per task [default: 60]
  --memory SIZE    limit per task [default: 4G]
  --svg FILE       write a quantile plot
  --parallax FILE  the binary to run
";

struct Arguments {
    root: PathBuf,
    index: PathBuf,
    groups: Vec<String>,
    property: String,
    sample: Option<usize>,
    seed: u64,
    limits: Limits,
    svg: Option<PathBuf>,
    parallax: PathBuf,
    pass_on: Vec<String>,
}

fn arguments() -> Result<Arguments, String> {
    let mut given = std::env::args().skip(1);
    let mut plain = Vec::new();
    let mut found = Arguments {
        root: PathBuf::new(),
        index: PathBuf::new(),
        groups: Vec::new(),
        property: "unreach-call".into(),
        sample: None,
        seed: 1,
        limits: Limits { seconds: 60, memory: "4G".into() },
        svg: None,
        parallax: sibling(),
        pass_on: Vec::new(),
    };
    while let Some(word) = given.next() {
        if word == "--" {
            found.pass_on = given.by_ref().collect();
            break;
        }
        if word == "-h" || word == "--help" {
            return Err(USAGE.into());
        }
        if !word.starts_with("--") {
            plain.push(PathBuf::from(word));
            continue;
        }
        let value = given.next().ok_or_else(|| format!("`{word}` needs a value\n{USAGE}"))?;
        let number = || value.parse::<u64>().map_err(|_| format!("`{value}` is no number"));
        match word.as_str() {
            "--groups" => found.groups = value.split(',').map(str::to_owned).collect(),
            "--property" => found.property = value,
            "--sample" => found.sample = Some(number()? as usize),
            "--seed" => found.seed = number()?,
            "--time" => found.limits.seconds = number()?,
            "--memory" => found.limits.memory = value,
            "--svg" => found.svg = Some(value.into()),
            "--parallax" => found.parallax = value.into(),
            _ => return Err(format!("what is `{word}`?\n{USAGE}")),
        }
    }
    let [root, index] = &plain[..] else { return Err(USAGE.into()) };
    (found.root, found.index) = (root.clone(), index.clone());
    Ok(found)
}

/// The binary beside this one.
fn sibling() -> PathBuf {
    let here = std::env::current_exe().unwrap_or_default();
    here.with_file_name("parallax")
}

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
}

impl Score {
    fn note(&mut self, task: &Task, measured: &Measured) {
        self.tasks += 1;
        let Outcome::Answered(verdict) = &measured.outcome else { return };
        if verdict == task.expected() {
            self.solved += 1;
            self.seconds.push(measured.seconds);
            self.memory.extend(measured.memory_mb);
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
}

fn run() -> Result<ExitCode, String> {
    let arguments = arguments()?;
    let text = std::fs::read_to_string(&arguments.index)
        .map_err(|e| format!("{}: {e}", arguments.index.display()))?;
    let mut tasks = parse_tasks(&text)?;
    let wanted = |t: &Task| {
        let groups = &arguments.groups;
        t.property == arguments.property
            && (groups.is_empty() || groups.iter().any(|g| t.group.starts_with(g.as_str())))
    };
    tasks.retain(wanted);
    if let Some(count) = arguments.sample {
        tasks = sample(&tasks, count, arguments.seed);
    }
    let mut out = io::stdout();
    let failed = |e: io::Error| e.to_string();
    let columns = "task,group,expected,verdict,evidence,engine,seconds,memory_mb,iterations,predicates,queries";
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
            "{},{},{},{},{},{},{:.3},{:.0},{},{},{}",
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
    if let Some(path) = &arguments.svg {
        let title = format!("{} of {} tasks solved", all.solved, all.tasks);
        let limit = arguments.limits.seconds as f64;
        let plot = quantile_plot(&title, all.seconds.clone(), all.tasks, limit);
        std::fs::write(path, plot).map_err(|e| format!("{}: {e}", path.display()))?;
    }
    Ok(if all.wrong == 0 { ExitCode::SUCCESS } else { ExitCode::from(1) })
}
