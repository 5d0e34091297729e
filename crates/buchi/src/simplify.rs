//! Rewriting formulas so that their automata become smaller.
//!
//! Rules of Somenzi and Bloem (CAV 2000) and Etessami and Holzmann (CONCUR
//! 2000): operands that are implied are dropped, eventual and universal
//! formulas leave the scope of other operators, next moves outwards, operators
//! of one kind are joined. Rules are applied from the leaves to the root until
//! nothing changes.

use crate::implied::Facts;
use parallax_base::{Budget, Stop};
use parallax_ltl::{Node, Store, Sub};
use std::collections::BTreeMap;

/// Rounds from the leaves to the root.
const MAX_ROUNDS: usize = 8;

/// Wider conjunctions and disjunctions are not compared pair by pair.
const MAX_COMPARED: usize = 48;

/// A formula with the same words; the given one is in negation normal form,
/// and so is the result.
///
/// # Errors
/// The limits were reached.
pub fn simplified(store: &mut Store, root: Sub, budget: &Budget) -> Result<Sub, Stop> {
    let mut work = Work { store, facts: Facts::default() };
    let mut root = root;
    for _ in 0..MAX_ROUNDS {
        let before = root;
        let mut results: BTreeMap<Sub, Sub> = BTreeMap::new();
        for part in work.store.parts(root) {
            budget.check()?;
            let of = |f: &Sub| results[f];
            let result = match work.store.node(part).clone() {
                Node::True | Node::False | Node::Atom(_) | Node::Not(_) => part,
                Node::And(fs) => {
                    let fs = fs.iter().map(of).collect();
                    work.join(fs, true)
                }
                Node::Or(fs) => {
                    let fs = fs.iter().map(of).collect();
                    work.join(fs, false)
                }
                Node::Next(f) => work.next(of(&f)),
                Node::Until(a, b) => work.until(of(&a), of(&b)),
                Node::Release(a, b) => work.release(of(&a), of(&b)),
            };
            results.insert(part, result);
        }
        root = results[&root];
        if root == before {
            break;
        }
    }
    Ok(root)
}

struct Work<'a> {
    store: &'a mut Store,
    facts: Facts,
}

impl Work<'_> {
    fn implies(&mut self, a: Sub, b: Sub) -> bool {
        self.facts.implies(self.store, a, b)
    }

    fn negation(&mut self, f: Sub) -> Sub {
        self.facts.negation(self.store, f)
    }

    fn is_true(&self, f: Sub) -> bool {
        self.store.as_constant(f) == Some(true)
    }

    fn is_false(&self, f: Sub) -> bool {
        self.store.as_constant(f) == Some(false)
    }

    fn next(&mut self, f: Sub) -> Sub {
        if self.facts.is_suspendable(self.store, f) {
            return f;
        }
        self.store.next(f)
    }

    fn until(&mut self, a: Sub, b: Sub) -> Sub {
        if self.is_false(a) || self.implies(a, b) || self.facts.is_eventual(self.store, b) {
            return b;
        }
        let not_b = self.negation(b);
        let finally = self.is_true(a) || self.implies(not_b, a);
        match self.store.node(b).clone() {
            // <> X b is X <> b
            Node::Next(c) if finally => {
                let later = self.store.eventually(c);
                return self.next(later);
            }
            // <> (c U d) is <> d
            Node::Until(_, d) if finally => return self.store.eventually(d),
            // a U (c U d) is c U d, if a implies c
            Node::Until(c, _) if self.implies(a, c) => return b,
            // <> (c && s) is <> c && s
            Node::And(parts) if finally => {
                let (out, inner) = self.apart(&parts);
                if !out.is_empty() {
                    let inner = self.store.and(inner);
                    let rest = self.store.eventually(inner);
                    return self.store.and(out.into_iter().chain([rest]));
                }
            }
            // <> (c || e) is <> c || e for an eventual e; one that is universal,
            // too, stays inside: it can be chosen later
            Node::Or(parts) if finally => {
                let free = |facts: &mut Facts, store: &Store, f: &Sub| {
                    facts.is_eventual(store, *f) && !facts.is_universal(store, *f)
                };
                let (out, inner): (Vec<Sub>, Vec<Sub>) =
                    parts.iter().partition(|f| free(&mut self.facts, self.store, f));
                if !out.is_empty() {
                    let inner = self.store.or(inner);
                    let rest = self.store.eventually(inner);
                    return self.store.or(out.into_iter().chain([rest]));
                }
            }
            _ => {}
        }
        if finally {
            return self.store.eventually(b);
        }
        // X a U X b is X (a U b)
        if let (Node::Next(a), Node::Next(b)) = (self.store.node(a), self.store.node(b)) {
            let (a, b) = (*a, *b);
            let inner = self.store.until(a, b);
            return self.next(inner);
        }
        self.store.until(a, b)
    }

    fn release(&mut self, a: Sub, b: Sub) -> Sub {
        if self.is_true(a) || self.implies(b, a) || self.facts.is_universal(self.store, b) {
            return b;
        }
        let not_b = self.negation(b);
        let always = self.is_false(a) || self.implies(a, not_b);
        match self.store.node(b).clone() {
            // [] X b is X [] b
            Node::Next(c) if always => {
                let later = self.store.always(c);
                return self.next(later);
            }
            // [] (c R d) is [] d
            Node::Release(_, d) if always => return self.store.always(d),
            // a R (c R d) is c R d, if c implies a
            Node::Release(c, _) if self.implies(c, a) => return b,
            // [] (c || s) is [] c || s
            Node::Or(parts) if always => {
                let (out, inner) = self.apart(&parts);
                if !out.is_empty() {
                    let inner = self.store.or(inner);
                    let rest = self.store.always(inner);
                    return self.store.or(out.into_iter().chain([rest]));
                }
            }
            // [] (c && u) is [] c && u for a universal u
            Node::And(parts) if always => {
                let (out, inner): (Vec<Sub>, Vec<Sub>) =
                    parts.iter().partition(|f| self.facts.is_universal(self.store, **f));
                if !out.is_empty() {
                    let inner = self.store.and(inner);
                    let rest = self.store.always(inner);
                    return self.store.and(out.into_iter().chain([rest]));
                }
            }
            _ => {}
        }
        if always {
            return self.store.always(b);
        }
        // X a R X b is X (a R b)
        if let (Node::Next(a), Node::Next(b)) = (self.store.node(a), self.store.node(b)) {
            let (a, b) = (*a, *b);
            let inner = self.store.release(a, b);
            return self.next(inner);
        }
        self.store.release(a, b)
    }

    /// The suspendable parts, and the others.
    fn apart(&mut self, parts: &[Sub]) -> (Vec<Sub>, Vec<Sub>) {
        let facts = &mut self.facts;
        let store = &*self.store;
        parts.iter().partition(|f| facts.is_suspendable(store, **f))
    }

    /// A conjunction or a disjunction.
    fn join(&mut self, parts: Vec<Sub>, and: bool) -> Sub {
        let whole = if and { self.store.and(parts) } else { self.store.or(parts) };
        let parts = match self.store.node(whole) {
            Node::And(parts) if and => parts.to_vec(),
            Node::Or(parts) if !and => parts.to_vec(),
            _ => return whole,
        };
        if parts.len() > MAX_COMPARED {
            return whole;
        }
        let mut kept: Vec<Sub> = Vec::new();
        for (i, &part) in parts.iter().enumerate() {
            let negation = self.negation(part);
            for &other in &parts {
                // a && b with a => !b is false; a || b with !a => b is true.
                let clash =
                    if and { self.implies(other, negation) } else { self.implies(negation, other) };
                if clash {
                    return self.store.constant(!and);
                }
            }
            let redundant = parts.iter().enumerate().any(|(j, &other)| {
                let (strong, weak) = if and { (other, part) } else { (part, other) };
                i != j
                    && self.facts.implies(self.store, strong, weak)
                    && (j < i || !self.facts.implies(self.store, weak, strong))
            });
            if !redundant {
                kept.push(part);
            }
        }
        if !and {
            self.delay(&mut kept);
        }
        self.grouped(kept, and)
    }

    /// `<> a || s` is `<> (a || s)` for a suspendable `s`: the choice between
    /// the two need not be made at the beginning.
    fn delay(&mut self, parts: &mut Vec<Sub>) {
        let (out, inner) = self.apart(parts);
        let finally = |work: &Work<'_>, f: Sub| match work.store.node(f) {
            Node::Until(a, b) if work.is_true(*a) => Some(*b),
            _ => None,
        };
        if let Some(f) = inner.iter().chain(&out).copied().find(|f| finally(self, *f).is_some())
            && let Some(b) = finally(self, f)
        {
            let others: Vec<Sub> = out.into_iter().filter(|o| *o != f).collect();
            if others.is_empty() {
                return;
            }
            parts.retain(|p| *p != f && !others.contains(p));
            let inside = self.store.or([b].into_iter().chain(others));
            parts.push(self.store.eventually(inside));
        }
    }

    /// `a` of `<>[] a`, or of `[]<> a` for disjunctions.
    fn repeated(&self, f: Sub, and: bool) -> Option<Sub> {
        match (self.store.node(f), and) {
            (Node::Until(a, b), true) if self.is_true(*a) => match self.store.node(*b) {
                Node::Release(c, d) if self.is_false(*c) => Some(*d),
                _ => None,
            },
            (Node::Release(a, b), false) if self.is_false(*a) => match self.store.node(*b) {
                Node::Until(c, d) if self.is_true(*c) => Some(*d),
                _ => None,
            },
            _ => None,
        }
    }

    /// Joins parts of one form: `[] a && [] b` is `[] (a && b)`, `a R b && a R c`
    /// is `a R (b && c)`, `a U b && c U b` is `(a && c) U b`, `X a && X b` is
    /// `X (a && b)`, and the duals.
    fn grouped(&mut self, parts: Vec<Sub>, and: bool) -> Sub {
        // 0: next; 1: release by its left side; 2: until by its right side;
        // 3: <>[]. For disjunctions until by its left and release by its
        // right side, and []<>.
        let mut groups: BTreeMap<(u8, Sub), Vec<Sub>> = BTreeMap::new();
        let mut order: Vec<Result<(u8, Sub), Sub>> = Vec::new();
        let none = self.store.constant(true);
        for part in parts {
            let key = match (self.store.node(part), and) {
                _ if self.repeated(part, and).is_some() => {
                    self.repeated(part, and).map(|inner| ((3, none), inner))
                }
                (Node::Next(f), _) => Some(((0, none), *f)),
                (Node::Release(a, b), true) | (Node::Until(a, b), false) => Some(((1, *a), *b)),
                (Node::Until(a, b), true) | (Node::Release(a, b), false) => Some(((2, *b), *a)),
                _ => None,
            };
            match key {
                Some((key, item)) => {
                    let group = groups.entry(key).or_default();
                    if group.is_empty() {
                        order.push(Ok(key));
                    }
                    group.push(item);
                }
                None => order.push(Err(part)),
            }
        }
        let mut all = Vec::with_capacity(order.len());
        for entry in order {
            let (kind, shared) = match entry {
                Err(part) => {
                    all.push(part);
                    continue;
                }
                Ok(key) => key,
            };
            let items = groups.remove(&(kind, shared)).unwrap_or_default();
            let inner = if and { self.store.and(items) } else { self.store.or(items) };
            let joined = match (kind, and) {
                (0, _) => self.store.next(inner),
                (1, true) => self.store.release(shared, inner),
                (1, false) => self.store.until(shared, inner),
                (3, true) => {
                    let always = self.store.always(inner);
                    self.store.eventually(always)
                }
                (3, false) => {
                    let finally = self.store.eventually(inner);
                    self.store.always(finally)
                }
                (_, true) => self.store.until(inner, shared),
                (_, false) => self.store.release(inner, shared),
            };
            all.push(joined);
        }
        if and { self.store.and(all) } else { self.store.or(all) }
    }
}
