//! The SMT-LIB printer and reader, as each other's inverse and one by one.

mod random;

use parallax_term::{Sort, Term, TermStore, Value, smtlib_symbol};
use random::{Alphabet, Random};

fn by_name(store: &TermStore, term: Term) -> impl Fn(&str) -> Option<Term> + use<> {
    let names: Vec<_> = store.vars(term).iter().map(|v| (store.name(*v).cloned(), *v)).collect();
    move |name| names.iter().find(|(n, _)| n.as_deref() == Some(name)).map(|(_, v)| *v)
}

#[test]
fn reading_is_the_inverse_of_printing() {
    for seed in 0..3000 {
        let store = &mut TermStore::new();
        let alphabet = Alphabet::new(store, seed % 2 == 0, seed % 3 == 0);
        let random = &mut Random::new(seed);
        let size = random.below(40);
        let term = match seed % 5 {
            0 => random.int(store, &alphabet, size),
            _ => random.formula(store, &alphabet, size),
        };
        let text = store.smtlib(term);
        let scope = by_name(store, term);
        let back = store.read_smtlib_term(&text, &scope);
        assert_eq!(back, Ok(term), "{text}");
    }
}

#[test]
fn terms_as_text() {
    let s = &mut TermStore::new();
    let (x, y) = (s.var("P[0].x", Sort::Int), s.var("y", Sort::Int));
    let r = s.var("r", Sort::Real);
    let scope = |name: &str| match name {
        "P[0].x" => Some(x),
        "y" => Some(y),
        "r" => Some(r),
        _ => None,
    };
    let mut check = |text: &str, printed: &str| {
        let term = s.read_smtlib_term(text, &scope).expect(text);
        assert_eq!(s.smtlib(term), printed);
    };
    check("(< |P[0].x| y 3)", "(and (<= |P[0].x| (+ y (- 1))) (<= y 2))");
    check("(let ((y 5)) (let ((z (+ y |P[0].x|))) (* 2 z)))", "(+ (* 2 |P[0].x|) 10)");
    check("(let ((y 1) (z y)) (+ y z))", "(+ y 1)");
    check("(= (/ r 3) 1.5)", "(= r (/ 9.0 2.0))");
    check("(> (+ r 1) (to_real y))", "(not (<= r (+ (to_real y) (- 1.0))))");
    check("((_ divisible 3) y)", "(= (mod y 3) 0)");
    check("(! (distinct y 1 2) :named a)", "(and (not (= y 1)) (not (= y 2)))");
    check("(div y |P[0].x|)", "(ite (= |P[0].x| 0) 0 (div y |P[0].x|))");
    check("(=> (> y 0) (> y 1) (> y 2))", "(or (<= y 0) (<= y 1) (not (<= y 2)))");
}

#[test]
fn errors_name_the_place() {
    let s = &mut TermStore::new();
    let x = s.var("x", Sort::Int);
    let scope = |name: &str| (name == "x").then_some(x);
    let mut check = |text: &str, expected: &str| {
        let error = s.read_smtlib_term(text, &scope).expect_err(text);
        assert_eq!(error.to_string(), expected);
    };
    check("(+ x\n y)", "2:2: `y` is not known");
    check("(and x true)", "1:1: an argument is Int, not Bool");
    check("(f x)", "1:2: `f` is no known function");
    check("(let ((y)) y)", "1:7: a binding is `(name term)`");
    check("(let ((y x)))", "1:1: `let` needs bindings and a body");
    check("(ite true x)", "1:1: `ite` takes 3 arguments, not 2");
    check("x x", "1:3: the term ends before this");
    check("()", "1:1: `()` is no term");
    check("(not)", "1:1: arguments are missing");
    check("", "1:1: a term is missing");
    check("(/ 1.0 x)", "1:1: the divisor is no constant");
}

#[test]
fn a_million_levels() {
    let s = &mut TermStore::new();
    let (a, b) = (s.var("a", Sort::Bool), s.var("b", Sort::Bool));
    let mut deep = a;
    for i in 0..500_000 {
        deep = if i % 2 == 0 { s.and([deep, b]) } else { s.or([deep, a]) };
        deep = s.not(deep);
    }
    let text = s.smtlib(deep);
    let scope = by_name(s, deep);
    assert_eq!(s.read_smtlib_term(&text, &scope), Ok(deep));
    // Shared at every level: the text stays linear, the tree would not.
    let x = s.var("x", Sort::Int);
    let mut shared = x;
    for i in 0..100_000 {
        let (limit, one) = (s.int(i), s.int(1));
        let (less, next) = (s.lt(shared, limit), s.add(x, one));
        shared = s.ite(less, shared, next);
        shared = s.mul(shared, x);
    }
    let text = s.smtlib(shared);
    assert!(text.len() < 20_000_000);
    assert_eq!(s.read_smtlib_term(&text, &|_| Some(x)), Ok(shared));
    let script = s.smtlib_script("QF_LIA", &[deep], None);
    assert!(script.lines().all(|line| line.len() < 10_000));
}

#[test]
fn every_name_has_its_own_symbol() {
    let s = &mut TermStore::new();
    let names =
        ["x", "P[0].x", "mod", "%mod", "a|b", "a\\b", "a%b", "%", "", "1x", "é", "let", "\n"];
    let mut seen = Vec::new();
    for name in names {
        let symbol = smtlib_symbol(name);
        assert!(!seen.contains(&symbol), "{symbol}");
        let term = s.var(name, Sort::Int);
        let found = s.read_smtlib_term(&symbol, &|n| (n == name).then_some(term));
        assert_eq!(found, Ok(term), "{symbol}");
        seen.push(symbol);
    }
}

#[test]
fn values_as_solvers_print_them() {
    let check = |text: &str, sort: Sort, expected: &str| {
        let value = Value::from_smtlib(text, sort).map(|v| v.to_string());
        assert_eq!(value.as_deref().unwrap_or("none"), expected);
    };
    check("(- 5)", Sort::Int, "-5");
    check("123456789012345678901234567890", Sort::Int, "123456789012345678901234567890");
    check("(/ 1.0 3.0)", Sort::Real, "1/3");
    check("(- (/ 1 3))", Sort::Real, "-1/3");
    check("2", Sort::Real, "2");
    check("true", Sort::Bool, "true");
    check("(root-obj (+ (^ x 2) (- 2)) 1)", Sort::Real, "none");
    check("true", Sort::Int, "none");
}

#[test]
fn scripts_are_flat() {
    let s = &mut TermStore::new();
    let (x, y) = (s.var("x", Sort::Int), s.var("x", Sort::Real));
    let (one, half) = (s.int(1), s.to_real(x));
    let sum = s.add(x, one);
    let square = s.mul(sum, sum);
    let (big, less) = (s.gt(square, one), s.lt(half, y));
    let script = s.smtlib_script("QF_NIRA", &[big, less], Some("sat"));
    let expected = "\
(set-info :status sat)
(set-logic QF_NIRA)
(declare-fun x () Int)
(declare-fun x! () Real)
(define-fun $4 () Int (+ x 1))
(assert (not (<= (* $4 $4) 1)))
(assert (not (<= x! (to_real x))))
(check-sat)
";
    assert_eq!(script, expected);
}
