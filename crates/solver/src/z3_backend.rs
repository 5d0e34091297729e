//! Z3 in the process: the solver that answers nearly all queries.
//!
//! The main load are thousands of small questions `cube && !goal` on a warm
//! stack. Measured on such queries (8 integers, 20 asserted atoms, 3 assumed
//! ones): a solver made for `QF_LIA` takes 45 us, the general one 70 us; a
//! timeout of Z3 adds 35 us, assumption literals add 8 us, reading the model
//! adds 70 us. So the logic is told as long as the formulas allow, queries are
//! ended by [`Watch`], assumptions are asserted inside a scope, and literals
//! and models are made only when a core or a model is asked for.
//!
//! Floating-point numbers are another matter. Z3 turns them into circuits, and
//! its incremental solver does that badly: five additions took ten times as
//! long as on a solver of their own, ten additions did not end. So a query
//! with them has a solver of its own, which is told everything once.

use crate::logic::Logic;
use crate::stack::{Stack, wrong_model};
use crate::z3_eliminate;
use crate::z3_translate::Translation;
use crate::z3_watch::Watch;
use crate::{Answer, Model, Solver, SolverStats};
use parallax_base::{Budget, Stop};
use parallax_term::{Term, TermStore};
use rustc_hash::FxHashSet;
use std::time::Instant;
use z3::SatResult;
use z3::ast::Bool;

/// A solver of its own in the Z3 context of the current thread.
///
/// Not `Send`: every thread makes its own.
pub struct Z3 {
    name: String,
    solver: z3::Solver,
    /// What `solver` was made for; grows, never shrinks.
    logic: Logic,
    translation: Translation,
    stack: Stack,
    /// Positions in `stack` of formulas that were too deep for Z3.
    refused: Vec<usize>,
    query: Option<Query>,
    watch: Watch,
    statistics: SolverStats,
}

/// The last check. Its scope stays open until the next call, so that the model
/// can still be read.
struct Query {
    answer: Option<Answer>,
    assumptions: Vec<(Term, Bool)>,
    budget: Budget,
    scope_is_open: bool,
    /// The solver of this query alone, if it has one.
    own: Option<z3::Solver>,
    /// The core, if it is known already.
    core: Option<Vec<Term>>,
}

impl Default for Z3 {
    fn default() -> Z3 {
        Z3::new()
    }
}

impl Z3 {
    /// A solver with no formulas.
    pub fn new() -> Z3 {
        let version = z3::full_version().split(' ').find(|word| word.contains('.'));
        Z3 {
            name: format!("Z3 {}", version.unwrap_or_default()),
            solver: solver_for(Logic::default()),
            logic: Logic::default(),
            translation: Translation::default(),
            stack: Stack::new(),
            refused: Vec::new(),
            query: None,
            watch: Watch::new(),
            statistics: SolverStats::default(),
        }
    }

    /// Ends the scope of the last check.
    fn close(&mut self) {
        if self.query.take().is_some_and(|query| query.scope_is_open) {
            self.solver.pop(1);
        }
    }

    /// Starts over with a solver for more than the present one was made for.
    fn widen(&mut self, store: &TermStore, logic: Logic) {
        let wider = self.logic.union(logic);
        let is_new = dialect(wider) != dialect(self.logic);
        self.logic = wider;
        if !is_new {
            return;
        }
        self.solver = solver_for(wider);
        for (level, formulas) in self.stack.levels().enumerate() {
            if level > 0 {
                self.solver.push();
            }
            for &formula in formulas {
                if let Some((formula, _)) = self.translation.formula(store, formula) {
                    self.solver.assert(formula);
                }
            }
        }
    }

    fn run(
        &mut self,
        store: &TermStore,
        assumptions: &[Term],
        budget: &Budget,
        for_core: bool,
    ) -> Result<Answer, Stop> {
        self.close();
        budget.check()?;
        self.stack.assumptions = assumptions.to_vec();
        let (mut asts, mut logic) = (Vec::with_capacity(assumptions.len()), self.logic);
        for &assumption in assumptions {
            if let Some((ast, needs)) = self.translation.formula(store, assumption) {
                asts.push((assumption, ast));
                logic = logic.union(needs);
            }
        }
        let all_are_told = asts.len() == assumptions.len() && self.refused.is_empty();
        self.widen(store, logic);
        let own = self.logic.floats.then(|| self.solver_of_its_own(store));
        if own.is_none() {
            self.solver.push();
        }
        let solver = own.as_ref().unwrap_or(&self.solver);
        let for_core = for_core && own.is_none();
        let literals = if for_core { literals(asts.len()) } else { Vec::new() };
        for (at, (_, assumption)) in asts.iter().enumerate() {
            match literals.get(at) {
                Some(literal) => solver.assert(literal.implies(assumption)),
                None => solver.assert(assumption),
            }
        }
        let result = self.watch.during(budget, || match for_core {
            true => solver.check_assumptions(&literals),
            false => solver.check(),
        });
        let core = (for_core && result == SatResult::Unsat)
            .then(|| of_literals(&literals, &solver.get_unsat_core(), &asts));
        let reason = match result {
            SatResult::Unknown => solver.get_reason_unknown(),
            _ => None,
        };
        self.query = Some(Query {
            answer: None,
            assumptions: asts,
            budget: budget.clone(),
            scope_is_open: own.is_none(),
            own,
            core,
        });
        let answer = match result {
            SatResult::Unsat => Answer::Unsat,
            SatResult::Sat if all_are_told => self.checked_sat(store),
            SatResult::Sat => Answer::Unknown("a formula is nested too deeply for Z3".into()),
            SatResult::Unknown => {
                budget.check()?;
                Answer::Unknown(reason.unwrap_or_else(|| "no reason given".into()))
            }
        };
        if let Some(query) = &mut self.query {
            query.answer = Some(answer.clone());
        }
        Ok(answer)
    }

    /// A solver that was told what is asserted, without scopes.
    fn solver_of_its_own(&mut self, store: &TermStore) -> z3::Solver {
        let solver = solver_for(self.logic);
        let formulas: Vec<Term> = self.stack.levels().flatten().copied().collect();
        for formula in formulas {
            if let Some((formula, _)) = self.translation.formula(store, formula) {
                solver.assert(formula);
            }
        }
        solver
    }

    /// In builds with debug assertions, `Sat` only with a model that is one.
    fn checked_sat(&mut self, store: &TermStore) -> Answer {
        if cfg!(debug_assertions)
            && let Some(model) = self.read_model(store, &[])
            && let Some(formula) = self.stack.refuted(store, &model)
        {
            return wrong_model(&self.name, store, formula);
        }
        Answer::Sat
    }

    fn read_model(&mut self, store: &TermStore, symbols: &[Term]) -> Option<Model> {
        let own = self.query.as_ref().and_then(|query| query.own.as_ref());
        let model = own.unwrap_or(&self.solver).get_model()?;
        let symbols = self.stack.symbols(store, symbols).into_iter();
        symbols.map(|s| Some((s, self.translation.value(store, &model, s)?))).collect()
    }

    fn has_answered(&self, answer: &Answer) -> bool {
        self.query.as_ref().is_some_and(|query| query.answer.as_ref() == Some(answer))
    }
}

impl Solver for Z3 {
    fn name(&self) -> &str {
        &self.name
    }

    fn push(&mut self) {
        self.close();
        self.stack.push();
        self.solver.push();
    }

    fn pop(&mut self) {
        self.close();
        if self.stack.pop() {
            self.solver.pop(1);
            self.refused.retain(|position| *position < self.stack.len());
        }
    }

    fn assert(&mut self, store: &TermStore, formula: Term) {
        self.close();
        match self.translation.formula(store, formula) {
            Some((ast, logic)) => {
                self.widen(store, logic);
                self.solver.assert(ast);
            }
            None => self.refused.push(self.stack.len()),
        }
        self.stack.assert(formula);
    }

    fn check(
        &mut self,
        store: &TermStore,
        assumptions: &[Term],
        budget: &Budget,
    ) -> Result<Answer, Stop> {
        let started = Instant::now();
        let outcome = self.run(store, assumptions, budget, false);
        self.statistics.count(&outcome, started.elapsed());
        outcome
    }

    fn check_for_core(
        &mut self,
        store: &TermStore,
        assumptions: &[Term],
        budget: &Budget,
    ) -> Result<Answer, Stop> {
        let started = Instant::now();
        let outcome = self.run(store, assumptions, budget, true);
        self.statistics.count(&outcome, started.elapsed());
        outcome
    }

    fn model(&mut self, store: &TermStore, symbols: &[Term]) -> Option<Model> {
        if !self.has_answered(&Answer::Sat) {
            return None;
        }
        let model = self.read_model(store, symbols)?;
        match self.stack.refuted(store, &model) {
            Some(formula) => {
                wrong_model(&self.name, store, formula);
                None
            }
            None => Some(model),
        }
    }

    fn core(&mut self) -> Option<Vec<Term>> {
        if !self.has_answered(&Answer::Unsat) {
            return None;
        }
        let query = self.query.as_mut()?;
        if query.core.is_some() {
            return query.core.clone();
        }
        if query.own.is_some() {
            return Some(query.assumptions.iter().map(|(term, _)| *term).collect());
        }
        if query.scope_is_open {
            self.solver.pop(1);
            query.scope_is_open = false;
        }
        let literals = literals(query.assumptions.len());
        self.solver.push();
        for (literal, (_, assumption)) in literals.iter().zip(&query.assumptions) {
            self.solver.assert(literal.implies(assumption));
        }
        let check = || self.solver.check_assumptions(&literals);
        let used = match self.watch.during(&query.budget, check) {
            SatResult::Unsat => self.solver.get_unsat_core(),
            _ => literals.clone(),
        };
        self.solver.pop(1);
        Some(of_literals(&literals, &used, &query.assumptions))
    }

    fn eliminate(
        &mut self,
        store: &mut TermStore,
        formula: Term,
        bound: &[Term],
        budget: &Budget,
    ) -> Result<Option<Term>, Stop> {
        let started = Instant::now();
        let (translation, watch) = (&mut self.translation, &self.watch);
        let result = z3_eliminate::eliminate(translation, watch, store, formula, bound, budget);
        self.statistics.eliminations += 1;
        self.statistics.time += started.elapsed();
        result
    }

    fn statistics(&self) -> SolverStats {
        self.statistics
    }
}

/// Literals that stand for assumptions.
fn literals(count: usize) -> Vec<Bool> {
    (0..count).map(|i| Bool::new_const(format!("a{i}"))).collect()
}

/// The assumptions whose literals were used.
fn of_literals(literals: &[Bool], used: &[Bool], assumptions: &[(Term, Bool)]) -> Vec<Term> {
    let used: FxHashSet<&Bool> = used.iter().collect();
    let pairs = literals.iter().zip(assumptions);
    pairs.filter(|(literal, _)| used.contains(literal)).map(|(_, (term, _))| *term).collect()
}

/// The logic to tell Z3, which has fast solvers for these.
fn dialect(logic: Logic) -> Option<&'static str> {
    match logic {
        Logic { bits: true, floats: false, arrays: false, ints: false, reals: false, .. } => {
            Some("QF_BV")
        }
        Logic { floats: true, ints: false, reals: false, .. } => Some(logic.name()),
        _ if logic.is_machine() => None,
        Logic { nonlinear: false, reals: false, .. } => Some("QF_LIA"),
        Logic { nonlinear: false, ints: false, .. } => Some("QF_LRA"),
        _ => None,
    }
}

fn solver_for(logic: Logic) -> z3::Solver {
    let solver = dialect(logic).and_then(z3::Solver::new_for_logic).unwrap_or_default();
    // Otherwise Z3 catches Ctrl-C itself while a query runs, and nobody hears of it.
    let mut parameters = z3::Params::new();
    parameters.set_bool("ctrl_c", false);
    solver.set_params(&parameters);
    solver
}
