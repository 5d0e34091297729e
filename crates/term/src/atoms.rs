//! The atoms of a formula: what a predicate abstraction can track.
//!
//! An atom is a truth-valued term that is no connective, taken without its
//! negation. [`TermStore::lift`] first moves conditional numbers out of
//! comparisons: `x <= (if c then y else z)` becomes
//! `c && x <= y || !c && x <= z`, so that its atoms are plain comparisons.

use crate::{Node, Sort, Substitution, Term, TermStore};

impl TermStore {
    /// An equivalent formula without conditionals inside its atoms.
    pub fn lift(&mut self, formula: Term) -> Term {
        let mut lifted = formula;
        loop {
            let open: Vec<_> = self
                .atoms(lifted)
                .into_iter()
                .filter(|&a| self.conditional_in(a).is_some())
                .collect();
            if open.is_empty() {
                return lifted;
            }
            let mut pairs = Vec::new();
            for atom in open {
                let Some((inner, c, a, b)) = self.conditional_in(atom) else { continue };
                let with_a = Substitution::new([(inner, a)]).apply(self, atom);
                let with_b = Substitution::new([(inner, b)]).apply(self, atom);
                pairs.push((atom, self.ite(c, with_a, with_b)));
            }
            lifted = Substitution::new(pairs).apply(self, lifted);
        }
    }

    /// The outermost (youngest) conditional number inside an atom, taken apart.
    fn conditional_in(&self, atom: Term) -> Option<(Term, Term, Term, Term)> {
        self.subterms(&[atom]).into_iter().rev().find_map(|t| match *self.node(t) {
            Node::Ite(c, a, b) => Some((t, c, a, b)),
            _ => None,
        })
    }

    /// The atoms of a formula, in a fixed order, without repetition.
    pub fn atoms(&self, formula: Term) -> Vec<Term> {
        let mut found = Vec::new();
        let mut seen = rustc_hash::FxHashSet::default();
        let mut stack = vec![formula];
        while let Some(term) = stack.pop() {
            if !seen.insert(term) {
                continue;
            }
            match self.node(term) {
                Node::Value(_) => {}
                Node::Not(inner) => stack.push(*inner),
                Node::And(items) | Node::Or(items) => stack.extend(items.iter().rev()),
                Node::Iff(a, b) => stack.extend([*b, *a]),
                _ => found.push(term),
            }
        }
        found
    }

    /// Whether the term is a truth-valued symbol or a comparison.
    pub fn is_atom(&self, term: Term) -> bool {
        match self.node(term) {
            Node::Compare(..) | Node::Equal(..) => true,
            Node::Apply(..) => self.sort(term) == Sort::Bool,
            Node::Var(_, sort) => *sort == Sort::Bool,
            _ => false,
        }
    }

    /// The conditions of all conditional numbers inside a term.
    pub fn conditions(&self, term: Term) -> Vec<Term> {
        let all = self.subterms(&[term]).into_iter();
        all.filter_map(|t| match self.node(t) {
            Node::Ite(c, ..) => Some(*c),
            _ => None,
        })
        .collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::{Sort, TermStore};

    #[test]
    fn atoms_are_taken_without_negation_and_conditionals_are_lifted() {
        let s = &mut TermStore::new();
        let [x, y, z] = ["x", "y", "z"].map(|n| s.var(n, Sort::Int));
        let c = s.lt(y, z);
        let pick = s.ite(c, y, z);
        let le = s.le(x, pick);
        let gt = s.not(le);
        let (xy, xz) = (s.le(x, y), s.le(x, z));
        let both = s.and([gt, xy]);
        let lifted = s.lift(both);
        let mut atoms = s.atoms(lifted);
        atoms.sort_unstable();
        let zy = s.literal(c).0;
        let mut expected = vec![zy, xy, xz];
        expected.sort_unstable();
        assert_eq!(atoms, expected);
    }
}
