//! Steps that `cegar` leaves out, and who is not put off for ever.
//!
//! What can happen from a place depends on where processes are and on the values
//! that are tracked, so the processes that move are chosen by place
//! ([`parallax_engine::Reduction`]). Ranks are of places too, because nodes of one
//! place are one region of the certificate: a place that lets others wait needs steps
//! of which one is possible in each of its states, and which lead to places with
//! smaller ranks, whatever node they start from. Places that have none when there is
//! nothing left to explore let all move.
//!
//! Invariant: the choice for a place changes at most once, to all.

use super::arg::{Graph, Node};
use super::bench::Bench;
use super::place::Place;
use parallax_base::Id;
use parallax_engine::{Group, Reduction};
use parallax_evidence::Movers;
use parallax_solver::Halt;
use parallax_term::Value;
use rustc_hash::FxHashMap;

/// What to leave out where.
pub(crate) struct Reducer<'a> {
    reduction: Reduction<'a>,
    chosen: FxHashMap<Place, Option<Group>>,
    ranks: FxHashMap<Place, u32>,
}

impl<'a> Reducer<'a> {
    pub(crate) fn new(reduction: Reduction<'a>) -> Reducer<'a> {
        Reducer { reduction, chosen: FxHashMap::default(), ranks: FxHashMap::default() }
    }

    /// Chooses who moves from a place.
    fn choose(&mut self, bench: &Bench<'_>, place: &Place) {
        if self.chosen.contains_key(place) {
            return;
        }
        let locations: Option<Vec<usize>> =
            place.location.iter().map(|&at| usize::try_from(at).ok()).collect();
        let program = bench.program;
        let controls = program.processes.iter().map(|p| p.control);
        let controls = controls.zip(place.location.iter().map(|&at| Value::int(at)));
        let known: Vec<_> = controls.chain(place.values.iter().cloned()).collect();
        let may = self.reduction.may(known);
        let groups = locations.map(|at| self.reduction.groups(&at, &may));
        let best = groups.and_then(|groups| groups.first().cloned());
        self.chosen.insert(place.clone(), best);
    }

    /// Whether a step from a place is to be taken.
    pub(crate) fn takes(&mut self, bench: &Bench<'_>, place: &Place, transition: usize) -> bool {
        self.choose(bench, place);
        self.chosen[place].as_ref().is_none_or(|group| {
            let mut movers = self.reduction.movers(transition);
            movers.any(|p| group.processes.contains(&(p as u32)))
        })
    }

    /// Who moves from a place, for the certificate.
    pub(crate) fn movers(&self, place: &Place) -> Movers {
        let group = self.chosen.get(place).and_then(Option::as_ref);
        let rank = self.ranks.get(place).copied().unwrap_or(0);
        Movers { processes: group.map(|group| group.processes.clone()), rank }
    }

    /// Gives places ranks; if one has none, all move from it, and its nodes are
    /// handed out to be expanded again.
    pub(crate) fn rank(
        &mut self,
        bench: &mut Bench<'_>,
        graph: &Graph,
    ) -> Result<Vec<Id<Node>>, Halt> {
        let mut places: Vec<(Place, Vec<Id<Node>>)> = Vec::new();
        let mut numbers: FxHashMap<Place, usize> = FxHashMap::default();
        for (id, node) in graph.present().filter(|(_, node)| node.is_live()) {
            let number = *numbers.entry(node.place.clone()).or_insert(places.len());
            if number == places.len() {
                places.push((node.place.clone(), Vec::new()));
            }
            places[number].1.push(id);
        }
        self.ranks.clear();
        let mut waiting = Vec::new();
        for (place, nodes) in places {
            match self.chosen.get(&place).and_then(Option::as_ref).filter(|g| g.may_starve) {
                None => drop(self.ranks.insert(place, 0)),
                Some(group) => waiting.push((place, nodes, group.own.clone(), Vec::new())),
            }
        }
        let mut changed = true;
        while std::mem::take(&mut changed) {
            let mut later = Vec::new();
            for (place, nodes, own, tried) in waiting {
                let usable = |&step: &usize| {
                    bench.store.is_true(bench.transitions[step].constraint)
                        && self.highest(graph, &nodes, step).is_some()
                };
                let ways: Vec<usize> = own.iter().copied().filter(usable).collect();
                if ways.is_empty() || ways == tried || !can_take(bench, graph, &nodes, &ways)? {
                    later.push((place, nodes, own, ways));
                    continue;
                }
                let highest = ways.iter().filter_map(|&way| self.highest(graph, &nodes, way));
                let rank = highest.max().unwrap_or(0) + 1;
                self.ranks.insert(place, rank);
                changed = true;
            }
            waiting = later;
        }
        let Some((place, nodes, ..)) = waiting.into_iter().next() else { return Ok(Vec::new()) };
        self.chosen.insert(place, None);
        Ok(nodes)
    }

    /// The highest rank that a step leads to from some nodes; `None` if it leads to
    /// a place without one.
    fn highest(&self, graph: &Graph, nodes: &[Id<Node>], step: usize) -> Option<u32> {
        let mut highest = 0;
        for &id in nodes {
            for child in graph.nodes[id].children.iter().map(|&child| &graph.nodes[child]) {
                if child.parent.is_some_and(|(_, by)| by == step) {
                    let place = child.cover.map_or(&child.place, |by| &graph.nodes[by].place);
                    highest = highest.max(*self.ranks.get(place)?);
                }
            }
        }
        Some(highest)
    }
}

/// Whether one of several steps is possible in each state of some nodes.
fn can_take(
    bench: &mut Bench<'_>,
    graph: &Graph,
    nodes: &[Id<Node>],
    ways: &[usize],
) -> Result<bool, Halt> {
    for &id in nodes {
        let (place, state) = (graph.nodes[id].place.clone(), graph.nodes[id].state);
        let guards: Vec<_> = ways.iter().map(|&way| bench.transitions[way].guard).collect();
        let guards: Vec<_> = guards.into_iter().map(|guard| bench.at(&place, guard)).collect();
        let some = bench.store.or(guards);
        if !bench.entails(state, some)? {
            return Ok(false);
        }
    }
    Ok(true)
}
