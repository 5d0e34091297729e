//! The optimizer inside Z3: a rival to compare with, never a source of truth.

use crate::z3_translate::Translation;
use crate::z3_watch::Watch;
use parallax_base::{Budget, Stop};
use parallax_term::{Linear, Rat, Sort, Term, TermStore};
use z3::{Optimize, Params, SatResult};

/// Which of its engines Z3 uses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Z3Optimizer {
    /// `opt.optsmt_engine=basic`
    Basic,
    /// `opt.optsmt_engine=symba`
    Symba,
}

/// The largest value of a term, as Z3 has it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Z3Optimum {
    /// Attained.
    Value(Rat),
    /// Approached and not attained.
    Supremum(Rat),
    /// There is none.
    Unbounded,
}

/// What Z3 says about a formula and terms to maximize.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Z3Answer {
    /// The formula has no model.
    Unsat,
    /// The largest value of each term on its own.
    Optima(Vec<Z3Optimum>),
    /// Z3 gave up, for this reason.
    Unknown(String),
}

/// Maximizes each term on its own over the models of a formula.
pub fn z3_optimize(
    store: &TermStore,
    formula: Term,
    goals: &[Term],
    engine: Z3Optimizer,
    budget: &Budget,
) -> Result<Z3Answer, Stop> {
    let deep = || Z3Answer::Unknown("a formula is nested too deeply for Z3".into());
    let mut translation = Translation::default();
    let optimize = Optimize::new();
    let mut params = Params::new();
    params.set_symbol("priority", "box");
    params.set_symbol(
        "optsmt_engine",
        match engine {
            Z3Optimizer::Basic => "basic",
            Z3Optimizer::Symba => "symba",
        },
    );
    optimize.set_params(&params);
    let Some((formula, _)) = translation.formula(store, formula) else { return Ok(deep()) };
    optimize.assert(&formula);
    for &goal in goals {
        optimize.maximize(&translation.symbol(store, goal));
    }
    let watch = Watch::new();
    let answer = watch.during(budget, || optimize.check(&[]));
    match answer {
        SatResult::Unsat => Ok(Z3Answer::Unsat),
        SatResult::Unknown => {
            budget.check()?;
            Ok(Z3Answer::Unknown(optimize.get_reason_unknown().unwrap_or_default()))
        }
        SatResult::Sat => {
            let read = |at: usize| optimum(&optimize.get_upper(at as u32)?.to_string());
            let optima: Option<Vec<Z3Optimum>> = (0..goals.len()).map(read).collect();
            let strange = || Z3Answer::Unknown("Z3 answers with a strange number".into());
            Ok(optima.map_or_else(strange, Z3Answer::Optima))
        }
    }
}

/// Reads `3`, `oo` and `(+ 3 (* (- 1) epsilon))`.
fn optimum(text: &str) -> Option<Z3Optimum> {
    let store = &mut TermStore::new();
    let [infinite, tiny] = ["oo", "epsilon"].map(|name| store.var(name, Sort::Real));
    let scope = |name: &str| match name {
        "oo" => Some(infinite),
        "epsilon" => Some(tiny),
        _ => None,
    };
    let term = store.read_smtlib_term(text, &scope).ok()?;
    let linear: Linear = store.linear(term);
    let has = |symbol: Term| linear.monomials().iter().any(|(t, _)| *t == symbol);
    let value = linear.constant_part().clone();
    Some(match (has(infinite), has(tiny)) {
        (true, _) => Z3Optimum::Unbounded,
        (false, true) => Z3Optimum::Supremum(value),
        (false, false) => Z3Optimum::Value(value),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_the_optimizer() {
        assert_eq!(optimum("(- 7)"), Some(Z3Optimum::Value(Rat::from(-7))));
        assert_eq!(optimum("oo"), Some(Z3Optimum::Unbounded));
        assert_eq!(optimum("(+ 3.0 (* (- 1.0) epsilon))"), Some(Z3Optimum::Supremum(Rat::from(3))));
    }

    #[test]
    fn each_goal_on_its_own() {
        let s = &mut TermStore::new();
        let (x, y) = (s.var("x", Sort::Real), s.var("y", Sort::Int));
        let scope = |name: &str| Some(if name == "x" { x } else { y });
        let text = "(and (< x 3.0) (<= y 5) (>= y 1))";
        let formula = s.read_smtlib_term(text, &scope).expect("readable");
        let (less, low) = (s.neg(x), s.neg(y));
        for engine in [Z3Optimizer::Basic, Z3Optimizer::Symba] {
            let goals = [x, less, y, low];
            let answer = z3_optimize(s, formula, &goals, engine, &Budget::unlimited());
            let expected = vec![
                Z3Optimum::Supremum(Rat::from(3)),
                Z3Optimum::Unbounded,
                Z3Optimum::Value(Rat::from(5)),
                Z3Optimum::Value(Rat::from(-1)),
            ];
            assert_eq!(answer, Ok(Z3Answer::Optima(expected)), "{engine:?}");
        }
    }
}
