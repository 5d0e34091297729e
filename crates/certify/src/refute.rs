//! The one question that checkers of certificates put to a solver.

use crate::Rejected;
use parallax_base::Budget;
use parallax_solver::{Answer, Solver};
use parallax_term::{Term, TermStore};

/// Accepts only a definite "these cannot all hold".
pub(crate) fn refute(
    store: &mut TermStore,
    solver: &mut dyn Solver,
    budget: &Budget,
    formulas: &[Term],
    failed: impl FnOnce() -> Rejected,
) -> Result<(), Rejected> {
    budget.check()?;
    let conjunction = store.and(formulas.iter().copied());
    if store.is_false(conjunction) {
        return Ok(());
    }
    solver.push();
    solver.assert(store, conjunction);
    let answer = solver.check(store, &[], budget);
    solver.pop();
    match answer? {
        Answer::Unsat => Ok(()),
        Answer::Sat => Err(failed()),
        Answer::Unknown(why) => Err(Rejected::GaveUp(why)),
    }
}
