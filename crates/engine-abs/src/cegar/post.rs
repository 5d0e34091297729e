//! Where a step leads from an abstract state.
//!
//! First the values of the tracked variables after the step are listed, each
//! combination a successor of its own; a variable that holds none of its
//! constants is known to hold none of them. Then, for each, what is known of the
//! predicates ([`Query::truths`]). What was listed once for a state, a step and
//! a precision is never asked again.

use super::Abstraction;
use super::bench::{Bench, Step};
use super::block::Block;
use super::place::{Place, Values};
use super::precision::Tracked;
use parallax_base::Id;
use parallax_domain::Query;
use parallax_ir::Variable;
use parallax_solver::{Halt, Model};
use parallax_term::{Substitution, Term, Value};
use rustc_hash::FxHashMap;

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
            let (after, before): (Vec<Term>, Vec<Term>) = questions.into_iter().unzip();
            let truths = query.truths(self.kind, &before, &self.symbols, &model);
            query.solver.pop();
            let state = truths?.formula(query.store, &after);
            let state = query.store.and([other, state]);
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

    /// The predicates that the tracked values leave open: after the step, and
    /// over the symbols of the block.
    fn questions(
        &self,
        query: &mut Query<'_>,
        before: &mut Substitution,
        next: &Place,
    ) -> Vec<(Term, Term)> {
        let mut pairs = Vec::new();
        for (&variable, &id) in self.variables.iter().zip(&self.tracked.values) {
            if let Some(value) = next.value(id) {
                pairs.push((variable, query.store.constant(value.clone())));
            }
        }
        let mut known = Substitution::new(pairs);
        let mut questions: Vec<(Term, Term)> = Vec::new();
        for &predicate in &self.tracked.predicates {
            let after = known.apply(query.store, predicate);
            if query.store.value(after).is_some() || questions.iter().any(|q| q.0 == after) {
                continue;
            }
            let before = before.apply(query.store, after);
            questions.push((after, before));
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
