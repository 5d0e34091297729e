//! `symba`: the published algorithm.
//!
//! Y. Li, *Symbolic Abstraction with SMT Solvers*, MSc thesis, Toronto 2013,
//! Figures 5.1 to 5.3, with push lists, forced pushes, integer rounding,
//! constraint reduction and the priority of push lists.
//!
//! Deviations, each because the figures do not say what the text means:
//! - Figure 5.2, line 13, sets `O[t]` to infinity; the rule UNBOUNDED sets
//!   `U[t]`, and so do we.
//! - JOIN of a call that returned no model does nothing.
//! - The count of calls is compared with the limit inside of a push list, too,
//!   so that a limit of 1 forces a push after every call.
//! - A class remembers the model it came from: the ray of UNBOUNDED goes from
//!   the new model away from that one. It is walked before it is believed; over
//!   the integers the theorem behind the rule does not hold.
//! - Over the reals the rules work on the closure of the formula. What they
//!   find there bounds the formula; what is left open then is climbed to.

use crate::End;
use crate::climb::{Climber, above};
use crate::config::{Applied, Config, Event, Observer, Silent};
use crate::parts::in_parts;
use crate::planes::{Plane, close, related, value};
use crate::prepare::Plain;
use crate::state::{Reached, State};
use crate::walk::stays;
use parallax_base::Budget;
use parallax_evidence::Point;
use parallax_ir::TemplateProblem;
use parallax_solver::{Model, SolverConfig};
use parallax_term::{Linear, Rat, Sort, Term, Value};

pub(crate) fn run(
    state: &mut State<'_>,
    config: &Config,
    solver: &SolverConfig,
    budget: &Budget,
) -> Result<(), End> {
    let mut plain = Plain::new(state);
    let original = plain.formula;
    let lifted = plain.store.lift(plain.formula);
    let closed = close(&mut plain.store, lifted);
    plain.store.freeze();
    let is_wider = closed.is_wider && closed.formula != original;
    let problem = state.problem;
    let widened = TemplateProblem { formula: closed.formula, ..problem.clone() };
    // A point of the closure need not be a model: what is reached there is no news.
    let watch = state.observer;
    let observer: &dyn Observer = if is_wider { &Silent } else { state.observer };
    let search = |own: &mut State<'_>, part: &[usize]| {
        let plain = Plain {
            store: plain.store.clone(),
            formula: closed.formula,
            goals: plain.goals.clone(),
        };
        let mut symba = Symba::new(plain, &closed.planes, part, config, solver)?;
        symba.watch = watch;
        symba.tell(own, "INIT", None, None, None);
        symba.main(own, budget)
    };
    let is_real = |state: &State<'_>, goal: usize, reached: &Reached| {
        !is_wider || is_reached(state, goal, reached)
    };
    let ended = in_parts(state, config.jobs, &widened, observer, is_real, search);
    if is_wider {
        (0..state.goals.len()).for_each(|goal| state.announce(goal));
    }
    ended?;
    if state.is_empty || state.open().is_empty() {
        return Ok(());
    }
    let plain = Plain { formula: original, ..plain };
    let open = state.open();
    Climber::new(plain, solver)?.close(state, &open, budget)
}

/// Whether a point of the closure is a model of the formula itself, and the
/// template has the value there: one that asks for strict inequalities has
/// others in the closure.
fn is_reached(state: &State<'_>, goal: usize, reached: &Reached) -> bool {
    let problem = state.problem;
    let Reached::Value(value, point) = reached else { return false };
    let symbols = problem.symbols.iter().copied();
    let model: Model = symbols.zip(state.points[*point].iter().cloned()).collect();
    let goal = &state.goals[goal];
    let term = problem.templates[goal.template].term;
    model.satisfies(&problem.store, problem.formula)
        && model.eval(&problem.store, term).to_rat() == Some(goal.signed(value))
}

/// An equivalence class of models: the hyperplanes they lie on.
#[derive(Clone, Debug)]
struct Class {
    planes: Vec<u32>,
    /// A model in it.
    model: Model,
    /// Its number.
    number: usize,
}

impl Class {
    /// Whether all hyperplanes are among those of the other.
    fn is_weaker(&self, other: &Class) -> bool {
        self.planes.iter().all(|p| other.planes.binary_search(p).is_ok())
    }
}

struct Symba<'a> {
    climber: Climber,
    planes: &'a [Plane],
    goals: Vec<usize>,
    linear: Vec<Linear>,
    /// The hyperplanes that each goal sees.
    seen: Vec<Vec<u32>>,
    /// Push lists.
    lists: Vec<Vec<Class>>,
    queued: Vec<bool>,
    /// How much each goal grew last.
    growth: Vec<Rat>,
    /// How many models there are.
    models: usize,
    /// Who is told about rules.
    watch: &'a dyn Observer,
    config: &'a Config,
}

impl<'a> Symba<'a> {
    fn new(
        plain: Plain,
        planes: &'a [Plane],
        goals: &[usize],
        config: &'a Config,
        solver: &SolverConfig,
    ) -> Result<Symba<'a>, End> {
        let seen = match config.reduction {
            true => related(&plain.store, planes, &plain.goals),
            false => vec![(0..planes.len() as u32).collect(); plain.goals.len()],
        };
        let linear: Vec<Linear> = plain.goals.iter().map(|&g| plain.store.linear(g)).collect();
        let count = plain.goals.len();
        Ok(Symba {
            climber: Climber::new(plain, solver)?,
            planes,
            goals: goals.to_vec(),
            linear,
            seen,
            lists: vec![Vec::new(); count],
            queued: vec![false; count],
            growth: vec![Rat::ZERO; count],
            models: 0,
            watch: &Silent,
            config,
        })
    }

    fn open(&self, state: &State<'_>) -> Vec<usize> {
        self.goals.iter().copied().filter(|&g| !state.goals[g].is_closed()).collect()
    }

    /// SYMBAMAIN.
    fn main(&mut self, state: &mut State<'_>, budget: &Budget) -> Result<(), End> {
        while let Some(model) = self.global_push(state, budget)? {
            self.join(state, &model);
            self.tell(state, "GLOBALPUSH", None, None, Some(&model));
            let mut calls = 0;
            let may_call = |calls: u64| self.config.force_push.is_none_or(|most| calls < most);
            while may_call(calls) {
                let Some(goal) = self.pop_list(state) else { break };
                while let Some(class) = self.lists[goal].pop() {
                    if state.goals[goal].is_closed() {
                        break;
                    }
                    calls += 1;
                    if let Some(model) = self.unbounded(state, goal, &class, budget)? {
                        self.join(state, &model);
                        let rule = match &state.goals[goal].reached {
                            Some(Reached::Unbounded(..)) => "UNBOUNDED",
                            _ => "UNBOUNDED-FAIL",
                        };
                        self.tell(state, rule, Some(goal), Some(class.number), Some(&model));
                        self.round(state, goal, budget)?;
                    }
                    if !may_call(calls) {
                        self.queued[goal] = !self.lists[goal].is_empty();
                        break;
                    }
                }
            }
        }
        Ok(())
    }

    /// GLOBALPUSH: a model beyond what was reached. Without one, all that was
    /// reached is final.
    fn global_push(
        &mut self,
        state: &mut State<'_>,
        budget: &Budget,
    ) -> Result<Option<Model>, End> {
        let open = self.open(state);
        if open.is_empty() {
            return Ok(None);
        }
        state.statistics.global_pushes += 1;
        let beyond: Option<Vec<Term>> =
            open.iter().map(|&g| self.climber.beyond(state, g)).collect();
        let question = beyond.map(|parts| self.climber.store.or(parts));
        let model = self.climber.ask(state, question.as_slice(), budget)?;
        if model.is_none() {
            for goal in open {
                state.settle(goal);
                if !state.is_empty {
                    self.tell(state, "BOUNDED", Some(goal), None, None);
                }
            }
        }
        Ok(model)
    }

    /// JOIN: takes a model in and notes the classes it extends.
    fn join(&mut self, state: &mut State<'_>, model: &Model) {
        self.models += 1;
        let point: Point =
            state.problem.symbols.iter().map(|&s| model.value_of(&self.climber.store, s)).collect();
        let mut index = None;
        let mut on: Option<Vec<bool>> = None;
        for goal in self.open(state) {
            let reached = value(&self.climber.store, &self.linear[goal], model);
            let before = match &state.goals[goal].reached {
                Some(Reached::Value(before, _)) if reached <= *before => continue,
                Some(Reached::Value(before, _)) => Some(before.clone()),
                _ => None,
            };
            self.growth[goal] = before.map_or(Rat::ONE, |before| &reached - &before);
            let at = *index.get_or_insert_with(|| state.keep(point.clone()));
            state.reach(goal, Reached::Value(reached, at));
            let (store, planes) = (&self.climber.store, self.planes);
            let on =
                on.get_or_insert_with(|| planes.iter().map(|p| p.holds(store, model)).collect());
            let planes = self.seen[goal].iter().copied().filter(|&p| on[p as usize]).collect();
            self.add(goal, Class { planes, model: model.clone(), number: self.models });
        }
    }

    /// Tells about a rule that was applied.
    fn tell(
        &self,
        state: &State<'_>,
        rule: &'static str,
        goal: Option<usize>,
        from: Option<usize>,
        point: Option<&Model>,
    ) {
        let under = state.goals.iter().map(|goal| match &goal.reached {
            None => None,
            Some(Reached::Unbounded(..)) => Some(None),
            Some(Reached::Value(value, _) | Reached::Approached(value, ..)) => {
                Some(Some(goal.signed(value)))
            }
        });
        let over = state.goals.iter().map(|g| g.limit.as_ref().map(|limit| g.signed(limit)));
        let symbols = state.problem.symbols.iter();
        let values =
            |model: &Model| symbols.map(|&s| (s, model.value_of(&self.climber.store, s))).collect();
        self.watch.notice(&Event::Rule(Box::new(Applied {
            rule,
            from,
            goal: goal.map(|goal| (state.goals[goal].template, state.goals[goal].side)),
            point: point.map(values),
            models: self.models,
            under: under.collect(),
            over: over.collect(),
        })));
    }

    /// PUSHLISTADD: a class replaces all weaker ones.
    fn add(&mut self, goal: usize, class: Class) {
        self.lists[goal].retain(|old| !old.is_weaker(&class));
        self.lists[goal].push(class);
        self.queued[goal] = true;
    }

    /// The push list with the highest priority.
    fn pop_list(&mut self, state: &State<'_>) -> Option<usize> {
        let (a, b) = self.config.priority;
        let waiting = self.open(state).into_iter().filter(|&g| self.queued[g]);
        let priority = |g: usize| {
            let length = Rat::from(self.lists[g].len() as i64);
            &(&Rat::from(a) * &self.growth[g]) + &(&Rat::from(b) * &length)
        };
        let best = waiting.max_by(|&g, &h| priority(g).cmp(&priority(h)).then(h.cmp(&g)))?;
        self.queued[best] = false;
        Some(best)
    }

    /// UNBOUNDEDIMPL: whether a goal grows for ever along a class. A model if
    /// it runs into another hyperplane.
    fn unbounded(
        &mut self,
        state: &mut State<'_>,
        goal: usize,
        class: &Class,
        budget: &Budget,
    ) -> Result<Option<Model>, End> {
        state.statistics.unbounded_calls += 1;
        let Some(further) = self.climber.beyond(state, goal) else { return Ok(None) };
        if self.climber.ask(state, &[further], budget)?.is_none() {
            state.settle(goal);
            self.tell(state, "BOUNDED", Some(goal), None, None);
            return Ok(None);
        }
        let on: Vec<Term> =
            class.planes.iter().map(|&p| self.planes[p as usize].equation).collect();
        let on = self.climber.store.and(on);
        let Some(second) = self.climber.ask(state, &[further, on], budget)? else {
            // REMOVESTRONGER: no class within this one gets further.
            self.lists[goal].retain(|other| !class.is_weaker(other));
            return Ok(None);
        };
        let others: Vec<Term> = self.seen[goal]
            .iter()
            .filter(|p| class.planes.binary_search(p).is_err())
            .map(|&p| self.planes[p as usize].equation)
            .collect();
        let others = self.climber.store.or(others);
        if let Some(third) = self.climber.ask(state, &[further, on, others], budget)? {
            return Ok(Some(third));
        }
        self.declare_unbounded(state, goal, class, &second);
        Ok(Some(second))
    }

    /// UNBOUNDED: from the new model away from that of the class.
    fn declare_unbounded(
        &mut self,
        state: &mut State<'_>,
        goal: usize,
        class: &Class,
        second: &Model,
    ) {
        let store = &self.climber.store;
        let mut moves: Vec<Term> = self.linear[goal]
            .monomials()
            .iter()
            .map(|(t, _)| crate::polyhedron::symbol_of(store, *t))
            .collect();
        for &plane in &self.seen[goal] {
            moves.extend(self.planes[plane as usize].symbols(store));
        }
        moves.sort_unstable();
        let number = |model: &Model, s: Term| model.get(s).and_then(Value::to_rat);
        let step = |symbol: Term| -> Rat {
            let ends = (number(second, symbol), number(&class.model, symbol));
            match ends {
                (Some(to), Some(from)) if moves.binary_search(&symbol).is_ok() => &to - &from,
                _ => Rat::ZERO,
            }
        };
        if !stays(store, self.climber.formula, second, &step) {
            return;
        }
        let problem = state.problem;
        let at = |sort: Sort, symbol: Term| match sort {
            Sort::Bool => Value::Bool(false),
            _ => Value::number(step(symbol), sort).unwrap_or(Value::default_of(sort)),
        };
        let ray: Point = problem.symbols.iter().map(|&s| at(problem.store.sort(s), s)).collect();
        let from: Point = problem.symbols.iter().map(|&s| second.value_of(store, s)).collect();
        let from = state.keep(from);
        let ray = state.keep(ray);
        state.reach(goal, Reached::Unbounded(from, ray));
    }

    /// IR: rounds what a goal reached up to an integer, if there is a model.
    fn round(&mut self, state: &mut State<'_>, goal: usize, budget: &Budget) -> Result<(), End> {
        let Some(Reached::Value(value, _)) = state.goals[goal].reached.clone() else {
            return Ok(());
        };
        if !self.config.rounding || value.to_int().is_some() {
            return Ok(());
        }
        let up = Rat::from(&value.floor() + &parallax_term::Int::ONE);
        let store = &mut self.climber.store;
        let least = above(store, self.climber.goals[goal], &up, false);
        let more = above(store, self.climber.goals[goal], &up, true);
        let most = store.not(more);
        if let Some(model) = self.climber.ask(state, &[least, most], budget)? {
            self.join(state, &model);
            self.tell(state, "IR", Some(goal), None, Some(&model));
        }
        Ok(())
    }
}
