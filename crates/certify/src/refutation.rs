//! Checks that programs together do *not* conform to a specification.
//!
//! The evidence is a strategy: a graph in which each node says what the
//! programs do next, and whose children are all answers of the specification.
//! Three things are checked, none of which takes the word of the search:
//!
//! 1. *The programs do it.* On every path of the graph each program has a run,
//!    which the interpreter repeats. In each node the programs do the node's
//!    action, all of those that share it and nobody else; a silent node is a
//!    hidden action or no action at all.
//! 2. *It is one strategy.* Two paths that share their first nodes have runs
//!    that agree on them, choices included: what a program does may depend on
//!    the answers so far and on nothing else.
//! 3. *The specification cannot answer.* Its weak answers to every node are
//!    computed here, and each of them has a child.
//!
//! Suppose the programs were simulated. Then the initial state of the runs is
//! related to that of the specification; by 1 and 2 the programs reach a state
//! that must be related to one of the answers, which has a child by 3, and so
//! on down to a node without children, to which there is no answer: a
//! contradiction.
//!
//! A deadlock is a path of the programs alone. At its end no program can go on
//! silently, no action is possible for all who share it, and somebody has not
//! ended.

use crate::conformance::owners;
use crate::systems::answered;
use crate::weak::Arrows;
use crate::{Accepted, Rejected};
use parallax_base::Budget;
use parallax_evidence::{ConformanceRefutation, Labelled, Run};
use parallax_ir::{Interpreter, State};
use parallax_lts::{CeDag, Lts, TAU};
use parallax_term::{Code, Int, Scratch};
use std::collections::BTreeSet;

/// Accepts the counterexample if it shows that the programs, run together, are
/// not weakly simulated by the specification when the actions in `hidden` are
/// silent, or that they can come to a deadlock.
///
/// # Errors
/// Why the counterexample is not accepted.
pub fn check_refutation(
    programs: &[Labelled<'_>],
    hidden: &BTreeSet<String>,
    specification: &Lts,
    refutation: &ConformanceRefutation,
    budget: &Budget,
) -> Result<Accepted, Rejected> {
    let ConformanceRefutation { dag, composed, runs, deadlock } = refutation;
    for (number, node) in dag.nodes.iter().enumerate() {
        let fits = node.children.iter().all(|&c| c > number && c < dag.nodes.len())
            && (node.action as usize) < composed.labels().len()
            && (*deadlock || (node.right as usize) < specification.state_count());
        if !fits {
            return Err(Rejected::Malformed(format!("node {number} fits nothing")));
        }
    }
    let paths = dag.paths(runs.len() + 1);
    if paths.len() != runs.len() || (*deadlock && paths.len() != 1) {
        return Err(Rejected::Malformed("one run of the programs for each path is needed".into()));
    }
    let mut accepted = Accepted::default();
    let mut ends = Vec::new();
    for (path, runs) in paths.iter().zip(runs) {
        budget.check()?;
        if runs.len() != programs.len() || programs.is_empty() {
            return Err(Rejected::Malformed("one run for each program is needed".into()));
        }
        ends = Vec::new();
        let mut done = Vec::new();
        for (&program, run) in programs.iter().zip(runs) {
            let (state, actions) = repeat(program, run, path)?;
            accepted.evaluated += run.steps.len() as u64 + 1;
            ends.push(state);
            done.push(actions);
        }
        for (place, &number) in path.iter().enumerate() {
            let action = dag.nodes[number].action;
            let label = (action != TAU).then(|| composed.label(action));
            let here: Vec<&[&str]> = done.iter().map(|actions| &actions[place][..]).collect();
            let free = if *deadlock { None } else { Some(hidden) };
            synchronized(programs, label, &here, free)
                .map_err(|why| Rejected::Step(format!("node {number}: {why}")))?;
        }
    }
    one_strategy(&paths, runs)?;
    match *deadlock {
        true => stuck(programs, &ends)?,
        false => no_answer(specification, dag, composed, budget)?,
    }
    Ok(accepted)
}

/// Repeats the run of one program. Its last state, and the actions it does in
/// each node of the path.
fn repeat<'a>(
    labelled: Labelled<'a>,
    run: &Run,
    path: &[usize],
) -> Result<(State, Vec<Vec<&'a str>>), Rejected> {
    let Labelled { program, actions, .. } = labelled;
    let mut interpreter = Interpreter::new(program);
    let in_domain = run.initial.len() == program.variables.len()
        && run.initial.iter().zip(&program.variables).all(|(value, v)| v.domain.contains(value));
    let mut state = State::new(run.initial.clone());
    if !in_domain || !interpreter.is_initial(&state) {
        return Err(Rejected::Initial(format!("`{}` does not start there", program.name)));
    }
    let mut done = vec![Vec::new(); path.len()];
    let mut place = 0;
    for (number, step) in run.steps.iter().enumerate() {
        // Nodes follow the path; before the first there are only silent steps.
        while path.get(place).is_some_and(|&node| node != step.node) {
            place += 1;
        }
        let known = step.edge < actions.len() && (place < path.len() || path.is_empty());
        let next = known.then(|| interpreter.step(&state, step.edge, &step.inputs)).flatten();
        let impossible = || format!("step {} of `{}` is not possible", number + 1, program.name);
        state = next.ok_or_else(|| Rejected::Step(impossible()))?;
        if let Some(gap) = labelled.gap(step.edge) {
            return Err(Rejected::Step(format!("a run leads to what is not modelled: {gap}")));
        }
        if let Some(action) = actions[step.edge].as_deref() {
            let here: Option<&mut Vec<&str>> = done.get_mut(place);
            here.ok_or_else(|| Rejected::Malformed("an action outside the path".into()))?
                .push(action);
        }
    }
    Ok((state, done))
}

/// Whether what the programs do in a node is its action: all who share it do
/// it once, and nobody does anything else. `hidden` actions are silent; without
/// them every action is shown as it is.
fn synchronized(
    programs: &[Labelled<'_>],
    label: Option<&str>,
    done: &[&[&str]],
    hidden: Option<&BTreeSet<String>>,
) -> Result<(), String> {
    let any = done.iter().flat_map(|list| list.iter()).next().copied();
    let action = match (label, any) {
        (None, None) => return Ok(()),
        (None, Some(action)) => {
            if !hidden.is_some_and(|hidden| hidden.contains(action)) {
                return Err(format!("`{action}` is not silent"));
            }
            action
        }
        (Some(label), _) => {
            if hidden.is_some_and(|hidden| hidden.contains(label)) {
                return Err(format!("`{label}` is silent"));
            }
            label
        }
    };
    let sharing = owners(programs, action);
    if sharing.is_empty() {
        return Err(format!("nobody does `{action}`"));
    }
    for (index, list) in done.iter().enumerate() {
        let expected: &[&str] = if sharing.contains(&index) { &[action] } else { &[] };
        if *list != expected {
            return Err(format!("`{}` does something else", programs[index].program.name));
        }
    }
    Ok(())
}

/// Whether runs do the same as long as their paths are the same.
fn one_strategy(paths: &[Vec<usize>], runs: &[Vec<Run>]) -> Result<(), Rejected> {
    for (one, first) in paths.iter().zip(runs) {
        for (two, second) in paths.iter().zip(runs) {
            let common: BTreeSet<usize> =
                one.iter().zip(two).take_while(|(a, b)| a == b).map(|(a, _)| *a).collect();
            for (run, other) in first.iter().zip(second) {
                let shared =
                    |run: &Run| run.steps.iter().take_while(|s| common.contains(&s.node)).count();
                let (here, there) = (shared(run), shared(other));
                if run.initial != other.initial || run.steps[..here] != other.steps[..there] {
                    let why = "paths with the same beginning have runs that differ there";
                    return Err(Rejected::Step(why.into()));
                }
            }
        }
    }
    Ok(())
}

/// Whether the graph has a child for every answer of the specification.
fn no_answer(
    specification: &Lts,
    dag: &CeDag,
    composed: &Lts,
    budget: &Budget,
) -> Result<(), Rejected> {
    if dag.nodes.first().map(|node| node.right) != Some(specification.initial()) {
        return Err(Rejected::Initial("the graph does not begin at the beginning".into()));
    }
    let mut arrows = Arrows::new(specification);
    for (number, node) in dag.nodes.iter().enumerate() {
        budget.check()?;
        let label = (node.action != TAU).then(|| composed.label(node.action));
        answered(dag, number, &arrows.weak(node.right, label), |_| true)?;
    }
    Ok(())
}

/// Whether nobody can go on although not all have ended.
fn stuck(programs: &[Labelled<'_>], ends: &[State]) -> Result<(), Rejected> {
    let mut offers: Vec<BTreeSet<&str>> = Vec::new();
    for (labelled, state) in programs.iter().zip(ends) {
        let program = labelled.program;
        let Some(process) = program.processes.iter().next() else {
            return Err(Rejected::Malformed("a program without a process".into()));
        };
        let at = state[process.control.index()].as_int().and_then(Int::to_i64);
        let mut offered = BTreeSet::new();
        for (edge, action) in process.edges.iter().zip(labelled.actions) {
            if at != i64::try_from(edge.source.index()).ok() {
                continue;
            }
            // A guard over the state says whether the edge can be taken; what
            // depends on inputs may be possible, so it counts as possible.
            let code = Code::compile(&program.store, &[edge.guard], |t| program.slot(t));
            if !code.test(state, &mut Scratch::default()) {
                continue;
            }
            match action.as_deref() {
                Some(action) => drop(offered.insert(action)),
                None => {
                    let why = format!("`{}` can go on silently", program.name);
                    return Err(Rejected::Target(why));
                }
            }
        }
        offers.push(offered);
    }
    if offers.iter().all(BTreeSet::is_empty) {
        return Err(Rejected::Target("all programs have ended".into()));
    }
    for label in offers.iter().flatten() {
        if owners(programs, label).iter().all(|&owner| offers[owner].contains(label)) {
            return Err(Rejected::Target(format!("`{label}` is possible")));
        }
    }
    Ok(())
}
