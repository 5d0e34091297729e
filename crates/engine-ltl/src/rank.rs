//! Rankings: the certificate that every run satisfies the formula.
//!
//! The product of all states with the *progression* of the negated formula is
//! explored, not that with the automaton: the checker trusts no automaton. The
//! rank of a pair is the number of its strongly connected component, counted
//! so that no edge leads to a larger one. In a component some until is
//! postponed on every edge, because no run of the program satisfies the
//! negation; it is blamed.

use crate::space::Space;
use parallax_base::components;
use parallax_base::{Budget, Stop};
use parallax_evidence::{RankedNode, Ranking};
use parallax_ltl::{Formula, Progression, Sub};
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;

/// The ranking, or `None` if there is none: then some run breaks the formula.
pub(crate) fn ranking(
    space: &Space,
    formula: &Formula,
    budget: &Budget,
) -> Result<Option<Ranking>, Stop> {
    let mut pairs = Pairs::explore(space, Progression::new(formula, true), budget)?;
    let component = components(pairs.nodes.len(), |node, nth| {
        let (from, to) = (pairs.starts[node], pairs.starts[node + 1]);
        pairs.edges[from..to].get(nth).map(|(target, _)| *target as usize)
    });
    let count = component.iter().max().map_or(0, |c| c + 1);
    // The untils postponed on all edges inside a component so far.
    let mut common: Vec<Option<Vec<Sub>>> = vec![None; count];
    for (node, &rank) in component.iter().enumerate() {
        for &(target, way) in &pairs.edges[pairs.starts[node]..pairs.starts[node + 1]] {
            if component[target as usize] != rank {
                continue;
            }
            let postponed = &pairs.postponed[way as usize];
            match &mut common[rank] {
                Some(untils) => untils.retain(|u| postponed.contains(u)),
                none => *none = Some(postponed.clone()),
            }
        }
    }
    let mut blamed = Vec::with_capacity(count);
    for untils in common {
        match untils.as_deref() {
            None => blamed.push(None),
            Some([]) => return Ok(None),
            Some([first, ..]) => blamed.push(Some(first.index() as u32)),
        }
    }
    let rank = |(&(state, obligations), rank): (&(u32, u32), &usize)| RankedNode {
        state,
        obligations,
        rank: *rank as u32,
    };
    let numbers = |set: &Vec<Sub>| set.iter().map(|f| f.index() as u32).collect();
    Ok(Some(Ranking {
        states: space.states.clone(),
        obligations: std::mem::take(&mut pairs.sets).iter().map(numbers).collect(),
        nodes: pairs.nodes.iter().zip(&component).map(rank).collect(),
        blamed,
    }))
}

/// All pairs of states and obligations that runs lead to.
struct Pairs {
    /// State and set of obligations of each pair.
    nodes: Vec<(u32, u32)>,
    sets: Vec<Vec<Sub>>,
    /// Target and number of the list in `postponed`; those of pair `i` begin at
    /// `starts[i]`.
    edges: Vec<(u32, u32)>,
    starts: Vec<usize>,
    postponed: Vec<Vec<Sub>>,
}

/// A set of obligations and what is postponed, both by number.
type Way = (u32, u32);

impl Pairs {
    fn explore(
        space: &Space,
        mut progression: Progression,
        budget: &Budget,
    ) -> Result<Pairs, Stop> {
        let mut pairs = Pairs {
            nodes: Vec::new(),
            sets: vec![progression.initial()],
            edges: Vec::new(),
            starts: vec![0],
            postponed: Vec::new(),
        };
        let mut set_numbers: FxHashMap<Vec<Sub>, u32> = FxHashMap::default();
        set_numbers.insert(progression.initial(), 0);
        let mut list_numbers: FxHashMap<Vec<Sub>, u32> = FxHashMap::default();
        let mut ways: FxHashMap<(u32, u64), Vec<Way>> = FxHashMap::default();
        let mut numbers: FxHashMap<(u32, u32), u32> = FxHashMap::default();
        for state in 0..space.initial as u32 {
            numbers.insert((state, 0), pairs.nodes.len() as u32);
            pairs.nodes.push((state, 0));
        }
        while let Some(&(state, set)) = pairs.nodes.get(pairs.starts.len() - 1) {
            if pairs.starts.len().is_multiple_of(256) {
                budget.check()?;
            }
            let letter = space.letter[state as usize];
            if let Entry::Vacant(place) = ways.entry((set, letter)) {
                let obligations = pairs.sets[set as usize].clone();
                let mut found = Vec::new();
                for way in progression.successors(&obligations, letter, budget)? {
                    let fresh = pairs.sets.len() as u32;
                    let next = *set_numbers.entry(way.obligations).or_insert_with_key(|key| {
                        pairs.sets.push(key.clone());
                        fresh
                    });
                    let fresh = pairs.postponed.len() as u32;
                    let list = *list_numbers.entry(way.postponed).or_insert_with_key(|key| {
                        pairs.postponed.push(key.clone());
                        fresh
                    });
                    found.push((next, list));
                }
                place.insert(found);
            }
            for &(_, target) in space.steps(state as usize) {
                for &(next, list) in &ways[&(set, letter)] {
                    let fresh = pairs.nodes.len() as u32;
                    let node = *numbers.entry((target, next)).or_insert_with(|| {
                        pairs.nodes.push((target, next));
                        fresh
                    });
                    pairs.edges.push((node, list));
                }
            }
            pairs.starts.push(pairs.edges.len());
        }
        Ok(pairs)
    }
}
