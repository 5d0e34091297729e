//! Evidence about labelled transition systems: what the algorithms hand out is
//! accepted, and no damage makes the checker accept what is not so.

use parallax_base::Budget;
use parallax_certify::check_system;
use parallax_evidence::{SystemEvidence, SystemQuestion};
use parallax_generate::Random;
use parallax_lts::{
    Edge, Lts, ProgressCheck, StateId, TAU, check_progress, check_safety, progress_ranks,
    reachable_states, shortest_path,
};
use parallax_simulate::{
    Comparison, Conformance, compare_by_blocks, largest_simulation, simulates, trace_contained,
};

fn system(random: &mut Random, labels: &[&str]) -> Lts {
    let mut lts = Lts::new("random");
    let states = 1 + random.index(5);
    for _ in 0..states {
        lts.add_state();
    }
    if states > 2 && random.index(3) == 0 {
        lts.set_error(Some(states as StateId - 1));
    } else if states > 2 && random.index(3) == 0 {
        lts.set_end(Some(states as StateId - 1));
    }
    let silent = |lts: &mut Lts, label: &str| if label == "tau" { TAU } else { lts.action(label) };
    for _ in 0..random.index(2 * states + 2) {
        let from = random.index(states) as StateId;
        let special = lts.error() == Some(from) || lts.end() == Some(from);
        let action = silent(&mut lts, labels[random.index(labels.len())]);
        let to = random.index(states) as StateId;
        if !special {
            lts.add_edge(from, action, to);
        }
    }
    lts
}

/// Evidence of the algorithms for a question, and the truth.
fn answer(lts: &Lts, question: SystemQuestion<'_>) -> (SystemEvidence, bool) {
    let budget = Budget::unlimited();
    let path = |state| shortest_path(lts, state).expect("it is reached");
    let all = || SystemEvidence::Closed(reachable_states(lts));
    match question {
        SystemQuestion::NoError => match (check_safety(lts).error, lts.error()) {
            (Some(_), Some(state)) => (SystemEvidence::Path(path(state)), false),
            _ => (all(), true),
        },
        SystemQuestion::NoDeadlock => match check_safety(lts).deadlock {
            Some(deadlock) => (SystemEvidence::Path(path(deadlock.state)), false),
            None => (all(), true),
        },
        SystemQuestion::Progress(property) => {
            let ranks = progress_ranks(lts, property);
            match check_progress(lts, std::slice::from_ref(property)).into_iter().next() {
                Some(v) => {
                    assert_eq!(ranks, None, "a violated property has no ranks");
                    let states = v.states.clone();
                    (SystemEvidence::Terminal { path: path(v.state), states }, false)
                }
                None => (SystemEvidence::Ranked(ranks.expect("it holds")), true),
            }
        }
        SystemQuestion::SimulatedBy(right) => {
            let initial = (lts.initial(), right.initial());
            let truth = largest_simulation(lts, right).contains(&initial);
            match simulates(lts, right, &budget).expect("no limit").conformance {
                Conformance::Conforms(pairs) => (SystemEvidence::Relation(pairs), truth),
                Conformance::Differs(dag) => (SystemEvidence::Differs(dag), truth),
            }
        }
        SystemQuestion::Assertion(_) => unreachable!("formulas have tests of their own"),
        SystemQuestion::TracesOf(right) => {
            let found = trace_contained(lts, right, &budget).expect("no limit");
            match found.counterexample {
                None => (SystemEvidence::Sets { pairs: found.pairs, sets: found.sets }, true),
                Some(steps) => {
                    let edges = steps.iter().map(|&(action, target)| Edge { action, target });
                    (SystemEvidence::Trace(edges.collect()), false)
                }
            }
        }
    }
}

/// The same by blocks, where that applies.
fn answer_by_blocks(lts: &Lts, question: SystemQuestion<'_>) -> Option<SystemEvidence> {
    let SystemQuestion::SimulatedBy(right) = question else { return None };
    match compare_by_blocks(lts, right, &Budget::unlimited()).expect("no limit")? {
        Comparison::Related(relation) => Some(SystemEvidence::Blocks(relation)),
        Comparison::Distinguished(formula) => Some(SystemEvidence::Distinguished(formula)),
        Comparison::Pairs(_) => None,
    }
}

/// Changes one number, or takes one item away.
fn damage(evidence: &SystemEvidence, random: &mut Random) -> SystemEvidence {
    let number = |random: &mut Random| random.index(6) as StateId;
    let mut copy = evidence.clone();
    let edges = |path: &mut Vec<Edge>, random: &mut Random| {
        let at = random.index(path.len() + 1);
        match path.get_mut(at) {
            Some(edge) if random.index(2) == 0 => edge.target = random.index(6) as StateId,
            Some(_) => drop(path.remove(at)),
            None => path.push(Edge { action: random.index(3) as u32, target: 0 }),
        }
    };
    let states = |list: &mut Vec<StateId>, random: &mut Random| {
        let at = random.index(list.len() + 1);
        match list.get_mut(at) {
            Some(state) if random.index(2) == 0 => *state = random.index(6) as StateId,
            Some(_) => drop(list.remove(at)),
            None => list.push(random.index(6) as StateId),
        }
    };
    match &mut copy {
        SystemEvidence::Closed(list) => states(list, random),
        SystemEvidence::Path(path) | SystemEvidence::Trace(path) => edges(path, random),
        SystemEvidence::Ranked(proof) => {
            let at = random.index(proof.ranks.len() + 1);
            match proof.ranks.get_mut(at) {
                Some(ranked) if random.index(2) == 0 => ranked.1 = number(random),
                Some(_) => drop(proof.ranks.remove(at)),
                None => states(&mut proof.quiet, random),
            }
        }
        SystemEvidence::Terminal { path, states: set } => match random.index(2) {
            0 => edges(path, random),
            _ => states(set, random),
        },
        SystemEvidence::Relation(pairs) => {
            let at = random.index(pairs.len() + 1);
            match pairs.get_mut(at) {
                Some(pair) if random.index(2) == 0 => pair.1 = number(random),
                Some(_) => drop(pairs.remove(at)),
                None => pairs.push((number(random), number(random))),
            }
        }
        SystemEvidence::Differs(dag) => {
            let at = random.index(dag.nodes.len());
            match random.index(5) {
                0 => dag.nodes[at].target = number(random),
                1 => dag.nodes[at].right = number(random),
                2 => dag.nodes[at].children.clear(),
                3 => dag.nodes[at].children.push(random.index(4)),
                _ => dag.nodes[at].action = number(random),
            }
        }
        SystemEvidence::Blocks(proof) => {
            let at = random.index(proof.left.len());
            match random.index(4) {
                0 => proof.left[at] = number(random),
                1 => {
                    let at = random.index(proof.right.len());
                    proof.right[at] = number(random);
                }
                2 => {
                    let at = random.index(proof.related.len());
                    states(&mut proof.related[at], random);
                }
                _ => drop(proof.left.remove(at)),
            }
        }
        SystemEvidence::Distinguished(formula) => {
            let at = random.index(formula.nodes.len());
            let node = &mut formula.nodes[at];
            match (random.index(4), node.first_mut()) {
                (0, Some(conjunct)) => conjunct.0 = random.index(4) as u32,
                (1, Some(conjunct)) => conjunct.1 = random.index(4),
                (2, Some(_)) => drop(node.remove(0)),
                _ => drop(formula.nodes.remove(at)),
            }
        }
        SystemEvidence::Fair(_) | SystemEvidence::Run { .. } => {
            unreachable!("formulas have tests of their own")
        }
        SystemEvidence::Sets { pairs, sets } => {
            let at = random.index(pairs.len());
            match random.index(3) {
                0 => pairs[at].1 = number(random),
                1 => drop(pairs.remove(at)),
                _ => {
                    let at = random.index(sets.len());
                    states(&mut sets[at], random);
                }
            }
        }
    }
    copy
}

#[test]
fn evidence_is_accepted_and_damaged_evidence_never_lies() {
    let budget = Budget::unlimited();
    let mut random = Random(2026);
    let labels = ["a", "b", "tau"];
    let progress = [
        ProgressCheck { name: "P".into(), condition: None, actions: vec!["a".into()] },
        ProgressCheck {
            name: "Q".into(),
            condition: Some(vec!["b".into()]),
            actions: vec!["a".into()],
        },
    ];
    let (mut tried, mut refused, mut truths) = (0, 0, [0; 2]);
    for _ in 0..3_000 {
        let left = system(&mut random, &labels);
        let right = system(&mut random, &labels);
        let questions = [
            SystemQuestion::NoError,
            SystemQuestion::NoDeadlock,
            SystemQuestion::Progress(&progress[0]),
            SystemQuestion::Progress(&progress[1]),
            SystemQuestion::SimulatedBy(&right),
            SystemQuestion::TracesOf(&right),
        ];
        for question in questions {
            let (evidence, truth) = answer(&left, question);
            truths[usize::from(truth)] += 1;
            for evidence in [Some(evidence), answer_by_blocks(&left, question)] {
                let Some(evidence) = evidence else { continue };
                assert_eq!(evidence.holds(), truth, "{question:?} of {left:?}");
                let accepted = check_system(&left, question, &evidence, &budget);
                assert!(accepted.is_ok(), "{accepted:?}: {question:?} of {left:?}: {evidence:?}");
                for _ in 0..8 {
                    let damaged = damage(&evidence, &mut random);
                    let accepted = check_system(&left, question, &damaged, &budget);
                    tried += 1;
                    match accepted {
                        Ok(_) => assert_eq!(damaged.holds(), truth, "{question:?}: {damaged:?}"),
                        Err(_) => refused += 1,
                    }
                }
            }
            // Evidence for another question, of the other answer where the kinds agree.
            for other in questions {
                let (evidence, _) = answer(&left, other);
                if check_system(&left, question, &evidence, &budget).is_ok() {
                    assert_eq!(evidence.holds(), truth, "{question:?}: {evidence:?}");
                }
            }
        }
    }
    assert!(truths[0] > 2_000 && truths[1] > 2_000, "{truths:?}");
    // Most damage is fatal; the rest leaves evidence that is still right.
    assert!(refused * 2 > tried, "{refused} of {tried}");
}
