//! Calls of functions that do not exist become labelled locations.
//!
//! A call of [`STATE`] says: alternatives begin here. Behind it, after free
//! choices, there are calls that stand for actions. The location of the former
//! gets one edge for each of the latter, to a location whose label says which
//! action it is; so the alternatives are offered, not chosen beforehand.
//! Labels begin with `@`, which no label of C does; the encoder cuts blocks
//! there.

use crate::text::{ACTION, NEVER, STATE};
use parallax_base::{Id, IdVec};
use parallax_cfa::{Callee, Edge, Function, Location, Op, Program};
use std::collections::BTreeSet;

/// The label of a location where alternatives begin.
pub(crate) const OFFER: &str = "@offer";
/// How labels of locations that are entered by an action begin.
pub(crate) const DONE: &str = "@action";

/// Whom an edge calls.
fn called<'a>(program: &'a Program, edge: &Edge) -> Option<&'a str> {
    match &edge.op {
        Op::Call { callee: Callee::Direct(function), .. } => {
            Some(&program.functions[*function].name)
        }
        _ => None,
    }
}

/// The action that an edge stands for; 0 is silent.
fn action(program: &Program, edge: &Edge) -> Option<usize> {
    called(program, edge)?.strip_prefix(ACTION)?.parse().ok()
}

/// Rewrites the function that a program starts with.
pub(crate) fn mark(program: &mut Program) {
    let Some(main) = program.main else { return };
    let function = &program.functions[main];
    let mut leaving: Vec<Vec<Id<Edge>>> = vec![Vec::new(); function.locations.len()];
    for (id, edge) in function.edges.iter_enumerated() {
        leaving[edge.source.index()].push(id);
    }
    let mut locations: IdVec<Location> = function.locations.clone();
    let mut edges: Vec<Edge> = Vec::new();
    for edge in &function.edges {
        if called(program, edge) == Some(NEVER) {
            continue;
        }
        if called(program, edge) != Some(STATE) {
            // A call of an action is reached only by way of its state.
            let silent = action(program, edge).is_some();
            let op = if silent { Op::Skip } else { edge.op.clone() };
            edges.push(Edge { op, ..edge.clone() });
            continue;
        }
        let offer = &mut locations[edge.source];
        (offer.label, offer.span, offer.loop_head) = (Some(OFFER.into()), edge.span, None);
        for (number, after) in offers(program, function, &leaving, edge.target) {
            let to = |source, target| Edge {
                source,
                target,
                op: Op::Skip,
                span: edge.span,
                branch: None,
            };
            if number == 0 {
                edges.push(to(edge.source, after));
                continue;
            }
            let done = locations.push(Location {
                label: Some(format!("{DONE}{number}").into()),
                span: edge.span,
                loop_head: None,
            });
            edges.push(to(edge.source, done));
            edges.push(to(done, after));
        }
    }
    let function = &mut program.functions[main];
    function.locations = locations;
    function.edges = edges.into_iter().collect();
}

/// The actions behind a state, and where they lead.
fn offers(
    program: &Program,
    function: &Function,
    leaving: &[Vec<Id<Edge>>],
    start: Id<Location>,
) -> Vec<(usize, Id<Location>)> {
    let mut found = Vec::new();
    let mut seen = BTreeSet::from([start]);
    let mut open = vec![start];
    while let Some(at) = open.pop() {
        for &id in leaving[at.index()].iter().rev() {
            let edge = &function.edges[id];
            match action(program, edge) {
                Some(number) => found.push((number, edge.target)),
                None if matches!(called(program, edge), Some(STATE | NEVER)) => {}
                None => {
                    if seen.insert(edge.target) {
                        open.push(edge.target);
                    }
                }
            }
        }
    }
    found.sort();
    found.dedup();
    found
}
