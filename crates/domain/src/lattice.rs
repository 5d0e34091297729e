//! What every abstract domain is: elements that stand for sets of states.
//!
//! A domain is an object that knows what it speaks of (predicates, templates,
//! variables); its elements are plain data. Their laws are checked on random
//! elements for all domains in one list, in `crates/invariant/src/laws.rs`:
//! joins are least upper bounds, meaning is monotone, and the element of a state
//! is the least one that the state belongs to.

use crate::truth::{Abstraction, Truths};
use parallax_solver::Model;
use parallax_term::{Term, TermStore, Value};

/// An abstract domain.
pub trait Domain {
    /// A set of states, as far as the domain can tell.
    type Element: Clone + PartialEq + std::fmt::Debug;

    /// No state.
    fn bottom(&self) -> Self::Element;

    /// All states.
    fn top(&self) -> Self::Element;

    /// The least element that a state belongs to.
    fn state(&self, store: &TermStore, state: &Model) -> Self::Element;

    /// The least element above both.
    fn join(&self, a: &Self::Element, b: &Self::Element) -> Self::Element;

    /// Whether all that the second says is said by the first as well.
    fn is_below(&self, a: &Self::Element, b: &Self::Element) -> bool {
        self.join(a, b) == *b
    }

    /// The states that belong to an element, as a formula.
    fn gamma(&self, store: &mut TermStore, element: &Self::Element) -> Term;
}

/// States seen through predicates.
#[derive(Clone, Debug)]
pub struct Predicated {
    /// The predicates.
    pub predicates: Vec<Term>,
    /// What is said of them.
    pub how: Abstraction,
}

impl Domain for Predicated {
    type Element = Option<Truths>;

    fn bottom(&self) -> Option<Truths> {
        None
    }

    fn top(&self) -> Option<Truths> {
        Some(Truths { fixed: vec![None; self.predicates.len()], minterms: Vec::new() })
    }

    fn state(&self, store: &TermStore, state: &Model) -> Option<Truths> {
        let values = state.eval_all(store, &self.predicates);
        let bits: Vec<bool> = values.iter().map(|v| *v == Value::Bool(true)).collect();
        let said = |&bit: &bool| (bit || self.how != Abstraction::Implied).then_some(bit);
        let fixed = bits.iter().map(said).collect();
        let minterms = if self.how == Abstraction::Boolean { vec![bits] } else { Vec::new() };
        Some(Truths { fixed, minterms })
    }

    fn join(&self, a: &Option<Truths>, b: &Option<Truths>) -> Option<Truths> {
        let (Some(x), Some(y)) = (a, b) else { return a.clone().or(b.clone()) };
        let both = x.fixed.iter().zip(&y.fixed);
        let fixed = both.map(|(x, y)| if x == y { *x } else { None }).collect();
        let mut minterms = Vec::new();
        if !x.minterms.is_empty() && !y.minterms.is_empty() {
            minterms = [&x.minterms[..], &y.minterms[..]].concat();
            minterms.sort_unstable();
            minterms.dedup();
        }
        Some(Truths { fixed, minterms })
    }

    fn gamma(&self, store: &mut TermStore, element: &Option<Truths>) -> Term {
        match element {
            None => store.bool(false),
            Some(truths) => truths.formula(store, &self.predicates),
        }
    }
}
