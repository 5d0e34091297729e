//! The abstract reachability graph.
//!
//! A tree of nodes (place, abstract state) with covering: a node whose states
//! all lie in those of another node at the same location is covered by it, and
//! nothing is explored below it (lecture 5, Algorithm 5.1, with nodes that have
//! an identity of their own: the printed maps on pairs overwrite each other
//! when a pair recurs).
//!
//! Invariants:
//! - a covered node has no children, and its cover is neither covered nor removed;
//! - the ancestors of a node that is not removed are not removed;
//! - when a node is removed or covered, the nodes it covered are open again.

use super::place::{Location, Place};
use parallax_base::{Id, IdVec};
use parallax_ir::Variable;
use parallax_term::Term;
use rustc_hash::FxHashMap;

/// A node of the graph.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    /// The node and the transition it was reached by; `None` for a root.
    pub(crate) parent: Option<(Id<Node>, usize)>,
    /// Control and tracked values.
    pub(crate) place: Place,
    /// What else is known, as a formula over the variables.
    pub(crate) state: Term,
    /// How much was tracked at the location when the state was computed.
    pub(crate) version: u64,
    /// Nodes reached from here.
    pub(crate) children: Vec<Id<Node>>,
    /// The node whose states include this one's.
    pub(crate) cover: Option<Id<Node>>,
    /// Nodes that this one covers.
    pub(crate) covers: Vec<Id<Node>>,
    /// Whether all transitions from here were tried.
    pub(crate) expanded: bool,
    /// Whether refinement has cut it off.
    pub(crate) removed: bool,
}

impl Node {
    /// Whether it stands for itself: neither covered nor removed.
    pub(crate) fn is_live(&self) -> bool {
        !self.removed && self.cover.is_none()
    }
}

/// The graph.
#[derive(Clone, Debug, Default)]
pub(crate) struct Graph {
    pub(crate) nodes: IdVec<Node>,
    by_place: FxHashMap<Place, Vec<Id<Node>>>,
    /// The sets of variables that nodes of a location track.
    tracked: FxHashMap<Location, Vec<Box<[Id<Variable>]>>>,
}

impl Graph {
    /// Adds a node.
    pub(crate) fn add(
        &mut self,
        parent: Option<(Id<Node>, usize)>,
        place: Place,
        state: Term,
        version: u64,
    ) -> Id<Node> {
        let node = Node {
            parent,
            place: place.clone(),
            state,
            version,
            children: Vec::new(),
            cover: None,
            covers: Vec::new(),
            expanded: false,
            removed: false,
        };
        let id = self.nodes.push(node);
        if let Some((parent, _)) = parent {
            self.nodes[parent].children.push(id);
        }
        let known: Box<[Id<Variable>]> = place.values.iter().map(|(v, _)| *v).collect();
        let tracked = self.tracked.entry(place.location.clone()).or_default();
        if !tracked.contains(&known) {
            tracked.push(known);
        }
        self.by_place.entry(place).or_default().push(id);
        id
    }

    /// Nodes that may cover one: live, expanded, at its location, and with no
    /// tracked value that contradicts or exceeds what the node knows.
    pub(crate) fn candidates(&mut self, id: Id<Node>) -> Vec<Id<Node>> {
        let place = self.nodes[id].place.clone();
        let mut found = Vec::new();
        for known in self.tracked.get(&place.location).into_iter().flatten() {
            let Some(key) = place.project(known) else { continue };
            let Some(here) = self.by_place.get_mut(&key) else { continue };
            here.retain(|&other| !self.nodes[other].removed);
            let usable = |&&other: &&Id<Node>| {
                let node = &self.nodes[other];
                other != id && node.is_live() && node.expanded
            };
            found.extend(here.iter().filter(usable));
        }
        found
    }

    /// Records that `node` is covered by `by`. What hung below `node` is cut
    /// off; returns the nodes that are open again because of that.
    pub(crate) fn cover(&mut self, node: Id<Node>, by: Id<Node>) -> Vec<Id<Node>> {
        let mut open = Vec::new();
        for child in std::mem::take(&mut self.nodes[node].children) {
            open.extend(self.remove(child));
        }
        open.extend(self.uncover(node));
        self.nodes[node].cover = Some(by);
        self.nodes[node].expanded = false;
        self.nodes[by].covers.push(node);
        open
    }

    /// Opens all nodes that `node` covered.
    pub(crate) fn uncover(&mut self, node: Id<Node>) -> Vec<Id<Node>> {
        let open = std::mem::take(&mut self.nodes[node].covers);
        for &covered in &open {
            self.nodes[covered].cover = None;
        }
        open.into_iter().filter(|&n| !self.nodes[n].removed).collect()
    }

    /// Cuts off a node with everything below it; returns the nodes outside that
    /// were covered from inside and are open again.
    pub(crate) fn remove(&mut self, node: Id<Node>) -> Vec<Id<Node>> {
        if let Some((parent, _)) = self.nodes[node].parent {
            self.nodes[parent].children.retain(|&c| c != node);
        }
        let mut below = vec![node];
        let mut freed = Vec::new();
        while let Some(id) = below.pop() {
            self.nodes[id].removed = true;
            if let Some(by) = self.nodes[id].cover.take() {
                self.nodes[by].covers.retain(|&c| c != id);
            }
            freed.extend(self.uncover(id));
            below.extend(std::mem::take(&mut self.nodes[id].children));
        }
        freed.retain(|&n| !self.nodes[n].removed);
        freed
    }

    /// Nodes from the root to `node`, both included.
    pub(crate) fn path(&self, node: Id<Node>) -> Vec<Id<Node>> {
        let mut path = vec![node];
        while let Some((parent, _)) = self.nodes[path[path.len() - 1]].parent {
            path.push(parent);
        }
        path.reverse();
        path
    }

    /// All nodes that refinement has not cut off.
    pub(crate) fn present(&self) -> impl Iterator<Item = (Id<Node>, &Node)> {
        self.nodes.iter_enumerated().filter(|(_, n)| !n.removed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use parallax_term::TermStore;

    fn at(location: i64) -> Place {
        Place { location: [location].into(), values: [].into() }
    }

    #[test]
    fn a_cover_that_goes_opens_what_it_covered() {
        let truth = TermStore::new().bool(true);
        let mut graph = Graph::default();
        let root = graph.add(None, at(0), truth, 0);
        let a = graph.add(Some((root, 0)), at(1), truth, 0);
        let b = graph.add(Some((a, 1)), at(2), truth, 0);
        let c = graph.add(Some((root, 2)), at(2), truth, 0);
        graph.cover(c, b);
        assert!(!graph.nodes[c].is_live());
        assert_eq!(graph.remove(a), [c]);
        assert!(graph.nodes[c].is_live());
        assert_eq!(graph.present().count(), 2);
        assert_eq!(graph.path(c), [root, c]);
    }

    #[test]
    fn covering_a_node_cuts_off_its_subtree() {
        let truth = TermStore::new().bool(true);
        let mut graph = Graph::default();
        let root = graph.add(None, at(0), truth, 0);
        let a = graph.add(Some((root, 0)), at(1), truth, 0);
        let b = graph.add(Some((a, 1)), at(2), truth, 0);
        let c = graph.add(Some((root, 2)), at(2), truth, 0);
        let d = graph.add(Some((root, 3)), at(1), truth, 0);
        graph.cover(c, b);
        // `a` is covered: `b` goes, so `c` is open again.
        assert_eq!(graph.cover(a, d), [c]);
        assert!(graph.nodes[b].removed);
        assert_eq!(graph.present().count(), 4);
    }
}
