//! Inputs that the solver finds: they take the program over terms both ways at
//! its conditions, where guesses rarely get.
//!
//! Each condition of a step, and its negation, becomes a place that `bmc` looks
//! for. Only inputs come of it: what the program does with them is for the
//! interpreter to say, so an error in the terms costs guesses and hides nothing.

use crate::CTask;
use crate::isolate::isolated;
use parallax_base::{Budget, Id, Span};
use parallax_cfa::CProperty;
use parallax_engine::{Engine, Question, Resources};
use parallax_engine_path::Bmc;
use parallax_evidence::{Finding, Trace};
use parallax_ir as ir;
use parallax_solver::SolverConfig;
use parallax_term::Term;
use std::collections::BTreeSet;

/// Conditions that are tried.
const CONDITIONS: usize = 24;

/// The place behind such a step.
const PASSED: &str = "*passed*";

/// What a run passes: a step with a condition.
type Goal = (Id<ir::Edge>, Term);

/// The inputs of runs that take each way at conditions of a program, as far as
/// there is time.
pub(super) fn solved(
    program: &ir::Program,
    c: &CTask,
    property: &CProperty,
    solver: &SolverConfig,
    budget: &Budget,
) -> Vec<Vec<i128>> {
    // A run of several threads that ends on its way leaves the others to wait for ever.
    if program.processes.len() > 1 {
        return Vec::new();
    }
    let mut program = program.clone();
    let goals = goals(&mut program);
    let mut found = BTreeSet::new();
    for (i, goal) in goals.iter().enumerate() {
        let Some(left) = budget.remaining().filter(|left| !left.is_zero()) else { break };
        let part = budget.within(left / (goals.len() - i) as u32);
        let Some(trace) = run_through(&program, *goal, solver, &part) else { continue };
        let Some(script) = c.script(&trace) else { continue };
        let run = script.record(&c.source.program, property);
        found.insert(run.inputs.iter().map(|input| input.value.as_int()).collect::<Vec<_>>());
    }
    found.into_iter().filter(|inputs| !inputs.is_empty()).collect()
}

/// Conditions on the way of each step, and their negations.
fn goals(program: &mut ir::Program) -> Vec<Goal> {
    let Some(process) = program.processes.iter().next() else { return Vec::new() };
    let mut found = BTreeSet::new();
    for (id, edge) in process.edges.iter_enumerated() {
        let values = edge.updates.iter().map(|update| update.value);
        let roots: Vec<Term> = values.chain([edge.guard, edge.constraint]).collect();
        let subterms = program.store.subterms(&roots);
        found.extend(subterms.into_iter().filter(|t| program.store.is_atom(*t)).map(|t| (id, t)));
        if found.len() >= CONDITIONS {
            break;
        }
    }
    let both = |(id, atom): Goal| [(id, atom), (id, program.store.not(atom))];
    found.into_iter().take(CONDITIONS).flat_map(both).collect()
}

/// A run that takes a step under a condition, and ends there.
fn run_through(
    program: &ir::Program,
    (edge, condition): Goal,
    solver: &SolverConfig,
    budget: &Budget,
) -> Option<Trace> {
    let mut program = program.clone();
    let p = program.processes.ids().next()?;
    let process = &mut program.processes[p];
    let location = ir::Location { name: PASSED.into(), is_final: true, span: Span::default() };
    let passed = process.locations.push(location);
    let names = process.locations.iter().map(|location| location.name.clone()).collect();
    program.variables[process.control].domain = ir::Domain::Enum(names);
    let mut step = process.edges[edge].clone();
    step.name = PASSED.into();
    step.target = passed;
    step.constraint = program.store.and([step.constraint, condition]);
    process.edges.push(step);
    let mut store = std::mem::take(&mut program.store);
    let target = program.at(&mut store, p, passed);
    program.store = store;
    program.store.freeze();
    let property = program.properties.push(ir::Property {
        name: PASSED.into(),
        kind: ir::PropertyKind::Unreachable,
        temporal: None,
        target,
        implicit: true,
        span: Span::default(),
    });
    let resources = Resources { budget, solver, picture: false, reduce: true };
    let question = Question { program: &program, property };
    match isolated(|| Bmc::default().run(question, resources)).finding {
        Finding::Reached(mut trace) => {
            // The step that was added is a copy of this one.
            trace.steps.last_mut()?.transition = edge.index();
            Some(*trace)
        }
        _ => None,
    }
}
