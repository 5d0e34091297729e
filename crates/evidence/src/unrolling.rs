//! Unrollings: all runs of a program whose runs all end, as a tree.
//!
//! A node stands for the runs that take the transitions on the way from the
//! root to it, whatever initial state and inputs they choose. The claim is
//! that every run takes the transitions of some node, and that no node holds a
//! target. No formula is needed: what a checker must refute is determined by
//! the tree and the program.
//!
//! Where several processes move, a node may name those of which the tree has the
//! steps; the claim is then that every target a run reaches is reached by a run of the
//! tree.

/// One node of the tree, except the root.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct UnrollingStep {
    /// The node before the step: the root is 0, the step at position `i` of
    /// the list leads to node `i + 1`. Parents come before their children.
    pub parent: u32,
    /// Index of the transition.
    pub transition: u32,
}

/// A finite tree of transition sequences.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Unrolling {
    /// The nodes but the root.
    pub steps: Vec<UnrollingStep>,
    /// Nodes at which only some processes move, by number; nodes and processes in
    /// increasing order.
    pub movers: Vec<(u32, Box<[u32]>)>,
}

impl Unrolling {
    /// The distance of each node from the root, the root first. A parent that
    /// does not come before its child counts as the root.
    pub fn depths(&self) -> Vec<usize> {
        let mut depths = vec![0];
        for step in &self.steps {
            let above = depths.get(step.parent as usize).copied().unwrap_or(0);
            depths.push(above + 1);
        }
        depths
    }

    /// The length of the longest run.
    pub fn depth(&self) -> usize {
        self.depths().into_iter().max().unwrap_or(0)
    }

    /// The transitions on the way to a node.
    pub fn path(&self, node: usize) -> Vec<usize> {
        let (mut at, mut path) = (node, Vec::new());
        while let Some(step) = at.checked_sub(1).and_then(|i| self.steps.get(i)) {
            path.push(step.transition as usize);
            // Whatever the parent says, the walk goes up and ends.
            at = (step.parent as usize).min(at - 1);
        }
        path.reverse();
        path
    }

    /// The nodes where runs end: those without a child, in order.
    pub fn leaves(&self) -> Vec<usize> {
        let mut is_leaf = vec![true; self.steps.len() + 1];
        for step in &self.steps {
            if let Some(parent) = is_leaf.get_mut(step.parent as usize) {
                *parent = false;
            }
        }
        (0..is_leaf.len()).filter(|&node| is_leaf[node]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_leaves_and_depths() {
        let tree = |pairs: &[(u32, u32)]| {
            let step = |&(parent, transition): &(u32, u32)| UnrollingStep { parent, transition };
            Unrolling { steps: pairs.iter().map(step).collect(), ..Unrolling::default() }
        };
        let empty = tree(&[]);
        assert_eq!((empty.depth(), empty.leaves()), (0, vec![0]));
        let forked = tree(&[(0, 7), (1, 8), (1, 9), (3, 7)]);
        assert_eq!(forked.depths(), [0, 1, 2, 2, 3]);
        assert_eq!(forked.leaves(), [2, 4]);
        assert_eq!(forked.path(4), [7, 9, 7]);
        // Nonsense is no panic and no endless walk.
        let wild = tree(&[(1, 0), (9, 0)]);
        assert_eq!((wild.depth(), wild.path(1), wild.path(2)), (1, vec![0], vec![0, 0]));
    }
}
