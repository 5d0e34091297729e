//! Quantifier elimination in linear arithmetic, without a solver.
//!
//! `exists x. formula` is split into cases until each is a conjunction of
//! literals that are linear in `x`, which [`crate::cooper`] decides.
//! Conditional numbers become cases. Machine data are eliminated where an
//! equation says what they are. A quotient or remainder is expressed by
//! a new number `q`: `t div d` is `q` and `t mod d` is `t - d*q`, where
//! `0 <= t - d*q < |d|`; then `q` is eliminated as well. What is too large or
//! not linear is left to the caller.

use crate::cooper::{self, Literal, divisibility};
use parallax_base::{Budget, Stop};
use parallax_term::{Node, Rat, Relation, Sort, Substitution, Term, TermStore};

/// Give up rather than split into more cases.
const CASES: usize = 256;

/// Eliminates what it can of `bound`: a formula, and those symbols of `bound`
/// that still occur in it.
pub(crate) fn project_all(
    store: &mut TermStore,
    formula: Term,
    bound: &[Term],
    budget: &Budget,
) -> Result<(Term, Vec<Term>), Stop> {
    let (mut formula, mut rest) = (formula, Vec::new());
    for &symbol in bound {
        let (mut smaller, mut symbols) = (Some(formula), vec![symbol]);
        while let (Some(so_far), Some(symbol)) = (smaller, symbols.pop()) {
            budget.check()?;
            let mut quotients = Vec::new();
            smaller = project(store, so_far, symbol, &mut quotients);
            symbols.extend(quotients.iter().map(|(_, q)| *q));
        }
        // A truth value inside machine data has no literal, but only two values.
        if smaller.is_none() && store.sort(symbol) == Sort::Bool {
            let values = [true, false].map(|value| store.bool(value));
            let cases = values.map(|value| store.substitute(formula, &[(symbol, value)]));
            smaller = Some(store.or(cases));
        }
        match smaller {
            Some(smaller) => formula = smaller,
            None => rest.push(symbol),
        }
    }
    let occurring = store.vars(formula);
    rest.retain(|symbol| occurring.contains(symbol));
    Ok((formula, rest))
}

/// Dividends and divisors, with the new numbers for their quotients.
type Quotients = Vec<([Term; 2], Term)>;

/// `exists symbol. formula`, in which the new numbers are still to be
/// eliminated; `None` if it is too large or not linear.
fn project(
    store: &mut TermStore,
    formula: Term,
    symbol: Term,
    quotients: &mut Quotients,
) -> Option<Term> {
    let mut done = Vec::new();
    let mut cases = vec![Case { open: vec![formula], ..Case::default() }];
    while let Some(mut case) = cases.pop() {
        match case.step(store, symbol, quotients)? {
            Step::Split(more) => cases.extend(more),
            Step::Done(result) => done.push(result),
        }
        if cases.len() + done.len() > CASES {
            return None;
        }
    }
    Some(store.or(done))
}

/// A conjunction of four kinds of formulas.
#[derive(Clone, Default)]
struct Case {
    /// Not looked at yet.
    open: Vec<Term>,
    /// Disjunctions with the symbol.
    choices: Vec<Term>,
    /// Literals with the symbol.
    literals: Vec<Term>,
    /// Without the symbol.
    free: Vec<Term>,
}

enum Step {
    Split(Vec<Case>),
    Done(Term),
}

impl Case {
    /// Sorts the open formulas; then splits at a choice or finishes.
    fn step(
        &mut self,
        store: &mut TermStore,
        symbol: Term,
        quotients: &mut Quotients,
    ) -> Option<Step> {
        while let Some(formula) = self.open.pop() {
            if !store.vars(formula).contains(&symbol) {
                self.free.push(formula);
                continue;
            }
            match shape(store, formula, symbol, quotients) {
                Shape::Both(items) => self.open.extend(items),
                Shape::Either(_) => self.choices.push(formula),
                Shape::Literal => match forced(store, formula, symbol) {
                    Some(value) => return Some(Step::Done(self.replace(store, symbol, value))),
                    None => self.literals.push(formula),
                },
            }
        }
        if let Some(choice) = self.choices.pop()
            && let Shape::Either(items) = shape(store, choice, symbol, quotients)
        {
            let with = |item| Case { open: vec![item], ..self.clone() };
            return Some(Step::Split(items.into_iter().map(with).collect()));
        }
        let read = |literal: &Term| Literal::read(store, *literal, symbol);
        let literals: Vec<Literal> = self.literals.iter().map(read).collect::<Option<_>>()?;
        let sort = store.sort(symbol);
        self.free.push(cooper::eliminate(store, &literals, sort)?);
        Some(Step::Done(store.and(self.free.iter().copied())))
    }

    /// The conjunction with the only possible value of the symbol.
    fn replace(&self, store: &mut TermStore, symbol: Term, value: Term) -> Term {
        let mut items = [&*self.open, &self.choices, &self.literals].concat();
        let mut substitution = Substitution::new([(symbol, value)]);
        for item in &mut items {
            *item = substitution.apply(store, *item);
        }
        items.extend_from_slice(&self.free);
        store.and(items)
    }
}

enum Shape {
    Both(Vec<Term>),
    Either(Vec<Term>),
    Literal,
}

/// A formula as a conjunction or a disjunction of simpler ones.
fn shape(store: &mut TermStore, formula: Term, symbol: Term, quotients: &mut Quotients) -> Shape {
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
        Node::Compare(relation, linear) => {
            let with_symbol = |term: &Term| store.vars(*term).contains(&symbol);
            let mut inside = store.subterms(&[inner]);
            inside.retain(with_symbol);
            let is = |wanted: fn(&Node) -> bool| {
                inside.iter().copied().find(|term| wanted(store.node(*term)))
            };
            // The oldest term of a kind has no other of its kind inside.
            let conditional = is(|node| matches!(node, Node::Ite(..)));
            let quotient = is(|node| matches!(node, Node::Div(..) | Node::Mod(..)));
            if let Some(term) = conditional {
                return Shape::Either(without_conditional(store, formula, term));
            }
            let is_divisibility =
                divisibility(store, formula).is_some() && quotient == Some(linear.monomials()[0].0);
            if let Some(term) = quotient
                && !is_divisibility
                && let Some(items) = without_quotient(store, formula, term, quotients)
            {
                return Shape::Both(items);
            }
            if relation == Relation::Eq && !positive && !is_divisibility {
                let sort = store.sort(linear.monomials()[0].0);
                let above = linear.scaled(&Rat::from(-1));
                let less = store.relate(Relation::Lt, linear, sort);
                return Shape::Either(vec![less, store.relate(Relation::Lt, above, sort)]);
            }
            Shape::Literal
        }
        _ => Shape::Literal,
    }
}

/// The literal in the two cases of a conditional number inside it.
fn without_conditional(store: &mut TermStore, literal: Term, conditional: Term) -> Vec<Term> {
    let Node::Ite(c, a, b) = *store.node(conditional) else { return vec![literal] };
    let with_a = store.substitute(literal, &[(conditional, a)]);
    let with_b = store.substitute(literal, &[(conditional, b)]);
    let not_c = store.not(c);
    vec![store.and([c, with_a]), store.and([not_c, with_b])]
}

/// The literal with a new number for the quotient, and what that number is.
fn without_quotient(
    store: &mut TermStore,
    literal: Term,
    quotient: Term,
    quotients: &mut Quotients,
) -> Option<Vec<Term>> {
    let (Node::Div(a, b) | Node::Mod(a, b)) = *store.node(quotient) else { return None };
    let known = quotients.iter().find(|(key, _)| *key == [a, b]).map(|(_, q)| *q);
    let q = known.unwrap_or_else(|| store.fresh("q", Sort::Int));
    if known.is_none() {
        quotients.push(([a, b], q));
    }
    let (value, meaning) = quotient_is(store, quotient, q)?;
    let literal = store.substitute(literal, &[(quotient, value)]);
    Some([literal].into_iter().chain(meaning).collect())
}

/// The value of a quotient or remainder if `q` is the quotient, and when it is.
/// `None` if the divisor is no constant.
pub(crate) fn quotient_is(
    store: &mut TermStore,
    quotient: Term,
    q: Term,
) -> Option<(Term, [Term; 2])> {
    let (dividend, divisor, wants_rest) = match *store.node(quotient) {
        Node::Div(a, b) => (a, b, false),
        Node::Mod(a, b) => (a, b, true),
        _ => return None,
    };
    let divisor = store.int_value(divisor)?.clone();
    let multiple = store.scale(&Rat::from(divisor.clone()), q);
    let rest = store.sub(dividend, multiple);
    let (zero, limit) = (store.int(0), store.int(divisor.abs()));
    let meaning = [store.le(zero, rest), store.lt(rest, limit)];
    Some((if wants_rest { rest } else { q }, meaning))
}

/// The value that a literal forces the symbol to have.
fn forced(store: &mut TermStore, literal: Term, symbol: Term) -> Option<Term> {
    let (atom, positive) = store.literal(literal);
    if atom == symbol {
        return Some(store.bool(positive));
    }
    if let (Node::Equal(a, b), true) = (store.node(atom), positive) {
        let other = if *a == symbol { *b } else { *a };
        let solved = [*a, *b].contains(&symbol) && !store.vars(other).contains(&symbol);
        return solved.then_some(other);
    }
    let sort = store.sort(symbol);
    let value = Literal::read(store, literal, symbol)?.solution(sort)?;
    Some(store.sum(value, sort))
}
