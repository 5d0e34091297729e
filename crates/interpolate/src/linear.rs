//! Literals as linear constraints, and constraints as bounds of a simplex.
//!
//! A number that is no sum (a symbol, a product, a conditional, a read of an
//! array) is a variable of the simplex. Quotients and remainders by constants
//! are variables with constraints that say what they are; these hold always,
//! so they may stand in every part where the number occurs.

use parallax_simplex::{Share, Side, Simplex, Var};
use parallax_term::{Int, Linear, Node, Op, Rat, Relation, Sort, Term, TermStore};
use rustc_hash::{FxHashMap, FxHashSet};
use std::hash::Hash;

/// `linear REL 0`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Constraint {
    pub(crate) linear: Linear,
    pub(crate) relation: Relation,
}

impl Constraint {
    /// A literal as a constraint; `None` if it is not linear or a disequation.
    pub(crate) fn read(store: &TermStore, literal: Term) -> Option<Constraint> {
        let (atom, positive) = store.literal(literal);
        let Node::Compare(relation, linear) = store.node(atom) else { return None };
        let is_int = store.sort(linear.monomials()[0].0) == Sort::Int;
        let linear = plain(store, linear);
        if positive {
            return Some(Constraint { linear, relation: *relation });
        }
        let flipped = linear.scaled(&Rat::from(-1));
        match relation {
            Relation::Eq => None,
            Relation::Lt => Some(Constraint { linear: flipped, relation: Relation::Le }),
            Relation::Le if is_int => {
                Some(Constraint { linear: flipped.shifted(&Rat::ONE), relation: Relation::Le })
            }
            Relation::Le => Some(Constraint { linear: flipped, relation: Relation::Lt }),
        }
    }
}

/// The combination over numbers that are not read as reals.
pub(crate) fn plain(store: &TermStore, linear: &Linear) -> Linear {
    let is_cast = |term: Term| matches!(store.node(term), Node::ToReal(_));
    if !linear.monomials().iter().any(|(term, _)| is_cast(*term)) {
        return linear.clone();
    }
    let start = Linear::constant(linear.constant_part().clone());
    linear.monomials().iter().fold(start, |sum, (term, factor)| match store.node(*term) {
        Node::ToReal(inner) => sum.plus(factor, &store.linear(*inner)),
        _ => sum.plus(factor, &Linear::term(*term)),
    })
}

/// The formula `linear REL 0`, where integers among reals are read as reals.
pub(crate) fn formula(store: &mut TermStore, linear: &Linear, relation: Relation) -> Term {
    let is_real = |(term, _): &(Term, Rat)| store.sort(*term) == Sort::Real;
    if !linear.monomials().iter().any(is_real) {
        return store.relate(relation, linear.clone(), Sort::Int);
    }
    let mut sum = Linear::constant(linear.constant_part().clone());
    for (term, factor) in linear.monomials() {
        let is_int = store.sort(*term) == Sort::Int;
        let term = if is_int { store.to_real(*term) } else { *term };
        sum = sum.plus(factor, &Linear::term(term));
    }
    store.relate(relation, sum, Sort::Real)
}

/// What is always true of a number because of what it is; with the numbers
/// that come in by that.
pub(crate) fn meaning(store: &mut TermStore, number: Term) -> Vec<Constraint> {
    let le = |linear| Constraint { linear, relation: Relation::Le };
    let (dividend, divisor, is_rest) = match *store.node(number) {
        Node::Div(a, b) => (a, b, false),
        Node::Mod(a, b) => (a, b, true),
        Node::Apply(Op::BvToInt, bits) => {
            let Sort::Bv(width) = store.sort(bits[0]) else { return Vec::new() };
            let most = Rat::from(&Int::power_of_two(width) - &Int::ONE);
            let value = Linear::term(number);
            return vec![le(value.scaled(&Rat::from(-1))), le(value.shifted(&-&most))];
        }
        _ => return Vec::new(),
    };
    let Some(by) = store.int_value(divisor).cloned() else { return Vec::new() };
    if by.is_zero() {
        return Vec::new();
    }
    let quotient = if is_rest { store.div(dividend, divisor) } else { number };
    let by_times_quotient = store.linear(quotient).scaled(&-&Rat::from(by.clone()));
    let rest = store.linear(dividend).plus(&Rat::ONE, &by_times_quotient);
    let most = &Rat::from(by.abs()) - &Rat::ONE;
    let mut known = vec![le(rest.scaled(&Rat::from(-1))), le(rest.shifted(&-&most))];
    if is_rest {
        let linear = rest.plus(&Rat::from(-1), &Linear::term(number));
        known.push(Constraint { linear, relation: Relation::Eq });
    }
    known
}

/// A simplex over numbers, which are terms or something more special.
#[derive(Clone, Debug)]
pub(crate) struct Table<N = Term> {
    pub(crate) simplex: Simplex,
    vars: FxHashMap<N, Var>,
    /// The number behind each variable that is no form.
    pub(crate) numbers: Vec<(Var, N)>,
    forms: FxHashMap<Box<[(N, Rat)]>, Var>,
}

impl<N> Default for Table<N> {
    fn default() -> Table<N> {
        Table {
            simplex: Simplex::new(),
            vars: FxHashMap::default(),
            numbers: Vec::new(),
            forms: FxHashMap::default(),
        }
    }
}

/// How a constraint bounds a variable: `scale * linear = var - value`.
#[derive(Clone, Debug)]
pub(crate) struct Bounding {
    pub(crate) var: Var,
    pub(crate) value: Rat,
    scale: Rat,
}

impl Bounding {
    /// Whether `linear <= 0` is an upper bound of the variable.
    pub(crate) fn is_upper(&self) -> bool {
        self.scale.signum() > 0
    }

    /// How often the constraint is taken when its bound is taken once.
    pub(crate) fn size(&self) -> Rat {
        if self.is_upper() { self.scale.clone() } else { -&self.scale }
    }
}

impl Table {
    /// The variable that a constraint bounds; `None` if it has no number.
    pub(crate) fn bounding(&mut self, linear: &Linear) -> Option<Bounding> {
        self.bounding_of(linear.monomials(), linear.constant_part())
    }
}

impl<N: Copy + Eq + Hash> Table<N> {
    /// The variable of a number.
    pub(crate) fn var(&mut self, number: N) -> Var {
        let Table { simplex, vars, numbers, .. } = self;
        *vars.entry(number).or_insert_with(|| {
            let var = simplex.var();
            numbers.push((var, number));
            var
        })
    }

    /// The variable that `sum + constant REL 0` bounds; `None` for no number.
    pub(crate) fn bounding_of(&mut self, sum: &[(N, Rat)], constant: &Rat) -> Option<Bounding> {
        let (first, lead) = sum.first()?;
        // One form for a sum and its multiples: the first factor becomes 1.
        let scale = lead.inverse()?;
        let value = -&(constant * &scale);
        let var = if sum.len() == 1 {
            self.var(*first)
        } else {
            let sum: Box<[(N, Rat)]> = sum.iter().map(|(n, c)| (*n, c * &scale)).collect();
            match self.forms.get(&sum) {
                Some(var) => *var,
                None => {
                    let parts: Vec<(Var, Rat)> =
                        sum.iter().map(|(n, c)| (self.var(*n), c.clone())).collect();
                    let var = self.simplex.form(&parts);
                    self.forms.insert(sum, var);
                    var
                }
            }
        };
        Some(Bounding { var, value, scale })
    }

    /// Asserts `linear REL 0` as bounds with a tag.
    pub(crate) fn assert(&mut self, bounding: &Bounding, relation: Relation, tag: u32) {
        let Bounding { var, value, scale } = bounding;
        let side = if scale.signum() > 0 { Side::Upper } else { Side::Lower };
        match relation {
            Relation::Le => self.simplex.assert(*var, side, value, false, tag),
            Relation::Lt => self.simplex.assert(*var, side, value, true, tag),
            Relation::Eq => {
                self.simplex.assert(*var, Side::Lower, value, false, tag);
                self.simplex.assert(*var, Side::Upper, value, false, tag);
            }
        }
    }
}

/// How often the left side of a constraint is taken in a sum.
pub(crate) fn factor(share: &Share, bounding: &Bounding) -> Rat {
    let factor = &share.factor * &bounding.scale;
    if share.side == Side::Upper { factor } else { -&factor }
}

/// The constraints of some literals, each with its literal, and those that say
/// what their numbers are, without one. Literals that are not linear are left
/// out.
pub(crate) fn constraints(
    store: &mut TermStore,
    literals: &[Term],
) -> Vec<(Option<Term>, Constraint)> {
    let mut found = Vec::new();
    for &literal in literals {
        found.extend(Constraint::read(store, literal).map(|read| (Some(literal), read)));
    }
    let (mut seen, mut at) = (FxHashSet::default(), 0);
    while at < found.len() {
        let numbers: Vec<Term> = found[at].1.linear.monomials().iter().map(|(t, _)| *t).collect();
        for number in numbers {
            if seen.insert(number) {
                found.extend(meaning(store, number).into_iter().map(|known| (None, known)));
            }
        }
        at += 1;
    }
    found
}
