//! Quantifier elimination without a solver, where it is easy.
//!
//! `exists x. formula` is split into cases until each is a conjunction in
//! which `x` is determined by an equation (then it is replaced) or bounded by
//! linear inequalities (then every lower bound is compared with every upper
//! one, Fourier 1826, Motzkin 1936). Over the integers the latter is exact if
//! all lower or all upper bounds are bounds on `x` itself, not on a multiple:
//! the largest lower bound is then a candidate for `x`. Everything else is
//! left to the caller, who has a solver.

use parallax_base::{Budget, Stop};
use parallax_term::{Linear, Node, Rat, Relation, Sort, Substitution, Term, TermStore};

/// Give up rather than split into more cases.
const CASES: usize = 64;

/// Give up rather than compare more pairs of bounds.
const PAIRS: usize = 256;

/// Eliminates what is easy of `bound`: a formula and those symbols of `bound`
/// that still occur in it.
pub(crate) fn project_all(
    store: &mut TermStore,
    formula: Term,
    bound: &[Term],
    budget: &Budget,
) -> Result<(Term, Vec<Term>), Stop> {
    let (mut formula, mut rest) = (formula, Vec::new());
    for &symbol in bound {
        budget.check()?;
        match project(store, formula, symbol) {
            Some(smaller) => formula = smaller,
            None => rest.push(symbol),
        }
    }
    let occurring = store.vars(formula);
    rest.retain(|symbol| occurring.contains(symbol));
    Ok((formula, rest))
}

/// A formula equivalent to `exists symbol. formula`, if it is easy.
fn project(store: &mut TermStore, formula: Term, symbol: Term) -> Option<Term> {
    let mut done = Vec::new();
    let mut cases = vec![Case { open: vec![formula], literals: vec![], free: vec![] }];
    while let Some(mut case) = cases.pop() {
        match case.step(store, symbol) {
            Step::More(more) => cases.extend(more),
            Step::Done(result) => done.push(result),
            Step::Hard => return None,
        }
        if cases.len() + done.len() > CASES {
            return None;
        }
    }
    Some(store.or(done))
}

/// A conjunction of three kinds of formulas.
#[derive(Clone)]
struct Case {
    /// Not looked at yet.
    open: Vec<Term>,
    /// Literals with the symbol.
    literals: Vec<Term>,
    /// Without the symbol.
    free: Vec<Term>,
}

enum Step {
    More(Vec<Case>),
    Done(Term),
    Hard,
}

impl Case {
    /// Sorts the open formulas, splits at the first choice, or finishes.
    fn step(&mut self, store: &mut TermStore, symbol: Term) -> Step {
        let mut choices = Vec::new();
        while let Some(formula) = self.open.pop() {
            if !store.vars(formula).contains(&symbol) {
                self.free.push(formula);
                continue;
            }
            match shape(store, formula) {
                Shape::Both(items) => self.open.extend(items),
                Shape::Either(_) => choices.push(formula),
                Shape::Literal => match solved(store, formula, symbol) {
                    Some(value) => return self.replace(store, symbol, value, choices),
                    None => self.literals.push(formula),
                },
            }
        }
        let Some(choice) = choices.pop() else {
            return match self.bounds(store, symbol) {
                Some(result) => Step::Done(result),
                None => Step::Hard,
            };
        };
        let Shape::Either(items) = shape(store, choice) else { return Step::Hard };
        self.open = choices;
        let with = |item| {
            let mut case = self.clone();
            case.open.push(item);
            case
        };
        Step::More(items.into_iter().map(with).collect())
    }

    fn replace(
        &mut self,
        store: &mut TermStore,
        symbol: Term,
        value: Term,
        choices: Vec<Term>,
    ) -> Step {
        let mut substitution = Substitution::new([(symbol, value)]);
        let with_symbol = [&*self.open, &choices, &self.literals].concat();
        let replaced = with_symbol.into_iter().map(|f| substitution.apply(store, f));
        let items: Vec<Term> = replaced.collect();
        Step::Done(store.and(items.into_iter().chain(self.free.iter().copied())))
    }

    /// All literals are inequalities, or the case is hard.
    fn bounds(&mut self, store: &mut TermStore, symbol: Term) -> Option<Term> {
        let (mut lower, mut upper) = (Vec::new(), Vec::new());
        for &literal in &self.literals {
            let bound = bound(store, literal, symbol)?;
            if bound.factor.signum() < 0 { lower.push(bound) } else { upper.push(bound) }
        }
        let sort = store.sort(symbol);
        let unit = |bounds: &[Bound]| bounds.iter().all(|b| size(&b.factor).is_one());
        if sort == Sort::Int && !unit(&lower) && !unit(&upper) || lower.len() * upper.len() > PAIRS
        {
            return None;
        }
        let mut result = self.free.clone();
        for low in &lower {
            for high in &upper {
                // -a*x + p <= 0 and b*x + q <= 0 give b*p + a*q <= 0.
                let scaled = low.rest.scaled(&high.factor);
                let sum = scaled.plus(&size(&low.factor), &high.rest);
                let strict = low.strict || high.strict;
                let relation = if strict { Relation::Lt } else { Relation::Le };
                result.push(store.relate(relation, sum, sort));
            }
        }
        Some(store.and(result))
    }
}

/// `factor * symbol + rest <= 0`, or `< 0` if strict.
struct Bound {
    factor: Rat,
    rest: Linear,
    strict: bool,
}

enum Shape {
    Both(Vec<Term>),
    Either(Vec<Term>),
    Literal,
}

/// A formula as a conjunction or a disjunction of simpler ones.
fn shape(store: &mut TermStore, formula: Term) -> Shape {
    let (inner, positive) = store.literal(formula);
    match store.node(inner).clone() {
        Node::And(items) if positive => Shape::Both(items.into()),
        Node::Or(items) if positive => Shape::Either(items.into()),
        Node::And(items) => Shape::Either(items.iter().map(|t| store.not(*t)).collect()),
        Node::Or(items) => Shape::Both(items.iter().map(|t| store.not(*t)).collect()),
        Node::Iff(a, b) => {
            let b = if positive { b } else { store.not(b) };
            let (not_a, not_b) = (store.not(a), store.not(b));
            Shape::Either(vec![store.and([a, b]), store.and([not_a, not_b])])
        }
        Node::Compare(Relation::Eq, linear) if !positive => {
            let sort = store.sort(linear.monomials()[0].0);
            let above = linear.scaled(&Rat::from(-1));
            let less = store.relate(Relation::Lt, linear, sort);
            Shape::Either(vec![less, store.relate(Relation::Lt, above, sort)])
        }
        _ => Shape::Literal,
    }
}

/// The value a literal forces the symbol to have.
fn solved(store: &mut TermStore, literal: Term, symbol: Term) -> Option<Term> {
    let (atom, positive) = store.literal(literal);
    if atom == symbol {
        return Some(store.bool(positive));
    }
    let Node::Compare(Relation::Eq, linear) = store.node(atom).clone() else { return None };
    let (factor, rest) = without(store, &linear, symbol)?;
    let sort = store.sort(symbol);
    if !positive || sort == Sort::Int && !size(&factor).is_one() {
        return None;
    }
    let value = rest.scaled(&-&factor.inverse()?);
    Some(store.sum(value, sort))
}

fn bound(store: &TermStore, literal: Term, symbol: Term) -> Option<Bound> {
    let (atom, positive) = store.literal(literal);
    let Node::Compare(relation, linear) = store.node(atom) else { return None };
    let (factor, rest) = without(store, linear, symbol)?;
    let strict = match relation {
        Relation::Eq => return None,
        Relation::Le => false,
        Relation::Lt => true,
    };
    if positive {
        return Some(Bound { factor, rest, strict });
    }
    // !(t <= 0) is -t < 0, over the integers 1 - t <= 0.
    let (factor, rest) = (-&factor, rest.scaled(&Rat::from(-1)));
    Some(match store.sort(symbol) {
        Sort::Int => Bound { factor, rest: rest.shifted(&Rat::ONE), strict: false },
        _ => Bound { factor, rest, strict: !strict },
    })
}

/// The factor of the symbol and all else, if that is free of the symbol.
fn without(store: &TermStore, linear: &Linear, symbol: Term) -> Option<(Rat, Linear)> {
    let (_, factor) = linear.monomials().iter().find(|(term, _)| *term == symbol)?;
    let rest = linear.plus(&-factor, &Linear::term(symbol));
    let is_free = |(term, _): &(Term, Rat)| !store.vars(*term).contains(&symbol);
    rest.monomials().iter().all(is_free).then(|| (factor.clone(), rest))
}

fn size(factor: &Rat) -> Rat {
    if factor.signum() < 0 { -factor } else { factor.clone() }
}
