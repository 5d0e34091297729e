//! Ascents: the least value of the template domain above a given one and the
//! models of any formula.
//!
//! This is symbolic abstraction as invariant generation needs it (Li, MSc
//! thesis, Toronto 2013, Section 6.2.2): the same block is abstracted again and
//! again, from larger and larger sets of states, and most of the result is
//! known before. So the solver keeps the block, the goals start where they are
//! known to be, and one question asks for a model beyond any of them. All goals
//! are maximized over the polyhedron around each model.
//!
//! The formula may be about anything that the solver knows: arrays, products,
//! bit-vectors. What is not linear has its value of the model in the polyhedron
//! around it. A second polyhedron leaves it free; how far goals reach there is
//! a guess, and the solver is asked whether it is right.
//!
//! An ascent that costs too much ends without a bound for the goals that were
//! still open. A bound that is handed out is one beyond which the solver found
//! no model.

use crate::alpha::{Abstract, Bounded, Limit};
use crate::climb::{above, implicant};
use crate::known::{Known, close_unchanged};
use crate::polyhedron::{Best, Polyhedron, symbol_of};
use crate::prepare::Plain;
use parallax_base::{Budget, Stop};
use parallax_domain::Domain;
use parallax_solver::{Answer, Model, Solver, SolverConfig, SolverError, SolverStats};
use parallax_term::{Int, Linear, Node, Rat, Relation, Sort, Term, TermStore};
use rustc_hash::FxHashSet;
use std::time::Duration;

/// How hard an ascent tries.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effort {
    /// A goal that rises too often has no bound.
    Quick,
    /// The bounds of integers are searched for.
    Exact,
}

/// A goal that rises more often than this is not followed.
const PATIENCE: u32 = 6;

/// How long the solver may think about one question.
const QUESTION: Duration = Duration::from_secs(3);

/// Parts that a polyhedron is split into at most. The solver finds the rest.
const PARTS: usize = 12;

/// Steps of the search for one bound.
const SEARCH: usize = 90;

/// A formula and the goals to be bounded over its models.
pub struct Ascent {
    store: TermStore,
    block: Term,
    goals: Vec<Term>,
    solver: Box<dyn Solver>,
    symbols: Vec<Term>,
    truths: Vec<Term>,
    /// Whether the solver did not answer during the last ascent.
    gave_up: bool,
}

impl Ascent {
    /// Gets ready for a formula and some goals, terms of a store.
    pub fn new(
        store: &TermStore,
        block: Term,
        goals: &[Term],
        solver: &SolverConfig,
    ) -> Result<Ascent, SolverError> {
        let Plain { store, formula: block, goals } = Plain::of(store.clone(), block, goals);
        let mut solver = solver.open()?;
        solver.assert(&store, block);
        let mut roots = goals.clone();
        roots.push(block);
        let mut symbols = store.subterms(&roots);
        symbols.retain(|&t| matches!(store.node(t), Node::Var(..)));
        let truths = store.truth_terms(&[block]);
        Ok(Ascent { store, block, goals, solver, symbols, truths, gave_up: false })
    }

    /// Whether the solver did not answer during the last ascent, so that goals
    /// were left without a bound.
    pub fn gave_up(&self) -> bool {
        self.gave_up
    }

    /// What the solver did.
    pub fn statistics(&self) -> SolverStats {
        self.solver.statistics()
    }

    /// The least value above `floor` and above all models of the formula that
    /// lie within `from`, a value over `templates`. Goals that are not wanted
    /// keep the bounds of the floor.
    pub fn above(
        &mut self,
        (from, templates): (&Abstract, &[Term]),
        floor: &Abstract,
        wanted: Option<&[bool]>,
        effort: Effort,
        budget: &Budget,
    ) -> Result<Abstract, Stop> {
        self.gave_up = false;
        if *from == Abstract::Bottom {
            return Ok(floor.clone());
        }
        let mut open = wanted.map_or_else(|| vec![true; self.goals.len()], <[bool]>::to_vec);
        close_unchanged(&self.goals, (from, templates), floor, &mut open);
        let from = Bounded(templates).gamma(&mut self.store, from);
        let limits = match floor {
            Abstract::Bottom => None,
            Abstract::Within(limits) => Some(limits.clone()),
        };
        let mut known = Known { limits, open, rises: vec![0; self.goals.len()] };
        let fixed_symbols = self.symbols.len();
        let in_from = self.store.vars(from);
        self.symbols
            .extend(in_from.into_iter().filter(|s| !self.symbols.contains(s)).collect::<Vec<_>>());
        self.solver.push();
        self.solver.assert(&self.store, from);
        let ended = self.climb(from, &mut known, effort, budget);
        self.solver.pop();
        self.symbols.truncate(fixed_symbols);
        ended?;
        Ok(known.limits.map_or(Abstract::Bottom, Abstract::Within))
    }

    fn climb(
        &mut self,
        from: Term,
        known: &mut Known,
        effort: Effort,
        budget: &Budget,
    ) -> Result<(), Stop> {
        let mut truths = self.truths.clone();
        truths.extend(self.store.truth_terms(&[from]));
        let formula = self.store.and([self.block, from]);
        truths.push(formula);
        loop {
            let question = match &known.limits {
                None => Vec::new(),
                Some(limits) => {
                    let open = (0..self.goals.len()).filter(|&g| known.open[g]);
                    let mut beyond = Vec::new();
                    for goal in open {
                        if let Some(Limit { value, strict }) = &limits[goal] {
                            beyond.push(above(&mut self.store, self.goals[goal], value, !strict));
                        }
                    }
                    if beyond.is_empty() {
                        return Ok(());
                    }
                    vec![self.store.or(beyond)]
                }
            };
            match self.ask(&question, budget)? {
                Some(Ok(model)) => self.rise(formula, &truths, &model, known, effort, budget)?,
                Some(Err(())) => {
                    self.gave_up = true;
                    known.give_up(self.goals.len());
                    return Ok(());
                }
                None => return Ok(()),
            }
        }
    }

    /// A model of what is asserted and more: `None` if there is none, an error
    /// if the solver does not say.
    fn ask(&mut self, more: &[Term], budget: &Budget) -> Result<Option<Result<Model, ()>>, Stop> {
        let answer = match self.solver.check(&self.store, more, &budget.within(QUESTION)) {
            Ok(answer) => answer,
            Err(stop) => {
                budget.check()?;
                if stop == Stop::Cancelled {
                    return Err(stop);
                }
                return Ok(Some(Err(())));
            }
        };
        Ok(match answer {
            Answer::Unsat => None,
            Answer::Unknown(_) => Some(Err(())),
            Answer::Sat => Some(self.solver.model(&self.store, &self.symbols).ok_or(())),
        })
    }

    /// Raises the goals to a model and to what lies around it.
    fn rise(
        &mut self,
        formula: Term,
        truths: &[Term],
        model: &Model,
        known: &mut Known,
        effort: Effort,
        budget: &Budget,
    ) -> Result<(), Stop> {
        let mut risen = vec![false; self.goals.len()];
        self.join(model, known, &mut risen);
        let literals = implicant(&mut self.store, formula, truths, model);
        let (fixed, is_linear) = self.fixed(&literals, model);
        let all = [&literals[..], &fixed].concat();
        self.maximize(&all, known, &mut risen, budget)?;
        if !is_linear {
            let mut guess = known.clone();
            let mut higher = vec![false; self.goals.len()];
            self.maximize(&literals, &mut guess, &mut higher, budget)?;
            for goal in (0..self.goals.len()).filter(|&g| higher[g]) {
                // The guess may be reached by a model of another goal.
                let Some(Limit { value, .. }) = guess.limit(goal) else { continue };
                if !known.is_below(goal, &value) {
                    continue;
                }
                let question = above(&mut self.store, self.goals[goal], &value, false);
                if let Some(Ok(model)) = self.ask(&[question], budget)? {
                    self.join(&model, known, &mut risen);
                }
            }
        }
        for goal in (0..self.goals.len()).filter(|&g| risen[g]) {
            known.rises[goal] += 1;
            if known.rises[goal] > PATIENCE && known.open[goal] {
                match effort {
                    Effort::Quick => known.forget(goal),
                    Effort::Exact => self.search(goal, known, budget)?,
                }
            }
        }
        Ok(())
    }

    /// Raises goals to their values in a model.
    fn join(&mut self, model: &Model, known: &mut Known, risen: &mut [bool]) {
        let is_first = known.limits.is_none();
        let values = model.eval_all(&self.store, &self.goals);
        let limits = known.limits.get_or_insert_with(|| vec![None; values.len()]);
        for (goal, value) in values.iter().enumerate() {
            let Some(value) = value.to_rat().filter(|_| known.open[goal]) else { continue };
            let is_higher = match &limits[goal] {
                None => is_first,
                Some(limit) => value > limit.value || value == limit.value && limit.strict,
            };
            if is_higher {
                limits[goal] = Some(Limit { value, strict: false });
                risen[goal] |= !is_first;
            }
        }
    }

    /// Raises goals as far as they reach in a polyhedron.
    fn maximize(
        &mut self,
        literals: &[Term],
        known: &mut Known,
        risen: &mut [bool],
        budget: &Budget,
    ) -> Result<(), Stop> {
        let mut polyhedron = Polyhedron::new(&self.store, literals);
        polyhedron.parts = PARTS;
        let Some(limits) = &mut known.limits else { return Ok(()) };
        for goal in 0..self.goals.len() {
            let Some(limit) = limits[goal].clone().filter(|_| known.open[goal]) else { continue };
            let Some(columns) = polyhedron.goal(&self.store, self.goals[goal]) else {
                // A symbol that nothing restricts.
                limits[goal] = None;
                continue;
            };
            let linear = self.store.linear(self.goals[goal]);
            let shift = linear.constant_part();
            let (value, strict) = match polyhedron.maximize(&columns, budget)? {
                Best::Nothing => continue,
                Best::Ray(_) => {
                    limits[goal] = None;
                    continue;
                }
                Best::Point(value, _) => (&value + shift, false),
                Best::Segment(value, ..) => (&value + shift, true),
            };
            if value > limit.value || value == limit.value && limit.strict && !strict {
                limits[goal] = Some(Limit { value, strict });
                risen[goal] = true;
            }
        }
        Ok(())
    }

    /// Equations for what is not linear, as in the model; and whether
    /// everything is.
    fn fixed(&mut self, literals: &[Term], model: &Model) -> (Vec<Term>, bool) {
        let mut terms = FxHashSet::default();
        let mut found = Vec::new();
        let mut fix = |term: Term, found: &mut Vec<Term>| {
            if terms.insert(term) {
                found.push(term);
            }
        };
        for &literal in literals {
            let (atom, _) = self.store.literal(literal);
            let odd: Vec<Term> = match self.store.node(atom) {
                Node::Var(..) => continue,
                Node::Compare(_, linear) => linear
                    .monomials()
                    .iter()
                    .map(|(t, _)| symbol_of(&self.store, *t))
                    .filter(|&t| !matches!(self.store.node(t), Node::Var(..)))
                    .collect(),
                _ => vec![atom],
            };
            for term in odd {
                if self.store.sort(term).is_number() {
                    fix(term, &mut found);
                }
                for symbol in self.store.vars(term) {
                    if self.store.sort(symbol).is_number() {
                        fix(symbol, &mut found);
                    }
                }
            }
        }
        let is_linear = found.is_empty();
        let equation = |term: Term| {
            let value = model.eval(&self.store, term).to_rat().unwrap_or(Rat::ZERO);
            let sort = self.store.sort(term);
            self.store.relate(Relation::Eq, Linear::term(term).shifted(&-&value), sort)
        };
        (found.into_iter().map(equation).collect(), is_linear)
    }

    /// Looks for the bound of an integer between powers of two.
    fn search(&mut self, goal: usize, known: &mut Known, budget: &Budget) -> Result<(), Stop> {
        let mut risen = vec![false; self.goals.len()];
        let mut step = Int::ONE;
        let mut top: Option<Int> = None;
        if self.store.sort(self.goals[goal]) != Sort::Int {
            known.forget(goal);
            return Ok(());
        }
        for _ in 0..SEARCH {
            let Some(limit) = known.limit(goal) else { return Ok(()) };
            let low = limit.value.floor();
            let next = match &top {
                None => &low + &step,
                Some(top) if *top <= &low + &Int::ONE => return Ok(()),
                Some(top) => (&low + top).div_floor(&Int::from(2)),
            };
            let value = Rat::from(next.clone());
            let question = above(&mut self.store, self.goals[goal], &value, false);
            match self.ask(&[question], budget)? {
                Some(Ok(model)) => self.join(&model, known, &mut risen),
                Some(Err(())) => break,
                None => top = Some(next),
            }
            step = &step * &Int::from(4);
        }
        known.forget(goal);
        Ok(())
    }
}

impl std::fmt::Debug for Ascent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Ascent").field("goals", &self.goals.len()).finish_non_exhaustive()
    }
}
