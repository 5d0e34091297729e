//! Problems without quotients: every atom is a sum of symbols.
//!
//! `a div c` becomes a fresh integer `q` with `c*q <= a < c*q + |c|`, and
//! `a mod c` is `a - c*q`. A goal that is more than a sum of symbols becomes a
//! fresh symbol with an equation. Conditional numbers stay: searchers know how
//! to deal with them.

use crate::state::State;
use parallax_ir::Side;
use parallax_term::{Int, Node, Rat, Sort, Substitution, Term, TermStore};
use rustc_hash::FxHashMap;

/// An equivalent problem, over more symbols.
pub(crate) struct Plain {
    pub(crate) store: TermStore,
    pub(crate) formula: Term,
    /// The terms to maximize: sums of symbols and of integers read as reals.
    pub(crate) goals: Vec<Term>,
}

impl Plain {
    pub(crate) fn new(state: &State<'_>) -> Plain {
        let problem = state.problem;
        let mut store = problem.store.clone();
        let mut goals = Vec::new();
        for goal in &state.goals {
            let term = problem.templates[goal.template].term;
            goals.push(match goal.side {
                Side::Upper => term,
                Side::Lower => store.neg(term),
            });
        }
        Plain::of(store, problem.formula, &goals)
    }

    /// The same for terms to maximize over the models of a formula.
    pub(crate) fn of(store: TermStore, formula: Term, goals: &[Term]) -> Plain {
        let mut plain = Plain { store, formula, goals: Vec::new() };
        for &goal in goals {
            let goal = plain.symbolic(goal);
            plain.goals.push(goal);
        }
        plain.without_quotients();
        plain
    }

    /// The goal itself if it is a sum of symbols, else a symbol equal to it.
    fn symbolic(&mut self, term: Term) -> Term {
        let linear = self.store.linear(term);
        let is_symbol = |t: Term| match self.store.node(t) {
            Node::Var(..) => true,
            Node::ToReal(a) => matches!(self.store.node(*a), Node::Var(..)),
            _ => false,
        };
        if linear.monomials().iter().all(|(t, _)| is_symbol(*t)) {
            return term;
        }
        let sort = self.store.sort(term);
        let symbol = self.store.fresh("goal", sort);
        let equal = self.store.eq(symbol, term);
        self.formula = self.store.and([self.formula, equal]);
        symbol
    }

    /// Replaces quotients, and integers read as reals that are no symbols,
    /// from the inside out.
    fn without_quotients(&mut self) {
        let mut quotients: FxHashMap<(Term, Int), Term> = FxHashMap::default();
        let mut facts = Vec::new();
        let mut replace = Substitution::default();
        // Terms come after those that they hold.
        for term in self.store.subterms(&[self.formula]) {
            let store = &mut self.store;
            let node = store.node(term).clone();
            let by = match &node {
                Node::Div(_, by) | Node::Mod(_, by) => store.int_value(*by).cloned(),
                _ => None,
            };
            let replacement = match (node, by) {
                (Node::Div(a, _), Some(c)) => {
                    let a = replace.apply(store, a);
                    quotient(store, &mut quotients, &mut facts, a, c)
                }
                (Node::Mod(a, _), Some(c)) => {
                    let a = replace.apply(store, a);
                    let q = quotient(store, &mut quotients, &mut facts, a, c.clone());
                    let product = store.scale(&Rat::from(c), q);
                    store.sub(a, product)
                }
                (Node::ToReal(a), _) if !matches!(store.node(a), Node::Var(..)) => {
                    let a = replace.apply(store, a);
                    let symbol = store.fresh("int", Sort::Int);
                    facts.push(store.eq(symbol, a));
                    store.to_real(symbol)
                }
                _ => continue,
            };
            replace.insert(term, replacement);
        }
        facts.push(replace.apply(&mut self.store, self.formula));
        self.formula = self.store.and(facts);
    }
}

/// The symbol of `a div c`, with what defines it.
fn quotient(
    store: &mut TermStore,
    known: &mut FxHashMap<(Term, Int), Term>,
    facts: &mut Vec<Term>,
    a: Term,
    c: Int,
) -> Term {
    if let Some(&q) = known.get(&(a, c.clone())) {
        return q;
    }
    let q = store.fresh("quotient", Sort::Int);
    known.insert((a, c.clone()), q);
    let size = store.int(c.abs());
    let product = store.scale(&Rat::from(c), q);
    let next = store.add(product, size);
    facts.push(store.le(product, a));
    facts.push(store.lt(a, next));
    q
}
