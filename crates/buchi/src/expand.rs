//! From a formula to an automaton whose states are sets of obligations.
//!
//! The expansion laws of until and release give, for each formula, finitely
//! many ways to satisfy it: literals now, obligations for the rest of the word,
//! and the untils that are put off. A set of obligations is satisfied by one
//! way for each. There is one acceptance set per until: the edges that do not
//! put it off.

use crate::automaton::TranslateError;
use crate::cube::Cube;
use crate::general::{Arc, General};
use parallax_base::{Budget, Stop};
use parallax_ltl::{Node, Store, Sub};
use rustc_hash::FxHashMap;

/// One way to satisfy a formula.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
struct Way {
    /// What the rest of the word must satisfy, in increasing order.
    obligations: Vec<Sub>,
    /// The untils put off, one bit each.
    postponed: u64,
    /// What the first letter must satisfy.
    label: Cube,
}

/// The automaton of a formula in negation normal form.
pub(crate) fn expanded(
    store: &Store,
    root: Sub,
    budget: &Budget,
) -> Result<General, TranslateError> {
    let parts = store.parts(root);
    let is_until = |f: &&Sub| matches!(store.node(**f), Node::Until(..));
    let untils: Vec<Sub> = parts.iter().filter(is_until).copied().collect();
    if untils.len() > 64 {
        return Err(TranslateError::TooManyUntils);
    }
    let ways = ways(store, &parts, &untils, budget)?;
    let all = 1u64.checked_shl(untils.len() as u32).unwrap_or(0).wrapping_sub(1);
    let mut known = vec![obligations(store, root)];
    let mut numbers: FxHashMap<Vec<Sub>, usize> = FxHashMap::default();
    numbers.insert(known[0].clone(), 0);
    let mut arcs: Vec<Vec<Arc>> = Vec::new();
    while let Some(state) = known.get(arcs.len()).cloned() {
        let mut all_ways = vec![Way::default()];
        for f in &state {
            all_ways = both(&all_ways, &ways[f.index()], budget)?;
        }
        let mut leaving = Vec::with_capacity(all_ways.len());
        for way in all_ways {
            let fresh = known.len();
            let target = *numbers.entry(way.obligations).or_insert_with_key(|key| {
                known.push(key.clone());
                fresh
            });
            leaving.push(Arc { target, marks: all & !way.postponed, label: way.label });
        }
        arcs.push(leaving);
    }
    Ok(General { arcs, initial: 0, sets: untils.len() as u32 })
}

/// A conjunction as the set of its parts.
fn obligations(store: &Store, f: Sub) -> Vec<Sub> {
    match store.node(f) {
        Node::True => Vec::new(),
        Node::And(parts) => union(parts, &[]),
        _ => vec![f],
    }
}

/// The ways to satisfy each part, children first.
fn ways(
    store: &Store,
    parts: &[Sub],
    untils: &[Sub],
    budget: &Budget,
) -> Result<Vec<Vec<Way>>, Stop> {
    let mut table: Vec<Vec<Way>> = vec![Vec::new(); store.len()];
    let literal = |label: Cube| vec![Way { label, ..Way::default() }];
    for &part in parts {
        let of = |f: &Sub| &table[f.index()];
        let found = match store.node(part) {
            Node::True => literal(Cube::TRUE),
            Node::False => Vec::new(),
            Node::Atom(atom) => literal(Cube { yes: 1 << atom, no: 0 }),
            Node::Not(f) => match store.node(*f) {
                Node::Atom(atom) => literal(Cube { yes: 0, no: 1 << atom }),
                // Not in negation normal form: nobody comes here.
                _ => Vec::new(),
            },
            Node::And(fs) => {
                let mut all = vec![Way::default()];
                for f in fs {
                    all = both(&all, of(f), budget)?;
                }
                all
            }
            Node::Or(fs) => either(fs.iter().flat_map(|f| of(f).clone()).collect()),
            Node::Next(f) => {
                vec![Way { obligations: obligations(store, *f), ..Way::default() }]
            }
            Node::Until(a, b) => {
                let bit = untils.binary_search(&part).map_or(0, |i| 1 << i);
                let later = Way { obligations: vec![part], postponed: bit, ..Way::default() };
                let later = both(of(a), &[later], budget)?;
                either([of(b).clone(), later].concat())
            }
            Node::Release(a, b) => {
                let later = Way { obligations: vec![part], ..Way::default() };
                let released = [of(a).clone(), vec![later]].concat();
                both(of(b), &released, budget)?
            }
        };
        table[part.index()] = found;
    }
    Ok(table)
}

/// One way of each list, joined.
fn both(a: &[Way], b: &[Way], budget: &Budget) -> Result<Vec<Way>, Stop> {
    let mut all = Vec::new();
    for left in a {
        budget.check()?;
        for right in b {
            let Some(label) = left.label.and(right.label) else { continue };
            all.push(Way {
                obligations: union(&left.obligations, &right.obligations),
                postponed: left.postponed | right.postponed,
                label,
            });
        }
        if all.len() > 4096 {
            all = either(all);
        }
    }
    Ok(either(all))
}

/// Without those that another one makes superfluous.
fn either(mut all: Vec<Way>) -> Vec<Way> {
    let weight = |w: &Way| (w.label.yes | w.label.no).count_ones() + w.postponed.count_ones();
    all.sort_by_cached_key(|w| (w.obligations.len(), weight(w), w.clone()));
    let mut kept: Vec<Way> = Vec::new();
    for way in all {
        let superfluous = kept.iter().any(|k| {
            way.label.implies(k.label)
                && k.postponed & !way.postponed == 0
                && k.obligations.iter().all(|f| way.obligations.binary_search(f).is_ok())
        });
        if !superfluous {
            kept.push(way);
        }
    }
    kept
}

fn union(a: &[Sub], b: &[Sub]) -> Vec<Sub> {
    let mut all = [a, b].concat();
    all.sort_unstable();
    all.dedup();
    all
}
