//! From answers about terms to answers about a C program.
//!
//! # Soundness
//! A proof over terms is a proof of the C program only if no gap of the
//! encoding can be reached; a run over terms is a run of the C program only if
//! the interpreter repeats it. Whatever fails either is `unknown`.

use super::CTask;
use crate::Answer;
use parallax_base::Id;
use parallax_cfa::Recording;
use parallax_evidence::{Finding, Trace, Why};
use parallax_ir::Property;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Who repeats runs of C programs.
const INTERPRETER: &str = "C interpreter";

/// Runs of the C program, by the property they break.
pub(crate) type Runs = BTreeMap<Id<Property>, Arc<Recording>>;

/// Turns answers about terms into answers about the program. The answer about
/// gaps goes into the others.
pub(crate) fn settle(c: &CTask, answers: Vec<Arc<Answer>>) -> (Vec<Arc<Answer>>, Runs) {
    let mut runs = Runs::new();
    let covered = c.prepared.as_ref().and_then(|p| p.encoded.covered);
    let (gaps, answers): (Vec<_>, Vec<_>) =
        answers.into_iter().partition(|a| Some(a.property) == covered);
    let doubt = covered.and_then(|_| uncovered(c, gaps.first().map(|a| &**a)));
    let settled = answers.into_iter().map(|answer| {
        let settled = match &answer.outcome.finding {
            Finding::Proved(_) => match &doubt {
                Some(why) => open(&answer, why.clone()),
                None => return answer,
            },
            Finding::Reached(trace) => match c.replay(answer.property, trace) {
                Some(recording) => {
                    runs.insert(answer.property, Arc::new(recording));
                    let mut answer = (*answer).clone();
                    answer.checked_by.push(INTERPRETER.to_owned());
                    answer
                }
                None => {
                    let what = "the run that was found does not repeat in the C program";
                    open(&answer, Why::NoProgress(what.to_owned()))
                }
            },
            Finding::Unknown(_) => return answer,
        };
        Arc::new(settled)
    });
    (settled.collect(), runs)
}

fn open(answer: &Answer, why: Why) -> Answer {
    let mut answer = answer.clone();
    answer.outcome.finding = Finding::Unknown(why);
    answer.checked_by.clear();
    answer
}

/// Why gaps are not excluded; `None` if they are.
fn uncovered(c: &CTask, answer: Option<&Answer>) -> Option<Why> {
    let gaps = &c.prepared.as_ref()?.encoded.gaps;
    let first = gaps.first()?;
    let gap = match answer.map(|a| &a.outcome.finding) {
        Some(Finding::Proved(_)) => return None,
        Some(Finding::Reached(trace)) => {
            let at = location(trace);
            gaps.iter().find(|gap| Some(gap.location.index()) == at).unwrap_or(first)
        }
        Some(Finding::Unknown(why @ Why::Stopped(_))) => return Some(why.clone()),
        Some(Finding::Unknown(_)) | None => first,
    };
    Some(Why::Unsupported {
        construct: gap.what.to_string(),
        place: Some(gap.span),
        hint: "the program without it".to_owned(),
    })
}

/// Where a run over terms ends: the control variable is the last one.
fn location(trace: &Trace) -> Option<usize> {
    trace.last().last()?.to_string().parse().ok()
}
