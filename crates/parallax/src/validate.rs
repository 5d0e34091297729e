//! Validating witnesses of C programs, our own and those of other tools.
//!
//! A witness of correctness is confirmed if its invariants hold in all runs and the
//! property holds; a witness of a violation, if a run follows its segments and breaks the
//! property. Both are ordinary checks of programs that `parallax_task` makes, so every
//! answer has evidence that `certify` accepted. A witness is rejected for a reason of the
//! same kind: a run that breaks an invariant or the property, or a proof that no run
//! follows it.
//!
//! # Soundness
//! An invariant is assumed only after it was proved. The run of a violation is repeated
//! on the program as it was, without what follows the witness.

use crate::{Answer, Check, CheckError, Checked, Task};
use parallax_base::Budget;
use parallax_cfa::run::{Options, Recorded};
use parallax_cfa::{Base, CProperty, InputSource, Op, Recording, Specification, record};
use parallax_evidence::{Finding, Verdict};
use parallax_report::{Judgement, Validated, ValidationReport};
use parallax_task::{
    BROKEN, BadWitness, COptions, CProgram, Claim, Invariant, LoadError, LoadOptions, SEGMENT,
    SPLICED, Splices, Step, StepKind, Witness, asked_of, breaks, c_task, load_c, plan_invariants,
    plan_path,
};
use std::path::PathBuf;

/// A run of the program that was asked takes no more steps than this.
const REPEATED: u64 = 50_000_000;

/// Why a witness was not looked at.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ValidateError {
    /// The program cannot be read.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The text is no witness.
    #[error("the witness makes no sense: {0}")]
    Witness(#[from] BadWitness),
    /// No check took place.
    #[error(transparent)]
    Check(#[from] CheckError),
    /// It was made for types of other sizes.
    #[error("the witness was made for the data model {0}")]
    OtherModel(&'static str),
}

/// Says whether a witness is right. `check` makes the settings of a check.
///
/// # Errors
/// If the program or the witness cannot be read.
pub fn validate_witness(
    files: &[PathBuf],
    options: &LoadOptions,
    text: &str,
    check: &dyn for<'a> Fn(&'a Task) -> Check<'a>,
    budget: &Budget,
) -> Result<ValidationReport, ValidateError> {
    let witness = Witness::read(text)?;
    let source = load_c(files, &options.c)?;
    let model = source.options.model.unwrap_or_default();
    if let Some(made) = witness.model.filter(|made| *made != model) {
        return Err(ValidateError::OtherModel(parallax_task::model_word(made)));
    }
    let asked = asked_of(&source);
    if asked.is_empty() {
        return Err(LoadError::NothingAsked.into());
    }
    let work = Work { files, options: &options.c, asked, check, budget };
    let mut report = ValidationReport {
        producer: witness.producer.clone(),
        is_correctness: matches!(witness.claim, Claim::Correct(_)),
        judgement: Judgement::Unknown,
        why: String::new(),
        rows: Vec::new(),
        notes: notes(&witness, &source, &work.asked),
        assumptions: Vec::new(),
    };
    match &witness.claim {
        Claim::Correct(invariants) => work.invariants(invariants, &mut report)?,
        Claim::Violated(steps) => work.path(steps, &source, &mut report)?,
    }
    Ok(report)
}

/// What a reader should know of a witness that was made for something else.
fn notes(witness: &Witness, source: &CProgram, asked: &[CProperty]) -> Vec<String> {
    let mut notes = Vec::new();
    for (name, hash) in &witness.hashes {
        let file = source.files.iter().find(|path| path.ends_with(name.trim_start_matches("./")));
        if let Some(file) = file
            && !parallax_task::file_hash(file).is_ok_and(|own| own.eq_ignore_ascii_case(hash))
        {
            notes.push(format!(
                "`{}` is another text than the witness was made for",
                file.display()
            ));
        }
    }
    let formulas =
        |list: &[CProperty]| list.iter().filter_map(CProperty::formula).collect::<Vec<_>>();
    if let Some(text) = &witness.specification
        && let Ok(made) = Specification::parse(text)
        && !formulas(&made.properties).iter().any(|f| formulas(asked).contains(f))
    {
        let names: Vec<String> = made.properties.iter().map(CProperty::name).collect();
        notes.push(format!("the witness was made for {}", names.join(", ")));
    }
    notes
}

/// What is validated with.
struct Work<'w> {
    files: &'w [PathBuf],
    options: &'w COptions,
    asked: Vec<CProperty>,
    check: &'w dyn for<'a> Fn(&'a Task) -> Check<'a>,
    budget: &'w Budget,
}

/// A program with text of a witness in it, and what came of its check.
struct Answered {
    task: Task,
    checked: Checked,
    placed: Vec<usize>,
}

impl Answered {
    fn verdict(&self) -> Verdict {
        self.checked.verdict(&self.task)
    }

    /// A row for each property.
    fn rows(&self) -> impl Iterator<Item = Validated> {
        self.checked.answers.iter().map(|answer| {
            let reason = match &answer.outcome.finding {
                Finding::Unknown(why) => Some(why.to_string()),
                _ => None,
            };
            Validated {
                name: self.task.program.properties[answer.property].name.to_string(),
                verdict: answer.verdict(&self.task),
                checked_by: answer.checked_by.clone(),
                reason,
            }
        })
    }

    /// The run that breaks a property, with the program it is of.
    fn run(&self) -> Option<(&CProgram, &Answer, &Recording)> {
        self.checked.answers.iter().find_map(|answer| {
            let run = answer.run.as_deref()?;
            Some((&answer.about(&self.task).0.origin.c()?.source, &**answer, run))
        })
    }
}

impl Work<'_> {
    /// Checks the program with text put into it; `Err` with a sentence if the text does
    /// not fit.
    fn ask(
        &self,
        splices: Splices,
        asked: Vec<CProperty>,
        share: u32,
    ) -> Result<Result<Answered, String>, ValidateError> {
        let options = COptions { splices, ..self.options.clone() };
        let source = match load_c(self.files, &options) {
            Ok(source) => source.asking(asked),
            Err(LoadError::Invalid(invalid)) => {
                let first = invalid.diagnostics.iter().next().map(|d| d.message.clone());
                return Ok(Err(first.unwrap_or_else(|| String::from("it has errors"))));
            }
            Err(other) => return Err(other.into()),
        };
        let placed = source.placed.clone();
        let task = c_task(source)?;
        let budget = match self.budget.remaining() {
            Some(left) => self.budget.within(left / share),
            None => self.budget.clone(),
        };
        let checked = (self.check)(&task).budget(budget).run()?;
        Ok(Ok(Answered { task, checked, placed }))
    }

    /// Validates a witness of correctness.
    fn invariants(
        &self,
        invariants: &[Invariant],
        report: &mut ValidationReport,
    ) -> Result<(), ValidateError> {
        let plan = plan_invariants(invariants);
        let mut rows: Vec<Validated> =
            invariants.iter().map(|of| open(format!("{} at {}", of.value, of.place))).collect();
        for (number, why) in &plan.left_out {
            rows[*number].reason = Some(why.clone());
        }
        if !plan.pieces.is_empty() {
            let broken = vec![CProperty::Call(BROKEN.into())];
            let failing = match self.ask(plan.failing, broken, 2)? {
                Ok(failing) => failing,
                Err(why) => {
                    report.why = format!("its invariants do not fit the program: {why}");
                    report.rows = rows;
                    return Ok(());
                }
            };
            let found = failing.rows().next();
            for (piece, &number) in plan.pieces.iter().enumerate() {
                if !failing.placed.contains(&piece) {
                    rows[number].reason = Some(String::from("there is no such place"));
                } else if let (Verdict::Holds | Verdict::Unknown, Some(found)) =
                    (failing.verdict(), &found)
                {
                    rows[number] = Validated { name: rows[number].name.clone(), ..found.clone() };
                }
            }
            if failing.verdict() == Verdict::Violated {
                let number = failing.run().and_then(|(program, _, run)| broken_one(program, run));
                let piece = number.and_then(|number| plan.pieces.iter().position(|n| *n == number));
                if let (Some(number), Some(_), Some(found)) = (number, piece, found) {
                    report.why = format!("`{}` does not hold in every run", rows[number].name);
                    rows[number] = Validated { name: rows[number].name.clone(), ..found };
                }
                report.judgement = Judgement::Rejected;
                report.rows = rows;
                return Ok(());
            }
        }
        let proved = rows.iter().all(|row| row.verdict == Verdict::Holds);
        // They are facts now; else the property has to do without.
        let assuming = if proved { plan.assuming } else { Splices::default() };
        let answered = match self.ask(assuming, self.asked.clone(), 1)? {
            Ok(answered) => answered,
            Err(why) => {
                report.why = format!("its invariants do not fit the program: {why}");
                report.rows = rows;
                return Ok(());
            }
        };
        rows.extend(answered.rows());
        report.assumptions.clone_from(&answered.checked.assumptions);
        (report.judgement, report.why) = match answered.verdict() {
            Verdict::Violated => (Judgement::Rejected, String::from("a run breaks the property")),
            Verdict::Holds if proved => {
                (Judgement::Confirmed, String::from("its invariants and the property hold"))
            }
            Verdict::Holds => {
                let why = "the property holds, and not all of its invariants were proved";
                (Judgement::Unknown, String::from(why))
            }
            Verdict::Unknown => (Judgement::Unknown, String::from("the property is open")),
        };
        report.rows = rows;
        Ok(())
    }

    /// Validates a witness of a violation.
    fn path(
        &self,
        steps: &[Step],
        source: &CProgram,
        report: &mut ValidationReport,
    ) -> Result<(), ValidateError> {
        let is_call = |p: &CProperty| {
            matches!(p, CProperty::Errors | CProperty::Call(_) | CProperty::Label(_))
        };
        let plan = plan_path(steps, self.asked.iter().all(is_call));
        let mut left_out = plan.left_out.clone();
        let followed = match self.ask(plan.splices.clone(), self.asked.clone(), 2)? {
            Ok(answered) => answered,
            Err(why) => {
                report.why = format!("its steps do not fit the program: {why}");
                return Ok(());
            }
        };
        for (piece, numbers) in plan.pieces.iter().enumerate() {
            if !followed.placed.contains(&piece) {
                let why = "there is no such place";
                left_out.extend(numbers.iter().map(|n| (*n, why.to_owned())));
            }
        }
        for (number, why) in &left_out {
            let place = &steps[*number].place;
            report.notes.push(format!("the step at {place} is not followed: {why}"));
        }
        report.rows = followed.rows().collect();
        report.assumptions.clone_from(&followed.checked.assumptions);
        let wanted = steps.iter().filter(|s| !s.is_avoided && s.kind != StepKind::Target).count();
        let is_whole = left_out.iter().all(|(n, _)| steps[*n].kind == StepKind::Target);
        match followed.verdict() {
            Verdict::Violated => {
                let run = followed.run();
                let agrees = run.is_some_and(|(program, answer, run)| {
                    let name = &followed.task.program.properties[answer.property].name;
                    let property = self.asked.iter().find(|p| *p.name() == **name);
                    reached(program, run) == wanted
                        && ends_at(steps, program, run)
                        && property.is_some_and(|p| repeats(source, p, run))
                });
                (report.judgement, report.why) = match agrees && is_whole {
                    true => {
                        let why = "a run follows it and breaks the property";
                        (Judgement::Confirmed, String::from(why))
                    }
                    false => {
                        let why = "a run breaks the property, but not as the witness says";
                        (Judgement::Unknown, String::from(why))
                    }
                };
                return Ok(());
            }
            Verdict::Holds if !plan.avoids && is_whole => {
                report.judgement = Judgement::Rejected;
                report.why = String::from("no run that follows it breaks the property");
                return Ok(());
            }
            Verdict::Holds | Verdict::Unknown => {}
        }
        // Perhaps no run breaks the property at all.
        let Ok(whole) = self.ask(Splices::default(), self.asked.clone(), 1)? else { return Ok(()) };
        report.rows = whole.rows().collect();
        (report.judgement, report.why) = match whole.verdict() {
            Verdict::Holds => (Judgement::Rejected, String::from("the property holds")),
            _ => (Judgement::Unknown, String::from("no run was found that follows it")),
        };
        Ok(())
    }
}

fn open(name: String) -> Validated {
    Validated { name, verdict: Verdict::Unknown, checked_by: Vec::new(), reason: None }
}

/// The number of the invariant that a run breaks.
fn broken_one(program: &CProgram, run: &Recording) -> Option<usize> {
    let spans = run.report.calls.iter().rev().chain(&run.report.position).map(|at| at.span);
    spans
        .filter(|span| program.sources.get(span.file).is_some_and(|f| f.name() == SPLICED))
        .find_map(|span| {
            let call = program.sources.snippet(span).trim();
            call.strip_prefix(BROKEN)?.strip_prefix('(')?.strip_suffix(')')?.parse().ok()
        })
}

/// How many steps of the witness a run has followed.
fn reached(program: &CProgram, run: &Recording) -> usize {
    let form = &program.program;
    let counts = |op: &Op| match op {
        Op::Assign(to, _) => match form.places[*to].base {
            Base::Variable(variable) => &*form.variables[variable].name == SEGMENT,
            Base::Pointer(_) => false,
        },
        _ => false,
    };
    let steps = run.steps.iter().rev();
    let last =
        steps.filter(|step| counts(&form.functions[step.at.function].edges[step.at.edge].op));
    let value = last.filter_map(|step| step.value).next();
    value.and_then(|value| usize::try_from(value.as_int()).ok()).unwrap_or(0)
}

/// Whether a run ends where the witness says.
fn ends_at(steps: &[Step], program: &CProgram, run: &Recording) -> bool {
    let Some(target) = steps.last() else { return false };
    let ends = run.report.position.iter().chain(&run.report.calls);
    ends.filter_map(|at| {
        let file = program.sources.get(at.span.file)?;
        Some(file.line_column(at.span.lo).line..=file.line_column(at.span.hi).line)
    })
    .any(|lines| lines.contains(&target.place.spot.line))
}

/// Whether the program as it was breaks the property with the inputs of a run.
fn repeats(source: &CProgram, property: &CProperty, run: &Recording) -> bool {
    let is_call = |source| matches!(source, InputSource::Call | InputSource::Result);
    if !run.inputs.iter().all(|input| is_call(input.source)) {
        // What else it depends on was repeated with the counter in the program.
        return true;
    }
    let inputs = run.inputs.iter().map(|input| match input.value.ty {
        parallax_cfa::ScalarType::Float(_) => input.value.bits as i128,
        _ => input.value.as_int(),
    });
    let source = source.asking(vec![property.clone()]);
    let options = Options { max_steps: REPEATED, ..Options::about(&source.properties) };
    let again = record(&source.program, &mut Recorded::new(inputs.collect()), options, 0);
    breaks(property, &again)
}
