//! `parallax certify`

use crate::args::CertifyArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::limits::default_memory;
use crate::supervise::{Ended, supervise};
use crate::terminal;
use crate::unfinished::unfinished;
use parallax::report::escape::visible;
use parallax::report::{render_verdict, run_json};
use parallax::{Checked, Checkers, Finding, SolverConfig, Task, Why, certify_files};
use parallax_base::{Budget, Stop};
use std::fmt::Write;

/// Checks an evidence file against its model or C program. What is asked is
/// what the command line says; evidence that is refused leaves its property
/// `unknown`, and so does a file that says nothing about it.
pub(crate) fn run(args: CertifyArgs) -> Result<Exit, Failure> {
    let (files, evidence) = args.files()?;
    if let [file] = files {
        let is = |kinds: &[&str]| file.extension().is_some_and(|e| kinds.iter().any(|k| e == *k));
        if is(&["magic"]) {
            return crate::magic::certify(&args, file, evidence);
        }
        if is(&["lts", "fsp", "aut"]) {
            return crate::lts::certify(&args, file, evidence);
        }
    }
    let budget = Budget::new(Some(args.limits.time), args.limits.memory.or_else(default_memory));
    let (json, file) = (args.json, files[0].clone());
    let work = {
        let budget = budget.clone();
        move || -> Result<_, Failure> {
            let mut checkers = Checkers::new(SolverConfig::default());
            if args.cross_check {
                checkers = checkers.and_second()?;
            }
            let (files, evidence) = args.files()?;
            let options = args.question.load_options(files, &budget)?;
            Ok(certify_files(files, &options, evidence, &checkers, &budget)?)
        }
    };
    let (task, checked) = match supervise(&budget, || {}, work) {
        Ended::Done(Err(failure)) if failure.stop().is_some() => {
            let stop = failure.stop().unwrap_or(Stop::Cancelled);
            return Ok(unfinished(&file, Vec::new(), &budget, stop, json));
        }
        Ended::Done(result) => result?,
        Ended::Failed(failure) => return Err(failure),
        Ended::Abandoned(stop) => return Ok(unfinished(&file, Vec::new(), &budget, stop, json)),
    };
    let run = checked.report(&task);
    if json {
        let mut object = run_json(&run, false);
        // Evidence from outside may be wrong; that is nobody's bug.
        let rejected = object.properties.iter_mut().filter_map(|p| p.reason.as_mut());
        rejected.filter(|r| r.code == REJECTED).for_each(|r| r.hint = None);
        terminal::print_json(&object);
    } else if checked.answers.iter().any(|a| is_rejected(&a.outcome.finding)) {
        terminal::print(&rejections(&task, &checked));
    } else {
        terminal::print(&render_verdict(&run, terminal::look(&std::io::stdout())));
    }
    Ok(run.verdict().into())
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
