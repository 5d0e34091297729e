//! `parallax certify`

use crate::args::{CertifyArgs, LimitArgs};
use crate::deliver::FormatArgs;
use crate::drive::{Drive, Driven, Timed};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::unfinished::Asked;
use crate::{files as output, terminal};
use parallax::report::escape::visible;
use parallax::report::{SCHEMA, render_verdict, run_json};
use parallax::testgen::FAILURE_SCHEMA;
use parallax::{Checked, Finding, Language, Task, Why, asked_names, certify_files, check_page};
use parallax_base::Budget;
use std::fmt::Write;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Checks an evidence file against its model or C program. What is asked is
/// what the command line says; evidence that is refused leaves its property
/// `unknown`, and so does a file that says nothing about it.
pub(crate) fn run(args: CertifyArgs) -> Result<Exit, Failure> {
    let (files, evidence) = args.files()?;
    if is_about(evidence, FAILURE_SCHEMA) {
        return crate::testgen::certify(&args, files, evidence);
    }
    if args.api.is_some() {
        return Err(Failure::usage("P0001", "`--api` is for evidence of `testgen`"));
    }
    let read = files.iter().chain([evidence]).map(PathBuf::as_path);
    output::prepare(args.formats.outputs(), read)?;
    if let [file] = files {
        match Language::of(file) {
            Some(Language::System) => return crate::magic::certify(&args, file, evidence),
            Some(Language::Fsp | Language::Aut) => {
                return crate::lts::certify(&args, file, evidence);
            }
            Some(Language::Horn) if is_about(evidence, "parallax-optima-evidence/") => {
                return crate::optimize::certify(&args, file, evidence);
            }
            _ => {}
        }
    }
    let drive = Drive::new(&args);
    let work = move |budget: &Budget| {
        let checkers = args.checkers()?;
        let (files, evidence) = args.files()?;
        let options = args.question.load_options(files, budget)?;
        Ok(certify_files(files, &options, evidence, &checkers, budget)?)
    };
    let (task, checked) = match drive.run(work)? {
        Driven::Done(result) => result,
        Driven::Stopped(stop) => return Ok(drive.unfinished(stop)),
    };
    let run = checked.report(&task);
    let mut object = run_json(&run, false);
    // Evidence from outside may be wrong; that is nobody's bug.
    let rejected = object.properties.iter_mut().filter_map(|p| p.reason.as_mut());
    rejected.filter(|r| r.code == REJECTED).for_each(|r| r.hint = None);
    drive.deliver(
        &object,
        || match checked.answers.iter().any(|a| is_rejected(&a.outcome.finding)) {
            true => rejections(&task, &checked),
            false => render_verdict(&run, terminal::look(&std::io::stdout())),
        },
        || {
            let full = serde_json::to_value(run_json(&run, true)).unwrap_or_default();
            check_page("certify", &task, &checked, full)
        },
    )?;
    Ok(run.verdict().into())
}

/// Whether evidence says that it is of this schema: files of one language are asked
/// different things.
fn is_about(evidence: &Path, schema: &str) -> bool {
    let mut start = [0; 64];
    let read = std::fs::File::open(evidence).and_then(|mut file| file.read(&mut start));
    let start = &start[..read.unwrap_or(0)];
    start.starts_with(format!(r#"{{"schema":"{schema}"#).as_bytes())
}

impl Timed for CertifyArgs {
    fn limits(&self) -> LimitArgs {
        self.limits
    }

    fn is_json(&self) -> bool {
        self.json
    }

    fn formats(&self) -> FormatArgs {
        self.formats.clone()
    }

    fn asked(&self) -> Asked {
        match self.files() {
            Ok((files, _)) => {
                let names = asked_names(files, &self.question.properties);
                Asked { names, ..Asked::about(SCHEMA, &files[0]) }
            }
            Err(_) => Asked::about(SCHEMA, Path::new("")),
        }
    }
}

/// The code of evidence that was refused.
const REJECTED: &str = "certificate-rejected";

fn is_rejected(finding: &Finding) -> bool {
    matches!(finding, Finding::Unknown(Why::CertificateRejected(_)))
}

/// Which evidence was accepted and which was not.
fn rejections(task: &Task, checked: &Checked) -> String {
    let mut text = format!("{}: evidence rejected\n", visible(&task.program.name));
    for answer in &checked.answers {
        let name = visible(&task.program.properties[answer.property].name);
        let word = match &answer.outcome.finding {
            Finding::Unknown(why) => visible(&why.to_string()).into_owned(),
            _ => format!("accepted, {}", answer.verdict(task)),
        };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  {name}: {word}");
    }
    text
}
