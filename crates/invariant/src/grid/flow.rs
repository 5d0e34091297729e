//! Grids of all places: symbolic abstraction of each step until nothing grows.
//!
//! Grids that hold all states are known from above (see `linear`). The best grid after a step is found from below: a model of the step whose
//! end does not belong to the grid of its target is joined to it, until there
//! is none (Reps, Sagiv, Yorsh, VMCAI 2004; Thakur, Elder, Reps, SAS 2012).
//! Since grids do not grow for ever, so are the grids of all places.
//!
//! Where they have come as far as those from above, the solver is not asked; where
//! it does not answer, what it was asked about is given up, unless it is known
//! from above.

use super::facts::is_implied;
use super::linear::above;
use super::{Grid, Group, number};
use crate::block::Blocks;
use parallax_base::{Budget, Stop};
use parallax_ir::Role;
use parallax_solver::Halt;
use parallax_solver::{Answer, Solver, SolverConfig, SolverStats};
use parallax_term::{Int, Sort, Term, TermStore};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// With more variables at one place than this, nothing is said there.
const VARIABLES: usize = 60;

/// A grid that grows more often than this becomes the largest one.
const RISES: u32 = 150;

/// With more steps than this, solvers are not kept.
const KEPT: usize = 200;

/// How long the solver may think about one question.
const QUESTION: Duration = Duration::from_secs(2);

/// What is known of a place: a grid for each group of its variables.
type Here = Option<Vec<Grid>>;

/// Facts by place, or nothing if there was no time.
type Facts = Option<Vec<Vec<Term>>>;

/// A solver that has a step asserted, and the variables after it.
type Kept = (Box<dyn Solver>, Vec<Term>);

impl Group {
    /// The grid of all points.
    pub(super) fn all(&self) -> Grid {
        let point = vec![Int::ZERO; self.terms.len()];
        Grid::new(point, &vec![Int::ONE; self.terms.len()])
    }

    /// Adds all directions that a fact speaks of, so that it is said no more.
    fn forget(&self, grid: &mut Grid, factors: &[Int]) {
        for at in (0..factors.len()).filter(|&at| !factors[at].is_zero()) {
            let mut step = vec![Int::ZERO; factors.len()];
            step[at] = Int::ONE;
            grid.add_step(&step);
        }
    }
}

/// What bounded variables hold.
type Ranges = BTreeMap<Term, (Int, Int)>;

/// What a grid says, in the forms that help.
fn said(grid: &Grid, group: &Group, store: &mut TermStore, ranges: &Ranges) -> Vec<Term> {
    let is_wide = |term: Term, modulus: &Int| {
        ranges.get(&term).is_some_and(|(low, high)| high >= modulus || -low > *modulus)
    };
    let mut found = Vec::new();
    for fact in grid.facts() {
        found.push(fact.formula(store, &group.terms));
        found.extend(fact.narrow(store, &group.terms, &is_wide));
    }
    found
}

/// The search for grids.
pub(crate) struct Grids<'b, 'f, 'a> {
    blocks: &'b mut Blocks<'f, 'a>,
    groups: Vec<Vec<Group>>,
    values: Vec<Here>,
    /// What holds all states, as far as steps are sums.
    above: Vec<Here>,
    rises: Vec<u32>,
    solvers: Vec<Option<Kept>>,
    config: &'b SolverConfig,
    past: SolverStats,
}

impl<'b, 'f, 'a> Grids<'b, 'f, 'a> {
    pub(crate) fn new(
        blocks: &'b mut Blocks<'f, 'a>,
        live: Option<&[BTreeSet<usize>]>,
        config: &'b SolverConfig,
    ) -> Grids<'b, 'f, 'a> {
        let forms = &blocks.forms;
        let mut groups = Vec::new();
        for place in &forms.control.places {
            let location = place.first().copied().unwrap_or(0) as usize;
            let live = live.and_then(|l| l.get(location));
            // Integers and words are two groups; words may have any widths.
            let mut here: Vec<(bool, Group)> = Vec::new();
            for (slot, variable) in forms.program.variables.iter().enumerate() {
                let sort = variable.domain.sort();
                let turn = match sort {
                    Sort::Int => Int::ZERO,
                    Sort::Bv(width) => Int::power_of_two(width),
                    _ => continue,
                };
                if matches!(variable.role, Role::Control(_))
                    || live.is_some_and(|live| !live.contains(&slot))
                {
                    continue;
                }
                let is_word = sort != Sort::Int;
                let at = here.iter().position(|(of, _)| *of == is_word).unwrap_or_else(|| {
                    here.push((is_word, Group { terms: Vec::new(), turns: Vec::new() }));
                    here.len() - 1
                });
                here[at].1.terms.push(variable.term);
                here[at].1.turns.push(turn);
            }
            here.retain(|(_, group)| group.terms.len() <= VARIABLES);
            groups.push(here.into_iter().map(|(_, group)| group).collect());
        }
        let (places, steps) = (forms.control.places.len(), forms.steps.len());
        let solvers = (0..steps).map(|_| None).collect();
        let past = SolverStats::default();
        let (values, above) = (vec![None; places], vec![None; places]);
        let rises = vec![0; places];
        Grids { blocks, groups, values, above, rises, solvers, config, past }
    }

    /// What holds at each place, as facts; what is known from above if it takes
    /// too long, and nothing if that does. And how often a solver was asked.
    pub(crate) fn find(mut self, budget: &Budget) -> Result<(Facts, u64), Halt> {
        self.above = match above(self.blocks.forms, &self.groups, budget) {
            Ok(above) => above,
            Err(Halt::Stop(stop)) if stop != Stop::Cancelled => return Ok((None, 0)),
            Err(halt) => return Err(halt),
        };
        let ended = self.iterate(budget);
        let kept = self.solvers.iter().flatten().map(|(s, _)| s.statistics().queries);
        let queries = self.past.queries + kept.sum::<u64>();
        match ended {
            Ok(()) => {}
            // What was found so far is not closed under steps.
            Err(Halt::Stop(stop)) if stop != Stop::Cancelled => self.values = self.above.clone(),
            Err(halt) => return Err(halt),
        }
        Ok((Some(self.facts()), queries))
    }

    /// What is known from above, as facts.
    pub(crate) fn sums(mut self, budget: &Budget) -> Result<Vec<Vec<Term>>, Halt> {
        self.values = above(self.blocks.forms, &self.groups, budget)?;
        Ok(self.facts())
    }

    fn facts(&mut self) -> Vec<Vec<Term>> {
        let variables = self.blocks.forms.program.variables.iter();
        let ranges: Ranges = variables.filter_map(|v| Some((v.term, v.domain.bounds()?))).collect();
        let mut found = Vec::new();
        for (value, groups) in self.values.iter().zip(&self.groups) {
            let store = &mut self.blocks.forms.store;
            found.push(match value {
                None => vec![store.bool(false)],
                Some(grids) => {
                    let grids = grids.iter().zip(groups);
                    grids.flat_map(|(grid, group)| said(grid, group, store, &ranges)).collect()
                }
            });
        }
        found
    }

    fn iterate(&mut self, budget: &Budget) -> Result<(), Halt> {
        let mut solver = self.config.open()?;
        solver.assert(&self.blocks.forms.store, self.blocks.forms.initial);
        let goals: Vec<Term> = self.groups[0].iter().flat_map(|g| g.terms.clone()).collect();
        self.rise(0, &mut *solver, &goals, budget)?;
        let control = self.blocks.forms.control.clone();
        let mut open: BTreeSet<(usize, usize)> = BTreeSet::from([(control.rank[0], 0)]);
        while let Some((_, place)) = open.pop_first() {
            for &step in &control.leaving[place] {
                budget.check()?;
                let target = control.steps[step].target;
                if self.post(step, place, target, budget)? {
                    open.insert((control.rank[target], target));
                }
            }
        }
        Ok(())
    }

    /// Joins what a step makes of the grids of its source; whether the grids of
    /// its target grew.
    fn post(
        &mut self,
        step: usize,
        source: usize,
        target: usize,
        budget: &Budget,
    ) -> Result<bool, Halt> {
        let Some(grids) = self.values[source].clone() else { return Ok(false) };
        if self.groups[target].is_empty() && self.values[target].is_some() {
            return Ok(false);
        }
        let (mut solver, goals) = match self.solvers[step].take() {
            Some(kept) => kept,
            None => {
                let goals: Vec<Term> =
                    self.groups[target].iter().flat_map(|g| g.terms.clone()).collect();
                let (block, goals) = self.blocks.of(step, &goals, false);
                let mut solver = self.config.open()?;
                solver.assert(&self.blocks.forms.store, block);
                (solver, goals)
            }
        };
        solver.push();
        for (grid, group) in grids.iter().zip(&self.groups[source]) {
            let store = &mut self.blocks.forms.store;
            for fact in grid.formulas(store, &group.terms) {
                solver.assert(store, fact);
            }
        }
        let grew = self.rise(target, &mut *solver, &goals, budget);
        solver.pop();
        if self.solvers.len() <= KEPT {
            self.solvers[step] = Some((solver, goals));
        } else {
            self.past.add(&solver.statistics());
        }
        grew
    }

    /// Joins models of what is asserted to the grids of a place; whether they
    /// grew. The goals are the variables of the place, group by group.
    fn rise(
        &mut self,
        place: usize,
        solver: &mut dyn Solver,
        goals: &[Term],
        budget: &Budget,
    ) -> Result<bool, Halt> {
        let groups = self.groups[place].clone();
        let mut grew = false;
        loop {
            if self.values[place].is_some() && self.values[place] == self.above[place] {
                return Ok(grew);
            }
            let question = match &self.values[place] {
                None => Vec::new(),
                Some(grids) => {
                    let mut outside = Vec::new();
                    let mut rest = goals;
                    for (grid, group) in grids.iter().zip(&groups) {
                        let (own, others) = rest.split_at(group.terms.len());
                        rest = others;
                        let store = &mut self.blocks.forms.store;
                        for fact in grid.formulas(store, own) {
                            outside.push(store.not(fact));
                        }
                    }
                    if outside.is_empty() {
                        return Ok(grew);
                    }
                    vec![self.blocks.forms.store.or(outside)]
                }
            };
            let store = &self.blocks.forms.store;
            let model = match solver.check(store, &question, &budget.within(QUESTION)) {
                Ok(Answer::Unsat) => return Ok(grew),
                Ok(Answer::Sat) => {
                    let mut symbols = store.subterms(goals);
                    symbols.retain(|&t| store.name(t).is_some());
                    solver.model(store, &symbols)
                }
                Ok(Answer::Unknown(_)) => None,
                Err(stop) => {
                    budget.check()?;
                    if stop == Stop::Cancelled {
                        return Err(stop.into());
                    }
                    None
                }
            };
            grew = true;
            let Some(model) = model else {
                self.doubt(place, solver, goals, budget)?;
                return Ok(true);
            };
            let values = model.eval_all(store, goals);
            let mut points = values.iter().map(number);
            let mut point =
                |group: &Group| points.by_ref().take(group.terms.len()).collect::<Vec<_>>();
            match &mut self.values[place] {
                none @ None => {
                    let grids = groups.iter().map(|group| Grid::new(point(group), &group.turns));
                    *none = Some(grids.collect());
                }
                Some(grids) => {
                    for (grid, group) in grids.iter_mut().zip(&groups) {
                        grid.add(&point(group));
                    }
                }
            }
            self.rises[place] += 1;
            if self.rises[place] > RISES {
                let known = self.above[place].clone();
                self.values[place] = known.or(Some(groups.iter().map(Group::all).collect()));
            }
        }
    }

    /// Keeps of the grids of a place what the solver confirms fact by fact.
    fn doubt(
        &mut self,
        place: usize,
        solver: &mut dyn Solver,
        goals: &[Term],
        budget: &Budget,
    ) -> Result<(), Halt> {
        let groups = self.groups[place].clone();
        let known = self.above[place].clone();
        let Some(mut grids) = self.values[place].take() else {
            self.values[place] = known.or(Some(groups.iter().map(Group::all).collect()));
            return Ok(());
        };
        let mut rest = goals;
        for (at, (grid, group)) in grids.iter_mut().zip(&groups).enumerate() {
            let (own, others) = rest.split_at(group.terms.len());
            rest = others;
            let sure = known.as_ref().map_or_else(Vec::new, |known| known[at].facts());
            for fact in grid.facts() {
                if is_implied(&sure, &fact.factors, &fact.modulus) {
                    continue;
                }
                let store = &mut self.blocks.forms.store;
                let formula = fact.formula(store, own);
                let opposite = store.not(formula);
                let answer = solver.check(store, &[opposite], &budget.within(QUESTION / 4));
                budget.check()?;
                if !matches!(answer, Ok(Answer::Unsat)) {
                    group.forget(grid, &fact.factors);
                }
            }
        }
        self.values[place] = Some(grids);
        Ok(())
    }
}
