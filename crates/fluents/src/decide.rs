//! Takes the product apart until every class has a reason, or one is a run.

use crate::product::Product;
use parallax_base::{Budget, Stop, components};
use parallax_evidence::{FairClass, FairNode, FairRanking, FairReason, SystemEvidence};
use parallax_ltl::{Assertion, Sub};
use parallax_lts::{Edge, Lts, StateId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// Whether all fair runs of a system satisfy a formula: a ranking, or a run.
///
/// # Errors
/// When the budget ends.
pub fn decide(lts: &Lts, assertion: &Assertion, budget: &Budget) -> Result<SystemEvidence, Stop> {
    let product = Product::explore(lts, assertion, budget)?;
    let mut class = vec![0u32; product.pairs.len()];
    let mut classes: Vec<FairClass> = Vec::new();
    let mut open: Vec<(Option<u32>, Vec<usize>)> = vec![(None, (0..product.pairs.len()).collect())];
    while let Some((parent, members)) = open.pop() {
        budget.check()?;
        for (order, part) in parts(&product, &members).into_iter().enumerate() {
            let number = classes.len() as u32;
            let Some(reason) = reason(lts, &product, &part) else {
                let (path, cycle) = run(&product, &part);
                return Ok(SystemEvidence::Run { path, cycle });
            };
            part.iter().for_each(|&pair| class[pair] = number);
            classes.push(FairClass { parent, order: order as u32, reason });
            if let FairReason::Avoids(state, _) = reason {
                let rest: Vec<usize> =
                    part.into_iter().filter(|&pair| product.pairs[pair].0 != state).collect();
                if !rest.is_empty() {
                    open.push((Some(number), rest));
                }
            }
        }
    }
    let node = |(&(state, letter, obligations), &class): (&(StateId, u64, u32), &u32)| FairNode {
        state,
        letter,
        obligations,
        class,
    };
    let numbers = |set: &Vec<Sub>| set.iter().map(|part| part.index() as u32).collect();
    Ok(SystemEvidence::Fair(FairRanking {
        obligations: product.sets.iter().map(numbers).collect(),
        classes,
        nodes: product.pairs.iter().zip(&class).map(node).collect(),
    }))
}

/// The strongly connected components of some pairs; no step leads from one to a
/// later one.
fn parts(product: &Product, members: &[usize]) -> Vec<Vec<usize>> {
    let place: FxHashMap<usize, usize> =
        members.iter().enumerate().map(|(place, &pair)| (pair, place)).collect();
    let inside: Vec<Vec<usize>> = members
        .iter()
        .map(|&pair| {
            product.steps[pair].iter().filter_map(|s| place.get(&s.target).copied()).collect()
        })
        .collect();
    let component = components(members.len(), |node, nth| inside[node].get(nth).copied());
    let count = component.iter().max().map_or(0, |most| most + 1);
    let mut parts = vec![Vec::new(); count];
    for (&pair, &own) in members.iter().zip(&component) {
        parts[own].push(pair);
    }
    parts
}

/// Why a component is not stayed in for ever; `None` if a fair run does.
fn reason(lts: &Lts, product: &Product, part: &[usize]) -> Option<FairReason> {
    let inside: FxHashSet<usize> = part.iter().copied().collect();
    let mut common: Option<Vec<Sub>> = None;
    let mut taken: BTreeSet<(StateId, Edge)> = BTreeSet::new();
    for &pair in part {
        for step in product.steps[pair].iter().filter(|step| inside.contains(&step.target)) {
            let postponed = &product.postponed[step.postponed as usize];
            match &mut common {
                Some(untils) => untils.retain(|until| postponed.contains(until)),
                none => *none = Some(postponed.clone()),
            }
            taken.extend(step.edge.map(|edge| (product.pairs[pair].0, edge)));
        }
    }
    let Some(common) = common else { return Some(FairReason::Passed) };
    if let Some(until) = common.first() {
        return Some(FairReason::PutsOff(until.index() as u32));
    }
    let states: BTreeSet<StateId> = part.iter().map(|&pair| product.pairs[pair].0).collect();
    let mut all = states.iter().flat_map(|&s| lts.edges(s).iter().map(move |edge| (s, *edge)));
    let (state, edge) = all.find(|step| !taken.contains(step))?;
    Some(FairReason::Avoids(state, edge))
}

/// A way into a component, and a way through it that takes all steps of its
/// states and puts no until off all the time.
fn run(product: &Product, part: &[usize]) -> (Vec<Edge>, Vec<Edge>) {
    let inside: FxHashSet<usize> = part.iter().copied().collect();
    let edges = |way: &[(usize, usize)]| -> Vec<Edge> {
        way.iter().filter_map(|&(pair, step)| product.steps[pair][step].edge).collect()
    };
    let into = product.way(0, |pair| inside.contains(&pair), |_| true).unwrap_or_default();
    let start = into.last().map_or(0, |&(pair, step)| product.steps[pair][step].target);
    // The steps that are still to be taken, and the untils to be put off no more.
    let mut wanted: BTreeSet<(StateId, Edge)> = BTreeSet::new();
    let mut untils: BTreeSet<Sub> = BTreeSet::new();
    for &pair in part {
        for step in product.steps[pair].iter().filter(|step| inside.contains(&step.target)) {
            wanted.extend(step.edge.map(|edge| (product.pairs[pair].0, edge)));
            untils.extend(product.postponed[step.postponed as usize].iter().copied());
        }
    }
    let mut cycle: Vec<(usize, usize)> = Vec::new();
    let mut at = start;
    loop {
        let useful = |pair: usize| {
            product.steps[pair].iter().position(|step| {
                let postponed = &product.postponed[step.postponed as usize];
                let new = step.edge.is_some_and(|e| wanted.contains(&(product.pairs[pair].0, e)));
                let fulfils = untils.iter().any(|until| !postponed.contains(until));
                inside.contains(&step.target) && (new || fulfils)
            })
        };
        let way = product.way(at, |pair| useful(pair).is_some(), |pair| inside.contains(&pair));
        let Some(way) = way.filter(|_| !wanted.is_empty() || !untils.is_empty()) else { break };
        let here = way.last().map_or(at, |&(pair, step)| product.steps[pair][step].target);
        let Some(step) = useful(here) else { break };
        cycle.extend(way);
        cycle.push((here, step));
        for &(pair, step) in &cycle {
            let step = &product.steps[pair][step];
            if let Some(edge) = step.edge {
                wanted.remove(&(product.pairs[pair].0, edge));
            }
            let postponed = &product.postponed[step.postponed as usize];
            untils.retain(|until| postponed.contains(until));
        }
        at = product.steps[here][step].target;
    }
    let back = product.way(at, |pair| pair == start, |pair| inside.contains(&pair));
    cycle.extend(back.unwrap_or_default());
    (edges(&into), edges(&cycle))
}
