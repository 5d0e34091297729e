//! Formulas about fluents, under fair choice: rankings and runs.
//!
//! A run is fair if every step that is possible in a state that is visited
//! again and again is taken again and again. A run that has ended goes on
//! silently, which is fair.
//!
//! **Rankings.** Let a fair run break the formula, so that its word satisfies
//! the negation. By the statement proved in `parallax_ltl`'s `progress.rs`
//! there is a sequence of obligations along the word, each a successor of the
//! one before, such that no until is postponed at every position from some
//! position on. Every pair of a state of the run and its obligations is listed,
//! and has a class. Among classes without a parent the order never grows, so
//! from some position on the class is the same. Its reason is not `Passed`,
//! because no step stays in such a class. It is not `PutsOff`, because then one
//! until were postponed from there on. So it is `Avoids(s, e)`. If `s` were
//! visited again and again, `e` would be taken again and again, but `e` leads
//! out of the class. So from some position on `s` is not visited, and all pairs
//! have a class below this one, whose order does not grow either: the same
//! argument applies one level deeper. Levels are finitely many, so there is no
//! such run.
//!
//! **Runs.** A path and a cycle that leads back to where it begins. Each state
//! of the cycle has all its steps on the cycle, so the run is fair. After one
//! round of the cycle, fluents repeat: what the cycle does not touch stays, the
//! rest is decided by the last step that touches it. The word, a lasso, is
//! evaluated on the formula as it was written.

use crate::Rejected;
use crate::systems::walk;
use parallax_base::{Budget, Id};
use parallax_evidence::{FairClass, FairNode, FairRanking, FairReason};
use parallax_ltl::{Assertion, Lasso, MAX_ATOMS, Progression, Sub};
use parallax_lts::{Edge, Lts, StateId, TAU};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

fn label(lts: &Lts, edge: Edge) -> Option<&str> {
    (edge.action != TAU).then(|| lts.label(edge.action))
}

fn fits(assertion: &Assertion) -> Result<(), Rejected> {
    let atoms = assertion.formula.atoms.len();
    if atoms != assertion.fluents.len() || atoms > MAX_ATOMS {
        return Err(Rejected::Malformed("a fluent for each atom is needed".into()));
    }
    Ok(())
}

/// Accepts a fair run that breaks the formula.
pub(crate) fn violates(
    lts: &Lts,
    assertion: &Assertion,
    path: &[Edge],
    cycle: &[Edge],
) -> Result<usize, Rejected> {
    fits(assertion)?;
    let start = walk(lts, path)?;
    let mut visited: BTreeSet<StateId> = BTreeSet::new();
    let mut taken: BTreeSet<(StateId, Edge)> = BTreeSet::new();
    let mut at = start;
    for edge in cycle {
        if lts.edges(at).binary_search(edge).is_err() {
            return Err(Rejected::Step("a step of the cycle is not possible".into()));
        }
        visited.insert(at);
        taken.insert((at, *edge));
        at = edge.target;
    }
    if at != start {
        return Err(Rejected::Step("the cycle does not lead back".into()));
    }
    visited.insert(start);
    let all = visited.iter().flat_map(|&state| lts.edges(state).iter().map(move |e| (state, *e)));
    for (state, edge) in all {
        if !taken.contains(&(state, edge)) {
            let label = lts.label(edge.action);
            return Err(Rejected::Step(format!("`{label}` in state {state} is never chosen")));
        }
    }
    let mut letter = assertion.initially();
    let mut letters = |steps: &[Edge]| -> Vec<u64> {
        let step = |edge: &Edge| {
            letter = assertion.after(letter, label(lts, *edge));
            letter
        };
        steps.iter().map(step).collect()
    };
    let mut stem = letters(path);
    stem.extend(letters(cycle));
    let mut round = letters(cycle);
    if cycle.is_empty() {
        // The run has ended: the fluents stay, and nothing is done.
        round = vec![assertion.after(letter, None)];
    }
    let lasso = Lasso { stem, cycle: round };
    if lasso.satisfies(&assertion.formula) {
        return Err(Rejected::Target("the run satisfies the formula".into()));
    }
    Ok(path.len() + cycle.len())
}

/// Accepts the ranking if it shows that every fair run satisfies the formula.
pub(crate) fn check(
    lts: &Lts,
    assertion: &Assertion,
    proof: &FairRanking,
    budget: &Budget,
) -> Result<usize, Rejected> {
    fits(assertion)?;
    let malformed = |what: &str| Rejected::Malformed(what.into());
    let mut progression = Progression::new(&assertion.formula, true);
    for (number, class) in proof.classes.iter().enumerate() {
        if class.parent.is_some_and(|parent| parent as usize >= number) {
            return Err(malformed("a class comes before its parent"));
        }
        // Only a step that is possible has to be taken in the end.
        if let FairReason::Avoids(state, edge) = class.reason
            && ((state as usize) >= lts.state_count()
                || lts.edges(state).binary_search(&edge).is_err())
        {
            return Err(malformed("a step that a class avoids is not possible"));
        }
    }
    let mut sets: FxHashMap<Vec<Sub>, u32> = FxHashMap::default();
    for (number, set) in proof.obligations.iter().enumerate() {
        if !set.iter().all(|part| progression.has_part(*part as usize)) {
            return Err(malformed("an obligation is no part of the formula"));
        }
        sets.insert(set.iter().map(|part| Id::new(*part as usize)).collect(), number as u32);
    }
    let mut nodes: FxHashMap<(StateId, u64, u32), &FairNode> = FxHashMap::default();
    for node in &proof.nodes {
        let exists = (node.state as usize) < lts.state_count()
            && (node.obligations as usize) < proof.obligations.len()
            && (node.class as usize) < proof.classes.len();
        let key = (node.state, node.letter, node.obligations);
        if !exists || nodes.insert(key, node).is_some() {
            return Err(malformed("a pair is out of range, or listed twice"));
        }
    }
    let begin = sets.get(&progression.initial()).copied();
    let begin = begin.map(|set| (lts.initial(), assertion.initially(), set));
    if !begin.is_some_and(|key| nodes.contains_key(&key)) {
        return Err(Rejected::Initial("the start is not listed".into()));
    }
    for node in &proof.nodes {
        budget.check()?;
        let obligations: Vec<Sub> = proof.obligations[node.obligations as usize]
            .iter()
            .map(|part| Id::new(*part as usize))
            .collect();
        let stays = lts.edges(node.state).is_empty().then_some(None);
        let steps = lts.edges(node.state).iter().copied().map(Some).chain(stays);
        for step in steps {
            let target = step.map_or(node.state, |edge| edge.target);
            let letter = assertion.after(node.letter, step.and_then(|edge| label(lts, edge)));
            for way in progression.successors(&obligations, letter, budget)? {
                let set = sets.get(&way.obligations).copied();
                let next = set.and_then(|set| nodes.get(&(target, letter, set)).copied());
                let Some(next) = next else {
                    return Err(Rejected::Step("a run leaves the ranking".into()));
                };
                if !descends(&proof.classes, node, next, step, &way.postponed) {
                    return Err(Rejected::Step(format!("a step from state {} stays", node.state)));
                }
            }
        }
    }
    Ok(proof.nodes.len())
}

/// The classes of a pair, the outermost first.
fn chain<'a>(classes: &'a [FairClass], node: &FairNode) -> Vec<(u32, &'a FairClass)> {
    let class = |number: u32| (number, &classes[number as usize]);
    let parent = |&(_, own): &(u32, &'a FairClass)| own.parent.map(class);
    let mut chain: Vec<_> = std::iter::successors(Some(class(node.class)), parent).collect();
    chain.reverse();
    chain
}

/// Whether a step is as the classes say.
fn descends(
    classes: &[FairClass],
    from: &FairNode,
    to: &FairNode,
    step: Option<Edge>,
    postponed: &[Sub],
) -> bool {
    let (before, after) = (chain(classes, from), chain(classes, to));
    for ((own, class), (other, next)) in before.iter().zip(&after) {
        if own != other {
            return next.order < class.order;
        }
        match class.reason {
            FairReason::Passed => return false,
            FairReason::PutsOff(until) => return postponed.contains(&Id::new(until as usize)),
            FairReason::Avoids(state, edge) => {
                if from.state == state {
                    return step != Some(edge);
                }
                if to.state == state {
                    return true;
                }
            }
        }
    }
    // One of the two has no class where it should have one.
    false
}
