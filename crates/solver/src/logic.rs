//! Which SMT-LIB logic a set of formulas needs.
//!
//! Solvers are faster when they know. All our formulas are free of quantifiers,
//! arrays and uninterpreted functions, so three bits tell the logic.

use parallax_term::{Node, Sort, Term, TermStore};

/// The arithmetic that occurs in some formulas.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Logic {
    /// Integers occur.
    pub ints: bool,
    /// Reals occur.
    pub reals: bool,
    /// A product of two unknowns or a quotient by an unknown occurs.
    pub nonlinear: bool,
}

impl Logic {
    /// What one node needs by itself, its children not counted.
    pub(crate) fn of_node(store: &TermStore, term: Term) -> Logic {
        let sort = store.sort(term);
        let nonlinear = match store.node(term) {
            Node::Product(_) => true,
            Node::Div(_, divisor) | Node::Mod(_, divisor) => store.value(*divisor).is_none(),
            _ => false,
        };
        Logic { ints: sort == Sort::Int, reals: sort == Sort::Real, nonlinear }
    }

    /// What some formulas need together.
    pub fn of(store: &TermStore, formulas: &[Term]) -> Logic {
        let all = store.subterms(formulas);
        all.into_iter().fold(Logic::default(), |logic, t| logic.union(Logic::of_node(store, t)))
    }

    /// What both need.
    #[must_use]
    pub fn union(self, other: Logic) -> Logic {
        Logic {
            ints: self.ints || other.ints,
            reals: self.reals || other.reals,
            nonlinear: self.nonlinear || other.nonlinear,
        }
    }

    /// The SMT-LIB name.
    pub fn name(self) -> &'static str {
        match (self.nonlinear, self.ints, self.reals) {
            (false, _, false) => "QF_LIA",
            (false, false, true) => "QF_LRA",
            (false, true, true) => "QF_LIRA",
            (true, _, false) => "QF_NIA",
            (true, false, true) => "QF_NRA",
            (true, true, true) => "QF_NIRA",
        }
    }
}
