//! Interpolants over given terms: relations before values, and bounds that do
//! not count the rounds of a loop.

use crate::lecture::{found, read};
use parallax_interpolate::{Options, relations};
use parallax_term::{Sort, Term, TermStore};

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

/// The values of variables `name0, name1, ...` at the cuts of a path.
fn at_cuts(store: &mut TermStore, name: &str, cuts: usize) -> Vec<Option<Term>> {
    let values = (0..cuts).map(|i| Some(store.var(&format!("{name}{i}"), Sort::Int)));
    [None].into_iter().chain(values).chain([None]).collect()
}

/// The formulas at all cuts of a path over versions of `names` and over `n`.
fn formulas(store: &mut TermStore, texts: &[String], names: &[&str]) -> Vec<Term> {
    let cuts = texts.len() - 1;
    let versions: Vec<String> =
        names.iter().flat_map(|n| (0..cuts).map(move |i| format!("{n}{i}"))).collect();
    let all: Vec<&str> = versions.iter().map(String::as_str).chain(["n"]).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let parts = read(store, &all, &texts);
    let mut variables: Vec<_> = names.iter().map(|name| at_cuts(store, name, cuts)).collect();
    let n = store.var("n", Sort::Int);
    variables.push([None].into_iter().chain(vec![Some(n); cuts]).chain([None]).collect());
    let options = Options { templates: relations(store, &variables), ..Options::default() };
    found(store, &parts, &options).formulas[1..=cuts].to_vec()
}

#[test]
fn bounds_do_not_count_rounds() {
    for rounds in [1, 2, 6] {
        let store = &mut TermStore::new();
        let step = |i| format!("(and (= x{} (+ x{i} 1)) (< n 100))", i + 1);
        let mut texts = vec!["(= x0 0)".to_owned()];
        texts.extend((0..rounds).map(step));
        texts.push(format!("(< x{rounds} 0)"));
        for (i, formula) in formulas(store, &texts, &["x"]).into_iter().enumerate() {
            let (x, zero) = (store.var(&format!("x{i}"), Sort::Int), store.int(0));
            assert_eq!(formula, store.ge(x, zero), "{}", store.infix(formula));
        }
    }
}

#[test]
fn a_counter_stays_below_its_limit() {
    for rounds in [1, 3, 8] {
        let store = &mut TermStore::new();
        let step = |i| {
            let next = i + 1;
            format!("(and (< i{i} n) (= i{next} (+ i{i} 1)) (= s{next} (+ s{i} i{i})))")
        };
        let mut texts = vec!["(and (= i0 0) (= s0 0) (>= n 0))".to_owned()];
        texts.extend((0..rounds).map(step));
        texts.push(format!("(> i{rounds} n)"));
        // Before the last round nothing is needed: it asks for `i < n` itself.
        let formulas = formulas(store, &texts, &["i", "s"]);
        let (last, n) = (store.var(&format!("i{rounds}"), Sort::Int), store.var("n", Sort::Int));
        assert_eq!(formulas[rounds], store.le(last, n));
        for (i, formula) in formulas.into_iter().enumerate() {
            let counter = store.var(&format!("i{i}"), Sort::Int);
            let bound = store.le(counter, n);
            assert!(formula == bound || store.is_true(formula), "{}", store.infix(formula));
        }
    }
}
