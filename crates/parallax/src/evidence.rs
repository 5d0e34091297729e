//! Evidence files: saved by one run, checked by another.

use crate::question::{Question, question};
use crate::settle::settled;
use crate::{Answer, CheckError, Checked, Checkers, Difference, LoadError, LoadOptions, Task};
use parallax_base::{Budget, Id};
use parallax_evidence::{
    ContractClaim, EvidenceError, EvidenceFile, Finding, Made, Recursion, Section, Why,
    write_sections,
};
use parallax_ir::Property;
use parallax_task::read_limited;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
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
    /// The program cannot be loaded.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The evidence file cannot be read.
    #[error("cannot read the evidence file: {0}")]
    Read(io::Error),
    /// The evidence file is damaged or is about another program.
    #[error(transparent)]
    Evidence(#[from] EvidenceError),
    /// The evidence was made for another question than the one that is asked.
    #[error("the evidence was made for another question: {0}")]
    OtherQuestion(Box<Difference>),
    /// No solver to check with.
    #[error(transparent)]
    Check(#[from] CheckError),
}

/// Writes the evidence of all answers that have some.
pub fn save_evidence(task: &Task, checked: &Checked, out: impl Write) -> io::Result<()> {
    let mut findings = Vec::new();
    let mut parts: Vec<(Made, &Task, [Claim<'_>; 1])> = Vec::new();
    for answer in &checked.answers {
        let answer = answer.plain.as_ref().unwrap_or(answer);
        let (about, property) = answer.about(task);
        if answer.task.is_some() {
            parts.push((about.made(task), about, [(property, &answer.outcome.finding)]));
        } else {
            findings.push((answer.property, &answer.outcome.finding));
        }
    }
    let parts: Vec<Section<'_>> = parts
        .iter()
        .filter(|(_, _, [(_, finding)])| !matches!(finding, Finding::Unknown(_)))
        .map(|(made, about, findings)| Section {
            recursion: made.recursion.as_ref(),
            plain: made.plain,
            always: made.always,
            program: &about.program,
            findings,
        })
        .collect();
    let settings = task.origin.settings();
    write_sections(out, &task.program, &settings, &task.invariants, &findings, &parts)
}

/// Checks an evidence file against a model or the files of a C program, from
/// scratch: nothing but these files is looked at. The question is that of
/// `options`; properties are named there for models, too. What is asked and the
/// file does not answer is `unknown`.
pub fn certify_files(
    files: &[PathBuf],
    options: &LoadOptions,
    evidence: &Path,
    checkers: &Checkers,
    budget: &Budget,
) -> Result<(Task, Checked), CertifyError> {
    let start = Instant::now();
    let bytes = read_limited(evidence, MAX_EVIDENCE_BYTES).map_err(CertifyError::Read)?;
    let too_large = || CertifyError::Read(io::Error::other("it is larger than 2 GiB"));
    let file = EvidenceFile::parse(&bytes.ok_or_else(too_large)?)?;
    let Question { mut task, asked, silent } = question(files, options, &file)?;
    let mut answers = Vec::new();
    let mut judge = |property, about: Option<Arc<Task>>, asked, finding| {
        let mut answer = Answer::open(asked, FILE, Why::NoEvidence);
        let own = about.as_deref().unwrap_or(&task);
        let program = &own.program;
        if let Some((_, why)) = own.refused.iter().find(|(id, _)| *id == property) {
            answer.outcome.finding = Finding::Unknown(why.clone());
        } else {
            let judged = checkers.judge(program, property, finding, budget);
            answer.outcome.statistics.solver_queries = judged.queries;
            answer.outcome.finding = judged.finding;
            answer.checked_by = judged.by;
            answer = settled(own, property, answer, checkers, budget);
            answer.task = about;
        }
        answers.push(Arc::new(answer));
        Ok::<(), CheckError>(())
    };
    // What is claimed and nobody asks for is not looked at.
    let is_asked = |name: &&str| asked.iter().any(|asked| asked == name);
    let id_of = |name: &str| {
        task.program.property(name).ok_or_else(|| unfit(format!("there is no property `{name}`")))
    };
    for (part, made) in file.parts()?.iter().enumerate() {
        for name in file.claimed(part).into_iter().filter(is_asked) {
            let about = match *made == Made::default() {
                true => task.part(name),
                false => Some(Arc::new(task.remade(name, made).map_err(unfit)?)),
            };
            let program = about.as_ref().map_or(&task.program, |t| &t.program);
            let asked = id_of(name)?;
            for (property, finding) in file.decode_part(part, program)? {
                if &*program.properties[property].name == name {
                    judge(property, about.clone(), asked, finding)?;
                }
            }
        }
    }
    let names: Vec<String> = file.names().into_iter().filter(is_asked).map(String::from).collect();
    // A program that was made for one property is the only one of its file.
    let about = names.first().and_then(|name| task.part(name));
    let program = about.as_ref().map_or(&task.program, |t| &t.program);
    if !names.is_empty() {
        for (property, finding) in file.decode(program)? {
            let name = &*program.properties[property].name;
            if names.iter().any(|asked| asked == name) {
                judge(property, about.clone(), id_of(name)?, finding)?;
            }
        }
    }
    silent.into_iter().for_each(|property| task.refuse(property, Why::NoEvidence));
    for name in &asked {
        let id = task.program.property(name);
        let id = id.ok_or_else(|| unfit(format!("there is no property `{name}`")))?;
        let why = task.refused.iter().find(|(refused, _)| *refused == id);
        let why = why.map_or(Why::NoEvidence, |(_, why)| why.clone());
        answers.push(Arc::new(Answer::open(id, FILE, why)));
    }
    // Of two answers to one property, the second is worth nothing.
    answers.sort_by_key(|a| a.property);
    answers.dedup_by_key(|a| a.property);
    let checked = Checked::new(&task, answers, start.elapsed());
    Ok((task, checked))
}

pub(crate) fn unfit(what: String) -> EvidenceError {
    EvidenceError::Mismatch(what)
}

/// The task of a C program with one of its properties and contracts in the
/// place of recursive calls. If the property holds there, the contracts hold,
/// and the property holds of the program; if not, that says nothing.
pub fn with_contracts(
    task: &Task,
    property: &str,
    contracts: &[ContractClaim],
) -> Result<Task, CertifyError> {
    let recursion = Some(Recursion::Contracts(contracts.to_vec()));
    let made = Made { recursion, ..Made::default() };
    Ok(task.remade(property, &made).map_err(unfit)?)
}
