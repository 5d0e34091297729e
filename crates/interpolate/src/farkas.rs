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

use crate::Candidate;
use crate::linear::{self, Bounding, Constraint, Table};
use parallax_base::{Budget, Stop};
use parallax_simplex::Feasibility;
use parallax_term::{Linear, Rat, Relation, Term, TermStore};

/// A constraint, its part, and its literal if it is not always true.
struct Row {
    part: usize,
    literal: Option<Term>,
    constraint: Constraint,
}

/// The partial sums of a contradiction; `None` if the linear literals have a
/// rational solution.
pub(crate) fn interpolants(
    store: &mut TermStore,
    parts: &[Vec<Term>],
    budget: &Budget,
) -> Result<Option<Candidate>, Stop> {
    let mut rows = Vec::new();
    for (part, literals) in parts.iter().enumerate() {
        let found = linear::constraints(store, literals).into_iter();
        rows.extend(found.map(|(literal, constraint)| Row { part, literal, constraint }));
    }
    let Some(first) = contradiction(&rows, budget)? else { return Ok(None) };
    let first = partial_sums(store, &first, parts.len());
    rows.reverse();
    let Some(second) = contradiction(&rows, budget)? else { return Ok(Some(first)) };
    let second = partial_sums(store, &second, parts.len());
    let cost = |sums: &Candidate| sums.formulas.iter().map(|f| size(store, *f)).sum::<usize>();
    Ok(Some(if cost(&second) < cost(&first) { second } else { first }))
}

/// How large an atom is: its numbers, and the digits of its factors.
fn size(store: &TermStore, formula: Term) -> usize {
    let Some(Constraint { linear, .. }) = Constraint::read(store, formula) else { return 0 };
    let digits = |c: &Rat| c.num().abs().to_string().len() + c.den().to_string().len();
    let factors: usize = linear.monomials().iter().map(|(_, c)| 2 + digits(c)).sum();
    factors + digits(linear.constant_part())
}

/// Rows whose sum, each so often taken, is a contradiction.
fn contradiction<'a>(
    rows: &'a [Row],
    budget: &Budget,
) -> Result<Option<Vec<(&'a Row, Rat)>>, Stop> {
    let mut table: Table = Table::default();
    let mut boundings: Vec<Option<Bounding>> = Vec::with_capacity(rows.len());
    for (tag, row) in rows.iter().enumerate() {
        let bounding = table.bounding(&row.constraint.linear);
        match &bounding {
            Some(bounding) => table.assert(bounding, row.constraint.relation, tag as u32),
            None if is_wrong(&row.constraint) => return Ok(Some(vec![(row, Rat::ONE)])),
            None => {}
        }
        boundings.push(bounding);
    }
    let Feasibility::Infeasible(shares) = table.simplex.check(budget)? else { return Ok(None) };
    let summand = |share: &parallax_simplex::Share| {
        let tag = share.tag as usize;
        Some((&rows[tag], linear::factor(share, boundings[tag].as_ref()?)))
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

fn partial_sums(store: &mut TermStore, summands: &[(&Row, Rat)], parts: usize) -> Candidate {
    let (mut sum, mut strict) = (Linear::constant(Rat::ZERO), false);
    let mut sums = Candidate { formulas: vec![store.bool(true)], core: Vec::with_capacity(parts) };
    for part in 0..parts {
        let mut core = Vec::new();
        for (row, factor) in summands.iter().filter(|(row, _)| row.part == part) {
            sum = sum.plus(factor, &row.constraint.linear);
            strict |= row.constraint.relation == Relation::Lt;
            core.extend(row.literal);
        }
        core.sort_unstable();
        core.dedup();
        sums.core.push(core);
        let relation = if strict { Relation::Lt } else { Relation::Le };
        sums.formulas.push(linear::formula(store, &sum, relation));
    }
    sums
}
