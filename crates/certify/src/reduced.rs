//! Checking reduced sets: states from which the steps of some processes only were
//! taken.
//!
//! For a set of states (points and regions) with a set `G` of processes for each:
//!
//! 1. every initial state lies in the set, and no target does;
//! 2. from each state, every step in which a process of `G` moves leads into the
//!    set; `G` may be all processes;
//! 3. if `G` is not all, the order of its next steps and of what others can do before
//!    them does not matter (`order.rs`);
//! 4. if moreover the others alone may come to a target: from each state some step of
//!    `G` leads to a state of the set with a smaller rank.
//!
//! # Soundness
//! Claim: if a state `s` of the set reaches a target in `n` steps of the program,
//! the set holds a target. By 1 then no initial state reaches one. By induction on
//! `n`, and for the same `n` on the rank of `s`.
//!
//! If `n` is 0, `s` is the target. Otherwise look at the run `w` of `n` steps. If
//! `G` is all, its first step leads into the set by 2, with `n - 1` steps to go. If a
//! process of `G` moves in `w`, such a step can come first, and then the target is
//! `n - 1` steps away (`order.rs`); by 2 it leads into the set. If none moves in `w`,
//! take the step of item 4: the target, or another one, is still `n` steps away
//! (`order.rs`), and the rank is smaller.

use crate::closed::{Checker, well_formed};
use crate::cover::Cover;
use crate::order::{May, Orders};
use crate::{Accepted, Rejected};
use parallax_base::{Budget, Id};
use parallax_evidence::{Movers, Reduced, Region};
use parallax_ir::{Choices, Interpreter, Program, Property, State};
use parallax_solver::Solver;
use parallax_term::{Code, Int, Scratch, Term, Value};
use rustc_hash::FxHashMap;

/// More successors of one point by one step are not looked at.
const CHOICE_LIMIT: usize = 4096;

/// Accepts the set if it shows that no target of the property is reachable.
pub(crate) fn check(
    program: &Program,
    property: Id<Property>,
    certificate: &Reduced,
    solver: &mut dyn Solver,
    budget: &Budget,
) -> Result<Accepted, Rejected> {
    let set = &certificate.set;
    well_formed(program, set)?;
    let is_counted = set.points.len() == certificate.points.len()
        && set.fragment.len() == certificate.fragment.len();
    if !is_counted || !set.prefix.is_empty() || set.quotient.is_some() {
        return Err(Rejected::Malformed("a reduced set has movers for each of its states".into()));
    }
    let mut store = set.store.clone();
    let transitions = program.transitions(&mut store);
    let before = solver.statistics().queries;
    let mut cover = Cover::new(program, &mut store, &set.points, set.fragment.iter());
    let target = program.properties[property].target;
    let orders = Orders::new(program, &mut store, &transitions, target);
    let code = orders.steps.code(program, &store);
    let base = Checker { program, store, transitions, solver, budget, target, evaluated: 0 };
    let mut checker = Reducing { base, orders };
    let mut interpreter = Interpreter::new(program);
    checker.base.initial(&mut cover, &mut interpreter)?;
    checker.base.no_targets(&set.points)?;
    let ranks = set.points.iter().zip(certificate.points.iter().map(|m| m.rank)).collect();
    let mut scratch = Scratch::default();
    for (point, movers) in set.points.iter().zip(&certificate.points) {
        let group = checker.orders.group(movers.processes.as_deref())?;
        let these = |t: usize| checker.orders.moves(t, &group);
        checker.base.point(point, &these, &mut cover, &mut interpreter)?;
        if movers.processes.is_some() {
            let may = checker.may_at(point, &code, &mut scratch)?;
            if let Some(own) = checker.orders.may_wait(may, &group)? {
                checker.falls(point, movers.rank, &ranks, &own, &mut interpreter)?;
            }
        }
    }
    // The regions with ranks smaller than some rank.
    let mut below: FxHashMap<u32, Cover<'_>> = FxHashMap::default();
    for (region, movers) in set.fragment.iter().zip(&certificate.fragment) {
        let group = checker.orders.group(movers.processes.as_deref())?;
        let these = |t: usize| checker.orders.moves(t, &group);
        checker.base.region(region, &these, &cover)?;
        if movers.processes.is_some() {
            let may = checker.may_in(region)?;
            if let Some(own) = checker.orders.may_wait(may, &group)? {
                let lower = below.entry(movers.rank).or_insert_with(|| {
                    let lower = |other: &(&Region, &Movers)| other.1.rank < movers.rank;
                    let all = set.fragment.iter().zip(&certificate.fragment).filter(lower);
                    let (store, regions) = (&mut checker.base.store, all.map(|(r, _)| r));
                    Cover::new(program, store, &[], regions)
                });
                checker.falls_in(region, lower, &own)?;
            }
        }
    }
    let Reducing { base, orders } = &mut checker;
    orders.settle(&mut base.store, base.solver, base.budget)?;
    let queries = checker.base.solver.statistics().queries - before;
    Ok(Accepted { evaluated: checker.base.evaluated, queries, ..Accepted::default() })
}

struct Reducing<'a> {
    base: Checker<'a>,
    orders: Orders<'a>,
}

impl Reducing<'_> {
    fn may_at(&self, point: &State, code: &Code, scratch: &mut Scratch) -> Result<May, Rejected> {
        let control = |slot: usize| point[slot].as_int().and_then(Int::to_i64);
        let locations = self.orders.locations(control)?;
        code.run(point, scratch);
        let count = self.orders.steps.parts().count();
        let holds = |i| *code.output(i, scratch) == Value::Bool(true);
        Ok((locations, (0..count).map(holds).collect()))
    }

    fn may_in(&mut self, region: &Region) -> Result<May, Rejected> {
        let control = |slot: usize| {
            let value = region.fixed.iter().find(|(v, _)| v.index() == slot).map(|(_, v)| v);
            value.and_then(Value::as_int).and_then(Int::to_i64)
        };
        let locations = self.orders.locations(control)?;
        let mut fixed = self.base.fixed(region);
        let here = fixed.apply(&mut self.base.store, region.formula);
        let mut known = self.base.literals(here);
        let parts: Vec<Term> = self.orders.steps.parts().collect();
        let mut may = Vec::new();
        for part in parts {
            let part = fixed.apply(&mut self.base.store, part);
            let part = known.apply(&mut self.base.store, part);
            may.push(!self.base.store.is_false(part));
        }
        Ok((locations, may.into()))
    }

    /// Item 4 for a point.
    fn falls(
        &self,
        point: &State,
        rank: u32,
        ranks: &FxHashMap<&State, u32>,
        own: &[usize],
        interpreter: &mut Interpreter,
    ) -> Result<(), Rejected> {
        for &step in own.iter() {
            if !interpreter.is_enabled(point, step) {
                continue;
            }
            let Choices::All(all) = interpreter.choices(point, step, CHOICE_LIMIT) else {
                continue;
            };
            for inputs in all {
                let next = interpreter.fire(point, step, &inputs);
                if ranks.get(&next).is_some_and(|other| *other < rank) {
                    return Ok(());
                }
            }
        }
        let here = self.base.show(point);
        Err(Rejected::Step(format!("others are put off for ever at {here}")))
    }

    /// Item 4 for a region: from each of its states a step of the group is possible
    /// that surely leads to smaller ranks.
    fn falls_in(
        &mut self,
        region: &Region,
        lower: &Cover<'_>,
        own: &[usize],
    ) -> Result<(), Rejected> {
        let base = &mut self.base;
        let values = base.values(region);
        let mut fixed = base.fixed(region);
        let here = fixed.apply(&mut base.store, region.formula);
        let mut ways = Vec::new();
        for &step in own {
            // Where a constraint decides, a guard does not say that a step is possible.
            if base.store.is_true(base.transitions[step].constraint)
                && base.step(here, &values, step, lower).is_ok()
            {
                let guard = base.transitions[step].guard;
                ways.push(fixed.apply(&mut base.store, guard));
            }
        }
        let some = base.store.or(ways);
        let stuck = base.store.not(some);
        base.refute(&[here, stuck], || Rejected::Step("others are put off for ever".into()))
    }
}
