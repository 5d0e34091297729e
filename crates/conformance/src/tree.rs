//! Paths of a program that share their beginnings.

use std::collections::BTreeMap;

/// A step of a tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Step {
    /// The edge of the program.
    pub(crate) edge: usize,
    /// The step before it; none at the start.
    pub(crate) parent: Option<usize>,
}

/// Paths, as a tree of steps; parents come first.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Tree {
    pub(crate) steps: Vec<Step>,
    /// For each path its last step; none if it has no steps.
    pub(crate) ends: Vec<Option<usize>>,
}

impl Tree {
    /// A single path.
    pub(crate) fn chain(path: &[usize]) -> Tree {
        let step = |(number, &edge): (usize, &usize)| Step { edge, parent: number.checked_sub(1) };
        let steps: Vec<Step> = path.iter().enumerate().map(step).collect();
        Tree { ends: vec![steps.len().checked_sub(1)], steps }
    }

    /// Several paths, of edges with the node of the counterexample they belong
    /// to; the same edge for the same node is the same step.
    pub(crate) fn of(paths: &[Vec<(usize, usize)>]) -> Tree {
        let mut tree = Tree::default();
        let mut known: BTreeMap<(Option<usize>, usize, usize), usize> = BTreeMap::new();
        for path in paths {
            let mut at = None;
            for &(edge, node) in path {
                let next = *known.entry((at, edge, node)).or_insert_with(|| {
                    tree.steps.push(Step { edge, parent: at });
                    tree.steps.len() - 1
                });
                at = Some(next);
            }
            tree.ends.push(at);
        }
        tree
    }

    /// The number of the place behind a step; the start is place 0.
    pub(crate) fn place(step: Option<usize>) -> usize {
        step.map_or(0, |step| step + 1)
    }

    /// The steps of a path, from the start.
    pub(crate) fn path(&self, end: Option<usize>) -> Vec<usize> {
        let mut path: Vec<usize> =
            std::iter::successors(end, |&step| self.steps[step].parent).collect();
        path.reverse();
        path
    }

    /// The tree of some of the steps, in ascending order; what led to them is
    /// left out, so they all begin at one place.
    pub(crate) fn only(&self, kept: &[usize]) -> Tree {
        let number = |step: usize| kept.binary_search(&step).ok();
        let step = |&old: &usize| {
            let Step { edge, parent } = self.steps[old];
            Step { edge, parent: parent.and_then(number) }
        };
        let ends = self.ends.iter().filter_map(|end| end.and_then(number)).map(Some);
        Tree { steps: kept.iter().map(step).collect(), ends: ends.collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_share_their_beginnings() {
        let tree = Tree::of(&[vec![(7, 0), (8, 1), (9, 2)], vec![(7, 0), (8, 3)], vec![(7, 0)]]);
        let parents: Vec<Option<usize>> = tree.steps.iter().map(|step| step.parent).collect();
        assert_eq!(parents, [None, Some(0), Some(1), Some(0)]);
        assert_eq!(tree.ends, [Some(2), Some(3), Some(0)]);
        assert_eq!(tree.path(Some(2)), [0, 1, 2]);
        let part = tree.only(&[1, 2, 3]);
        let parents: Vec<Option<usize>> = part.steps.iter().map(|step| step.parent).collect();
        assert_eq!(parents, [None, Some(0), None]);
        assert_eq!(Tree::of(&[vec![(4, 0), (5, 1)]]), Tree::chain(&[4, 5]));
    }
}
