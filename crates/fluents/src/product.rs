//! States of a system with the fluents that hold and what is still asked for.

use parallax_base::{Budget, Stop};
use parallax_ltl::{Assertion, Progression, Sub};
use parallax_lts::{Edge, Lts, StateId, TAU};
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;

/// State, fluents, and the number of a set of obligations.
pub(crate) type Pair = (StateId, u64, u32);

/// A step of the product.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub(crate) target: usize,
    /// The step of the system; none if the run has ended.
    pub(crate) edge: Option<Edge>,
    /// The number of the list of untils that are put off.
    pub(crate) postponed: u32,
}

/// All pairs that runs lead to; the first is where they begin.
#[derive(Debug)]
pub(crate) struct Product {
    pub(crate) pairs: Vec<Pair>,
    pub(crate) steps: Vec<Vec<Step>>,
    pub(crate) sets: Vec<Vec<Sub>>,
    pub(crate) postponed: Vec<Vec<Sub>>,
}

/// Numbers of lists.
#[derive(Default)]
struct Lists {
    numbers: FxHashMap<Vec<Sub>, u32>,
    lists: Vec<Vec<Sub>>,
}

impl Lists {
    fn number(&mut self, list: Vec<Sub>) -> u32 {
        let fresh = self.lists.len() as u32;
        *self.numbers.entry(list).or_insert_with_key(|key| {
            self.lists.push(key.clone());
            fresh
        })
    }
}

impl Product {
    /// Explores a system with the negation of a formula.
    pub(crate) fn explore(
        lts: &Lts,
        assertion: &Assertion,
        budget: &Budget,
    ) -> Result<Product, Stop> {
        let mut progression = Progression::new(&assertion.formula, true);
        let (mut sets, mut postponed) = (Lists::default(), Lists::default());
        let first = (lts.initial(), assertion.initially(), sets.number(progression.initial()));
        let mut pairs = vec![first];
        let mut numbers: FxHashMap<Pair, usize> = FxHashMap::default();
        numbers.insert(first, 0);
        let mut steps: Vec<Vec<Step>> = Vec::new();
        let mut ways: FxHashMap<(u32, u64), Vec<(u32, u32)>> = FxHashMap::default();
        while let Some(&(state, letter, set)) = pairs.get(steps.len()) {
            if steps.len().is_multiple_of(256) {
                budget.check()?;
            }
            let mut found = Vec::new();
            let stays = lts.edges(state).is_empty().then_some(None);
            for edge in lts.edges(state).iter().copied().map(Some).chain(stays) {
                let label = edge.filter(|e| e.action != TAU).map(|e| lts.label(e.action));
                let target = edge.map_or(state, |edge| edge.target);
                let letter = assertion.after(letter, label);
                if let Entry::Vacant(place) = ways.entry((set, letter)) {
                    let obligations = sets.lists[set as usize].clone();
                    let all = progression.successors(&obligations, letter, budget)?;
                    let way = all
                        .into_iter()
                        .map(|way| (sets.number(way.obligations), postponed.number(way.postponed)));
                    let way = way.collect();
                    place.insert(way);
                }
                for &(next, list) in &ways[&(set, letter)] {
                    let fresh = pairs.len();
                    let pair = (target, letter, next);
                    let target = *numbers.entry(pair).or_insert_with(|| {
                        pairs.push(pair);
                        fresh
                    });
                    found.push(Step { target, edge, postponed: list });
                }
            }
            steps.push(found);
        }
        Ok(Product { pairs, steps, sets: sets.lists, postponed: postponed.lists })
    }

    /// A shortest way between pairs, through some of them only: the pairs it
    /// goes through and the number of the step that is taken there.
    pub(crate) fn way(
        &self,
        from: usize,
        wanted: impl Fn(usize) -> bool,
        inside: impl Fn(usize) -> bool,
    ) -> Option<Vec<(usize, usize)>> {
        let mut parent: FxHashMap<usize, (usize, usize)> = FxHashMap::default();
        let mut queue = std::collections::VecDeque::from([from]);
        let mut seen: rustc_hash::FxHashSet<usize> = [from].into_iter().collect();
        while let Some(at) = queue.pop_front() {
            if wanted(at) {
                let back = |&(earlier, _): &(usize, usize)| parent.get(&earlier).copied();
                let last = parent.get(&at).copied();
                let mut way: Vec<_> = std::iter::successors(last, back).collect();
                way.reverse();
                return Some(way);
            }
            for (number, step) in self.steps[at].iter().enumerate() {
                if inside(step.target) && seen.insert(step.target) {
                    parent.insert(step.target, (at, number));
                    queue.push_back(step.target);
                }
            }
        }
        None
    }
}
