//! Evidence files: saved by one run, checked by another.

use crate::c::{Language, c_task_by, calls_of, language, options_of, settings, whole};
use crate::isolate::isolated;
use crate::load::read_limited;
use crate::{
    Answer, CProgram, CheckError, Checked, Checkers, LoadError, LoadOptions, Task, load_files,
};
use parallax_base::{Budget, Id};
use parallax_evidence::{
    ContractClaim, EvidenceError, EvidenceFile, Finding, Recursion, Section, write_sections,
};
use parallax_ir::Property;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// The largest evidence file that is read.
const MAX_EVIDENCE_BYTES: usize = 2 << 30;

/// What answers from a file name as their engine.
const FILE: &str = "file";

/// A finding about a property.
type Claim<'a> = (Id<Property>, &'a Finding);

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
    let mut findings = Vec::new();
    let mut parts: Vec<(Recursion, &Task, [Claim<'_>; 1])> = Vec::new();
    for answer in &checked.answers {
        let (about, property) = answer.about(task);
        let recursion = about.c.as_ref().and_then(|c| c.recursion());
        match recursion.filter(|_| answer.task.is_some()) {
            Some(recursion) => {
                parts.push((recursion, about, [(property, &answer.outcome.finding)]))
            }
            None => findings.push((answer.property, &answer.outcome.finding)),
        }
    }
    let parts: Vec<Section<'_>> = parts
        .iter()
        .map(|(recursion, task, findings)| Section { recursion, program: &task.program, findings })
        .collect();
    let own = task.c.as_ref().map(|c| settings(&c.source));
    let constants = own.as_ref().unwrap_or(&task.constants);
    write_sections(out, &task.program, constants, &task.invariants, &findings, &parts)
}

/// Checks an evidence file against a model or a C program, from scratch: nothing
/// but the two files is looked at. Constants and settings are those the
/// evidence was found with.
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
    let mut task = load_files(&[model.to_owned()], &settings_of(model, &file)?)?;
    if !file.invariants().is_empty() {
        task.claim(file.invariants().to_vec()).map_err(unfit)?;
    }
    let mut answers = Vec::new();
    let mut judge = |property, about: Option<Arc<Task>>, asked, finding| {
        let mut answer = Answer::open(asked, FILE, parallax_base::Stop::Cancelled.into());
        let program = about.as_ref().map_or(&task.program, |t| &t.program);
        let judged = isolated(|| checkers.judge(program, property, finding, budget))?;
        answer.outcome.statistics.solver_queries = judged.queries;
        answer.outcome.finding = judged.finding;
        answer.checked_by = judged.by;
        answer.task = about;
        answers.push(Arc::new(answer));
        Ok::<(), CheckError>(())
    };
    for (part, recursion) in file.parts()?.iter().enumerate() {
        for name in file.claimed(part) {
            let about = Arc::new(part_task(&task, name, recursion)?);
            let asked = task.program.property(name);
            for (property, finding) in file.decode_part(part, &about.program)? {
                let asked = asked.ok_or_else(|| unfit(format!("no property `{name}`")))?;
                judge(property, Some(Arc::clone(&about)), asked, finding)?;
            }
        }
    }
    for (property, finding) in file.decode(&task.program)? {
        judge(property, None, property, finding)?;
    }
    // Of two claims on one property, the second is worth nothing.
    answers.sort_by_key(|a| a.property);
    answers.dedup_by_key(|a| a.property);
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

fn unfit(what: String) -> EvidenceError {
    EvidenceError::Mismatch(what)
}

/// How the file says that its program is to be read.
fn settings_of(model: &Path, file: &EvidenceFile) -> Result<LoadOptions, EvidenceError> {
    let constants = file.constants();
    if language(model) == Some(Language::Model) {
        let (constants, formulas) = (constants.to_vec(), file.formulas().to_vec());
        return Ok(LoadOptions { constants, formulas, ..LoadOptions::default() });
    }
    let formulas = file.formulas().to_vec();
    let c = options_of(constants).map_err(unfit)?;
    Ok(LoadOptions { c, formulas, ..LoadOptions::default() })
}

/// The task of a C program with one of its properties and contracts in the
/// place of recursive calls. If the property holds there, the contracts hold,
/// and the property holds of the program; if not, that says nothing.
pub fn with_contracts(
    task: &Task,
    property: &str,
    contracts: &[ContractClaim],
) -> Result<Task, CertifyError> {
    part_task(task, property, &Recursion::Contracts(contracts.to_vec()))
}

/// The task that a part of a file is about: the same program, one property,
/// recursion treated as the part says.
fn part_task(task: &Task, name: &str, recursion: &Recursion) -> Result<Task, CertifyError> {
    let c = task.c.as_ref().ok_or_else(|| unfit("a model does not recur".to_owned()))?;
    let asked = c.asked.iter().find(|property| property.name() == name);
    let asked = asked.ok_or_else(|| unfit(format!("there is no property `{name}`")))?;
    let calls = calls_of(&c.source.program, recursion).map_err(unfit)?;
    let source = CProgram { properties: vec![asked.clone()], ..c.source.clone() };
    let task = c_task_by(source, calls)?;
    if let Some((_, why)) = task.refused.first() {
        return Err(unfit(why.to_string()).into());
    }
    Ok(whole(task))
}
