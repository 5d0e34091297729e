//! Which run of a C program a run over terms stands for, and why there may be none.

use super::{CTask, not_modelled};
use crate::Task;
use parallax_cfa::CProperty;
use parallax_cfa::run::Script;
use parallax_evidence::{Finding, Why};

/// The run of the C program that a finding says there is.
pub(crate) fn script(c: &CTask, finding: &Finding) -> Option<Script> {
    match finding {
        Finding::Reached(trace) => c.script(trace),
        Finding::Executed(run) => Some(Script::Inputs(run.inputs.clone())),
        Finding::Proved(_) | Finding::Unknown(_) => None,
    }
}

/// Why a run that was found is none of the program.
pub(crate) fn unrepeated(
    task: &Task,
    c: &CTask,
    asked: Option<&CProperty>,
    finding: &Finding,
) -> Why {
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
