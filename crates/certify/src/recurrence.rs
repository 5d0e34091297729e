//! Runs that break a formula and go on for ever without coming back to a state.
//!
//! See `parallax_evidence::Recurrence` for what is claimed, and for why the run
//! exists and has the word of the trace if it is so. The trace is run by the
//! interpreter; what is said of the region is refuted step by step by the solver,
//! on states of the region as terms over the first of them.

use crate::refute::refute;
use crate::replay::follow;
use crate::{Accepted, Rejected, confused, ltl};
use parallax_base::{Budget, Id};
use parallax_evidence::{Recurrence, Trace};
use parallax_ir::{Letters, Program, Property, PropertyKind};
use parallax_solver::Solver;
use parallax_term::{Code, Scratch, Sort, Substitution, Term};

/// Accepts the run if it is infinite and breaks the formula of the property.
pub(crate) fn check(
    program: &Program,
    property: Id<Property>,
    trace: &Trace,
    solver: &mut dyn Solver,
    budget: &Budget,
) -> Result<Accepted, Rejected> {
    let asked = &program.properties[property];
    let (Some(temporal), PropertyKind::Ltl) = (&asked.temporal, asked.kind) else {
        return Err(confused());
    };
    let malformed = |what: &str| Rejected::Malformed(what.into());
    let cycle = trace.cycle.filter(|cycle| *cycle < trace.steps.len());
    let (Some(cycle), Some(recurrence)) = (cycle, &trace.recurrence) else {
        return Err(malformed("the run is not infinite"));
    };
    let Recurrence { store, region } = &**recurrence;
    let symbols: Vec<Term> = program.variables.iter().map(|v| v.term).collect();
    let is_known = store.vars(*region).iter().all(|term| symbols.contains(term));
    if store.sort(*region) != Sort::Bool || !is_known {
        return Err(malformed("a region is no formula over the program's variables"));
    }
    follow(program, trace)?;
    let (first, steps) = (trace.state(cycle), &trace.steps[cycle..]);
    let code = Code::compile(store, &[*region], |t| program.slot(t));
    if !first.is_some_and(|state| code.test(state, &mut Scratch::default())) {
        return Err(Rejected::Initial("the cycle does not begin in its region".into()));
    }
    ltl::breaks(program, temporal, trace, cycle)?;

    let before = solver.statistics().queries;
    let mut store = store.clone();
    let transitions = program.transitions(&mut store);
    let mut letters = Letters::new(program, temporal);
    let mut values = symbols.clone();
    for (number, step) in steps.iter().enumerate() {
        let (Some(state), Some(transition)) =
            (trace.state(cycle + number), transitions.get(step.transition))
        else {
            return Err(malformed("there is no such step"));
        };
        let inputs = transition.inputs.iter().map(|input| input.term);
        let chosen: Vec<Term> = step.inputs.iter().map(|v| store.constant(v.clone())).collect();
        let states = symbols.iter().copied().zip(values.iter().copied());
        let mut here = Substitution::new(states.chain(inputs.zip(chosen)));
        let letter = letters.of(state);
        for (number, &atom) in temporal.atoms.iter().enumerate() {
            let atom = here.apply(&mut store, atom);
            let other = if letter >> number & 1 == 1 { store.not(atom) } else { atom };
            let differs = || Rejected::Target("the word of the run is another one".into());
            refute(&mut store, solver, budget, &[*region, other], differs)?;
        }
        let bounds = transition.input_bounds(&mut store);
        let possible = store.and([transition.guard, bounds]);
        let possible = here.apply(&mut store, possible);
        let blocked = store.not(possible);
        let name = &transition.name;
        let fails = || Rejected::Step(format!("`{name}` is not always possible"));
        refute(&mut store, solver, budget, &[*region, blocked], fails)?;
        let mut next = values.clone();
        for update in &transition.updates {
            next[update.variable.index()] = here.apply(&mut store, update.value);
        }
        values = next;
    }
    let again = Substitution::new(symbols.into_iter().zip(values)).apply(&mut store, *region);
    let outside = store.not(again);
    let leaves = || Rejected::Step("the cycle leads out of its region".into());
    refute(&mut store, solver, budget, &[*region, outside], leaves)?;
    let queries = solver.statistics().queries - before;
    Ok(Accepted { evaluated: trace.steps.len() as u64 + 1, queries, ..Accepted::default() })
}
