//! Runs of the product that come back to a state, or to one that is as good, and put
//! no until off on all of the way: such a run goes on for ever and breaks the formula.
//!
//! Paths are tried shortest first, each as far as the solver finds it possible,
//! with values as terms over initial values and inputs.

use super::Ended;
use super::product::{Arrow, Product};
use super::recurrence::Cycle;
use parallax_base::Budget;
use parallax_engine::{Resources, follow};
use parallax_evidence::{Recurrence, Statistics, Trace, Why};
use parallax_ir::{Interpreter, Program, State};
use parallax_ltl::Sub;
use parallax_solver::{Answer, Solver, SolverConfig};
use parallax_term::{Substitution, Term, TermStore};
use std::collections::BTreeMap;

/// No path is longer, and no more questions are asked.
const LONGEST: usize = 100;
const QUESTIONS: u64 = 20_000;

/// How much longer paths get from round to round.
const ROUND: usize = 4;

/// From so many states one cycle is looked at.
const TRIES: u32 = 8;

/// A run that breaks the formula; `None` if none was found.
pub(super) fn closing_run(
    program: &Program,
    product: &mut Product,
    regions: &[Option<Term>],
    resources: Resources<'_>,
    statistics: &mut Statistics,
) -> Result<Option<Trace>, Ended> {
    let mut leaving: Vec<Vec<usize>> = vec![Vec::new(); product.nodes.len()];
    for (i, arrow) in product.arrows.iter().enumerate() {
        if regions[arrow.source].is_some() && regions[arrow.target].is_some() {
            leaving[arrow.source].push(i);
        }
    }
    let solver = resources.solver.open().map_err(|e| Why::SolverGaveUp(e.to_string()))?;
    let (config, budget) = (resources.solver, resources.budget);
    let (asked, was_cut, tried) = (0, false, BTreeMap::new());
    let mut search = Search { program, leaving, config, solver, budget, asked, was_cut, tried };
    let mut longest = ROUND;
    let found = loop {
        search.was_cut = false;
        let found = search.within(product, longest)?;
        let is_over = !search.was_cut || longest >= LONGEST || search.asked >= QUESTIONS;
        if found.is_some() || is_over {
            break found;
        }
        longest += ROUND;
    };
    statistics.solver_queries += search.asked;
    Ok(found)
}

struct Search<'a> {
    program: &'a Program,
    /// The arrows from each node.
    leaving: Vec<Vec<usize>>,
    config: &'a SolverConfig,
    solver: Box<dyn Solver>,
    budget: &'a Budget,
    asked: u64,
    /// Whether a path was left because it was as long as allowed.
    was_cut: bool,
    /// How often cycles of these arrows were looked at for states as good.
    tried: BTreeMap<Vec<usize>, u32>,
}

/// A path so far ends here.
struct End {
    node: usize,
    /// The values of all variables.
    values: Vec<Term>,
    /// What was chosen on the way here: arrow and inputs.
    by: Option<(usize, Vec<Term>)>,
    /// Arrows that were not tried yet.
    left: Vec<usize>,
}

impl Search<'_> {
    /// Paths of at most this many steps, depth first.
    fn within(&mut self, product: &mut Product, longest: usize) -> Result<Option<Trace>, Ended> {
        let init = self.program.initial_formula(&mut product.store);
        let values = self.program.variables.iter().map(|v| v.term).collect();
        let left = self.leaving[0].iter().rev().copied().collect();
        let mut path = vec![End { node: 0, values, by: None, left }];
        self.solver.push();
        self.solver.assert(&product.store, init);
        let mut found = None;
        while let Some(end) = path.last_mut() {
            let Some(next) = end.left.pop() else {
                path.pop();
                self.solver.pop();
                continue;
            };
            if path.len() > longest || self.asked >= QUESTIONS {
                self.was_cut = true;
                continue;
            }
            self.solver.push();
            if !self.extend(product, &mut path, next)? {
                self.solver.pop();
                continue;
            }
            found = self.closed(product, &path)?;
            if found.is_some() {
                break;
            }
        }
        for _ in &path {
            self.solver.pop();
        }
        Ok(found)
    }

    /// Takes one more arrow, if that is possible.
    fn extend(
        &mut self,
        product: &mut Product,
        path: &mut Vec<End>,
        next: usize,
    ) -> Result<bool, Ended> {
        let Arrow { target, condition, inputs, updates, .. } = product.arrows[next].clone();
        let store = &mut product.store;
        let Some(end) = path.last() else { return Ok(false) };
        let variables = self.program.variables.iter().map(|v| v.term);
        let fresh: Vec<Term> = inputs
            .iter()
            .map(|input| {
                let sort = store.sort(input.term);
                store.fresh("input", sort)
            })
            .collect();
        let chosen = inputs.iter().map(|i| i.term).zip(fresh.iter().copied());
        let states = variables.zip(end.values.iter().copied());
        let mut here = Substitution::new(states.chain(chosen));
        let condition = here.apply(store, condition);
        if store.is_false(condition) {
            return Ok(false);
        }
        self.solver.assert(store, condition);
        self.asked += 1;
        if self.solver.check(store, &[], self.budget)? != Answer::Sat {
            return Ok(false);
        }
        let mut values = end.values.clone();
        for update in &updates {
            values[update.variable.index()] = here.apply(store, update.value);
        }
        let left = self.leaving[target].iter().rev().copied().collect();
        path.push(End { node: target, values, by: Some((next, fresh)), left });
        Ok(true)
    }

    /// The run, if the path comes back to a state it was in, or to one as good.
    fn closed(&mut self, product: &mut Product, path: &[End]) -> Result<Option<Trace>, Ended> {
        let Some((end, before)) = path.split_last() else { return Ok(None) };
        let mut common: Option<Vec<Sub>> = None;
        for (i, start) in before.iter().enumerate().rev() {
            let Some((arrow, _)) = path[i + 1].by else { break };
            let postponed = &product.arrows[arrow].postponed;
            match &mut common {
                Some(untils) => untils.retain(|until| postponed.contains(until)),
                none => *none = Some(postponed.clone()),
            }
            if start.node != end.node || common.as_ref().is_none_or(|c| !c.is_empty()) {
                continue;
            }
            let pairs = start.values.iter().zip(&end.values);
            let equal: Vec<Term> = pairs.map(|(&a, &b)| product.store.eq(a, b)).collect();
            let equal = product.store.and(equal);
            let comes_back = !product.store.is_false(equal) && {
                self.asked += 1;
                self.solver.check(&product.store, &[equal], self.budget)? == Answer::Sat
            };
            if !comes_back {
                match self.lasting(product, path, i)? {
                    None => continue,
                    found => return Ok(found),
                }
            }
            let Some((run, has_ended)) = self.run(product, path, i) else { continue };
            if !has_ended || self.is_over(&mut product.store, run.last())? {
                return Ok(Some(run));
            }
        }
        Ok(None)
    }

    /// The run with a region that it never leaves, if one is found for the part of
    /// the path from here on.
    fn lasting(
        &mut self,
        product: &mut Product,
        path: &[End],
        start: usize,
    ) -> Result<Option<Trace>, Ended> {
        let arrows = path[start + 1..].iter().filter_map(|end| Some(end.by.as_ref()?.0));
        let arrows: Vec<usize> = arrows.collect();
        let moves = arrows.iter().all(|&arrow| product.arrows[arrow].transition.is_some());
        let tried = self.tried.entry(arrows.clone()).or_default();
        *tried += 1;
        if !moves || *tried > TRIES {
            return Ok(None);
        }
        let twice = self.twice(product, path, start);
        self.asked += 1;
        if self.solver.check(&product.store, &[twice], self.budget)? != Answer::Sat {
            return Ok(None);
        }
        let Some((mut run, _)) = self.run(product, path, start) else { return Ok(None) };
        let cycle = Cycle { program: self.program, node: path[start].node, arrows: &arrows };
        let mut solver = self.config.open().map_err(|e| Why::SolverGaveUp(e.to_string()))?;
        for region in cycle.regions(product, &run, start) {
            let leaves = cycle.leaves(product, &run, start, region);
            self.asked += 1;
            solver.push();
            solver.assert(&product.store, leaves);
            let answer = solver.check(&product.store, &[], self.budget)?;
            solver.pop();
            if answer == Answer::Unsat {
                let store = product.store.clone();
                run.recurrence = Some(Box::new(Recurrence { store, region }));
                return Ok(Some(run));
            }
        }
        Ok(None)
    }

    /// That the part of the path from here on can be taken once more, with the same
    /// inputs.
    fn twice(&self, product: &mut Product, path: &[End], start: usize) -> Term {
        let Product { store, arrows, .. } = product;
        let mut values = path.last().map_or_else(Vec::new, |end| end.values.clone());
        let mut asked = Vec::new();
        for (arrow, chosen) in path[start + 1..].iter().filter_map(|end| end.by.as_ref()) {
            let arrow = &arrows[*arrow];
            let inputs = arrow.inputs.iter().map(|input| input.term).zip(chosen.iter().copied());
            let states = self.program.variables.iter().map(|v| v.term).zip(values.iter().copied());
            let mut here = Substitution::new(states.chain(inputs));
            asked.push(here.apply(store, arrow.condition));
            let mut next = values.clone();
            for update in &arrow.updates {
                next[update.variable.index()] = here.apply(store, update.value);
            }
            values = next;
        }
        store.and(asked)
    }

    /// Whether no step is possible in a state: the product may take one for idle in
    /// which that is not so.
    fn is_over(&mut self, store: &mut TermStore, state: &State) -> Result<bool, Ended> {
        let terms = self.program.variables.iter().map(|v| v.term);
        let values = state.iter().map(|value| store.constant(value.clone()));
        let pairs: Vec<(Term, Term)> = terms.zip(values).collect();
        let mut here = Substitution::new(pairs);
        let mut possible = Vec::new();
        for transition in self.program.transitions(store) {
            let bounds = transition.input_bounds(store);
            let condition = store.and([transition.guard, bounds]);
            possible.push(here.apply(store, condition));
        }
        let possible = store.or(possible);
        self.asked += 1;
        let mut solver = self.config.open().map_err(|e| Why::SolverGaveUp(e.to_string()))?;
        solver.assert(store, possible);
        Ok(solver.check(store, &[], self.budget)? == Answer::Unsat)
    }

    /// The run with values, from the model of the last answer, and whether it ends.
    fn run(&mut self, product: &Product, path: &[End], cycle: usize) -> Option<(Trace, bool)> {
        let store = &product.store;
        let variables: Vec<Term> = self.program.variables.iter().map(|v| v.term).collect();
        let chosen: Vec<(usize, &[Term])> =
            path.iter().filter_map(|e| Some((e.by.as_ref()?.0, &*e.by.as_ref()?.1))).collect();
        let symbols = chosen.iter().flat_map(|(_, inputs)| inputs.iter()).copied();
        let symbols: Vec<Term> = variables.iter().copied().chain(symbols).collect();
        let model = self.solver.model(store, &symbols)?;
        let value = |symbol: &Term| model.value_of(store, *symbol);
        let initial = State::new(variables.iter().map(value).collect::<Vec<_>>());
        // Once nothing moves, nothing ever does: the run has ended.
        let moving = chosen.iter().map_while(|(arrow, inputs)| {
            Some((product.arrows[*arrow].transition?, inputs.iter().map(value).collect()))
        });
        let (taken, inputs): (Vec<usize>, Vec<_>) = moving.unzip();
        let has_ended = taken.len() < chosen.len();
        let mut trace = follow(&mut Interpreter::new(self.program), initial, &taken, inputs)?;
        trace.cycle = Some(if has_ended { taken.len() } else { cycle });
        Some((trace, has_ended))
    }
}
