//! Machine data: our evaluator and solvers agree on every function.

#[path = "../../term/tests/machine/mod.rs"]
mod machine;
#[allow(dead_code, reason = "only the generator of numbers is needed here")]
#[path = "../../term/tests/random/mod.rs"]
mod random;

use machine::{EXACT, FLOATS, Machine};
use parallax_base::Budget;
use parallax_solver::{Answer, Pipe, PipeCommand, Solver, Z3, find_second_solver_below};
use parallax_term::{Scalar, Sort, Term, TermStore, Value};
use std::path::Path;
use std::time::Duration;

/// The state as a formula, and `term = value`.
fn claim(machine: &mut Machine, term: Term, value: Value) -> (Term, Term) {
    let mut equations = Vec::new();
    for (symbol, value) in machine.state.clone() {
        let value = machine.store.constant(value);
        equations.push(machine.store.eq(symbol, value));
    }
    let value = machine.store.constant(value);
    (machine.store.and(equations), machine.store.eq(term, value))
}

/// Asks about a random term; false if the solver does not know.
fn agree(solver: &mut dyn Solver, seed: u64, sorts: &[Sort], sizes: usize) -> bool {
    let machine = &mut Machine::new(seed, sorts);
    let sort = sorts[seed as usize % sorts.len()];
    let size = machine.random.below(sizes);
    let sample = machine.term(sort, size);
    let (state, same) = claim(machine, sample.term, sample.value);
    let other = machine.store.not(same);
    let budget = &Budget::new(Some(Duration::from_secs(60)), None);
    let shown = machine.store.infix(same);
    let answer = solver.check(&machine.store, &[state, other], budget);
    if let Ok(Answer::Unknown(_)) = answer {
        return false;
    }
    assert_eq!(answer, Ok(Answer::Unsat), "seed {seed}: {shown}");
    // The model is evaluated again by the solver itself.
    let answer = solver.check(&machine.store, &[state, same], budget);
    assert_eq!(answer, Ok(Answer::Sat), "seed {seed}: {shown}");
    let symbols: Vec<Term> = machine.state.iter().map(|(s, _)| *s).collect();
    let model = solver.model(&machine.store, &symbols).expect("after sat");
    for (symbol, value) in &machine.state {
        assert_eq!(model.get(*symbol), Some(value), "seed {seed}");
    }
    true
}

#[test]
fn z3_agrees_on_bit_vectors_and_arrays() {
    for seed in 0..600 {
        assert!(agree(&mut Z3::new(), seed, EXACT, 12));
    }
}

#[test]
fn z3_agrees_on_floating_point_numbers() {
    for seed in 0..600 {
        assert!(agree(&mut Z3::new(), seed, FLOATS, 12));
    }
}

/// Sorts that every solver of bit-vectors knows.
const BITS: &[Sort] = &[Sort::Bool, Sort::Bv(8), Sort::Bv(32), Sort::Bv(64)];

#[test]
fn solvers_behind_a_pipe_agree() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let program = root.join("third_party/z3/bin/z3");
    let process = PipeCommand { program, arguments: vec!["-in".into()] };
    let known = |command: &PipeCommand, sorts: &[Sort]| {
        let solver = &mut Pipe::start(command).expect("it was set up");
        (0..40).filter(|seed| agree(solver, *seed, sorts, 10)).count()
    };
    if process.program.is_file() {
        assert_eq!(known(&process, EXACT), 40);
        assert_eq!(known(&process, FLOATS), 40);
    }
    if let Some(second) = find_second_solver_below(&root) {
        assert_eq!(known(&second, BITS), 40);
        let s = &mut TermStore::new();
        let [i, j] = ["i", "j"].map(|n| s.var(n, Sort::Bv(32)));
        let m = s.var("m", Sort::Array(Scalar::Bv(32), Scalar::Bv(8)));
        let (value, same) = (s.bv(8, 7), s.eq(i, j));
        let written = s.store(m, i, value);
        let read = s.select(written, j);
        let found = s.eq(read, value);
        let lost = s.not(found);
        let solver = &mut Pipe::start(&second).expect("it was set up");
        let budget = &Budget::unlimited();
        assert_eq!(solver.check(s, &[same, lost], budget), Ok(Answer::Unsat));
        assert_eq!(solver.check(s, &[lost], budget), Ok(Answer::Sat));
    }
}

#[test]
fn machine_data_are_eliminated_by_their_equations() {
    let s = &mut TermStore::new();
    let [x, y] = ["x", "y"].map(|n| s.var(n, Sort::Bv(32)));
    let m = s.var("m", Sort::Array(Scalar::Bv(32), Scalar::Bv(32)));
    let b = s.var("b", Sort::Bool);
    let one = s.bv(32, 1);
    let next = s.bv_add(y, one);
    let (same, small) = (s.eq(x, next), s.bv_ult(x, y));
    let both = s.and([same, small]);
    let solver = &mut Z3::new();
    let budget = &Budget::unlimited();
    let expected = s.bv_ult(next, y);
    assert_eq!(solver.eliminate(s, both, &[x], budget), Ok(Some(expected)));
    // A truth value has two cases; nothing is claimed about what has more.
    let choice = s.ite(b, y, one);
    let below = s.bv_ult(choice, x);
    let cases = [s.bv_ult(y, x), s.bv_ult(one, x)];
    let cases = s.or(cases);
    assert_eq!(solver.eliminate(s, below, &[b], budget), Ok(Some(cases)));
    let element = s.select(m, x);
    let formula = s.bv_ult(element, y);
    assert_eq!(solver.eliminate(s, formula, &[m], budget), Ok(None));
    assert_eq!(solver.eliminate(s, small, &[x], budget), Ok(None));
}

#[test]
fn models_of_machine_data_satisfy_the_formula() {
    // Random atoms over free symbols; the solver re-evaluates its models.
    let (mut sat, mut unsat) = (0, 0);
    for seed in 0..300 {
        let machine = &mut Machine::new(seed, EXACT);
        let items: Vec<Term> = (0..3).map(|_| machine.term(Sort::Bool, 6).term).collect();
        let solver = &mut Z3::new();
        let budget = &Budget::new(Some(Duration::from_millis(400)), None);
        match solver.check(&machine.store, &items, budget) {
            Ok(Answer::Sat) => {
                let model = solver.model(&machine.store, &[]).expect("a model that is one");
                assert!(items.iter().all(|f| model.satisfies(&machine.store, *f)));
                sat += 1;
            }
            Ok(Answer::Unsat) => {
                // The state of the machine is no model either.
                let values: parallax_solver::Model = machine.state.iter().cloned().collect();
                assert!(items.iter().any(|f| !values.satisfies(&machine.store, *f)));
                unsat += 1;
            }
            Ok(Answer::Unknown(_)) | Err(_) => {}
        }
    }
    assert!(sat > 100 && unsat > 20, "{sat} sat, {unsat} unsat");
}
