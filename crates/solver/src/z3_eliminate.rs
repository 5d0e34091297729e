//! Quantifier elimination: by our own procedure, and by Z3's tactic `qe2` for
//! formulas that are too large for it.
//!
//! Bjørner, Janota: Playing with Quantified Satisfaction (LPAR 2015). Z3 5.4 is
//! wrong at times, as our tests against enumeration showed: `qe` on two
//! remainders of one number, `qe2` on conditional numbers. So `qe` is not
//! used, and `qe2` sees linear atoms and connectives only: conditional numbers,
//! quotients and remainders are given names, which are eliminated as well.
//! Results are read back from their text.

use crate::logic::Logic;
use crate::project::{project_all, quotient_is};
use crate::z3_translate::{Translation, symbol_name};
use crate::z3_watch::Watch;
use parallax_base::{Budget, Stop};
use parallax_term::{Node, Term, TermStore};
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
    match rest.is_empty() {
        true => Ok(Some(formula)),
        false => by_tactic(translation, watch, store, formula, rest, budget),
    }
}

fn by_tactic(
    translation: &mut Translation,
    watch: &Watch,
    store: &mut TermStore,
    formula: Term,
    bound: Vec<Term>,
    budget: &Budget,
) -> Result<Option<Term>, Stop> {
    // The tactic may run for ever on anything but one linear arithmetic.
    let logic = Logic::of(store, &[formula]);
    if logic.is_machine() {
        return Ok(None);
    }
    let Some((formula, bound)) = named(store, formula, bound) else { return Ok(None) };
    if logic.nonlinear || logic.ints && logic.reals {
        return Ok(None);
    }
    let Some((body, _)) = translation.formula(store, formula) else { return Ok(None) };
    let symbols: Vec<Dynamic> = bound.iter().map(|s| translation.symbol(store, *s)).collect();
    let symbols: Vec<&dyn Ast> = symbols.iter().map(|s| s as &dyn Ast).collect();
    let goal = z3::Goal::new(false, false, false);
    goal.assert(&exists_const(&symbols, &[], &body));
    let applied = watch.during(budget, || z3::Tactic::new("qe2").apply(&goal, None));
    let Ok(applied) = applied else {
        budget.check()?;
        return Ok(None);
    };
    let mut free = store.vars(formula);
    free.retain(|symbol| !bound.contains(symbol));
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

/// The formula with names for all conditional numbers, quotients and remainders
/// that have bound symbols inside, and the names as further bound symbols.
/// `None` if a divisor is no constant.
fn named(store: &mut TermStore, formula: Term, mut bound: Vec<Term>) -> Option<(Term, Vec<Term>)> {
    let (mut formula, mut definitions) = (formula, Vec::new());
    loop {
        let mut whole = definitions.clone();
        whole.push(formula);
        let is_odd = |term: &Term| {
            let odd = matches!(store.node(*term), Node::Ite(..) | Node::Div(..) | Node::Mod(..));
            odd && store.vars(*term).iter().any(|symbol| bound.contains(symbol))
        };
        let Some(term) = store.subterms(&whole).into_iter().find(is_odd) else {
            whole.reverse();
            return Some((store.and(whole), bound));
        };
        let sort = store.sort(term);
        let name = store.fresh("q", sort);
        bound.push(name);
        let value = match *store.node(term) {
            Node::Ite(c, a, b) => {
                let (then, otherwise) = (store.eq(name, a), store.eq(name, b));
                let not_c = store.not(c);
                definitions.push(store.or([not_c, then]));
                definitions.push(store.or([c, otherwise]));
                name
            }
            _ => {
                let (value, meaning) = quotient_is(store, term, name)?;
                definitions.extend(meaning);
                value
            }
        };
        for part in definitions.iter_mut().chain([&mut formula]) {
            *part = store.substitute(*part, &[(term, value)]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common::{self, random::Random};
    use std::time::Duration;

    #[test]
    fn the_tactic_alone_is_equivalent() {
        for seed in (0..200).chain([50681]) {
            let random = &mut Random::new(seed);
            let space = &mut common::Box::new(false);
            let size = random.below(16);
            let formula = space.formula(random, size);
            let formula = space.store.and([space.inside, formula]);
            let mut bound = space.symbols();
            bound.retain(|_| random.below(3) == 0);
            bound.push(space.alphabet.ints[0]);
            let budget = Budget::new(Some(Duration::from_secs(20)), None);
            let (translation, watch) = (&mut Translation::default(), &Watch::new());
            let store = &mut space.store;
            let result = by_tactic(translation, watch, store, formula, bound.clone(), &budget);
            let Ok(Some(result)) = result else { panic!("seed {seed}: {result:?}") };
            space.assert_shadow(formula, &bound, result, seed);
        }
    }
}
