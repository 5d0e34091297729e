//! Contracts of small programs, from their text.

use parallax_base::{Budget, SourceMap};
use parallax_cfa::run::CheckSet;
use parallax_cfa::{CProperty, Program};
use parallax_contract::{Length, infer, runs, subjects};
use parallax_encode::Options;
use parallax_front_c as front;
use parallax_solver::SolverConfig;
use std::path::Path;
use std::time::Duration;

fn load(name: &str) -> Program {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/c/recursion");
    let text = std::fs::read_to_string(folder.join(name)).expect("a program of the corpus");
    let inputs = [front::Input::text(name, text)];
    let mut sources = SourceMap::default();
    front::load(&mut sources, &inputs, &front::Options::default()).expect("a program").program
}

/// The contracts that are found, or the inputs of a run that breaks the property.
fn look(name: &str) -> String {
    let program = load(name);
    let (subjects, _) = subjects(&program);
    let budget = Budget::new(Some(Duration::from_secs(120)), None);
    let properties = vec![CProperty::Errors];
    let runs = runs(&program, &subjects, &properties, CheckSet::default(), Length::SHORT, &budget);
    if let [(_, inputs)] = &runs.broken[..] {
        return format!("broken by {inputs:?}");
    }
    let options = Options { properties, ..Options::default() };
    let solver = SolverConfig::default();
    let found = infer(&program, &options, &subjects, &runs, &solver, &budget).expect("time");
    let Some(found) = found.filter(|found| found.is_enough) else { return "nothing".to_owned() };
    let text = found.contracts.iter().map(|c| c.text(&program).expect("names").to_string());
    text.collect::<Vec<_>>().join("\n")
}

#[test]
fn contracts_of_single_functions() {
    let check = |name: &str, expected: &str| assert_eq!(look(name), expected, "{name}");
    check("identity.c", r"`identity` ensures \result == n");
    check("gcd.c", r"`gcd` requires 1 <= a; requires 0 <= b; ensures 1 <= \result");
    check("inside.c", "`down` requires n <= bound");
    check("endless.c", "`forever` ensures 1 <= 0");
    let walk = r"`walk` requires 0 <= n; ensures steps == \old(steps) + n (mod 4294967296)";
    check("counter.c", walk);
}

#[test]
fn contracts_of_functions_that_call_each_other() {
    let found = look("even-odd.c");
    let (even, odd) = found.split_once('\n').expect("two contracts");
    assert!(
        even.contains(r"`is_even` requires 0 <= n") && even.contains("== n + 1 (mod 2)"),
        "{even}"
    );
    assert!(odd.contains(r"`is_odd` requires 0 <= n") && odd.contains("== n (mod 2)"), "{odd}");
}

#[test]
fn runs_that_break_the_property() {
    assert_eq!(look("counter-broken.c"), "broken by [11]");
    assert_eq!(look("pointer-argument.c"), "broken by []");
}

#[test]
fn tables_of_functions_with_few_arguments() {
    let found = look("fibonacci.c");
    assert!(found.contains(r"ensures n != 18 || \result == 2584"), "{found}");
    let found = look("bounded.c");
    assert!(found.contains(r"ensures n != 7 || \result == 128"), "{found}");
    // Arguments that no run gets to are computed from smaller ones.
    let found = look("fibonacci-grows.c");
    assert!(found.contains(r"ensures n != 39 || \result == 63245986"), "{found}");
}
