//! Climbing with any solver: models, implicants, polyhedra.
//!
//! The same idea as `auto` over the reals, for formulas that need another
//! solver, and the way by which other engines find the points behind their
//! bounds. A model has an implicant, a conjunction of literals that implies
//! the formula; all goals are maximized over its polyhedron; then the solver
//! is asked for a model beyond.

use crate::parts::in_parts;
use crate::planes::value;
use crate::polyhedron::{Best, Polyhedron, symbol_of};
use crate::prepare::Plain;
use crate::state::{Reached, State};
use crate::{End, Open};
use parallax_base::{Budget, Stop};
use parallax_evidence::Point;
use parallax_solver::{Answer, Model, Solver, SolverConfig};
use parallax_term::{Node, Rat, Relation, Sort, Term, TermStore, Value};
use rustc_hash::FxHashMap;

/// Closes all goals, with several solvers if there are several jobs.
pub(crate) fn run(
    state: &mut State<'_>,
    plain: Plain,
    jobs: usize,
    solver: &SolverConfig,
    budget: &Budget,
) -> Result<(), End> {
    if jobs <= 1 {
        let all: Vec<usize> = (0..state.goals.len()).collect();
        return Climber::new(plain, solver)?.close(state, &all, budget);
    }
    let Plain { mut store, formula, goals } = plain;
    store.freeze();
    let search = |own: &mut State<'_>, part: &[usize]| {
        let plain = Plain { store: store.clone(), formula, goals: goals.clone() };
        Climber::new(plain, solver)?.close(own, part, budget)
    };
    let (problem, observer) = (state.problem, state.observer);
    in_parts(state, jobs, problem, observer, |_, _, _| true, search)
}

/// A solver with the formula asserted.
pub(crate) struct Climber {
    pub(crate) store: TermStore,
    pub(crate) formula: Term,
    pub(crate) goals: Vec<Term>,
    pub(crate) solver: Box<dyn Solver>,
    symbols: Vec<Term>,
    truths: Vec<Term>,
}

impl Climber {
    pub(crate) fn new(plain: Plain, solver: &SolverConfig) -> Result<Climber, End> {
        let mut solver = solver.open()?;
        let Plain { store, formula, goals } = plain;
        solver.assert(&store, formula);
        let mut roots = goals.clone();
        roots.push(formula);
        let mut symbols = store.subterms(&roots);
        symbols.retain(|&t| matches!(store.node(t), Node::Var(..)));
        let truths = store.truth_terms(&[formula]);
        Ok(Climber { store, formula, goals, solver, symbols, truths })
    }

    /// A model of the formula and more; `None` if there is none.
    pub(crate) fn ask(
        &mut self,
        state: &mut State<'_>,
        more: &[Term],
        budget: &Budget,
    ) -> Result<Option<Model>, End> {
        state.statistics.queries += 1;
        match self.solver.check(&self.store, more, budget)? {
            Answer::Unsat => Ok(None),
            Answer::Unknown(reason) => Err(End::Open(Open::GaveUp(reason))),
            Answer::Sat => {
                state.statistics.models += 1;
                let model = self.solver.model(&self.store, &self.symbols);
                let missing = || End::Open(Open::GaveUp("the solver has no model".into()));
                model.map(Some).ok_or_else(missing)
            }
        }
    }

    /// Closes some goals, one after the other.
    pub(crate) fn close(
        &mut self,
        state: &mut State<'_>,
        goals: &[usize],
        budget: &Budget,
    ) -> Result<(), End> {
        for &goal in goals {
            loop {
                if state.goals[goal].is_closed() || state.is_empty {
                    break;
                }
                let question = self.beyond(state, goal);
                match self.ask(state, question.as_slice(), budget)? {
                    Some(model) => self.explore(state, &model, budget)?,
                    None => state.settle(goal),
                }
            }
        }
        Ok(())
    }

    /// "The goal gets further than it was seen to"; nothing if it was not
    /// seen at all.
    pub(crate) fn beyond(&mut self, state: &State<'_>, goal: usize) -> Option<Term> {
        let (value, strict) = match state.goals[goal].reached.as_ref()? {
            Reached::Value(value, _) => (value, true),
            Reached::Approached(value, ..) => (value, false),
            Reached::Unbounded(..) => return Some(self.store.bool(false)),
        };
        Some(above(&mut self.store, self.goals[goal], value, strict))
    }

    /// The literals of the formula that a model needs.
    pub(crate) fn implicant(&mut self, model: &Model) -> Vec<Term> {
        implicant(&mut self.store, self.formula, &self.truths, model)
    }

    /// Maximizes all open goals in the polyhedron around a model.
    pub(crate) fn explore(
        &mut self,
        state: &mut State<'_>,
        model: &Model,
        budget: &Budget,
    ) -> Result<(), Stop> {
        let literals = self.implicant(model);
        self.explore_within(state, model, &literals, budget)
    }

    /// The same for given literals, which the model satisfies.
    pub(crate) fn explore_within(
        &mut self,
        state: &mut State<'_>,
        model: &Model,
        literals: &[Term],
        budget: &Budget,
    ) -> Result<(), Stop> {
        let own = self.join(state, model);
        let mut polyhedron = Polyhedron::new(&self.store, literals);
        for goal in state.open() {
            let term = self.goals[goal];
            let Some(columns) = polyhedron.goal(&self.store, term) else {
                self.loose(state, goal, &polyhedron, own);
                continue;
            };
            let constant = self.store.linear(term).constant_part().clone();
            let best = polyhedron.maximize(&columns, budget)?;
            let place = |values: &[Rat]| self.place(state, &polyhedron, model, values);
            let reached = match best {
                Best::Nothing => continue,
                Best::Ray(steps) => {
                    let ray = self.direction(state, &polyhedron, &steps);
                    Reached::Unbounded(own, state.keep(ray))
                }
                Best::Point(value, values) => {
                    let value = &value + &constant;
                    if !is_further(state, goal, &value, true) {
                        continue;
                    }
                    let point = place(&values);
                    Reached::Value(value, state.keep(point))
                }
                Best::Segment(value, from, to) => {
                    let value = &value + &constant;
                    if !is_further(state, goal, &value, false) {
                        continue;
                    }
                    let (from, to) = (place(&from), place(&to));
                    let from = state.keep(from);
                    Reached::Approached(value, from, state.keep(to))
                }
            };
            state.reach(goal, reached);
        }
        Ok(())
    }

    /// Takes the values of all goals at a model; the index of its point.
    pub(crate) fn join(&mut self, state: &mut State<'_>, model: &Model) -> usize {
        let symbols = state.problem.symbols.iter();
        let point: Point = symbols.map(|&s| model.value_of(&self.store, s)).collect();
        let own = state.keep(point);
        for goal in state.open() {
            let value = model.eval(&self.store, self.goals[goal]).to_rat().unwrap_or(Rat::ZERO);
            if is_further(state, goal, &value, true) {
                state.reach(goal, Reached::Value(value, own));
            }
        }
        own
    }

    /// A goal with a symbol that the polyhedron does not restrict grows with
    /// that symbol, for ever. All fresh symbols are restricted by what defines
    /// them.
    fn loose(&self, state: &mut State<'_>, goal: usize, polyhedron: &Polyhedron, from: usize) {
        let problem = state.problem;
        let still = |&s: &Term| Value::default_of(problem.store.sort(s));
        let mut steps: Point = problem.symbols.iter().map(still).collect();
        for (term, factor) in self.store.linear(self.goals[goal]).monomials() {
            let symbol = symbol_of(&self.store, *term);
            let Ok(at) = problem.symbols.binary_search(&symbol) else { continue };
            let step = Rat::from(i64::from(factor.signum()));
            if polyhedron.position(symbol).is_none()
                && let Some(step) = Value::number(step, problem.store.sort(symbol))
            {
                steps[at] = step;
                let ray = state.keep(steps);
                state.reach(goal, Reached::Unbounded(from, ray));
                return;
            }
        }
    }

    /// A point of the problem from one of a polyhedron; other symbols as in
    /// the model.
    fn place(
        &self,
        state: &State<'_>,
        polyhedron: &Polyhedron,
        model: &Model,
        values: &[Rat],
    ) -> Point {
        let value = |&symbol: &Term| {
            let sort = state.problem.store.sort(symbol);
            polyhedron
                .position(symbol)
                .and_then(|at| Value::number(values[at].clone(), sort))
                .unwrap_or_else(|| model.value_of(&self.store, symbol))
        };
        state.problem.symbols.iter().map(value).collect()
    }

    /// A direction of the problem from one of a polyhedron.
    fn direction(&self, state: &State<'_>, polyhedron: &Polyhedron, steps: &[Rat]) -> Point {
        let step = |&symbol: &Term| {
            let sort = state.problem.store.sort(symbol);
            let still = || Value::default_of(sort);
            let at = polyhedron.position(symbol).filter(|_| sort != Sort::Bool);
            at.and_then(|at| Value::number(steps[at].clone(), sort)).unwrap_or_else(still)
        };
        state.problem.symbols.iter().map(step).collect()
    }
}

/// The literals of a formula that a model needs. What differs is less or greater
/// there, as in the model. `truths` are the truth values below the formula.
pub(crate) fn implicant(
    store: &mut TermStore,
    formula: Term,
    truths: &[Term],
    model: &Model,
) -> Vec<Term> {
    let values = model.eval_all(store, truths);
    let truth: FxHashMap<Term, bool> = truths
        .iter()
        .zip(&values)
        .map(|(&term, value)| (term, *value == Value::Bool(true)))
        .collect();
    let of = |term: Term| truth.get(&term).copied().unwrap_or(false);
    let mut literals = store.implicant(formula, &[], of).literals;
    for literal in &mut literals {
        let (atom, is_positive) = store.literal(*literal);
        if let (Node::Compare(Relation::Eq, linear), false) =
            (store.node(atom).clone(), is_positive)
        {
            let sort = store.sort(linear.monomials()[0].0);
            let is_below = value(store, &linear, model).signum() < 0;
            let less = if is_below { linear } else { linear.scaled(&Rat::from(-1)) };
            *literal = store.relate(Relation::Lt, less, sort);
        }
    }
    literals
}

/// Whether a value of a goal is more than was known.
fn is_further(state: &State<'_>, goal: usize, value: &Rat, attained: bool) -> bool {
    match &state.goals[goal].reached {
        None => true,
        Some(Reached::Value(known, _)) => value > known,
        Some(Reached::Approached(known, ..)) => value > known || value == known && attained,
        Some(Reached::Unbounded(..)) => false,
    }
}

/// `goal > value`, or `goal >= value` if not strict.
pub(crate) fn above(store: &mut TermStore, goal: Term, value: &Rat, strict: bool) -> Term {
    if store.sort(goal) == Sort::Int {
        // Above a fraction means at least the next integer.
        let floor = value.floor();
        let is_met = !strict && Rat::from(floor.clone()) == *value;
        let floor = store.int(floor);
        return if is_met { store.ge(goal, floor) } else { store.gt(goal, floor) };
    }
    let value = store.real(value.clone());
    if strict { store.gt(goal, value) } else { store.ge(goal, value) }
}
