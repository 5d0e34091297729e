//! The iteration: up with widening, down with narrowing.
//!
//! Places are visited in reverse post-order, so that what flows into a loop is
//! known before the loop is entered. At the head of a loop a bound that rises
//! again goes to the next threshold, in the end to infinity (Cousot, Cousot,
//! POPL 1977; Blanchet et al., PLDI 2003). Afterwards every bound is computed
//! once more from the bounds of its predecessors, a few times.

use crate::control::Control;
use crate::cycle::Cycles;
use crate::template::Templates;
use crate::threshold::Thresholds;
use parallax_base::Budget;
use parallax_optimize::{Abstract, Effort, Limit};
use parallax_solver::Halt;
use parallax_term::{Term, TermStore};
use std::collections::BTreeSet;

/// How values flow along steps.
pub(crate) trait Post {
    /// The value of the initial states.
    fn start(&mut self, budget: &Budget) -> Result<Abstract, Halt>;

    /// The least value above the floor and what a step makes of a value.
    fn post(
        &mut self,
        step: usize,
        from: &Abstract,
        floor: &Abstract,
        effort: Effort,
        budget: &Budget,
    ) -> Result<Abstract, Halt>;

    /// How far a template, by its position at the target, reaches where a step
    /// makes it larger than it was; nothing if that cannot be told.
    fn rising(
        &mut self,
        step: usize,
        nth: usize,
        from: &Abstract,
        budget: &Budget,
    ) -> Result<Option<Abstract>, Halt> {
        let _ = (step, nth, from, budget);
        Ok(None)
    }

    /// How often a solver was asked.
    fn queries(&self) -> u64;
}

/// How often a bound may rise before it is widened.
const DELAY: u32 = 2;

/// How often a bound is widened to a threshold before it goes to infinity.
const THRESHOLDS: u32 = 12;

/// How often bounds are computed once more.
const NARROWINGS: usize = 6;

/// For how many bounds it is asked, each time, how far they are raised by steps
/// that do raise them.
const RISINGS: usize = 60;

/// A run of the iteration.
pub(crate) struct Fixpoint<'f> {
    pub(crate) store: &'f TermStore,
    pub(crate) control: &'f Control,
    pub(crate) templates: &'f Templates,
    pub(crate) thresholds: &'f Thresholds,
    /// The variables that each step writes.
    pub(crate) written: &'f [BTreeSet<Term>],
    /// Widening goes to infinity, and narrowing only bounds what has no bound.
    pub(crate) is_plain: bool,
    /// Whether bounds are computed once more after they were widened.
    pub(crate) narrows: bool,
}

impl Fixpoint<'_> {
    /// A value for each place that all steps respect.
    pub(crate) fn run(&self, post: &mut dyn Post, budget: &Budget) -> Result<Vec<Abstract>, Halt> {
        let mut values = vec![Abstract::Bottom; self.control.places.len()];
        values[0] = post.start(budget)?;
        let start = values[0].clone();
        let mut rises: Vec<Vec<u32>> = self.templates.at.iter().map(|t| vec![0; t.len()]).collect();
        self.ascend(post, &mut values, &mut rises, budget)?;
        if !self.narrows {
            return Ok(values);
        }
        let safe = values.clone();
        // Others want to look at the result.
        let part =
            budget.remaining().map_or_else(|| budget.clone(), |left| budget.within(left / 2));
        let narrowed = match self.is_plain {
            true => self.narrow(post, &start, &mut values, &part),
            false => self.descend(post, &start, &mut values, &part),
        };
        match narrowed.and_then(|()| self.is_stable(post, &values, &part)) {
            Ok(true) => Ok(values),
            Ok(false) => Ok(safe),
            // What was found on the way up is still right.
            Err(Halt::Stop(_)) => Ok(safe),
            Err(halt) => Err(halt),
        }
    }

    fn ascend(
        &self,
        post: &mut dyn Post,
        values: &mut [Abstract],
        rises: &mut [Vec<u32>],
        budget: &Budget,
    ) -> Result<(), Halt> {
        let mut open: BTreeSet<(usize, usize)> = BTreeSet::from([(self.control.rank[0], 0)]);
        while let Some((_, place)) = open.pop_first() {
            for &step in &self.control.leaving[place] {
                let target = self.control.steps[step].target;
                let known = &values[target];
                let next = post.post(step, &values[place], known, Effort::Quick, budget)?;
                if next == *known {
                    continue;
                }
                values[target] = if self.control.is_head[target] {
                    self.widen(target, known, next, &mut rises[target])
                } else {
                    next
                };
                open.insert((self.control.rank[target], target));
            }
        }
        Ok(())
    }

    /// The new value, with bounds that rise too often moved further.
    fn widen(&self, place: usize, old: &Abstract, new: Abstract, rises: &mut [u32]) -> Abstract {
        let (Abstract::Within(old), Abstract::Within(mut limits)) = (old, new.clone()) else {
            return new;
        };
        for (at, limit) in limits.iter_mut().enumerate() {
            if *limit == old[at] {
                continue;
            }
            rises[at] += 1;
            if rises[at] <= DELAY && !self.is_plain {
                continue;
            }
            let Some(Limit { value, .. }) = limit else { continue };
            let template = self.store.linear(self.templates.at[place][at]);
            let shift = template.constant_part().clone();
            let threshold = (rises[at] <= DELAY + THRESHOLDS && !self.is_plain)
                .then(|| self.thresholds.next(&template.shifted(&-&shift), &(&*value - &shift)))
                .flatten();
            *limit = threshold.map(|value| Limit { value: &value + &shift, strict: false });
        }
        Abstract::Within(limits)
    }

    /// Computes bounds once more from what enters each place. What a step does
    /// not change, it does not bring in either: if a bound passes around a
    /// cycle unchanged, only what enters the cycle counts. And of a step that
    /// changes it on some of its paths, only those count that raise it.
    fn descend(
        &self,
        post: &mut dyn Post,
        start: &Abstract,
        values: &mut [Abstract],
        budget: &Budget,
    ) -> Result<(), Halt> {
        let cycles = Cycles::new(self);
        for _ in 0..NARROWINGS {
            let mut after = Vec::new();
            for (index, step) in self.control.steps.iter().enumerate() {
                let from = &values[step.source];
                after.push(post.post(index, from, &Abstract::Bottom, Effort::Exact, budget)?);
            }
            let (mut changed, mut tries) = (false, RISINGS);
            let old = values.to_vec();
            for place in 0..values.len() {
                let Abstract::Within(mut limits) = old[place].clone() else { continue };
                for (at, &template) in self.templates.at[place].iter().enumerate() {
                    let mut outside = Some(None);
                    if cycles.is_first(template, place)
                        && let Some(nth) = position(&self.templates.at[0], template)
                    {
                        outside = highest(outside, limit_of(start, nth));
                    }
                    let mut inside = Vec::new();
                    for (step, nth) in cycles.entering(self, template, place) {
                        if cycles.is_inside(self, template, step) {
                            inside.push((step, nth));
                        } else {
                            outside = highest(outside, limit_of(&after[step], nth));
                        }
                    }
                    let old_limit = limits[at].clone();
                    // Nothing enters, or something without a bound does.
                    let lower = |most: Brought| {
                        let next = most??;
                        old_limit.as_ref().is_none_or(|old| is_lower(&next, old)).then_some(next)
                    };
                    let bring = |known, &(step, nth): &(usize, usize)| {
                        highest(known, limit_of(&after[step], nth))
                    };
                    let mut next = lower(inside.iter().fold(outside.clone(), bring));
                    if next.is_none() && lower(outside.clone()).is_some() && tries > 0 {
                        tries -= 1;
                        let mut most = outside;
                        for &(step, nth) in &inside {
                            let from = &old[self.control.steps[step].source];
                            let Some(rising) = post.rising(step, nth, from, budget)? else {
                                most = None;
                                break;
                            };
                            most = highest(most, limit_of(&rising, 0));
                        }
                        next = lower(most);
                    }
                    if let Some(next) = next {
                        limits[at] = Some(next);
                        changed = true;
                    }
                }
                values[place] = Abstract::Within(limits);
            }
            if !changed {
                break;
            }
        }
        Ok(())
    }

    /// Narrowing as in the textbook: what has no bound gets one from all that
    /// enters its place.
    fn narrow(
        &self,
        post: &mut dyn Post,
        start: &Abstract,
        values: &mut [Abstract],
        budget: &Budget,
    ) -> Result<(), Halt> {
        for _ in 0..NARROWINGS {
            let mut next = vec![Abstract::Bottom; values.len()];
            next[0] = start.clone();
            for (index, step) in self.control.steps.iter().enumerate() {
                let from = &values[step.source];
                let known = next[step.target].clone();
                next[step.target] = post.post(index, from, &known, Effort::Exact, budget)?;
            }
            let mut changed = false;
            for (value, next) in values.iter_mut().zip(next) {
                let (Abstract::Within(old), Abstract::Within(new)) = (value, next) else {
                    continue;
                };
                for (old, new) in old.iter_mut().zip(new) {
                    if old.is_none() && new.is_some() {
                        *old = new;
                        changed = true;
                    }
                }
            }
            if !changed {
                break;
            }
        }
        Ok(())
    }

    /// Whether all steps stay within the values.
    fn is_stable(
        &self,
        post: &mut dyn Post,
        values: &[Abstract],
        budget: &Budget,
    ) -> Result<bool, Halt> {
        for (index, step) in self.control.steps.iter().enumerate() {
            let known = &values[step.target];
            if post.post(index, &values[step.source], known, Effort::Quick, budget)? != *known {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// What a step brings in: nothing, or a bound, or no bound.
type Brought = Option<Option<Limit>>;

fn limit_of(value: &Abstract, nth: usize) -> Option<Brought> {
    match value {
        Abstract::Bottom => None,
        Abstract::Within(limits) => Some(limits[nth].clone().map(Some)),
    }
}

/// The higher of what is known so far and what one more step brings in. `None`
/// is the highest, `Some(None)` that nothing came in yet.
fn highest(known: Brought, more: Option<Brought>) -> Brought {
    let Some(more) = more else { return known };
    match (known?, more?) {
        (None, more) => Some(more),
        (Some(known), Some(more)) if is_lower(&known, &more) => Some(Some(more)),
        (known, _) => Some(known),
    }
}

fn is_lower(a: &Limit, b: &Limit) -> bool {
    a.value < b.value || a.value == b.value && a.strict && !b.strict
}

fn position(templates: &[Term], template: Term) -> Option<usize> {
    templates.iter().position(|&t| t == template)
}
