//! The abstract transition system of a search as a graph.
//!
//! Drawn as in Albarghouthi (MSc thesis, Toronto 2010), Fig. 2.2: a node holds
//! explicit values and the truth of each predicate, a solid edge is exact, a
//! dotted one is not.

use parallax_evidence::{AbstractState, AbstractSystem};
use parallax_ir::Program;

use crate::formula::Printer;
use crate::graph::{Edge, EdgeStyle, Graph, Node, NodeKind};
use crate::state::assignment;

/// The abstract transition system as a graph; parallel steps share an edge.
pub fn abstract_graph(program: &Program, system: &AbstractSystem) -> Graph {
    let mut printer = Printer::new(program, &system.store);
    let truths: Vec<[String; 2]> =
        system.predicates.iter().map(|&p| [printer.negation(p), printer.term(p)]).collect();
    let names: Vec<String> =
        program.transitions(&mut program.store.clone()).into_iter().map(|t| t.name).collect();

    let node = |(i, state): (usize, &AbstractState)| Node {
        lines: node_lines(program, i, state, &truths),
        kind: if state.in_fragment { NodeKind::Core } else { NodeKind::Normal },
        initial: state.initial,
        group: None,
    };
    let nodes = system.states.iter().enumerate().map(node).collect();
    // A search that never asks shows plain steps, not doubtful ones.
    let asked = system.edges.iter().any(|e| e.exact.is_some());
    let edges = system.edges.iter().map(|edge| {
        let index = edge.transition as usize;
        let label = names.get(index).cloned().unwrap_or_else(|| format!("#{index}"));
        let inexact = asked && edge.exact != Some(true);
        let style = if inexact { EdgeStyle::Dotted } else { EdgeStyle::Solid };
        Edge { style, ..Edge::new(edge.source as usize, edge.target as usize, label) }
    });
    let mut notes = Vec::new();
    if asked {
        notes.push("solid edge: exact; dotted edge: inexact, or not known to be exact".to_owned());
    }
    if system.states.iter().any(|s| s.in_fragment) {
        notes.push("thick line: in the fragment the proof rests on".to_owned());
    }
    let title = format!("{}: abstract transition system", program.name);
    let mut graph = Graph { title, nodes, edges: edges.collect(), notes, ..Graph::default() };
    graph.join_parallel_edges();
    graph
}

fn node_lines(
    program: &Program,
    index: usize,
    state: &AbstractState,
    truths: &[[String; 2]],
) -> Vec<String> {
    let mut lines = vec![format!("a{}", index + 1)];
    let values = state.explicit.iter().filter_map(|(id, value)| {
        let variable = program.variables.get(*id)?;
        assignment(program, variable, value)
    });
    lines.extend(values);
    lines.extend(
        truths.iter().zip(&state.bits).map(|(texts, &bit)| texts[usize::from(bit)].clone()),
    );
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::ticket;
    use parallax_base::Id;
    use parallax_evidence::AbstractEdge;
    use parallax_term::Value;

    #[test]
    fn states_steps_and_a_legend() {
        let program = ticket();
        let mut store = program.store.clone();
        let variables = &program.variables;
        let (t, s) = (variables[Id::new(0)].term, variables[Id::new(1)].term);
        let predicate = store.le(t, s);
        let state = |location: i64, bit, initial| AbstractState {
            explicit: vec![(Id::new(3), Value::int(location))],
            bits: vec![bit],
            initial,
            in_fragment: !initial,
        };
        let edge = |source, transition, target, exact| AbstractEdge {
            source,
            transition,
            target,
            exact: Some(exact),
        };
        let system = AbstractSystem {
            store,
            predicates: vec![predicate],
            states: vec![state(0, true, true), state(1, false, false)],
            edges: vec![
                edge(0, 0, 1, false),
                edge(1, 1, 0, true),
                edge(1, 2, 0, true),
                edge(1, 99, 1, true),
            ],
        };
        insta::assert_snapshot!(crate::to_text(&abstract_graph(&program, &system)), @"
        ticket: abstract transition system
          [0] a1  (initial)
              P[0]@idle
              t <= s
              .. P[0].take .> [1]
          [1] a2  (core)
              P[0]@waiting
              t > s
              -- P[0].enter; P[0].leave -> [0]
              -- #99 -> [1]
        solid edge: exact; dotted edge: inexact, or not known to be exact
        thick line: in the fragment the proof rests on
        ");
    }
}
