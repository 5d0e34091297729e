//! `bench/svcomp-front --answers`: what becomes of a few files of each group.
//!
//! A random sample of each group of a collection is checked with a few seconds
//! per task, one process each. The rows go to standard output as they come: how
//! it ended, seconds, task, and why it is open. The summary, on standard error,
//! counts crashes and internal errors first, then wrong verdicts, then the
//! reasons of what is open: the most frequent is the next thing to remove. The
//! exit code is 1 if there is a crash, an internal error or a wrong verdict.

use parallax_bench::{Collection, Outcome, Task, measure_task, sample};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::process::ExitCode;

const USAGE: &str = "\
usage: bench/svcomp-front ROOT INDEX --answers [options] [-- arguments of parallax check]

  --sample counts tasks of each group; --property any asks all properties
";

/// Tasks of a group, unless another number is given.
const SAMPLE: usize = 2;

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

/// The reason without the names and numbers of one program.
fn kind_of(reason: &str) -> String {
    let mut kind = String::new();
    let mut quoted = false;
    for c in reason.chars() {
        match c {
            '`' => {
                quoted = !quoted;
                kind.push(c);
            }
            _ if quoted => {}
            '0'..='9' => {
                if !kind.ends_with('N') {
                    kind.push('N');
                }
            }
            c => kind.push(c),
        }
    }
    kind
}

fn run() -> Result<ExitCode, String> {
    let arguments = Collection::read(USAGE, &["--answers"])?;
    let mut groups: BTreeMap<String, Vec<Task>> = BTreeMap::new();
    for task in arguments.all()? {
        groups.entry(task.group.clone()).or_default().push(task);
    }
    let failed = |e: io::Error| e.to_string();
    let mut out = io::stdout();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let (mut broken, mut wrong) = (Vec::new(), Vec::new());
    let (mut solved, mut count) = (0, 0);
    for tasks in groups.values() {
        for task in sample(tasks, arguments.per_group(SAMPLE), arguments.seed()) {
            let measured = measure_task(
                &arguments.parallax,
                &arguments.root,
                &task,
                &arguments.limits,
                &arguments.pass_on,
            )
            .map_err(failed)?;
            count += 1;
            let word = measured.outcome.word();
            let why = match &measured.outcome {
                Outcome::Crashed(what) => what.clone(),
                _ => measured.reason.clone(),
            };
            let row =
                format!("{word}\t{:.1}\t{}\t{}\t{why}", measured.seconds, task.path, task.property);
            writeln!(out, "{row}").and_then(|()| out.flush()).map_err(failed)?;
            match &measured.outcome {
                Outcome::Answered(verdict) if verdict == task.expected() => solved += 1,
                Outcome::Answered(verdict) if verdict != "unknown" => wrong.push(row),
                Outcome::Answered(_) => *counts.entry(kind_of(&why)).or_default() += 1,
                Outcome::Crashed(_) | Outcome::Overran => broken.push(row),
            }
        }
    }
    let mut reasons: Vec<(usize, String)> = counts.into_iter().map(|(r, n)| (n, r)).collect();
    reasons.sort_by(|a, b| b.cmp(a));
    let mut err = io::stderr();
    let mut say = |line: String| writeln!(err, "{line}").map_err(failed);
    say(format!(
        "{solved} of {count} answered as expected, {} wrong, {} crashes and internal errors",
        wrong.len(),
        broken.len()
    ))?;
    for row in broken.iter().chain(&wrong) {
        say(row.clone())?;
    }
    for (n, reason) in reasons {
        say(format!("{n:>6}  {reason}"))?;
    }
    let fine = broken.is_empty() && wrong.is_empty();
    Ok(if fine { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

#[cfg(test)]
mod tests {
    use super::kind_of;

    #[test]
    fn reasons_of_one_kind_are_counted_together() {
        let reason = "unsupported: variable arguments of `printk` (12 of 3400 edges)";
        assert_eq!(kind_of(reason), "unsupported: variable arguments of `` (N of N edges)");
    }
}
