//! Bounds that were tampered with are refused.

use parallax_base::{Budget, SourceFile, SourceMap};
use parallax_certify::{Rejected, check_bounds};
use parallax_evidence::{Bounds, Extent, Step};
use parallax_ir::TemplateProblem;
use parallax_optimize::{Config, Silent, optimize};
use parallax_solver::SolverConfig;
use parallax_term::{Rat, Value};

const TEXT: &str = "(declare-const x Real) (declare-const y Real) (declare-const b Bool)
    (declare-const c Bool) (declare-const k1 Real) (declare-const k2 Real) (declare-const k3 Real)
    (assert (=> (and (or (and b (<= x 2.0) (= y (+ x 1.0))) (and (not b) (< x 5.0) (= y 0.0)))
                     (= c (> (+ x y) 3.0)) (or c b) (>= x 0.0)
                     (= y (ite c (+ y 0.0) (- x (- 1.0)))))
                (and (< x k1) (< y k2) (< (- x y) k3))))";

fn found(text: &str) -> (TemplateProblem, Bounds) {
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new("p.smt2", text));
    let problem = parallax_front_smt::load(&sources, file).expect("a problem").problem;
    let budget = Budget::unlimited();
    let found = optimize(&problem, &Config::default(), &SolverConfig::default(), &budget, &Silent)
        .expect("a solver");
    assert_eq!(found.why_open, None);
    (problem, found.bounds)
}

fn check(problem: &TemplateProblem, bounds: &Bounds) -> Result<(), Rejected> {
    check_bounds(problem, bounds, None, &Budget::unlimited()).map(|_| ())
}

#[test]
fn what_was_found_is_accepted_without_a_solver() {
    let (problem, bounds) = found(TEXT);
    assert_eq!(check(&problem, &bounds), Ok(()));
    assert!(bounds.bounds.iter().any(|b| matches!(b.extent, Extent::Supremum { .. })));
    let steps = &bounds.refutations[0].steps;
    assert!(steps.iter().any(|s| matches!(s, Step::Arithmetic { .. })), "{steps:?}");
    assert!(steps.iter().any(|s| matches!(s, Step::Derived { .. })), "{steps:?}");
}

#[test]
fn without_models_a_refutation_is_enough() {
    let text = "(declare-const x Real) (declare-const y Real) (assert (and (< x y) (< y x)))
                (maximize x)";
    let (problem, mut bounds) = found(text);
    assert_eq!(bounds.bounds[0].extent, Extent::Empty);
    assert_eq!(check(&problem, &bounds), Ok(()));
    bounds.refutations.clear();
    assert_eq!(check(&problem, &bounds), Err(Rejected::NoSolver));
    let mut solver = SolverConfig::default().open().expect("a solver");
    let budget = Budget::unlimited();
    assert!(check_bounds(&problem, &bounds, Some(&mut *solver), &budget).is_ok());
}

#[test]
fn every_step_that_is_used_matters() {
    let (problem, bounds) = found(TEXT);
    let count = bounds.refutations[0].steps.len();
    let mut refused = 0;
    for at in 0..count {
        let mut damaged = bounds.clone();
        let step = &mut damaged.refutations[0].steps[at];
        *step = match step.clone() {
            Step::Arithmetic { clause, factors, otherwise } => Step::Arithmetic {
                factors: factors.iter().map(|f| &(f * f) + &Rat::ONE).collect(),
                clause,
                otherwise,
            },
            Step::Derived { clause, .. } => Step::Derived { clause, from: Box::new([]) },
            Step::Connective(term, part) => Step::Connective(term, part + 1),
            other => other,
        };
        if *step != bounds.refutations[0].steps[at] && check(&problem, &damaged).is_err() {
            refused += 1;
        }
    }
    // A factor may be damaged without harm, and the next part of a definition
    // may do as well; not often.
    assert!(refused * 10 >= count * 6, "{refused} of {count}");
}

#[test]
fn a_literal_that_is_dropped_from_a_lesson_is_missed() {
    let (problem, bounds) = found(TEXT);
    for (at, step) in bounds.refutations[0].steps.iter().enumerate() {
        let Step::Arithmetic { clause, factors, otherwise } = step else { continue };
        if factors.first().is_some_and(|f| !f.is_zero()) {
            let mut damaged = bounds.clone();
            damaged.refutations[0].steps[at] = Step::Arithmetic {
                clause: clause[1..].into(),
                factors: factors[1..].into(),
                otherwise: otherwise.as_ref().map(|o| o[1..].into()),
            };
            let verdict = check(&problem, &damaged);
            assert!(matches!(verdict, Err(Rejected::Refutation(_))), "{at}: {verdict:?}");
        }
    }
}

#[test]
fn values_and_points_are_looked_at() {
    let (problem, bounds) = found(TEXT);
    for at in 0..bounds.bounds.len() {
        for change in [-1, 1] {
            let mut damaged = bounds.clone();
            match &mut damaged.bounds[at].extent {
                Extent::Attained { value, .. } | Extent::Supremum { value, .. } => {
                    *value = &*value + &Rat::from(change);
                }
                _ => continue,
            }
            assert!(check(&problem, &damaged).is_err(), "{at}");
        }
    }
    for point in 0..bounds.points.len() {
        for symbol in 0..problem.symbols.len() {
            let mut damaged = bounds.clone();
            let value = &mut damaged.points[point][symbol];
            *value = match value.clone() {
                Value::Bool(b) => Value::Bool(!b),
                other => {
                    let more = &other.to_rat().expect("a number") + &Rat::from(1000);
                    Value::Real(Box::new(more))
                }
            };
            assert!(check(&problem, &damaged).is_err(), "{point} {symbol}");
        }
    }
}

#[test]
fn a_supremum_is_no_maximum_and_a_maximum_no_supremum() {
    let (problem, bounds) = found(TEXT);
    for at in 0..bounds.bounds.len() {
        let mut damaged = bounds.clone();
        let extent = &mut damaged.bounds[at].extent;
        *extent = match extent.clone() {
            Extent::Attained { value, point } => {
                Extent::Supremum { value, from: point, towards: point }
            }
            Extent::Supremum { value, from, .. } => Extent::Attained { value, point: from },
            _ => continue,
        };
        assert!(check(&problem, &damaged).is_err(), "{at}");
    }
}
