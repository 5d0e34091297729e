//! From a derivation to a run.
//!
//! A derivation from linear clauses is a sequence of places with values. Which
//! clauses lead from one fact to the next is found by asking: the values on
//! both sides are known. The path is then solved as a whole, as every engine
//! does that searches symbolically.

use crate::clauses::{Encoded, Origin};
use parallax_base::{Budget, Id, Stop};
use parallax_engine::{Question, solve_path};
use parallax_evidence::Trace;
use parallax_horn::{Applied, Derivation, Fact, Predicate};
use parallax_solver::{Answer, Solver};
use parallax_term::{Substitution, Term, TermStore};
use std::collections::VecDeque;

/// The run that a derivation tells of; an error says why there is none.
pub(crate) fn run(
    question: Question<'_>,
    encoded: &Encoded,
    derivation: &Derivation,
    solver: &mut dyn Solver,
    budget: &Budget,
) -> Result<Result<Trace, String>, Stop> {
    let mut store = encoded.system.store.clone();
    let mut path = Vec::new();
    let chain = match chain(derivation) {
        Ok(chain) => chain,
        Err(why) => return Ok(Err(why)),
    };
    let facts = || chain.iter().copied().map(Some);
    let ends = || std::iter::once(None);
    let mut search = Path::new(&mut store, encoded, solver, budget);
    for (from, to) in ends().chain(facts()).zip(facts().chain(ends())) {
        budget.check()?;
        let Some(clauses) = search.between(from, to)? else {
            return Ok(Err("a step of the derivation is no step of the program".into()));
        };
        path.extend(clauses.into_iter().filter_map(|clause| match encoded.origins[clause] {
            Origin::Step(transition) => Some(transition),
            Origin::Start | Origin::Target => None,
        }));
    }
    let target = question.property().target;
    let trace = solve_path(&mut store, solver, question.program, &path, target, budget)?;
    Ok(trace.ok_or_else(|| String::from("the derivation is no run")))
}

/// The facts from the first one to the last that has a place.
fn chain(derivation: &Derivation) -> Result<Vec<&Fact>, String> {
    let mut at = derivation.facts.len().checked_sub(1).ok_or("an empty derivation")?;
    let mut chain = Vec::new();
    loop {
        let fact = &derivation.facts[at];
        if fact.predicate.is_some() {
            chain.push(fact);
        }
        match fact.premises.as_slice() {
            [] => break,
            [one] => at = *one,
            _ => return Err(String::from("a derivation that branches")),
        }
    }
    chain.reverse();
    Ok(chain)
}

/// Clauses between two facts, at most, and ways that are looked at.
const BETWEEN: usize = 8;
const WAYS: usize = 64;

/// Finds out which clauses lead from fact to fact.
struct Path<'a> {
    store: &'a mut TermStore,
    encoded: &'a Encoded,
    /// The clauses that assume each predicate; the first entry: that assume none.
    leaving: Vec<Vec<usize>>,
    solver: &'a mut dyn Solver,
    budget: &'a Budget,
}

impl<'a> Path<'a> {
    fn new(
        store: &'a mut TermStore,
        encoded: &'a Encoded,
        solver: &'a mut dyn Solver,
        budget: &'a Budget,
    ) -> Path<'a> {
        let mut leaving = vec![Vec::new(); encoded.system.predicates.len() + 1];
        for (index, clause) in encoded.system.clauses.iter().enumerate() {
            leaving[place(clause.body.first().map(|a| a.predicate))].push(index);
        }
        Path { store, encoded, leaving, solver, budget }
    }

    /// The shortest sequence of clauses from one fact to another; where none is
    /// given, from the start or to the target. Solvers leave out facts that say
    /// nothing, so there may be several clauses between two facts.
    fn between(
        &mut self,
        from: Option<&Fact>,
        to: Option<&Fact>,
    ) -> Result<Option<Vec<usize>>, Stop> {
        let goal = place(to.and_then(|fact| fact.predicate));
        let mut open = VecDeque::from([(place(from.and_then(|f| f.predicate)), Vec::new())]);
        let mut looked_at = 0;
        while let Some((at, way)) = open.pop_front() {
            for clause in self.leaving[at].clone() {
                let next = place(self.head(clause).map(|a| a.predicate));
                let mut longer: Vec<usize> = way.clone();
                longer.push(clause);
                if next == goal {
                    looked_at += 1;
                    if looked_at > WAYS {
                        return Ok(None);
                    }
                    if self.is_possible(&longer, from, to)? {
                        return Ok(Some(longer));
                    }
                }
                if next != 0 && longer.len() < BETWEEN && open.len() < WAYS {
                    open.push_back((next, longer));
                }
            }
        }
        Ok(None)
    }

    fn head(&self, clause: usize) -> Option<&'a Applied> {
        self.encoded.system.clauses[clause].head.as_ref()
    }

    /// Whether clauses in a row lead from the values of one fact to those of
    /// another.
    fn is_possible(
        &mut self,
        way: &[usize],
        from: Option<&Fact>,
        to: Option<&Fact>,
    ) -> Result<bool, Stop> {
        let system = &self.encoded.system;
        let mut parts = Vec::new();
        let mut before: Option<Vec<Term>> = from.map(|fact| self.values(fact));
        for &index in way {
            let clause = &system.clauses[index];
            let symbols = system.symbols(clause);
            let mut pairs = Vec::new();
            for symbol in symbols {
                let sort = self.store.sort(symbol);
                pairs.push((symbol, self.store.fresh("at", sort)));
            }
            let mut own = Substitution::new(pairs);
            parts.push(own.apply(self.store, clause.constraint));
            if let (Some(values), [body]) = (&before, clause.body.as_slice()) {
                for (&value, &argument) in values.iter().zip(&body.arguments) {
                    let argument = own.apply(self.store, argument);
                    parts.push(self.store.eq(value, argument));
                }
            }
            let after = clause.head.iter().flat_map(|head| &head.arguments);
            before = Some(after.map(|&t| own.apply(self.store, t)).collect());
        }
        if let (Some(last), Some(to)) = (before, to) {
            for (value, argument) in self.values(to).into_iter().zip(last) {
                parts.push(self.store.eq(value, argument));
            }
        }
        let question = self.store.and(parts);
        if self.store.is_true(question) || self.store.is_false(question) {
            return Ok(self.store.is_true(question));
        }
        let answer = self.solver.check(self.store, &[question], self.budget)?;
        Ok(matches!(answer, Answer::Sat))
    }

    /// The values of a fact; those that are not known may be anything.
    fn values(&mut self, fact: &Fact) -> Vec<Term> {
        let system = &self.encoded.system;
        let parameters = fact.predicate.map(|p| &system.predicates[p].parameters);
        let pairs = parameters.into_iter().flatten().zip(&fact.arguments);
        let mut values = Vec::new();
        for (&parameter, value) in pairs {
            values.push(match value {
                Some(value) => self.store.constant(value.clone()),
                None => {
                    let sort = self.store.sort(parameter);
                    self.store.fresh("any", sort)
                }
            });
        }
        values
    }
}

/// A position for each predicate, and one for the start and the end.
fn place(predicate: Option<Id<Predicate>>) -> usize {
    predicate.map_or(0, |predicate| predicate.index() + 1)
}
