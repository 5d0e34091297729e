//! Replaying traces on the concrete interpreter.

use crate::{Accepted, Rejected, ltl};
use parallax_base::Id;
use parallax_evidence::Trace;
use parallax_ir::{Interpreter, Program, Property, PropertyKind, State};
use parallax_term::{Code, Scratch};

/// Runs the trace and accepts it if it starts in an initial state, every step
/// is possible and has the recorded effect, and it ends in a target state or,
/// for a formula of linear temporal logic, is infinite and breaks the formula.
/// Whether a run goes on for ever whose states do not come back is a question for
/// `recurrence.rs`.
pub fn replay(
    program: &Program,
    property: Id<Property>,
    trace: &Trace,
) -> Result<Accepted, Rejected> {
    if trace.recurrence.is_some() {
        return Err(Rejected::NoSolver);
    }
    let (state, mut interpreter) = follow(program, trace)?;
    let asked = &program.properties[property];
    match (&asked.temporal, asked.kind) {
        (Some(temporal), PropertyKind::Ltl) => {
            ltl::violates(program, temporal, trace, &mut interpreter)?;
        }
        (None, PropertyKind::Ltl) | (Some(_), _) => return Err(crate::confused()),
        (None, _) if trace.cycle.is_some() => {
            return Err(Rejected::Malformed("an infinite run ends in no target".into()));
        }
        (None, _) => {
            let code = Code::compile(&program.store, &[asked.target], |t| program.slot(t));
            if !code.test(&state, &mut Scratch::default()) {
                return Err(Rejected::Target("the run does not end in a target state".into()));
            }
        }
    }
    Ok(Accepted { evaluated: trace.steps.len() as u64 + 1, ..Accepted::default() })
}

/// Runs the trace. The state that it ends in.
pub(crate) fn follow(program: &Program, trace: &Trace) -> Result<(State, Interpreter), Rejected> {
    let mut interpreter = Interpreter::new(program);
    let initial = &trace.initial;
    let in_domain = initial.len() == program.variables.len()
        && initial.iter().zip(&program.variables).all(|(value, v)| v.domain.contains(value));
    if !in_domain || !interpreter.is_initial(initial) {
        return Err(Rejected::Initial("the run does not start in an initial state".into()));
    }
    let mut state = initial.clone();
    for (i, step) in trace.steps.iter().enumerate() {
        let next = interpreter.step(&state, step.transition, &step.inputs);
        match next {
            Some(next) if next == step.state => state = next,
            Some(_) => {
                return Err(Rejected::Step(format!("step {} leads to another state", i + 1)));
            }
            None => return Err(Rejected::Step(format!("step {} is not possible", i + 1))),
        }
    }
    Ok((state, interpreter))
}
