//! Limits of a search that was stopped, as many as there is time to check.
//!
//! What no model passes follows from something else for every bound, and a solver
//! that is asked about all of them may not be done when the time is over. So they
//! are claims of their own: all at once, and where that takes too long one half
//! after the other.
//!
//! # Soundness
//! A limit is said if the checker accepted a claim that says it. Bounds together
//! claim no more than each of them does.

use crate::Checkers;
use crate::accept::{Rejected, Vouched};
use parallax_base::Budget;
use parallax_certify::Claim;
use parallax_evidence::{Bounds, Extent};
use parallax_ir::TemplateProblem;
use parallax_term::Rat;
use std::collections::BTreeSet;
use std::time::Duration;

/// After the time is over, this much is left to check limits.
const LAST: Duration = Duration::from_millis(500);

/// A claim may take this part of the time that is left, if it is not the last.
const PART: u32 = 3;

/// A limit that needs a solver: its bound, and what the bound was said to be.
pub(super) type Unproved = (usize, Rat, Extent);

/// Takes back what no model is said to pass where no refutation shows it.
pub(super) fn unproved(bounds: &mut Bounds) -> Vec<Unproved> {
    let shown: BTreeSet<usize> =
        bounds.refutations.iter().flat_map(|r| r.shows.iter().map(|(at, _)| *at)).collect();
    let mut taken = Vec::new();
    for (at, bound) in bounds.bounds.iter_mut().enumerate() {
        let Some(limit) = bound.extent.limit().filter(|_| !shown.contains(&at)).cloned() else {
            continue;
        };
        let reached = match &bound.extent {
            Extent::Attained { value, point } => Some((value.clone(), *point)),
            Extent::Between { reached, .. } => reached.clone(),
            _ => None,
        };
        let rest = Extent::Between { reached, limit: None };
        taken.push((at, limit, std::mem::replace(&mut bound.extent, rest)));
    }
    taken
}

/// Says limits again that the checkers accept in time. Whatever is known besides
/// was accepted.
///
/// # Errors
/// When a limit is wrong.
pub(super) fn say_again(
    problem: &TemplateProblem,
    bounds: &mut Bounds,
    limits: Vec<Unproved>,
    checkers: &Checkers,
    budget: &Budget,
) -> Result<Vouched, Rejected> {
    let is_over = budget.check().is_err() || budget.remaining().is_some_and(|left| left < LAST);
    let budget = match is_over {
        true => Budget::new(Some(LAST), budget.memory_limit()),
        false => budget.clone(),
    };
    let mut all = Vouched::default();
    let mut open = vec![limits];
    while let Some(mut some) = open.pop() {
        if some.is_empty() || budget.check().is_err() {
            continue;
        }
        let claimed = claim(bounds, &some);
        let is_last = open.is_empty() && some.len() == 1;
        let part = budget.remaining().filter(|_| !is_last).map(|left| left / PART);
        let limits = part.map_or_else(|| budget.clone(), |part| budget.within(part));
        let accepted = checkers.accept(&Claim::Bounded { problem, bounds: &claimed }, &limits);
        match accepted {
            Ok(vouched) => {
                all.by = vouched.by;
                all.accepted.queries += vouched.accepted.queries;
                for (at, limit, extent) in some {
                    let now = &mut bounds.bounds[at].extent;
                    *now = match (extent, &*now) {
                        // Its point was accepted.
                        (
                            said @ Extent::Attained { .. },
                            Extent::Between { reached: Some(_), .. },
                        ) => said,
                        (_, Extent::Between { reached, .. }) => {
                            Extent::Between { reached: reached.clone(), limit: Some(limit) }
                        }
                        (_, other) => other.clone(),
                    };
                }
            }
            Err((Rejected::Stopped(_) | Rejected::GaveUp(_), _)) => {
                let rest = some.split_off(some.len().div_ceil(2));
                if !rest.is_empty() {
                    open.extend([rest, some]);
                }
            }
            Err((rejected, _)) => return Err(rejected),
        }
    }
    Ok(all)
}

/// Limits alone, as bounds.
fn claim(bounds: &Bounds, limits: &[Unproved]) -> Bounds {
    let mut claimed = bounds.clone();
    (claimed.points, claimed.refutations) = (Vec::new(), Vec::new());
    for bound in &mut claimed.bounds {
        bound.extent = Extent::Between { reached: None, limit: None };
    }
    for (at, limit, _) in limits {
        claimed.bounds[*at].extent = Extent::Between { reached: None, limit: Some(limit.clone()) };
    }
    claimed
}
