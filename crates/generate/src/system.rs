//! Random labelled transition systems, and the truth about them by definition:
//! weak simulation as a greatest fixpoint, traces by sets of states, deadlocks
//! by listing the product. Systems are small, so nothing here is clever.

use crate::Random;
use std::collections::{BTreeMap, BTreeSet};

/// A silent step.
pub const SILENT: &str = "tau";

/// A system; state 0 is the first.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct System {
    /// How many states there are.
    pub states: usize,
    /// Source, label, target.
    pub edges: Vec<(usize, String, usize)>,
}

impl System {
    /// A random system with this many states and edges.
    pub fn random(random: &mut Random, states: usize, edges: usize, labels: &[&str]) -> System {
        let edge = |_| {
            let (from, to) = (random.index(states), random.index(states));
            (from, random.pick(labels).to_owned(), to)
        };
        System { states, edges: (0..edges).map(edge).collect() }
    }

    /// One more state.
    pub fn add_state(&mut self) -> usize {
        self.states += 1;
        self.states - 1
    }

    /// States reached by silent steps.
    fn silent(&self, from: usize) -> BTreeSet<usize> {
        let mut seen = BTreeSet::from([from]);
        let mut open = vec![from];
        while let Some(state) = open.pop() {
            for (source, label, target) in &self.edges {
                if *source == state && label == SILENT && seen.insert(*target) {
                    open.push(*target);
                }
            }
        }
        seen
    }

    /// States reached by a label with silent steps around it; by none if the
    /// label is silent.
    fn weak(&self, from: usize, label: &str) -> BTreeSet<usize> {
        let before = self.silent(from);
        if label == SILENT {
            return before;
        }
        let step = |(source, l, target): &(usize, String, usize)| {
            (before.contains(source) && l == label).then_some(*target)
        };
        self.edges.iter().filter_map(step).flat_map(|target| self.silent(target)).collect()
    }

    /// Whether every step can be answered by the other, for ever.
    pub fn is_simulated_by(&self, other: &System) -> bool {
        let mut related: BTreeSet<(usize, usize)> =
            (0..self.states).flat_map(|l| (0..other.states).map(move |r| (l, r))).collect();
        let mut weak: BTreeMap<(usize, &str), BTreeSet<usize>> = BTreeMap::new();
        for (_, label, _) in &self.edges {
            for state in 0..other.states {
                weak.entry((state, label)).or_insert_with(|| other.weak(state, label));
            }
        }
        loop {
            let answered = |&(left, right): &(usize, usize)| {
                self.edges.iter().filter(|e| e.0 == left).all(|(_, label, target)| {
                    weak[&(right, label.as_str())].iter().any(|r| related.contains(&(*target, *r)))
                })
            };
            let kept: BTreeSet<(usize, usize)> = related.iter().copied().filter(answered).collect();
            if kept.len() == related.len() {
                return related.contains(&(0, 0));
            }
            related = kept;
        }
    }

    /// Whether the other has all traces.
    pub fn has_traces_in(&self, other: &System) -> bool {
        let first = (0, other.silent(0));
        let mut seen = BTreeSet::from([first.clone()]);
        let mut open = vec![first];
        while let Some((state, set)) = open.pop() {
            for (_, label, target) in self.edges.iter().filter(|e| e.0 == state) {
                let next: BTreeSet<usize> = if label == SILENT {
                    set.clone()
                } else {
                    set.iter().flat_map(|s| other.weak(*s, label)).collect()
                };
                if next.is_empty() {
                    return false;
                }
                let pair = (*target, next);
                if seen.insert(pair.clone()) {
                    open.push(pair);
                }
            }
        }
        true
    }

    /// Whether the two together, with common steps on these labels, come to a
    /// state without steps.
    pub fn can_be_stuck_with(&self, other: &System, common: &[&str]) -> bool {
        let mut seen = BTreeSet::from([(0, 0)]);
        let mut open = vec![(0, 0)];
        while let Some((left, right)) = open.pop() {
            let mut next = Vec::new();
            for (_, label, target) in self.edges.iter().filter(|e| e.0 == left) {
                if !common.contains(&label.as_str()) {
                    next.push((*target, right));
                    continue;
                }
                let answers = other.edges.iter().filter(|e| e.0 == right && e.1 == *label);
                next.extend(answers.map(|answer| (*target, answer.2)));
            }
            for (_, label, target) in other.edges.iter().filter(|e| e.0 == right) {
                if !common.contains(&label.as_str()) {
                    next.push((left, *target));
                }
            }
            if next.is_empty() {
                return true;
            }
            open.extend(next.into_iter().filter(|pair| seen.insert(*pair)));
        }
        false
    }

    /// The system as a process of FSP; `hidden` is a label that does not occur,
    /// for silent steps, and the alphabet is that of `labels`.
    pub fn fsp(&self, name: &str, labels: &[&str], hidden: &str) -> String {
        let state = |state: usize| {
            let step = |(_, label, target): &(usize, String, usize)| {
                let label = if label == SILENT { hidden } else { label };
                format!("{label} -> Q{target}")
            };
            let steps: Vec<String> = self.edges.iter().filter(|e| e.0 == state).map(step).collect();
            match steps.is_empty() {
                true => format!("Q{state} = STOP"),
                false => format!("Q{state} = ({})", steps.join(" | ")),
            }
        };
        let states: Vec<String> = (0..self.states).map(state).collect();
        let labels: Vec<&str> = labels.iter().copied().filter(|l| *l != SILENT).collect();
        let alphabet = labels.join(", ");
        format!("{name} = Q0, {} + {{{alphabet}}} \\ {{{hidden}}}.\n", states.join(", "))
    }

    /// The system in the format `.aut`.
    pub fn aut(&self) -> String {
        let mut text = format!("des (0, {}, {})\n", self.edges.len(), self.states);
        for (from, label, to) in &self.edges {
            // A quoted `i` is not silent.
            let label = if label == SILENT { "i".to_owned() } else { format!("\"{label}\"") };
            text.push_str(&format!("({from}, {label}, {to})\n"));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn system(states: usize, edges: &[(usize, &str, usize)]) -> System {
        let edges = edges.iter().map(|(from, l, to)| (*from, (*l).to_owned(), *to)).collect();
        System { states, edges }
    }

    #[test]
    fn a_choice_that_is_made_later_has_the_same_traces_and_is_not_simulated() {
        let late = system(4, &[(0, "a", 1), (1, "b", 2), (1, "c", 3)]);
        let early = system(5, &[(0, "a", 1), (0, "a", 2), (1, "b", 3), (2, "tau", 4), (4, "c", 3)]);
        assert!(late.has_traces_in(&early) && early.has_traces_in(&late));
        assert!(!late.is_simulated_by(&early) && early.is_simulated_by(&late));
        assert!(late.can_be_stuck_with(&early, &["a", "b", "c"]));
        let round = system(1, &[(0, "a", 0)]);
        assert!(!round.can_be_stuck_with(&round, &["a"]));
        assert!(!round.can_be_stuck_with(&system(1, &[]), &[]));
    }
}
