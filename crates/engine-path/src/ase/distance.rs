//! How far a concrete state is from a target: a guide for probing.
//!
//! The distance of an atom is how much its linear form misses by, of a
//! conjunction the sum, of a disjunction the least. It is zero exactly on
//! targets. A search that looks at near states first walks straight up to
//! `t == 500` where breadth first would list every state on the way. Which
//! states are looked at first cannot make an answer wrong.

use crate::work::Work;
use parallax_domain::Partition;
use parallax_ir::{Domain, Program};
use parallax_term::{
    Code, Int, Linear, Node, Rat, Relation, Scratch, Sort, Term, TermStore, Value,
};
use rustc_hash::FxHashMap;

/// Formulas with more subterms give no guidance worth its price.
const LARGEST: usize = 2_000;

/// Evaluates the distance to the target.
pub(crate) struct Distance {
    code: Code,
    scratch: Scratch,
}

impl Distance {
    /// The distance to the target of a question; `None` if there is no
    /// sensible one.
    pub(crate) fn new(work: &mut Work) -> Option<Distance> {
        let target = work.target;
        if work.store.subterms(&[target]).len() > LARGEST {
            return None;
        }
        let partition = work.post.partition().clone();
        let term = distance(&mut work.store, work.program, &partition, target);
        work.store.value(term).is_none().then(|| Distance {
            code: Code::compile(&work.store, &[term], |t| partition.slot(t)),
            scratch: Scratch::default(),
        })
    }

    /// The distance of a state, cut off at the largest word.
    pub(crate) fn of(&mut self, state: &[Value]) -> i64 {
        match self.code.eval(state, &mut self.scratch) {
            Value::Int(n) => n.to_i64().unwrap_or(i64::MAX),
            _ => i64::MAX,
        }
    }
}

/// A term that is 0 where the formula holds and positive elsewhere.
fn distance(
    store: &mut TermStore,
    program: &Program,
    partition: &Partition,
    formula: Term,
) -> Term {
    // (formula, polarity) -> distance, bottom up.
    let mut done: FxHashMap<(Term, bool), Term> = FxHashMap::default();
    for term in store.subterms(&[formula]) {
        if store.sort(term) != Sort::Bool {
            continue;
        }
        for positive in [true, false] {
            let of = |t: Term, same: bool| done[&(t, same == positive)];
            let value = match store.node(term).clone() {
                Node::Not(inner) => of(inner, false),
                Node::And(items) | Node::Or(items) => {
                    let parts: Vec<Term> = items.iter().map(|&t| of(t, true)).collect();
                    let is_and = matches!(store.node(term), Node::And(_));
                    if is_and == positive { total(store, &parts) } else { least(store, &parts) }
                }
                Node::Compare(relation, linear)
                    if is_measurable(store, program, partition, &linear) =>
                {
                    missed(store, relation, &linear, positive)
                }
                _ => {
                    let holds = if positive { term } else { store.not(term) };
                    let (zero, one) = (store.int(0), store.int(1));
                    store.ite(holds, zero, one)
                }
            };
            done.insert((term, positive), value);
        }
    }
    done[&(formula, true)]
}

/// Whether differences of the form say how far apart states are: integers do,
/// locations and enumeration constants do not.
fn is_measurable(
    store: &TermStore,
    program: &Program,
    partition: &Partition,
    linear: &Linear,
) -> bool {
    linear.monomials().iter().all(|(term, _)| {
        let slot = partition.slot(*term);
        let domain = slot.map(|s| &program.variables.as_slice()[s].domain);
        store.sort(*term) == Sort::Int && !matches!(domain, Some(Domain::Enum(_)))
    })
}

/// How much a comparison (or its negation) misses by.
fn missed(store: &mut TermStore, relation: Relation, linear: &Linear, positive: bool) -> Term {
    let zero = store.int(0);
    let form = store.sum(linear.clone(), Sort::Int);
    let other = store.neg(form);
    match (relation, positive) {
        (Relation::Eq, true) => {
            let low = store.le(form, zero);
            store.ite(low, other, form)
        }
        (Relation::Eq, false) => {
            let equal = store.eq(form, zero);
            let one = store.int(1);
            store.ite(equal, one, zero)
        }
        (_, true) => {
            let holds = store.le(form, zero);
            store.ite(holds, zero, form)
        }
        (_, false) => {
            let one = store.constant(Value::Int(Int::ONE));
            let gap = store.sub(one, form);
            let holds = store.le(one, form);
            store.ite(holds, zero, gap)
        }
    }
}

fn total(store: &mut TermStore, parts: &[Term]) -> Term {
    let start = Linear::constant(Rat::ZERO);
    let sum = parts.iter().fold(start, |sum, &part| sum.plus(&Rat::ONE, &store.linear(part)));
    store.sum(sum, Sort::Int)
}

fn least(store: &mut TermStore, parts: &[Term]) -> Term {
    let mut best = parts[0];
    for &part in &parts[1..] {
        let smaller = store.le(best, part);
        best = store.ite(smaller, best, part);
    }
    best
}
