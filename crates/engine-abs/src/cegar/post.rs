//! Where a step leads from an abstract state.
//!
//! First the values of the tracked variables after the step are listed, each
//! combination a successor of its own; a variable that holds none of its
//! constants is known to hold none of them. Then, for each, the predicates:
//! - Cartesian: each predicate is implied, refuted or left open, on its own;
//! - Boolean: the strongest formula over the predicates, as the disjunction of
//!   all minterms that some successor satisfies (Graf, Saidi, CAV 1997).
//!
//! Both are read off solver models: a model shows which predicates can be true
//! and which can be false, so only what no model has shown is asked. What was
//! listed once for a state, a step and a precision is never asked again.

use super::Abstraction;
use super::bench::{Bench, Halt, Local, Step, decided};
use super::place::{Place, Values};
use super::precision::Tracked;
use parallax_base::Id;
use parallax_ir::Variable;
use parallax_solver::Model;
use parallax_term::{Term, Value};
use rustc_hash::FxHashMap;

/// More minterms than this are not listed; the Cartesian result stands.
const MINTERMS: usize = 128;

/// More combinations of values than this after one step are too many.
const COMBINATIONS: usize = 400;

/// What a step leads to.
#[derive(Clone, Debug)]
pub(crate) enum Successors {
    /// Values and formula of each.
    All(Vec<(Values, Term)>),
    /// A tracked variable has too many values.
    TooMany(Id<Variable>),
}

/// Abstract posts with a memory.
pub(crate) struct Post {
    /// Per variable: the values that are told apart.
    constants: Vec<Vec<Value>>,
    known: FxHashMap<(Place, Term, usize, u64), Vec<(Values, Term)>>,
}

/// A predicate after the step, and the same over the state before it.
struct Question {
    after: Term,
    before: Term,
}

impl Post {
    pub(crate) fn new(constants: Vec<Vec<Value>>) -> Post {
        Post { constants, known: FxHashMap::default() }
    }

    /// Whether a variable has values that can be told apart.
    pub(crate) fn has_constants(&self, variable: Id<Variable>) -> bool {
        !self.constants[variable.index()].is_empty()
    }

    /// The abstract successors of a state by a step.
    pub(crate) fn successors(
        &mut self,
        bench: &mut Bench<'_>,
        kind: Abstraction,
        (place, state): (&Place, Term),
        step: &Step,
        tracked: &Tracked,
    ) -> Result<Successors, Halt> {
        let key = (place.clone(), state, step.transition, tracked.version);
        if let Some(known) = self.known.get(&key) {
            return Ok(Successors::All(known.clone()));
        }
        let mut local = bench.local(place, step.transition);
        let base = bench.store.and([state, local.condition]);
        if bench.store.is_false(base) {
            return Ok(Successors::All(Vec::new()));
        }
        bench.solver.push();
        bench.solver.assert(&bench.store, base);
        let found = list(bench, kind, &self.constants, &mut local, base, step, tracked);
        bench.solver.pop();
        let found = found?;
        if let Successors::All(all) = &found {
            self.known.insert(key, all.clone());
        }
        Ok(found)
    }
}

/// A model of what is asserted, over the given symbols.
fn ask(bench: &mut Bench<'_>, symbols: &[Term]) -> Result<Option<Model>, Halt> {
    let answer = bench.solver.check(&bench.store, &[], bench.budget)?;
    if !decided(answer)? {
        return Ok(None);
    }
    let model = bench.solver.model(&bench.store, symbols);
    model.map(Some).ok_or_else(|| Halt::GaveUp("a model was not handed out".into()))
}

/// All successors; the state and the step's condition are asserted.
fn list(
    bench: &mut Bench<'_>,
    kind: Abstraction,
    constants: &[Vec<Value>],
    local: &mut Local,
    base: Term,
    step: &Step,
    tracked: &Tracked,
) -> Result<Successors, Halt> {
    let program = bench.program;
    let mut results: Vec<Term> = Vec::new();
    for &variable in &tracked.values {
        results.push(local.before(&mut bench.store, program.variables[variable].term));
    }
    let mut symbols = bench.store.vars(base);
    for &term in &results {
        symbols.extend(bench.store.vars(term));
    }
    for &predicate in &tracked.predicates {
        let before = local.before(&mut bench.store, predicate);
        symbols.extend(bench.store.vars(before));
    }
    symbols.sort_unstable();
    symbols.dedup();
    let mut found = Vec::new();
    while let Some(model) = ask(bench, &symbols)? {
        bench.budget.check()?;
        let values = model.eval_all(&bench.store, &results);
        let (mut here, mut others, mut known) = (Vec::new(), Vec::new(), Vec::new());
        for ((&variable, &result), value) in tracked.values.iter().zip(&results).zip(values) {
            let told_apart = &constants[variable.index()];
            if told_apart.binary_search(&value).is_ok() {
                let constant = bench.store.constant(value.clone());
                here.push(bench.store.eq(result, constant));
                known.push((variable, value));
            } else {
                here.push(none_of(bench, result, told_apart));
                others.push(none_of(bench, program.variables[variable].term, told_apart));
            }
        }
        let here = bench.store.and(here);
        let next = Place { location: step.target.clone(), values: known.into() };
        let questions = questions(bench, local, &next, tracked);
        let is_last = bench.store.is_true(here);
        if !is_last {
            bench.solver.push();
            bench.solver.assert(&bench.store, here);
        }
        let state = match kind {
            Abstraction::Cartesian => cartesian(bench, &questions, &symbols, &model),
            Abstraction::Boolean => boolean(bench, &questions, &symbols, &model),
        };
        if !is_last {
            bench.solver.pop();
        }
        others.push(state?);
        found.push((next.values, bench.store.and(others)));
        if is_last {
            break;
        }
        if let Some(variable) = overflow(&found, tracked) {
            return Ok(Successors::TooMany(variable));
        }
        let other = bench.store.not(here);
        bench.solver.assert(&bench.store, other);
    }
    Ok(Successors::All(found))
}

/// "The term has none of these values."
fn none_of(bench: &mut Bench<'_>, term: Term, values: &[Value]) -> Term {
    let mut parts = Vec::new();
    for value in values {
        let value = bench.store.constant(value.clone());
        let equal = bench.store.eq(term, value);
        parts.push(bench.store.not(equal));
    }
    bench.store.and(parts)
}

/// The variable to give up, if there are too many successors: the one with the
/// most values.
fn overflow(found: &[(Values, Term)], tracked: &Tracked) -> Option<Id<Variable>> {
    if found.len() <= COMBINATIONS {
        return None;
    }
    let count = |variable: Id<Variable>| {
        let value = |values: &Values| values.iter().find(|(v, _)| *v == variable).cloned();
        let mut values: Vec<_> = found.iter().map(|(values, _)| value(values)).collect();
        values.sort_unstable();
        values.dedup();
        values.len()
    };
    tracked.values.iter().copied().max_by_key(|&v| (count(v), v))
}

/// The predicates that the tracked values leave open.
fn questions(
    bench: &mut Bench<'_>,
    local: &mut Local,
    next: &Place,
    tracked: &Tracked,
) -> Vec<Question> {
    let mut questions: Vec<Question> = Vec::new();
    for &predicate in &tracked.predicates {
        let after = bench.at(next, predicate);
        if bench.store.value(after).is_some() || questions.iter().any(|q| q.after == after) {
            continue;
        }
        let before = local.before(&mut bench.store, after);
        questions.push(Question { after, before });
    }
    questions
}

fn literal(bench: &mut Bench<'_>, term: Term, holds: bool) -> Term {
    if holds { term } else { bench.store.not(term) }
}

fn bits(bench: &Bench<'_>, questions: &[Question], model: &Model) -> Vec<bool> {
    let terms: Vec<Term> = questions.iter().map(|q| q.before).collect();
    model.eval_all(&bench.store, &terms).into_iter().map(|v| v == Value::Bool(true)).collect()
}

/// Each predicate on its own.
fn cartesian(
    bench: &mut Bench<'_>,
    questions: &[Question],
    symbols: &[Term],
    first: &Model,
) -> Result<Term, Halt> {
    let mut seen = vec![[false; 2]; questions.len()];
    let note = |seen: &mut Vec<[bool; 2]>, bits: Vec<bool>| {
        for (seen, bit) in seen.iter_mut().zip(bits) {
            seen[usize::from(bit)] = true;
        }
    };
    note(&mut seen, bits(bench, questions, first));
    let mut literals = Vec::new();
    for (i, question) in questions.iter().enumerate() {
        let [can_fail, can_hold] = seen[i];
        if can_fail && can_hold {
            continue;
        }
        let opposite = literal(bench, question.before, can_fail);
        let possible = match bench.store.value(opposite) {
            Some(value) => *value == Value::Bool(true),
            None => {
                bench.solver.push();
                bench.solver.assert(&bench.store, opposite);
                let model = ask(bench, symbols);
                bench.solver.pop();
                let model = model?;
                if let Some(model) = &model {
                    note(&mut seen, bits(bench, questions, model));
                }
                model.is_some()
            }
        };
        if !possible {
            literals.push(literal(bench, question.after, can_hold));
        }
    }
    Ok(bench.store.and(literals))
}

/// The strongest formula over the predicates.
fn boolean(
    bench: &mut Bench<'_>,
    questions: &[Question],
    symbols: &[Term],
    first: &Model,
) -> Result<Term, Halt> {
    let mut minterms: Vec<Vec<bool>> = Vec::new();
    let mut model = Some(first.clone());
    bench.solver.push();
    let complete = loop {
        let Some(current) = model else { break Ok(true) };
        if minterms.len() == MINTERMS {
            break Ok(false);
        }
        let bits = bits(bench, questions, &current);
        let mut here = Vec::new();
        for (question, &bit) in questions.iter().zip(&bits) {
            here.push(literal(bench, question.before, bit));
        }
        minterms.push(bits);
        let here = bench.store.and(here);
        if bench.store.is_true(here) {
            break Ok(true);
        }
        let other = bench.store.not(here);
        bench.solver.assert(&bench.store, other);
        model = match ask(bench, symbols) {
            Ok(model) => model,
            Err(halt) => break Err(halt),
        };
    };
    bench.solver.pop();
    if !complete? {
        return cartesian(bench, questions, symbols, first);
    }
    // What all minterms agree on is said once.
    let agreed: Vec<bool> =
        (0..questions.len()).map(|i| minterms.iter().all(|m| m[i] == minterms[0][i])).collect();
    let mut parts = Vec::new();
    for (i, question) in questions.iter().enumerate() {
        if agreed[i] {
            parts.push(literal(bench, question.after, minterms[0][i]));
        }
    }
    let mut choices = Vec::new();
    for minterm in &minterms {
        let mut literals = Vec::new();
        for (i, question) in questions.iter().enumerate() {
            if !agreed[i] {
                literals.push(literal(bench, question.after, minterm[i]));
            }
        }
        choices.push(bench.store.and(literals));
    }
    parts.push(bench.store.or(choices));
    Ok(bench.store.and(parts))
}
