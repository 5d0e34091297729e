//! Regions whose units have effects on each other: which orders are explored.
//!
//! All orders of the units of a region are explored that C allows: a unit comes
//! after the units inside it, the rest is free. With `k` units there are at most
//! 2^k states of progress, and the code of a unit is made once for each state in
//! which it can be next; so few units are explored, and for more it is assumed,
//! and said, that operands are evaluated from left to right.
//!
//! A unit that stands for an operand with sequence points of its own is one
//! step. That loses no order of effects as long as at most one thing in it has
//! to do with each other unit; else left to right is assumed as well. So it is
//! where the code of a unit cannot be made twice.

use super::events::children;
use crate::typed::{Expr, ExprKind, Program};
use parallax_base::Id;
use std::collections::{BTreeMap, BTreeSet};

/// Units beyond this number are not explored.
const UNITS: usize = 5;

/// Nor are regions in which the code of units would be made more often.
const COPIES: u32 = 24;

/// Two units whose order may matter, each with what does it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Conflict {
    pub(super) a: (Id<Expr>, Id<Expr>),
    pub(super) b: (Id<Expr>, Id<Expr>),
}

/// Something that is evaluated as a whole.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Unit {
    /// The expression.
    pub(crate) id: Id<Expr>,
    /// The units that come before it.
    pub(crate) after: u32,
    /// The units it has to do with.
    pub(crate) against: u32,
}

/// The units of a region, from left to right, each set of them a mask.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Plan {
    /// The units.
    pub(crate) units: Vec<Unit>,
}

impl Plan {
    /// The plan for a region; `None` if it has too many orders.
    pub(super) fn of(program: &Program, conflicts: &[Conflict]) -> Option<Plan> {
        let mut ids = BTreeSet::new();
        let mut reasons: BTreeMap<_, BTreeSet<Id<Expr>>> = BTreeMap::new();
        for Conflict { a, b } in conflicts {
            ids.extend([a.0, b.0]);
            reasons.entry((a.0, b.0)).or_default().insert(a.1);
            reasons.entry((b.0, a.0)).or_default().insert(b.1);
        }
        if ids.len() > UNITS || reasons.values().any(|origins| origins.len() > 1) {
            return None;
        }
        let ids: Vec<Id<Expr>> = ids.into_iter().collect();
        let mut units = Vec::new();
        for id in &ids {
            let inside = below(program, *id)?;
            let mask = |is_in: &dyn Fn(Id<Expr>) -> bool| {
                let bits = ids.iter().enumerate().filter(|(_, other)| is_in(**other));
                bits.fold(0, |mask, (bit, _)| mask | 1 << bit)
            };
            let after = mask(&|other| other != *id && inside.contains(&other));
            let against = mask(&|other| reasons.contains_key(&(*id, other)));
            units.push(Unit { id: *id, after, against });
        }
        let plan = Plan { units };
        let copies: u32 = (0..1 << ids.len()).map(|done| plan.next(done).len() as u32).sum();
        (copies <= COPIES).then_some(plan)
    }

    /// The units that may come next, by number: one alone if its order does not
    /// matter any more.
    pub(crate) fn next(&self, done: u32) -> Vec<usize> {
        let is_next =
            |(bit, unit): &(usize, &Unit)| done & 1 << bit == 0 && unit.after & !done == 0;
        let next: Vec<usize> =
            self.units.iter().enumerate().filter(is_next).map(|(bit, _)| bit).collect();
        let idle = next.iter().find(|bit| self.units[**bit].against & !done == 0);
        match idle {
            Some(bit) => vec![*bit],
            None => next,
        }
    }

    /// All units.
    pub(crate) fn all(&self) -> u32 {
        (1 << self.units.len()) - 1
    }
}

/// The expressions below a unit; `None` if its code cannot be made twice,
/// because it has statements or an object in it.
fn below(program: &Program, unit: Id<Expr>) -> Option<BTreeSet<Id<Expr>>> {
    let mut found = BTreeSet::new();
    let mut open = vec![unit];
    while let Some(id) = open.pop() {
        let kind = &program.exprs[id].kind;
        if matches!(kind, ExprKind::StatementExpr(_) | ExprKind::CompoundLiteral(..)) {
            return None;
        }
        if found.insert(id) {
            children(kind, &mut open);
        }
    }
    Some(found)
}
