//! Bounds of one template that stay the same from cut to cut.
//!
//! A path that goes around a loop has many sequences of interpolants. The one
//! that a linear contradiction gives counts the rounds: `x >= 0`, `x >= 1`,
//! `x >= 2`. An invariant of the loop does not: `x >= 0` everywhere. For one
//! integer template `t`, each part is a linear program that says, of a bound
//! `t >= c` before it,
//! - which bound holds after it: the least value of `t` there;
//! - which bound before it is needed for `t >= d` after it: one more than the
//!   largest value of `t` before it with `t < d` after it.
//!
//! The strongest bounds come from the first part, the weakest from the last;
//! between the two every choice goes on to the end, because both are monotone.
//! So a bound is kept as long as it is in between, and a new one is chosen in
//! the intersection of as many cuts as possible, near zero.

use crate::linear::{Bounding, Constraint, Table};
use parallax_base::{Budget, Stop};
use parallax_simplex::{Optimum, Var};
use parallax_term::{Int, Linear, Rat, Relation, Sort, Term, TermStore};

/// A part as a linear program over its own numbers.
pub(crate) struct Program {
    table: Table,
}

impl Program {
    pub(crate) fn new<'a>(constraints: impl Iterator<Item = &'a Constraint>) -> Program {
        let mut table: Table = Table::default();
        for constraint in constraints {
            if let Some(bounding) = table.bounding(&constraint.linear) {
                table.assert(&bounding, constraint.relation, 0);
            }
        }
        Program { table }
    }

    /// The largest value of `goal`, which is an integer, if `limit <= 0`.
    fn most(
        &mut self,
        goal: &Linear,
        limit: Option<&Linear>,
        budget: &Budget,
    ) -> Result<Most, Stop> {
        let bounding = limit.map(|limit| self.table.bounding(limit));
        if let (Some(None), Some(limit)) = (&bounding, limit)
            && limit.constant_part().signum() > 0
        {
            return Ok(Most::Nothing);
        }
        let objective: Vec<(Var, Rat)> =
            goal.monomials().iter().map(|(t, c)| (self.table.var(*t), c.clone())).collect();
        self.table.simplex.push();
        if let Some(Some(bounding)) = &bounding {
            let bounding: &Bounding = bounding;
            self.table.assert(bounding, Relation::Le, 0);
        }
        let optimum = self.table.simplex.maximize(&objective, budget);
        self.table.simplex.pop();
        Ok(match optimum? {
            Optimum::Infeasible(_) => Most::Nothing,
            Optimum::Unbounded { .. } => Most::Anything,
            Optimum::Bounded { value, attained, .. } => {
                let value = &value + goal.constant_part();
                let floor = value.floor();
                let is_excluded = !attained && value.to_int().is_some();
                Most::Value(if is_excluded { &floor - &Int::ONE } else { floor })
            }
        })
    }
}

enum Most {
    /// There is no solution.
    Nothing,
    Anything,
    Value(Int),
}

/// A bound from below; `None` if there is none.
type Least = Option<Int>;

/// Interpolants `t >= c` for a template, given at each cut; `None` if no bounds
/// from below will do.
pub(crate) fn interpolants(
    store: &mut TermStore,
    programs: &mut [Program],
    template: &[Option<Linear>],
    budget: &Budget,
) -> Result<Option<Vec<Term>>, Stop> {
    let n = programs.len();
    let Some(weakest) = weakest(programs, template, budget)? else { return Ok(None) };
    let mut strongest: Vec<Least> = vec![None; n];
    for cut in 1..n {
        let Some(least) = after(programs, template, cut, &strongest[cut - 1], budget)? else {
            return Ok(None);
        };
        strongest[cut] = least;
    }
    let mut formulas = vec![store.bool(true)];
    let mut bound: Least = None;
    for cut in 1..n {
        let Some(possible) = after(programs, template, cut, &bound, budget)? else {
            return Ok(None);
        };
        // No bound at all is the least.
        if possible < weakest[cut] {
            return Ok(None);
        }
        let keeps = weakest[cut] <= bound && bound <= possible;
        if !keeps {
            bound = match &weakest[cut] {
                None => None,
                Some(_) => choose(&weakest[cut..], &strongest[cut..], possible),
            };
        }
        formulas.push(match (&bound, template.get(cut)) {
            (Some(bound), Some(Some(linear))) => {
                let below = linear.scaled(&Rat::from(-1)).shifted(&Rat::from(bound.clone()));
                store.relate(Relation::Le, below, Sort::Int)
            }
            _ => store.bool(true),
        });
    }
    formulas.push(store.bool(false));
    Ok(Some(formulas))
}

/// The bound at a cut if there is one at the cut before; the outer `None` if
/// the part has no solution then.
fn after(
    programs: &mut [Program],
    template: &[Option<Linear>],
    cut: usize,
    before: &Least,
    budget: &Budget,
) -> Result<Option<Least>, Stop> {
    let Some(right) = template.get(cut).and_then(Option::as_ref) else { return Ok(Some(None)) };
    let left = template.get(cut - 1).and_then(Option::as_ref);
    let limit = left
        .zip(before.as_ref())
        .map(|(left, before)| left.scaled(&Rat::from(-1)).shifted(&Rat::from(before.clone())));
    let goal = right.scaled(&Rat::from(-1));
    Ok(match programs[cut - 1].most(&goal, limit.as_ref(), budget)? {
        Most::Nothing => None,
        Most::Anything => Some(None),
        Most::Value(most) => Some(Some(-&most)),
    })
}

/// The weakest bound that is needed at each cut; `None` if no bound suffices.
fn weakest(
    programs: &mut [Program],
    template: &[Option<Linear>],
    budget: &Budget,
) -> Result<Option<Vec<Least>>, Stop> {
    let n = programs.len();
    let mut needed: Vec<Least> = vec![None; n];
    for part in (0..n).rev() {
        // What must not happen after the part.
        let mut limit = None;
        if part + 1 < n {
            let right = template.get(part + 1).and_then(Option::as_ref);
            let Some((right, needed)) = right.zip(needed[part + 1].as_ref()) else { continue };
            limit = Some(right.shifted(&(&Rat::ONE - &Rat::from(needed.clone()))));
        }
        let left = if part == 0 { None } else { template.get(part).and_then(Option::as_ref) };
        let zero = Linear::constant(Rat::ZERO);
        let goal = left.unwrap_or(&zero);
        match programs[part].most(goal, limit.as_ref(), budget)? {
            Most::Nothing => {}
            Most::Value(most) if left.is_some() => needed[part] = Some(&most + &Int::ONE),
            Most::Value(_) | Most::Anything => return Ok(None),
        }
    }
    Ok(Some(needed))
}

/// A bound that fits as many cuts from here on as possible, near zero. The first
/// cut needs one.
fn choose(weakest: &[Least], strongest: &[Least], possible: Least) -> Least {
    let (mut low, mut high) = (weakest.first()?.clone()?, possible?);
    for (weak, strong) in weakest.iter().zip(strongest).skip(1) {
        let (Some(weak), Some(strong)) = (weak, strong) else { break };
        let (next_low, next_high) =
            (low.clone().max(weak.clone()), high.clone().min(strong.clone()));
        if next_low > next_high {
            break;
        }
        (low, high) = (next_low, next_high);
    }
    Some(if low > Int::ZERO { low } else { high.min(Int::ZERO) })
}
