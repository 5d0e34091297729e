//! Contracts as text, what is refused, and programs with contracts.

use super::*;
use crate::testing::Build;
use parallax_cfa::{Binary, Callee, Op, Program, validate};

/// `int down(int p) { if (p) { s = s + 1; return down(p - 1); } return 0; }`,
/// called by `main` with an input.
fn program() -> Program {
    let mut b = Build::new();
    let int = b.int();
    let main = b.current;
    let s = b.global("s", int);
    let down = b.function("down", &[int]);
    b.enter(down);
    let p = b.program.functions[down].parameters[0];
    let r = b.local("r", int);
    let p = b.get(p);
    let (yes, no) = b.branch(p);
    let (zero, one) = (b.num(0), b.num(1));
    b.at = no;
    b.ret(zero);
    b.at = yes;
    let value = b.get(s);
    let more = b.binary(Binary::Add, value, one);
    b.assign(s, more);
    let less = b.binary(Binary::Sub, p, one);
    b.call(Some(r), Callee::Direct(down), &[less]);
    let r = b.get(r);
    b.ret(r);
    b.enter(main);
    let x = b.local("x", int);
    b.input(x);
    let value = b.get(x);
    b.call(Some(x), Callee::Direct(down), &[value]);
    let value = b.get(x);
    b.ret(value);
    b.finish()
}

fn text(requires: &[&str], ensures: &[&str]) -> ContractText {
    let own = |list: &[&str]| list.iter().map(|s| (*s).to_owned()).collect();
    ContractText { function: "down".into(), requires: own(requires), ensures: own(ensures) }
}

#[test]
fn contracts_are_written_as_they_are_read() {
    let program = program();
    let whole = text(
        &["0 <= $0", "s + $0 != 7 || $0 == 1 (mod 3)"],
        &["\\result == 0", "s == $0 + \\old(s) (mod 4294967296)", "2 * $0 * $0 + 3 <= s", "1 <= 0"],
    );
    let parameter =
        &*program.variables[program.functions.iter().nth(1).unwrap().parameters[0]].name;
    let rename = |list: &[String]| list.iter().map(|c| c.replace("$0", parameter)).collect();
    let whole = ContractText {
        requires: rename(&whole.requires),
        ensures: rename(&whole.ensures),
        ..whole
    };
    let contract = Contract::read(&program, &whole).unwrap();
    assert_eq!(contract.text(&program), Some(whole));
}

#[test]
fn what_makes_no_sense_is_not_read() {
    let program = program();
    let check = |requires: &[&str], ensures: &[&str], expected: &str| {
        let error = Contract::read(&program, &text(requires, ensures)).unwrap_err();
        assert!(error.contains(expected), "{error}");
    };
    check(&["\\result == 0"], &[], "`\\result`");
    check(&["\\old(s) == 0"], &[], "`\\old`");
    check(&["q == 0"], &[], "nothing is called `q`");
    check(&[], &["s = 0"], "compares nothing");
    check(&[], &["s == 0 (mod 1)"], "from 2 on");
    check(&[], &["s == 0 s"], "not expected");
    check(&[], &["s =="], "too early");
    check(&[], &["s == 1 / 2"], "no meaning");
    check(&[], &["s == 999999999999999999999999999999999999999999"], "too large");
    let other = ContractText { function: "up".into(), ..text(&[], &[]) };
    assert!(Contract::read(&program, &other).unwrap_err().contains("`up`"));
}

#[test]
fn the_recursion_is_gone_and_what_is_left_is_well_formed() {
    let program = program();
    let contract = Contract::read(&program, &text(&["0 <= s"], &["\\result == 0"])).unwrap();
    for mode in [Mode::Whole, Mode::Switched] {
        let made = apply(&program, std::slice::from_ref(&contract), mode).unwrap();
        assert!(recursive(&made.program).is_empty());
        assert_eq!(validate(&made.program), Vec::<String>::new());
        let switches = if mode == Mode::Whole { 0 } else { 2 };
        assert_eq!(made.switches.len(), switches);
        for (id, function) in made.program.functions.iter_enumerated() {
            let origin = &made.origin.functions[id.index()];
            assert_eq!(origin.locations.len(), function.locations.len());
            assert_eq!(origin.edges.len(), function.edges.len());
        }
        assert_eq!(made.origin.variables.len(), made.program.variables.len());
        // The body is called once, by what starts it; what stands for the
        // calls changes the static variable and the result.
        let count = |wanted: &dyn Fn(&Op) -> bool| {
            let edges = made.program.functions.iter().flat_map(|f| &f.edges);
            edges.filter(|e| wanted(&e.op)).count()
        };
        let calls = |op: &Op| matches!(op, Op::Call { callee: Callee::Direct(f), .. } if *f == contract.function);
        assert_eq!(count(&calls), 1);
        assert_eq!(count(&|op| matches!(op, Op::Unsupported(_))), 2);
        assert_eq!(count(&|op| matches!(op, Op::Havoc { .. })), 5);
    }
}

#[test]
fn what_contracts_cannot_stand_for_is_refused() {
    let mut touching = program();
    let down = touching.functions.ids().nth(1).unwrap();
    let local = touching.variables.ids().find(|v| {
        let variable = &touching.variables[*v];
        variable.owner == Some(down) && &*variable.name == "r"
    });
    let contract = Contract::read(&touching, &text(&[], &[])).unwrap();
    touching.variables[local.unwrap()].address_taken = true;
    let refused = apply(&touching, std::slice::from_ref(&contract), Mode::Whole).unwrap_err();
    assert_eq!(refused.to_string(), "the address of `r` in `down`");
    let program = program();
    let twice = apply(&program, &[contract.clone(), contract.clone()], Mode::Whole).unwrap_err();
    assert_eq!(twice.to_string(), "`down` has two contracts");
    let late = Clause(vec![Condition::new(Sum::linear(&[(1, Atom::Result)], 0), Relation::Zero)]);
    let wrong = Contract { requires: vec![late], ..contract.clone() };
    assert!(apply(&program, &[wrong], Mode::Whole).unwrap_err().to_string().contains("later"));
    let main = Contract { function: program.main.unwrap(), ..contract.clone() };
    assert!(apply(&program, &[main], Mode::Whole).unwrap_err().to_string().contains("not recur"));
    // Neither a parameter that is not there nor a sum that no type holds.
    for (atom, by) in [(Atom::Parameter(7), 1), (Atom::Parameter(0), i128::MAX)] {
        let clause = Clause(vec![Condition::new(Sum::linear(&[(by, atom)], 0), Relation::Zero)]);
        let wrong = Contract { ensures: vec![clause], ..contract.clone() };
        let refused = apply(&program, &[wrong], Mode::Whole).unwrap_err();
        assert!(refused.to_string().contains("has no meaning"), "{refused}");
    }
}
