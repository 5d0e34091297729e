//! Linear contradictions: one sum of constraints gives all interpolants.
//!
//! If the linear literals of the parts have no solution over the rationals,
//! the simplex names constraints `L_j <= 0` and factors `f_j > 0` whose sum is
//! a contradiction. `I_i` is the sum over the first `i` parts: with the
//! constraints of part `i` added to `I_(i-1)` it is `I_i`, and a number that
//! does not occur in later parts has cancelled out. An equation may be taken
//! with a factor of either sign. Over the integers, strict bounds are already
//! tightened by the term store, which also rounds the sums.
//!
//! The contradiction is not unique. Two are computed, with earlier and with
//! later parts first, and the one with the smaller interpolants is taken.

use crate::linear::{self, Bounding, Constraint, Table};
use crate::problem::Problem;
use parallax_base::{Budget, Stop};
use parallax_simplex::Feasibility;
use parallax_term::{Linear, Rat, Relation, Term, TermStore};

/// The partial sums of a contradiction; `None` if the linear literals have a
/// rational solution.
pub(crate) fn interpolants(
    store: &mut TermStore,
    problem: &Problem,
    budget: &Budget,
) -> Result<Option<Vec<Term>>, Stop> {
    let mut constraints = Vec::new();
    for (part, literals) in problem.parts.iter().enumerate() {
        let found = linear::constraints(store, literals);
        constraints.extend(found.into_iter().map(|constraint| (part, constraint)));
    }
    let Some(first) = contradiction(&constraints, budget)? else { return Ok(None) };
    let first = partial_sums(store, &first, problem.len());
    constraints.reverse();
    let Some(second) = contradiction(&constraints, budget)? else { return Ok(Some(first)) };
    let second = partial_sums(store, &second, problem.len());
    let cost = |formulas: &[Term]| formulas.iter().map(|f| size(store, *f)).sum::<usize>();
    Ok(Some(if cost(&second) < cost(&first) { second } else { first }))
}

/// How large an atom is: its numbers, and the digits of its factors.
fn size(store: &TermStore, formula: Term) -> usize {
    let Some(Constraint { linear, .. }) = Constraint::read(store, formula) else { return 0 };
    let digits = |c: &Rat| c.num().abs().to_string().len() + c.den().to_string().len();
    let factors: usize = linear.monomials().iter().map(|(_, c)| 2 + digits(c)).sum();
    factors + digits(linear.constant_part())
}

/// A part's constraint and how often it is taken.
type Summand<'a> = (usize, &'a Constraint, Rat);

/// Constraints whose sum is a contradiction.
fn contradiction<'a>(
    constraints: &'a [(usize, Constraint)],
    budget: &Budget,
) -> Result<Option<Vec<Summand<'a>>>, Stop> {
    let mut table = Table::default();
    let mut boundings: Vec<Option<Bounding>> = Vec::with_capacity(constraints.len());
    for (tag, (part, constraint)) in constraints.iter().enumerate() {
        let bounding = table.bounding(&constraint.linear);
        match &bounding {
            Some(bounding) => table.assert(bounding, constraint.relation, tag as u32),
            None if is_wrong(constraint) => {
                return Ok(Some(vec![(*part, constraint, Rat::ONE)]));
            }
            None => {}
        }
        boundings.push(bounding);
    }
    let Feasibility::Infeasible(shares) = table.simplex.check(budget)? else { return Ok(None) };
    let summand = |share: &parallax_simplex::Share| {
        let tag = share.tag as usize;
        let (part, constraint) = &constraints[tag];
        Some((*part, constraint, linear::factor(share, boundings[tag].as_ref()?)))
    };
    Ok(shares.iter().map(summand).collect())
}

/// Whether a constraint without numbers is false.
fn is_wrong(constraint: &Constraint) -> bool {
    let sign = constraint.linear.constant_part().signum();
    match constraint.relation {
        Relation::Le => sign > 0,
        Relation::Lt => sign >= 0,
        Relation::Eq => sign != 0,
    }
}

fn partial_sums(store: &mut TermStore, summands: &[Summand<'_>], parts: usize) -> Vec<Term> {
    let (mut sum, mut strict) = (Linear::constant(Rat::ZERO), false);
    let mut formulas = vec![store.bool(true)];
    for part in 0..parts {
        for (_, constraint, factor) in summands.iter().filter(|(p, ..)| *p == part) {
            sum = sum.plus(factor, &constraint.linear);
            strict |= constraint.relation == Relation::Lt;
        }
        let relation = if strict { Relation::Lt } else { Relation::Le };
        formulas.push(linear::formula(store, &sum, relation));
    }
    formulas
}
