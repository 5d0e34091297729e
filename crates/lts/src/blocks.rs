//! Large relations between states, and what tells states apart.

use crate::system::{Action, StateId};

/// A relation of states of two systems, kept by blocks: two states are related
/// if their blocks are.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BlockRelation {
    /// The block of every state on the left.
    pub left: Vec<u32>,
    /// The block of every state on the right.
    pub right: Vec<u32>,
    /// For every block on the left the blocks on the right, ascending.
    pub related: Vec<Vec<u32>>,
}

/// A formula that one system satisfies and another does not: a list of
/// conjunctions, the first of which is the formula. A conjunct `(a, n)` says
/// that, silent steps aside, `a` can be done so that conjunction `n` holds
/// afterwards; `n` is larger than the number of the conjunction it is in. An
/// empty conjunction is true.
///
/// What can be said without negation is kept by weak simulation (M. Hennessy
/// and R. Milner, 1985).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Distinction {
    /// The conjunctions; actions are numbered as in the left system.
    pub nodes: Vec<Vec<(Action, usize)>>,
}

impl Distinction {
    /// What the left does along the first conjuncts.
    pub fn first_path(&self) -> Vec<Action> {
        let mut path = Vec::new();
        let mut at = 0;
        while let Some(&(action, next)) = self.nodes.get(at).and_then(|node| node.first()) {
            path.push(action);
            // Conjunctions are numbered downwards, so this ends.
            if next <= at {
                break;
            }
            at = next;
        }
        path
    }
}

impl BlockRelation {
    /// How many pairs of states are related.
    pub fn pairs(&self) -> u64 {
        let count = |classes: &[u32]| {
            let blocks = classes.iter().max().map_or(0, |&most| most as usize + 1);
            let mut sizes = vec![0u64; blocks];
            for &class in classes {
                sizes[class as usize] += 1;
            }
            sizes
        };
        let (left, right) = (count(&self.left), count(&self.right));
        let of = |blocks: &[u32]| -> u64 {
            blocks.iter().filter_map(|&block| right.get(block as usize)).sum()
        };
        left.iter().zip(&self.related).map(|(size, blocks)| size * of(blocks)).sum()
    }

    /// Blocks on the left and on the right.
    pub fn blocks(&self) -> (usize, usize) {
        let most = |classes: &[StateId]| classes.iter().max().map_or(0, |&most| most as usize + 1);
        (self.related.len(), most(&self.right))
    }
}
