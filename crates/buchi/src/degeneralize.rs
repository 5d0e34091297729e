//! From several acceptance sets on edges to one on states.
//!
//! A state is copied once per number of sets that were met in order; when all
//! were met, the copy is accepting and counting begins anew. Several sets may
//! be met on one edge. Counting is confined to accepting components and begins
//! wherever it suits when one is entered (Babiak, Badie, Duret-Lutz, Křetínský,
//! Strejček, SPIN 2013).

use crate::automaton::{Automaton, Edge, State};
use crate::general::General;
use parallax_base::{Budget, Stop};
use rustc_hash::FxHashMap;

/// Up to this many sets, all orders are tried.
const MAX_PERMUTED: u32 = 4;

/// The smallest automaton over the orders in which sets are met.
pub(crate) fn degeneralized(
    general: &General,
    atoms: &[String],
    budget: &Budget,
) -> Result<Automaton, Stop> {
    let mut best: Option<Automaton> = None;
    for order in orders(general.sets) {
        let mut automaton = counted(general, atoms, &order, budget)?;
        automaton.reduce(budget)?;
        let size = |a: &Automaton| (a.states.len(), a.edge_count());
        if best.as_ref().is_none_or(|b| size(&automaton) < size(b)) {
            best = Some(automaton);
        }
    }
    Ok(best.unwrap_or_else(|| Automaton::empty(atoms)))
}

fn orders(sets: u32) -> Vec<Vec<u32>> {
    let mut all: Vec<Vec<u32>> = vec![Vec::new()];
    for _ in 0..sets {
        all = all
            .into_iter()
            .flat_map(|order| {
                let limit = if sets > MAX_PERMUTED { 1 } else { sets as usize };
                let free = (0..sets).filter(|s| !order.contains(s)).collect::<Vec<_>>();
                free.into_iter().take(limit).map(move |s| [&order[..], &[s]].concat())
            })
            .collect();
    }
    all
}

/// The automaton that meets the sets in a given order.
fn counted(
    general: &General,
    atoms: &[String],
    order: &[u32],
    budget: &Budget,
) -> Result<Automaton, Stop> {
    let components = general.components();
    let full = order.len();
    let mut numbers: FxHashMap<(usize, usize), usize> = FxHashMap::default();
    // The level at which a state was met first: a good place to enter it.
    let mut entries: FxHashMap<usize, usize> = FxHashMap::default();
    let mut known = vec![(general.initial, 0)];
    numbers.insert((general.initial, 0), 0);
    entries.insert(general.initial, 0);
    let mut states: Vec<State> = Vec::new();
    while let Some(&(source, level)) = known.get(states.len()) {
        budget.check()?;
        let component = components.of[source];
        let inside = components.accepting[component];
        let mut edges = Vec::new();
        for arc in &general.arcs[source] {
            let next = if inside && components.of[arc.target] == component {
                let mut next = if level == full { 0 } else { level };
                while order.get(next).is_some_and(|set| arc.marks >> set & 1 == 1) {
                    next += 1;
                }
                next
            } else if components.accepting[components.of[arc.target]] {
                entries.get(&arc.target).copied().unwrap_or(full)
            } else {
                0
            };
            entries.entry(arc.target).or_insert(next);
            let fresh = known.len();
            let target = *numbers.entry((arc.target, next)).or_insert_with(|| {
                known.push((arc.target, next));
                fresh
            });
            edges.push(Edge { target, label: arc.label });
        }
        states.push(State { accepting: inside && level == full, edges });
    }
    Ok(Automaton { atoms: atoms.to_vec(), states, initial: 0 })
}
