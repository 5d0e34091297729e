//! From answers about terms to answers about a C program.
//!
//! # Soundness
//! A proof over terms is a proof of the C program because each property also
//! forbids the gaps of the encoding. A run over terms is a run of the C program
//! only if the interpreter repeats it; if not, the property is `unknown`, and it
//! is the only one of its encoding.

use super::CTask;
use crate::{Answer, Task};
use parallax_base::Id;
use parallax_cfa::Recording;
use parallax_encode::{Calls, GapPlace};
use parallax_evidence::{Finding, Why};
use parallax_ir::Property;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Who repeats runs of C programs.
const INTERPRETER: &str = "C interpreter";

/// Runs of the C program, by the property they break.
pub(crate) type Runs = BTreeMap<Id<Property>, Arc<Recording>>;

/// Turns answers about terms into answers about the program.
pub(crate) fn settle(
    task: &Task,
    c: &CTask,
    answers: Vec<Arc<Answer>>,
) -> (Vec<Arc<Answer>>, Runs) {
    let mut runs = Runs::new();
    let settled = answers.into_iter().map(|answer| {
        let (about, property) = answer.about(task);
        let own = about.c.as_deref().unwrap_or(c);
        let recording = match &answer.outcome.finding {
            Finding::Proved(_) | Finding::Unknown(_) => return answer,
            // The program with contracts has runs that the program has not.
            Finding::Reached(_) if has_contracts(own) => None,
            Finding::Reached(trace) => own.replay(property, trace),
            Finding::Executed(run) => own.execute(property, run),
        };
        Arc::new(match recording {
            Some(recording) => {
                runs.insert(answer.property, Arc::new(recording));
                let mut answer = (*answer).clone();
                answer.checked_by.push(INTERPRETER.to_owned());
                answer
            }
            None => open(&answer, unrepeated(own, &answer.outcome.finding)),
        })
    });
    (settled.collect(), runs)
}

fn has_contracts(c: &CTask) -> bool {
    matches!(c.calls, Calls::Contracts(..))
}

fn open(answer: &Answer, why: Why) -> Answer {
    let mut answer = answer.clone();
    answer.outcome.finding = Finding::Unknown(why);
    answer.checked_by.clear();
    answer
}

/// Why a run that was found is none of the program.
fn unrepeated(c: &CTask, finding: &Finding) -> Why {
    let gap = match finding {
        Finding::Reached(trace) => c.gap_of(trace),
        _ => None,
    };
    match gap {
        Some(gap) => not_modelled(gap),
        None => {
            let what = "the run that was found does not repeat in the C program";
            Why::NoProgress(what.to_owned())
        }
    }
}

/// The reason that a gap of an encoding is.
pub(crate) fn not_modelled(gap: &GapPlace) -> Why {
    Why::Unsupported {
        construct: gap.what.to_string(),
        place: Some(gap.span),
        hint: "the program without it".to_owned(),
    }
}
