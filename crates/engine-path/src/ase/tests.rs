//! Theorem 4.2.3 of the thesis: with more predicates, the printed search
//! explores more concrete states, never others.

use super::printed::{self, Explored};
use crate::node::Node;
use crate::work::Work;
use parallax_base::{Budget, Id, SourceFile, SourceMap};
use parallax_engine::{Question, Resources};
use parallax_front_model::{Options, load};
use parallax_ir::{Program, State};
use parallax_solver::SolverConfig;
use std::collections::BTreeSet;
use std::path::Path;

fn program(model: &str, defines: &[(&str, &str)]) -> Program {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models").join(model);
    let text = std::fs::read_to_string(path).expect("the model is there");
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new(model, text));
    let defines = defines.iter().map(|(n, v)| (n.to_string(), v.to_string())).collect();
    load(&mut sources, file, &Options { defines, ..Options::default() })
        .expect("the model is right")
        .program
}

fn points(explored: &Explored) -> BTreeSet<State> {
    let point = |(node, _): &(Node, u32)| match node {
        Node::Point(state) => Some(state.clone()),
        Node::Symbolic(_) => None,
    };
    explored.nodes.iter().filter_map(point).collect()
}

/// Runs the printed algorithm and compares the explored states of each round
/// with those of the round before. Returns the number of rounds.
fn grows(model: &str, defines: &[(&str, &str)], rounds: usize) -> usize {
    let program = program(model, defines);
    let (budget, solver) = (Budget::unlimited(), SolverConfig::default());
    let question = Question { program: &program, property: Id::new(0) };
    let resources = Resources { budget: &budget, solver: &solver, picture: true, reduce: true };
    let mut work = Work::new(question, resources, true, &[]).expect("Z3 starts");
    let mut before: BTreeSet<State> = BTreeSet::new();
    for round in 0..rounds {
        let explored = printed::symbolic_exec(&mut work, false).expect("no limit");
        if explored.error.is_some() {
            // The theorem speaks of complete explorations.
            return round + 1;
        }
        let now = points(&explored);
        assert!(before.is_subset(&now), "{model}: round {} lost states", round + 1);
        assert!(round == 0 || before.len() < now.len() || before == now);
        before = now;
        match printed::round(&mut work, false).expect("no limit") {
            super::Round::Refined => {}
            super::Round::Done(..) => return round + 1,
        }
    }
    rounds
}

#[test]
fn per_path_exploration_is_monotone() {
    assert_eq!(grows("ticket.plx", &[("N", "2")], 9), 4);
    assert_eq!(grows("mesi.plx", &[("N", "4")], 9), 5);
    assert_eq!(grows("bakery.plx", &[], 9), 2);
    assert_eq!(grows("rax-x.plx", &[("X", "4")], 9), 3);
}
