//! Implicants: what of a formula a model needs.
//!
//! A model of a formula satisfies it for some reason: one true disjunct of each
//! disjunction, one branch of each conditional. [`TermStore::implicant`] writes
//! that reason down as a conjunction of literals. For the formula of a block
//! with many paths it is the one path that the model takes.

use crate::{Node, Sort, Term, TermStore};
use rustc_hash::{FxHashMap, FxHashSet};

/// A conjunction of literals, and terms whose conditionals it decides.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Implicant {
    /// The literals, in the order they were found, without repetition and
    /// without constants. Their atoms hold no conditionals.
    pub literals: Vec<Term>,
    /// The terms asked for, free of conditionals.
    pub terms: Vec<Term>,
}

impl TermStore {
    /// Literals that imply `formula` and decide every conditional of `terms`.
    ///
    /// `truth` gives the truth value of any Bool subterm of `formula` and
    /// `terms` in one model of `formula`. All literals are true in that model;
    /// under them each of the resulting terms equals the one given.
    pub fn implicant(
        &mut self,
        formula: Term,
        terms: &[Term],
        truth: impl Fn(Term) -> bool,
    ) -> Implicant {
        let mut work = Work {
            store: self,
            truth,
            resolved: FxHashMap::default(),
            seen: FxHashSet::default(),
            open: vec![formula],
            literals: Vec::new(),
        };
        let resolved: Vec<Term> = terms.iter().map(|&t| work.resolve(t)).collect();
        work.justify();
        let mut found = FxHashSet::default();
        let mut literals = work.literals;
        literals.retain(|&l| self.value(l).is_none() && found.insert(l));
        Implicant { literals, terms: resolved }
    }

    /// The Bool subterms of some terms, themselves included.
    pub fn truth_terms(&self, roots: &[Term]) -> Vec<Term> {
        let mut all = self.subterms(roots);
        all.retain(|&t| self.sort(t) == Sort::Bool);
        all
    }
}

struct Work<'a, F> {
    store: &'a mut TermStore,
    truth: F,
    resolved: FxHashMap<Term, Term>,
    seen: FxHashSet<Term>,
    /// Bool terms whose value must follow from the literals.
    open: Vec<Term>,
    literals: Vec<Term>,
}

impl<F: Fn(Term) -> bool> Work<'_, F> {
    fn justify(&mut self) {
        while let Some(term) = self.open.pop() {
            if !self.seen.insert(term) {
                continue;
            }
            let holds = (self.truth)(term);
            let needs_all = match self.store.node(term) {
                Node::Value(_) => continue,
                Node::Not(inner) => {
                    self.open.push(*inner);
                    continue;
                }
                Node::Iff(a, b) => {
                    self.open.extend([*b, *a]);
                    continue;
                }
                Node::And(_) => holds,
                Node::Or(_) => !holds,
                _ => {
                    let atom = self.resolve(term);
                    let literal = if holds { atom } else { self.store.not(atom) };
                    self.literals.push(literal);
                    continue;
                }
            };
            let (Node::And(items) | Node::Or(items)) = self.store.node(term) else { continue };
            if needs_all {
                self.open.extend(items.iter().rev());
            } else {
                let reasons = items.iter().filter(|&&item| (self.truth)(item) == holds);
                let best = reasons.min_by_key(|item| !self.seen.contains(item));
                self.open.extend(best);
            }
        }
    }

    /// The term with each conditional replaced by the branch taken.
    fn resolve(&mut self, term: Term) -> Term {
        let mut stack = vec![term];
        while let Some(&top) = stack.last() {
            if self.resolved.contains_key(&top) {
                stack.pop();
                continue;
            }
            if let Node::Ite(c, a, b) = *self.store.node(top) {
                let taken = if (self.truth)(c) { a } else { b };
                match self.resolved.get(&taken) {
                    Some(&to) => {
                        self.open.push(c);
                        self.resolved.insert(top, to);
                    }
                    None => stack.push(taken),
                }
                continue;
            }
            let before = stack.len();
            let mut changed = false;
            self.store.node(top).for_each_child(|child| match self.resolved.get(&child) {
                Some(&to) => changed |= to != child,
                None => stack.push(child),
            });
            if stack.len() == before {
                let resolved = &self.resolved;
                let result = if changed { self.store.rebuild(top, |c| resolved[&c]) } else { top };
                self.resolved.insert(top, result);
                stack.pop();
            }
        }
        self.resolved[&term]
    }
}

#[cfg(test)]
mod tests {
    use crate::{Code, Scratch, Sort, Term, TermStore, Value};

    #[test]
    fn one_path_of_a_block() {
        let s = &mut TermStore::new();
        let (x, y) = (s.var("x", Sort::Int), s.var("y", Sort::Int));
        let (zero, one, two) = (s.int(0), s.int(1), s.int(2));
        let positive = s.lt(zero, x);
        let small = s.le(x, two);
        let either = s.or([positive, small]);
        let value = s.ite(positive, y, one);
        let bound = s.le(value, two);
        let formula = s.and([either, bound]);
        // In x = 5, y = 1 the first disjunct holds, and the conditional is y.
        let state = [Value::int(5), Value::int(1)];
        let truth_terms = s.truth_terms(&[formula, value]);
        let slot = |t| [x, y].iter().position(|&v| v == t);
        let code = Code::compile(s, &truth_terms, slot);
        let scratch = &mut Scratch::default();
        code.run(&state, scratch);
        let truth: Vec<(Term, bool)> = truth_terms
            .iter()
            .enumerate()
            .map(|(i, &t)| (t, *code.output(i, scratch) == Value::Bool(true)))
            .collect();
        let truth = |t| truth.contains(&(t, true));
        let found = s.implicant(formula, &[value], truth);
        let y_small = s.le(y, two);
        assert_eq!(found.terms, [y]);
        assert_eq!(found.literals.len(), 2);
        assert!(found.literals.contains(&positive) && found.literals.contains(&y_small));
    }
}
