//! From an accepting cycle to a short infinite run.

use crate::product::Product;
use crate::space::STUTTER;
use parallax_base::{Budget, Stop};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::collections::hash_map::Entry;

/// An infinite run over numbered states.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Run {
    /// The states; the last one is that at `cycle`.
    pub(crate) states: Vec<u32>,
    /// The transition of each step.
    pub(crate) transitions: Vec<u32>,
    /// How many steps come before what is repeated; all of them if the run
    /// ends and stays.
    pub(crate) cycle: usize,
}

/// How many accepting nodes are tried, beyond the one that was found.
const CANDIDATES: usize = 64;

const NONE: u32 = u32::MAX;

/// A short run through an accepting cycle; `found` is an accepting node on one.
pub(crate) fn short_run(product: &Product<'_>, found: usize, budget: &Budget) -> Result<Run, Stop> {
    let (order, parents) = breadth_first(product, budget)?;
    let accepting = order.iter().copied().filter(|n| product.is_accepting(*n)).take(CANDIDATES);
    let mut best: Option<(Vec<usize>, Vec<usize>)> = None;
    for node in accepting.chain([found]) {
        let stem = path(&parents, node);
        let known = best.as_ref().map(|(stem, cycle)| stem.len() + cycle.len());
        let room = known.map_or(usize::MAX, |known| known.saturating_sub(stem.len() + 1));
        // Nodes come in the order of their distance.
        if room == 0 {
            break;
        }
        if let Some(cycle) = shortest_cycle(product, node, room, budget)? {
            best = Some((stem, cycle));
        }
    }
    let (stem, cycle) = best.unwrap_or_default();
    Ok(run(product, &stem, &cycle))
}

/// The nodes that can be reached, nearest first, and where each was met from.
fn breadth_first(product: &Product<'_>, budget: &Budget) -> Result<(Vec<usize>, Vec<u32>), Stop> {
    let mut parents = vec![NONE; product.size()];
    let mut order: Vec<usize> = product.initial().collect();
    // A root is its own parent.
    order.iter().for_each(|&root| parents[root] = root as u32);
    let mut at = 0;
    while let Some(&node) = order.get(at) {
        if at.is_multiple_of(1024) {
            budget.check()?;
        }
        at += 1;
        let mut nth = 0;
        while let Some(next) = product.successor(node, nth) {
            nth += 1;
            if parents[next] == NONE {
                parents[next] = node as u32;
                order.push(next);
            }
        }
    }
    Ok((order, parents))
}

/// The nodes from a root to a node.
fn path(parents: &[u32], node: usize) -> Vec<usize> {
    let mut path = vec![node];
    let mut at = node;
    while parents[at] as usize != at {
        at = parents[at] as usize;
        path.push(at);
    }
    path.reverse();
    path
}

/// The nodes of a shortest way from a node back to itself, of at most `room`
/// steps; the node itself comes last.
fn shortest_cycle(
    product: &Product<'_>,
    node: usize,
    room: usize,
    budget: &Budget,
) -> Result<Option<Vec<usize>>, Stop> {
    let mut parents: FxHashMap<usize, usize> = FxHashMap::default();
    let mut waiting = VecDeque::from([(node, 0)]);
    let mut met = 0usize;
    while let Some((at, depth)) = waiting.pop_front() {
        met += 1;
        if met.is_multiple_of(1024) {
            budget.check()?;
        }
        if depth == room {
            return Ok(None);
        }
        let mut nth = 0;
        while let Some(next) = product.successor(at, nth) {
            nth += 1;
            if next == node {
                let mut cycle = vec![node];
                let mut back = at;
                while back != node {
                    cycle.push(back);
                    back = parents[&back];
                }
                cycle.reverse();
                return Ok(Some(cycle));
            }
            if let Entry::Vacant(place) = parents.entry(next) {
                place.insert(at);
                waiting.push_back((next, depth + 1));
            }
        }
    }
    Ok(None)
}

/// The run along a stem and a cycle of nodes.
fn run(product: &Product<'_>, stem: &[usize], cycle: &[usize]) -> Run {
    let nodes: Vec<usize> = stem.iter().chain(cycle).copied().collect();
    let states: Vec<u32> = nodes.iter().map(|n| product.state(*n) as u32).collect();
    let transition = |pair: &[usize]| {
        let mut edges = (0..).map_while(|nth| product.edge(pair[0], nth));
        edges.find(|(_, target)| *target == pair[1]).map_or(STUTTER, |((t, _), _)| t)
    };
    let transitions: Vec<u32> = nodes.windows(2).map(transition).collect();
    match transitions.iter().position(|t| *t == STUTTER) {
        // Whoever stays once stays for ever.
        Some(end) => Run {
            states: states[..=end].to_vec(),
            transitions: transitions[..end].to_vec(),
            cycle: end,
        },
        None => Run { cycle: stem.len() - 1, states, transitions },
    }
}
