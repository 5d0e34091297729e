//! Counterexamples to simulation: directed acyclic graphs of pairs.
//!
//! A node says: in this pair the implementation does an action, and every state
//! that the specification can reach by it is already known not to match. The
//! nodes of the latter are the children; without any, the specification cannot
//! do the action at all.

use crate::system::{Action, StateId};

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
    /// All paths from the source to a leaf, as lists of nodes; at most `limit`.
    /// Without nodes the one path is empty.
    pub fn paths(&self, limit: usize) -> Vec<Vec<usize>> {
        let mut done = Vec::new();
        if self.nodes.is_empty() {
            return vec![Vec::new()];
        }
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
