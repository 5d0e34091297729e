//! Ranks of states whose steps put off those of others.
//!
//! A state that lets others wait needs a successor with a smaller rank, so that
//! nobody waits for ever (the ignoring problem: Valmari, 1989). States from which
//! all move, or from which nobody who waits could do harm, have rank 0. A state that
//! waits gets a rank as soon as one of its successors has one. What is left when
//! nothing is to be explored any more goes in circles: one such state has to let all
//! move, and those that lead to it have ranks again.

use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Who has a rank, and who waits for one.
#[derive(Default)]
pub(crate) struct Starving {
    ranks: FxHashMap<u32, u32>,
    /// For each state without a rank: those that wait for it.
    behind: FxHashMap<u32, Vec<u32>>,
    waiting: BTreeSet<u32>,
}

impl Starving {
    /// The rank of a state; 0 if it has none yet.
    pub(crate) fn rank(&self, state: u32) -> u32 {
        self.ranks.get(&state).copied().unwrap_or(0)
    }

    /// A state with these successors lets others wait.
    pub(crate) fn wait(&mut self, state: u32, successors: &[u32]) {
        if let Some(least) = successors.iter().filter_map(|s| self.ranks.get(s)).min() {
            self.settle(state, least + 1);
            return;
        }
        self.waiting.insert(state);
        for &next in successors {
            self.behind.entry(next).or_default().push(state);
        }
    }

    /// Nobody waits at a state.
    pub(crate) fn feed(&mut self, state: u32) {
        self.settle(state, 0);
    }

    /// A state that waits in vain, if there is one.
    pub(crate) fn next(&self) -> Option<u32> {
        self.waiting.first().copied()
    }

    fn settle(&mut self, state: u32, rank: u32) {
        let mut open = vec![(state, rank)];
        while let Some((state, rank)) = open.pop() {
            if self.ranks.contains_key(&state) {
                continue;
            }
            self.ranks.insert(state, rank);
            self.waiting.remove(&state);
            open.extend(self.behind.remove(&state).into_iter().flatten().map(|s| (s, rank + 1)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn circles_are_broken_and_ranks_fall() {
        let mut starving = Starving::default();
        let edges = [(0, vec![1]), (1, vec![2]), (2, vec![0]), (3, vec![0, 4]), (4, vec![4])];
        for (state, next) in &edges {
            starving.wait(*state, next);
        }
        assert_eq!(starving.next(), Some(0));
        starving.feed(0);
        assert_eq!(starving.next(), Some(4));
        starving.feed(4);
        assert_eq!(starving.next(), None);
        for (state, next) in &edges[1..4] {
            assert!(next.iter().any(|n| starving.rank(*n) < starving.rank(*state)), "{state}");
        }
        // One that leads to a state with a rank does not wait.
        starving.wait(5, &[3]);
        assert_eq!((starving.next(), starving.rank(5)), (None, starving.rank(3) + 1));
    }
}
