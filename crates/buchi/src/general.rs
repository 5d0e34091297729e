//! Automata on the way: generalized acceptance, on transitions.

use crate::cube::{Cube, minimized};
use parallax_base::components;
use std::collections::BTreeMap;

/// An edge of a [`General`] automaton.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Arc {
    /// The state it leads to.
    pub(crate) target: usize,
    /// The acceptance sets it belongs to, one bit each.
    pub(crate) marks: u64,
    /// The letters it takes.
    pub(crate) label: Cube,
}

/// A run is accepting if it takes edges of each acceptance set infinitely
/// often.
#[derive(Clone, Debug)]
pub(crate) struct General {
    /// The edges that leave each state.
    pub(crate) arcs: Vec<Vec<Arc>>,
    /// Where runs begin.
    pub(crate) initial: usize,
    /// The number of acceptance sets.
    pub(crate) sets: u32,
}

/// The strongly connected components of a [`General`] automaton.
pub(crate) struct Components {
    /// The component of each state; no edge leads to a larger one.
    pub(crate) of: Vec<usize>,
    /// Whether a component has an accepting cycle.
    pub(crate) accepting: Vec<bool>,
}

impl General {
    /// All acceptance sets.
    pub(crate) fn all_marks(&self) -> u64 {
        1u64.checked_shl(self.sets).unwrap_or(0).wrapping_sub(1)
    }

    /// The components and which of them have accepting cycles.
    pub(crate) fn components(&self) -> Components {
        let target = |state: usize, nth: usize| self.arcs[state].get(nth).map(|arc| arc.target);
        let of = components(self.arcs.len(), target);
        let count = of.iter().max().map_or(0, |m| m + 1);
        let (mut marks, mut cyclic) = (vec![0u64; count], vec![false; count]);
        for (source, arcs) in self.arcs.iter().enumerate() {
            for arc in arcs.iter().filter(|arc| of[arc.target] == of[source]) {
                marks[of[source]] |= arc.marks;
                cyclic[of[source]] = true;
            }
        }
        let all = self.all_marks();
        let accepting = (0..count).map(|c| cyclic[c] && marks[c] == all).collect();
        Components { of, accepting }
    }

    /// Drops what no accepting run uses: states that cannot be reached or
    /// reach no accepting cycle, and marks that are on no accepting cycle.
    pub(crate) fn trim(&mut self) {
        self.trim_states();
        self.drop_sets();
        self.join_arcs();
    }

    /// [`General::trim`], with all acceptance sets and labels as they are.
    pub(crate) fn trim_states(&mut self) {
        let components = self.components();
        let count = components.accepting.len();
        // Smaller components first: their successors are decided already.
        let mut useful = components.accepting.clone();
        let mut by_component: Vec<Vec<usize>> = vec![Vec::new(); count];
        for (state, &component) in components.of.iter().enumerate() {
            by_component[component].push(state);
        }
        for component in 0..count {
            let leads = |s: &usize| self.arcs[*s].iter().any(|a| useful[components.of[a.target]]);
            if by_component[component].iter().any(leads) {
                useful[component] = true;
            }
        }
        for (source, arcs) in self.arcs.iter_mut().enumerate() {
            arcs.retain(|arc| useful[components.of[arc.target]]);
            for arc in arcs.iter_mut() {
                let inside = components.of[arc.target] == components.of[source];
                if !inside || !components.accepting[components.of[source]] {
                    arc.marks = 0;
                }
            }
        }
        self.keep_reachable();
    }

    /// Keeps the states that can be reached, in the order of a breadth-first
    /// search.
    fn keep_reachable(&mut self) {
        let mut number = vec![usize::MAX; self.arcs.len()];
        let mut order = vec![self.initial];
        number[self.initial] = 0;
        let mut at = 0;
        while let Some(&state) = order.get(at) {
            at += 1;
            for arc in &self.arcs[state] {
                if number[arc.target] == usize::MAX {
                    number[arc.target] = order.len();
                    order.push(arc.target);
                }
            }
        }
        let renamed = |arc: &Arc| Arc { target: number[arc.target], ..*arc };
        self.arcs =
            order.iter().map(|&state| self.arcs[state].iter().map(renamed).collect()).collect();
        self.initial = 0;
    }

    /// Drops acceptance sets that hold all edges of another set: whoever takes
    /// the smaller one infinitely often takes the larger one, too.
    fn drop_sets(&mut self) {
        // Cycles that are not accepting carry no mark; as long as there is a
        // set, they stay so.
        let components = self.components();
        let mut rows: Vec<u64> = Vec::new();
        let mut rejecting = false;
        for (source, arcs) in self.arcs.iter().enumerate() {
            let component = components.of[source];
            let inner = arcs.iter().filter(|arc| components.of[arc.target] == component);
            if components.accepting[component] {
                rows.extend(inner.map(|arc| arc.marks));
            } else {
                rejecting |= inner.count() > 0;
            }
        }
        rows.sort_unstable();
        rows.dedup();
        let mut set = 0;
        while set < self.sets {
            let holds = |row: &u64, set: u32| row >> set & 1 == 1;
            let implied = |other: u32| {
                other != set && rows.iter().all(|row| !holds(row, other) || holds(row, set))
            };
            let everywhere =
                (self.sets > 1 || !rejecting) && rows.iter().all(|row| holds(row, set));
            if everywhere || (0..self.sets).any(implied) {
                let without = |row: u64| {
                    let low = row & ((1 << set) - 1);
                    low | (row.checked_shr(set + 1).unwrap_or(0) << set)
                };
                rows.iter_mut().for_each(|row| *row = without(*row));
                self.arcs.iter_mut().flatten().for_each(|arc| arc.marks = without(arc.marks));
                self.sets -= 1;
            } else {
                set += 1;
            }
        }
    }

    /// Joins edges that differ in their labels only.
    fn join_arcs(&mut self) {
        for arcs in &mut self.arcs {
            let mut labels: BTreeMap<(usize, u64), Vec<Cube>> = BTreeMap::new();
            for arc in arcs.iter() {
                labels.entry((arc.target, arc.marks)).or_default().push(arc.label);
            }
            *arcs = labels
                .into_iter()
                .flat_map(|((target, marks), cubes)| {
                    minimized(cubes).into_iter().map(move |label| Arc { target, marks, label })
                })
                .collect();
        }
    }
}
