//! Implication between formulas, as far as it can be seen from their shape.
//!
//! The rules are those of Somenzi and Bloem (CAV 2000), with the purely
//! eventual and purely universal formulas of Etessami and Holzmann (CONCUR
//! 2000): a formula is *eventual* if it holds of a word whenever it holds of a
//! suffix, *universal* if it then holds of all suffixes.

use parallax_ltl::{Node, Store, Sub};
use rustc_hash::FxHashMap;

/// Deeper implications are not seen.
const MAX_DEPTH: u32 = 24;

/// What is known about the formulas of a store. All of it is about formulas in
/// negation normal form.
#[derive(Default)]
pub(crate) struct Facts {
    /// Eventual and universal, by the index of the formula.
    classes: Vec<(bool, bool)>,
    implications: FxHashMap<(Sub, Sub), bool>,
    negations: FxHashMap<Sub, Sub>,
}

impl Facts {
    /// Whether the formula holds of a word whenever it holds of a suffix.
    pub(crate) fn is_eventual(&mut self, store: &Store, f: Sub) -> bool {
        self.class(store, f).0
    }

    /// Whether the formula, where it holds, holds of all suffixes.
    pub(crate) fn is_universal(&mut self, store: &Store, f: Sub) -> bool {
        self.class(store, f).1
    }

    /// Both: whether it holds does not depend on any prefix.
    pub(crate) fn is_suspendable(&mut self, store: &Store, f: Sub) -> bool {
        self.class(store, f) == (true, true)
    }

    fn class(&mut self, store: &Store, f: Sub) -> (bool, bool) {
        for index in self.classes.len()..=f.index() {
            let of = |f: &Sub| self.classes[f.index()];
            let class = match store.node(parallax_base::Id::new(index)) {
                Node::True | Node::False => (true, true),
                Node::Atom(_) | Node::Not(_) => (false, false),
                Node::And(fs) | Node::Or(fs) => {
                    (fs.iter().all(|f| of(f).0), fs.iter().all(|f| of(f).1))
                }
                Node::Next(f) => of(f),
                Node::Until(a, b) => {
                    let finally = store.as_constant(*a) == Some(true);
                    (finally || of(b).0, of(a).1 && of(b).1)
                }
                Node::Release(a, b) => {
                    let always = store.as_constant(*a) == Some(false);
                    (of(a).0 && of(b).0, always || of(b).1)
                }
            };
            self.classes.push(class);
        }
        self.classes[f.index()]
    }

    /// The negation, in negation normal form.
    pub(crate) fn negation(&mut self, store: &mut Store, f: Sub) -> Sub {
        if let Some(&known) = self.negations.get(&f) {
            return known;
        }
        for part in store.parts(f) {
            if self.negations.contains_key(&part) {
                continue;
            }
            let of = |f: &Sub| self.negations[f];
            let negated = match store.node(part).clone() {
                Node::True | Node::False | Node::Atom(_) => store.not(part),
                Node::Not(f) => f,
                Node::And(fs) => store.or(fs.iter().map(of)),
                Node::Or(fs) => store.and(fs.iter().map(of)),
                Node::Next(f) => store.next(of(&f)),
                Node::Until(a, b) => store.release(of(&a), of(&b)),
                Node::Release(a, b) => store.until(of(&a), of(&b)),
            };
            self.negations.insert(part, negated);
            self.negations.insert(negated, part);
        }
        self.negations[&f]
    }

    /// Whether every word of the first satisfies the second; `false` may also
    /// mean that it could not be seen.
    pub(crate) fn implies(&mut self, store: &Store, a: Sub, b: Sub) -> bool {
        self.seen(store, a, b, 0)
    }

    fn seen(&mut self, store: &Store, a: Sub, b: Sub, depth: u32) -> bool {
        if a == b || store.as_constant(a) == Some(false) || store.as_constant(b) == Some(true) {
            return true;
        }
        if let Some(&known) = self.implications.get(&(a, b)) {
            return known;
        }
        if depth > MAX_DEPTH {
            return false;
        }
        let found = self.rules(store, a, b, depth + 1);
        self.implications.insert((a, b), found);
        found
    }

    fn rules(&mut self, store: &Store, a: Sub, b: Sub, depth: u32) -> bool {
        // What can be taken apart without loss goes first.
        match store.node(b) {
            Node::And(parts) => return parts.iter().all(|p| self.seen(store, a, *p, depth)),
            Node::Or(_) | Node::True | Node::False | Node::Atom(_) | Node::Not(_) => {}
            Node::Next(c) => {
                let later = match store.node(a) {
                    Node::Next(d) => self.seen(store, *d, *c, depth),
                    _ => self.is_universal(store, a) && self.seen(store, a, *c, depth),
                };
                if later {
                    return true;
                }
            }
            Node::Until(c, d) => {
                if self.seen(store, a, *d, depth) {
                    return true;
                }
                if let Node::Until(e, f) = store.node(a)
                    && self.seen(store, *e, *c, depth)
                    && self.seen(store, *f, b, depth)
                {
                    return true;
                }
            }
            Node::Release(c, d) => {
                if self.seen(store, a, *c, depth) && self.seen(store, a, *d, depth) {
                    return true;
                }
                if store.as_constant(*c) == Some(false)
                    && self.is_universal(store, a)
                    && self.seen(store, a, *d, depth)
                {
                    return true;
                }
                if let Node::Release(e, f) = store.node(a)
                    && self.seen(store, *e, *c, depth)
                    && self.seen(store, *f, *d, depth)
                {
                    return true;
                }
            }
        }
        let left = match store.node(a) {
            Node::Or(parts) => return parts.iter().all(|p| self.seen(store, *p, b, depth)),
            Node::And(parts) => parts.iter().any(|p| self.seen(store, *p, b, depth)),
            Node::Until(e, f) if store.as_constant(*e) == Some(true) => {
                self.is_eventual(store, b) && self.seen(store, *f, b, depth)
            }
            Node::Until(e, f) => self.seen(store, *e, b, depth) && self.seen(store, *f, b, depth),
            Node::Release(_, f) => self.seen(store, *f, b, depth),
            Node::Next(c) => self.is_eventual(store, b) && self.seen(store, *c, b, depth),
            Node::True | Node::False | Node::Atom(_) | Node::Not(_) => false,
        };
        let right = |facts: &mut Facts| match store.node(b) {
            Node::Or(parts) => parts.iter().any(|p| facts.seen(store, a, *p, depth)),
            _ => false,
        };
        left || right(self)
    }
}
