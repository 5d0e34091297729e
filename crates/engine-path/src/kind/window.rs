//! States from which no target is reached in so many steps.

use parallax_base::Budget;
use parallax_engine::{Question, Resources};
use parallax_evidence::{Certificate, ClosedSet, Region};
use parallax_invariant::{Control, Family, Forms, Options, invariants};
use parallax_ir::Program;
use parallax_solver::Halt;
use parallax_solver::{Answer, Solver};
use parallax_term::{Substitution, Term, TermStore, Value};
use std::collections::BTreeMap;
use std::time::Duration;

/// Programs with more places are not looked at.
const PLACES: usize = 2_000;

/// Formulas of more nodes, all together, are not looked at.
const SIZE: usize = 20_000;

/// The share of the time that facts may take, at most.
const FACTS: u32 = 4;

/// What is known at a depth.
pub(super) enum Said {
    /// The states are closed under all steps, and hold the initial ones.
    Closed,
    /// A run leads from an initial state to a target.
    Reached,
    /// Some step leads out, for this reason.
    Open(String),
}

/// For each place, the states from which nothing bad is near.
pub(super) struct Window<'a> {
    program: &'a Program,
    forms: Forms<'a>,
    solver: Box<dyn Solver>,
    budget: &'a Budget,
    /// Per place: what always holds.
    facts: Vec<Term>,
    /// Per place: no target is reached in exactly so many steps, the last one
    /// by the largest number.
    last: Vec<Term>,
    /// Per place: all of these together.
    all: Vec<Term>,
}

impl<'a> Window<'a> {
    /// No steps at all; or why nothing can be done.
    pub(super) fn new(
        question: Question<'a>,
        resources: Resources<'a>,
    ) -> Result<Result<Window<'a>, String>, Halt> {
        let (program, budget) = (question.program, resources.budget);
        let solver = resources.solver.open().map_err(|e| Halt::GaveUp(e.to_string()))?;
        let (mut store, known) = facts(program, resources)?;
        let transitions = program.transitions(&mut store);
        let Some(control) = Control::new(program, &transitions, PLACES, budget)? else {
            return Ok(Err(String::from("there are too many places of control")));
        };
        let (mut facts, mut last) = (Vec::new(), Vec::new());
        for place in &control.places {
            let controls = program.processes.iter().map(|p| program.variables[p.control].term);
            let pairs = controls.zip(place).map(|(control, &at)| (control, store.int(at)));
            let mut here = Substitution::new(pairs.collect::<Vec<_>>());
            let target = here.apply(&mut store, question.property().target);
            last.push(store.not(target));
            facts.push(known.get(place).copied().unwrap_or_else(|| store.bool(true)));
        }
        let forms = Forms::new(program, store, &transitions, control);
        let all = last.clone();
        Ok(Ok(Window { program, forms, solver, budget, facts, last, all }))
    }

    pub(super) fn places(&self) -> usize {
        self.facts.len()
    }

    pub(super) fn queries(&self) -> u64 {
        self.solver.statistics().queries
    }

    /// Base and step of the induction.
    pub(super) fn ask(&mut self) -> Result<Said, Halt> {
        let store = &mut self.forms.store;
        let outside = store.not(self.all[0]);
        let start = store.and([self.forms.initial, outside]);
        if !self.is_impossible(start, "whether runs start inside")? {
            return Ok(Said::Reached);
        }
        for index in 0..self.forms.control.steps.len() {
            let step = self.forms.control.steps[index];
            let store = &mut self.forms.store;
            let after = self.forms.steps[index].before(store, self.last[step.target]);
            let outside = store.not(after);
            let condition = self.forms.steps[index].condition;
            let (all, facts) = (self.all[step.source], self.facts[step.source]);
            let leaves = store.and([all, facts, condition, outside]);
            let why = "whether a step leads out";
            if !self.is_impossible(leaves, why)? {
                return Ok(Said::Open(format!("step {} leads out", step.transition)));
            }
        }
        Ok(Said::Closed)
    }

    /// One step more; or why not.
    pub(super) fn widen(&mut self) -> Result<Option<String>, Halt> {
        let mut next = Vec::new();
        for place in 0..self.places() {
            let mut parts = Vec::new();
            for index in self.forms.control.leaving[place].clone() {
                self.budget.check()?;
                let target = self.forms.control.steps[index].target;
                let outside = self.forms.store.not(self.last[target]);
                let (store, solver) = (&mut self.forms.store, &mut *self.solver);
                let leaves =
                    self.forms.steps[index].preimage(store, solver, outside, self.budget)?;
                let Some(leaves) = leaves else {
                    return Ok(Some("inputs cannot be eliminated".into()));
                };
                parts.push(self.forms.store.not(leaves));
            }
            next.push(self.forms.store.and(parts));
        }
        if self.forms.store.subterms(&next).len() > SIZE {
            return Ok(Some("the formulas become too large".into()));
        }
        for (all, &part) in self.all.iter_mut().zip(&next) {
            *all = self.forms.store.and([*all, part]);
        }
        self.last = next;
        Ok(None)
    }

    /// The set of all states that the window allows.
    pub(super) fn certificate(mut self) -> Certificate {
        let mut fragment = Vec::new();
        let places = std::mem::take(&mut self.forms.control.places);
        for (place, (&all, &facts)) in places.iter().zip(self.all.iter().zip(&self.facts)) {
            let formula = self.forms.store.and([all, facts]);
            if self.forms.store.is_false(formula) {
                continue;
            }
            let values = place.iter().map(|&at| Value::int(at));
            let controls = self.program.processes.iter().map(|p| p.control);
            let mut fixed: Vec<_> = controls.zip(values).collect();
            fixed.sort_by_key(|(variable, _)| *variable);
            fragment.push(Region { fixed, formula });
        }
        Certificate::Closed(ClosedSet {
            store: self.forms.store,
            points: Vec::new(),
            prefix: Vec::new(),
            fragment,
            quotient: None,
        })
    }

    /// Whether a formula has no model.
    fn is_impossible(&mut self, formula: Term, what: &str) -> Result<bool, Halt> {
        if self.forms.store.is_false(formula) {
            return Ok(true);
        }
        match self.solver.check(&self.forms.store, &[formula], self.budget)? {
            Answer::Unsat => Ok(true),
            Answer::Sat => Ok(false),
            Answer::Unknown(why) => Err(Halt::GaveUp(format!("{what}: {why}"))),
        }
    }
}

/// Formulas by place, and the store that holds them.
type Facts = (TermStore, BTreeMap<Box<[i64]>, Term>);

/// What always holds, by place: bounds of variables.
fn facts(program: &Program, resources: Resources<'_>) -> Result<Facts, Halt> {
    let options = Options { family: Family::Intervals, ..Options::default() };
    let time = resources.budget.remaining().map_or(Duration::MAX, |left| left / FACTS);
    let budget = match time {
        Duration::MAX => resources.budget.clone(),
        time => resources.budget.within(time),
    };
    let found = invariants(program, &options, resources.solver, &budget);
    resources.budget.check()?;
    // Without facts there is still induction.
    let Ok(mut found) = found else { return Ok((program.store.clone(), BTreeMap::new())) };
    let mut by_place = BTreeMap::new();
    for invariant in &found.at {
        let fact = found.store.and([invariant.formula, found.domains]);
        by_place.insert(invariant.place.clone(), fact);
    }
    Ok((found.store, by_place))
}
