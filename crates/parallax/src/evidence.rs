//! Evidence files: saved by one run, checked by another.

use crate::isolate::isolated;
use crate::load::read_limited;
use crate::{Answer, CheckError, Checked, Checkers, LoadError, Task, load};
use parallax_base::Budget;
use parallax_evidence::{EvidenceError, EvidenceFile, write_evidence};
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// The largest evidence file that is read.
const MAX_EVIDENCE_BYTES: usize = 2 << 30;

/// What answers from a file name as their engine.
const FILE: &str = "file";

/// Why an evidence file could not be checked. Evidence that is merely wrong is
/// no error: its property is then `unknown`.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CertifyError {
    /// The model cannot be loaded with the constants the evidence names.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The evidence file cannot be read.
    #[error("cannot read the evidence file: {0}")]
    Read(io::Error),
    /// The evidence file is damaged or is about another program.
    #[error(transparent)]
    Evidence(#[from] EvidenceError),
    /// No solver to check with.
    #[error(transparent)]
    Check(#[from] CheckError),
}

/// Writes the evidence of all answers that have some.
pub fn save_evidence(task: &Task, checked: &Checked, out: impl Write) -> io::Result<()> {
    let findings: Vec<_> =
        checked.answers.iter().map(|a| (a.property, &a.outcome.finding)).collect();
    write_evidence(out, &task.program, &task.constants, &findings)
}

/// Checks an evidence file against a model, from scratch: nothing but the two
/// files is looked at. The constants are those the evidence was found with.
pub fn certify_file(
    model: &Path,
    evidence: &Path,
    checkers: &Checkers,
    budget: &Budget,
) -> Result<(Task, Checked), CertifyError> {
    let start = Instant::now();
    let bytes = read_limited(evidence, MAX_EVIDENCE_BYTES).map_err(CertifyError::Read)?;
    let too_large = || CertifyError::Read(io::Error::other("it is larger than 2 GiB"));
    let file = EvidenceFile::parse(&bytes.ok_or_else(too_large)?)?;
    let task = load(model, file.constants())?;
    let mut answers = Vec::new();
    for (property, finding) in file.decode(&task.program)? {
        let mut answer = Answer::open(property, FILE, parallax_base::Stop::Cancelled.into());
        let judged = isolated(|| checkers.judge(&task.program, property, finding, budget))?;
        answer.outcome.statistics.solver_queries = judged.queries;
        answer.outcome.finding = judged.finding;
        answer.checked_by = judged.by;
        answers.push(Arc::new(answer));
    }
    let mut checked = Checked::new(&task, answers, start.elapsed());
    let answered = |id| checked.answers.iter().any(|a| a.property == id);
    let all = task.program.properties.iter_enumerated();
    let silent: Vec<String> = all
        .filter(|(id, property)| !property.implicit && !answered(*id))
        .map(|(_, property)| format!("`{}`", property.name))
        .collect();
    if !silent.is_empty() {
        checked.assumptions.push(format!("the file is silent on {}", silent.join(", ")));
    }
    Ok((task, checked))
}
