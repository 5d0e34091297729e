//! Template problems: how far linear expressions reach where a formula holds.
//!
//! This is symbolic abstraction in the template constraint matrix domain
//! (Li, MSc thesis, Toronto 2013): for a formula and a set of linear terms,
//! the least upper bound of each term over all models of the formula. A lower
//! bound of a term is minus the upper bound of its negation; both are sides of
//! one template here, because that is how people read intervals.

use parallax_base::Span;
use parallax_term::{Linear, Node, Sort, Term, TermStore, Value};

/// A formula of linear arithmetic and the terms to bound over its models.
#[derive(Clone, Debug)]
pub struct TemplateProblem {
    /// What messages call it.
    pub name: String,
    /// Holds all terms of the problem.
    pub store: TermStore,
    /// What restricts the values.
    pub formula: Term,
    /// The terms to bound, in the order they were asked for.
    pub templates: Vec<Template>,
    /// All symbols of formula and templates, oldest first. A point gives one
    /// value to each.
    pub symbols: Vec<Term>,
}

/// A linear term and which of its bounds are wanted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Template {
    /// The term; its sort is `Int` or `Real`.
    pub term: Term,
    /// The wanted sides.
    pub sides: Sides,
    /// Where it stands in the text.
    pub span: Span,
}

/// Which bounds of a template are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sides {
    /// The least upper bound.
    Upper,
    /// The greatest lower bound.
    Lower,
    /// Both.
    Both,
}

/// One end of an interval.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Side {
    /// The greatest lower bound.
    Lower,
    /// The least upper bound.
    Upper,
}

impl Sides {
    /// The single sides, the lower one first.
    pub fn each(self) -> &'static [Side] {
        match self {
            Sides::Upper => &[Side::Upper],
            Sides::Lower => &[Side::Lower],
            Sides::Both => &[Side::Lower, Side::Upper],
        }
    }
}

impl TemplateProblem {
    /// A problem about all symbols that occur in it.
    pub fn new(
        name: impl Into<String>,
        store: TermStore,
        formula: Term,
        templates: Vec<Template>,
    ) -> TemplateProblem {
        let roots: Vec<Term> =
            templates.iter().map(|t| t.term).chain(std::iter::once(formula)).collect();
        let mut symbols = store.subterms(&roots);
        symbols.retain(|&t| matches!(store.node(t), Node::Var(..)));
        TemplateProblem { name: name.into(), store, formula, templates, symbols }
    }

    /// The wanted bounds: each side of each template, in order.
    pub fn wanted(&self) -> Vec<(usize, Side)> {
        let sides = self.templates.iter().enumerate();
        sides.flat_map(|(i, t)| t.sides.each().iter().map(move |&side| (i, side))).collect()
    }

    /// The symbols a template mentions, with coefficients, and its constant.
    pub fn linear(&self, template: usize) -> Linear {
        self.store.linear(self.templates[template].term)
    }

    /// The first subterm that is not linear arithmetic over truth values,
    /// integers and reals. Quotients by constants count as linear.
    pub fn first_nonlinear(store: &TermStore, roots: &[Term]) -> Option<Term> {
        store.subterms(roots).into_iter().find(|&term| {
            let plain = matches!(store.sort(term), Sort::Bool | Sort::Int | Sort::Real);
            let fine = match store.node(term) {
                Node::Product(_) | Node::Equal(..) | Node::Apply(..) => false,
                Node::Div(_, by) | Node::Mod(_, by) => {
                    store.value(*by).is_some_and(|v| *v != Value::int(0))
                }
                _ => true,
            };
            !(plain && fine)
        })
    }
}
