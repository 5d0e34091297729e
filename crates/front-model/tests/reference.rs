//! Elaborated programs against a naive interpreter of the syntax tree, on
//! random small models and random states: the same commands are enabled, they
//! lead to the same states, and the property `values` is about exactly the
//! states in which some command would go wrong.

mod support;

use parallax_base::{FileId, SourceFile, SourceMap};
use parallax_front_model::ast::{Command, Domain, Item, Process};
use parallax_front_model::{Options, load, parse};
use parallax_ir::{Choices, Interpreter, Program, Role, State};
use parallax_term::{Code, Int, Scratch, Sort, Term, Value};
use std::collections::BTreeMap;
use support::random::Random;
use support::reference::{Machine, Outcome, Ranges, State as Cells};
use support::typed;

/// Choices of an unbounded `any` cannot be listed, so the models have none.
const NO_INT: (i128, i128) = (0, 0);

fn number(value: &Value) -> i128 {
    match value {
        Value::Bool(b) => i128::from(*b),
        Value::Int(i) => i128::from(i.to_i64().expect("a small number")),
        _ => unreachable!("models have integers and truth values only"),
    }
}

fn random_state(program: &Program, random: &mut Random) -> State {
    let pick = |v: &parallax_ir::Variable| {
        let (low, high) = match v.domain.bounds() {
            Some((low, high)) => (low.to_i64().expect("small"), high.to_i64().expect("small")),
            None if v.domain.sort() == Sort::Bool => return Value::Bool(random.below(2) == 1),
            None => (-3, 6),
        };
        Value::Int(Int::from(low + random.below((high - low + 1) as usize) as i64))
    };
    State::new(program.variables.iter().map(pick).collect::<Vec<_>>())
}

fn cells(program: &Program, state: &State) -> Cells {
    let named = program.variables.iter().zip(state.iter());
    named.map(|(v, value)| (v.name.to_string(), number(value))).collect()
}

/// One instance of a command.
struct Instance<'m> {
    edge: String,
    bound: Vec<(&'m str, i128)>,
    source: &'m str,
}

/// All instances of a command.
fn instances<'m>(command: &Command<'m>) -> Vec<Instance<'m>> {
    let label = command.label.expect("random commands are labelled").text;
    let sources = &command.route.as_ref().expect("and have a route").sources;
    let mut found = Vec::new();
    let members: Vec<Option<i128>> = match command.binders.first() {
        Some(binder) => {
            assert!(matches!(binder.domain, Domain::Range(_)));
            (0..2).map(Some).collect()
        }
        None => vec![None],
    };
    for member in members {
        for source in sources {
            let mut edge = label.to_owned();
            if let Some(k) = member {
                edge.push_str(&format!("[{k}]"));
            }
            if sources.len() > 1 {
                edge.push_str(&format!("@{}", source.text));
            }
            let bound = member.map(|k| (command.binders[0].name.text, k)).into_iter().collect();
            found.push(Instance { edge, bound, source: source.text });
        }
    }
    found
}

/// Compares one model on some states; whether it could be loaded at all.
fn compare(text: &str, random: &mut Random) -> bool {
    let (model, errors) = parse(FileId(0), text);
    assert!(!errors.has_errors(), "{text}");
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new("m.plx", text));
    let Ok(loaded) = load(&mut sources, file, &Options::default()) else { return false };
    let program = loaded.program;
    let process: &Process<'_> = model
        .items
        .iter()
        .find_map(|item| match item {
            Item::Process(process) => Some(process),
            _ => None,
        })
        .expect("random models have a process");
    let ranges: Ranges = program
        .variables
        .iter()
        .filter(|v| !matches!(v.role, Role::Control(_)))
        .filter_map(|v| {
            let (low, high) = v.domain.bounds()?;
            Some((v.name.to_string(), (i128::from(low.to_i64()?), i128::from(high.to_i64()?))))
        })
        .collect();
    let machine = Machine {
        ranges: &ranges,
        arrays: &BTreeMap::from(typed::ARRAYS),
        enums: &typed::ENUM,
        locations: &typed::LOCATIONS,
        any_int: NO_INT,
    };
    let mut interpreter = Interpreter::new(&program);
    let transitions: BTreeMap<String, usize> =
        interpreter.transitions().iter().enumerate().map(|(i, t)| (t.name.clone(), i)).collect();
    let slot = |t: Term| program.variables.iter().position(|v| v.term == t);
    let values = program.properties.iter().find(|p| p.implicit).map(|p| p.target);
    let values = values.map(|target| Code::compile(&program.store, &[target], slot));
    for _ in 0..20 {
        let state = random_state(&program, random);
        let before = cells(&program, &state);
        let mut some_wrong = false;
        for member in 0..2 {
            for command in &process.commands {
                for Instance { edge: name, bound, source } in instances(command) {
                    let expected = machine.run(&before, member, command, &bound, source);
                    some_wrong |= expected == Outcome::Wrong;
                    let edge = transitions.get(&format!("P[{member}].{name}"));
                    let found = match edge {
                        Some(&t) => step(&program, &mut interpreter, &state, t),
                        None => Some(Outcome::Disabled),
                    };
                    let Some(found) = found else { continue };
                    let agreed = match &expected {
                        Outcome::Wrong => found == Outcome::Disabled,
                        _ => found == expected,
                    };
                    assert!(
                        agreed,
                        "P[{member}].{name}: expected {expected:?}, found {found:?} in {before:?}\n{text}"
                    );
                }
            }
        }
        let reported = values.as_ref().is_some_and(|v| v.test(&state, &mut Scratch::default()));
        assert_eq!(reported, some_wrong, "`values` in {before:?}\n{text}");
    }
    true
}

fn step(
    program: &Program,
    interpreter: &mut Interpreter,
    state: &State,
    t: usize,
) -> Option<Outcome> {
    if !interpreter.is_enabled(state, t) {
        return Some(Outcome::Disabled);
    }
    // Inputs of branches that are not taken multiply the choices; skip the worst.
    let Choices::All(all) = interpreter.choices(state, t, 5_000) else { return None };
    let mut next: Vec<Cells> =
        all.iter().map(|inputs| cells(program, &interpreter.fire(state, t, inputs))).collect();
    next.sort();
    next.dedup();
    Some(Outcome::Next(next))
}

#[test]
fn programs_do_what_the_text_says() {
    let mut random = Random::new(5);
    let mut loaded = 0;
    for seed in 0..500 {
        loaded += usize::from(compare(&typed::model(seed), &mut random));
    }
    assert!(loaded > 250, "only {loaded} random models could be loaded");
}
