//! Counterexamples: directed acyclic graphs of pairs.
//!
//! A node says: in this pair the implementation does an action, and every state
//! that the specification can reach by it is already known not to match. The
//! nodes of the latter are the children; without any, the specification cannot
//! do the action at all. The order in which pairs left the relation makes the
//! graph acyclic: children left earlier.

use crate::horn::{NHorn, Variable};
use parallax_lts::{Action, StateId};
use std::collections::BTreeMap;

/// One node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CeNode {
    /// Where the implementation is.
    pub left: StateId,
    /// Where the specification is.
    pub right: StateId,
    /// What the implementation does, in its numbering.
    pub action: Action,
    /// Where that leads it.
    pub target: StateId,
    /// The nodes of all answers of the specification.
    pub children: Vec<usize>,
}

/// A counterexample; the first node is its source. Children have larger
/// numbers than their parents.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CeDag {
    /// The nodes, in an order in which parents come first.
    pub nodes: Vec<CeNode>,
}

impl CeDag {
    /// Reads the graph off the reasons of a solver.
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

    /// All paths from the source to a leaf, as lists of nodes; at most `limit`.
    pub fn paths(&self, limit: usize) -> Vec<Vec<usize>> {
        let mut done = Vec::new();
        let mut open = vec![vec![0]];
        while let Some(path) = open.pop() {
            if done.len() >= limit {
                break;
            }
            let children = path.last().map_or(&[][..], |&last| &self.nodes[last].children);
            if children.is_empty() {
                done.push(path);
                continue;
            }
            for &child in children.iter().rev() {
                let mut longer = path.clone();
                longer.push(child);
                open.push(longer);
            }
        }
        done
    }
}
