//! Branching conditions of a function as conditions on its early values.
//!
//! A parameter that was assigned to before the branch is taken for what was
//! passed: a guard need not be true to the text, it only has to be useful.

use crate::sample::Seen;
use crate::subject::Subject;
use parallax_base::Id;
use parallax_cfa::{Base, Binary, Expr, ExprKind, Op, Program, Unary};
use parallax_transform::contracts::{Atom, Condition, Relation, Sum};

/// Most guards.
const GUARDS: usize = 16;

/// A value that takes so few values on all calls is told apart by these.
const FEW: usize = 5;

/// How deep conditions are looked into.
const DEPTH: usize = 8;

/// The guards of a function, each with its opposite.
pub(crate) fn guards(program: &Program, subject: &Subject, seen: &Seen) -> Vec<Condition> {
    let mut found: Vec<Condition> = Vec::new();
    let mut add = |condition: Condition| {
        if let Some(opposite) = condition.negated()
            && !found.contains(&condition)
            && found.len() < GUARDS
        {
            found.extend([condition, opposite]);
        }
    };
    for edge in &program.functions[subject.function].edges {
        if let Op::Assume(e) = edge.op
            && let Some(condition) = condition(program, subject, e, true, DEPTH)
        {
            add(condition);
        }
    }
    for (at, &atom) in subject.early.iter().enumerate() {
        let mut values: Vec<i128> = seen.calls.iter().map(|row| row[at]).collect();
        values.sort_unstable();
        values.dedup();
        if (2..=FEW).contains(&values.len()) {
            for value in values {
                add(Condition::new(Sum::linear(&[(1, atom)], -value), Relation::Zero));
            }
        }
    }
    found
}

fn condition(
    program: &Program,
    subject: &Subject,
    e: Id<Expr>,
    is_true: bool,
    depth: usize,
) -> Option<Condition> {
    let depth = depth.checked_sub(1)?;
    match program.exprs[e].kind {
        ExprKind::Unary(Unary::Not, inner) => condition(program, subject, inner, !is_true, depth),
        ExprKind::Convert(inner) => condition(program, subject, inner, is_true, depth),
        ExprKind::Binary(op, a, b) if op.is_comparison() => {
            let (a, b) = (sum(program, subject, a, depth)?, sum(program, subject, b, depth)?);
            let (less, more) = (minus(&a, &b)?, minus(&b, &a)?);
            let strict = |mut sum: Sum| {
                sum.constant += 1;
                Condition::new(sum, Relation::AtMost)
            };
            let made = match op {
                Binary::Eq => Condition::new(less, Relation::Zero),
                Binary::Ne => Condition::new(less, Relation::NotZero),
                Binary::Le => Condition::new(less, Relation::AtMost),
                Binary::Ge => Condition::new(more, Relation::AtMost),
                Binary::Lt => strict(less),
                _ => strict(more),
            };
            let made = if is_true { made } else { made.negated()? };
            (!made.sum.monomials.is_empty()).then_some(made)
        }
        _ => {
            let value = sum(program, subject, e, depth)?;
            let relation = if is_true { Relation::NotZero } else { Relation::Zero };
            (!value.monomials.is_empty()).then(|| Condition::new(value, relation))
        }
    }
}

fn minus(a: &Sum, b: &Sum) -> Option<Sum> {
    let mut sum = a.clone();
    sum.constant = sum.constant.checked_sub(b.constant)?;
    for m in &b.monomials {
        sum.add(m.coefficient.checked_neg()?, m.factors.clone())?;
    }
    Some(sum)
}

fn sum(program: &Program, subject: &Subject, e: Id<Expr>, depth: usize) -> Option<Sum> {
    let depth = depth.checked_sub(1)?;
    match program.exprs[e].kind {
        ExprKind::Int(value) if value.abs() < 1 << 64 => Some(Sum::linear(&[], value)),
        ExprKind::Convert(inner) => sum(program, subject, inner, depth),
        ExprKind::Unary(Unary::Neg, inner) => sum(program, subject, inner, depth)?.negated(),
        ExprKind::Binary(Binary::Sub, a, b) => {
            minus(&sum(program, subject, a, depth)?, &sum(program, subject, b, depth)?)
        }
        ExprKind::Binary(Binary::Add, a, b) => {
            let b = sum(program, subject, b, depth)?.negated()?;
            minus(&sum(program, subject, a, depth)?, &b)
        }
        ExprKind::Load(place) => {
            let place = &program.places[place];
            let Base::Variable(v) = place.base else { return None };
            if !place.path.is_empty() {
                return None;
            }
            let parameters = &program.functions[subject.function].parameters;
            let atom = match parameters.iter().position(|p| *p == v) {
                Some(at) => Atom::Parameter(at),
                None => Atom::Before(v),
            };
            subject.early.contains(&atom).then(|| Sum::linear(&[(1, atom)], 0))
        }
        _ => None,
    }
}
