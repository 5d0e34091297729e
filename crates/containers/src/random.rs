//! Sequences chosen at random.
//!
//! Every sequence has the full length; each operation is chosen as the driver
//! of the paper does: the operation first, then its values.

use crate::api::Call;
use crate::explicit::{Book, counts_as_new, unsupported};
use crate::outcome::{Failure, Found, Test, Unsupported};
use crate::runner::Runner;
use crate::subject::Subject;
use crate::{Config, Goal};
use parallax_base::Budget;
use parallax_machine::{Concrete, What};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

pub(crate) fn search(
    subject: &Subject<'_>,
    config: &Config,
    budget: &Budget,
) -> Result<Found, Unsupported> {
    let mut random = StdRng::seed_from_u64(config.seed);
    let mut runner = Runner::new(subject);
    let mut ender = Runner::new(subject);
    let mut book = Book::new(config);
    let choices: Vec<Vec<Call>> = (0..subject.api.operations.len())
        .map(|at| subject.api.operations[at].calls(at, config.values))
        .collect();
    let goal: Goal = config.goal;
    let mut sequence: Vec<Call> = Vec::new();
    'search: while book.figures.operations < config.operations {
        if let Err(stop) = budget.check() {
            book.stopped = Some(stop);
            break;
        }
        book.tell(budget);
        sequence.clear();
        let begun = runner.begin().and_then(|()| runner.check(&mut Concrete));
        if let Err(wrong) = begun {
            if let Some(limit) = unsupported(&wrong, Vec::new()) {
                return Err(limit);
            }
            book.failure = Some(Failure { calls: Vec::new(), wrong });
            break;
        }
        for _ in 0..config.length {
            let operation = &choices[random.random_range(0..choices.len())];
            sequence.push(operation[random.random_range(0..operation.len())].clone());
            let Some(call) = sequence.last() else { break };
            book.figures.operations += 1;
            let done = runner.apply(call).and_then(|_| runner.check(&mut Concrete));
            if let Err(wrong) = done {
                if let Some(limit) = unsupported(&wrong, sequence.clone()) {
                    return Err(limit);
                }
                book.failure = Some(Failure { calls: sequence.clone(), wrong });
                break 'search;
            }
            if counts_as_new(&mut runner, goal) {
                book.tests.push(Test { calls: sequence.clone() });
            }
        }
        let key = runner.linearize(What::Shape);
        if book.shape_set.insert(&key.bytes) {
            book.figures.states += 1;
        }
        let state = runner.save();
        ender.restore(&state);
        if let Err(wrong) = ender.end() {
            if let Some(limit) = unsupported(&wrong, sequence.clone()) {
                return Err(limit);
            }
            book.failure = Some(Failure { calls: sequence.clone(), wrong });
            break;
        }
        // There is one sequence without operations.
        if config.length == 0 {
            break;
        }
    }
    book.end_level(&runner, config.length);
    Ok(book.found(runner.machine.coverage))
}
