//! Formulas under fair choice: what is handed out is accepted, no damage makes
//! the checker accept what is not so, and no fair run that is found by trying
//! all short ones breaks a formula that is said to hold.

use parallax_base::Budget;
use parallax_certify::check_system;
use parallax_evidence::{FairReason, SystemEvidence, SystemQuestion};
use parallax_fluents::decide;
use parallax_generate::Random;
use parallax_ltl::{Assertion, Atom, Ends, Fluent, Formula, Store, Sub};
use parallax_lts::{Edge, Lts, StateId, TAU};

fn system(random: &mut Random) -> Lts {
    let mut lts = Lts::new("random");
    let states = 1 + random.index(4);
    for _ in 0..states {
        lts.add_state();
    }
    let actions = [lts.action("a"), lts.action("b"), TAU];
    for _ in 0..random.index(2 * states + 2) {
        let (from, to) = (random.index(states) as StateId, random.index(states) as StateId);
        lts.add_edge(from, actions[random.index(3)], to);
    }
    lts
}

fn assertion(random: &mut Random) -> Assertion {
    let list = |labels: &[&str]| labels.iter().map(|&label| label.to_owned()).collect::<Vec<_>>();
    let fluents = vec![
        Fluent { name: "a".into(), initially: false, starts: list(&["a"]), ends: Ends::Otherwise },
        Fluent {
            name: "F".into(),
            initially: random.index(2) == 0,
            starts: list(&["b"]),
            ends: Ends::With(list(&["a"])),
        },
    ];
    let mut store = Store::default();
    let mut parts: Vec<Sub> = vec![store.atom(0), store.atom(1)];
    for _ in 0..1 + random.index(5) {
        let one = parts[random.index(parts.len())];
        let two = parts[random.index(parts.len())];
        parts.push(match random.index(8) {
            0 => store.not(one),
            1 => store.and([one, two]),
            2 => store.or([one, two]),
            3 => store.next(one),
            4 => store.until(one, two),
            5 => store.release(one, two),
            6 => store.always(one),
            _ => store.eventually(one),
        });
    }
    let root = parts[parts.len() - 1];
    let atoms =
        fluents.iter().map(|f| Atom { text: f.name.clone(), span: Default::default() }).collect();
    Assertion { name: "A".into(), formula: Formula { store, root, atoms }, fluents }
}

/// All paths of at most so many steps from a state.
fn paths(lts: &Lts, from: StateId, most: usize) -> Vec<Vec<Edge>> {
    let mut all: Vec<Vec<Edge>> = vec![Vec::new()];
    let mut next = 0;
    while let Some(path) = all.get(next).cloned() {
        next += 1;
        if path.len() < most {
            let at = path.last().map_or(from, |edge| edge.target);
            for &edge in lts.edges(at) {
                all.push([path.clone(), vec![edge]].concat());
            }
        }
    }
    all
}

/// Whether some short fair run breaks the formula.
fn broken(lts: &Lts, question: SystemQuestion<'_>) -> bool {
    let budget = Budget::unlimited();
    paths(lts, lts.initial(), 3).into_iter().any(|path| {
        let at = path.last().map_or(lts.initial(), |edge| edge.target);
        paths(lts, at, 5).into_iter().any(|cycle| {
            let run = SystemEvidence::Run { path: path.clone(), cycle };
            check_system(lts, question, &run, &budget).is_ok()
        })
    })
}

fn damage(evidence: &SystemEvidence, random: &mut Random) -> SystemEvidence {
    let mut copy = evidence.clone();
    match &mut copy {
        SystemEvidence::Run { path, cycle } => {
            let list = if random.index(2) == 0 { path } else { cycle };
            let at = random.index(list.len() + 1);
            match list.get_mut(at) {
                Some(edge) if random.index(2) == 0 => edge.target = random.index(4) as StateId,
                Some(_) => drop(list.remove(at)),
                None => list.push(Edge { action: random.index(3) as u32, target: 0 }),
            }
        }
        SystemEvidence::Fair(proof) => {
            let node = random.index(proof.nodes.len());
            let class = random.index(proof.classes.len());
            match random.index(7) {
                0 => drop(proof.nodes.remove(node)),
                1 => proof.nodes[node].class = random.index(proof.classes.len()) as u32,
                2 => proof.nodes[node].letter ^= 1 << random.index(2),
                3 => proof.classes[class].reason = FairReason::PutsOff(random.index(8) as u32),
                4 => {
                    let edge = Edge { action: random.index(3) as u32, target: 0 };
                    let state = random.index(4) as StateId;
                    proof.classes[class].reason = FairReason::Avoids(state, edge);
                }
                5 => proof.classes[class].order = random.index(4) as u32,
                _ => proof.classes[class].parent = Some(random.index(4) as u32),
            }
        }
        _ => unreachable!("formulas have other evidence"),
    }
    copy
}

#[test]
fn fair_evidence_is_accepted_and_damaged_evidence_never_lies() {
    let budget = Budget::unlimited();
    let mut random = Random(2003);
    let (mut tried, mut refused, mut truths) = (0, 0, [0; 2]);
    for round in 0..4_000 {
        let lts = system(&mut random);
        let assertion = assertion(&mut random);
        let question = SystemQuestion::Assertion(&assertion);
        let evidence = decide(&lts, &assertion, &budget).expect("no limit");
        let truth = evidence.holds();
        truths[usize::from(truth)] += 1;
        let accepted = check_system(&lts, question, &evidence, &budget);
        assert!(accepted.is_ok(), "{accepted:?}: {assertion:?} of {lts:?}: {evidence:?}");
        if truth && round % 4 == 0 {
            assert!(!broken(&lts, question), "{assertion:?} of {lts:?}");
        }
        for _ in 0..8 {
            let damaged = damage(&evidence, &mut random);
            tried += 1;
            match check_system(&lts, question, &damaged, &budget) {
                Ok(_) => assert_eq!(damaged.holds(), truth, "{assertion:?}: {damaged:?}"),
                Err(_) => refused += 1,
            }
        }
    }
    assert!(truths[0] > 800 && truths[1] > 800, "{truths:?}");
    assert!(refused * 2 > tried, "{refused} of {tried}");
}

/// What makes fair choice: without it, a run may idle for ever.
#[test]
fn a_choice_that_comes_again_and_again_is_made() {
    let mut lts = Lts::new("choice");
    let (a, b) = (lts.action("a"), lts.action("b"));
    lts.add_state();
    lts.add_edge(0, a, 0);
    lts.add_edge(0, b, 0);
    let mut random = Random(1);
    let Assertion { fluents, formula, .. } = assertion(&mut random);
    let mut store = Store::default();
    let atom = store.atom(0);
    let eventually = store.eventually(atom);
    let root = store.always(eventually);
    let formula = Formula { store, root, atoms: formula.atoms };
    let assertion = Assertion { name: "GF".into(), formula, fluents };
    let question = SystemQuestion::Assertion(&assertion);
    let budget = Budget::unlimited();
    let evidence = decide(&lts, &assertion, &budget).expect("no limit");
    assert!(evidence.holds());
    assert!(check_system(&lts, question, &evidence, &budget).is_ok());
    // Only `b` for ever breaks the formula, and is not fair.
    let cycle = vec![Edge { action: b, target: 0 }];
    let unfair = SystemEvidence::Run { path: Vec::new(), cycle };
    assert!(check_system(&lts, question, &unfair, &budget).is_err());
    // Where `a` is not possible, nobody has to choose it: the proof is none.
    let mut poorer = Lts::new("no choice");
    poorer.action("a");
    let b = poorer.action("b");
    poorer.add_state();
    poorer.add_edge(0, b, 0);
    assert!(!decide(&poorer, &assertion, &budget).expect("no limit").holds());
    assert!(check_system(&poorer, question, &evidence, &budget).is_err());
}
