//! Several objectives: what is found is accepted, and damaged it is not.

use parallax_base::{Budget, SourceFile, SourceMap};
use parallax_certify::{Accepted, Claim, Rejected, judge};
use parallax_evidence::{Bounds, Extent, Front};
use parallax_ir::TemplateProblem;
use parallax_optimize::{Config, Silent, lexicographic, pareto};
use parallax_solver::SolverConfig;
use parallax_term::{Int, Rat, Value};

const INTEGERS: &str = "(declare-const x Int) (declare-const y Int)
    (assert (and (<= 0 x 4) (<= 0 y 4) (<= (+ x y) 5))) (maximize x) (maximize y)";

const REALS: &str = "(declare-const x Real) (declare-const y Real) (declare-const b Bool)
    (assert (and (<= 0.0 x 4.0) (<= 0.0 y) (=> b (<= (+ x y) 5.0)) (=> (not b) (<= x y 3.5))))
    (maximize (+ x y)) (minimize x)";

const WORDS: &str = "(declare-const a (_ BitVec 8)) (declare-const b (_ BitVec 8))
    (assert (= (bvadd a b) #x10)) (assert (bvult a #x80)) (maximize a) (minimize b :signed)";

fn problem(text: &str) -> TemplateProblem {
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new("p.smt2", text));
    let loaded = parallax_front_smt::load(&sources, file).expect("a script");
    loaded.queries.last().expect("a query").problem.clone()
}

fn judged(claim: &Claim<'_>) -> Result<Accepted, Rejected> {
    judge(claim, &mut || SolverConfig::default().open(), &Budget::unlimited())
}

fn stages(problem: &TemplateProblem) -> Vec<Bounds> {
    let (config, solver) = (Config::default(), SolverConfig::default());
    let found = lexicographic(problem, &config, &solver, &Budget::unlimited(), &Silent);
    let found = found.expect("a solver");
    assert_eq!(found.why_open, None);
    found.stages
}

fn front(problem: &TemplateProblem) -> Front {
    let (config, solver) = (Config::default(), SolverConfig::default());
    let found = pareto(problem, &config, &solver, &Budget::unlimited(), &Silent);
    found.expect("a solver").front
}

#[test]
fn lexicographic_optima_are_accepted_and_damaged_ones_are_not() {
    for text in [INTEGERS, REALS, WORDS] {
        let problem = problem(text);
        let stages = stages(&problem);
        let accept =
            |stages: &[Bounds]| judged(&Claim::Lexicographic { problem: &problem, stages });
        assert!(accept(&stages).is_ok(), "{text}");
        // Objectives that are left out, doubled or swapped.
        assert!(accept(&stages[..1]).is_err());
        assert!(accept(&[]).is_err());
        assert!(accept(&[&stages[..], &stages[1..]].concat()).is_err());
        let swapped: Vec<Bounds> = stages.iter().rev().cloned().collect();
        assert!(accept(&swapped).is_err());
        for at in 0..stages.len() {
            for change in [-1, 1] {
                let mut damaged = stages.clone();
                let Extent::Attained { value, .. } = &mut damaged[at].bounds[0].extent else {
                    panic!("{text}: the optimum is not attained");
                };
                *value = &*value + &Rat::from(change);
                assert!(accept(&damaged).is_err(), "{text}: {at} {change}");
            }
            // Values of another point.
            let mut damaged = stages.clone();
            let Extent::Attained { point, .. } = damaged[at].bounds[0].extent else { continue };
            for value in &mut damaged[at].points[point] {
                *value = match value.clone() {
                    Value::Int(int) => Value::Int(&int + &Int::from(1)),
                    Value::Real(real) => Value::Real(Box::new(&*real + &Rat::ONE)),
                    other => other,
                };
            }
            assert!(damaged == stages || accept(&damaged).is_err(), "{text}: {at}");
        }
    }
}

#[test]
fn an_objective_without_a_best_value_ends_the_sequence() {
    let text = "(declare-const x Real) (declare-const y Real) (assert (and (< x 3.0) (<= y x)))
                (maximize x) (maximize y)";
    let problem = problem(text);
    let found = stages(&problem);
    assert_eq!(found.len(), 1);
    assert!(matches!(found[0].bounds[0].extent, Extent::Supremum { .. }));
    let accept = |stages: &[Bounds]| judged(&Claim::Lexicographic { problem: &problem, stages });
    assert!(accept(&found).is_ok());
    assert!(accept(&[found[0].clone(), found[0].clone()]).is_err());
}

#[test]
fn fronts_are_accepted_and_damaged_ones_are_not() {
    let problem = problem(INTEGERS);
    let front = front(&problem);
    assert!(front.is_whole && front.points.len() == 4, "{front:?}");
    let accept = |front: &Front| judged(&Claim::Pareto { problem: &problem, front });
    assert!(accept(&front).is_ok());
    // A part of the front is no front, but its points belong to one.
    for at in 0..front.points.len() {
        let mut part = front.clone();
        part.points.remove(at);
        assert!(accept(&part).is_err());
        part.is_whole = false;
        assert!(accept(&part).is_ok());
    }
    let point = |x: i64, y: i64| vec![Value::int(x), Value::int(y)].into_boxed_slice();
    for wrong in [point(1, 1), point(4, 1), point(5, 0), point(9, 9)] {
        for is_whole in [true, false] {
            let mut more = front.clone();
            more.is_whole = is_whole;
            more.points.push(wrong.clone());
            assert!(accept(&more).is_err(), "{wrong:?}");
        }
        let alone = Front { points: vec![wrong.clone()], is_whole: false };
        assert_eq!(accept(&alone).is_ok(), wrong == point(4, 1), "{wrong:?}");
    }
    assert!(accept(&Front { points: Vec::new(), is_whole: true }).is_err());
}

#[test]
fn an_endless_front_is_not_called_whole() {
    let text = "(declare-const x Int) (declare-const y Int) (assert (<= (+ x y) 5))
                (maximize x) (maximize y)";
    let problem = problem(text);
    let (config, solver) = (Config::default(), SolverConfig::default());
    let budget = Budget::new(Some(std::time::Duration::from_secs(2)), None);
    let found = pareto(&problem, &config, &solver, &budget, &Silent).expect("a solver");
    assert!(!found.front.is_whole && found.why_open.is_some());
    let whole = Front { is_whole: true, ..found.front.clone() };
    assert!(judged(&Claim::Pareto { problem: &problem, front: &whole }).is_err());
}
