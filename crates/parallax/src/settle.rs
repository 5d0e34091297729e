//! From an answer about terms to an answer about what the user wrote.
//!
//! # Soundness
//! A proof over terms is a proof of the source because each property also forbids
//! the gaps of the encoding. A run over terms is a run of a C program only if the
//! checker, which runs the program itself, accepts its choices; if not, the
//! property is `unknown`, and it is the only one of its encoding.

use crate::{Answer, Checkers, Task};
use parallax_base::{Budget, Id};
use parallax_certify::Claim;
use parallax_evidence::Finding;
use parallax_ir::Property;
use parallax_task::Replay;
use std::sync::Arc;

/// Who repeats runs of C programs.
const INTERPRETER: &str = "C interpreter";

/// Turns the answer to a property of a task into one about the source of its
/// program.
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
    let why = match task.replay(property, &answer.outcome.finding) {
        Replay::Same => return answer,
        Replay::Nothing(why) => why,
        Replay::By { program, property: asked, script } => {
            let claim = Claim::Executed { program, property: asked, script: &script };
            if checkers.accept(&claim, budget).is_ok() {
                answer.run = Some(Arc::new(script.record(program, asked)));
                answer.checked_by.push(INTERPRETER.to_owned());
                return answer;
            }
            task.unrepeated(property, &answer.outcome.finding)
        }
    };
    answer.leave_open(why);
    answer
}
