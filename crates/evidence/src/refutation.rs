//! Proofs that nothing lies beyond a bound: clauses, each with its reason.
//!
//! A literal speaks of a *name*: a formula that occurs in the problem, or a
//! comparison of a sum with zero. Steps add clauses. Some hold by what names
//! mean (definitions), some by arithmetic (a sum of their negated literals is
//! a contradiction, Farkas' lemma), the others follow from earlier clauses by
//! unit propagation, and say from which. A clause of one literal that denies
//! "beyond the bound" is the proof of that bound.
//!
//! This is LRAT (Cruz-Filipe, Heule, Hunt, Kaufmann, Schneider-Kamp, CADE
//! 2017) with definitions and arithmetic.

use parallax_term::{Linear, Rat, Relation, Term};

/// What a literal speaks of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Name {
    /// A formula of the problem's store.
    Term(Term),
    /// `linear REL 0` over terms of the problem's store.
    Compare(Relation, Linear),
}

/// A name, or its negation if the last bit is set: `2 * name + negated`.
pub type Literal = u32;

/// How a clause comes in. Steps are numbered from 0.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// The formula of the problem.
    Formula,
    /// Part of what a connective of the problem means. A conjunction of `n`
    /// items has the parts `!all | item` for each item and, as part `n`,
    /// `all | !item | ... | !item`; a disjunction the duals; an equivalence
    /// `e <=> (a <=> b)` the parts `!e | !a | b`, `!e | a | !b`, `e | a | b`,
    /// `e | !a | !b`.
    Connective(Term, u32),
    /// Part of what a conditional number means: `!c | ite = a`, `c | ite = b`.
    Conditional(Term, u32),
    /// An equation, or less, or greater. The name is that of the equation.
    Trichotomy(u32),
    /// A sum of the negated literals, with these factors, is a contradiction.
    /// If the negation of one literal is a disequality, the first factors are
    /// for "less" in its place, the second for "greater".
    Arithmetic {
        /// The clause.
        clause: Box<[Literal]>,
        /// One factor for each literal.
        factors: Box<[Rat]>,
        /// The factors of the second case.
        otherwise: Option<Box<[Rat]>>,
    },
    /// Follows by unit propagation from earlier clauses, in this order.
    Derived {
        /// The clause.
        clause: Box<[Literal]>,
        /// Numbers of steps.
        from: Box<[u32]>,
    },
}

/// A list of clauses that ends in proofs of bounds.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Refutation {
    /// What literals speak of.
    pub names: Vec<Name>,
    /// The clauses.
    pub steps: Vec<Step>,
    /// For bounds, by their index, the step that shows that nothing lies
    /// beyond. A step without literals shows it for all.
    pub shows: Vec<(usize, u32)>,
}
