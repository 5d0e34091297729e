//! Which SMT-LIB logic a set of formulas needs.
//!
//! Solvers are faster when they know. All our formulas are free of quantifiers
//! and uninterpreted functions, so a few bits tell the logic.

use parallax_term::{Node, Op, Scalar, Sort, Term, TermStore};

/// The theories that occur in some formulas.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Logic {
    /// Integers occur.
    pub ints: bool,
    /// Reals occur.
    pub reals: bool,
    /// A product of two unknowns or a quotient by an unknown occurs.
    pub nonlinear: bool,
    /// Bit-vectors occur.
    pub bits: bool,
    /// Floating-point numbers occur.
    pub floats: bool,
    /// Arrays occur.
    pub arrays: bool,
}

impl Logic {
    /// What one node needs by itself, its children not counted.
    pub(crate) fn of_node(store: &TermStore, term: Term) -> Logic {
        let nonlinear = match store.node(term) {
            Node::Product(_) => true,
            Node::Div(_, divisor) | Node::Mod(_, divisor) => store.value(*divisor).is_none(),
            _ => false,
        };
        let logic = Logic { nonlinear, ..Logic::of_sort(store.sort(term)) };
        match store.node(term) {
            // The index sort of a constant array has no child to tell it.
            Node::Apply(Op::ConstArray(index), _) => logic.union(Logic::of_sort((*index).into())),
            _ => logic,
        }
    }

    fn of_sort(sort: Sort) -> Logic {
        let none = Logic::default();
        match sort {
            Sort::Bool => none,
            Sort::Int => Logic { ints: true, ..none },
            Sort::Real => Logic { reals: true, ..none },
            Sort::Bv(_) => Logic { bits: true, ..none },
            Sort::Float(_) => Logic { floats: true, ..none },
            Sort::Array(index, element) => {
                let of = |scalar: Scalar| Logic::of_sort(scalar.into());
                Logic { arrays: true, ..none }.union(of(index)).union(of(element))
            }
        }
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
            bits: self.bits || other.bits,
            floats: self.floats || other.floats,
            arrays: self.arrays || other.arrays,
        }
    }

    /// Whether there are machine data: bit-vectors, floating-point numbers or
    /// arrays.
    pub fn is_machine(self) -> bool {
        self.bits || self.floats || self.arrays
    }

    /// The SMT-LIB name; `ALL` where no usual name fits.
    pub fn name(self) -> &'static str {
        let numbers = self.ints || self.reals;
        match (self.bits, self.floats, self.arrays) {
            (false, false, false) => self.arithmetic(),
            (true, false, false) if !numbers => "QF_BV",
            (true, false, true) if !numbers => "QF_ABV",
            (false, true, false) if !numbers => "QF_FP",
            (true, true, false) if !numbers => "QF_BVFP",
            (_, true, true) if !numbers => "QF_ABVFP",
            (false, false, true) if !self.nonlinear => match (self.ints, self.reals) {
                (_, false) => "QF_ALIA",
                _ => "QF_AUFLIRA",
            },
            (false, false, true) if !self.reals => "QF_ANIA",
            _ => "ALL",
        }
    }

    fn arithmetic(self) -> &'static str {
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
