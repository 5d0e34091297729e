//! A formula that tells two states apart, from the rounds in which pairs left.
//!
//! A pair that left in round `k` is told apart by a formula of depth `k`: there
//! is a step on the left whose answers, on the right, all left before. The
//! formula of a state is built for a whole set of states on the right that it
//! must exclude, step by step: each step takes care of those that it excludes,
//! until none is left.

use crate::dense::{Before, Rounds};
use parallax_base::{Budget, Stop};
use parallax_lts::{Action, Distinction, Lts, StateId, TAU};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// What must be excluded: for depth and state on the left, states on the right.
type Wanted = BTreeMap<(Reverse<u32>, StateId), BTreeSet<StateId>>;

/// A step, and the depth and the state of what comes after it, if anything.
type Conjunct = (Action, Option<(u32, StateId)>);

/// A formula for the initial states, which do not match.
pub(crate) fn distinguish(
    left: &Lts,
    right: &Lts,
    rounds: &Rounds,
    budget: &Budget,
) -> Result<Distinction, Stop> {
    let silent = Before::new(right, TAU);
    let mut wanted = Wanted::new();
    let depth = rounds.of(left.initial())[right.initial() as usize];
    wanted.insert((Reverse(depth), left.initial()), BTreeSet::from([right.initial()]));
    let mut numbers: BTreeMap<(u32, StateId), usize> = BTreeMap::new();
    let mut found: Vec<Vec<Conjunct>> = Vec::new();
    while let Some(((Reverse(depth), state), mut open)) = wanted.pop_first() {
        budget.check()?;
        numbers.insert((depth, state), found.len());
        let mut conjuncts = Vec::new();
        for edge in left.edges(state) {
            let below = |other: StateId| rounds.of(edge.target)[other as usize] < depth;
            let action = right.find_action(left.label(edge.action));
            let able = match action {
                None => BTreeSet::new(),
                Some(action) => {
                    let kept = right.states().filter(|&other| !below(other)).collect();
                    before(right, &silent, kept, action)
                }
            };
            let excluded: BTreeSet<StateId> = open.difference(&able).copied().collect();
            if excluded.is_empty() {
                continue;
            }
            open.retain(|other| able.contains(other));
            let answers = match action {
                None => BTreeSet::new(),
                Some(action) => after(right, excluded, action),
            };
            let deepest =
                answers.iter().map(|&answer| rounds.of(edge.target)[answer as usize]).max();
            let next = deepest.map(|deepest| (deepest, edge.target));
            if let Some((deepest, target)) = next {
                wanted.entry((Reverse(deepest), target)).or_default().extend(answers);
            }
            conjuncts.push((edge.action, next));
            if open.is_empty() {
                break;
            }
        }
        found.push(conjuncts);
    }
    // What needs no more is the last conjunction, which is empty.
    let last = found.len();
    let node = |conjuncts: &Vec<Conjunct>| {
        let number = |next: &(u32, StateId)| numbers.get(next).copied();
        let conjunct =
            |(action, next): &Conjunct| (*action, next.as_ref().and_then(number).unwrap_or(last));
        conjuncts.iter().map(conjunct).collect()
    };
    let mut nodes: Vec<Vec<(Action, usize)>> = found.iter().map(node).collect();
    nodes.push(Vec::new());
    Ok(Distinction { nodes })
}

/// Who comes into a set by silent steps and an action, or by silent steps alone.
fn before(
    lts: &Lts,
    silent: &Before,
    into: BTreeSet<StateId>,
    action: Action,
) -> BTreeSet<StateId> {
    // The set is closed under silent predecessors.
    if action == TAU {
        return into;
    }
    let does =
        |&state: &StateId| lts.edges_with(state, action).iter().any(|e| into.contains(&e.target));
    let mut open: Vec<StateId> = lts.states().filter(does).collect();
    let mut found: BTreeSet<StateId> = open.iter().copied().collect();
    while let Some(state) = open.pop() {
        open.extend(silent.of(state).iter().copied().filter(|&source| found.insert(source)));
    }
    found
}

fn silently(lts: &Lts, from: BTreeSet<StateId>) -> BTreeSet<StateId> {
    let mut open: Vec<StateId> = from.iter().copied().collect();
    let mut found = from;
    while let Some(state) = open.pop() {
        let targets = lts.edges_with(state, TAU).iter().map(|edge| edge.target);
        open.extend(targets.filter(|&target| found.insert(target)));
    }
    found
}

/// All weak answers of a set.
fn after(lts: &Lts, from: BTreeSet<StateId>, action: Action) -> BTreeSet<StateId> {
    let own = silently(lts, from);
    if action == TAU {
        return own;
    }
    let targets = own.iter().flat_map(|&state| lts.edges_with(state, action));
    silently(lts, targets.map(|edge| edge.target).collect())
}
