//! Solvers behind a pipe, against Z3 in process and enumeration. The solvers
//! are those that setup places in `third_party`; without them there is nothing
//! to test here.

mod common;

use common::random::Random;
use parallax_base::{Budget, Stop};
use parallax_solver::{
    Answer, Backend, Pipe, PipeCommand, RecordDir, Solver, SolverConfig, Z3,
    find_second_solver_below,
};
use parallax_term::{Rat, Sort, TermStore, Value};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn z3_process() -> Option<PipeCommand> {
    let program = root().join("third_party/z3/bin/z3");
    program.is_file().then(|| PipeCommand { program, arguments: vec!["-in".into()] })
}

fn solvers() -> Vec<Pipe> {
    let commands = [find_second_solver_below(&root()), z3_process()];
    commands.iter().flatten().map(|c| Pipe::start(c).expect("it was set up")).collect()
}

/// The solver's answers on random queries; those it could not give are `None`.
fn answers(solver: &mut dyn Solver, nonlinear: bool) -> Vec<Option<Answer>> {
    let space = &mut common::Box::new(nonlinear);
    solver.assert(&space.store, space.inside);
    let mut answers = Vec::new();
    for seed in 0..150 {
        let random = &mut Random::new(seed);
        let base = space.formula(random, 8);
        let assumptions = [6, 2].map(|size| space.formula(random, size));
        let query = [space.inside, base, assumptions[0], assumptions[1]];
        solver.push();
        solver.assert(&space.store, base);
        let seconds = if nonlinear { 1 } else { 20 };
        let budget = Budget::new(Some(Duration::from_secs(seconds)), None);
        let answer = solver.check(&space.store, &assumptions, &budget).ok();
        let answer = answer.filter(|answer| !matches!(answer, Answer::Unknown(_)));
        let model = solver.model(&space.store, &space.symbols());
        assert_eq!(model.is_some(), answer == Some(Answer::Sat));
        if let Some(model) = model {
            assert!(query.iter().all(|f| model.satisfies(&space.store, *f)));
        }
        let none = space.solutions(&query).is_empty();
        let expected = if none { Answer::Unsat } else { Answer::Sat };
        assert!(answer.is_none() || answer == Some(expected), "{} on {seed}", solver.name());
        answers.push(answer);
        solver.pop();
    }
    assert_eq!(solver.statistics().queries, 150);
    answers
}

#[test]
fn both_kinds_of_solvers_agree_with_enumeration() {
    for nonlinear in [false, true] {
        let by_z3 = answers(&mut Z3::new(), nonlinear);
        assert!(by_z3.iter().all(Option::is_some));
        for mut solver in solvers() {
            // Yices needs more than its time for a few products.
            let missing = answers(&mut solver, nonlinear).iter().filter(|a| a.is_none()).count();
            assert!(missing <= if nonlinear { 5 } else { 0 }, "{}: {missing}", solver.name());
        }
    }
}

#[test]
fn the_logic_grows_and_odd_names_are_quoted() {
    for mut solver in solvers() {
        let s = &mut TermStore::new();
        let x = s.var("P[0].mod|x", Sort::Int);
        let [r, q] = ["mod", "P[0].mod|x"].map(|name| s.var(name, Sort::Real));
        let (big, third) = (
            s.constant(Value::Int("-123456789012345678901234567890".parse().expect("digits"))),
            s.real(Rat::new(1.into(), 3.into()).expect("not zero")),
        );
        let budget = &Budget::unlimited();
        let formulas = [s.lt(x, big), s.eq(r, third), s.lt(q, r)];
        for (i, formula) in formulas.iter().enumerate() {
            solver.assert(s, *formula);
            solver.push();
            assert_eq!(solver.check(s, &[], budget), Ok(Answer::Sat), "{}", solver.name());
            let model = solver.model(s, &[x, r, q]).expect("after sat");
            assert!(formulas[..=i].iter().all(|f| model.satisfies(s, *f)));
        }
        let contradiction = s.gt(q, third);
        assert_eq!(solver.check(s, &[contradiction], budget), Ok(Answer::Unsat));
        solver.pop();
        assert_eq!(solver.check(s, &[], budget), Ok(Answer::Sat));
    }
}

#[test]
fn budgets_end_the_process() {
    for mut solver in solvers() {
        let s = &mut TermStore::new();
        let hard = common::pigeons(s, 12);
        let budget = Budget::new(Some(Duration::from_millis(300)), None);
        let started = Instant::now();
        assert_eq!(solver.check(s, &[hard], &budget), Err(Stop::Time));
        assert!(started.elapsed() < Duration::from_secs(1), "{:?}", started.elapsed());
        // A new process takes over.
        assert_eq!(solver.check(s, &[], &Budget::unlimited()), Ok(Answer::Sat));
    }
}

#[test]
fn a_program_that_is_no_solver_is_refused() {
    let start = |program: &str| {
        Pipe::start(&PipeCommand { program: program.into(), arguments: vec![] }).err()
    };
    let error = start("/no/such/solver").expect("it does not exist").to_string();
    assert!(error.starts_with("cannot start /no/such/solver"), "{error}");
    let error = start("true").expect("it says nothing").to_string();
    assert_eq!(error, "true does not answer SMT-LIB commands");
}

#[test]
fn recorded_queries_give_the_same_answers() {
    let folder = std::env::temp_dir().join(format!("parallax-record-{}", std::process::id()));
    let record = RecordDir::create(&folder).expect("a temporary folder");
    let config = SolverConfig { backend: Backend::Z3, record: Some(record) };
    let space = &mut common::Box::new(true);
    let mut expected = Vec::new();
    for seed in 0..20 {
        let solver = &mut *config.open().expect("Z3 is always there");
        let random = &mut Random::new(seed);
        solver.assert(&space.store, space.inside);
        let (base, assumption) = (space.formula(random, 8), space.formula(random, 4));
        solver.push();
        solver.assert(&space.store, base);
        let answer = solver.check(&space.store, &[assumption], &Budget::unlimited());
        expected.push(if answer == Ok(Answer::Sat) { "sat" } else { "unsat" });
    }
    for (number, expected) in expected.iter().enumerate() {
        let file = folder.join(format!("query-{number:06}.smt2"));
        let text = std::fs::read_to_string(&file).expect("it was written");
        assert!(text.starts_with(&format!("(set-info :status {expected})\n")));
        if let Some(z3) = z3_process() {
            let output = Command::new(z3.program).arg(&file).output().expect("z3 runs");
            assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), *expected);
        }
    }
    std::fs::remove_dir_all(&folder).expect("the folder is ours");
}
