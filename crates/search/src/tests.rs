//! The search against an enumeration, and its proofs step by step.

use crate::{Lit, Round, Search, Theory, luby};
use parallax_base::{Budget, Stop};
use std::collections::BTreeSet;
use std::convert::Infallible;

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

/// A clause, and what it is resolved from.
type Step = (Vec<Lit>, Option<(u32, Vec<(Lit, u32)>)>);

/// Names without a meaning, and all steps of the proof.
#[derive(Default)]
struct Names {
    steps: Vec<Step>,
    implied: Vec<(Lit, Infallible)>,
}

impl Theory for Names {
    type Why = Infallible;
    type Clash = Infallible;
    type Mark = ();

    fn mark(&mut self) {}

    fn undo(&mut self, (): ()) {}

    fn speaks(&self, _: Lit) -> bool {
        false
    }

    fn assert(&mut self, _: Lit) -> Result<(), Infallible> {
        Ok(())
    }

    fn propagate(&mut self, _: &Budget) -> Result<Result<(), Infallible>, Stop> {
        Ok(Ok(()))
    }

    fn implied(&mut self) -> &mut Vec<(Lit, Infallible)> {
        &mut self.implied
    }

    fn explain(&mut self, _: Lit, why: Infallible, _: &mut Vec<Lit>) -> u32 {
        match why {}
    }

    fn clash(&mut self, clash: Infallible, _: &mut Vec<Lit>) -> u32 {
        match clash {}
    }

    fn derived(&mut self, clause: &[Lit], first: u32, others: &[(Lit, u32)]) -> u32 {
        self.steps.push((clause.to_vec(), Some((first, others.to_vec()))));
        self.steps.len() as u32 - 1
    }
}

/// Searches for a model; whether there is one.
fn search(vars: usize, clauses: &[Vec<Lit>]) -> (Search<Names>, bool) {
    let mut search = Search::new(Names::default());
    (0..vars).for_each(|_| {
        search.add_var();
    });
    for literals in clauses {
        search.theory.steps.push((literals.clone(), None));
        let step = search.theory.steps.len() as u32 - 1;
        search.add_clause(literals, step);
    }
    let round = search.round(&[], &Budget::unlimited()).expect("no limit");
    (search, round == Round::Leaf)
}

/// Checks every resolution of a proof, down to clauses of the problem.
fn replay(search: &Search<Names>) {
    let steps = &search.theory.steps;
    assert!(steps[search.end as usize].0.is_empty());
    let literals = |id: u32| -> BTreeSet<Lit> { steps[id as usize].0.iter().copied().collect() };
    for (clause, from) in steps {
        let Some((first, others)) = from else { continue };
        let mut resolvent = literals(*first);
        for &(pivot, other) in others {
            let mut other = literals(other);
            assert!(resolvent.remove(&!pivot), "the pivot occurs negated");
            assert!(other.remove(&pivot), "the pivot occurs");
            resolvent.extend(other);
        }
        assert_eq!(resolvent, clause.iter().copied().collect());
    }
}

#[test]
fn agrees_with_enumeration_and_proves_what_it_refutes() {
    let (mut open, mut refuted) = (0, 0);
    for seed in 1..400u64 {
        let random = &mut Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let vars = 4 + random.below(5) as usize;
        let count = vars as u64 * 3 + random.below(vars as u64 * 3);
        let clauses: Vec<Vec<Lit>> = (0..count)
            .map(|_| {
                let size = 1 + random.below(3) + u64::from(random.below(4) > 0);
                let literal = |random: &mut Random| {
                    Lit::new(random.below(vars as u64) as usize, random.below(2) == 0)
                };
                (0..size).map(|_| literal(random)).collect()
            })
            .collect();
        let holds = |state: u32, l: &Lit| (state >> l.var() & 1 == 1) == l.is_positive();
        let expected = (0..1u32 << vars)
            .any(|state| clauses.iter().all(|c| c.iter().any(|l| holds(state, l))));
        let (search, has_model) = search(vars, &clauses);
        assert_eq!(has_model, expected, "seed {seed}");
        if has_model {
            open += 1;
        } else {
            replay(&search);
            refuted += 1;
        }
    }
    assert!(open > 50 && refuted > 50, "{open} {refuted}");
}

#[test]
fn pigeons_do_not_fit() {
    let (pigeons, holes) = (6, 5);
    let sits = |pigeon: usize, hole: usize| Lit::new(pigeon * holes + hole, true);
    let mut clauses: Vec<Vec<Lit>> =
        (0..pigeons).map(|p| (0..holes).map(|h| sits(p, h)).collect()).collect();
    for hole in 0..holes {
        for p in 0..pigeons {
            for q in 0..p {
                clauses.push(vec![!sits(p, hole), !sits(q, hole)]);
            }
        }
    }
    let (search, has_model) = search(pigeons * holes, &clauses);
    assert!(!has_model, "there is no model");
    replay(&search);
}

#[test]
fn the_sequence_of_luby() {
    let start: Vec<u64> = (0..15).map(luby).collect();
    assert_eq!(start, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
}
