//! Difference constraints against an SMT solver: satisfiability, elimination of
//! variables, implication and solutions, on random conjunctions.

use parallax_base::Budget;
use parallax_containers::{Difference, Differences};
use parallax_solver::{Answer, SolverConfig};
use parallax_term::{Sort, Term, TermStore};

/// How many variables there are besides the constant zero.
const VARIABLES: usize = 5;

fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    *state >> 33
}

fn random(state: &mut u64) -> Vec<Difference> {
    (0..4 + next(state) % 5)
        .map(|_| Difference {
            left: (next(state) % (VARIABLES as u64 + 1)) as usize,
            right: (next(state) % (VARIABLES as u64 + 1)) as usize,
            bound: (next(state) % 7) as i64 - 3,
        })
        .filter(|difference| difference.left != difference.right)
        .collect()
}

fn closed(constraints: &[Difference]) -> Option<Differences> {
    let mut known = Differences::new(false);
    for _ in 0..VARIABLES {
        known.add_variable(-50, 50);
    }
    constraints.iter().all(|constraint| known.require(*constraint)).then_some(known)
}

fn term(store: &mut TermStore, variables: &[Term], difference: Difference) -> Term {
    let minus = store.sub(variables[difference.left], variables[difference.right]);
    let bound = store.int(difference.bound);
    store.le(minus, bound)
}

/// The constraints as a formula, with the ranges of the variables.
fn formula(store: &mut TermStore, variables: &[Term], constraints: &[Difference]) -> Term {
    let mut all = Vec::new();
    for at in 1..variables.len() {
        all.push(term(store, variables, Difference { left: at, right: 0, bound: 50 }));
        all.push(term(store, variables, Difference { left: 0, right: at, bound: 50 }));
    }
    for constraint in constraints {
        all.push(term(store, variables, *constraint));
    }
    store.and(all)
}

/// What is known of the first variables, the others eliminated.
fn projected(store: &mut TermStore, variables: &[Term], known: &Differences, keep: usize) -> Term {
    let mut all = Vec::new();
    for left in 0..=keep {
        for right in 0..=keep {
            if left != right
                && let Some(bound) = known.bound(left, right)
            {
                all.push(term(store, variables, Difference { left, right, bound }));
            }
        }
    }
    store.and(all)
}

#[test]
fn closed_bounds_agree_with_the_solver() {
    let budget = Budget::unlimited();
    let mut store = TermStore::default();
    let mut variables = vec![store.int(0)];
    for at in 1..=VARIABLES {
        variables.push(store.var(&format!("x{at}"), Sort::Int));
    }
    let mut solver = SolverConfig::default().open().expect("a solver");
    let mut state = 5;
    let (mut satisfiable, mut implied) = (0, 0);
    for _ in 0..120 {
        let constraints = random(&mut state);
        let whole = formula(&mut store, &variables, &constraints);
        let answer = solver.check(&store, &[whole], &budget).expect("an answer");
        let Some(known) = closed(&constraints) else {
            assert_eq!(answer, Answer::Unsat, "{constraints:?}");
            continue;
        };
        assert_eq!(answer, Answer::Sat, "{constraints:?}");
        satisfiable += 1;
        let solution = known.solve(0);
        let value = |at: usize| if at == 0 { 0 } else { solution[at - 1] };
        assert!(constraints.iter().all(|c| value(c.left) - value(c.right) <= c.bound));

        // Two of the variables are eliminated, here and there.
        let keep = VARIABLES - 2;
        let ours = projected(&mut store, &variables, &known, keep);
        let bound = &variables[keep + 1..];
        let theirs = solver.eliminate(&mut store, whole, bound, &budget).expect("an answer");
        let theirs = theirs.expect("linear arithmetic");
        assert_eq!(solver.entails(&mut store, ours, theirs, &budget), Ok(Some(true)));
        assert_eq!(solver.entails(&mut store, theirs, ours, &budget), Ok(Some(true)));

        // Implication between what is left of two conjunctions.
        let Some(other) = closed(&random(&mut state)) else { continue };
        let smaller = (0..=keep).all(|left| {
            (0..=keep).all(|right| known.bound(left, right) <= other.bound(left, right))
        });
        let theirs = projected(&mut store, &variables, &other, keep);
        assert_eq!(solver.entails(&mut store, ours, theirs, &budget), Ok(Some(smaller)));
        implied += usize::from(smaller);
    }
    assert!(satisfiable > 20, "{satisfiable} satisfiable, {implied} implied");
}
