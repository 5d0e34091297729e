//! Where a step leads from an abstract state.
//!
//! First the values of the tracked variables after the step are listed, each
//! combination a successor of its own; a variable that holds none of its
//! constants is known to hold none of them. Then, for each, the predicates:
//! - implied: the predicates that are true of all successors (lecture 5);
//! - Cartesian: each predicate is implied, refuted or left open, on its own;
//! - Boolean: the strongest formula over the predicates, as the disjunction of
//!   all minterms that some successor satisfies (Graf, Saidi, CAV 1997).
//!
//! Both are read off solver models: a model shows which predicates can be true
//! and which can be false, so only what no model has shown is asked. What was
//! listed once for a state, a step and a precision is never asked again.

use super::Abstraction;
use super::bench::{Bench, Halt, Step};
use super::block::{Block, Query};
use super::place::{Place, Values};
use super::precision::Tracked;
use parallax_base::Id;
use parallax_ir::Variable;
use parallax_solver::Model;
use parallax_term::{Substitution, Term, Value};
use rustc_hash::FxHashMap;

/// More minterms than this are not listed; the Cartesian result stands.
const MINTERMS: usize = 128;

/// More combinations of values than this after one step are too many.
const COMBINATIONS: usize = 400;

/// Values and formula of each of some abstract states.
type States = Vec<(Values, Term)>;

/// What a step leads to.
#[derive(Clone, Debug)]
pub(crate) enum Successors {
    /// These states.
    All(States),
    /// A tracked variable has too many values.
    TooMany(Id<Variable>),
}

/// Abstract posts with a memory.
pub(crate) struct Post {
    /// Per variable: the values that are told apart.
    constants: Vec<Vec<Value>>,
    /// Blocks of places; `None` where the block of the location serves.
    blocks: FxHashMap<(Place, usize), Option<Block>>,
    /// What was listed: by place, state, transition and precision.
    known: FxHashMap<(Place, Term, usize, u64), States>,
}

/// A predicate after the step, and the same over the symbols of the block.
struct Question {
    after: Term,
    before: Term,
}

impl Post {
    pub(crate) fn new(constants: Vec<Vec<Value>>) -> Post {
        Post { constants, blocks: FxHashMap::default(), known: FxHashMap::default() }
    }

    /// Whether a variable has values that can be told apart.
    pub(crate) fn has_constants(&self, variable: Id<Variable>) -> bool {
        !self.constants[variable.index()].is_empty()
    }

    /// Questions put to the solvers of blocks.
    pub(crate) fn queries(&self) -> u64 {
        let mut total = 0;
        self.blocks.iter().for_each(|(_, block)| {
            total += block.as_ref().map_or(0, |b| b.statistics().queries);
        });
        total
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
        let (at, mut block) = self.block(bench, place, step.transition)?;
        let found = self.list(bench, kind, (place, state), step, tracked, &mut block);
        self.blocks.insert((at, step.transition), Some(block));
        let found = found?;
        if let Successors::All(all) = &found {
            self.known.insert(key, all.clone());
        }
        Ok(found)
    }

    /// Takes out the block that serves a place, and whose it is.
    fn block(
        &mut self,
        bench: &mut Bench<'_>,
        place: &Place,
        transition: usize,
    ) -> Result<(Place, Block), Halt> {
        let anywhere = Place { location: place.location.clone(), values: [].into() };
        for at in [place.clone(), anywhere.clone()] {
            let key = (at.clone(), transition);
            let block = match self.blocks.remove(&key) {
                Some(known) => known,
                None => Block::new(bench, &at, transition)?,
            };
            match block {
                Some(block) => return Ok((at, block)),
                None => {
                    self.blocks.insert(key, None);
                }
            }
        }
        Err(Halt::GaveUp(format!("no block at {anywhere:?}")))
    }

    fn list(
        &self,
        bench: &mut Bench<'_>,
        kind: Abstraction,
        (place, state): (&Place, Term),
        step: &Step,
        tracked: &Tracked,
        block: &mut Block,
    ) -> Result<Successors, Halt> {
        let values = bench.values_formula(place);
        let from = bench.store.and([state, values]);
        if bench.store.is_false(from) || block.is_impossible(&bench.store) {
            return Ok(Successors::All(Vec::new()));
        }
        let program = bench.program;
        let variables: Vec<Term> =
            tracked.values.iter().map(|&v| program.variables[v].term).collect();
        let wanted: Vec<Term> = variables.iter().chain(&tracked.predicates).copied().collect();
        block.introduce(&mut bench.store, &wanted);
        let mut before = block.before();
        let results: Vec<Term> =
            variables.iter().map(|&v| before.apply(&mut bench.store, v)).collect();
        let mut symbols = Vec::new();
        for &term in &wanted {
            let term = before.apply(&mut bench.store, term);
            symbols.extend(bench.store.vars(term));
        }
        symbols.sort_unstable();
        symbols.dedup();
        let listing = Listing { post: self, kind, step, tracked, variables, results, symbols };
        block.ask(bench, from, |query| listing.run(query, &mut before))
    }
}

/// A list of successors in the making.
struct Listing<'l> {
    post: &'l Post,
    kind: Abstraction,
    step: &'l Step,
    tracked: &'l Tracked,
    /// The tracked variables, and their values after the step.
    variables: Vec<Term>,
    results: Vec<Term>,
    /// What a model must have values for.
    symbols: Vec<Term>,
}

impl Listing<'_> {
    fn run(&self, query: &mut Query<'_>, before: &mut Substitution) -> Result<Successors, Halt> {
        let mut found = Vec::new();
        while let Some(model) = query.model(&self.symbols)? {
            query.budget.check()?;
            let (here, other, next) = self.values(query, &model);
            let questions = self.questions(query, before, &next);
            let is_last = query.store.is_true(here);
            query.solver.push();
            query.assert(here);
            let state = match self.kind {
                Abstraction::Implied | Abstraction::Cartesian => {
                    let also_refuted = self.kind == Abstraction::Cartesian;
                    cartesian(query, &questions, &self.symbols, &model, also_refuted)
                }
                Abstraction::Boolean => boolean(query, &questions, &self.symbols, &model),
            };
            query.solver.pop();
            let state = query.store.and([other, state?]);
            found.push((next.values, state));
            if is_last {
                break;
            }
            if let Some(variable) = self.overflow(&found) {
                return Ok(Successors::TooMany(variable));
            }
            let elsewhere = query.store.not(here);
            query.assert(elsewhere);
        }
        Ok(Successors::All(found))
    }

    /// The tracked values in a model: as a condition on the step, what is known
    /// of variables that hold none of their constants, and the place.
    fn values(&self, query: &mut Query<'_>, model: &Model) -> (Term, Term, Place) {
        let values = model.eval_all(query.store, &self.results);
        let (mut here, mut others, mut known) = (Vec::new(), Vec::new(), Vec::new());
        for (i, value) in values.into_iter().enumerate() {
            let variable = self.tracked.values[i];
            let told_apart = &self.post.constants[variable.index()];
            if told_apart.binary_search(&value).is_ok() {
                let constant = query.store.constant(value.clone());
                here.push(query.store.eq(self.results[i], constant));
                known.push((variable, value));
            } else {
                here.push(none_of(query, self.results[i], told_apart));
                others.push(none_of(query, self.variables[i], told_apart));
            }
        }
        let location = self.step.target.clone();
        let place = Place { location, values: known.into() };
        (query.store.and(here), query.store.and(others), place)
    }

    /// The predicates that the tracked values leave open.
    fn questions(
        &self,
        query: &mut Query<'_>,
        before: &mut Substitution,
        next: &Place,
    ) -> Vec<Question> {
        let mut pairs = Vec::new();
        for (&variable, &id) in self.variables.iter().zip(&self.tracked.values) {
            if let Some(value) = next.value(id) {
                pairs.push((variable, query.store.constant(value.clone())));
            }
        }
        let mut known = Substitution::new(pairs);
        let mut questions: Vec<Question> = Vec::new();
        for &predicate in &self.tracked.predicates {
            let after = known.apply(query.store, predicate);
            if query.store.value(after).is_some() || questions.iter().any(|q| q.after == after) {
                continue;
            }
            let before = before.apply(query.store, after);
            questions.push(Question { after, before });
        }
        questions
    }

    /// The variable to give up, if there are too many successors: the one with
    /// the most values.
    fn overflow(&self, found: &[(Values, Term)]) -> Option<Id<Variable>> {
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
        self.tracked.values.iter().copied().max_by_key(|&v| (count(v), v))
    }
}

/// "The term has none of these values."
fn none_of(query: &mut Query<'_>, term: Term, values: &[Value]) -> Term {
    let mut parts = Vec::new();
    for value in values {
        let value = query.store.constant(value.clone());
        let equal = query.store.eq(term, value);
        parts.push(query.store.not(equal));
    }
    query.store.and(parts)
}

fn literal(query: &mut Query<'_>, term: Term, holds: bool) -> Term {
    if holds { term } else { query.store.not(term) }
}

fn bits(query: &Query<'_>, questions: &[Question], model: &Model) -> Vec<bool> {
    let terms: Vec<Term> = questions.iter().map(|q| q.before).collect();
    model.eval_all(query.store, &terms).into_iter().map(|v| v == Value::Bool(true)).collect()
}

/// Each predicate on its own: those that are implied, and those that are
/// refuted if that is wanted.
fn cartesian(
    query: &mut Query<'_>,
    questions: &[Question],
    symbols: &[Term],
    first: &Model,
    also_refuted: bool,
) -> Result<Term, Halt> {
    let mut seen = vec![[false; 2]; questions.len()];
    let note = |seen: &mut Vec<[bool; 2]>, bits: Vec<bool>| {
        for (seen, bit) in seen.iter_mut().zip(bits) {
            seen[usize::from(bit)] = true;
        }
    };
    note(&mut seen, bits(query, questions, first));
    let mut literals = Vec::new();
    for (i, question) in questions.iter().enumerate() {
        let [can_fail, can_hold] = seen[i];
        if can_fail && (can_hold || !also_refuted) {
            continue;
        }
        let opposite = literal(query, question.before, can_fail);
        let possible = match query.store.value(opposite) {
            Some(value) => *value == Value::Bool(true),
            None => {
                query.solver.push();
                query.assert(opposite);
                let model = query.model(symbols);
                query.solver.pop();
                let model = model?;
                if let Some(model) = &model {
                    note(&mut seen, bits(query, questions, model));
                }
                model.is_some()
            }
        };
        if !possible {
            literals.push(literal(query, question.after, can_hold));
        }
    }
    Ok(query.store.and(literals))
}

/// The strongest formula over the predicates.
fn boolean(
    query: &mut Query<'_>,
    questions: &[Question],
    symbols: &[Term],
    first: &Model,
) -> Result<Term, Halt> {
    let mut minterms: Vec<Vec<bool>> = Vec::new();
    let mut model = Some(first.clone());
    query.solver.push();
    let complete = loop {
        let Some(current) = model else { break Ok(true) };
        if minterms.len() == MINTERMS {
            break Ok(false);
        }
        let bits = bits(query, questions, &current);
        let mut here = Vec::new();
        for (question, &bit) in questions.iter().zip(&bits) {
            here.push(literal(query, question.before, bit));
        }
        minterms.push(bits);
        let here = query.store.and(here);
        if query.store.is_true(here) {
            break Ok(true);
        }
        let other = query.store.not(here);
        query.assert(other);
        model = match query.model(symbols) {
            Ok(model) => model,
            Err(halt) => break Err(halt),
        };
    };
    query.solver.pop();
    if !complete? {
        return cartesian(query, questions, symbols, first, true);
    }
    // What all minterms agree on is said once.
    let agreed: Vec<bool> =
        (0..questions.len()).map(|i| minterms.iter().all(|m| m[i] == minterms[0][i])).collect();
    let mut parts = Vec::new();
    for (i, question) in questions.iter().enumerate() {
        if agreed[i] {
            parts.push(literal(query, question.after, minterms[0][i]));
        }
    }
    let mut choices = Vec::new();
    for minterm in &minterms {
        let mut literals = Vec::new();
        for (i, question) in questions.iter().enumerate() {
            if !agreed[i] {
                literals.push(literal(query, question.after, minterm[i]));
            }
        }
        choices.push(query.store.and(literals));
    }
    parts.push(query.store.or(choices));
    Ok(query.store.and(parts))
}
