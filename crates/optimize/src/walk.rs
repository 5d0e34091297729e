//! Whether a formula stays true from a model on in a direction.
//!
//! Three values: true all the way, false all the way, undecided.

use parallax_solver::Model;
use parallax_term::{Linear, Node, Rat, Relation, Sort, Term, TermStore, Value};
use rustc_hash::FxHashMap;

/// Whether all points `model + s * step`, `s >= 0`, are models of the formula;
/// no if that cannot be told.
pub(crate) fn stays(
    store: &TermStore,
    formula: Term,
    model: &Model,
    step: &dyn Fn(Term) -> Rat,
) -> bool {
    let mut truths: FxHashMap<Term, Option<bool>> = FxHashMap::default();
    let mut numbers: FxHashMap<Term, Option<(Rat, Rat)>> = FxHashMap::default();
    for term in store.subterms(&[formula]) {
        if store.sort(term) != Sort::Bool {
            let number = number(store, term, model, step, &truths, &numbers);
            numbers.insert(term, number);
            continue;
        }
        let of = |t: &Term| truths.get(t).copied().flatten();
        let truth = match store.node(term) {
            Node::Value(value) => value.as_bool(),
            Node::Var(..) => model.value_of(store, term).as_bool(),
            Node::Not(a) => of(a).map(|b| !b),
            Node::And(items) => junction(items.iter().map(of), false),
            Node::Or(items) => junction(items.iter().map(of), true),
            Node::Iff(a, b) => of(a).zip(of(b)).map(|(a, b)| a == b),
            Node::Compare(relation, linear) => sum(linear, &numbers)
                .and_then(|(start, growth)| compare(*relation, start.signum(), growth.signum())),
            _ => None,
        };
        truths.insert(term, truth);
    }
    truths.get(&formula).copied().flatten() == Some(true)
}

/// One part with the value `ends` decides; all without it give the opposite.
fn junction(items: impl Iterator<Item = Option<bool>>, ends: bool) -> Option<bool> {
    let mut is_open = false;
    for item in items {
        match item {
            Some(b) if b == ends => return Some(ends),
            Some(_) => {}
            None => is_open = true,
        }
    }
    (!is_open).then_some(!ends)
}

fn number(
    store: &TermStore,
    term: Term,
    model: &Model,
    step: &dyn Fn(Term) -> Rat,
    truths: &FxHashMap<Term, Option<bool>>,
    numbers: &FxHashMap<Term, Option<(Rat, Rat)>>,
) -> Option<(Rat, Rat)> {
    let of = |t: &Term| numbers.get(t).cloned().flatten();
    match store.node(term) {
        Node::Value(value) => Some((value.to_rat()?, Rat::ZERO)),
        Node::Var(..) => {
            let start: Value = model.value_of(store, term);
            Some((start.to_rat()?, step(term)))
        }
        Node::ToReal(a) => of(a),
        Node::Sum(linear) => sum(linear, numbers),
        Node::Ite(c, a, b) => match truths.get(c).copied().flatten()? {
            true => of(a),
            false => of(b),
        },
        _ => None,
    }
}

fn sum(linear: &Linear, numbers: &FxHashMap<Term, Option<(Rat, Rat)>>) -> Option<(Rat, Rat)> {
    let (mut start, mut growth) = (linear.constant_part().clone(), Rat::ZERO);
    for (term, factor) in linear.monomials() {
        let (value, step) = numbers.get(term).cloned().flatten()?;
        start = &start + &(factor * &value);
        growth = &growth + &(factor * &step);
    }
    Some((start, growth))
}

fn compare(relation: Relation, start: i32, growth: i32) -> Option<bool> {
    let (falls, rises) = (growth <= 0, growth >= 0);
    match relation {
        Relation::Le if start <= 0 && falls => Some(true),
        Relation::Le if start > 0 && rises => Some(false),
        Relation::Lt if start < 0 && falls => Some(true),
        Relation::Lt if start >= 0 && rises => Some(false),
        Relation::Eq if start == 0 && growth == 0 => Some(true),
        Relation::Eq if start > 0 && rises || start < 0 && falls => Some(false),
        _ => None,
    }
}
