//! States of a program as text: all of a state, or what changed.

use parallax_ir::{Domain, Program, Role, State, Variable};
use parallax_term::{Int, Value};

use crate::escape::visible;
use crate::formula::place;

/// The most digits of a number that are written out in a state.
const DIGITS: usize = 60;

/// One variable and its value: `t = 3`, `phase = busy`, `P[0]@waiting`.
///
/// `None` for the control variable of a process with a single location, which
/// tells nothing.
pub(crate) fn assignment(program: &Program, variable: &Variable, value: &Value) -> Option<String> {
    if let Role::Control(process) = variable.role {
        if program.processes[process].locations.len() == 1 {
            return None;
        }
        let index = value.as_int().and_then(Int::to_i64).and_then(|i| usize::try_from(i).ok());
        if let Some(place) = index.and_then(|index| place(program, process, index)) {
            return Some(visible(&place).into_owned());
        }
    }
    let name = visible(&variable.name);
    Some(format!("{name} = {}", shown(&variable.domain, value)))
}

/// A value as people write it, very long numbers without their middle.
pub(crate) fn shown(domain: &Domain, value: &Value) -> String {
    let text = domain.show(value);
    crate::escape::clip(&visible(&text), DIGITS).into_owned()
}

/// All of a state: locations first, then the variables in order.
pub fn state_values(program: &Program, state: &State) -> Vec<String> {
    let is_place = |v: &Variable| matches!(v.role, Role::Control(_));
    let pairs = || program.variables.iter().zip(state.iter());
    let places = pairs().filter(|(v, _)| is_place(v));
    let rest = pairs().filter(|(v, _)| !is_place(v));
    places.chain(rest).filter_map(|(v, value)| assignment(program, v, value)).collect()
}

/// What differs in `after`: locations first, then the variables in order.
pub fn state_changes(program: &Program, before: &State, after: &State) -> Vec<String> {
    let (mut places, mut rest) = (Vec::new(), Vec::new());
    for ((variable, old), new) in program.variables.iter().zip(before.iter()).zip(after.iter()) {
        if old == new {
            continue;
        }
        let list = if matches!(variable.role, Role::Control(_)) { &mut places } else { &mut rest };
        list.extend(assignment(program, variable, new));
    }
    places.append(&mut rest);
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{state, ticket};

    #[test]
    fn states_read_like_the_model() {
        let program = ticket();
        let (a, b) = (state([0, 0, 0, 0, 0, 0, 0]), state([1, 0, 1, 1, 0, 0, 0]));
        let all = state_values(&program, &b).join(", ");
        assert_eq!(
            all,
            "P[0]@waiting, P[1]@idle, t = 1, s = 0, phase = busy, P[0].mine = 0, P[1].mine = 0"
        );
        assert_eq!(state_changes(&program, &a, &b).join(", "), "P[0]@waiting, t = 1, phase = busy");
        assert!(state_changes(&program, &a, &a).is_empty());
    }
}
