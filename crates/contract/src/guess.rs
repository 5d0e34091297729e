//! Candidates for clauses: what holds on every call that was seen.
//!
//! Templates are bounds by constants of the program, differences and sums of
//! two values, linear equalities found by elimination, the same modulo the
//! range of a machine word, and parity. Each is tried on all calls and on the
//! calls on which a branching condition of the function has one outcome.
//! After Ernst and others, *The Daikon system*, 2007.

use crate::fit::relations;
use crate::sample::{Row, Seen};
use crate::subject::Subject;
use parallax_transform::contracts::{Atom, Clause, Condition, Relation, Sum};
use std::collections::BTreeSet;

/// Most clauses of one kind for one function.
const CLAUSES: usize = 400;

/// Numbers beyond this are the result of a wrap more often than not.
const SMALL: i128 = 1 << 24;

/// Largest coefficient of an equality.
const COEFFICIENT: i128 = 1 << 16;

/// What clauses are made of.
pub(crate) struct Guess<'a> {
    pub(crate) subject: &'a Subject,
    pub(crate) seen: &'a Seen,
    /// Constants of the program, in order.
    pub(crate) constants: &'a [i128],
    /// Conditions over early values, each with its opposite in the list.
    pub(crate) guards: &'a [Condition],
    /// The range of the widest value: sums are equal modulo this number.
    pub(crate) modulus: i128,
}

impl Guess<'_> {
    /// Clauses over early values.
    pub(crate) fn requires(&self) -> Vec<Clause> {
        let rows: Vec<&Row> = self.seen.calls.iter().collect();
        let early = &self.subject.early;
        self.guarded(&rows, |rows| self.simple(rows, early, &[]))
    }

    /// Clauses over early and late values, with at least one of the latter.
    pub(crate) fn ensures(&self) -> Vec<Clause> {
        let rows: Vec<&Row> = self.seen.returns.iter().collect();
        if rows.is_empty() {
            // It may never return.
            let never = Condition::new(Sum::linear(&[], 1), Relation::AtMost);
            return vec![Clause(vec![never])];
        }
        let Subject { early, late, .. } = self.subject;
        self.guarded(&rows, |rows| {
            let mut found = self.simple(rows, late, early);
            found.extend(self.equalities(rows, false));
            found
        })
    }

    /// Equalities with products of early values, where there are no simpler ones.
    pub(crate) fn products(&self) -> Vec<Clause> {
        let rows: Vec<&Row> = self.seen.returns.iter().collect();
        self.guarded(&rows, |rows| match self.equalities(rows, false).is_empty() {
            true => self.equalities(rows, true),
            false => Vec::new(),
        })
    }

    /// Clauses for all rows, then for those that satisfy a guard.
    fn guarded(&self, rows: &[&Row], guess: impl Fn(&[&Row]) -> Vec<Condition>) -> Vec<Clause> {
        let mut known = BTreeSet::new();
        let mut clauses = Vec::new();
        if rows.is_empty() {
            return clauses;
        }
        for condition in guess(rows) {
            let condition = condition.normalized();
            if known.insert(condition.clone()) {
                clauses.push(Clause(vec![condition]));
            }
        }
        for guard in self.guards {
            let Some(opposite) = guard.negated() else { continue };
            let holds = |row: &&Row| guard.holds(&|a| self.subject.value(row, a)) == Some(true);
            let some: Vec<&Row> = rows.iter().copied().filter(holds).collect();
            if some.is_empty() || some.len() == rows.len() {
                continue;
            }
            let mut here = BTreeSet::new();
            for condition in guess(&some) {
                let condition = condition.normalized();
                if !known.contains(&condition) && here.insert(condition.clone()) {
                    let clause = Clause(vec![opposite.clone(), condition]);
                    if !self.says_nothing(&clause) {
                        clauses.push(clause);
                    }
                }
            }
        }
        clauses.truncate(CLAUSES);
        clauses
    }

    /// Whether a clause seems to hold of all numbers.
    fn says_nothing(&self, clause: &Clause) -> bool {
        let atoms: BTreeSet<Atom> = clause.atoms().collect();
        let atoms: Vec<Atom> = atoms.into_iter().collect();
        let mut values: BTreeSet<i128> = (-3..=3).collect();
        for condition in &clause.0 {
            let constant = condition.sum.constant;
            values.extend([constant - 1, constant, constant + 1]);
            values.extend([-constant - 1, -constant, 1 - constant]);
        }
        let values: Vec<i128> = values.into_iter().collect();
        let count = values.len().pow(atoms.len().min(3) as u32);
        (0..count).all(|mut number| {
            let mut row = Vec::new();
            for _ in &atoms {
                row.push(values[number % values.len()]);
                number /= values.len();
            }
            let value = |a: Atom| row.get(atoms.iter().position(|b| *b == a)?).copied();
            clause.holds(&value) == Some(true)
        })
    }

    fn column(&self, rows: &[&Row], atom: Atom) -> Vec<i128> {
        rows.iter().filter_map(|row| self.subject.value(row, atom)).collect()
    }

    /// Conditions on one and on two values, the first of them from `firsts`,
    /// the second from `firsts` behind it or from `seconds`.
    fn simple(&self, rows: &[&Row], firsts: &[Atom], seconds: &[Atom]) -> Vec<Condition> {
        let mut found = Vec::new();
        for (at, &first) in firsts.iter().enumerate() {
            let values = self.column(rows, first);
            self.bounds(&values, &[(1, first)], true, &mut found);
            for &second in firsts[at + 1..].iter().chain(seconds) {
                let others = self.column(rows, second);
                for sign in [-1, 1] {
                    let sums: Option<Vec<i128>> =
                        values.iter().zip(&others).map(|(a, b)| a.checked_add(b * sign)).collect();
                    let parts = [(1, first), (sign, second)];
                    if let Some(sums) = sums {
                        self.bounds(&sums, &parts, false, &mut found);
                    }
                }
            }
        }
        found
    }

    /// Bounds of a sum with these values, from the constants of the program.
    fn bounds(
        &self,
        values: &[i128],
        parts: &[(i128, Atom)],
        is_single: bool,
        found: &mut Vec<Condition>,
    ) {
        let (Some(&low), Some(&high)) = (values.iter().min(), values.iter().max()) else { return };
        let opposite: Vec<(i128, Atom)> = parts.iter().map(|(c, a)| (-c, *a)).collect();
        let at_most = |bound: i128| Condition::new(Sum::linear(parts, -bound), Relation::AtMost);
        let at_least =
            |bound: i128| Condition::new(Sum::linear(&opposite, bound), Relation::AtMost);
        if low == high {
            found.push(Condition::new(Sum::linear(parts, -low), Relation::Zero));
        }
        let near = |bound: &i128| is_single || bound.abs() <= 1;
        let above = self.constants.iter().copied().filter(|c| *c >= high && near(c));
        found.extend(above.take(2).map(at_most));
        let below = self.constants.iter().rev().copied().filter(|c| *c <= low && near(c));
        found.extend(below.take(2).map(at_least));
        if is_single {
            if values.iter().all(|v| *v != 0) && low < 0 && high > 0 {
                found.push(Condition::new(Sum::linear(parts, 0), Relation::NotZero));
            }
        } else if low != high && parts.iter().any(|(c, _)| *c < 0) {
            let rest = low.rem_euclid(2);
            if values.iter().all(|v| v.rem_euclid(2) == rest) {
                found.push(Condition::new(Sum::linear(parts, -rest), Relation::Divisible(2)));
            }
        }
    }

    /// Linear equalities with a late value; with products of early values if
    /// these are wanted.
    fn equalities(&self, rows: &[&Row], products: bool) -> Vec<Condition> {
        let Subject { early, late, .. } = self.subject;
        let mut terms: Vec<Vec<Atom>> = vec![Vec::new()];
        terms.extend(early.iter().map(|a| vec![*a]));
        if products {
            for (at, &a) in early.iter().enumerate() {
                terms.extend(early[at..].iter().map(|&b| vec![a, b]));
            }
        }
        terms.extend(late.iter().map(|a| vec![*a]));
        let evaluate = |row: &&Row| -> Option<Vec<i128>> {
            if row.iter().any(|v| v.abs() > SMALL) {
                return None;
            }
            let factor = |a: &Atom| self.subject.value(row, *a);
            let product =
                |term: &Vec<Atom>| term.iter().try_fold(1i128, |p, a| p.checked_mul(factor(a)?));
            terms.iter().map(product).collect()
        };
        let table: Vec<Vec<i128>> = rows.iter().filter_map(evaluate).collect();
        if table.is_empty() {
            return Vec::new();
        }
        let mut found = Vec::new();
        let first_late = terms.len() - late.len();
        for relation in relations(table.iter().map(Vec::as_slice), terms.len()) {
            let about_late = relation[first_late..].iter().any(|c| *c != 0);
            if !about_late || relation.iter().any(|c| c.abs() > COEFFICIENT) {
                continue;
            }
            let mut sum = Sum { monomials: Vec::new(), constant: relation[0] };
            let mut parts = relation.iter().zip(&terms).skip(1);
            if !parts.all(|(coefficient, term)| sum.add(*coefficient, term.clone()).is_some()) {
                continue;
            }
            for relation in [Relation::Zero, Relation::Divisible(self.modulus)] {
                let condition = Condition::new(sum.clone(), relation);
                let holds =
                    |row: &&Row| condition.holds(&|a| self.subject.value(row, a)) == Some(true);
                if rows.iter().all(holds) {
                    found.push(condition);
                }
            }
        }
        found
    }
}
