//! The workbench: program, terms, solver and what was asked of it before.

use super::place::{Location, Place};
use parallax_base::{Budget, Id};
use parallax_domain::Step as Formula;
use parallax_engine::{Question, Resources};
use parallax_invariant::closed_domains;
use parallax_ir::{Program, Transition, Variable};
use parallax_solver::{Answer, Halt, Model, Solver, SolverConfig};
use parallax_term::{Substitution, Term, TermStore};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A transition that control allows at a location.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    /// Index of the transition.
    pub(crate) transition: usize,
    /// Where it leads.
    pub(crate) target: Location,
}

/// What the search works with.
pub(crate) struct Bench<'a> {
    pub(crate) program: &'a Program,
    pub(crate) store: TermStore,
    pub(crate) solver: Box<dyn Solver>,
    /// A solver without assertions.
    pub(crate) spare: Box<dyn Solver>,
    pub(crate) transitions: Vec<Transition>,
    pub(crate) budget: &'a Budget,
    config: &'a SolverConfig,
    /// The states asked for.
    pub(crate) target: Term,
    /// The transitions as formulas.
    pub(crate) formulas: Vec<Formula>,
    controls: Vec<Id<Variable>>,
    /// Variables that no step takes out of their domains.
    bounded: Vec<Id<Variable>>,
    steps: FxHashMap<Location, Rc<[Step]>>,
    entailed: FxHashMap<(Term, Term), bool>,
}

impl<'a> Bench<'a> {
    pub(crate) fn new(
        question: Question<'a>,
        resources: Resources<'a>,
        mut store: TermStore,
    ) -> Result<Bench<'a>, Halt> {
        let program = question.program;
        let transitions = program.transitions(&mut store);
        let formulas = transitions.iter().map(|t| Formula::of(&mut store, program, t)).collect();
        let mut bench = Bench {
            program,
            solver: resources.solver.open()?,
            spare: resources.solver.open()?,
            transitions,
            budget: resources.budget,
            config: resources.solver,
            target: question.property().target,
            store,
            formulas,
            controls: program.processes.iter().map(|p| p.control).collect(),
            bounded: Vec::new(),
            steps: FxHashMap::default(),
            entailed: FxHashMap::default(),
        };
        // Variables lie in their domains, in every reachable state; the
        // certificate claims it, so it must be closed under steps.
        bench.bounded = closed_domains(
            program,
            &mut bench.store,
            &bench.transitions,
            resources.solver,
            resources.budget,
        )?;
        let domains = bench.domains();
        bench.solver.assert(&bench.store, domains);
        Ok(bench)
    }

    /// "Every variable that no step takes out of its domain lies in it", control
    /// excepted.
    pub(crate) fn domains(&mut self) -> Term {
        let mut parts = Vec::new();
        for &id in &self.bounded {
            let variable = &self.program.variables[id];
            parts.push(variable.domain.constraint(&mut self.store, variable.term));
        }
        self.store.and(parts)
    }

    /// Where runs start.
    pub(crate) fn initial_location(&self) -> Location {
        self.program.processes.iter().map(|p| p.initial.index() as i64).collect()
    }

    /// Control and tracked values as replacements.
    fn known(&mut self, place: &Place) -> Vec<(Term, Term)> {
        let program = self.program;
        let mut pairs = Vec::new();
        for (&control, &at) in self.controls.iter().zip(place.location.iter()) {
            pairs.push((program.variables[control].term, self.store.int(at)));
        }
        for (variable, value) in place.values.iter() {
            let value = self.store.constant(value.clone());
            pairs.push((program.variables[*variable].term, value));
        }
        pairs
    }

    /// A formula at a place: what is known there has its value.
    pub(crate) fn at(&mut self, place: &Place, formula: Term) -> Term {
        let known = self.known(place);
        Substitution::new(known).apply(&mut self.store, formula)
    }

    /// The tracked values of a place as a formula.
    pub(crate) fn values_formula(&mut self, place: &Place) -> Term {
        let mut parts = Vec::new();
        for (variable, value) in place.values.iter() {
            let value = self.store.constant(value.clone());
            parts.push(self.store.eq(self.program.variables[*variable].term, value));
        }
        self.store.and(parts)
    }

    /// The transitions that control allows at a location.
    pub(crate) fn steps(&mut self, location: &Location) -> Rc<[Step]> {
        if let Some(known) = self.steps.get(location) {
            return known.clone();
        }
        let mut found = Vec::new();
        for (index, transition) in self.transitions.iter().enumerate() {
            let here =
                |m: &parallax_ir::Move| location[m.process.index()] == m.source.index() as i64;
            if !transition.moves.iter().all(here) {
                continue;
            }
            let mut target: Vec<i64> = location.to_vec();
            for step in &transition.moves {
                target[step.process.index()] = step.target.index() as i64;
            }
            found.push(Step { transition: index, target: target.into() });
        }
        let found: Rc<[Step]> = found.into();
        self.steps.insert(location.clone(), found.clone());
        found
    }

    /// A transition from a place, what is known there replaced by its value and
    /// control left out. Without a way to take it there are no updates.
    pub(crate) fn from(&mut self, place: &Place, transition: usize) -> Formula {
        let mut here = Substitution::new(self.known(place));
        let formula = self.formulas[transition].at(&mut self.store, &mut here);
        formula.without_control(self.program)
    }

    /// One more solver.
    pub(crate) fn open(&self) -> Result<Box<dyn Solver>, Halt> {
        self.config.open().map_err(|error| Halt::GaveUp(error.to_string()))
    }

    /// From the state after a transition from a place to the state before it.
    pub(crate) fn back(&mut self, place: &Place, formula: &Formula) -> Substitution {
        let mut known = Substitution::new(self.known(place));
        for update in &formula.updates {
            known.insert(update.symbol, update.value);
        }
        known
    }

    /// Whether the formulas can hold together.
    pub(crate) fn satisfiable(&mut self, formulas: &[Term]) -> Result<bool, Halt> {
        let all = self.store.and(formulas.iter().copied());
        if let Some(known) = self.store.value(all).and_then(|v| v.as_bool()) {
            return Ok(known);
        }
        self.solver.push();
        self.solver.assert(&self.store, all);
        let answer = self.solver.check(&self.store, &[], self.budget);
        self.solver.pop();
        decided(answer?)
    }

    /// A model of the asserted formulas with these, for their symbols and the
    /// given ones; `None` if there is none.
    pub(crate) fn model(
        &mut self,
        formulas: &[Term],
        symbols: &[Term],
    ) -> Result<Option<Model>, Halt> {
        let all = self.store.and(formulas.iter().copied());
        let mut wanted = self.store.vars(all);
        wanted.extend(symbols);
        wanted.sort_unstable();
        wanted.dedup();
        self.solver.push();
        self.solver.assert(&self.store, all);
        let answer = self.solver.check(&self.store, &[], self.budget);
        let model = match &answer {
            Ok(Answer::Sat) => self.solver.model(&self.store, &wanted),
            _ => None,
        };
        self.solver.pop();
        if !decided(answer?)? {
            return Ok(None);
        }
        model.map(Some).ok_or_else(|| Halt::GaveUp("a model was not handed out".into()))
    }

    /// Whether one formula implies another. Asked once.
    pub(crate) fn entails(&mut self, premise: Term, conclusion: Term) -> Result<bool, Halt> {
        if premise == conclusion || self.store.is_true(conclusion) || self.store.is_false(premise) {
            return Ok(true);
        }
        if let Some(&known) = self.entailed.get(&(premise, conclusion)) {
            return Ok(known);
        }
        let negated = self.store.not(conclusion);
        let answer = !self.satisfiable(&[premise, negated])?;
        self.entailed.insert((premise, conclusion), answer);
        Ok(answer)
    }
}

/// A definite answer.
pub(crate) fn decided(answer: Answer) -> Result<bool, Halt> {
    match answer {
        Answer::Sat => Ok(true),
        Answer::Unsat => Ok(false),
        Answer::Unknown(why) => Err(Halt::GaveUp(why)),
    }
}
