//! Sets of tuples of states as decision diagrams.
//!
//! A diagram has a level for each component, in an order of its own. A node
//! says which states its component may be in, and for each with which node of
//! the next level it goes on; equal nodes are one. The size of a diagram is the
//! number of its nodes, however many tuples there are.
//!
//! Invariants: node 0 is the end of all tuples, and no other node is empty;
//! arcs are sorted by state, one for each; children have smaller numbers, and
//! lie on the level below. So every path from the root is a tuple of the set.

use crate::system::StateId;
use dashu_int::UBig;

/// A set of tuples.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TupleSet {
    order: Vec<usize>,
    nodes: Vec<Vec<(StateId, usize)>>,
}

impl TupleSet {
    /// The end of all tuples.
    pub const LEAF: usize = 0;

    /// A set from its nodes, the root last; [`TupleSet::LEAF`] is the first, and
    /// if it is the only one, the set is empty. `order` names the component of
    /// each level, the topmost first.
    ///
    /// # Errors
    /// Which invariant is broken.
    pub fn new(
        order: Vec<usize>,
        nodes: Vec<Vec<(StateId, usize)>>,
    ) -> Result<TupleSet, &'static str> {
        let mut seen = vec![false; order.len()];
        for &component in &order {
            match seen.get_mut(component) {
                Some(slot) if !*slot => *slot = true,
                _ => return Err("the levels are no order of the components"),
            }
        }
        if nodes.first().is_none_or(|leaf| !leaf.is_empty()) {
            return Err("the first node is not the end");
        }
        let mut heights = vec![0; nodes.len()];
        for (number, arcs) in nodes.iter().enumerate().skip(1) {
            let Some(&(_, first)) = arcs.first() else { return Err("a node without arcs") };
            if arcs.iter().any(|&(_, child)| child >= number || heights[child] != heights[first]) {
                return Err("an arc that does not lead to the next level");
            }
            if arcs.windows(2).any(|two| two[0].0 >= two[1].0) {
                return Err("arcs that are not in order");
            }
            heights[number] = heights[first] + 1;
        }
        match heights.last() {
            Some(&height) if height == order.len() || nodes.len() == 1 => {
                Ok(TupleSet { order, nodes })
            }
            _ => Err("the root is not on the first level"),
        }
    }

    /// The component of each level.
    pub fn order(&self) -> &[usize] {
        &self.order
    }

    /// All nodes, the root last.
    pub fn nodes(&self) -> &[Vec<(StateId, usize)>] {
        &self.nodes
    }

    /// The root; `None` if the set is empty.
    pub fn root(&self) -> Option<usize> {
        (self.nodes.len() > 1 || self.order.is_empty()).then(|| self.nodes.len() - 1)
    }

    /// The states that a node has, with the nodes that they lead to.
    pub fn arcs(&self, node: usize) -> &[(StateId, usize)] {
        &self.nodes[node]
    }

    /// Where a state leads to from a node.
    pub fn child(&self, node: usize, state: StateId) -> Option<usize> {
        let arcs = &self.nodes[node];
        let place = arcs.binary_search_by_key(&state, |&(state, _)| state).ok()?;
        Some(arcs[place].1)
    }

    /// Whether the set has a tuple.
    pub fn contains(&self, tuple: &[StateId]) -> bool {
        let step =
            |node: Option<usize>, &component: &usize| self.child(node?, *tuple.get(component)?);
        self.order.iter().fold(self.root(), step).is_some()
    }

    /// The number of tuples.
    pub fn count(&self) -> UBig {
        let Some(root) = self.root() else { return UBig::ZERO };
        let mut counts = vec![UBig::ONE; self.nodes.len()];
        for (number, arcs) in self.nodes.iter().enumerate().skip(1) {
            counts[number] = arcs.iter().map(|&(_, child)| &counts[child]).sum();
        }
        counts.swap_remove(root)
    }
}
