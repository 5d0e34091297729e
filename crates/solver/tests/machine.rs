//! Machine data: our evaluator and Z3 agree on every function.

#[path = "../../term/tests/machine/mod.rs"]
mod machine;
#[allow(dead_code, reason = "only the generator of numbers is needed here")]
#[path = "../../term/tests/random/mod.rs"]
mod random;

use machine::{EXACT, FLOATS, Machine};
use parallax_base::Budget;
use parallax_solver::{Answer, Solver, Z3};
use parallax_term::{Sort, Term, Value};
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

fn agree(seed: u64, sorts: &[Sort], sizes: usize) {
    let machine = &mut Machine::new(seed, sorts);
    let sort = sorts[seed as usize % sorts.len()];
    let size = machine.random.below(sizes);
    let sample = machine.term(sort, size);
    let (state, same) = claim(machine, sample.term, sample.value);
    let other = machine.store.not(same);
    let solver = &mut Z3::new();
    let budget = &Budget::new(Some(Duration::from_secs(60)), None);
    let shown = machine.store.infix(same);
    let answer = solver.check(&machine.store, &[state, other], budget);
    assert_eq!(answer, Ok(Answer::Unsat), "seed {seed}: {shown}");
    // The model is evaluated again by the solver itself.
    let answer = solver.check(&machine.store, &[state, same], budget);
    assert_eq!(answer, Ok(Answer::Sat), "seed {seed}: {shown}");
    let symbols: Vec<Term> = machine.state.iter().map(|(s, _)| *s).collect();
    let model = solver.model(&machine.store, &symbols).expect("after sat");
    for (symbol, value) in &machine.state {
        assert_eq!(model.get(*symbol), Some(value), "seed {seed}");
    }
}

#[test]
fn z3_agrees_on_bit_vectors_and_arrays() {
    for seed in 0..600 {
        agree(seed, EXACT, 12);
    }
}

#[test]
fn z3_agrees_on_floating_point_numbers() {
    for seed in 0..600 {
        agree(seed, FLOATS, 12);
    }
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
