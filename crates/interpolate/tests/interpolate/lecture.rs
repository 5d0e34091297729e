//! Known problems with known answers.

use crate::path::check;
use parallax_base::Budget;
use parallax_interpolate::{Method, Options, Outcome, Sequence, relations, sequence};
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

/// A path of the lecture's program: both counters are set to 0, counted up,
/// counted down, and `x < 0 && y > 0` is asked for. With it, `x` and `y` at
/// each cut.
fn counters(store: &mut TermStore, up: usize, down: usize) -> (Vec<Term>, Vec<Vec<Option<Term>>>) {
    let steps = up + down;
    let [xs, ys] = ["x", "y"].map(|name| -> Vec<Term> {
        (0..=steps).map(|i| store.var(&format!("{name}{i}"), Sort::Int)).collect()
    });
    let (zero, one) = (store.int(0), store.int(1));
    let mut parts = Vec::new();
    let (x_is, y_is) = (store.eq(xs[0], zero), store.eq(ys[0], zero));
    parts.push(store.and([x_is, y_is]));
    for i in 0..steps {
        let [x_is, y_is] = [&xs, &ys].map(|v| {
            let next = if i < up { store.add(v[i], one) } else { store.sub(v[i], one) };
            store.eq(v[i + 1], next)
        });
        parts.push(store.and([x_is, y_is]));
    }
    let (low, high) = (store.lt(xs[steps], zero), store.gt(ys[steps], zero));
    parts.push(store.and([low, high]));
    let at_cuts = |v: &[Term]| -> Vec<Option<Term>> {
        let values = v.iter().map(|t| Some(*t));
        [None].into_iter().chain(values).chain([None]).collect()
    };
    (parts, vec![at_cuts(&xs), at_cuts(&ys)])
}

#[test]
fn relations_are_preferred_to_values() {
    for (up, down) in [(1, 2), (2, 2), (2, 3), (5, 7)] {
        let store = &mut TermStore::new();
        let (parts, variables) = counters(store, up, down);
        let options = Options { templates: relations(store, &variables), ..Options::default() };
        let result = found(store, &parts, &options);
        assert_eq!(result.templates, [0], "only the difference is needed");
        let values = variables[0].iter().zip(&variables[1]);
        for (&formula, (x, y)) in result.formulas.iter().zip(values) {
            let (Some(x), Some(y)) = (*x, *y) else { continue };
            let (le, eq) = (store.le(y, x), store.eq(x, y));
            assert!(formula == le || formula == eq, "{}", store.infix(formula));
        }
    }
}

#[test]
fn without_templates_the_values_are_counted() {
    let store = &mut TermStore::new();
    let (parts, _) = counters(store, 1, 2);
    let result = found(store, &parts, &Options::default());
    let y1 = store.var("y1", Sort::Int);
    let x1 = store.var("x1", Sort::Int);
    let relation = store.le(y1, x1);
    assert_ne!(result.formulas[2], relation);
}

#[test]
fn templates_that_do_not_suffice_are_ignored() {
    let store = &mut TermStore::new();
    let parts = read(store, &["x", "y"], &["(and (= x 3) (> y 0))", "(and (< x 2) (< y 9))"]);
    let (x, y) = (store.var("x", Sort::Int), store.var("y", Sort::Int));
    let variables = vec![vec![None, Some(x), None], vec![None, Some(y), None]];
    let mut templates = relations(store, &variables);
    templates.retain(|template| template.rank == 0);
    let options = Options { templates, ..Options::default() };
    assert!(found(store, &parts, &options).templates.is_empty());
}
