//! Inputs of which only few values make a difference.
//!
//! `x = any; if (x == 3) ...` can do two things, though `x` has many values. If a
//! step looks at an input only by comparing it with constants, then its values
//! fall into classes that the step cannot tell apart, and one value of each class
//! stands for all.
//!
//! # Soundness
//! Let `c1 < ... < ck` be the constants. Each comparison `x = c`, `x <= c` has one
//! value on each `c`, on all numbers between two neighbours, below the first and
//! above the last. Every one of these sets that is not empty has one of
//! `c - 1`, `c`, `c + 1` for some `c` in it, and if it reaches outside of the
//! bounds of the input and inside as well, one of the bounds. What is made of the
//! input, and whether the constraint holds, is a function of these comparisons;
//! so trying these values tries everything that any value does.

use crate::Transition;
use parallax_term::{Int, Node, Relation, Sort, Term, TermStore, Value};
use std::collections::BTreeSet;

/// For each input of a transition: values that stand for all of them, or `None`
/// if too little is known.
pub(crate) fn representatives(
    store: &TermStore,
    transition: &Transition,
) -> Vec<Option<Vec<Value>>> {
    let mut roots: Vec<Term> = transition.updates.iter().map(|u| u.value).collect();
    roots.push(transition.constraint);
    let below = store.subterms(&roots);
    let of = |input: &crate::Input| {
        let bounds: Vec<Option<Int>> = [input.low, input.high]
            .into_iter()
            .map(|bound| match bound {
                Some(bound) => store.int_value(bound).map(|value| Some(value.clone())),
                None => Some(None),
            })
            .collect::<Option<Vec<_>>>()?;
        if store.sort(input.term) != Sort::Int || roots.contains(&input.term) {
            return None;
        }
        let mut found: BTreeSet<Int> = BTreeSet::new();
        for term in &below {
            let mut is_child = false;
            store.node(*term).for_each_child(|child| is_child |= child == input.term);
            if !is_child {
                continue;
            }
            let Node::Compare(Relation::Le | Relation::Eq, linear) = store.node(*term) else {
                return None;
            };
            let [(_, factor)] = linear.monomials() else { return None };
            let constant = linear.constant_part().to_int().filter(|_| factor.is_one())?;
            let at = &Int::ZERO - constant;
            found.extend([&at - &Int::from(1), &at + &Int::from(1), at]);
        }
        let (low, high) = (bounds[0].clone(), bounds[1].clone());
        found.extend(low.iter().chain(&high).cloned());
        if found.is_empty() {
            found.insert(Int::ZERO);
        }
        let fits = |value: &Int| {
            low.as_ref().is_none_or(|low| low <= value)
                && high.as_ref().is_none_or(|high| value <= high)
        };
        Some(found.into_iter().filter(fits).map(Value::Int).collect())
    };
    transition.inputs.iter().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Input, Update};
    use parallax_base::{Id, Span};

    /// The values of an input `x` within bounds, for an update to a term.
    fn check(
        bounds: (Option<i64>, Option<i64>),
        update: impl Fn(&mut TermStore, Term) -> Term,
        expected: Option<&[i64]>,
    ) {
        let mut store = TermStore::new();
        let x = store.var("x", Sort::Int);
        let value = update(&mut store, x);
        let mut bound = |bound: Option<i64>| bound.map(|bound| store.int(bound));
        let (low, high) = (bound(bounds.0), bound(bounds.1));
        let truth = store.bool(true);
        let transition = Transition {
            name: String::new(),
            moves: Vec::new(),
            guard: truth,
            inputs: vec![Input { term: x, name: "x".into(), low, high }],
            constraint: truth,
            updates: vec![Update { variable: Id::new(0), value }],
            span: Span::default(),
        };
        let found = representatives(&store, &transition);
        let expected =
            expected.map(|values| values.iter().map(|v| Value::int(*v)).collect::<Vec<_>>());
        assert_eq!(found, [expected]);
    }

    #[test]
    fn comparisons_with_constants_make_classes() {
        let is_three = |store: &mut TermStore, x: Term| {
            let three = store.int(3);
            let same = store.eq(x, three);
            let (one, two) = (store.int(1), store.int(2));
            store.ite(same, one, two)
        };
        check((None, None), is_three, Some(&[2, 3, 4]));
        check((Some(3), Some(9)), is_three, Some(&[3, 4, 9]));
        check((Some(0), None), |store, _| store.int(5), Some(&[0]));
        check((None, None), |store, _| store.int(5), Some(&[0]));
        // What is stored is not only compared.
        check((None, None), |_, x| x, None);
        let doubled = |store: &mut TermStore, x: Term| {
            let three = store.int(3);
            let remainder = store.modulo(x, three);
            let zero = store.int(0);
            store.eq(remainder, zero)
        };
        check((None, None), doubled, None);
    }
}
