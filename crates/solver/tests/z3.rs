//! Z3 in process against enumeration, and its budgets.

mod common;

use common::random::{Alphabet, Random};
use parallax_base::{Budget, Stop};
use parallax_solver::{Answer, Solver, Z3};
use parallax_term::{Rat, Sort, Term, TermStore, Value};
use std::time::{Duration, Instant};

#[test]
fn answers_models_and_cores_agree_with_enumeration() {
    for seed in 0..300 {
        let random = &mut Random::new(seed);
        let space = &mut common::Box::new(seed % 4 == 0);
        let solver = &mut Z3::new();
        solver.assert(&space.store, space.inside);
        let base = space.formula(random, 8);
        solver.push();
        solver.assert(&space.store, base);
        for _ in 0..5 {
            let size = random.below(12);
            let assumptions = [size, 3, 1].map(|size| space.formula(random, size));
            let query = [assumptions.as_slice(), &[space.inside, base]].concat();
            let solutions = space.solutions(&query);
            let budget = &Budget::unlimited();
            let answer = match random.below(2) {
                0 => solver.check(&space.store, &assumptions, budget),
                _ => solver.check_for_core(&space.store, &assumptions, budget),
            };
            match answer {
                Ok(Answer::Sat) => {
                    assert!(!solutions.is_empty());
                    let model = solver.model(&space.store, &space.symbols()).expect("after sat");
                    assert!(query.iter().all(|f| model.satisfies(&space.store, *f)));
                    assert_eq!(solver.core(), None);
                }
                Ok(Answer::Unsat) => {
                    assert!(solutions.is_empty());
                    assert_eq!(solver.model(&space.store, &[]), None);
                    let mut core = solver.core().expect("after unsat");
                    assert!(core.iter().all(|f| assumptions.contains(f)));
                    core.extend([space.inside, base]);
                    assert!(space.solutions(&core).is_empty(), "this is no core");
                }
                other => panic!("{other:?}"),
            }
        }
        // Nothing of the queries stays behind.
        solver.pop();
        let answer = solver.check(&space.store, &[], &Budget::unlimited());
        assert_eq!(answer, Ok(Answer::Sat));
    }
}

#[test]
fn elimination_is_equivalent() {
    for seed in (0..600).chain([50681]) {
        let random = &mut Random::new(seed);
        let space = &mut common::Box::new(false);
        let size = random.below(16);
        let formula = space.formula(random, size);
        let formula = space.store.and([space.inside, formula]);
        let mut bound = space.symbols();
        bound.retain(|_| random.below(3) == 0);
        let solver = &mut Z3::new();
        let result = solver.eliminate(&mut space.store, formula, &bound, &Budget::unlimited());
        let Ok(Some(result)) = result else { panic!("seed {seed}: {result:?}") };
        space.assert_shadow(formula, &bound, result, seed);
    }
}

#[test]
fn elimination_over_the_reals_is_equivalent_at_points() {
    for seed in 0..200 {
        let s = &mut TermStore::new();
        let [x, y, z] = ["x", "y", "z"].map(|name| s.var(name, Sort::Real));
        let b = s.var("b", Sort::Bool);
        let alphabet =
            Alphabet { bools: vec![b], ints: vec![], reals: vec![x, y, z], nonlinear: false };
        let random = &mut Random::new(seed);
        let formula = random.linear_real_formula(s, &alphabet, 6);
        let solver = &mut Z3::new();
        let budget = &Budget::unlimited();
        let result = solver.eliminate(s, formula, &[x, b], budget);
        let Ok(Some(result)) = result else { panic!("seed {seed}: {result:?}") };
        for _ in 0..20 {
            let mut half = || Rat::new(random.small().into(), 2.into()).unwrap_or(Rat::ZERO);
            let point = [(y, s.real(half())), (z, s.real(half()))];
            let (whole, shadow) = (s.substitute(formula, &point), s.substitute(result, &point));
            let expected = solver.check(s, &[whole], budget) == Ok(Answer::Sat);
            assert_eq!(s.is_true(shadow), expected, "seed {seed}: {}", s.infix(formula));
        }
    }
}

/// `x^3 + y^3 + z^3 = 114` has no known solution.
fn cubes(s: &mut TermStore) -> Term {
    let powers = ["x", "y", "z"].map(|name| {
        let x = s.var(name, Sort::Int);
        let square = s.mul(x, x);
        s.mul(square, x)
    });
    let (sum, target) = (powers.into_iter().reduce(|a, b| s.add(a, b)), s.int(114));
    s.eq(sum.expect("three powers"), target)
}

#[test]
fn budgets_end_queries() {
    let s = &mut TermStore::new();
    let hard = [common::pigeons(s, 12), cubes(s)];
    for formula in hard {
        let solver = &mut Z3::new();
        let budget = Budget::new(Some(Duration::from_millis(300)), None);
        let started = Instant::now();
        assert_eq!(solver.check(s, &[formula], &budget), Err(Stop::Time));
        assert!(started.elapsed() < Duration::from_secs(1), "{:?}", started.elapsed());

        let budget = Budget::unlimited();
        let (remote, started) = (budget.clone(), Instant::now());
        let other = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(200));
            remote.stop(Stop::Cancelled);
        });
        assert_eq!(solver.check(s, &[formula], &budget), Err(Stop::Cancelled));
        assert!(started.elapsed() < Duration::from_secs(1), "{:?}", started.elapsed());
        other.join().expect("the other thread ends");

        // The solver is still good, and a used-up budget is not even tried.
        assert_eq!(solver.check(s, &[], &Budget::unlimited()), Ok(Answer::Sat));
        assert_eq!(solver.check(s, &[formula], &budget), Err(Stop::Cancelled));
        let counts = solver.statistics();
        assert_eq!((counts.queries, counts.sat, counts.unknown), (4, 1, 0));
    }
}

#[test]
fn the_logic_grows_with_the_formulas() {
    let s = &mut TermStore::new();
    let (x, r) = (s.var("x", Sort::Int), s.var("r", Sort::Real));
    let (two, big) = (s.int(2), s.constant(Value::Int("9".repeat(50).parse().expect("digits"))));
    let third = s.real(Rat::new(1.into(), 3.into()).expect("not zero"));
    let solver = &mut Z3::new();
    let budget = &Budget::unlimited();
    let (above, below) = (s.gt(x, big), s.lt(r, third));
    solver.assert(s, above);
    solver.push();
    assert_eq!(solver.check(s, &[], budget), Ok(Answer::Sat));
    solver.assert(s, below);
    let (mixed, square) = (s.to_real(x), s.mul(x, x));
    let (close, even) = (s.lt(r, mixed), s.modulo(square, two));
    let odd = s.eq(even, two);
    assert_eq!(solver.check(s, &[close], budget), Ok(Answer::Sat));
    let model = solver.model(s, &[x, r]).expect("after sat");
    assert!([above, below, close].iter().all(|f| model.satisfies(s, *f)));
    assert_eq!(solver.check(s, &[odd], budget), Ok(Answer::Unsat));
    solver.pop();
    let (small, not_below) = (s.le(x, two), s.not(below));
    assert_eq!(solver.check(s, &[not_below], budget), Ok(Answer::Sat));
    assert_eq!(solver.check(s, &[small], budget), Ok(Answer::Unsat));
    assert_eq!(solver.core(), Some(vec![small]));
    solver.pop();
    assert_eq!(solver.check(s, &[], budget), Ok(Answer::Sat));
}

#[test]
fn a_term_too_deep_for_z3_is_unknown_not_a_crash() {
    let s = &mut TermStore::new();
    let (a, b) = (s.var("a", Sort::Bool), s.var("b", Sort::Bool));
    let mut deep = a;
    for i in 0..200_000 {
        deep = if i % 2 == 0 { s.and([deep, b]) } else { s.or([deep, a]) };
        deep = s.not(deep);
    }
    let solver = &mut Z3::new();
    let (budget, never) = (&Budget::unlimited(), s.bool(false));
    assert!(matches!(solver.check(s, &[deep], budget), Ok(Answer::Unknown(_))));
    solver.push();
    solver.assert(s, deep);
    assert!(matches!(solver.check(s, &[], budget), Ok(Answer::Unknown(_))));
    assert_eq!(solver.check(s, &[never], budget), Ok(Answer::Unsat));
    solver.pop();
    assert_eq!(solver.check(s, &[], budget), Ok(Answer::Sat));
}
