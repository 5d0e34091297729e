//! Failing sequences made smaller.
//!
//! A breadth-first search finds a shortest sequence among those it keeps. Lossy
//! matching and random choice do not, so operations are left out and values
//! lowered as long as the sequence fails in the same way (Zeller's ddmin with
//! steps of one suffices for such short sequences).

use crate::api::{Call, Parameter};
use crate::outcome::Failure;
use crate::runner::Runner;
use crate::subject::Subject;
use parallax_base::Budget;

/// A sequence that fails in the same way and from which nothing can be left out.
pub fn minimize(subject: &Subject<'_>, failure: &Failure, budget: &Budget) -> Failure {
    let mut runner = Runner::new(subject);
    let mut best = failure.clone();
    loop {
        let mut smaller = None;
        for candidate in candidates(subject, &best.calls) {
            if budget.check().is_err() {
                return best;
            }
            if let (seen, Some(wrong)) = runner.replay(&candidate)
                && wrong.is_like(&best.wrong)
            {
                // It may fail earlier than at its end.
                let mut calls = candidate;
                calls.truncate(seen.len() + 1);
                smaller = Some(Failure { calls, wrong });
                break;
            }
        }
        match smaller {
            Some(found) => best = found,
            None => return best,
        }
    }
}

/// Sequences that are smaller: shorter by one or two, or with one value lower.
fn candidates(subject: &Subject<'_>, calls: &[Call]) -> Vec<Vec<Call>> {
    let mut found = Vec::new();
    for at in 0..calls.len() {
        let mut shorter = calls.to_vec();
        shorter.remove(at);
        found.push(shorter);
    }
    if calls.len() <= 32 {
        for first in 0..calls.len() {
            for second in first + 1..calls.len() {
                let mut shorter = calls.to_vec();
                shorter.remove(second);
                shorter.remove(first);
                found.push(shorter);
            }
        }
    }
    for (at, call) in calls.iter().enumerate() {
        let parameters = &subject.api.operations[call.operation].parameters;
        let ranged = parameters.iter().filter(|p| p.values(1).is_some());
        for (which, parameter) in ranged.enumerate() {
            let value = call.values[which];
            let lower: Vec<i64> = match parameter {
                Parameter::Value { first } => (*first..value).collect(),
                Parameter::Values(values) => {
                    values.iter().copied().filter(|v| *v < value).collect()
                }
                Parameter::Given(..) => (0..value).collect(),
                _ => Vec::new(),
            };
            for lower in lower.into_iter().take(64) {
                let mut other = calls.to_vec();
                other[at].values[which] = lower;
                found.push(other);
            }
        }
    }
    found
}
