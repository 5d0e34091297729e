//! Making an infinite run shorter.
//!
//! A cycle of the product can go around a cycle of the program several times,
//! and its stem can make detours. Where a run meets a state twice, what lies
//! between can be left out, or repeated for ever instead of the rest. Each
//! proposal is a run again; it is taken if its word still breaks the formula.

use crate::lasso::Run;
use crate::space::Space;
use parallax_base::{Budget, Stop};
use parallax_ltl::{Formula, Lasso};
use rustc_hash::FxHashMap;

/// Longer runs are left as they are.
const MAX_LENGTH: usize = 2000;
/// How many proposals are looked at.
const MAX_PROPOSALS: usize = 5000;

/// A run that is no longer and breaks the formula, if the given one does.
pub(crate) fn shrunk(
    space: &Space,
    formula: &Formula,
    mut run: Run,
    budget: &Budget,
) -> Result<Run, Stop> {
    let mut left = MAX_PROPOSALS;
    'again: while run.states.len() <= MAX_LENGTH {
        let mut proposals = proposals(&run);
        proposals.sort_by_key(|p| p.states.len());
        for proposal in proposals {
            if left == 0 {
                break 'again;
            }
            left -= 1;
            budget.check()?;
            if breaks(space, formula, &proposal) {
                run = proposal;
                continue 'again;
            }
        }
        break;
    }
    Ok(run)
}

/// Whether the word of a run does not satisfy the formula.
pub(crate) fn breaks(space: &Space, formula: &Formula, run: &Run) -> bool {
    let count = run.transitions.len();
    let letters = |range: std::ops::Range<usize>| {
        run.states[range].iter().map(|s| space.letter[*s as usize]).collect()
    };
    let end = count.max(run.cycle + 1);
    let word = Lasso { stem: letters(0..run.cycle), cycle: letters(run.cycle..end) };
    !word.satisfies(formula)
}

/// Shorter runs.
fn proposals(run: &Run) -> Vec<Run> {
    let count = run.transitions.len();
    let mut last: FxHashMap<u32, Vec<usize>> = FxHashMap::default();
    let mut found = Vec::new();
    for (j, state) in run.states.iter().enumerate() {
        let before = last.entry(*state).or_default();
        for &i in before.iter() {
            if found.len() >= MAX_PROPOSALS {
                return found;
            }
            // What lies between, for ever.
            if j < count {
                found.push(Run {
                    states: run.states[..=j].to_vec(),
                    transitions: run.transitions[..j].to_vec(),
                    cycle: i,
                });
            }
            // Without what lies between. Cutting across the beginning of the
            // cycle, or all of it, leaves no run.
            let whole = i == run.cycle && j == count;
            let cycle = if j <= run.cycle { run.cycle - (j - i) } else { run.cycle };
            if !whole && (j <= run.cycle || i >= run.cycle) {
                found.push(Run {
                    states: [&run.states[..i], &run.states[j..]].concat(),
                    transitions: [&run.transitions[..i], &run.transitions[j..]].concat(),
                    cycle,
                });
            }
        }
        before.push(j);
    }
    found
}
