//! The tree of transition sequences, and a concrete run to each node.

use parallax_engine::follow;
use parallax_evidence::{Trace, Unrolling, UnrollingStep};
use parallax_ir::{Interpreter, State};
use parallax_term::{Term, Value};

/// The number of a node; the root is 0.
pub(super) type NodeId = u32;

/// How a concrete run to a node is known.
#[derive(Clone, Debug)]
pub(super) enum Choice {
    /// It is not: the solver could not decide whether there is one.
    Missing,
    /// The run to the parent goes on with these inputs.
    Longer(Vec<Value>),
    /// A run of its own: initial state, and the inputs of every step.
    Whole(State, Vec<Vec<Value>>),
}

/// A sequence of transitions.
struct Node {
    parent: NodeId,
    transition: u32,
    depth: u32,
    /// What must hold to take the last step; at the root: initially.
    condition: Term,
    choice: Choice,
    /// The processes that move from here; `None` for all.
    movers: Option<Box<[u32]>>,
}

/// All sequences that were found to be possible.
pub(super) struct Tree {
    nodes: Vec<Node>,
}

impl Tree {
    pub(super) const ROOT: NodeId = 0;

    pub(super) fn new(condition: Term, choice: Choice) -> Tree {
        let (parent, transition, depth) = (0, 0, 0);
        let root = Node { parent, transition, depth, condition, choice, movers: None };
        Tree { nodes: vec![root] }
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id as usize]
    }

    pub(super) fn add(
        &mut self,
        parent: NodeId,
        transition: usize,
        condition: Term,
        choice: Choice,
    ) -> NodeId {
        let depth = self.depth(parent) + 1;
        let transition = transition as u32;
        let movers = None;
        self.nodes.push(Node { parent, transition, depth, condition, choice, movers });
        (self.nodes.len() - 1) as NodeId
    }

    pub(super) fn depth(&self, id: NodeId) -> u32 {
        self.node(id).depth
    }

    pub(super) fn condition(&self, id: NodeId) -> Term {
        self.node(id).condition
    }

    /// The nodes from `id` up to the root, both included.
    pub(super) fn upward(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        let above = |&id: &NodeId| (id != Tree::ROOT).then(|| self.node(id).parent);
        std::iter::successors(Some(id), above)
    }

    /// Only these processes move from a node.
    pub(super) fn reduce(&mut self, id: NodeId, movers: Box<[u32]>) {
        self.nodes[id as usize].movers = Some(movers);
    }

    /// The transitions on the way to a node.
    pub(super) fn path(&self, id: NodeId) -> Vec<usize> {
        let steps = self.upward(id).filter(|&id| id != Tree::ROOT);
        let mut path: Vec<usize> = steps.map(|id| self.node(id).transition as usize).collect();
        path.reverse();
        path
    }

    /// The concrete run to a node, if one is known.
    pub(super) fn trace(&self, id: NodeId, interpreter: &mut Interpreter) -> Option<Trace> {
        let mut last: Vec<Vec<Value>> = Vec::new();
        for node in self.upward(id) {
            match &self.node(node).choice {
                Choice::Missing => return None,
                Choice::Longer(inputs) => last.push(inputs.clone()),
                Choice::Whole(initial, inputs) => {
                    let inputs = inputs.iter().cloned().chain(last.into_iter().rev());
                    return follow(interpreter, initial.clone(), &self.path(id), inputs);
                }
            }
        }
        None
    }

    /// The tree as evidence.
    pub(super) fn unrolling(&self) -> Unrolling {
        let step = |n: &Node| UnrollingStep { parent: n.parent, transition: n.transition };
        let movers = self.nodes.iter().zip(0..);
        let movers = movers.filter_map(|(node, id)| Some((id, node.movers.clone()?)));
        Unrolling { steps: self.nodes[1..].iter().map(step).collect(), movers: movers.collect() }
    }
}
