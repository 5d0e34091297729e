//! The next useful command, as one line that a shell takes.

use crate::args::{CheckArgs, Detail};
use parallax::report::escape::shell_word;
use parallax::{Checked, Finding, Shape, Stop, Task, Verdict, Why, shows_natively};

/// What to run after a check, if there is something.
pub(crate) fn next(args: &CheckArgs, task: &Task, checked: &Checked) -> Option<String> {
    let files: Vec<_> = args.files.iter().map(|f| f.to_string_lossy()).collect();
    let files = files.iter().map(|f| shell_word(f)).collect::<Vec<_>>().join(" ");
    let (settings, asked) = (args.question.settings(), args.question.asked());
    let check = format!("parallax check {files}{settings}{asked}");
    match checked.verdict(task) {
        Verdict::Holds => Some(match &args.certificate {
            Some(path) => {
                let path = path.to_string_lossy();
                format!("parallax certify {files} {}{settings}{asked}", shell_word(&path))
            }
            None if args.show == Some(Detail::Proof) => format!("{check} --certificate proof.json"),
            None => format!("{check} --show proof"),
        }),
        Verdict::Violated if task.origin.is_c() => {
            let is_told = args.harness.is_some() || task.origin.shape() == Shape::Concurrent;
            match shows_natively(task, checked) {
                _ if is_told => None,
                true => Some(format!("{check} --harness harness")),
                false if args.certificate.is_some() => None,
                false => Some(format!("{check} --certificate run.json")),
            }
        }
        Verdict::Violated if args.verbose => Some(format!("parallax simulate {files}{settings}")),
        Verdict::Violated => Some(format!("{check} -v")),
        Verdict::Unknown => {
            let mut whys = checked.answers.iter().filter_map(|a| match &a.outcome.finding {
                Finding::Unknown(Why::CertificateRejected(_)) => None,
                Finding::Unknown(why) => Some(why),
                Finding::Proved(_) | Finding::Reached(_) | Finding::Executed(_) => None,
            });
            let chosen = !matches!(args.engine.as_str(), "auto" | "all");
            match whys.next()? {
                Why::Stopped(Stop::Time) => {
                    let seconds = args.limits.time.as_secs().max(1) * 4;
                    let engine =
                        if chosen { format!(" --engine {}", args.engine) } else { String::new() };
                    Some(format!("{check}{engine} --time {seconds}s"))
                }
                Why::Stopped(_) => None,
                // Another engine may do better than the one that was chosen.
                _ => chosen.then_some(check),
            }
        }
    }
}
