//! What terms can be at once, read off models: the abstract posts of all
//! engines end here.
//!
//! Three strategies:
//! - implied: the predicates that are true of all successors;
//! - Cartesian: each predicate is implied, refuted or left open, on its own;
//! - Boolean: the strongest formula over the predicates, as the disjunction of
//!   all minterms that some successor satisfies (Graf, Saidi, CAV 1997).
//!
//! A model shows which predicates can be true and which can be false, so only
//! what no model has shown is asked.

use parallax_base::Budget;
use parallax_solver::{Answer, Halt, Model, Solver};
use parallax_term::{Term, TermStore, Value};

/// More minterms than this are not listed; the Cartesian result stands.
const MINTERMS: usize = 128;

/// How abstract states are computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Abstraction {
    /// The set of predicates that are true: what is false is not said, as in
    /// the lecture.
    Implied,
    /// Each predicate on its own.
    Cartesian,
    /// The strongest formula over all predicates.
    #[default]
    Boolean,
}

/// A solver that knows where a step begins and what it does.
pub struct Query<'q> {
    /// Where new terms go.
    pub store: &'q mut TermStore,
    /// Who is asked.
    pub solver: &'q mut dyn Solver,
    /// The limits.
    pub budget: &'q Budget,
}

/// What is known of some predicates together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Truths {
    /// The predicates that are always true or always false.
    pub fixed: Vec<Option<bool>>,
    /// All combinations that there are; none if they were not listed.
    pub minterms: Vec<Vec<bool>>,
}

impl Truths {
    /// The same as a formula, with these terms for the predicates.
    pub fn formula(&self, store: &mut TermStore, predicates: &[Term]) -> Term {
        let mut parts = literals(store, predicates, &self.fixed);
        let choices: Vec<Term> = self
            .minterms
            .iter()
            .map(|minterm| {
                let open = minterm.iter().zip(&self.fixed);
                let open: Vec<_> = open.map(|(&bit, f)| f.is_none().then_some(bit)).collect();
                let literals = literals(store, predicates, &open);
                store.and(literals)
            })
            .collect();
        if !choices.is_empty() {
            parts.push(store.or(choices));
        }
        store.and(parts)
    }
}

fn literals(store: &mut TermStore, terms: &[Term], truth: &[Option<bool>]) -> Vec<Term> {
    let known = terms.iter().zip(truth).filter_map(|(&term, truth)| Some((term, (*truth)?)));
    known.map(|(term, holds)| if holds { term } else { store.not(term) }).collect()
}

/// The truth of terms in a model.
fn truth(query: &Query<'_>, terms: &[Term], model: &Model) -> Vec<bool> {
    model.eval_all(query.store, terms).into_iter().map(|v| v == Value::Bool(true)).collect()
}

impl Query<'_> {
    /// Adds a formula to the innermost scope.
    pub fn assert(&mut self, formula: Term) {
        self.solver.assert(self.store, formula);
    }

    /// A model of what is asserted, over the given symbols.
    pub fn model(&mut self, symbols: &[Term]) -> Result<Option<Model>, Halt> {
        match self.solver.check(self.store, &[], self.budget)? {
            Answer::Unsat => Ok(None),
            Answer::Unknown(why) => Err(Halt::GaveUp(why)),
            Answer::Sat => {
                let model = self.solver.model(self.store, symbols);
                model.map(Some).ok_or_else(|| Halt::GaveUp("a model was not handed out".into()))
            }
        }
    }

    /// Lists the combinations of values that terms have in models, until `each`
    /// has enough; whether these are all. The first model may be known.
    ///
    /// What was listed is excluded in the innermost scope, which is the caller's:
    /// a scope of its own makes Z3 prepare what is asserted before it knows the
    /// question, and that can cost minutes where words are divided.
    pub fn combinations(
        &mut self,
        terms: &[Term],
        symbols: &[Term],
        first: Option<&Model>,
        each: &mut dyn FnMut(Vec<Value>) -> bool,
    ) -> Result<bool, Halt> {
        let mut next = match first {
            Some(model) => Some(model.clone()),
            None => self.model(symbols)?,
        };
        while let Some(model) = next {
            let values = model.eval_all(self.store, terms);
            let mut same = Vec::new();
            for (&term, value) in terms.iter().zip(&values) {
                let value = self.store.constant(value.clone());
                same.push(self.store.eq(term, value));
            }
            if !each(values) {
                return Ok(false);
            }
            let here = self.store.and(same);
            if self.store.is_true(here) {
                break;
            }
            let elsewhere = self.store.not(here);
            self.assert(elsewhere);
            next = self.model(symbols)?;
        }
        Ok(true)
    }

    /// What is known of predicates in all models, of which one is given.
    pub fn truths(
        &mut self,
        how: Abstraction,
        predicates: &[Term],
        symbols: &[Term],
        first: &Model,
    ) -> Result<Truths, Halt> {
        if how != Abstraction::Boolean {
            return self.alone(predicates, symbols, first, how == Abstraction::Cartesian);
        }
        let mut minterms: Vec<Vec<bool>> = Vec::new();
        self.solver.push();
        let complete = self.combinations(predicates, symbols, Some(first), &mut |values| {
            let has_room = minterms.len() < MINTERMS;
            if has_room {
                minterms.push(values.iter().map(|v| *v == Value::Bool(true)).collect());
            }
            has_room
        });
        self.solver.pop();
        if !complete? {
            return self.alone(predicates, symbols, first, true);
        }
        // What all minterms agree on is said once.
        let agreed = |i: usize| {
            let bit = minterms.first()?[i];
            minterms.iter().all(|m| m[i] == bit).then_some(bit)
        };
        Ok(Truths { fixed: (0..predicates.len()).map(agreed).collect(), minterms })
    }

    /// Each predicate on its own: those that are implied, and those that are
    /// refuted if that is wanted.
    fn alone(
        &mut self,
        predicates: &[Term],
        symbols: &[Term],
        first: &Model,
        also_refuted: bool,
    ) -> Result<Truths, Halt> {
        let mut seen = vec![[false; 2]; predicates.len()];
        let note = |seen: &mut Vec<[bool; 2]>, bits: Vec<bool>| {
            for (seen, bit) in seen.iter_mut().zip(bits) {
                seen[usize::from(bit)] = true;
            }
        };
        note(&mut seen, truth(self, predicates, first));
        let mut fixed = vec![None; predicates.len()];
        for (i, &predicate) in predicates.iter().enumerate() {
            let [can_fail, can_hold] = seen[i];
            if can_fail && (can_hold || !also_refuted) {
                continue;
            }
            let opposite = if can_fail { predicate } else { self.store.not(predicate) };
            let possible = match self.store.value(opposite) {
                Some(value) => *value == Value::Bool(true),
                None => {
                    self.solver.push();
                    self.assert(opposite);
                    let model = self.model(symbols);
                    self.solver.pop();
                    let model = model?;
                    if let Some(model) = &model {
                        note(&mut seen, truth(self, predicates, model));
                    }
                    model.is_some()
                }
            };
            if !possible {
                fixed[i] = Some(can_hold);
            }
        }
        Ok(Truths { fixed, minterms: Vec::new() })
    }
}
