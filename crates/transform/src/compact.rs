//! Removes locations that cannot be reached and steps that do nothing.
//!
//! A location whose only edge does nothing is one with the edge's target,
//! unless both are heads of loops of the source, or both are marked. An endless
//! loop that does nothing keeps one edge, and so does a place that is noted. What
//! follows an unsupported construct is replaced by the end of the run.

use crate::dependence::is_final;
use crate::origin::{FunctionOrigin, Origin};
use parallax_base::{Id, IdVec};
use parallax_cfa::{Edge, Function, Graph, Halt, Location, Mark, Op, Program};

/// A program without needless locations and edges.
#[derive(Clone, Debug)]
pub struct Compacted {
    /// The program.
    pub program: Program,
    /// Its way back.
    pub origin: Origin,
}

/// Compacts all functions. A program with threads stays as it is: where an
/// edge ends, another thread may move.
pub fn compact(program: &Program) -> Compacted {
    let mut result = program.clone();
    let mut origin = Origin::identity(program);
    if program.has_threads() {
        return Compacted { program: result, origin };
    }
    for (id, function) in program.functions.iter_enumerated() {
        if function.is_defined {
            let way = &mut origin.functions[id.index()];
            result.functions[id] = compact_function(function, way);
        }
    }
    Compacted { program: result, origin }
}

fn compact_function(old: &Function, way: &mut FunctionOrigin) -> Function {
    let graph = Graph::new(old);
    let mut locations: Vec<Location> = old.locations.iter().cloned().collect();
    let ends = merged(old, &graph, &mut locations);
    let end = |at: Id<Location>| ends[at.index()];
    // What can be reached from the entry over edges that remain.
    let mut kept = vec![false; old.locations.len()];
    let mut work = vec![end(old.entry)];
    kept[end(old.entry).index()] = true;
    while let Some(at) = work.pop() {
        for edge in graph.leaving(at) {
            let edge = &old.edges[*edge];
            if is_final(&edge.op) && !ends_run(edge) {
                continue;
            }
            let target = end(edge.target);
            if !std::mem::replace(&mut kept[target.index()], true) {
                work.push(target);
            }
        }
    }
    kept[end(old.exit).index()] = true;
    let mut number: Vec<Option<Id<Location>>> = vec![None; old.locations.len()];
    let mut new = Function { locations: IdVec::default(), edges: IdVec::default(), ..old.clone() };
    let mut origin = FunctionOrigin::default();
    for at in old.locations.ids().filter(|at| kept[at.index()]) {
        number[at.index()] = Some(new.locations.push(locations[at.index()].clone()));
        origin.locations.push(way.locations[at.index()]);
    }
    let mut unsupported = Vec::new();
    for (id, edge) in old.edges.iter_enumerated() {
        if matches!(edge.op, Op::Unsupported(_)) && number[edge.source.index()].is_some() {
            unsupported.push(id);
            continue;
        }
        let target = end(edge.target);
        let skipped = end(edge.source) != edge.source;
        let ways = (number[edge.source.index()], number[target.index()]);
        if let (false, (Some(source), Some(target))) = (skipped, ways) {
            new.edges.push(Edge { source, target, ..edge.clone() });
            origin.edges.push(way.edges[id.index()]);
        }
    }
    // One end for all that is not supported.
    if let Some(first) = unsupported.first() {
        let edge = &old.edges[*first];
        let like = Location::at(old.locations[edge.source].span);
        let stop = new.locations.push(like.clone());
        let over = new.locations.push(like);
        let from = way.locations[edge.source.index()];
        origin.locations.extend([from, from]);
        for id in &unsupported {
            let edge = &old.edges[*id];
            let source = number[edge.source.index()].unwrap_or(stop);
            new.edges.push(Edge { source, target: stop, ..edge.clone() });
            origin.edges.push(way.edges[id.index()]);
        }
        new.edges.push(Edge {
            source: stop,
            target: over,
            op: Op::Halt(Halt::End),
            branch: None,
            ..edge.clone()
        });
        origin.edges.push(way.edges[first.index()]);
    }
    let numbered = |at: Id<Location>| number[end(at).index()].unwrap_or(at);
    (new.entry, new.exit) = (numbered(old.entry), numbered(old.exit));
    *way = origin;
    new
}

/// Whether nothing follows the edge, not even for show.
fn ends_run(edge: &Edge) -> bool {
    matches!(edge.op, Op::Halt(_) | Op::Error(_))
}

/// For each location the one it is merged into; marks of the source move along.
fn merged(old: &Function, graph: &Graph, locations: &mut [Location]) -> Vec<Id<Location>> {
    let is_noted = |at: Id<Location>| matches!(old.locations[at].mark, Some(Mark::Note(_)));
    let next = |at: Id<Location>| match graph.leaving(at) {
        [edge] if matches!(old.edges[*edge].op, Op::Skip) && !is_noted(at) => {
            Some(old.edges[*edge].target)
        }
        _ => None,
    };
    let mut ends: Vec<Option<Id<Location>>> = vec![None; old.locations.len()];
    let mut seen = vec![false; old.locations.len()];
    for start in old.locations.ids() {
        let (mut chain, mut at) = (Vec::new(), start);
        // A chain ends at a step that does something, at what is decided, or
        // where it meets itself.
        let mut end = loop {
            if let Some(end) = ends[at.index()] {
                break end;
            }
            match next(at) {
                Some(to) if !std::mem::replace(&mut seen[at.index()], true) => {
                    chain.push(at);
                    at = to;
                }
                _ => break at,
            }
        };
        ends[end.index()] = Some(end);
        for at in chain.into_iter().rev() {
            if at == end {
                continue;
            }
            let Location { label, loop_head, mark, .. } = locations[at.index()].clone();
            let into = &mut locations[end.index()];
            let are_heads = loop_head.is_some() && into.loop_head.is_some();
            if are_heads || mark.is_some() && into.mark.is_some() {
                end = at;
            } else {
                into.loop_head = into.loop_head.or(loop_head);
                into.label = into.label.take().or(label);
                into.mark = into.mark.or(mark);
            }
            ends[at.index()] = Some(end);
        }
    }
    old.locations.ids().map(|at| ends[at.index()].unwrap_or(at)).collect()
}
