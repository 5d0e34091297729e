//! `parallax check --validate`

use crate::args::CheckArgs;
use crate::check::choice;
use crate::drive::{Drive, Driven};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::files;
use crate::unfinished::Asked;
use parallax::report::{
    Page, VALIDATION_SCHEMA, ValidationReport, render_validation, validation_json,
};
use parallax::{Check, ValidateError, validate_witness};
use parallax_base::Budget;
use std::path::Path;
use std::sync::Arc;

/// Says whether a witness is right.
pub(crate) fn run(args: &Arc<CheckArgs>, witness: &Path, drive: Drive) -> Result<Exit, Failure> {
    let text = files::read(witness)?;
    let work = {
        let args = Arc::clone(args);
        move |budget: &Budget| work(&args, &text, budget)
    };
    let report = match drive.run(work)? {
        Driven::Done(report) => report,
        Driven::Stopped(stop) => return Ok(drive.unfinished(stop)),
    };
    let object = validation_json(&report, drive.budget.elapsed());
    drive.deliver(&object, || render_validation(&report), Page::default)?;
    Ok(report.judgement.verdict().into())
}

/// What is asked of a witness.
pub(crate) fn asked(witness: &Path) -> Asked {
    Asked::about(VALIDATION_SCHEMA, witness)
}

fn work(args: &CheckArgs, text: &str, budget: &Budget) -> Result<ValidationReport, Failure> {
    let options = args.load_options(budget)?;
    let found = validate_witness(
        &args.files,
        &options,
        text,
        &|task| {
            Check::new(task)
                .engine(choice(&args.engine), args.config())
                .cross_check(args.cross_check)
                .reduce(!args.no_por)
        },
        budget,
    );
    Ok(found?)
}

impl From<ValidateError> for Failure {
    fn from(error: ValidateError) -> Failure {
        let message = error.to_string();
        match error {
            ValidateError::Load(error) => error.into(),
            ValidateError::Check(error) => error.into(),
            ValidateError::OtherModel(model) => {
                let help = format!("to ask what it answers, add: --data-model {model}");
                Failure::with_help("P0023", &message, &help)
            }
            _ => Failure::input("P0022", &message),
        }
    }
}
