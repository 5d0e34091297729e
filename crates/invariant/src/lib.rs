//! Layer 6: inductive invariants in template domains.
//!
//! The program is cut at its places, which for C are the heads of loops; what
//! happens between two of them is one formula. Bounds of linear templates are
//! carried along steps until nothing changes (see `fixpoint`). How they are
//! carried is the one difference between the analyses:
//!
//! - [`Analysis::Symbolic`]: the best bounds after a step, by symbolic
//!   abstraction of its formula (Li, MSc thesis, Toronto 2013, Section 6.2.2);
//! - [`Analysis::Statements`]: the classical analysis of one operation after
//!   the other, with intervals and octagons.
//!
//! What comes out is a claim: it becomes a verdict, or an invariant that is
//! shown, only when `certify` has accepted it as a certificate.

mod assume;
mod control;
mod cycle;
mod domains;
mod environment;
mod fixpoint;
mod form;
mod interval;
mod octagon;
mod reduce;
mod statement;
mod symbolic;
mod template;
mod threshold;

pub use template::Family;

use control::Control;
use domains::Domains;
use fixpoint::{Fixpoint, Post};
use form::{Form, Forms};
use parallax_base::{Budget, Id, Stop};
use parallax_evidence::{Certificate, ClosedSet, Region};
use parallax_ir::{Program, Transition, Variable};
use parallax_optimize::Abstract;
use parallax_solver::{SolverConfig, SolverError};
use parallax_term::{Term, TermStore, Value};
use statement::Statement;
use std::collections::BTreeSet;
use symbolic::Symbolic;
use template::Templates;
use threshold::Thresholds;

/// How bounds are carried along steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Analysis {
    /// By symbolic abstraction of the formula of a step.
    #[default]
    Symbolic,
    /// By evaluating conditions and assignments one by one.
    Statements,
}

/// What is looked for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// How bounds are carried along steps.
    pub analysis: Analysis,
    /// Which templates are bounded.
    pub family: Family,
    /// Templates besides, as terms of the store.
    pub given: Vec<Term>,
    /// Which variables matter at each location of the only process, by their
    /// positions; if nothing is said, those that may be read from there on.
    pub live: Option<Vec<BTreeSet<usize>>>,
}

/// What holds at a place.
#[derive(Clone, Debug)]
pub struct Invariant {
    /// The location of each process.
    pub place: Box<[i64]>,
    /// Whether it is the head of a loop.
    pub is_head: bool,
    /// The bounds; `Bottom` if no run comes here.
    pub value: Abstract,
    /// What is bounded.
    pub templates: Vec<Term>,
    /// The bounds as a formula, without what is known of domains.
    pub formula: Term,
}

/// Inductive invariants of all places.
#[derive(Clone, Debug)]
pub struct Invariants {
    /// Holds all terms; grown from the program's store.
    pub store: TermStore,
    /// What holds, place by place.
    pub at: Vec<Invariant>,
    /// What holds of domains, at all places.
    pub domains: Term,
    /// Whether templates of the family were left out somewhere.
    pub is_cut: bool,
    /// Questions put to the solver.
    pub queries: u64,
}

/// Why there are no invariants.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Halt {
    /// A limit of the run.
    #[error("{0}")]
    Stop(Stop),
    /// A solver could not be started.
    #[error(transparent)]
    Solver(#[from] SolverError),
    /// Too many places.
    #[error("the processes can be at more than {0} places")]
    Places(usize),
}

impl From<Stop> for Halt {
    fn from(stop: Stop) -> Halt {
        Halt::Stop(stop)
    }
}

/// More places than this are not analyzed.
const PLACES: usize = 20_000;

/// The variables that stay in their domains whatever step is taken, from
/// wherever all of them are.
pub fn closed_domains(
    program: &Program,
    store: &mut TermStore,
    transitions: &[Transition],
    solver: &SolverConfig,
    budget: &Budget,
) -> Result<Vec<Id<Variable>>, Halt> {
    let mut steps = Vec::new();
    for transition in transitions {
        let bounds = transition.input_bounds(store);
        steps.push(Form {
            condition: store.and([transition.guard, bounds]),
            inputs: transition.inputs.clone(),
            updates: transition.updates.iter().map(|u| (u.variable, u.value)).collect(),
        });
    }
    let domains = Domains::new(program, store, &steps, solver, budget)?;
    Ok(domains.kept.into_keys().collect())
}

/// Looks for inductive invariants of a program.
pub fn invariants(
    program: &Program,
    options: &Options,
    solver: &SolverConfig,
    budget: &Budget,
) -> Result<Invariants, Halt> {
    invariants_within(program, program.store.clone(), options, solver, budget)
}

/// The same, with terms in a store that has grown from that of the program; so
/// may the given templates.
pub fn invariants_within(
    program: &Program,
    mut store: TermStore,
    options: &Options,
    solver: &SolverConfig,
    budget: &Budget,
) -> Result<Invariants, Halt> {
    let transitions = program.transitions(&mut store);
    let control = Control::new(program, &transitions, PLACES, budget)?;
    let control = control.ok_or(Halt::Places(PLACES))?;
    let mut forms = Forms::new(program, store, &transitions, control);
    let domains = Domains::new(program, &mut forms.store, &forms.steps, solver, budget)?;
    let live = options.live.clone().or_else(|| program.live_variables());
    let templates = Templates::new(&mut forms, options.family, &options.given, live.as_deref());
    let thresholds = Thresholds::new(&forms);
    let control = forms.control.clone();
    let written: Vec<BTreeSet<Term>> =
        forms.steps.iter().map(|form| form.written(&forms)).collect();
    let (values, queries) = {
        let store = forms.store.clone();
        let fixpoint = Fixpoint {
            store: &store,
            control: &control,
            templates: &templates,
            thresholds: &thresholds,
            written: &written,
        };
        let mut symbolic;
        let mut statement;
        let post: &mut dyn Post = match options.analysis {
            Analysis::Symbolic => {
                symbolic = Symbolic::new(&mut forms, &templates, &domains, solver);
                &mut symbolic
            }
            Analysis::Statements => {
                statement = Statement::new(&forms, &templates, &domains);
                &mut statement
            }
        };
        (fixpoint.run(post, budget)?, post.queries())
    };
    let facts = domains.formula(program, &mut forms.store);
    let mut at = Vec::new();
    for (place, value) in values.into_iter().enumerate() {
        let templates = templates.at[place].clone();
        let formula = value.gamma(&mut forms.store, &templates);
        at.push(Invariant {
            place: control.places[place].clone(),
            is_head: control.is_head[place],
            value,
            templates,
            formula,
        });
    }
    Ok(Invariants { store: forms.store, at, domains: facts, is_cut: templates.is_cut, queries })
}

impl Invariants {
    /// The set of all states that the invariants allow, as a certificate.
    pub fn certificate(&mut self, program: &Program) -> Certificate {
        let controls: Vec<_> = program.processes.iter().map(|p| p.control).collect();
        let mut fragment = Vec::new();
        for invariant in &self.at {
            if invariant.value == Abstract::Bottom {
                continue;
            }
            let values = invariant.place.iter().map(|&at| Value::int(at));
            let mut fixed: Vec<_> = controls.iter().copied().zip(values).collect();
            fixed.sort_by_key(|(variable, _)| *variable);
            let formula = self.store.and([invariant.formula, self.domains]);
            fragment.push(Region { fixed, formula });
        }
        Certificate::Closed(ClosedSet {
            store: self.store.clone(),
            points: Vec::new(),
            prefix: Vec::new(),
            fragment,
            quotient: None,
        })
    }
}
