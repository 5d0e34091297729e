//! The closed graph as a certificate: one region per node.

use super::arg::Graph;
use super::bench::Bench;
use super::place::Place;
use super::reduce::Reducer;
use parallax_evidence::{Certificate, ClosedSet, Movers, Reduced, Region};
use parallax_term::{Term, Value};
use std::collections::BTreeMap;

/// Every live node of a closed graph is a region; nodes that differ only in
/// their formula are one.
pub(crate) fn certificate(
    bench: &mut Bench<'_>,
    graph: &Graph,
    reducer: Option<&Reducer<'_>>,
) -> Certificate {
    let program = bench.program;
    let mut by_place: BTreeMap<Vec<_>, (Place, Vec<Term>)> = BTreeMap::new();
    for (_, node) in graph.present().filter(|(_, n)| n.is_live()) {
        let controls = program.processes.iter().map(|p| p.control);
        let at = node.place.location.iter().map(|&at| Value::int(at));
        let mut fixed: Vec<_> = controls.zip(at).chain(node.place.values.iter().cloned()).collect();
        fixed.sort_by_key(|(variable, _)| *variable);
        let entry = by_place.entry(fixed).or_insert_with(|| (node.place.clone(), Vec::new()));
        entry.1.push(node.state);
    }
    let domains = bench.domains();
    let mut fragment = Vec::new();
    let mut movers: Vec<Movers> = Vec::new();
    for (fixed, (place, states)) in by_place {
        movers.extend(reducer.map(|reducer| reducer.movers(&place)));
        let states = bench.store.or(states);
        let pairs: Vec<_> = fixed
            .iter()
            .map(|(v, value)| (program.variables[*v].term, bench.store.constant(value.clone())))
            .collect();
        let here = bench.store.substitute(domains, &pairs);
        let formula = bench.store.and([states, here]);
        fragment.push(Region { fixed, formula });
    }
    let set = ClosedSet {
        store: bench.store.clone(),
        points: Vec::new(),
        prefix: Vec::new(),
        fragment,
        quotient: None,
    };
    if movers.iter().all(|movers| movers.processes.is_none()) {
        return Certificate::Closed(set);
    }
    Certificate::Reduced(Reduced { set, points: Vec::new(), fragment: movers })
}
