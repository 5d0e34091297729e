//! From answers about terms to answers about a C program.
//!
//! # Soundness
//! A proof over terms is a proof of the C program only if no gap of the
//! encoding can be reached; a run over terms is a run of the C program only if
//! the interpreter repeats it. Whatever fails either is `unknown`.

use super::CTask;
use crate::{Answer, Task};
use parallax_base::Id;
use parallax_cfa::Recording;
use parallax_encode::Calls;
use parallax_evidence::{Finding, Trace, Why};
use parallax_ir::Property;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Who repeats runs of C programs.
const INTERPRETER: &str = "C interpreter";

/// Runs of the C program, by the property they break.
pub(crate) type Runs = BTreeMap<Id<Property>, Arc<Recording>>;

/// Turns answers about terms into answers about the program. The answer about
/// gaps goes into the others, and is the third thing to come back. An answer about another task, with recursion
/// treated in another way, has no gaps left beside its own property.
pub(crate) fn settle(
    task: &Task,
    c: &CTask,
    answers: Vec<Arc<Answer>>,
) -> (Vec<Arc<Answer>>, Runs, Option<Arc<Answer>>) {
    let mut runs = Runs::new();
    let covered = c.prepared.as_ref().and_then(|p| p.encoded.covered);
    let (gaps, answers): (Vec<_>, Vec<_>) =
        answers.into_iter().partition(|a| Some(a.property) == covered);
    let doubt = covered.and_then(|_| uncovered(c, gaps.first().map(|a| &**a)));
    let settled = answers.into_iter().map(|answer| {
        let (about, property) = answer.about(task);
        let own = about.c.as_deref().unwrap_or(c);
        let recording = match &answer.outcome.finding {
            Finding::Proved(_) => {
                let doubt = match answer.task {
                    Some(_) => uncovered_in(own),
                    None => doubt.clone(),
                };
                return match doubt {
                    Some(why) => Arc::new(open(&answer, why)),
                    None => answer,
                };
            }
            // The program with contracts has runs that the program has not.
            Finding::Reached(_) if has_contracts(own) => None,
            Finding::Reached(trace) => own.replay(property, trace),
            Finding::Executed(run) => own.execute(property, run),
            Finding::Unknown(_) => return answer,
        };
        Arc::new(match recording {
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
        })
    });
    let settled = settled.collect();
    (settled, runs, gaps.into_iter().next())
}

fn has_contracts(c: &CTask) -> bool {
    matches!(c.calls, Calls::Contracts(..))
}

/// A task of its own with a property about gaps was not made for a proof.
fn uncovered_in(c: &CTask) -> Option<Why> {
    let covered = c.prepared.as_ref().is_some_and(|p| p.encoded.covered.is_none());
    (!covered).then(|| Why::NoProgress("what is not covered was not asked for".to_owned()))
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
        Some(Finding::Unknown(_) | Finding::Executed(_)) | None => first,
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
