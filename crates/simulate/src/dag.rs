//! Reads counterexamples off the reasons of a solver.
//!
//! The order in which pairs left the relation makes the graph acyclic: children
//! left earlier.

use crate::horn::{NHorn, Variable};
use parallax_lts::{Action, CeDag, CeNode, StateId};
use std::collections::BTreeMap;

/// The graph of why `start` is not in the relation.
pub(crate) fn extract(
    horn: &NHorn,
    pairs: &[(StateId, StateId)],
    about: &[(Action, StateId)],
    start: Variable,
) -> CeDag {
    // All pairs that matter, the latest to leave first: an order in which
    // parents come before children.
    let rank: BTreeMap<Variable, usize> =
        horn.order().enumerate().map(|(rank, variable)| (variable, rank)).collect();
    let mut open = BTreeMap::new();
    if let Some(&place) = rank.get(&start) {
        open.insert(std::cmp::Reverse(place), start);
    }
    let mut numbers: BTreeMap<Variable, usize> = BTreeMap::new();
    let mut chosen = Vec::new();
    while let Some((_, variable)) = open.pop_first() {
        let Some(clause) = horn.reason(variable) else { continue };
        numbers.insert(variable, chosen.len());
        chosen.push((variable, clause));
        for child in horn.literals(clause) {
            if let Some(&place) = rank.get(child) {
                open.insert(std::cmp::Reverse(place), *child);
            }
        }
    }
    let node = |&(variable, clause): &(Variable, u32)| {
        let (left, right) = pairs[variable as usize];
        let (action, target) = about[clause as usize];
        let literals = horn.literals(clause).iter();
        let mut children: Vec<usize> =
            literals.filter_map(|child| numbers.get(child).copied()).collect();
        children.sort_unstable();
        children.dedup();
        CeNode { left, right, action, target, children }
    };
    CeDag { nodes: chosen.iter().map(node).collect() }
}
