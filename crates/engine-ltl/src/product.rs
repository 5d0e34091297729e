//! The product of known states and an automaton.
//!
//! A node is a state and a state of the automaton. The automaton reads the
//! letter of a state when the state is left.

use crate::space::Space;
use parallax_buchi::Automaton;
use rustc_hash::FxHashMap;

/// The product, as numbers.
pub(crate) struct Product<'a> {
    pub(crate) space: &'a Space,
    pub(crate) automaton: &'a Automaton,
    /// For each state, which of `moves` its letter stands for.
    letter: Vec<u32>,
    /// By letter, then by state of the automaton: where it may go.
    moves: Vec<Vec<Vec<u32>>>,
}

impl<'a> Product<'a> {
    /// Prepares the product with the states known so far.
    pub(crate) fn new(space: &'a Space, automaton: &'a Automaton) -> Product<'a> {
        let mut numbers: FxHashMap<u64, u32> = FxHashMap::default();
        let mut moves: Vec<Vec<Vec<u32>>> = Vec::new();
        let mut letter = Vec::with_capacity(space.letter.len());
        for &bits in &space.letter {
            let number = *numbers.entry(bits).or_insert_with(|| {
                let targets = |state: &parallax_buchi::State| {
                    let taken = state.edges.iter().filter(|e| e.label.holds(bits));
                    let mut targets: Vec<u32> = taken.map(|e| e.target as u32).collect();
                    targets.sort_unstable();
                    targets.dedup();
                    targets
                };
                moves.push(automaton.states.iter().map(targets).collect());
                moves.len() as u32 - 1
            });
            letter.push(number);
        }
        Product { space, automaton, letter, moves }
    }

    /// One more than the largest node.
    pub(crate) fn size(&self) -> usize {
        self.space.states.len() * self.automaton.states.len()
    }

    /// Where runs begin.
    pub(crate) fn initial(&self) -> impl Iterator<Item = usize> {
        (0..self.space.initial).map(|s| self.node(s, self.automaton.initial))
    }

    fn node(&self, state: usize, at: usize) -> usize {
        state * self.automaton.states.len() + at
    }

    /// The state of a node.
    pub(crate) fn state(&self, node: usize) -> usize {
        node / self.automaton.states.len()
    }

    /// Whether a node is accepting.
    pub(crate) fn is_accepting(&self, node: usize) -> bool {
        self.automaton.states[node % self.automaton.states.len()].accepting
    }

    /// The nth edge from a node: the step and the node it leads to.
    pub(crate) fn edge(&self, node: usize, nth: usize) -> Option<((u32, u32), usize)> {
        let (state, at) = (self.state(node), node % self.automaton.states.len());
        let steps = self.space.steps(state);
        if steps.is_empty() {
            return None;
        }
        let moves = &self.moves[self.letter[state] as usize][at];
        let step = steps[nth % steps.len()];
        let target = *moves.get(nth / steps.len())?;
        Some((step, self.node(step.1 as usize, target as usize)))
    }

    /// The nth successor of a node.
    pub(crate) fn successor(&self, node: usize, nth: usize) -> Option<usize> {
        self.edge(node, nth).map(|(_, target)| target)
    }
}
