//! What can happen in a state, and values for what must be chosen.

use parallax::Task;
use parallax::report::escape::{clip, visible};
use parallax_base::{Chance, Id};
use parallax_ir::{Choices, Domain, Interpreter, State, Variable};
use parallax_term::{Bv, Code, Int, Rat, Scratch, Sort, Value};

/// Said when nothing can happen.
pub(super) const STUCK: &str = "     no step is possible\n";
/// As many ways to choose the inputs of a step are listed one by one.
const LISTED: usize = 16;
/// As many ways are enumerated to choose one at random.
const ENUMERATED: usize = 65_536;
/// How far from a bound, or from 0, a random number lies at most.
const SPREAD: i64 = 8;

/// A transition with the inputs chosen for it.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) transition: usize,
    pub(super) inputs: Vec<Value>,
}

impl Step {
    /// `P.take`, or `P.pick (x = 3)`.
    pub(super) fn show(&self, task: &Task, interpreter: &Interpreter) -> String {
        let transition = &interpreter.transitions()[self.transition];
        let name = visible(&transition.name).into_owned();
        if self.inputs.is_empty() {
            return name;
        }
        let pairs = transition.inputs.iter().zip(&self.inputs);
        let chosen: Vec<String> = pairs
            .map(|(input, value)| {
                let domain = domain(task, &input.name);
                let text = domain.map_or_else(|| value.to_string(), |d| d.show(value));
                format!("{} = {}", visible(&input.name), clip(&visible(&text), 60))
            })
            .collect();
        format!("{name} ({})", chosen.join(", "))
    }
}

/// The domain of the variable an input goes into, which it is called after.
pub(super) fn domain<'a>(task: &'a Task, name: &str) -> Option<&'a Domain> {
    task.program.variables.iter().find(|v| &*v.name == name).map(|v| &v.domain)
}

/// The transitions that are enabled.
pub(super) fn enabled(interpreter: &mut Interpreter, state: &State) -> Vec<usize> {
    let candidates = interpreter.candidates(state);
    candidates.into_iter().filter(|&t| interpreter.is_enabled(state, t)).collect()
}

/// A line of the menu: a step, or a transition whose inputs are asked for.
pub(super) enum Item {
    Step(Step),
    Ask(usize),
}

/// Everything that can happen, few choices one by one.
pub(super) fn menu(interpreter: &mut Interpreter, state: &State) -> Vec<Item> {
    let mut items = Vec::new();
    for transition in enabled(interpreter, state) {
        match interpreter.choices(state, transition, LISTED) {
            Choices::All(all) => {
                let step = |inputs| Item::Step(Step { transition, inputs });
                items.extend(all.into_iter().map(step));
            }
            Choices::TooMany => items.push(Item::Ask(transition)),
        }
    }
    items
}

/// The bounds of each input of a transition in a state.
pub(super) fn bounds(task: &Task, state: &State, transition: usize) -> Vec<[Option<Int>; 2]> {
    let program = &task.program;
    let mut store = program.store.clone();
    let transitions = program.transitions(&mut store);
    let value = |term| {
        let code = Code::compile(&store, &[term], |t| program.slot(t));
        let mut scratch = Scratch::default();
        code.run(state, &mut scratch);
        code.output(0, &scratch).as_int().cloned()
    };
    let inputs = transitions[transition].inputs.iter();
    inputs.map(|i| [i.low.and_then(value), i.high.and_then(value)]).collect()
}

/// Inputs at random for an enabled transition; `None` if it has none.
pub(super) fn random_inputs(
    task: &Task,
    interpreter: &mut Interpreter,
    state: &State,
    transition: usize,
    chance: &mut Chance,
) -> Option<Vec<Value>> {
    match interpreter.choices(state, transition, ENUMERATED) {
        Choices::All(mut all) if !all.is_empty() => {
            Some(all.swap_remove(chance.below(all.len() as u64) as usize))
        }
        Choices::All(_) => None,
        Choices::TooMany => {
            let bounds = bounds(task, state, transition);
            let sorts = interpreter.transitions()[transition].inputs.iter();
            let sorts: Vec<Sort> = sorts.map(|i| task_sort(task, i)).collect();
            let pick = |(sort, [low, high]): (&Sort, &[Option<Int>; 2])| match sort {
                Sort::Bool => Value::Bool(chance.below(2) == 1),
                Sort::Int => Value::Int(random_int(low.as_ref(), high.as_ref(), chance)),
                Sort::Real => {
                    let number = random_int(low.as_ref(), high.as_ref(), chance);
                    Value::Real(Box::new(Rat::from(number)))
                }
                Sort::Bv(width) => Value::Bv(random_bits(*width, chance)),
                Sort::Float(_) | Sort::Array(..) => Value::default_of(*sort),
            };
            let inputs: Vec<Value> = sorts.iter().zip(&bounds).map(pick).collect();
            interpreter.inputs_fit(state, transition, &inputs).then_some(inputs)
        }
    }
}

/// The sort of an input.
pub(super) fn task_sort(task: &Task, input: &parallax_ir::Input) -> Sort {
    // Inputs are symbols of the program's own store.
    task.program.store.sort(input.term)
}

/// A number between the bounds, not far from the lower one; near 0 if there
/// are none.
pub(super) fn random_int(low: Option<&Int>, high: Option<&Int>, chance: &mut Chance) -> Int {
    let mut offset = |n: i64| Int::from(chance.below(n as u64) as i64);
    match (low, high) {
        (Some(low), Some(high)) => match (high - low).to_i64() {
            Some(width) if (0..i64::MAX).contains(&width) => low + &offset(width + 1),
            _ => low + &offset(i64::MAX),
        },
        (Some(low), None) => low + &offset(SPREAD + 1),
        (None, Some(high)) => high - &offset(SPREAD + 1),
        (None, None) => &offset(2 * SPREAD + 1) - &Int::from(SPREAD),
    }
}

/// Some bits, small numbers more often.
pub(super) fn random_bits(width: u32, chance: &mut Chance) -> Bv {
    Bv::from_int(width, &random_int(None, None, chance))
}

/// Reads a value as people write it.
pub(super) fn parse(text: &str, sort: Sort, domain: Option<&Domain>) -> Option<Value> {
    let text = text.trim();
    if let Some(Domain::Enum(names)) = domain
        && let Some(index) = names.iter().position(|n| &**n == text)
    {
        return Some(Value::int(index as i64));
    }
    let number = || text.parse::<Int>().ok();
    match sort {
        Sort::Bool => text.parse().ok().map(Value::Bool),
        Sort::Int => number().map(Value::Int),
        Sort::Real => number().map(|n| Value::Real(Box::new(Rat::from(n)))),
        Sort::Bv(width) => match number() {
            Some(n) => Some(Value::Bv(Bv::from_int(width, &n))),
            None => Value::from_smtlib(text, sort),
        },
        Sort::Float(_) | Sort::Array(..) => Value::from_smtlib(text, sort),
    }
}

/// The values of a domain in words, for a question.
pub(super) fn show_domain(domain: &Domain) -> String {
    match domain {
        Domain::Bool => String::from("true or false"),
        Domain::Int => String::from("an integer"),
        Domain::Real => String::from("a number"),
        Domain::Range(low, high) => format!("{low} to {high}"),
        Domain::Enum(names) => {
            let names: Vec<_> = names.iter().map(|n| visible(n)).collect();
            clip(&names.join(", "), 200).into_owned()
        }
        Domain::Bv(width) => format!("a number of {width} bits"),
        Domain::Float(_) | Domain::Array(..) => format!("a constant of {}", domain.sort()),
    }
}

/// The variables that have no initial value.
pub(super) fn open_variables(task: &Task) -> Vec<Id<Variable>> {
    let program = &task.program;
    let pairs = program.variables.ids().zip(&program.init.fixed);
    pairs.filter(|(_, fixed)| fixed.is_none()).map(|(id, _)| id).collect()
}
