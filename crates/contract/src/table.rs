//! Contracts as tables: one clause for each argument.
//!
//! A function whose arguments lie in a small range need not have a formula.
//! Which arguments those are is taken from calls that were seen and from bounds
//! among the clauses that hold.

use crate::memo::Memo;
use crate::sample::Seen;
use crate::subject::Subject;
use parallax_base::Budget;
use parallax_transform::contracts::{Atom, Clause, Condition, Relation, Sum};
use std::collections::{BTreeMap, BTreeSet};

/// Most rows of a table.
const ROWS: usize = 300;

/// The clauses of a table for one of the subjects. `requires` holds of its calls.
pub(crate) fn table(
    memo: &mut Memo<'_>,
    (number, subject): (usize, &Subject),
    seen: &Seen,
    requires: &[Clause],
    modulus: i128,
    budget: &Budget,
) -> Vec<Clause> {
    let mut clauses = Vec::new();
    let columns = columns(subject, seen);
    let Some(other) = seen.calls.first() else { return clauses };
    memo.rest();
    for key in keys(subject, &columns, seen, requires) {
        let mut early = other.clone();
        for (at, atom) in subject.early.iter().enumerate() {
            match (columns.iter().position(|c| *c == at), atom) {
                (Some(position), _) => early[at] = key[position],
                (None, Atom::Before(_)) => early[at] = 0,
                (None, _) => {}
            }
        }
        let Some(late) = memo.value(number, early, budget) else { continue };
        let differs = columns.iter().zip(&key).map(|(&at, &value)| {
            Condition::new(Sum::linear(&[(1, subject.early[at])], -value), Relation::NotZero)
        });
        let differs: Vec<Condition> = differs.collect();
        for (&atom, value) in subject.late.iter().zip(late) {
            let condition = match atom {
                // Started at zero, a static variable shows how much is added to it.
                Atom::After(v) => Condition::new(
                    Sum::linear(&[(1, atom), (-1, Atom::Before(v))], -value),
                    Relation::Divisible(modulus),
                ),
                _ => Condition::new(Sum::linear(&[(1, atom)], -value), Relation::Zero),
            };
            clauses.push(Clause([differs.clone(), vec![condition]].concat()));
        }
    }
    clauses
}

/// The parameters that a table is about, by their positions: one that seems to
/// determine what a call does, or all of them.
fn columns(subject: &Subject, seen: &Seen) -> Vec<usize> {
    let count = subject.early.iter().filter(|a| matches!(a, Atom::Parameter(_))).count();
    // What a call does: its result, and what it adds to static variables.
    let effect = |row: &[i128]| -> Vec<i128> {
        let late = subject.late.iter().enumerate().map(|(at, atom)| {
            let before = match atom {
                Atom::After(v) => subject.value(row, Atom::Before(*v)).unwrap_or(0),
                _ => 0,
            };
            row[subject.early.len() + at].wrapping_sub(before)
        });
        late.collect()
    };
    let determines = |at: &usize| {
        let mut known: BTreeMap<i128, Vec<i128>> = BTreeMap::new();
        seen.returns.iter().all(|row| {
            let effect = effect(row);
            *known.entry(row[*at]).or_insert_with(|| effect.clone()) == effect
        })
    };
    match (0..count).find(determines) {
        Some(at) if !seen.returns.is_empty() => vec![at],
        _ => (0..count).collect(),
    }
}

/// The arguments that a table is about.
fn keys(
    subject: &Subject,
    columns: &[usize],
    seen: &Seen,
    requires: &[Clause],
) -> BTreeSet<Vec<i128>> {
    let key = |row: &Vec<i128>| columns.iter().map(|at| row[*at]).collect::<Vec<i128>>();
    let mut keys: BTreeSet<Vec<i128>> = seen.calls.iter().map(key).collect();
    // Small numbers are more likely to be all of a kind.
    if keys.len() > ROWS {
        keys.retain(|key| key.iter().all(|v| v.abs() < 100));
    }
    let ranges: Vec<(i128, i128)> = columns
        .iter()
        .enumerate()
        .filter_map(|(position, at)| range(subject.early[*at], position, &keys, requires))
        .collect();
    let size = ranges.iter().try_fold(1i128, |n, (low, high)| n.checked_mul(high - low + 1));
    let is_whole = ranges.len() == columns.len() && !columns.is_empty();
    if is_whole && size.is_some_and(|n| n <= ROWS as i128) {
        let mut all = vec![Vec::new()];
        for (low, high) in ranges {
            let longer = |key: Vec<i128>| (low..=high).map(move |v| [&key[..], &[v]].concat());
            all = all.into_iter().flat_map(longer).collect();
        }
        keys.extend(all);
    }
    keys.into_iter().take(2 * ROWS).collect()
}

/// The values that a parameter may have: between bounds that are required, or
/// what was seen where there are none.
fn range(
    atom: Atom,
    position: usize,
    keys: &BTreeSet<Vec<i128>>,
    requires: &[Clause],
) -> Option<(i128, i128)> {
    let (mut low, mut high) = (None::<i128>, None::<i128>);
    for clause in requires {
        let [condition] = &clause.0[..] else { continue };
        let [monomial] = &condition.sum.monomials[..] else { continue };
        if monomial.factors != [atom] {
            continue;
        }
        let constant = condition.sum.constant;
        match (condition.relation, monomial.coefficient) {
            (Relation::AtMost, 1) => high = Some(high.map_or(-constant, |h| h.min(-constant))),
            (Relation::AtMost, -1) => low = Some(low.map_or(constant, |l| l.max(constant))),
            _ => {}
        }
    }
    let small = keys.iter().map(|key| key[position]).filter(|v| v.abs() < 1000);
    let low = low.or_else(|| small.clone().min().map(|v| v.max(-5)))?;
    let high = high.or_else(|| small.max().map(|v| v.min(100)))?;
    (low <= high).then_some((low, high))
}
