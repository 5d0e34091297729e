//! `qe`: by quantifier elimination, the second rival of the thesis (Z3QELIM).
//!
//! For a goal `t` the formula `exists x. phi && z = t` says which values `z`
//! the goal has. Without the quantifier it is a formula over `z` alone, whose
//! truth changes at finitely many numbers; its upper end is read off.
//!
//! Deviation: goal by goal. The thesis eliminates for all templates at once,
//! which is harder and answers more than was asked.

use crate::climb::Climber;
use crate::prepare::Plain;
use crate::state::State;
use crate::{End, Open};
use parallax_base::Budget;
use parallax_solver::SolverConfig;
use parallax_term::{Node, Rat, Sort, Substitution, Term, TermStore};

/// The upper end of a set of numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Upper {
    /// There is no number in it.
    Empty,
    /// None lies above this one.
    At(Rat),
    /// There is no end.
    Infinite,
}

pub(crate) fn run(
    state: &mut State<'_>,
    solver: &SolverConfig,
    budget: &Budget,
) -> Result<(), End> {
    let plain = Plain::new(state);
    let mut climber = Climber::new(plain, solver)?;
    let mut eliminator = solver.open()?;
    for goal in 0..state.goals.len() {
        budget.check()?;
        let term = climber.goals[goal];
        let sort = climber.store.sort(term);
        let z = climber.store.fresh("z", sort);
        let equal = climber.store.eq(z, term);
        let all = climber.store.and([climber.formula, equal]);
        let bound: Vec<Term> =
            climber.store.vars(all).into_iter().filter(|&symbol| symbol != z).collect();
        state.statistics.queries += 1;
        let free = eliminator.eliminate(&mut climber.store, all, &bound, budget)?;
        let Some(free) = free else {
            let why = "the solver cannot eliminate these quantifiers";
            return Err(End::Open(Open::GaveUp(why.into())));
        };
        match upper(&mut climber.store, free, z) {
            Some(Upper::Empty) => {
                state.is_empty = true;
                return Ok(());
            }
            Some(Upper::At(value)) => state.limit(goal, value),
            Some(Upper::Infinite) => {}
            None => {
                let why = "the eliminated formula is not over one number";
                return Err(End::Open(Open::GaveUp(why.into())));
            }
        }
        // The point behind it; nothing is asked about what lies beyond.
        climber.close(state, &[goal], budget)?;
    }
    Ok(())
}

/// The upper end of the numbers that satisfy a formula over one symbol.
fn upper(store: &mut TermStore, formula: Term, z: Term) -> Option<Upper> {
    let mut turns: Vec<Rat> = Vec::new();
    for atom in store.atoms(formula) {
        match store.node(atom) {
            Node::Compare(_, linear) => match linear.monomials() {
                [(symbol, factor)] if *symbol == z => {
                    turns.push(&-linear.constant_part() * &factor.inverse()?);
                }
                // Remainders and the like: not for this reader.
                _ => return None,
            },
            _ => return None,
        }
    }
    turns.sort();
    turns.dedup();
    let is_int = store.sort(z) == Sort::Int;
    let mut holds = |value: &Rat| {
        let value = match is_int {
            true => store.int(value.to_int()?.clone()),
            false => store.real(value.clone()),
        };
        let truth = Substitution::new([(z, value)]).apply(store, formula);
        store.value(truth).and_then(parallax_term::Value::as_bool)
    };
    if turns.is_empty() {
        return Some(if holds(&Rat::ZERO)? { Upper::Infinite } else { Upper::Empty });
    }
    if is_int {
        return upper_int(&turns, holds);
    }
    let half = Rat::new(1.into(), 2.into())?;
    let last = turns.len() - 1;
    if holds(&(&turns[last] + &Rat::ONE))? {
        return Some(Upper::Infinite);
    }
    for at in (0..=last).rev() {
        if holds(&turns[at])? {
            return Some(Upper::At(turns[at].clone()));
        }
        let below = match at {
            0 => &turns[0] - &Rat::ONE,
            _ => &(&turns[at] + &turns[at - 1]) * &half,
        };
        if holds(&below)? {
            return Some(Upper::At(turns[at].clone()));
        }
    }
    Some(Upper::Empty)
}

/// The same over the integers: between two turns all integers agree.
fn upper_int(turns: &[Rat], mut holds: impl FnMut(&Rat) -> Option<bool>) -> Option<Upper> {
    let mut points: Vec<Rat> = Vec::new();
    for turn in turns {
        let floor = Rat::from(turn.floor());
        points.extend([&floor - &Rat::ONE, floor.clone(), &floor + &Rat::ONE]);
    }
    points.sort();
    points.dedup();
    let last = points.last()?;
    if holds(&(last + &Rat::ONE))? {
        return Some(Upper::Infinite);
    }
    // The largest integer of a stretch is next to a turn, so it is a point.
    for point in points.iter().rev() {
        if holds(point)? {
            return Some(Upper::At(point.clone()));
        }
    }
    let first = points.first()?;
    Some(if holds(&(first - &Rat::ONE))? { Upper::At(first - &Rat::ONE) } else { Upper::Empty })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn upper_ends() {
        let check = |text: &str, sort: Sort, expected: Option<Upper>| {
            let s = &mut TermStore::new();
            let z = s.var("z", sort);
            let formula = s.read_smtlib_term(text, &|_| Some(z)).expect("readable");
            assert_eq!(upper(s, formula, z), expected, "{text}");
        };
        let at = |n: i64| Some(Upper::At(Rat::from(n)));
        check("(< z 3.0)", Sort::Real, at(3));
        check("(or (<= z 3.0) (= z 7.0))", Sort::Real, at(7));
        check("(and (> z 3.0) (< z 5.0))", Sort::Real, at(5));
        check("(>= z 3.0)", Sort::Real, Some(Upper::Infinite));
        check("(and (>= z 3.0) (< z 3.0))", Sort::Real, Some(Upper::Empty));
        check("true", Sort::Real, Some(Upper::Infinite));
        check("(and (< (* 2 z) 7) (> z (- 9)))", Sort::Int, at(3));
        check("(= z (- 9))", Sort::Int, at(-9));
        check("(not (= z 3))", Sort::Int, Some(Upper::Infinite));
    }
}
