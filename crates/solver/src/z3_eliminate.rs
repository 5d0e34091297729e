//! Quantifier elimination: by our own rules first, then by Z3's `qe2`.
//!
//! Bjørner, Janota: Playing with Quantified Satisfaction (LPAR 2015). The older
//! tactic `qe` is not used: for `exists x. x % 3 == 1 && x % 5 == y && x <= z`
//! that of Z3 5.4 allows `y == 7`. Results are read back from their text.

use crate::logic::Logic;
use crate::project::project_all;
use crate::z3_translate::{Translation, symbol_name};
use crate::z3_watch::Watch;
use parallax_base::{Budget, Stop};
use parallax_term::{Term, TermStore};
use z3::ast::{Ast, Dynamic, exists_const};

/// `exists bound. formula` without `bound`; `None` if that cannot be had.
pub(crate) fn eliminate(
    translation: &mut Translation,
    watch: &Watch,
    store: &mut TermStore,
    formula: Term,
    bound: &[Term],
    budget: &Budget,
) -> Result<Option<Term>, Stop> {
    let (formula, rest) = project_all(store, formula, bound, budget)?;
    if rest.is_empty() {
        return Ok(Some(formula));
    }
    // `qe2` may run for ever on anything but one linear arithmetic.
    let logic = Logic::of(store, &[formula]);
    if logic.nonlinear || logic.ints && logic.reals {
        return Ok(None);
    }
    let Some((body, _)) = translation.formula(store, formula) else { return Ok(None) };
    let symbols: Vec<Dynamic> = rest.iter().map(|s| translation.symbol(store, *s)).collect();
    let symbols: Vec<&dyn Ast> = symbols.iter().map(|s| s as &dyn Ast).collect();
    let goal = z3::Goal::new(false, false, false);
    goal.assert(&exists_const(&symbols, &[], &body));
    let applied = watch.during(budget, || z3::Tactic::new("qe2").apply(&goal, None));
    let Ok(applied) = applied else {
        budget.check()?;
        return Ok(None);
    };
    let mut free = store.vars(formula);
    free.retain(|symbol| !rest.contains(symbol));
    let names: Vec<(String, Term)> = free.iter().map(|s| (symbol_name(*s), *s)).collect();
    let scope = |name: &str| names.iter().find(|(known, _)| known == name).map(|(_, s)| *s);
    let mut parts = Vec::new();
    for goal in applied.list_subgoals() {
        for part in goal.get_formulas() {
            match store.read_smtlib_term(&part.to_string(), &scope) {
                Ok(part) => parts.push(part),
                Err(_) => return Ok(None),
            }
        }
    }
    Ok(Some(store.and(parts)))
}
