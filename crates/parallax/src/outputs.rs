//! Files about C programs, and native runs, from the answers of a check.

use crate::{CTask, Checked, Native, Task};
use parallax_evidence::{Certificate, ClosedSet, Finding, Verdict};
use parallax_report::Harness;
use parallax_task::Breach;
use std::io;
use std::path::Path;
use std::time::SystemTime;

/// The first violation of a C program.
fn breach<'a>(task: &'a Task, checked: &'a Checked) -> Option<(&'a CTask, Breach<'a>)> {
    let c = task.origin.c()?;
    let (id, run) = checked.first_run()?;
    let property = c.asked.get(id.index())?;
    let answer = checked.answers.iter().find(|answer| answer.property == id)?;
    let source = &answer.about(task).0.origin.c()?.source;
    Some((c, Breach { property, source, run }))
}

/// A C file that reproduces the first violation when it is compiled as
/// `folder/harness.c` together with the program; `None` if there is none, or if
/// it needs a certain order of threads.
pub fn c_harness(task: &Task, checked: &Checked, folder: &Path) -> Option<Harness> {
    breach(task, checked)?.1.harness(folder)
}

/// Whether the first violation shows itself when the program is compiled and run.
pub fn shows_natively(task: &Task, checked: &Checked) -> bool {
    breach(task, checked).is_some_and(|(_, breach)| breach.shows_natively())
}

/// Compiles and runs the first violation of a C program; `None` if there is
/// none.
pub fn run_natively(task: &Task, checked: &Checked) -> Option<Native> {
    Some(breach(task, checked)?.1.run_natively())
}

/// A witness in the exchange format: of a violation, or of correctness with the
/// invariants of the proofs; `None` for other programs and open questions.
///
/// # Errors
/// If the files of the program cannot be read.
pub fn c_witness(task: &Task, checked: &Checked, now: SystemTime) -> io::Result<Option<String>> {
    let Some(c) = task.origin.c() else { return Ok(None) };
    let asked = checked.answers.iter().filter_map(|a| c.asked.get(a.property.index()));
    let asked: Vec<_> = asked.collect();
    match checked.verdict(task) {
        Verdict::Unknown => Ok(None),
        Verdict::Holds => c.correctness(&asked, &proofs(task, checked), now).map(Some),
        Verdict::Violated => match breach(task, checked) {
            Some((_, breach)) => c.violation(&asked, &breach, now),
            None => Ok(None),
        },
    }
}

/// The closed sets of states of proofs, each with the task that it is about.
fn proofs<'a>(task: &'a Task, checked: &'a Checked) -> Vec<(&'a Task, &'a ClosedSet)> {
    let mut found = Vec::new();
    for answer in &checked.answers {
        if let Finding::Proved(certificate) = &answer.outcome.finding
            && let Certificate::Closed(set) = &**certificate
        {
            found.push((answer.about(task).0, set));
        }
    }
    found
}
