//! Ascents: bounds above a floor, over formulas of any kind.

use parallax_base::Budget;
use parallax_optimize::{Abstract, Ascent, Effort, Limit};
use parallax_solver::SolverConfig;
use parallax_term::{Rat, Scalar, Sort, Term, TermStore};

fn interval(store: &mut TermStore, term: Term) -> [Term; 2] {
    [term, store.neg(term)]
}

#[test]
fn ascents_start_from_a_floor() {
    let mut store = TermStore::new();
    let (x, y) = (store.var("x", Sort::Int), store.var("y", Sort::Int));
    let names = |name: &str| Some(if name == "x" { x } else { y });
    let text = "(and (= y (+ x 1)) (< x 10))";
    let block = store.read_smtlib_term(text, &names).expect("a formula");
    let (before, after) = (interval(&mut store, x), interval(&mut store, y));
    let mut ascent =
        Ascent::new(&store, block, &after, &SolverConfig::default()).expect("a solver");
    let budget = Budget::unlimited();
    let at = |value: i64| Some(Limit { value: Rat::from(value), strict: false });
    let zero = Abstract::Within(vec![at(0), at(0)]);
    let mut up = |from: &Abstract, floor: &Abstract| {
        ascent.above((from, &before), floor, None, Effort::Exact, &budget).expect("time")
    };
    assert_eq!(up(&zero, &zero), Abstract::Within(vec![at(1), at(0)]));
    assert_eq!(up(&zero, &Abstract::Bottom), Abstract::Within(vec![at(1), at(-1)]));
    let any = Abstract::Within(vec![None, at(0)]);
    assert_eq!(up(&any, &zero), Abstract::Within(vec![at(10), at(0)]));
    assert_eq!(up(&Abstract::Bottom, &zero), zero);
}

#[test]
fn what_is_not_linear_is_left_to_the_solver() {
    let mut store = TermStore::new();
    let array = Sort::Array(Scalar::Int, Scalar::Int);
    let (a, i, y) = (store.var("a", array), store.var("i", Sort::Int), store.var("y", Sort::Int));
    let names = |name: &str| {
        Some(match name {
            "a" => a,
            "i" => i,
            _ => y,
        })
    };
    let text = "(and (<= 0 i) (<= i 1000) (<= 3 (select a i)) (<= (* i i) 5000) (= y (+ i (select a 5))) (<= (select a 5) 2))";
    let block = store.read_smtlib_term(text, &names).expect("a formula");
    let goals = [i, y];
    let mut ascent =
        Ascent::new(&store, block, &goals, &SolverConfig::default()).expect("a solver");
    let all = Abstract::Within(Vec::new());
    let budget = Budget::unlimited();
    let found = ascent.above((&all, &[]), &Abstract::Bottom, None, Effort::Exact, &budget);
    let at = |value: i64| Some(Limit { value: Rat::from(value), strict: false });
    assert_eq!(found.expect("time"), Abstract::Within(vec![at(70), at(72)]));
}
