//! The next useful command, as one line that a shell takes.

use crate::args::{CheckArgs, Detail};
use clap::ValueEnum;
use parallax::{Checked, Finding, Stop, Task, Verdict, Why};

/// What to run after a check, if there is something.
pub(crate) fn next(args: &CheckArgs, task: &Task, checked: &Checked) -> Option<String> {
    let files: Vec<String> = args.files.iter().map(|f| quoted(&f.to_string_lossy())).collect();
    let file = files.join(" ");
    let constant = |text: &String| format!(" -D {}", quoted(text));
    let mut model = file.clone() + &args.defines.iter().map(constant).collect::<String>();
    model.extend(args.c.includes.iter().map(|i| format!(" -I {}", quoted(&i.to_string_lossy()))));
    model.extend(args.c.undefines.iter().map(|u| format!(" -U {}", quoted(u))));
    if let Some(data_model) = args.c.data_model.and_then(|m| m.to_possible_value()) {
        model.push_str(&format!(" --data-model {}", data_model.get_name()));
    }
    let property = |name: &String| format!(" -p {}", quoted(name));
    let formula = |text: &String| format!(" --ltl {}", quoted(text));
    let check = format!(
        "parallax check {model}{}{}",
        args.properties.iter().map(property).collect::<String>(),
        args.ltl.iter().map(formula).collect::<String>()
    );
    match checked.verdict(task) {
        Verdict::Holds => Some(match &args.certificate {
            Some(path) => format!("parallax certify {file} {}", quoted(&path.to_string_lossy())),
            None if args.show == Some(Detail::Proof) => format!("{check} --certificate proof.json"),
            None => format!("{check} --show proof"),
        }),
        Verdict::Violated if task.c.is_some() => {
            args.harness.is_none().then(|| format!("{check} --harness harness"))
        }
        Verdict::Violated if args.verbose => Some(format!("parallax simulate {model}")),
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

/// A word as a shell takes it.
fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "._-/+@%:,=".contains(c);
    match !text.is_empty() && text.chars().all(plain) {
        true => text.to_owned(),
        false => format!("'{}'", text.replace('\'', "'\\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_for_the_shell() {
        assert_eq!(quoted("models/a-1.plx"), "models/a-1.plx");
        assert_eq!(quoted("my model.plx"), "'my model.plx'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted(""), "''");
    }
}
