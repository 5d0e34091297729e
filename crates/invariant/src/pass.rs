//! Passes: bounds of templates, and relations, each on top of what is known.
//!
//! What one pass finds is closed under steps from states that satisfy what the
//! passes before it found. So all of it together is closed.

use crate::block::Blocks;
use crate::control::Control;
use crate::domains::Domains;
use crate::fixpoint::{Fixpoint, Post};
use crate::form::Forms;
use crate::grid::Grids;
use crate::statement::Statement;
use crate::symbolic::Symbolic;
use crate::template::Templates;
use crate::threshold::Thresholds;
use crate::{Analysis, Family, Invariant, Invariants, Options};
use parallax_base::Budget;
use parallax_domain::Domain;
use parallax_ir::Program;
use parallax_optimize::{Abstract, Bounded, Limit};
use parallax_solver::{Halt, SolverConfig};
use parallax_term::{Term, TermStore};
use std::collections::BTreeSet;

/// More places than this are not analyzed.
const PLACES: usize = 20_000;

/// The search for relations gets this part of the time that is left.
const SHARE: u32 = 3;

fn forms<'a>(
    program: &'a Program,
    mut store: TermStore,
    budget: &Budget,
) -> Result<Forms<'a>, Halt> {
    let transitions = program.transitions(&mut store);
    let control = Control::new(program, &transitions, PLACES, budget)?;
    let control = control
        .ok_or(Halt::GaveUp(format!("the processes can be at more than {PLACES} places")))?;
    Ok(Forms::new(program, store, &transitions, control))
}

/// Formulas of what is known, by place.
fn known(base: Option<&Invariants>, forms: &mut Forms<'_>) -> Vec<Term> {
    let places = forms.control.places.len();
    match base {
        Some(base) => base.at.iter().map(|at| at.formula).collect(),
        None => vec![forms.store.bool(true); places],
    }
}

/// Bounds of templates.
pub(crate) fn bounds(
    program: &Program,
    store: TermStore,
    base: Option<&Invariants>,
    options: &Options,
    solver: &SolverConfig,
    budget: &Budget,
) -> Result<Invariants, Halt> {
    let mut forms = forms(program, store, budget)?;
    let domains = Domains::new(program, &mut forms.store, &forms.steps, solver, budget)?;
    let live = options.live.clone().or_else(|| program.live_variables());
    let (family, given) = match options.analysis.is_plain() {
        true => (Family::Intervals, &[][..]),
        false => (options.family, &options.given[..]),
    };
    let templates = Templates::new(&mut forms, family, given, live.as_deref());
    let thresholds = Thresholds::new(&forms);
    let control = forms.control.clone();
    let written: Vec<BTreeSet<Term>> = forms.steps.iter().map(|form| form.written()).collect();
    let known = known(base, &mut forms);
    let (values, queries) = {
        let store = forms.store.clone();
        let fixpoint = Fixpoint {
            store: &store,
            control: &control,
            templates: &templates,
            thresholds: &thresholds,
            written: &written,
            is_plain: options.analysis.is_plain(),
            narrows: options.analysis != Analysis::Widened,
        };
        let mut symbolic;
        let mut statement;
        let post: &mut dyn Post = match options.analysis {
            Analysis::Symbolic => {
                let blocks = Blocks::new(&mut forms, &domains, known);
                symbolic = Symbolic::new(blocks, &templates, solver);
                &mut symbolic
            }
            Analysis::Statements | Analysis::Plain | Analysis::Widened => {
                let is_plain = options.analysis.is_plain();
                statement = Statement::new(&forms, &templates, &domains, is_plain);
                &mut statement
            }
        };
        (fixpoint.run(post, budget)?, post.queries())
    };
    let facts = domains.formula(program, &mut forms.store);
    let mut at = Vec::new();
    for (place, value) in values.into_iter().enumerate() {
        let templates = templates.at[place].clone();
        let relations = base.map_or_else(Vec::new, |base| base.at[place].relations.clone());
        let mut found = Invariant {
            place: control.places[place].clone(),
            is_head: control.is_head[place],
            value,
            templates,
            relations,
            formula: facts,
        };
        if let Some(base) = base {
            meet(&mut found, &base.at[place]);
        }
        found.restate(&mut forms.store);
        at.push(found);
    }
    let before = base.map_or(0, |base| base.queries);
    Ok(Invariants {
        store: forms.store,
        at,
        domains: facts,
        is_cut: templates.is_cut,
        has_relations: base.is_some_and(|base| base.has_relations),
        queries: before + queries,
    })
}

/// Takes bounds over that are known and better, or of other templates.
fn meet(found: &mut Invariant, known: &Invariant) {
    let Abstract::Within(limits) = &mut found.value else { return };
    let Abstract::Within(others) = &known.value else {
        found.value = Abstract::Bottom;
        return;
    };
    for (other, &template) in others.iter().zip(&known.templates) {
        let Some(other) = other else { continue };
        match found.templates.iter().position(|&t| t == template) {
            None => {
                found.templates.push(template);
                limits.push(Some(other.clone()));
            }
            Some(at) => {
                let is_better = |old: &Limit| {
                    other.value < old.value || other.value == old.value && other.strict
                };
                if limits[at].as_ref().is_none_or(is_better) {
                    limits[at] = Some(other.clone());
                }
            }
        }
    }
}

impl Invariant {
    /// Says the formula again after bounds or relations have changed.
    fn restate(&mut self, store: &mut TermStore) {
        let bounds = Bounded(&self.templates).gamma(store, &self.value);
        let all = self.relations.iter().copied().chain([bounds]);
        self.formula = store.and(all.collect::<Vec<_>>());
    }
}

/// Adds equations and congruences to what is known. A search that takes too
/// long adds nothing.
pub(crate) fn relations(
    program: &Program,
    base: Invariants,
    options: &Options,
    solver: &SolverConfig,
    budget: &Budget,
) -> Result<Invariants, Halt> {
    let mut forms = forms(program, base.store.clone(), budget)?;
    let domains = Domains::new(program, &mut forms.store, &forms.steps, solver, budget)?;
    let live = options.live.clone().or_else(|| program.live_variables());
    let known = known(Some(&base), &mut forms);
    let part =
        budget.remaining().map_or_else(|| budget.clone(), |left| budget.within(left / SHARE));
    let (found, queries) = {
        let mut blocks = Blocks::new(&mut forms, &domains, known);
        Grids::new(&mut blocks, live.as_deref(), solver).find(&part)?
    };
    budget.check()?;
    let mut next = Invariants { store: forms.store, has_relations: true, ..base };
    next.queries += queries;
    next.say(found.unwrap_or_default());
    Ok(next)
}

/// The same, as far as it is known without a solver.
pub(crate) fn sums(
    program: &Program,
    base: &Invariants,
    options: &Options,
    solver: &SolverConfig,
    budget: &Budget,
) -> Result<Invariants, Halt> {
    let mut forms = forms(program, base.store.clone(), budget)?;
    let domains = Domains::default();
    let live = options.live.clone().or_else(|| program.live_variables());
    let known = known(Some(base), &mut forms);
    let found = {
        let mut blocks = Blocks::new(&mut forms, &domains, known);
        Grids::new(&mut blocks, live.as_deref(), solver).sums(budget)?
    };
    let mut next = Invariants { store: forms.store, ..base.clone() };
    next.say(found);
    Ok(next)
}

impl Invariants {
    /// Adds equations and congruences, by place.
    fn say(&mut self, found: Vec<Vec<Term>>) {
        for (at, facts) in self.at.iter_mut().zip(found) {
            if facts.iter().any(|&fact| self.store.is_false(fact)) {
                at.value = Abstract::Bottom;
            } else {
                at.relations = facts;
            }
            at.restate(&mut self.store);
        }
    }
}
