//! Formulas to clauses, part by part.
//!
//! A subformula below a disjunction gets a name, which implies it (and is
//! implied by it where it occurs negated): Plaisted, Greenbaum, *A
//! Structure-preserving Clause Form Translation* (1986). Names belong to one
//! part. Equations between numbers are two inequalities. Conditional numbers,
//! quotients and remainders are numbers with clauses that say what they are,
//! in each part where they occur.

use super::clause::{Clause, Origin};
use super::theory::{Span, Theory};
use crate::linear::{Constraint, meaning, plain};
use parallax_search::Lit;
use parallax_term::{Linear, Node, Rat, Relation, Term, TermStore};
use rustc_hash::{FxHashMap, FxHashSet};

/// Clauses and the meaning of their variables.
pub(crate) struct Encoded {
    pub(crate) clauses: Vec<Clause>,
    pub(crate) theory: Theory,
}

/// A name, and for which polarities it is defined already.
struct Named {
    var: usize,
    defined: [bool; 2],
}

/// Turns parts into clauses.
#[derive(Default)]
pub(crate) struct Encoder {
    clauses: Vec<Clause>,
    theory: Theory,
    part: usize,
    /// The conjunct that is being encoded; none for definitions.
    conjunct: Option<Term>,
    names: FxHashMap<Term, Named>,
    /// Subformulas whose name still has to be defined, and for which polarity.
    open: Vec<(Term, bool)>,
    /// Numbers of the current part.
    numbers: FxHashSet<Term>,
    new_numbers: Vec<Term>,
}

impl Encoder {
    /// Adds the conjuncts of a part.
    pub(crate) fn part(&mut self, store: &mut TermStore, part: usize, conjuncts: &[Term]) {
        self.part = part;
        self.names.clear();
        self.numbers.clear();
        for &conjunct in conjuncts {
            self.conjunct = Some(conjunct);
            self.require(store, &[], conjunct);
        }
        self.conjunct = None;
        loop {
            if let Some((term, positive)) = self.open.pop() {
                self.define(store, term, positive);
            } else if let Some(number) = self.new_numbers.pop() {
                self.explain(store, number);
            } else {
                break;
            }
        }
    }

    pub(crate) fn finish(mut self) -> Encoded {
        self.clauses.extend(self.theory.neighbors());
        Encoded { clauses: self.clauses, theory: self.theory }
    }

    fn clause(&mut self, literals: Vec<Lit>) {
        self.clauses.push(Clause { literals, origin: Origin::Part(self.part, self.conjunct) });
    }

    /// Adds `premises` imply `formula`, where the premises are given negated.
    fn require(&mut self, store: &mut TermStore, negated: &[Lit], formula: Term) {
        let (mut clauses, mut open) = (Vec::new(), vec![formula]);
        while let Some(formula) = open.pop() {
            let (inner, positive) = store.literal(formula);
            match store.node(inner).clone() {
                Node::And(items) if positive => open.extend(items),
                Node::Or(items) if !positive => {
                    open.extend(items.iter().map(|item| store.not(*item)));
                }
                Node::Or(items) => clauses.push(items.to_vec()),
                Node::And(items) => {
                    clauses.push(items.iter().map(|item| store.not(*item)).collect());
                }
                Node::Compare(Relation::Eq, _) if positive => open.extend(halves(store, inner)),
                Node::Compare(Relation::Eq, _) => {
                    clauses.push(halves(store, inner).map(|half| store.not(half)).to_vec());
                }
                Node::Value(_) if store.is_true(formula) => {}
                Node::Value(_) => clauses.push(Vec::new()),
                _ => clauses.push(vec![formula]),
            }
        }
        for items in clauses {
            let mut literals = negated.to_vec();
            for item in items {
                literals.push(self.literal(store, item));
            }
            self.clause(literals);
        }
    }

    /// The literal of a formula that is required to be true.
    fn literal(&mut self, store: &mut TermStore, formula: Term) -> Lit {
        let (inner, positive) = store.literal(formula);
        let is_composed = matches!(
            store.node(inner),
            Node::And(_)
                | Node::Or(_)
                | Node::Iff(..)
                | Node::Value(_)
                | Node::Compare(Relation::Eq, _)
        );
        if is_composed {
            let (theory, part) = (&mut self.theory, self.part);
            let named = self
                .names
                .entry(inner)
                .or_insert_with(|| Named { var: theory.name(part), defined: [false; 2] });
            if !std::mem::replace(&mut named.defined[usize::from(positive)], true) {
                self.open.push((inner, positive));
            }
            return Lit::new(named.var, positive);
        }
        let var = self.theory.atom(store, inner, Span::at(self.part));
        self.meet(var);
        Lit::new(var, positive)
    }

    /// Notes the numbers of an atom of this part.
    fn meet(&mut self, var: usize) {
        for number in self.theory.numbers_of(var) {
            if self.numbers.insert(number) {
                self.theory.meet(number, self.part);
                self.new_numbers.push(number);
            }
        }
    }

    /// Says that a name implies its formula (or its negation the negation).
    fn define(&mut self, store: &mut TermStore, term: Term, positive: bool) {
        let Some(named) = self.names.get(&term) else { return };
        let name = Lit::new(named.var, positive);
        let premise = [!name];
        if let Node::Iff(a, b) = *store.node(term) {
            let b = if positive { b } else { store.not(b) };
            let (not_a, not_b) = (store.not(a), store.not(b));
            for pair in [[not_a, b], [a, not_b]] {
                let mut literals = premise.to_vec();
                for item in pair {
                    literals.push(self.literal(store, item));
                }
                self.clause(literals);
            }
            return;
        }
        let formula = if positive { term } else { store.not(term) };
        self.require(store, &premise, formula);
    }

    /// Says what a number is.
    fn explain(&mut self, store: &mut TermStore, number: Term) {
        if let Node::Ite(c, a, b) = *store.node(number) {
            let not_c = store.not(c);
            for (premise, value) in [(not_c, a), (c, b)] {
                let negated = self.literal(store, premise);
                let linear = plain(store, &store.linear(value));
                let linear = linear.plus(&Rat::from(-1), &Linear::term(number));
                self.known(store, &[negated], Constraint { linear, relation: Relation::Eq });
            }
            return;
        }
        for constraint in meaning(store, number) {
            self.known(store, &[], constraint);
        }
    }

    /// Adds `premises` imply a constraint that is not strict.
    fn known(&mut self, store: &mut TermStore, negated: &[Lit], constraint: Constraint) {
        let Constraint { linear, relation } = constraint;
        let mut sides = vec![linear];
        if relation == Relation::Eq {
            sides.push(sides[0].scaled(&Rat::from(-1)));
        }
        for linear in sides {
            let bound = self.theory.bound(store, linear, Span::at(self.part));
            self.meet(bound.var());
            let mut literals = negated.to_vec();
            literals.push(bound);
            self.clause(literals);
        }
    }
}

/// The two inequalities of an equation.
fn halves(store: &mut TermStore, equation: Term) -> [Term; 2] {
    let Node::Compare(_, linear) = store.node(equation) else { return [equation; 2] };
    let linear = linear.clone();
    let sort = store.sort(linear.monomials()[0].0);
    let flipped = linear.scaled(&Rat::from(-1));
    [store.relate(Relation::Le, linear, sort), store.relate(Relation::Le, flipped, sort)]
}
