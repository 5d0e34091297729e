//! Weak simulation of systems of any size: pairs that matter are built one by
//! one, or all pairs are kept by blocks.
//!
//! The first way ([`crate::simulates`]) is the right one when few pairs matter,
//! and its counterexamples are the easiest to read. When there are many, states
//! that are weakly bisimilar are joined on both sides, and all pairs of what is
//! left are decided at once (`dense.rs`). States on one side that are then
//! related to the same states make a block. What comes out is about the systems
//! as they were given: a relation by blocks of their states, or a formula.

use crate::dense::{NEVER, Rounds, rounds};
use crate::distinguish::distinguish;
use crate::simulation::{Simulated, simulates, simulates_within};
use parallax_base::{Budget, Stop};
use parallax_lts::{BlockRelation, Collapsed, Distinction, Lts, StateId, collapse};
use rustc_hash::FxHashMap;

/// So many weak arrows, and so many literals of clauses, are built pair by pair
/// before blocks are tried.
const LITERALS: usize = 1 << 21;
/// Memory that all pairs may take; with more, pairs that matter are built.
const BYTES: usize = 400 << 20;

/// How one system conforms to another, or does not.
#[derive(Clone, Debug)]
pub enum Comparison {
    /// Decided pair by pair.
    Pairs(Simulated),
    /// A weak simulation, by blocks.
    Related(BlockRelation),
    /// Something that can be said of the left alone.
    Distinguished(Distinction),
}

/// Whether `right` weakly simulates `left`, from the initial states; for
/// systems of any size.
///
/// # Errors
/// When the budget ends.
pub fn compare(left: &Lts, right: &Lts, budget: &Budget) -> Result<Comparison, Stop> {
    if let Some(found) = simulates_within(left, right, LITERALS, budget)? {
        return Ok(Comparison::Pairs(found));
    }
    match compare_by_blocks(left, right, budget)? {
        Some(found) => Ok(found),
        None => Ok(Comparison::Pairs(simulates(left, right, budget)?)),
    }
}

/// The same by blocks, whatever the size; `None` if that takes too much memory.
///
/// # Errors
/// When the budget ends.
pub fn compare_by_blocks(
    left: &Lts,
    right: &Lts,
    budget: &Budget,
) -> Result<Option<Comparison>, Stop> {
    let small = [collapse(left, budget)?, collapse(right, budget)?];
    let [one, two] = &small;
    let Some(found) = rounds(&one.lts, &two.lts, BYTES, budget)? else { return Ok(None) };
    if found.of(one.lts.initial())[two.lts.initial() as usize] == NEVER {
        return Ok(Some(Comparison::Related(relation(one, two, &found))));
    }
    let formula = distinguish(&one.lts, &two.lts, &found, budget)?;
    Ok(Some(Comparison::Distinguished(formula)))
}

/// The relation, with equal rows and equal columns as blocks.
fn relation(left: &Collapsed, right: &Collapsed, rounds: &Rounds) -> BlockRelation {
    let row = |state: StateId| -> Vec<u64> {
        let chunk = |bits: &[u32]| {
            let bit = |(place, &round): (usize, &u32)| u64::from(round == NEVER) << place;
            bits.iter().enumerate().map(bit).sum()
        };
        rounds.of(state).chunks(64).map(chunk).collect()
    };
    let mut rows: Vec<Vec<u64>> = Vec::new();
    let mut numbers: FxHashMap<Vec<u64>, u32> = FxHashMap::default();
    let mut row_of: Vec<u32> = Vec::new();
    for state in left.lts.states() {
        let number = *numbers.entry(row(state)).or_insert_with_key(|key| {
            rows.push(key.clone());
            rows.len() as u32 - 1
        });
        row_of.push(number);
    }
    let mut related: Vec<Vec<u32>> = vec![Vec::new(); rows.len()];
    let mut columns: FxHashMap<Vec<u64>, u32> = FxHashMap::default();
    let mut column_of: Vec<u32> = Vec::new();
    for state in right.lts.states() {
        let (word, place) = (state as usize / 64, state % 64);
        let has = |row: &Vec<u64>| row[word] >> place & 1 == 1;
        let mut column = vec![0u64; rows.len().div_ceil(64)];
        for (number, _) in rows.iter().enumerate().filter(|(_, row)| has(row)) {
            column[number / 64] |= 1 << (number % 64);
        }
        let next = columns.len() as u32;
        let number = *columns.entry(column).or_insert(next);
        if number == next {
            for (own, _) in rows.iter().enumerate().filter(|(_, row)| has(row)) {
                related[own].push(number);
            }
        }
        column_of.push(number);
    }
    let through = |class: &[StateId], blocks: &[u32]| -> Vec<u32> {
        class.iter().map(|&class| blocks[class as usize]).collect()
    };
    BlockRelation {
        left: through(&left.class, &row_of),
        right: through(&right.class, &column_of),
        related,
    }
}
