//! Evidence files: saved by one run, checked by another.

use crate::always::as_invariant;
use crate::c::{add_silent, c_task_by, calls_of, settings, settled};
use crate::load::read_limited;
use crate::question::{Question, question};
use crate::{Answer, CheckError, Checked, Checkers, Difference, LoadError, LoadOptions, Task};
use parallax_base::{Budget, Id};
use parallax_encode::{Calls, Passes};
use parallax_evidence::{
    ContractClaim, EvidenceError, EvidenceFile, Finding, Made, Recursion, Section, Why,
    write_sections,
};
use parallax_ir::Property;
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
    let mut parts: Vec<(Option<Recursion>, &Task, [Claim<'_>; 1])> = Vec::new();
    for answer in &checked.answers {
        let answer = answer.plain.as_ref().unwrap_or(answer);
        let (about, property) = answer.about(task);
        if answer.task.is_some() {
            let recursion = about.c.as_ref().and_then(|c| c.recursion());
            parts.push((recursion, about, [(property, &answer.outcome.finding)]));
        } else {
            findings.push((answer.property, &answer.outcome.finding));
        }
    }
    let parts: Vec<Section<'_>> = parts
        .iter()
        .filter(|(_, _, [(_, finding)])| !matches!(finding, Finding::Unknown(_)))
        .map(|(recursion, about, findings)| Section {
            recursion: recursion.as_ref(),
            plain: is_plain(about) && !is_plain(task),
            always: task.c.is_none(),
            program: &about.program,
            findings,
        })
        .collect();
    let own = task.c.as_ref().map(|c| settings(&c.source));
    let constants = own.as_ref().unwrap_or(&task.constants);
    write_sections(out, &task.program, constants, &task.invariants, &findings, &parts)
}

/// Whether no pass has made the program of a task smaller.
fn is_plain(task: &Task) -> bool {
    task.c.as_ref().is_some_and(|c| c.source.options.passes == Passes::Plain)
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
                true => task_of(&task, name),
                false if task.c.is_none() => Some(Arc::new(always_task(&task, name, made)?)),
                false => Some(Arc::new(part_task(&task, name, made)?)),
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
    let about = names.first().and_then(|name| task_of(&task, name));
    let program = about.as_ref().map_or(&task.program, |t| &t.program);
    if !names.is_empty() {
        for (property, finding) in file.decode(program)? {
            let name = &*program.properties[property].name;
            if names.iter().any(|asked| asked == name) {
                judge(property, about.clone(), id_of(name)?, finding)?;
            }
        }
    }
    silent.into_iter().for_each(|property| add_silent(&mut task, property));
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
    part_task(task, property, &Made { recursion, ..Made::default() })
}

/// The task of a property, if it is one of several that are asked of a program.
fn task_of(task: &Task, name: &str) -> Option<Arc<Task>> {
    let property = task.program.property(name)?;
    task.parts.get(property.index()).cloned()
}

/// The task of a model that asks a formula as an invariant.
fn always_task(task: &Task, name: &str, made: &Made) -> Result<Task, CertifyError> {
    let wanted = Made { always: true, ..Made::default() };
    let property = task.program.property(name).filter(|_| *made == wanted);
    let found = property.and_then(|property| as_invariant(task, property));
    Ok(found.ok_or_else(|| unfit(format!("`{name}` is not asked in this way of a model")))?)
}

/// The task that a part of a file is about: the same program, one property,
/// made as the part says.
fn part_task(task: &Task, name: &str, made: &Made) -> Result<Task, CertifyError> {
    let c = task.c.as_ref().ok_or_else(|| unfit("a model is made in one way only".to_owned()))?;
    let asked = c.asked.iter().find(|property| property.name() == name);
    let asked = asked.ok_or_else(|| unfit(format!("there is no property `{name}`")))?;
    let calls = match &made.recursion {
        Some(recursion) => calls_of(&c.source.program, recursion).map_err(unfit)?,
        None => Calls::default(),
    };
    let mut source = c.source.asking(vec![asked.clone()]);
    if made.plain {
        source.options.passes = Passes::Plain;
    }
    let task = c_task_by(source, calls)?;
    if let Some((_, why)) = task.refused.first() {
        return Err(unfit(why.to_string()).into());
    }
    Ok(task)
}
