//! From an answer about terms to an answer about a C program.
//!
//! # Soundness
//! A proof over terms is a proof of the C program because each property also
//! forbids the gaps of the encoding. A run over terms is a run of the C program
//! only if the checker, which runs the program itself, accepts its choices; if
//! not, the property is `unknown`, and it is the only one of its encoding.

use super::CTask;
use crate::{Answer, Checkers, Task};
use parallax_base::{Budget, Id};
use parallax_certify::Claim;
use parallax_cfa::CProperty;
use parallax_cfa::run::Script;
use parallax_encode::GapPlace;
use parallax_evidence::{Finding, Why};
use parallax_ir::Property;
use std::sync::Arc;

/// Who repeats runs of C programs.
const INTERPRETER: &str = "C interpreter";

/// Turns the answer to a property of a task into one about the C program behind
/// it. A model has no program behind it, and needs nothing.
pub(crate) fn settled(
    task: &Task,
    property: Id<Property>,
    mut answer: Answer,
    checkers: &Checkers,
    budget: &Budget,
) -> Answer {
    let is_run = matches!(answer.outcome.finding, Finding::Reached(_) | Finding::Executed(_));
    if !is_run || answer.run.is_some() {
        return answer;
    }
    let Some(c) = task.c.as_deref() else {
        if let Finding::Executed(_) = answer.outcome.finding {
            let what = "a run by inputs is evidence about C programs only";
            answer.leave_open(Why::CertificateRejected(what.to_owned()));
        }
        return answer;
    };
    let asked = c.asked.get(property.index());
    let script = asked.and_then(|_| script(c, &answer.outcome.finding));
    if let (Some(asked), Some(script)) = (asked, script) {
        let program = &*c.source.program;
        let claim = Claim::Executed { program, property: asked, script: &script };
        if checkers.accept(&claim, budget).is_ok() {
            answer.run = Some(Arc::new(script.record(program, asked)));
            answer.checked_by.push(INTERPRETER.to_owned());
            return answer;
        }
    }
    let why = unrepeated(task, c, asked, &answer.outcome.finding);
    answer.leave_open(why);
    answer
}

/// The run of the C program that a finding says there is.
fn script(c: &CTask, finding: &Finding) -> Option<Script> {
    match finding {
        Finding::Reached(trace) => c.script(trace),
        Finding::Executed(run) => Some(Script::Inputs(run.inputs.clone())),
        Finding::Proved(_) | Finding::Unknown(_) => None,
    }
}

/// Why a run that was found is none of the program.
fn unrepeated(task: &Task, c: &CTask, asked: Option<&CProperty>, finding: &Finding) -> Why {
    let gap = match finding {
        Finding::Reached(trace) => c.gap_of(&task.program, trace),
        _ => None,
    };
    match gap {
        Some(gap) => not_modelled(gap),
        None if asked == Some(&CProperty::Track) => Why::Unsupported {
            construct: "heap objects at the end, which may or may not be reachable".to_owned(),
            place: None,
            hint: "to free them before".to_owned(),
        },
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
