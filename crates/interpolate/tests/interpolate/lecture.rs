//! Known problems with known answers.

use crate::path::check;
use parallax_base::Budget;
use parallax_interpolate::{Method, Options, Outcome, Sequence, sequence};
use parallax_solver::Z3;
use parallax_term::{Sort, Term, TermStore};

/// Reads formulas over integers.
pub(crate) fn read(store: &mut TermStore, names: &[&str], parts: &[&str]) -> Vec<Term> {
    let symbols: Vec<(String, Term)> =
        names.iter().map(|name| (name.to_string(), store.var(name, Sort::Int))).collect();
    let scope = |name: &str| symbols.iter().find(|(known, _)| known == name).map(|(_, t)| *t);
    parts.iter().map(|part| store.read_smtlib_term(part, &scope).expect("a formula")).collect()
}

pub(crate) fn found(store: &mut TermStore, parts: &[Term], options: &Options) -> Sequence {
    let outcome = sequence(store, &mut Z3::new(), parts, options, &Budget::unlimited());
    let found = match outcome {
        Ok(Outcome::Found(found)) => Some(found),
        _ => None,
    };
    let found = found.expect("interpolants");
    check(store, parts, &found.formulas, found.method.name());
    found
}

fn shown(store: &TermStore, found: &Sequence) -> Vec<String> {
    found.formulas.iter().map(|formula| store.infix(*formula)).collect()
}

#[test]
fn one_sum_gives_the_interpolant_between_two_parts() {
    let store = &mut TermStore::new();
    let parts = read(
        store,
        &["x1", "x2", "x3", "x4"],
        &["(and (<= (+ x1 x2) 1) (<= (- x3 x2) 1))", "(and (>= (+ x1 x4) 2) (>= (- x3 x4) 2))"],
    );
    let result = found(store, &parts, &Options::default());
    assert_eq!(result.method, Method::Farkas);
    assert_eq!(shown(store, &result), ["true", "x1 + x3 <= 2", "false"]);
}

#[test]
fn parts_that_do_not_matter_change_nothing() {
    let store = &mut TermStore::new();
    let names = &["x", "y", "z"];
    let texts =
        ["(= z 3)", "(= x 0)", "(> z y)", "(< z 9)", "(= y (+ x 1))", "(< y 0)", "(< z 99)"];
    let parts = read(store, names, &texts);
    let result = found(store, &parts, &Options::default());
    assert_eq!(
        shown(store, &result),
        ["true", "true", "x >= 0", "x >= 0", "x >= 0", "y > 0", "false", "false"]
    );
}

#[test]
fn one_part_that_contradicts_itself() {
    let store = &mut TermStore::new();
    let parts = read(store, &["x", "y"], &["(= x y)", "(and (< x 0) (> x 0))", "(= y 2)"]);
    let result = found(store, &parts, &Options::default());
    assert_eq!(shown(store, &result), ["true", "true", "false", "false"]);
    let parts = read(store, &["x"], &["false"]);
    let result = found(store, &parts, &Options::default());
    assert_eq!(shown(store, &result), ["true", "false"]);
}

#[test]
fn satisfiable_parts_have_none() {
    let store = &mut TermStore::new();
    let parts = read(store, &["x"], &["(< x 0)", "(> x (- 5))"]);
    let outcome =
        sequence(store, &mut Z3::new(), &parts, &Options::default(), &Budget::unlimited());
    assert_eq!(outcome, Ok(Outcome::Satisfiable));
}
