//! Replacing terms inside terms.

use crate::{Linear, Node, Rat, Term, TermStore};
use rustc_hash::FxHashMap;

/// A simultaneous replacement of terms (usually symbols) by terms.
///
/// Results are remembered, so applying one substitution to many formulas that
/// share subterms does the shared work once.
#[derive(Clone, Debug, Default)]
pub struct Substitution {
    map: FxHashMap<Term, Term>,
    done: FxHashMap<Term, Term>,
}

impl Substitution {
    /// Replaces each first component by the second.
    pub fn new(pairs: impl IntoIterator<Item = (Term, Term)>) -> Substitution {
        Substitution { map: pairs.into_iter().collect(), done: FxHashMap::default() }
    }

    /// Replaces one more term. No term that holds it was looked at before.
    pub fn insert(&mut self, from: Term, to: Term) {
        self.map.insert(from, to);
    }

    /// Whether nothing is replaced.
    pub fn is_empty(&self) -> bool {
        self.map.is_empty()
    }

    /// The term with all replacements made at once.
    pub fn apply(&mut self, store: &mut TermStore, term: Term) -> Term {
        if self.map.is_empty() {
            return term;
        }
        let mut stack = vec![term];
        while let Some(&top) = stack.last() {
            if self.done.contains_key(&top) {
                stack.pop();
                continue;
            }
            if let Some(&to) = self.map.get(&top) {
                self.done.insert(top, to);
                stack.pop();
                continue;
            }
            let before = stack.len();
            let mut changed = false;
            store.node(top).for_each_child(|child| match self.done.get(&child) {
                Some(&to) => changed |= to != child,
                None => stack.push(child),
            });
            if stack.len() == before {
                let result =
                    if changed { store.rebuild(top, |child| self.done[&child]) } else { top };
                self.done.insert(top, result);
                stack.pop();
            }
        }
        self.done[&term]
    }
}

impl TermStore {
    /// Builds the node of `term` again over other children.
    pub(crate) fn rebuild(&mut self, term: Term, to: impl Fn(Term) -> Term) -> Term {
        let sort = self.sort(term);
        match self.node(term).clone() {
            Node::Value(_) | Node::Var(..) => term,
            Node::Not(a) => self.not(to(a)),
            Node::ToReal(a) => self.to_real(to(a)),
            Node::And(items) => self.and(items.iter().map(|&t| to(t))),
            Node::Or(items) => self.or(items.iter().map(|&t| to(t))),
            Node::Iff(a, b) => self.iff(to(a), to(b)),
            Node::Ite(c, a, b) => self.ite(to(c), to(a), to(b)),
            Node::Div(a, b) => self.div(to(a), to(b)),
            Node::Mod(a, b) => self.modulo(to(a), to(b)),
            Node::Equal(a, b) => self.eq(to(a), to(b)),
            Node::Apply(op, arguments) => {
                let arguments: Vec<Term> = arguments.iter().map(|&t| to(t)).collect();
                self.apply(op, &arguments)
            }
            Node::Product(items) => {
                let mut product = to(items[0]);
                for &item in &items[1..] {
                    product = self.mul(product, to(item));
                }
                product
            }
            Node::Sum(linear) => {
                let linear = self.map_linear(&linear, to);
                self.sum(linear, sort)
            }
            Node::Compare(relation, linear) => {
                let sort = self.sort(linear.monomials()[0].0);
                let linear = self.map_linear(&linear, to);
                self.relate(relation, linear, sort)
            }
        }
    }

    fn map_linear(&self, linear: &Linear, to: impl Fn(Term) -> Term) -> Linear {
        let start = Linear::constant(linear.constant_part().clone());
        let add = |sum: Linear, (t, c): &(Term, Rat)| sum.plus(c, &self.linear(to(*t)));
        linear.monomials().iter().fold(start, add)
    }

    /// The term with the given replacements made at once.
    pub fn substitute(&mut self, term: Term, pairs: &[(Term, Term)]) -> Term {
        Substitution::new(pairs.iter().copied()).apply(self, term)
    }
}

#[cfg(test)]
mod tests {
    use crate::{Sort, TermStore};

    #[test]
    fn replacement_is_simultaneous_and_normalises() {
        let s = &mut TermStore::new();
        let (x, y) = (s.var("x", Sort::Int), s.var("y", Sort::Int));
        let one = s.int(1);
        let x1 = s.add(x, one);
        let atom = s.le(x1, y);
        let swapped = s.substitute(atom, &[(x, y), (y, x)]);
        assert_eq!(swapped, {
            let y1 = s.add(y, one);
            s.le(y1, x)
        });
        let ground = s.substitute(atom, &[(x, one), (y, one)]);
        assert!(s.is_false(ground));
    }

    #[test]
    fn a_chain_a_million_deep_needs_no_stack() {
        let s = &mut TermStore::new();
        let (a, b) = (s.var("a", Sort::Bool), s.var("b", Sort::Bool));
        let mut deep = a;
        for i in 0..1_000_000 {
            deep = if i % 2 == 0 { s.and([deep, b]) } else { s.or([deep, a]) };
            deep = s.not(deep);
        }
        let c = s.var("c", Sort::Bool);
        let moved = s.substitute(deep, &[(a, c), (b, c)]);
        assert!(s.vars(moved).len() <= 1);
    }
}
