//! Checking closed sets of states.
//!
//! For a set with prefix `P` (points and regions) and fragment `F`:
//!
//! 1. every initial state lies in `P` or `F`;
//! 2. no state of `P` or `F` is a target;
//! 3. every step from `P` leads into `P` or `F`;
//! 4. every step from `F` leads into `F`;
//! 5. if a bisimilar structure is claimed: from a region, each transition is
//!    either impossible for all its states, or possible for all of them and
//!    leads them into the one region named (with inputs: into those named).
//!
//! By 1, 3 and 4 the union holds every reachable state, by 2 none is a target.
//! Points are checked by evaluation, regions by refuting the opposite with
//! the solver. Item 4 is more than 1 to 3 need; it is what the safe-fragment
//! argument claims, so it is checked as claimed.

use crate::cover::{Cover, region_formula};
use crate::refute::refute;
use crate::{Accepted, Rejected};
use parallax_base::{Budget, Id};
use parallax_evidence::{ClosedSet, QuotientEdge, Region};
use parallax_ir::{Choices, Interpreter, Program, Property, State, Transition};
use parallax_solver::Solver;
use parallax_term::{Code, Node, Scratch, Sort, Substitution, Term, TermStore, Value};

/// More successors of one point by one step are asked of the solver instead.
const CHOICE_LIMIT: usize = 4096;

/// Accepts the set if it shows that no target of the property is reachable.
pub(crate) fn check(
    program: &Program,
    property: Id<Property>,
    certificate: &ClosedSet,
    solver: &mut dyn Solver,
    budget: &Budget,
) -> Result<Accepted, Rejected> {
    well_formed(program, certificate)?;
    let mut store = certificate.store.clone();
    let transitions = program.transitions(&mut store);
    let before = solver.statistics().queries;
    let all = certificate.prefix.iter().chain(&certificate.fragment);
    let mut anywhere = Cover::new(program, &mut store, &certificate.points, all);
    let fragment = Cover::new(program, &mut store, &[], certificate.fragment.iter());
    let target = program.properties[property].target;
    let mut checker = Checker { program, store, transitions, solver, budget, target, evaluated: 0 };
    let mut interpreter = Interpreter::new(program);
    checker.initial(&mut anywhere, &mut interpreter)?;
    checker.no_targets(&certificate.points)?;
    for point in &certificate.points {
        checker.point(point, &|_| true, &mut anywhere, &mut interpreter)?;
    }
    for region in &certificate.prefix {
        checker.region(region, &|_| true, &anywhere)?;
    }
    for region in &certificate.fragment {
        checker.region(region, &|_| true, &fragment)?;
    }
    if let Some(edges) = &certificate.quotient {
        checker.quotient(&certificate.fragment, edges)?;
    }
    let queries = checker.solver.statistics().queries - before;
    Ok(Accepted { evaluated: checker.evaluated, queries, ..Accepted::default() })
}

/// Every value and formula speaks about this program.
pub(crate) fn well_formed(program: &Program, certificate: &ClosedSet) -> Result<(), Rejected> {
    let malformed = |what: &str| Err(Rejected::Malformed(what.into()));
    for point in &certificate.points {
        let fits = point.len() == program.variables.len()
            && point.iter().zip(&program.variables).all(|(v, d)| v.sort() == d.domain.sort());
        if !fits {
            return malformed("a point is not a state of the program");
        }
    }
    for region in certificate.prefix.iter().chain(&certificate.fragment) {
        let fixes = |(v, value): &(Id<_>, Value)| {
            program.variables.get(*v).is_some_and(|d| value.sort() == d.domain.sort())
        };
        if !region.fixed.iter().all(fixes) {
            return malformed("a region fixes a value of the wrong sort");
        }
        let store = &certificate.store;
        let known = |v: Term| program.variables.iter().any(|d| d.term == v);
        if store.sort(region.formula) != Sort::Bool
            || !store.vars(region.formula).into_iter().all(known)
        {
            return malformed("a region is no formula over the program's variables");
        }
    }
    let size = certificate.fragment.len() as u32;
    let steps = program.transitions(&mut certificate.store.clone()).len() as u32;
    let strange = |e: &QuotientEdge| e.source >= size || e.target >= size || e.transition >= steps;
    if certificate.quotient.iter().flatten().any(strange) {
        return malformed("an edge between regions that do not exist");
    }
    Ok(())
}

pub(crate) struct Checker<'a> {
    pub(crate) program: &'a Program,
    pub(crate) store: TermStore,
    pub(crate) transitions: Vec<Transition>,
    pub(crate) solver: &'a mut dyn Solver,
    pub(crate) budget: &'a Budget,
    pub(crate) target: Term,
    pub(crate) evaluated: u64,
}

impl Checker<'_> {
    pub(crate) fn refute(
        &mut self,
        formulas: &[Term],
        failed: impl FnOnce() -> Rejected,
    ) -> Result<(), Rejected> {
        refute(&mut self.store, self.solver, self.budget, formulas, failed)
    }

    pub(crate) fn initial(
        &mut self,
        cover: &mut Cover,
        interpreter: &mut Interpreter,
    ) -> Result<(), Rejected> {
        if interpreter.has_listable_initial_states() {
            for state in interpreter.initial_states() {
                self.evaluated += 1;
                if !cover.contains(&state) {
                    return Err(Rejected::Initial(self.show(&state)));
                }
            }
            return Ok(());
        }
        let init = self.program.initial_formula(&mut self.store);
        let mut values: Vec<Term> = self.program.variables.iter().map(|v| v.term).collect();
        for (value, fixed) in values.iter_mut().zip(&self.program.init.fixed) {
            if let Some(fixed) = fixed {
                *value = self.store.constant(fixed.clone());
            }
        }
        let covered = cover.formula(&mut self.store, &values, &mut Substitution::default());
        let outside = self.store.not(covered);
        self.refute(&[init, outside], || Rejected::Initial("some are not covered".into()))
    }

    pub(crate) fn no_targets(&mut self, points: &[State]) -> Result<(), Rejected> {
        let target = Code::compile(&self.store, &[self.target], |t| self.program.slot(t));
        let mut scratch = Scratch::default();
        for point in points {
            self.budget.check()?;
            self.evaluated += 1;
            if target.test(point, &mut scratch) {
                return Err(Rejected::Target(self.show(point)));
            }
        }
        Ok(())
    }

    /// Every step from a point by one of `these` transitions leads into the cover.
    pub(crate) fn point(
        &mut self,
        point: &State,
        these: &dyn Fn(usize) -> bool,
        cover: &mut Cover,
        interpreter: &mut Interpreter,
    ) -> Result<(), Rejected> {
        self.budget.check()?;
        for index in interpreter.candidates(point) {
            if !these(index) || !interpreter.is_enabled(point, index) {
                continue;
            }
            match interpreter.choices(point, index, CHOICE_LIMIT) {
                Choices::All(all) => {
                    for inputs in all {
                        let next = interpreter.fire(point, index, &inputs);
                        if !cover.contains(&next) {
                            let (name, from) = (&self.transitions[index].name, self.show(point));
                            let left = format!("`{name}` leaves the certificate from {from}");
                            return Err(Rejected::Step(left));
                        }
                    }
                }
                Choices::TooMany => {
                    let values: Vec<Term> =
                        point.iter().map(|v| self.store.constant(v.clone())).collect();
                    let here = self.store.bool(true);
                    self.step(here, &values, index, cover)?;
                }
            }
        }
        Ok(())
    }

    /// A region holds no target, and every step from it by one of `these`
    /// transitions leads into the cover.
    pub(crate) fn region(
        &mut self,
        region: &Region,
        these: &dyn Fn(usize) -> bool,
        cover: &Cover,
    ) -> Result<(), Rejected> {
        let values = self.values(region);
        let mut fixed = self.fixed(region);
        let here = fixed.apply(&mut self.store, region.formula);
        let target = fixed.apply(&mut self.store, self.target);
        self.refute(&[here, target], || Rejected::Target("a region holds a target state".into()))?;
        for index in (0..self.transitions.len()).filter(|&t| these(t)) {
            self.step(here, &values, index, cover)?;
        }
        Ok(())
    }

    /// Every step by one transition from `here` (a formula over the variables
    /// that `values` leaves open) leads into the cover.
    pub(crate) fn step(
        &mut self,
        here: Term,
        values: &[Term],
        index: usize,
        cover: &Cover,
    ) -> Result<(), Rejected> {
        let transition = self.transitions[index].clone();
        let symbols = self.program.variables.iter().map(|v| v.term);
        let mut at = Substitution::new(symbols.zip(values.iter().copied()));
        let mut known = self.literals(here);
        let guard = at.apply(&mut self.store, transition.guard);
        let guard = known.apply(&mut self.store, guard);
        if self.store.is_false(guard) {
            return Ok(());
        }
        let bounds = transition.input_bounds(&mut self.store);
        let bounds = at.apply(&mut self.store, bounds);
        let mut next = values.to_vec();
        for update in &transition.updates {
            next[update.variable.index()] = at.apply(&mut self.store, update.value);
        }
        let covered = cover.formula(&mut self.store, &next, &mut known);
        let outside = self.store.not(covered);
        let name = &transition.name;
        let left = || Rejected::Step(format!("`{name}` leaves the certified regions"));
        self.refute(&[here, guard, bounds, outside], left)
    }

    /// Each region either cannot take a transition, or all its states take it
    /// into the region that an edge names.
    fn quotient(&mut self, regions: &[Region], edges: &[QuotientEdge]) -> Result<(), Rejected> {
        for (r, region) in regions.iter().enumerate() {
            let mut fixed = self.fixed(region);
            let here = fixed.apply(&mut self.store, region.formula);
            for index in 0..self.transitions.len() {
                let transition = self.transitions[index].clone();
                if !self.store.is_true(transition.constraint) {
                    let text = "a bisimulation over steps with a constraint on their inputs";
                    return Err(Rejected::Malformed(text.into()));
                }
                let guard = fixed.apply(&mut self.store, transition.guard);
                let mine: Vec<usize> = edges
                    .iter()
                    .filter(|e| e.source as usize == r && e.transition as usize == index)
                    .map(|e| e.target as usize)
                    .collect();
                let name = &transition.name;
                if mine.is_empty() {
                    let missed = || {
                        Rejected::Step(format!(
                            "`{name}` is possible in a region that claims it is not"
                        ))
                    };
                    self.refute(&[here, guard], missed)?;
                    continue;
                }
                if transition.inputs.is_empty() && mine.len() > 1 {
                    let text = format!("`{name}` has no input, yet two results");
                    return Err(Rejected::Malformed(text));
                }
                let disabled = self.store.not(guard);
                let partial = || {
                    Rejected::Step(format!("`{name}` is not possible in all states of a region"))
                };
                self.refute(&[here, disabled], partial)?;
                let mut named = Vec::new();
                for target in mine {
                    let region = region_formula(&mut self.store, self.program, &regions[target]);
                    named.push(region);
                }
                let target = self.store.or(named);
                let after = self.store.substitute(target, &transition.assignment(self.program));
                let after = fixed.apply(&mut self.store, after);
                let outside = self.store.not(after);
                let bounds = transition.input_bounds(&mut self.store);
                let bounds = fixed.apply(&mut self.store, bounds);
                let astray = || {
                    Rejected::Step(format!("`{name}` does not lead all states into a region named"))
                };
                self.refute(&[here, bounds, outside], astray)?;
            }
        }
        Ok(())
    }

    pub(crate) fn fixed(&mut self, region: &Region) -> Substitution {
        let pairs = region.fixed.iter().map(|(variable, value)| {
            (self.program.variables[*variable].term, self.store.constant(value.clone()))
        });
        Substitution::new(pairs.collect::<Vec<_>>())
    }

    pub(crate) fn values(&mut self, region: &Region) -> Vec<Term> {
        let mut values: Vec<Term> = self.program.variables.iter().map(|v| v.term).collect();
        for (variable, value) in &region.fixed {
            values[variable.index()] = self.store.constant(value.clone());
        }
        values
    }

    /// The literals of a conjunction as replacements of their atoms: under the
    /// conjunction each atom has this value.
    pub(crate) fn literals(&mut self, conjunction: Term) -> Substitution {
        let literals = match self.store.node(conjunction) {
            Node::And(items) => items.to_vec(),
            _ => vec![conjunction],
        };
        let mut pairs = Vec::new();
        for literal in literals {
            let (atom, positive) = self.store.literal(literal);
            if self.store.is_atom(atom) {
                pairs.push((atom, self.store.bool(positive)));
            }
        }
        Substitution::new(pairs)
    }

    pub(crate) fn show(&self, state: &State) -> String {
        let pairs = state.iter().zip(&self.program.variables);
        let shown = pairs.map(|(value, v)| format!("{} = {}", v.name, v.domain.show(value)));
        shown.collect::<Vec<_>>().join(", ")
    }
}
