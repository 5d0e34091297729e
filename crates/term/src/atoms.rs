//! The atoms of a formula: what a predicate abstraction can track.
//!
//! An atom is a truth-valued term that is no connective, taken without its
//! negation. A conditional number inside a comparison is lifted out first:
//! `x <= (if c then y else z)` has the atoms of `c`, `x <= y` and `x <= z`.

use crate::{Node, Sort, Substitution, Term, TermStore};

impl TermStore {
    /// The atoms of a formula, in a fixed order, without repetition.
    pub fn atoms(&mut self, formula: Term) -> Vec<Term> {
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
                _ => match self.lift_conditional(term) {
                    Some(lifted) => stack.extend(lifted.iter().rev()),
                    None => found.push(term),
                },
            }
        }
        found
    }

    /// For an atom with a conditional inside: condition, atom with the first
    /// branch, atom with the second.
    fn lift_conditional(&mut self, atom: Term) -> Option<[Term; 3]> {
        // The oldest conditional has none inside its own branches' comparison.
        let inner = self
            .subterms(&[atom])
            .into_iter()
            .find(|&t| t != atom && matches!(self.node(t), Node::Ite(..)))?;
        let Node::Ite(c, a, b) = *self.node(inner) else { return None };
        let with_a = Substitution::new([(inner, a)]).apply(self, atom);
        let with_b = Substitution::new([(inner, b)]).apply(self, atom);
        Some([c, with_a, with_b])
    }

    /// Whether the term is a truth-valued symbol or a comparison.
    pub fn is_atom(&self, term: Term) -> bool {
        match self.node(term) {
            Node::Compare(..) => true,
            Node::Var(_, sort) => *sort == Sort::Bool,
            _ => false,
        }
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
        let mut atoms = s.atoms(both);
        atoms.sort_unstable();
        let zy = s.literal(c).0;
        let mut expected = vec![zy, xy, xz];
        expected.sort_unstable();
        assert_eq!(atoms, expected);
    }
}
