//! Checks that a C program without inputs fails.

use crate::{Accepted, Rejected};
use parallax_cfa::Program;
use parallax_cfa::run::{CheckSet, Interpreter, Options, Outcome, Recorded};

/// Longer runs are not repeated.
const STEPS: u64 = 50_000_000;

/// Accepts the program if its one run does what C forbids, fails an assertion,
/// or ends in the way that `limit` names, such as by running out of steps. With
/// `leaks`, a run that ends in order fails if it leaves memory behind that no
/// pointer leads to.
///
/// # Errors
/// That it does not fail.
pub fn check_failing(
    program: &Program,
    limit: Option<Outcome>,
    leaks: bool,
) -> Result<Accepted, Rejected> {
    let options = Options { checks: CheckSet::all(), max_steps: STEPS, ..Options::default() };
    let report = Interpreter::new(program, options).run(&mut Recorded::new(Vec::new()));
    let accepted = Accepted { evaluated: report.steps, ..Accepted::default() };
    match &report.outcome {
        Outcome::Error(_) | Outcome::Undefined(_) => Ok(accepted),
        outcome if limit.as_ref() == Some(outcome) => Ok(accepted),
        Outcome::Exit(_) if leaks && report.leaks.iter().any(|leak| !leak.reachable) => {
            Ok(accepted)
        }
        outcome => Err(Rejected::Target(format!("an independent run does not fail: {outcome}"))),
    }
}
