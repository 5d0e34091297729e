//! Random formulas: all engines agree with each other, with the optimizer of
//! Z3 and with enumeration; and every bound is accepted by the checker.

use parallax_base::{Budget, Span};
use parallax_certify::check_bounds;
use parallax_evidence::{Bounds, Extent};
use parallax_ir::{Side, Sides, Template, TemplateProblem};
use parallax_optimize::{Config, Engine, Silent, optimize};
use parallax_solver::SolverConfig;
use parallax_term::{Rat, Sort, Term, TermStore};
use proptest::prelude::*;
use std::fmt::Write;

/// Which sorts numbers have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Real,
    Int,
    Mixed,
}

fn sort(kind: Kind, index: usize) -> Sort {
    match kind {
        Kind::Real => Sort::Real,
        Kind::Int => Sort::Int,
        Kind::Mixed if index.is_multiple_of(2) => Sort::Int,
        Kind::Mixed => Sort::Real,
    }
}

/// A formula of `parallax-generate` as text.
fn formula() -> impl Strategy<Value = String> {
    any::<u64>().prop_map(|seed| parallax_generate::formula::formula(seed).text())
}

/// A problem over three numbers and two truth values; in a box if `size` is
/// not 0.
fn problem(kind: Kind, text: &str, size: i64) -> TemplateProblem {
    let mut store = TermStore::new();
    let numbers: Vec<Term> = (0..3).map(|i| store.var(&format!("n{i}"), sort(kind, i))).collect();
    let bools: Vec<Term> = (0..2).map(|i| store.var(&format!("b{i}"), Sort::Bool)).collect();
    let scope = |name: &str| {
        let index: usize = name[1..].parse().ok()?;
        if name.starts_with('n') { numbers.get(index) } else { bools.get(index) }.copied()
    };
    let mut whole = format!("(and {text}");
    if size > 0 {
        for i in 0..3 {
            write!(whole, " (<= n{i} {size}) (>= n{i} (- {size}))").expect("a string");
        }
    }
    whole.push(')');
    let formula = store.read_smtlib_term(&whole, &scope).expect("readable");
    let sum = store.read_smtlib_term("(+ n0 (* 2 n1))", &scope).expect("readable");
    let mut terms = numbers.clone();
    terms.push(sum);
    let template = |term| Template { term, sides: Sides::Both, span: Span::default() };
    TemplateProblem::new("random", store, formula, terms.into_iter().map(template).collect())
}

/// A bound without its points.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Shown {
    Empty,
    At(Rat),
    Below(Rat),
    Infinite,
    Open,
}

fn shown(bounds: &Bounds) -> Vec<Shown> {
    let show = |extent: &Extent| match extent {
        Extent::Empty => Shown::Empty,
        Extent::Attained { value, .. } => Shown::At(value.clone()),
        Extent::Supremum { value, .. } => Shown::Below(value.clone()),
        Extent::Unbounded { .. } => Shown::Infinite,
        Extent::Between { .. } => Shown::Open,
    };
    bounds.bounds.iter().map(|b| show(&b.extent)).collect()
}

/// Runs in a thread of its own: Z3 keeps state per thread.
fn alone<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| scope.spawn(work).join().expect("no panic"))
}

/// The checked bounds of an engine; none if the optimizer of Z3 was wrong.
fn bounds(problem: &TemplateProblem, config: &Config) -> Option<Bounds> {
    let budget = Budget::new(Some(std::time::Duration::from_secs(20)), None);
    let solver = SolverConfig::default();
    let found = alone(|| optimize(problem, config, &solver, &budget, &Silent).expect("a solver"));
    let (engine, text) = (config.engine.name(), problem.store.smtlib(problem.formula));
    let is_rival = [Engine::Z3Basic, Engine::Z3Symba].contains(&config.engine);
    if found.why_open.is_some() && is_rival {
        return None;
    }
    assert_eq!(found.why_open, None, "{engine} on {text}");
    let checked = alone(|| {
        let mut fresh = solver.open().expect("a solver");
        check_bounds(problem, &found.bounds, Some(&mut *fresh), &budget)
    });
    // Z3 5.4 was seen to miss an optimum of a mixed formula.
    if checked.is_err() && is_rival {
        return None;
    }
    assert!(checked.is_ok(), "{engine}: {checked:?}\n{text}\n{:?}", found.bounds);
    let is_real = problem.symbols.iter().all(|&s| problem.store.sort(s) != Sort::Int);
    if config.engine == Engine::Auto && is_real {
        // Our own search proves what it says.
        assert_eq!(checked.map(|accepted| accepted.queries), Ok(0), "{text}");
    }
    Some(found.bounds)
}

fn engine(engine: Engine) -> Config {
    Config { engine, ..Config::default() }
}

/// The bounds of `auto`, after all engines said the same.
fn agreed(problem: &TemplateProblem, engines: &[Config]) -> Bounds {
    let first = bounds(problem, &Config::default()).expect("not a rival");
    let has_choice = problem
        .store
        .subterms(&[problem.formula])
        .into_iter()
        .any(|t| matches!(problem.store.node(t), parallax_term::Node::Ite(..)));
    for config in engines {
        // The optimizer of Z3 5.4 may hang on conditional numbers, deaf to interrupts.
        if has_choice && [Engine::Z3Basic, Engine::Z3Symba].contains(&config.engine) {
            continue;
        }
        if let Some(other) = bounds(problem, config) {
            let text = problem.store.smtlib(problem.formula);
            assert_eq!(shown(&other), shown(&first), "{config:?} on {text}");
        }
    }
    first
}

fn all_engines() -> Vec<Config> {
    let mut configs: Vec<Config> =
        [Engine::Symba, Engine::Dnf, Engine::Z3Basic].map(engine).to_vec();
    configs.push(Config { jobs: 2, ..Config::default() });
    configs
}

/// The least and the largest value of each template over a box of integers.
fn enumerated(problem: &TemplateProblem, size: i64) -> Vec<Shown> {
    use parallax_term::{Code, Scratch, Value};
    let slot = |t: Term| problem.symbols.iter().position(|&s| s == t);
    let mut outputs = vec![problem.formula];
    outputs.extend(problem.templates.iter().map(|t| t.term));
    let code = Code::compile(&problem.store, &outputs, slot);
    let scratch = &mut Scratch::default();
    let ranges: Vec<Vec<Value>> = problem
        .symbols
        .iter()
        .map(|&s| match problem.store.sort(s) {
            Sort::Bool => vec![Value::Bool(false), Value::Bool(true)],
            _ => (-size..=size).map(Value::int).collect(),
        })
        .collect();
    let mut best: Vec<Option<(Rat, Rat)>> = vec![None; problem.templates.len()];
    let total: usize = ranges.iter().map(Vec::len).product();
    for mut number in 0..total {
        let point: Vec<Value> = ranges
            .iter()
            .map(|range| {
                let value = range[number % range.len()].clone();
                number /= range.len();
                value
            })
            .collect();
        code.run(&point, scratch);
        if *code.output(0, scratch) != Value::Bool(true) {
            continue;
        }
        for (at, best) in best.iter_mut().enumerate() {
            let value = code.output(at + 1, scratch).to_rat().expect("a number");
            let (low, high) = best.get_or_insert_with(|| (value.clone(), value.clone()));
            *low = low.clone().min(value.clone());
            *high = high.clone().max(value);
        }
    }
    let ends = |best: Option<(Rat, Rat)>| match best {
        Some((low, high)) => [Shown::At(low), Shown::At(high)],
        None => [Shown::Empty, Shown::Empty],
    };
    best.into_iter().flat_map(ends).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn real_formulas(text in formula()) {
        let problem = problem(Kind::Real, &text, 0);
        agreed(&problem, &all_engines());
    }

    #[test]
    fn real_formulas_in_a_box(text in formula()) {
        let problem = problem(Kind::Real, &text, 3);
        let found = agreed(&problem, &all_engines());
        prop_assert!(shown(&found).iter().all(|s| *s != Shown::Infinite));
    }

    #[test]
    fn integers_in_a_box(text in formula()) {
        let problem = problem(Kind::Int, &text, 3);
        let found = agreed(&problem, &all_engines());
        prop_assert_eq!(shown(&found), enumerated(&problem, 3));
    }

    #[test]
    fn mixed_formulas_in_a_box(text in formula()) {
        let problem = problem(Kind::Mixed, &text, 3);
        agreed(&problem, &all_engines());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20, ..ProptestConfig::default() })]

    #[test]
    fn options_of_symba_change_nothing(text in formula()) {
        let problem = problem(Kind::Real, &text, 4);
        let symba = || engine(Engine::Symba);
        agreed(&problem, &[
            Config { force_push: Some(1), ..symba() },
            Config { rounding: false, ..symba() },
            Config { reduction: false, ..symba() },
            Config { priority: (10, -1), jobs: 3, ..symba() },
        ]);
    }

    #[test]
    fn elimination_agrees(text in formula()) {
        let problem = problem(Kind::Real, &text, 3);
        agreed(&problem, &[engine(Engine::Qe), engine(Engine::Z3Symba)]);
    }
}

/// A real below a bound between two whole numbers, and an integer above it.
#[test]
fn a_bound_between_whole_numbers_is_approached_at_once() {
    let mut store = TermStore::new();
    let (i, r) = (store.var("i", Sort::Int), store.var("r", Sort::Real));
    let scope = |name: &str| Some(if name == "i" { i } else { r });
    let text = "(and (< r 2.5) (<= r (to_real i)) (<= i 4) (> r (- 10.0)))";
    let formula = store.read_smtlib_term(text, &scope).expect("readable");
    let template = |term| Template { term, sides: Sides::Both, span: Span::default() };
    let templates = vec![template(r), template(i)];
    let problem = TemplateProblem::new("mixed", store, formula, templates);
    let found = agreed(&problem, &[engine(Engine::Symba), engine(Engine::Dnf)]);
    let half = Rat::new(5.into(), 2.into()).expect("not zero");
    let expected = [
        Shown::Below(Rat::from(-10)),
        Shown::Below(half),
        Shown::At(Rat::from(-9)),
        Shown::At(Rat::from(4)),
    ];
    assert_eq!(shown(&found), expected);
}

/// The examples of the thesis.
#[test]
fn examples_of_the_thesis() {
    let check = |text: &str, expected: &[(&str, &str)]| {
        let mut store = TermStore::new();
        let symbols = ["x", "y", "z"].map(|name| store.var(name, Sort::Real));
        let scope = |name: &str| symbols.get("xyz".find(name)?).copied();
        let formula = store.read_smtlib_term(text, &scope).expect("readable");
        let mut templates = Vec::new();
        for (term, _) in expected {
            let term = store.read_smtlib_term(term, &scope).expect("readable");
            templates.push(Template { term, sides: Sides::Both, span: Span::default() });
        }
        let problem = TemplateProblem::new("thesis", store, formula, templates);
        let mut engines = all_engines();
        engines.extend([engine(Engine::Qe), engine(Engine::Z3Symba)]);
        let found = agreed(&problem, &engines);
        let ends: Vec<String> = found
            .bounds
            .chunks(2)
            .map(|pair| {
                let end = |at: usize| match (&pair[at].extent, pair[at].side) {
                    (Extent::Attained { value, .. }, _) => value.to_string(),
                    (Extent::Unbounded { .. }, Side::Lower) => "-oo".into(),
                    (Extent::Unbounded { .. }, Side::Upper) => "oo".into(),
                    (other, _) => format!("{other:?}"),
                };
                format!("{} {}", end(0), end(1))
            })
            .collect();
        let wanted: Vec<&str> = expected.iter().map(|(_, ends)| *ends).collect();
        assert_eq!(ends, wanted, "{text}");
    };
    check(
        "(and (<= 1 y) (<= y 3) (or (and (<= 1 x) (<= x 3)) (>= x 4)))",
        &[("y", "1 3"), ("(+ x y)", "2 oo")],
    );
    check(
        "(and (<= 0 x) (<= x 3) (<= 0 z) (<= z 2)
              (or (<= (* 2 y) (- 4 x)) (= (* 4 y) (+ (* 3 x) 3))))",
        &[("x", "0 3"), ("y", "-oo 3"), ("z", "0 2")],
    );
    check("(and (= x (+ y 1)) (= z (- x y)))", &[("z", "1 1"), ("x", "-oo oo")]);
}
