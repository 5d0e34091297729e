//! An abstract reachability graph, for people to look at.
//!
//! This is a picture, not evidence: no verdict depends on it.

use parallax_base::Id;
use parallax_ir::Variable;
use parallax_term::{Term, TermStore, Value};

/// What became of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    /// Its successors are in the graph.
    Expanded,
    /// The states of this node include its own.
    Covered(u32),
    /// It meets the target.
    Target,
    /// Its turn did not come.
    Open,
}

/// A node: where control is, and what is known there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ArgNode {
    /// The node before and the transition taken; `None` for the root.
    pub parent: Option<(u32, u32)>,
    /// Control and the variables tracked by value.
    pub fixed: Vec<(Id<Variable>, Value)>,
    /// The abstract state.
    pub state: Term,
    /// The truth of the predicates in it. Each text has one sign per predicate
    /// of the graph: `1` true, `0` false, `*` open, `-` not tracked here. A
    /// state that is a disjunction has several texts, one that is too large has
    /// none.
    pub bits: Vec<String>,
    /// What became of it.
    pub standing: Standing,
}

/// A graph at the end of a search. Nodes that refinement has cut off are left
/// out.
#[derive(Clone, Debug)]
pub struct ReachabilityGraph {
    /// The store that formulas belong to.
    pub store: TermStore,
    /// All predicates, in the order of the signs in [`ArgNode::bits`].
    pub predicates: Vec<Term>,
    /// Whether `0` says only that a predicate is not known to be true.
    pub only_implied: bool,
    /// The nodes, a parent before its children.
    pub nodes: Vec<ArgNode>,
    /// The nodes of the path to the target that ended the search, from the
    /// root; none if no path did.
    pub path: Vec<u32>,
    /// Whether that path is known not to be a run.
    pub is_spurious: bool,
    /// How many nodes refinement has cut off.
    pub removed: u64,
}

impl ReachabilityGraph {
    /// How many different states there are, and how many different steps
    /// between them: nodes with equal values and formulas are one state.
    pub fn size(&self) -> (usize, usize) {
        let mut numbers = std::collections::BTreeMap::new();
        let mut number_of = Vec::new();
        for node in &self.nodes {
            let next = numbers.len();
            number_of.push(*numbers.entry((&node.fixed, node.state)).or_insert(next));
        }
        let mut edges = std::collections::BTreeSet::new();
        for (node, &to) in self.nodes.iter().zip(&number_of) {
            let Some((parent, transition)) = node.parent else { continue };
            let from = number_of.get(parent as usize);
            edges.insert((from, transition, to));
        }
        (numbers.len(), edges.len())
    }
}
