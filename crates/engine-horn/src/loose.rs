//! Clauses without large numbers.
//!
//! A loop that ends at 100000 tempts a solver to count. In the *loose* system each
//! large number that something is compared with is an unknown: a parameter that every
//! predicate has and no step changes, of which only the order among the others is
//! known. What is shown for any such numbers holds for the ones that stand there; a
//! derivation means nothing, since the numbers may matter.
//!
//! Invariant: limits of machine types stay what they are.

use parallax_horn::{Clause, Predicate, Solution, System};
use parallax_term::{Int, Linear, Node, Rat, Relation, Sort, Substitution, Term, TermStore};
use std::collections::{BTreeMap, BTreeSet};

/// Smaller numbers stay.
const LEAST: i64 = 16;

/// Numbers so near to each other are one unknown.
const NEAR: i64 = 2;

/// Systems with more large numbers stay as they are.
const NUMBERS: usize = 8;

/// The same system with unknowns in the place of large numbers.
pub(crate) struct Loose {
    pub(crate) system: System,
    /// The unknowns, and what they are.
    numbers: Vec<(Term, Int)>,
}

impl Loose {
    /// `None` if there are no large numbers, or too many.
    pub(crate) fn new(system: &System) -> Option<Loose> {
        let mut loose = system.clone();
        let roots: Vec<Term> = system.clauses.iter().map(|clause| clause.constraint).collect();
        let atoms: Vec<Term> = system.store.subterms(&roots);
        let bounds = atoms.iter().filter(|&&a| is_bound(&system.store, a));
        let found: BTreeSet<i64> = bounds.filter_map(|&a| large(&system.store, a)).collect();
        let mut known: BTreeMap<i64, Term> = BTreeMap::new();
        let mut numbers: Vec<(Term, i64)> = Vec::new();
        for number in found {
            if numbers.last().is_none_or(|(_, last)| number - last > NEAR) {
                numbers.push((loose.store.fresh("number", Sort::Int), number));
            }
            let term = numbers.last()?.0;
            known.insert(number, term);
        }
        if numbers.is_empty() || numbers.len() > NUMBERS {
            return None;
        }
        let values: BTreeMap<Term, i64> = numbers.iter().copied().collect();
        let mut unknown = Substitution::default();
        for &atom in &atoms {
            let symbol = large(&system.store, atom).and_then(|number| known.get(&number));
            if let Some(&symbol) = symbol {
                let with = without(&mut loose.store, atom, symbol, values[&symbol]);
                unknown.insert(atom, with);
            }
        }
        let order = order(&mut loose.store, &numbers);
        let symbols: Vec<Term> = numbers.iter().map(|(term, _)| *term).collect();
        let wider = |predicate: &Predicate| {
            let mut predicate = predicate.clone();
            predicate.parameters.extend(&symbols);
            predicate
        };
        loose.predicates = loose.predicates.iter().map(wider).collect();
        let store = &mut loose.store;
        for Clause { body, constraint, head } in &mut loose.clauses {
            *constraint = unknown.apply(store, *constraint);
            if body.is_empty() {
                *constraint = store.and([*constraint, order]);
            }
            for applied in body.iter_mut().chain(head) {
                applied.arguments.extend(&symbols);
            }
        }
        let numbers = numbers.into_iter().map(|(term, number)| (term, Int::from(number)));
        Some(Loose { numbers: numbers.collect(), system: loose })
    }

    /// A solution with the numbers where they stood.
    pub(crate) fn restored(&self, mut solution: Solution) -> Solution {
        let store = &mut solution.store;
        let pairs =
            self.numbers.iter().map(|(symbol, number)| (*symbol, store.int(number.clone())));
        let mut back = Substitution::new(pairs.collect::<Vec<_>>());
        for formula in &mut solution.formulas {
            *formula = back.apply(store, *formula);
        }
        solution
    }
}

/// Whether a term says that something is not above something else.
fn is_bound(store: &TermStore, atom: Term) -> bool {
    matches!(store.node(atom), Node::Compare(Relation::Le, _))
}

/// The size of the number that a comparison of integers has, or that a term is, if it
/// is large.
fn large(store: &TermStore, term: Term) -> Option<i64> {
    let is_int = |(term, _): &(Term, Rat)| store.sort(*term) == Sort::Int;
    let number = match store.node(term) {
        Node::Compare(_, linear) if linear.monomials().iter().all(is_int) => {
            linear.constant_part().to_int()?.clone()
        }
        Node::Value(value) => value.as_int()?.clone(),
        _ => return None,
    };
    let number = number.abs().to_i64()?;
    let limit = |bits: u32| number.abs_diff(1_i64.checked_shl(bits).unwrap_or(i64::MAX)) <= 1;
    let is_limit = [7, 8, 15, 16, 31, 32, 63].into_iter().any(limit);
    (number >= LEAST && !is_limit).then_some(number)
}

/// A comparison or number with an unknown, which is `value`, in the place of its number.
fn without(store: &mut TermStore, term: Term, unknown: Term, value: i64) -> Term {
    let (relation, linear) = match store.node(term).clone() {
        Node::Compare(relation, linear) => (Some(relation), linear),
        _ => (None, store.linear(term)),
    };
    let number = linear.constant_part().clone();
    let sign = if number < Rat::from(0) { Rat::from(-1) } else { Rat::from(1) };
    // With its sign the number is the unknown and a rest.
    let rest = linear.plus(&sign, &Linear::constant(Rat::from(-value)));
    let all = rest.plus(&sign, &Linear::term(unknown));
    match relation {
        Some(relation) => store.relate(relation, all, Sort::Int),
        None => store.sum(all, Sort::Int),
    }
}

/// The numbers are large, and one after the other.
fn order(store: &mut TermStore, numbers: &[(Term, i64)]) -> Term {
    let mut parts = Vec::new();
    let mut below = store.int(LEAST);
    for &(number, _) in numbers {
        parts.push(store.le(below, number));
        let far = store.int(NEAR + 1);
        below = store.add(number, far);
    }
    store.and(parts)
}
