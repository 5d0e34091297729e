//! The two algorithms agree on 100,000 random pairs of systems, and what they
//! hand out is right.

use parallax_base::Budget;
use parallax_generate::Random;
use parallax_generate::system::{SILENT, System};
use parallax_lts::{CeDag, Lts, StateId, TAU};
use parallax_simulate::{
    Comparison, Conformance, compare_by_blocks, is_simulation, largest_simulation, simulates,
    trace_contained,
};
use std::collections::BTreeSet;

fn lts(system: &System) -> Lts {
    let mut lts = Lts::new("random");
    for _ in 0..system.states {
        lts.add_state();
    }
    for (from, label, to) in &system.edges {
        let action = if label == SILENT { TAU } else { lts.action(label) };
        lts.add_edge(*from as StateId, action, *to as StateId);
    }
    lts
}

/// Every node of a counterexample is a step of the left, its children are all
/// answers of the right, and no node is its own descendant.
fn justified(dag: &CeDag, left: &Lts, right: &Lts) -> bool {
    let weak = parallax_lts::saturate(right, &Budget::unlimited()).expect("no limit");
    let first = dag.nodes.first().map(|node| (node.left, node.right));
    first == Some((left.initial(), right.initial()))
        && dag.nodes.iter().enumerate().all(|(number, node)| {
            let label = left.label(node.action);
            let answers: BTreeSet<StateId> = weak
                .find_action(label)
                .map(|a| weak.edges_with(node.right, a).iter().map(|e| e.target).collect())
                .unwrap_or_default();
            let children: BTreeSet<StateId> =
                node.children.iter().map(|&child| dag.nodes[child].right).collect();
            left.edges_with(node.left, node.action).iter().any(|e| e.target == node.target)
                && answers == children
                && node
                    .children
                    .iter()
                    .all(|&child| child > number && dag.nodes[child].left == node.target)
        })
}

/// Blocks give the answer that the definition gives, and their relations are
/// simulations.
#[test]
fn blocks_agree_with_the_definition() {
    let budget = Budget::unlimited();
    let mut random = Random(1995);
    let (mut yes, mut no) = (0, 0);
    for round in 0..20_000 {
        let labels: &[&str] = if round % 3 == 0 { &["a", "b"] } else { &["a", "b", "tau"] };
        let (n, m) = (1 + random.index(6), 1 + random.index(6));
        let edges = random.index(2 * n + 1);
        let left = lts(&System::random(&mut random, n, edges, labels));
        let edges = random.index(3 * m + 2);
        let right = lts(&System::random(&mut random, m, edges, labels));
        let expected = largest_simulation(&left, &right);
        let related = expected.contains(&(left.initial(), right.initial()));
        match compare_by_blocks(&left, &right, &budget).expect("no limit") {
            Some(Comparison::Related(found)) => {
                let holds = |&(p, q): &(StateId, StateId)| {
                    let (p, q) = (found.left[p as usize], found.right[q as usize]);
                    found.related[p as usize].contains(&q)
                };
                let all = left.states().flat_map(|p| right.states().map(move |q| (p, q)));
                let pairs: BTreeSet<_> = all.filter(holds).collect();
                assert!(related && is_simulation(&left, &right, &pairs), "{left:?} {right:?}");
                assert_eq!(found.pairs(), pairs.len() as u64);
                assert_eq!(pairs, expected, "it is the largest");
                yes += 1;
            }
            Some(Comparison::Distinguished(formula)) => {
                assert!(!related, "{left:?} {right:?}");
                assert!(!formula.first_path().is_empty());
                no += 1;
            }
            other => unreachable!("small systems are decided by blocks: {other:?}"),
        }
    }
    assert!(yes > 4_000 && no > 4_000, "{yes} {no}");
}

#[test]
fn two_algorithms_agree_on_a_hundred_thousand_pairs() {
    let budget = Budget::unlimited();
    let mut random = Random(2002);
    let (mut yes, mut no, mut only_traces) = (0, 0, 0);
    for round in 0..100_000 {
        let labels: &[&str] = if round % 3 == 0 { &["a", "b"] } else { &["a", "b", "tau"] };
        let (n, m) = (1 + random.index(5), 1 + random.index(5));
        let edges = random.index(2 * n + 1);
        let first = System::random(&mut random, n, edges, labels);
        let edges = random.index(3 * m + 2);
        let second = System::random(&mut random, m, edges, labels);
        let (left, right) = (lts(&first), lts(&second));
        let expected = largest_simulation(&left, &right);
        let related = expected.contains(&(left.initial(), right.initial()));
        // The truth once more, by definition; it takes its time.
        if round % 50 == 0 {
            assert_eq!(related, first.is_simulated_by(&second), "round {round}");
        }
        let found = simulates(&left, &right, &budget).expect("no limit");
        let traces = trace_contained(&left, &right, &budget).expect("no limit");
        if round % 50 == 0 {
            let contained = first.has_traces_in(&second);
            assert_eq!(traces.counterexample.is_none(), contained, "round {round}");
        }
        match found.conformance {
            Conformance::Conforms(relation) => {
                assert!(related, "round {round}: the definition says no");
                let relation: BTreeSet<_> = relation.into_iter().collect();
                assert!(relation.is_subset(&expected), "round {round}");
                assert!(is_simulation(&left, &right, &relation), "round {round}");
                assert!(traces.counterexample.is_none(), "round {round}: simulation, no traces");
                yes += 1;
            }
            Conformance::Differs(dag) => {
                assert!(!related, "round {round}: the definition says yes");
                assert!(justified(&dag, &left, &right), "round {round}: {dag:?}");
                no += 1;
                only_traces += u32::from(traces.counterexample.is_none());
            }
        }
    }
    assert!(yes > 20_000 && no > 20_000 && only_traces > 20, "{yes} {no} {only_traces}");
}

/// The first example of the paper: the left does alpha and then something that
/// the right has only after another alpha.
#[test]
fn a_counterexample_has_the_edge_of_the_paper() {
    let mut left = Lts::new("M");
    let (alpha, beta) = (left.action("alpha"), left.action("beta"));
    let states: Vec<StateId> = (0..3).map(|_| left.add_state()).collect();
    left.add_edge(states[0], alpha, states[1]);
    left.add_edge(states[1], beta, states[2]);
    let mut right = Lts::new("M'");
    let alpha = right.action("alpha");
    right.add_state();
    right.add_state();
    right.add_edge(0, alpha, 1);
    let found = simulates(&left, &right, &Budget::unlimited()).expect("no limit");
    let Conformance::Differs(dag) = found.conformance else { panic!("it differs") };
    let pairs: Vec<_> = dag.nodes.iter().map(|n| (n.left, n.right, n.children.clone())).collect();
    assert_eq!(pairs, [(0, 0, vec![1]), (1, 1, vec![])]);
    assert_eq!(left.label(dag.nodes[1].action), "beta");
    assert_eq!(dag.paths(9), [[0, 1]]);
}

#[test]
fn simulation_is_stronger_than_trace_containment() {
    // a.(b + c) has the traces of a.b + a.c and is not simulated by it.
    let mut left = Lts::new("L");
    let (a, b, c) = (left.action("a"), left.action("b"), left.action("c"));
    (0..3).for_each(|_| _ = left.add_state());
    left.add_edge(0, a, 1);
    left.add_edge(1, b, 2);
    left.add_edge(1, c, 2);
    let mut right = Lts::new("R");
    let (a, b, c) = (right.action("a"), right.action("b"), right.action("c"));
    (0..4).for_each(|_| _ = right.add_state());
    right.add_edge(0, a, 1);
    right.add_edge(0, a, 2);
    right.add_edge(1, b, 3);
    right.add_edge(2, c, 3);
    let budget = Budget::unlimited();
    let one = simulates(&left, &right, &budget).expect("no limit");
    let Conformance::Differs(dag) = one.conformance else { panic!("not simulated") };
    assert_eq!(dag.nodes[0].children.len(), 2, "both answers of the right are refuted");
    assert_eq!(dag.paths(9).len(), 2);
    assert!(trace_contained(&left, &right, &budget).expect("no limit").counterexample.is_none());
    let back = simulates(&right, &left, &budget).expect("no limit");
    assert!(matches!(back.conformance, Conformance::Conforms(_)));
}

/// "The n-th action from the end is an a": the deterministic right-hand side
/// has 2^n sets, simulation stays at pairs of states.
#[test]
fn nondeterminism_costs_traces_more_than_simulation() {
    let n = 12;
    let mut right = Lts::new("R");
    let (a, b) = (right.action("a"), right.action("b"));
    (0..=n).for_each(|_| _ = right.add_state());
    right.add_edge(0, a, 0);
    right.add_edge(0, b, 0);
    right.add_edge(0, a, 1);
    for state in 1..n {
        right.add_edge(state, a, state + 1);
        right.add_edge(state, b, state + 1);
    }
    let left = right.clone();
    let budget = Budget::unlimited();
    let found = simulates(&left, &right, &budget).expect("no limit");
    assert!(matches!(found.conformance, Conformance::Conforms(_)));
    assert!(found.pairs < 400, "{}", found.pairs);
    let traces = trace_contained(&left, &right, &budget).expect("no limit");
    assert!(
        traces.counterexample.is_none() && traces.sets.len() >= 1 << n,
        "{}",
        traces.sets.len()
    );
}
