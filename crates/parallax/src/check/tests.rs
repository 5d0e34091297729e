//! Engines that lie, give up or contradict each other cost an answer, never
//! a wrong one.

use super::*;
use crate::{Shape, engines, load_text};
use parallax_evidence::{Certificate, ClosedSet, Region, Statistics, Trace, Verdict};
use parallax_ir::State;
use parallax_term::Value;

/// A counter from 0 to 3; `x == 3` is reached.
fn task() -> Task {
    let text =
        "var x: int = 0; process P { go: when x < 3 do x := x + 1; } unreachable top: x == 3;";
    load_text("m.plx", text, &[]).expect("a model")
}

/// An engine that always says the same.
struct Says(&'static str, fn(&Task) -> Finding, Task);

impl Engine for Says {
    fn name(&self) -> &'static str {
        self.0
    }

    fn summary(&self) -> &'static str {
        "says what it is told to"
    }

    fn run(&self, _: Question<'_>, _: Resources<'_>) -> Outcome {
        Outcome {
            engine: self.0,
            finding: self.1(&self.2),
            statistics: Statistics::default(),
            history: Vec::new(),
            abstraction: None,
            graph: None,
        }
    }
}

/// "All states with this formula are all there are", or without one: no states.
fn proof(task: &Task, everything: bool) -> Finding {
    let mut store = task.program.store.clone();
    let formula = store.bool(everything);
    let fragment = vec![Region { fixed: Vec::new(), formula }];
    let (points, prefix) = (Vec::new(), Vec::new());
    let set = ClosedSet { store, points, prefix, fragment, quotient: None };
    Finding::Proved(Box::new(Certificate::Closed(set)))
}

fn claims_all(task: &Task) -> Finding {
    proof(task, true)
}

fn claims_none(task: &Task) -> Finding {
    proof(task, false)
}

fn claims_start(task: &Task) -> Finding {
    let initial = task.program.init.fixed_state().expect("fixed values");
    Finding::Reached(Box::new(Trace::new(State::new(initial), Vec::new())))
}

fn claims_elsewhere(_: &Task) -> Finding {
    let initial = State::new(vec![Value::int(3), Value::int(0)]);
    Finding::Reached(Box::new(Trace::new(initial, Vec::new())))
}

fn gives_up(_: &Task) -> Finding {
    Finding::Unknown(Why::NoProgress("nothing new".into()))
}

/// The answer of some engines to the one property.
fn ask(choice: EngineChoice, said: &[fn(&Task) -> Finding]) -> (Verdict, Option<String>) {
    let task = task();
    let engines: Vec<Box<dyn Engine>> = said
        .iter()
        .map(|says| Box::new(Says("liar", *says, task.clone())) as Box<dyn Engine>)
        .chain(engines(&EngineConfig::default()).into_iter().take(usize::from(said.len() > 1)))
        .collect();
    let check = Check::new(&task).engine(choice, EngineConfig::default());
    let checkers = Checkers::new(SolverConfig::default());
    let answer = check.answer(Id::new(0), &engines, &checkers, &Budget::unlimited());
    let answer = answer.expect("no contradiction");
    let why = match &answer.outcome.finding {
        Finding::Unknown(why) => Some(why.to_string()),
        _ => None,
    };
    assert_eq!(why.is_none(), !answer.checked_by.is_empty());
    (answer.verdict(&task), why)
}

#[test]
fn lies_are_found_out() {
    let check = |says: fn(&Task) -> Finding, expected: &str| {
        let (verdict, why) = ask(EngineChoice::Auto, &[says]);
        assert_eq!(verdict, Verdict::Unknown);
        let why = why.unwrap_or_default();
        assert!(why.contains(expected), "{why}");
    };
    check(claims_all, "certificate rejected: target");
    check(claims_none, "certificate rejected: initial states");
    check(claims_start, "certificate rejected: target");
    check(claims_elsewhere, "certificate rejected: initial states");
    check(gives_up, "no progress: nothing new");
}

#[test]
fn the_next_engine_is_asked_when_one_has_nothing_to_say() {
    for choice in [EngineChoice::Auto, EngineChoice::All] {
        let (verdict, why) = ask(choice, &[gives_up, claims_all]);
        assert_eq!((verdict, why), (Verdict::Violated, None));
    }
}

#[test]
fn engines_take_turns_that_grow() {
    const C: Shape = Shape::Sequential;
    let all = engines(&EngineConfig::default());
    let named = |names: &[&str]| -> Vec<&dyn Engine> {
        names.iter().filter_map(|n| all.iter().find(|e| e.name() == *n)).map(|e| &**e).collect()
    };
    // Names and milliseconds of the first turns, if every engine is stopped.
    let turns = |names: &[&str], shape: Shape, compared: bool, limit: Option<u64>, count: usize| {
        let mut turns = Turns::new(named(names), shape, compared, turns::FIRST);
        let budget = Budget::new(limit.map(Duration::from_secs), None);
        let mut found = Vec::new();
        while let Some((engine, part)) = turns.next(&budget).filter(|_| found.len() < count) {
            let time = part.remaining().map(|left| left.as_millis().div_ceil(10) * 10);
            found.push((engine.name(), time.unwrap_or(0)));
            turns.again(engine);
        }
        found
    };
    let expected = [("bmc", 250), ("cegar", 1000), ("bmc", 1000), ("cegar", 4000)];
    assert_eq!(turns(&["bmc", "cegar", "ase"], C, false, Some(1000), 4), expected);
    let expected = [("ase", 1000), ("bmc", 250), ("ase", 4000)];
    assert_eq!(turns(&["ase", "bmc"], Shape::Model, false, None, 3), expected);
    assert_eq!(turns(&["bmc"], C, false, Some(30), 1), [("bmc", 30_000)]);
    assert_eq!(turns(&["ase"], C, false, None, 1), [("ase", 0)]);
    // To be compared, each is asked once.
    let expected = [("ase", 15_000), ("bmc", 30_000)];
    assert_eq!(turns(&["ase", "bmc"], C, true, Some(30), 9), expected);
    assert_eq!(turns(&["ase", "bmc"], Shape::Model, true, None, 9), [("ase", 0), ("bmc", 60_000)]);
    let first = |shape| ordered(&EngineConfig::default(), shape)[0].name();
    assert_eq!((first(C), first(Shape::Model)), ("bmc", "ase"));
    assert_eq!(first(Shape::Concurrent), "explicit");
}

#[test]
fn contradictions_are_internal_errors() {
    let task = task();
    let outcome = |name, says| Says(name, says, task.clone());
    let question = Question { program: &task.program, property: Id::new(0) };
    let (budget, solver) = (Budget::unlimited(), SolverConfig::default());
    let resources = Resources { budget: &budget, solver: &solver, picture: false, reduce: true };
    let yes = outcome("a", claims_start as fn(&Task) -> Finding).run(question, resources);
    let no = outcome("b", claims_all).run(question, resources);
    let open = outcome("c", gives_up).run(question, resources);
    let error = compare("top", &yes, &no).expect_err("they contradict each other");
    assert_eq!(
        error.to_string(),
        "engines contradict each other on `top`: a says reached and b says unreachable"
    );
    for (first, second) in [(&yes, &yes), (&no, &no), (&yes, &open), (&open, &no)] {
        assert!(compare("top", first, second).is_ok());
    }
}

#[test]
fn limits_are_blamed_for_what_they_cause() {
    let task = task();
    let budget = Budget::unlimited();
    let why = |budget: &Budget| match blame_limits(gives_up(&task), budget) {
        Finding::Unknown(why) => why.code(),
        _ => "",
    };
    assert_eq!(why(&budget), "no-progress");
    budget.stop(parallax_base::Stop::Cancelled);
    assert_eq!(why(&budget), "cancelled");
}

#[test]
fn names_must_exist() {
    let task = task();
    let run = |check: Check<'_>| check.run().map(|_| ()).expect_err("no such name").to_string();
    let check = Check::new(&task).properties(["low".to_owned()]);
    assert_eq!(run(check), "there is no property `low`; the model has `top`");
    let only = EngineChoice::Only("magic".to_owned());
    let check = Check::new(&task).engine(only, EngineConfig::default());
    assert!(run(check).starts_with("there is no engine `magic`; the engines are `ase`"));
}
