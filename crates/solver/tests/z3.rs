//! Z3 in process against enumeration, and its budgets.

mod common;

use common::random::Random;
use parallax_base::{Budget, Stop};
use parallax_solver::{Answer, Solver, Z3};
use parallax_term::{Sort, Term, TermStore};
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
            let answer = solver.check(&space.store, &assumptions, &Budget::unlimited());
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
