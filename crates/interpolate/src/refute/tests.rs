//! The search against an enumeration, and its proofs step by step.

use super::LARGE;
use super::clause::{Clause, Lit, Origin};
use super::proof::Proof;
use super::search::{Search, Verdict};
use super::theory::Theory;
use parallax_base::Budget;
use parallax_term::TermStore;
use std::collections::BTreeSet;

/// A small generator of numbers (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % n
    }
}

/// Runs the search on clauses over names without a meaning.
fn search(vars: u32, clauses: &[Vec<Lit>]) -> (Search, Verdict) {
    let mut theory = Theory::default();
    (0..vars).for_each(|_| {
        theory.name(0);
    });
    let mut search = Search::new(vars as usize);
    for literals in clauses {
        search.add(Clause { literals: literals.clone(), origin: Origin::Part(0, None) });
    }
    let verdict = search.run(&mut TermStore::new(), &mut theory, LARGE, &Budget::unlimited());
    (search, verdict.expect("no limit"))
}

/// Checks every resolution of a proof, down to clauses of the problem.
fn replay(clauses: &[Clause], empty: usize) {
    assert!(clauses[empty].literals.is_empty());
    let proof = Proof::new(clauses, empty);
    assert!(proof.len() > 0);
    for clause in &clauses[..=empty] {
        let Origin::Chain(first, steps) = &clause.origin else { continue };
        let literals =
            |id: usize| -> BTreeSet<Lit> { clauses[id].literals.iter().copied().collect() };
        let mut resolvent = literals(*first);
        for &(var, other) in steps {
            let here = resolvent.iter().copied().find(|l| l.var() == var).expect("the pivot");
            let mut other = literals(other);
            assert!(other.remove(&here.negated()), "the pivot occurs negated");
            resolvent.remove(&here);
            resolvent.extend(other);
        }
        let expected: BTreeSet<Lit> = clause.literals.iter().copied().collect();
        assert_eq!(resolvent, expected);
    }
}

#[test]
fn agrees_with_enumeration_and_proves_what_it_refutes() {
    let (mut open, mut refuted) = (0, 0);
    for seed in 1..400u64 {
        let random = &mut Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let vars = 4 + random.below(5) as u32;
        let count = u64::from(vars) * 3 + random.below(u64::from(vars) * 3);
        let clauses: Vec<Vec<Lit>> = (0..count)
            .map(|_| {
                let size = 1 + random.below(3) + u64::from(random.below(4) > 0);
                let literal = |random: &mut Random| {
                    Lit::new(random.below(u64::from(vars)) as u32, random.below(2) == 0)
                };
                (0..size).map(|_| literal(random)).collect()
            })
            .collect();
        let holds = |state: u32, l: &Lit| (state >> l.var() & 1 == 1) == l.is_positive();
        let has_model = (0..1u32 << vars)
            .any(|state| clauses.iter().all(|c| c.iter().any(|l| holds(state, l))));
        let (search, verdict) = search(vars, &clauses);
        match verdict {
            Verdict::Refuted(empty) => {
                assert!(!has_model, "seed {seed}");
                replay(search.clauses(), empty);
                refuted += 1;
            }
            Verdict::Open => {
                assert!(has_model, "seed {seed}");
                open += 1;
            }
        }
    }
    assert!(open > 50 && refuted > 50, "{open} {refuted}");
}

#[test]
fn pigeons_do_not_fit() {
    let (pigeons, holes) = (6, 5);
    let sits = |pigeon: u32, hole: u32| Lit::new(pigeon * holes + hole, true);
    let mut clauses: Vec<Vec<Lit>> =
        (0..pigeons).map(|p| (0..holes).map(|h| sits(p, h)).collect()).collect();
    for hole in 0..holes {
        for p in 0..pigeons {
            for q in 0..p {
                clauses.push(vec![sits(p, hole).negated(), sits(q, hole).negated()]);
            }
        }
    }
    let (search, verdict) = search(pigeons * holes, &clauses);
    let Verdict::Refuted(empty) = verdict else { panic!("there is no model") };
    replay(search.clauses(), empty);
}
