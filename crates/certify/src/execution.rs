//! Checks that a run of a C program breaks a property.

use crate::{Accepted, Rejected};
use parallax_cfa::run::Script;
use parallax_cfa::{CProperty, Program};

/// Accepts the run if the interpreter, given its choices, does what the property
/// forbids.
///
/// # Soundness
/// `program` is the C program as the front end made it, before every pass. That
/// a choice is possible is the word of the interpreter: it asks only for what
/// the environment may choose, and an answer of another type is zero.
///
/// # Errors
/// What the run did instead.
pub fn check_execution(
    program: &Program,
    property: &CProperty,
    script: &Script,
) -> Result<Accepted, Rejected> {
    let report = script.play(program, property);
    match report.violates(property) {
        true => Ok(Accepted { evaluated: report.steps, ..Accepted::default() }),
        false => Err(Rejected::Target(format!(
            "the run does not break `{property}` in the C program: {}",
            report.outcome
        ))),
    }
}
